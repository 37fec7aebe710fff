import { type InfiniteData, type QueryClient, queryOptions } from "@tanstack/react-query";
import { type Page, pagedQuery } from "../../api/paged.js";
import { parley, type Schemas } from "../../api/parley.js";

export type PendingAction = Schemas["PendingAction"];

// Live events about pending actions read again everything below this name.
const NAME = "pending-actions";

/** The actions of all workspaces: those that wait for a person, or all. */
export const actionsQuery = (status: "pending" | undefined) =>
  pagedQuery<PendingAction>([NAME, "list", status ?? "all"], (page, options) =>
    parley.pendingActions.list({ ...page, ...(status && { status }) }, options),
  );

const MAX_IN_CONVERSATION = 50;
/** The newest actions of a conversation. */
export const actionsOfQuery = (conversationId: string) =>
  queryOptions({
    queryKey: [NAME, "of", conversationId],
    queryFn: async ({ signal }) =>
      (await parley.pendingActions.listOfConversation(conversationId, { limit: MAX_IN_CONVERSATION }, { signal })).data,
  });

/** What a contact wrote, as plain text. Null if the message is gone. */
export const wordsQuery = (conversationId: string, messageId: string) =>
  queryOptions({
    queryKey: ["words", conversationId, messageId],
    queryFn: async ({ signal }) => {
      const { data } = await parley.conversations.listMessages(conversationId, { id: messageId, limit: 1 }, { signal });
      return data[0]?.body ?? null;
    },
  });

/** Shows an action as it is now wherever it is on the screen. It stays where it is until the lists are read again. */
export function showAction(client: QueryClient, now: PendingAction): void {
  const replaced = (actions: PendingAction[]): PendingAction[] => actions.map((one) => (one.id === now.id ? now : one));
  client.setQueriesData<InfiniteData<Page<PendingAction>>>(
    { queryKey: [NAME, "list"] },
    (rows) => rows && { ...rows, pages: rows.pages.map((page) => ({ ...page, data: replaced(page.data) })) },
  );
  client.setQueriesData<PendingAction[]>({ queryKey: [NAME, "of"] }, (actions) => actions && replaced(actions));
}

export const readActionsAgain = (client: QueryClient): void => void client.invalidateQueries({ queryKey: [NAME] });
