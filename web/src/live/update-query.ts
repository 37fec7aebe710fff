import type { InfiniteData, Query, QueryClient } from "@tanstack/react-query";
import { fits, LISTS, updateRow } from "../api/lists.js";
import type { Contact, Conversation, Message, Schemas } from "../api/parley.js";
import type { Thread } from "../api/queries.js";
import { forMember, viewFilter, VIEWS } from "../api/views.js";
import { signedInAs } from "../session/session.js";

type Counts = Schemas["ConversationCounts"];

/** Shows a conversation as it is now wherever it is on the page. */
export function showConversation(client: QueryClient, before: Conversation, now: Conversation): void {
  for (const query of client.getQueryCache().getAll()) updateConversation(client, query, now.id, now);
  changeCounts(client, before, now);
}

/** Writes a conversation as it is now into a query that has it, unless that has a newer one. @param now null if it is gone */
export function updateConversation(client: QueryClient, query: Query, id: string, now: Conversation | null): void {
  const [kind, of] = query.queryKey;
  if (kind === LISTS[0]) updateRow(client, query, id, now);
  else if (kind === "conversation" && of === id) {
    const before = query.state.data as Conversation | undefined;
    if (!now) void client.invalidateQueries({ queryKey: query.queryKey });
    else if (before && before.updatedAt <= now.updatedAt) client.setQueryData(query.queryKey, now);
  } else if (kind === "conversations-of" && of === now?.contactId && query.queryKey.length === 2) {
    const before = query.state.data as Conversation[] | undefined;
    if (before) client.setQueryData(query.queryKey, [now!, ...before.filter((row) => row.id !== id)]);
  }
}

/** Writes a contact as it is now wherever it is loaded. @param now null if it is gone, or merged into another one */
export function updateContact(client: QueryClient, { queryKey, state }: Query, id: string, now: Contact | null): void {
  const [kind, of] = queryKey;
  if (kind === "contact" && of === id) {
    const before = state.data as Contact | null | undefined;
    if (before === undefined || (before && now && before.updatedAt > now.updatedAt)) return;
    if (now) client.setQueryData(queryKey, now);
    else void client.invalidateQueries({ queryKey });
  } else if (kind === "contacts" && now) {
    const rows = state.data as InfiniteData<{ data: Contact[] }> | undefined;
    if (!rows?.pages.some(({ data }) => data.some((row) => row.id === id))) return;
    const pages = rows.pages.map((page) => ({ ...page, data: page.data.map((row) => (row.id === id ? now : row)) }));
    client.setQueryData(queryKey, { ...rows, pages });
  }
}

/** Writes a message as it is now into a thread. @param now null if it is gone */
export function updateMessage(client: QueryClient, query: Query, id: string, now: Message | null): void {
  const { queryKey, state } = query;
  const thread = state.data as Thread | undefined;
  if (queryKey[0] !== "thread" || queryKey[1] !== id || !thread) return;
  const { messages } = thread;
  const last = messages.at(-1)?.sequence ?? 0;
  const at = messages.findIndex((one) => one.id === now?.id);
  if (now && at >= 0) client.setQueryData<Thread>(queryKey, { ...thread, messages: messages.with(at, now) });
  else if (now?.sequence === last + 1)
    client.setQueryData<Thread>(queryKey, { ...thread, messages: [...messages, now] });
  // Changes before what is loaded are seen when it is.
  else if (!now || now.sequence > last) void client.invalidateQueries({ queryKey });
}

/** The counts of the views, by how one conversation was and is. Above what the server counts, nobody knows more. */
export function changeCounts(
  client: QueryClient,
  before: Conversation | undefined,
  now: Conversation,
  memberId = signedInAs() ?? "",
): void {
  client.setQueryData<Counts>(["counts"], (counts) => {
    if (!counts) return counts;
    const next = { ...counts };
    for (const view of VIEWS) {
      const filter = forMember(viewFilter(view), memberId);
      const change = Number(fits(filter, now)) - Number(before !== undefined && fits(filter, before));
      const name = view === "all" ? "open" : view;
      const known = counts[name];
      if (known && !known.more && change) next[name] = { ...known, count: Math.max(0, known.count + change) };
    }
    return next;
  });
}
