import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { findRow, LISTS } from "./lists.js";
import { overviewOf } from "./overview.js";
import { type Conversation, type Message, parley, type Schemas } from "./parley.js";
import { type Filter, forMember, type SavedView } from "./views.js";

// What the screens show, by the keys under which it is kept. Live events keep it fresh, so it does not grow old by itself.

const PAGE = 50;
const MAX_PAGE = 100;
const LONG_MS = 5 * 60_000;

export const conversationsQuery = (listed: Filter, memberId: string) => {
  const filter = forMember(listed, memberId);
  return infiniteQueryOptions({
    queryKey: [...LISTS, listed, memberId],
    queryFn: ({ pageParam, signal }) =>
      parley.conversations
        // Somebody who scrolls on wants many.
        .list({ ...filter, limit: pageParam === undefined ? PAGE : MAX_PAGE, cursor: pageParam }, { signal })
        .then(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Comparing thousands of rows with what they were takes longer than drawing the few that are seen.
    structuralSharing: false,
    meta: { filter },
  });
};

/** Everything that a list has, for lists that are short. */
export async function all<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
}

export const viewsQuery = () =>
  queryOptions({
    queryKey: ["views"],
    queryFn: ({ signal }) => all<SavedView>(parley.views.list({ limit: 100 }, { signal })),
    staleTime: LONG_MS,
  });

/** How many conversations a list has. As many as a page are counted. */
export const viewCountQuery = (filter: Filter, memberId: string) =>
  queryOptions({
    queryKey: ["view-count", filter],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await parley.conversations.list(
        { ...forMember(filter, memberId), limit: PAGE },
        { signal },
      );
      return { count: data.length, more: nextCursor !== undefined };
    },
    staleTime: 60_000,
  });

export type Label = Schemas["Label"];
export const labelsQuery = () =>
  queryOptions({
    queryKey: ["labels"],
    queryFn: ({ signal }) => all<Label>(parley.labels.list({ limit: 100 }, { signal })),
    staleTime: LONG_MS,
  });

export const countsQuery = () =>
  queryOptions({
    queryKey: ["counts"],
    queryFn: ({ signal }) => parley.conversations.count({}, { signal }),
    placeholderData: keepPreviousData,
  });

export const conversationQuery = (client: QueryClient, id: string) =>
  queryOptions<Conversation>({
    queryKey: ["conversation", id],
    queryFn: () => overviewOf(id, "conversation"),
    // What the list knows is shown until the answer arrives.
    placeholderData: () => findRow(client, id),
  });

/** The messages that are loaded, oldest first. */
export interface Thread {
  messages: Message[];
  /** Where earlier ones are, if there are any. */
  earlier: string | undefined;
}

export const threadQuery = (client: QueryClient, id: string) =>
  queryOptions({
    queryKey: ["thread", id],
    queryFn: async (): Promise<Thread> => {
      const page = await overviewOf(id, "messages");
      const newest = [...page.data].reverse();
      const before = client.getQueryData<Thread>(["thread", id]);
      const first = newest[0]?.sequence;
      const last = before?.messages.at(-1)?.sequence;
      // Earlier pages stay, unless there is a hole between them and the newest one.
      if (before && first !== undefined && last !== undefined && first <= last + 1) {
        const kept = before.messages.filter(({ sequence }) => sequence < first);
        if (kept.length) return { messages: [...kept, ...newest], earlier: before.earlier };
      }
      return { messages: newest, earlier: page.nextCursor };
    },
  });

/** Adds the page before the first message that is loaded. */
export async function loadEarlier(client: QueryClient, id: string): Promise<void> {
  const { earlier } = client.getQueryData<Thread>(["thread", id]) ?? {};
  if (earlier === undefined) return;
  const page = await parley.conversations.listMessages(id, { order: "desc", limit: PAGE, cursor: earlier });
  client.setQueryData<Thread>(["thread", id], (thread) => {
    if (!thread || thread.earlier !== earlier) return thread;
    const first = thread.messages[0]?.sequence ?? Infinity;
    const before = page.data.filter(({ sequence }) => sequence < first).reverse();
    return { messages: [...before, ...thread.messages], earlier: page.nextCursor };
  });
}

export const identityEventsQuery = (id: string) =>
  queryOptions({
    queryKey: ["identity-events", id],
    queryFn: () => overviewOf(id, "identityEvents"),
  });

export const assuranceQuery = (id: string) =>
  queryOptions({
    queryKey: ["assurance", id],
    queryFn: () => overviewOf(id, "assurance"),
  });

export const membersQuery = () =>
  queryOptions({
    queryKey: ["members"],
    queryFn: async ({ signal }) => {
      const members = await parley.members.list({ signal });
      return new Map(members.map((member) => [member.id, member]));
    },
    staleTime: LONG_MS,
  });

export const workspacesQuery = () =>
  queryOptions({
    queryKey: ["workspaces"],
    queryFn: async ({ signal }) => await parley.workspaces.list({ signal }),
    staleTime: LONG_MS,
  });

export const viewersQuery = (id: string) =>
  queryOptions({
    queryKey: ["viewers", id],
    queryFn: async () => (await overviewOf(id, "viewers")).data,
  });

/** The contact's newest conversations, this one among them. */
export const otherConversationsQuery = ({ id, contactId }: Pick<Conversation, "id" | "contactId">) =>
  queryOptions({
    queryKey: ["conversations-of", contactId],
    queryFn: async () => (await overviewOf(id, "otherConversations")).data,
  });

export type AttentionItem = Schemas["AttentionItem"];
/** So many open items are counted. */
const COUNTED = 50;
export const attentionCountQuery = () =>
  queryOptions({
    queryKey: ["attention", "count"],
    queryFn: async ({ signal }) => {
      const { data, nextCursor } = await parley.attentionItems.list({ status: "open", limit: COUNTED }, { signal });
      return { count: data.length, more: nextCursor !== undefined };
    },
    placeholderData: keepPreviousData,
  });
