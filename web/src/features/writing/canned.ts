import { queryOptions, useMutation } from "@tanstack/react-query";
import { failureOf } from "../../api/failure.js";
import { parley, type Schemas } from "../../api/parley.js";
import { all } from "../../api/queries.js";
import { best } from "../../ui/match.js";
import { toast } from "../../ui/toasts.js";

const PAGE = 100;
export type Canned = Schemas["CannedReply"];

export const cannedQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["canned-replies", workspaceId],
    queryFn: ({ signal }) => all<Canned>(parley.cannedReplies.list({ workspaceId, limit: PAGE }, { signal })),
    staleTime: 60_000,
  });

/** Fills a canned reply in for the conversation, and then hands it over with what came along. */
export function useCanned<With>(
  conversationId: string,
  onFilled: (text: string, along: With) => void,
): (id: string, along: With) => void {
  const { mutate } = useMutation({
    mutationFn: ({ id }: { id: string; along: With }) => parley.cannedReplies.render(id, { conversationId }),
    onSuccess: ({ body }, { along }) => onFilled(body, along),
    onError: (error) => toast(failureOf(error).sentence, { failed: true }),
  });
  return (id, along) => mutate({ id, along });
}

/** Those whose shortcut begins so, and then those whose title has the word. */
export function byShortcut(canned: readonly Canned[], text: string): Canned[] {
  const wanted = text.toLowerCase();
  const begin = canned
    .filter(({ shortcut }) => shortcut.startsWith(wanted))
    .sort(
      (one, other) =>
        Number(other.shortcut === wanted) - Number(one.shortcut === wanted) ||
        one.shortcut.localeCompare(other.shortcut),
    );
  const titled = best(canned, text, ({ title }) => title).filter((one) => !begin.includes(one));
  return [...begin, ...(text === "" ? [] : titled)];
}

/** Those that have all the words, in the shortcut, the title or the text. */
export const byWords = (canned: readonly Canned[], text: string): Canned[] => {
  const named = best(canned, text, ({ shortcut, title }) => `${title} ${shortcut}`);
  return [...named, ...best(canned, text, ({ body }) => body).filter((one) => !named.includes(one))];
};
