import { useEffect, useState, useSyncExternalStore } from "react";
import { EMPTY, type StoredDraft } from "./drafts.js";
import { OpenDraft } from "./open-draft.js";
import { sync } from "./synced.js";

interface DraftState {
  /** Whether the disk was read. What is typed before is kept, but cannot be sent yet. */
  isReady: boolean;
  draft: StoredDraft;
  open: OpenDraft;
}

/** The member's draft in a conversation. It survives a reload, a crash and a day offline, and goes on in another browser. */
export function useDraft(memberId: string, conversationId: string, isSynced: boolean): DraftState {
  const [open] = useState(() => new OpenDraft(memberId, conversationId));
  useEffect(() => open.start(isSynced ? sync : undefined), [open, isSynced]);
  const draft = useSyncExternalStore(open.subscribe, open.now);
  return { isReady: open.isRead, draft: draft ?? EMPTY, open };
}
