import type { InfiniteData, InvalidateQueryFilters, Query, QueryClient } from "@tanstack/react-query";
import type { Conversation, Schemas } from "./parley.js";

// The lists of conversations, while they are on the screen. One may have thousands of rows, of which an event changes one.

type Rows = InfiniteData<Schemas["ConversationPage"], string | undefined>;
/** The filter of a list, with a member's id in the place of `me`. */
export type ListFilter = Schemas["ViewFilter"] & { sort?: string };

export const LISTS = ["conversations"];
const filterOf = (query: Query): ListFilter => (query.meta as { filter?: ListFilter } | undefined)?.filter ?? {};

/** Whether a list with this filter has the conversation. */
export const fits = (filter: ListFilter, row: Conversation): boolean =>
  filter.status?.includes(row.status) !== false &&
  [row.assigneeId ?? "none", undefined].includes(filter.assigneeId) &&
  [row.handlingMode, undefined].includes(filter.handlingMode) &&
  [row.channelType, undefined].includes(filter.channelType) &&
  [row.workspaceId, undefined].includes(filter.workspaceId) &&
  [row.unreadCount > 0, undefined].includes(filter.unread) &&
  (filter.label === undefined || row.labels.includes(filter.label)) &&
  (filter.sort !== "waiting" || row.waitingSince !== null);

/** Later in the list than the other row. */
function isBehind({ sort }: ListFilter, row: Conversation, other: Conversation): boolean {
  const position = ({ waitingSince, lastActivityAt, id }: Conversation): string =>
    `${sort === "waiting" ? waitingSince : lastActivityAt} ${id}`;
  return sort === "waiting" ? position(row) > position(other) : position(row) < position(other);
}

/** The conversation, if a list has it. */
export function findRow(client: QueryClient, id: string): Conversation | undefined {
  for (const [, rows] of client.getQueriesData<Rows>({ queryKey: LISTS }))
    for (const page of rows?.pages ?? []) {
      const found = page.data.find((row) => row.id === id);
      if (found) return found;
    }
  return undefined;
}

/** So many pages of a list are read again. */
const KEPT_PAGES = 2;

/**
 * Reads again what is on the page. A list that somebody scrolled through has hundreds of pages, and each would be a request. So it keeps
 * the first ones, and reads the others when somebody scrolls there again.
 */
export function readAgain(client: QueryClient, filters: InvalidateQueryFilters = {}): void {
  for (const { queryKey, state } of client.getQueryCache().findAll(filters)) {
    const { pages, pageParams } = (state.data ?? {}) as Partial<InfiniteData<unknown>>;
    if (Array.isArray(pages) && pageParams && pages.length > KEPT_PAGES)
      client.setQueryData<InfiniteData<unknown>>(queryKey, {
        pages: pages.slice(0, KEPT_PAGES),
        pageParams: pageParams.slice(0, KEPT_PAGES),
      });
  }
  void client.invalidateQueries(filters);
}

/** What left a list, as it is now. Somebody may still have it under the pointer. */
const left = new Map<string, Conversation>();
const MAX_LEFT = 200;
export function newestOf(row: Conversation): Conversation {
  const now = left.get(row.id);
  return now && now.updatedAt > row.updatedAt ? now : row;
}

function rememberLeft(now: Conversation): void {
  left.delete(now.id);
  left.set(now.id, now);
  if (left.size > MAX_LEFT) left.delete(left.keys().next().value!);
}

type Pages = Rows["pages"];

/** Changes one page. The others stay the same objects. */
const withPage = (pages: Pages, at: number, change: (data: Conversation[]) => Conversation[]): Pages =>
  pages.with(at, { ...pages[at]!, data: change(pages[at]!.data) });

/** With a row in its place, if that is on a page that was read. */
function withRow(pages: Pages, filter: ListFilter, row: Conversation): Pages {
  const isAfter = (one: Conversation): boolean => isBehind(filter, one, row);
  const at = pages.findIndex(({ data }) => data.some(isAfter));
  if (at >= 0) return withPage(pages, at, (data) => data.toSpliced(data.findIndex(isAfter), 0, row));
  return pages.at(-1)!.nextCursor === undefined ? withPage(pages, pages.length - 1, (data) => [...data, row]) : pages;
}

/** Puts a conversation as it is now in its place in a list, or takes it out. The other pages stay the same objects. */
export function updateRow(client: QueryClient, query: Query, id: string, now: Conversation | null): void {
  const rows = query.state.data as Rows | undefined;
  if (!rows) return;
  const filter = filterOf(query);
  const at = rows.pages.findIndex(({ data }) => data.some((row) => row.id === id));
  const before = at < 0 ? undefined : rows.pages[at]!.data.find((row) => row.id === id)!;
  if (before && now && before.updatedAt > now.updatedAt) return;
  const row = now && fits(filter, now) ? now : undefined;
  if (now && !row && (before ?? left.has(id))) rememberLeft(now);
  let { pages } = rows;
  if (before && row && !isBehind(filter, before, row) && !isBehind(filter, row, before))
    pages = withPage(pages, at, (data) => data.map((one) => (one.id === id ? row : one)));
  else {
    if (before) pages = withPage(pages, at, (data) => data.filter((one) => one.id !== id));
    if (row) pages = withRow(pages, filter, row);
  }
  if (pages !== rows.pages) client.setQueryData<Rows>(query.queryKey, { ...rows, pages });
}
