import { createStore, del, get, set } from "idb-keyval";
import { environment } from "../session/session.js";

export type Mode = "reply" | "note";

interface DraftFile {
  id: string;
  name: string;
}

/** What a member has written in a conversation, and not sent. */
export interface Draft {
  mode: Mode;
  reply: string;
  note: string;
  files: DraftFile[];
}

export const EMPTY: Draft = { mode: "reply", reply: "", note: "", files: [] };

const store = createStore("parley-drafts", "drafts");
const keyOf = (memberId: string, conversationId: string): string => `${environment()}:${memberId}:${conversationId}`;

export async function readDraft(memberId: string, conversationId: string): Promise<Draft> {
  return (await get<Draft>(keyOf(memberId, conversationId), store)) ?? EMPTY;
}

export function writeDraft(memberId: string, conversationId: string, draft: Draft): Promise<void> {
  const key = keyOf(memberId, conversationId);
  return draft.reply || draft.note || draft.files.length ? set(key, draft, store) : del(key, store);
}
