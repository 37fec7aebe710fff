import type { Entry, KbEntry } from "./kinds.js";

/** What waits of one page of a website and can be approved together, as the member has seen it. What arrives meanwhile is not approved with it. */
export interface OfPage {
  url: string;
  entries: readonly KbEntry[];
  /** The entry that comes after them. */
  next: string | undefined;
}

const urlOf = (entry: Entry): string | undefined => ("readFrom" in entry && entry.readFrom?.url) || undefined;

/** It takes the place of no other entry, ends none, and repeats none: whoever approves one of those has to look at both. */
const standsAlone = ({ duplicateOfId, validUntil }: Entry): boolean => duplicateOfId === null && validUntil === null;

/** What waits of the page of an entry and stands alone. Undefined if the entry does not, was read from no page, or is the last of it. */
export function ofPage(entry: Entry, all: readonly Entry[], listed: readonly Entry[]): OfPage | undefined {
  const url = urlOf(entry);
  if (url === undefined || !standsAlone(entry)) return undefined;
  const entries = all.filter((one): one is KbEntry => urlOf(one) === url && standsAlone(one));
  const next = listed.slice(listed.indexOf(entry)).find((one) => !(entries as readonly Entry[]).includes(one));
  return entries.length < 2 ? undefined : { url, entries, next: next?.id };
}
