import { createStore, del, entries, get, set } from "idb-keyval";
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

/** A draft on the disk of this browser, and what the server has of it. */
export interface StoredDraft extends Draft {
  /** The version on the server that it continues; null if there is none. */
  version: string | null;
  /** Whether the server lacks what is here. */
  isUnsaved: boolean;
  /** When the member changed it here, in milliseconds. */
  changedAt: number;
  /** The text that was sent to the server last. If the answer was lost, the server's draft is known by it. */
  attempt?: string;
  /** The older one of two texts that were written in two places at the same time. */
  other?: { mode: Mode; text: string } | undefined;
}

export const EMPTY: StoredDraft = {
  mode: "reply",
  reply: "",
  note: "",
  files: [],
  version: null,
  isUnsaved: false,
  changedAt: 0,
};

/** The part of a draft that the server keeps. It has one text for each conversation: the one in front, if there is any. */
export function savedPart(draft: Draft): { mode: Mode; text: string; files: DraftFile[] } {
  const other = draft.mode === "reply" ? "note" : "reply";
  const mode = draft[draft.mode] || !draft[other] ? draft.mode : other;
  return { mode, text: draft[mode], files: draft.files };
}

/** What the server cannot tell from two such parts: an empty draft is neither a reply nor a note. */
export const isSame = (one: Draft, another: Draft): boolean => {
  const [a, b] = [savedPart(one), savedPart(another)];
  return a.text === b.text && (a.mode === b.mode || a.text === "") && idsOf(a.files) === idsOf(b.files);
};
const idsOf = (files: DraftFile[]): string => files.map(({ id }) => id).join();

/** Whether the server lacks something that is here. */
export function lacks(draft: StoredDraft): boolean {
  const { text, files } = savedPart(draft);
  return draft.isUnsaved && (draft.version !== null || text !== "" || files.length > 0);
}

/** The draft after the member has changed it. */
export function changed(draft: StoredDraft, part: Partial<Draft>): StoredDraft {
  const next = { ...draft, ...part };
  return isSame(draft, next) ? next : { ...next, isUnsaved: true, changedAt: Date.now() };
}

const store = createStore("parley-drafts", "drafts");
const prefixOf = (memberId: string): string => `${environment()}:${memberId}:`;
export const keyOf = (memberId: string, conversationId: string): string => prefixOf(memberId) + conversationId;

/** What one tab of the browser tells the others: a draft that it has written to the disk. */
export type Written = [key: string, draft: StoredDraft];
export const drafts = new BroadcastChannel("parley-drafts");

export async function readDraft(memberId: string, conversationId: string): Promise<StoredDraft> {
  return { ...EMPTY, ...(await get<StoredDraft>(keyOf(memberId, conversationId), store)) };
}

export async function writeDraft(memberId: string, conversationId: string, draft: StoredDraft): Promise<void> {
  const key = keyOf(memberId, conversationId);
  const { reply, note, files, other } = draft;
  await (reply || note || files.length || other || lacks(draft) ? set(key, draft, store) : del(key, store));
  drafts.postMessage([key, draft] satisfies Written);
}

/** The drafts of a member on this side, by conversation. */
export async function readDrafts(memberId: string): Promise<[conversationId: string, StoredDraft][]> {
  const prefix = prefixOf(memberId);
  return (await entries<string, StoredDraft>(store))
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, draft]) => [key.slice(prefix.length), { ...EMPTY, ...draft }]);
}

export const removeDraft = (memberId: string, conversationId: string): Promise<void> =>
  del(keyOf(memberId, conversationId), store);
