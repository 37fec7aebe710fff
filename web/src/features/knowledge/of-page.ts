import type { Entry, KbEntry } from "./kinds.js";

/** What waits of one page of a website, as the member has seen it. What arrives meanwhile is not approved with it. */
export interface OfPage {
  url: string;
  entries: readonly KbEntry[];
  /** The entry that comes after them. */
  next: string | undefined;
}

const urlOf = (entry: Entry): string | undefined => ("readFrom" in entry && entry.readFrom?.url) || undefined;

/** What else waits of the page of an entry. Undefined if it was read from none, or is the last of it. */
export function ofPage(entry: Entry, all: readonly Entry[], listed: readonly Entry[]): OfPage | undefined {
  const url = urlOf(entry);
  if (url === undefined) return undefined;
  const entries = all.filter((one): one is KbEntry => urlOf(one) === url);
  const next = listed.slice(listed.indexOf(entry)).find((one) => urlOf(one) !== url);
  return entries.length < 2 ? undefined : { url, entries, next: next?.id };
}
