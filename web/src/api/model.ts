import { queryOptions } from "@tanstack/react-query";
import { parley } from "./parley.js";

/** Whether there is a language model that helps whoever answers. It is the same for all conversations. */
export const modelQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ["language-model"],
    queryFn: async ({ signal }): Promise<boolean> =>
      (await parley.conversations.getSuggestions(conversationId, {}, { signal })).canDraft,
    staleTime: Infinity,
  });
