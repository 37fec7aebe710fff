import { createStore, del, entries, get, set } from "idb-keyval";
import type { Schemas } from "../api/parley.js";
import { environment } from "../session/session.js";

export type Mode = "reply" | "note";

export interface DraftFile {
  id: string;
  name: string;
  /** In bytes. What an earlier version kept on the disk does not say. */
  size?: number;
  /** Whether it is a picture that the page can show. */
  isPicture?: boolean;
}

/** What a member has written in a conversation, and not sent. */
export interface Draft {
  mode: Mode;
  reply: string;
  note: string;
  files: DraftFile[];
  /** Whom the reply goes to, if the member chose that. Only this browser keeps it. */
  people?: People | undefined;
  /** The entries that the reply is based on. Only this browser keeps them. */
  cites?: Cited[] | undefined;
  /** The reply before a language model rewrote it. Only this browser keeps it. */
  original?: string | undefined;
}

/** An entry of the knowledge base that a reply is based on. */
export interface Cited {
  kbEntryId: string;
  question: string;
  /** How likely it answers, 0 to 1. */
  score: number;
  warning?: Schemas["Suggestion"]["warning"];
}

/** The recipients of a mail. What is missing is as the server has it by default. */
export interface People {
  to?: string[] | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  subject?: string | undefined;
  /** What the mail repeats below its text. */
  quote?: "none" | "last" | "all" | undefined;
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
const keyOf = (memberId: string, conversationId: string): string => prefixOf(memberId) + conversationId;

/** What one tab of the browser tells the others: a draft that it has written to the disk. */
type Written = [key: string, draft: StoredDraft];
const drafts = new BroadcastChannel("parley-drafts");

/** Where drafts are kept in this browser. */
export interface Disk {
  /** Keeps a draft at once, while the page goes away: what is written then may not get to the disk any more. */
  keep?: (memberId: string, conversationId: string, draft: StoredDraft) => void;
  read: (memberId: string, conversationId: string) => Promise<StoredDraft>;
  /** Keeps a draft as long as there is something in it, and tells the other tabs. */
  write: (memberId: string, conversationId: string, draft: StoredDraft) => Promise<void>;
  remove: (memberId: string, conversationId: string) => Promise<void>;
  /** The drafts of a member on this side, by conversation. */
  readAll: (memberId: string) => Promise<[conversationId: string, StoredDraft][]>;
  /** Calls this with each draft of the conversation that another tab writes, until the signal ends it. */
  onWritten: (
    memberId: string,
    conversationId: string,
    hear: (draft: StoredDraft) => void,
    signal: AbortSignal,
  ) => void;
}

/** Whether there is anything to keep on the disk. */
export const hasContent = (draft: StoredDraft): boolean =>
  draft.reply !== "" || draft.note !== "" || draft.files.length > 0 || draft.other !== undefined || lacks(draft);

const keptAs = (memberId: string, conversationId: string): string => `parley.draft.${keyOf(memberId, conversationId)}`;

/** What the page that went away last has kept, once. */
function takeKept(memberId: string, conversationId: string): StoredDraft | undefined {
  const key = keptAs(memberId, conversationId);
  const text = localStorage.getItem(key);
  if (text === null) return undefined;
  localStorage.removeItem(key);
  return { ...EMPTY, ...(JSON.parse(text) as Partial<StoredDraft>) };
}

export const disk: Disk = {
  keep: (memberId, conversationId, draft) => {
    try {
      localStorage.setItem(keptAs(memberId, conversationId), JSON.stringify(draft));
    } catch {
      // It is too long for there. The disk has it but for its last letters.
    }
  },
  read: async (memberId, conversationId) => {
    const key = keyOf(memberId, conversationId);
    const stored = { ...EMPTY, ...(await get<StoredDraft>(key, store)) };
    const kept = takeKept(memberId, conversationId);
    if (!kept || kept.changedAt <= stored.changedAt) return stored;
    await set(key, kept, store);
    return kept;
  },
  write: async (memberId, conversationId, draft) => {
    const key = keyOf(memberId, conversationId);
    await (hasContent(draft) ? set(key, draft, store) : del(key, store));
    drafts.postMessage([key, draft] satisfies Written);
  },
  remove: (memberId, conversationId) => del(keyOf(memberId, conversationId), store),
  readAll: async (memberId) => {
    const prefix = prefixOf(memberId);
    return (await entries<string, StoredDraft>(store))
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, draft]) => [key.slice(prefix.length), { ...EMPTY, ...draft }]);
  },
  onWritten: (memberId, conversationId, hear, signal) => {
    const key = keyOf(memberId, conversationId);
    drafts.addEventListener(
      "message",
      ({ data: [written, draft] }: MessageEvent<Written>) => written === key && hear(draft),
      { signal },
    );
  },
};
