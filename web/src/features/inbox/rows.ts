import { useState } from "react";
import { newestOf } from "../../api/lists.js";
import type { Conversation } from "../../api/parley.js";

// The rows of a list. It may have 100,000 of them in a thousand pages, and the next page must not cost a look at each row.

export type Pages = readonly { data: Conversation[] }[];
export const NO_PAGES: Pages = [];

const isStartOf = (start: Pages, pages: Pages): boolean => start.every((page, i) => page === pages[i]);

/** The rows of all pages. What is known of earlier pages is copied. */
export function useRows(pages: Pages = NO_PAGES): Conversation[] {
  const [known, setKnown] = useState(() => joined(NOTHING, pages));
  if (known.pages === pages) return known.rows;
  const now = joined(known, pages);
  setKnown(now);
  return now.rows;
}

interface Joined {
  pages: Pages;
  rows: Conversation[];
}
const NOTHING: Joined = { pages: NO_PAGES, rows: [] };

function joined(before: Joined, pages: Pages): Joined {
  const known = isStartOf(before.pages, pages) ? before : NOTHING;
  return { pages, rows: known.rows.concat(...pages.slice(known.pages.length).map(({ data }) => data)) };
}

/**
 * The rows to show, and how many new ones wait. Rows that are held keep their places, with what they say now.
 * @param held the pages as they were, if they are held
 * @param latest the rows of `pages`. They are shown as they are while nothing but their end is new
 */
export function arrange(
  held: Pages | undefined,
  pages: Pages,
  latest: Conversation[],
): { rows: Conversation[]; waiting: number } {
  if (!held || isStartOf(held, pages)) return { rows: latest, waiting: 0 };
  const rows = held.flatMap(({ data }) => data);
  if (rows.every((row, index) => latest[index]?.id === row.id)) return { rows: latest, waiting: 0 };
  const now = new Map(latest.map((row) => [row.id, row]));
  const known = new Set(rows.map(({ id }) => id));
  return {
    rows: rows.map((row) => now.get(row.id) ?? newestOf(row)),
    waiting: latest.filter(({ id }) => !known.has(id)).length,
  };
}
