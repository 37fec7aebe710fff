import { EntryStatus } from "@parley/sdk/enums";

export const SHOWS = [...EntryStatus, "try", "sources"] as const;
export type Show = (typeof SHOWS)[number];

/** What the address of Knowledge and Policies says: whose entries, which of them, and the one that is open. */
export interface EntriesSearch {
  workspace?: string;
  show?: Show;
  entry?: string;
  /** Only what this source proposed. */
  source?: string;
  /** Opens the form for a new entry, with this question. */
  write?: string;
}

export const entriesSearch = ({ workspace, show, entry, source, write }: Record<string, unknown>): EntriesSearch => ({
  ...(typeof workspace === "string" && { workspace }),
  ...(SHOWS.includes(show as Show) && { show: show as Show }),
  ...(typeof entry === "string" && { entry }),
  ...(typeof source === "string" && { source }),
  ...((typeof write === "string" || typeof write === "number") && { write: String(write) }),
});
