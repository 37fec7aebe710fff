import { EntryStatus } from "@parley/sdk/enums";

export const SHOWS = [...EntryStatus, "try", "sources"] as const;
type Show = (typeof SHOWS)[number];

/** What the address of Knowledge and Policies says: whose entries, which of them, and the one that is open. */
export interface EntriesSearch {
  workspace?: string;
  show?: Show;
  entry?: string;
  /** Only what this source proposed. */
  source?: string;
  /** Only what has these words. */
  q?: string;
  /** Opens the form for a new entry, with this question. */
  write?: string;
  /** Other ways to ask it, one a line. */
  also?: string;
  language?: string;
}

export const entriesSearch = (given: Record<string, unknown>): EntriesSearch => {
  const { workspace, show, entry, source, q, write, also, language } = given;
  return {
    ...(typeof workspace === "string" && { workspace }),
    ...(SHOWS.includes(show as Show) && { show: show as Show }),
    ...(typeof entry === "string" && { entry }),
    ...(typeof source === "string" && { source }),
    ...((typeof q === "string" || typeof q === "number") && { q: String(q) }),
    ...((typeof write === "string" || typeof write === "number") && { write: String(write) }),
    ...((typeof also === "string" || typeof also === "number") && { also: String(also) }),
    ...(typeof language === "string" && /^[a-z]{2}$/.test(language) && { language }),
  };
};
