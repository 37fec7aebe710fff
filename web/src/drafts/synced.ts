import { parley } from "../api/parley.js";
import { beforeSignOut, sessionSignal } from "../session/session.js";
import { type OpenDraft, thisTab } from "./open-draft.js";
import { type Exchange, handOver, saveUnsaved as saveUnsavedOf, sync as syncOf } from "./sync.js";

// The drafts of this tab, and the server that it talks to.

const around: Exchange = { server: parley.conversations, tab: thisTab, session: sessionSignal };

export const sync = (open: OpenDraft, signal: AbortSignal): void => syncOf(open, signal, around);
export const saveUnsaved = (memberId: string, signal: AbortSignal): void => saveUnsavedOf(memberId, signal, around);
beforeSignOut((memberId) => handOver(memberId, around));
