import type { InfiniteData, Query, QueryClient } from "@tanstack/react-query";
import type { Conversation, Schemas } from "./parley.js";

// The lists of conversations, while they are on the screen. One may have thousands of rows, of which an event changes one.

type Rows = InfiniteData<Schemas["ConversationPage"], string | undefined>;
/** The filter of a list, with a member's id in the place of `me`. */
type ListFilter = Schemas["ViewFilter"] & { sort?: string };

const KEY = ["conversations"];
const filterOf = (query: Query): ListFilter => (query.meta as { filter?: ListFilter } | undefined)?.filter ?? {};
const fits = (filter: ListFilter, row: Conversation): boolean =>
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
  return sort === "waiting"
    ? (row.waitingSince ?? "") > (other.waitingSince ?? "")
    : row.lastActivityAt < other.lastActivityAt;
}

/** Changes one row wherever it is. The other pages stay the same objects. */
export function changeRow(client: QueryClient, id: string, change: Partial<Conversation>): void {
  client.setQueriesData<Rows>({ queryKey: KEY }, (rows) => {
    const at = rows?.pages.findIndex(({ data }) => data.some((row) => row.id === id)) ?? -1;
    if (!rows || at < 0) return rows;
    const page = rows.pages[at]!;
    const data = page.data.map((row) => (row.id === id ? { ...row, ...change } : row));
    return { ...rows, pages: rows.pages.with(at, { ...page, data }) };
  });
}

/**
 * Puts a conversation that was just read into the lists that have it: at the top after a message, or out of a list to which it
 * belongs no longer.
 * @returns whether every list on the screen has it, so that none needs to be read again
 */
export function placeRow(client: QueryClient, conversation: Conversation): boolean {
  let isPlaced = true;
  for (const query of client.getQueryCache().findAll({ queryKey: KEY })) {
    const rows = query.state.data as Rows | undefined;
    if (!rows) continue;
    const filter = filterOf(query);
    const at = rows.pages.findIndex(({ data }) => data.some(({ id }) => id === conversation.id));
    const wanted = fits(filter, conversation);
    if (at < 0) {
      if (wanted && query.isActive()) isPlaced = false;
      continue;
    }
    const before = rows.pages[at]!.data.find(({ id }) => id === conversation.id)!;
    const moves = before.lastActivityAt !== conversation.lastActivityAt && filter.sort !== "waiting";
    const pages = rows.pages.with(at, {
      ...rows.pages[at]!,
      data: rows.pages[at]!.data.flatMap((row) =>
        row.id !== conversation.id ? [row] : wanted && !moves ? [conversation] : [],
      ),
    });
    if (wanted && moves) pages[0] = { ...pages[0]!, data: [conversation, ...pages[0]!.data] };
    client.setQueryData<Rows>(query.queryKey, { ...rows, pages });
  }
  return isPlaced;
}

/** Reads the first page of what is on the screen again, and keeps the pages behind it: each of them would be a request. */
export async function refreshLists(client: QueryClient): Promise<void> {
  await Promise.all(
    client
      .getQueryCache()
      .findAll({ queryKey: KEY })
      .map((query) => (query.isActive() ? refresh(client, query) : client.invalidateQueries(query))),
  );
}

async function refresh(client: QueryClient, query: Query): Promise<void> {
  const rows = query.state.data as Rows | undefined;
  if (!rows || rows.pages.length === 1 || query.state.error) return client.invalidateQueries(query);
  const read = query.options.queryFn as (context: object) => Promise<Schemas["ConversationPage"]>;
  const first = await read({
    queryKey: query.queryKey,
    pageParam: undefined,
    signal: AbortSignal.timeout(30_000),
  }).catch(() => undefined);
  // The rows are as they were. The next event tries again.
  if (!first) return;
  const filter = filterOf(query);
  const known = new Set(first.data.map(({ id }) => id));
  const last = first.data.at(-1);
  client.setQueryData<Rows>(query.queryKey, (now) => {
    if (!now) return now;
    const kept = (data: readonly Conversation[]): Conversation[] =>
      data.filter((row) => !known.has(row.id) && fits(filter, row));
    const [top, ...rest] = now.pages;
    // Newer rows have pushed these down.
    const pushed = last ? kept(top!.data).filter((row) => isBehind(filter, row, last)) : [];
    return {
      ...now,
      pages: [
        { ...first, data: [...first.data, ...pushed] },
        ...rest.map((page) => ({ ...page, data: kept(page.data) })),
      ],
    };
  });
}
