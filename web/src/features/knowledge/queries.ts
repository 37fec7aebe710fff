import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { pagedQuery, QUIET_MS } from "../../api/paged.js";
import { parley } from "../../api/parley.js";
import { hasWords } from "../../ui/excerpt.js";
import type { Entry, Kind, Status } from "./kinds.js";

const PAGE = 25;
/** Evidence is looked for among so many of the first messages of a conversation. */
const MAX_MESSAGES = 100;

// Live events about entries read again everything below the name of their kind.

/** @param sourceId only what this source proposed */
export const pendingQuery = <E extends Entry>(kind: Kind<E>, workspaceId: string, sourceId?: string) =>
  queryOptions({
    queryKey: [kind.name, "pending", workspaceId, ...(sourceId === undefined ? [] : [sourceId])],
    queryFn: ({ signal }) => kind.listPending(workspaceId, { signal }, sourceId),
  });

export const entriesQuery = <E extends Entry>(kind: Kind<E>, workspaceId: string, status: Status) =>
  infiniteQueryOptions({
    queryKey: [kind.name, "list", workspaceId, status],
    queryFn: ({ pageParam, signal }) =>
      kind.list(
        workspaceId,
        { status, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

/**
 * What a search of entries in use finds in a workspace, the best match first. It names the nearest entries, however far they are.
 * @param least below this confidence, one is shown only if it has a word that was typed
 */
export const foundEntriesQuery = <E extends Entry>(
  kind: Kind<E>,
  workspaceId: string | undefined,
  q: string,
  { limit, least }: { limit: number; least: number },
) => ({
  ...pagedQuery<{ entry: E }>(
    [kind.name, "found", workspaceId, q, limit, least],
    async (_, options) => {
      const { data } = await kind.search(workspaceId!, { q, limit }, options);
      return {
        data: data.filter(
          ({ entry, confidence }) => confidence >= least || hasWords(`${kind.titleOf(entry)} ${kind.textOf(entry)}`, q),
        ),
      };
    },
    { staleTime: QUIET_MS },
  ),
  enabled: workspaceId !== undefined && q !== "",
});

export const entryQuery = <E extends Entry>(kind: Kind<E>, id: string) =>
  queryOptions({
    queryKey: [kind.name, "entry", id],
    queryFn: ({ signal }) => kind.get(id, { signal }),
  });

export const similarQuery = <E extends Entry>(kind: Kind<E>, id: string) =>
  queryOptions({
    queryKey: [kind.name, "similar", id],
    queryFn: async ({ signal }) => (await kind.listSimilar(id, { signal })).data,
  });

export const versionsQuery = <E extends Entry>(kind: Kind<E>, id: string) =>
  queryOptions({
    queryKey: [kind.name, "versions", id],
    queryFn: ({ signal }) => kind.listVersions(id, { signal }),
  });

export const evidenceQuery = (conversationId: string) =>
  queryOptions({
    queryKey: ["evidence", conversationId],
    queryFn: async ({ signal }) => {
      const { data } = await parley.conversations.listMessages(conversationId, { limit: MAX_MESSAGES }, { signal });
      return new Map(data.map((message) => [message.id, message]));
    },
  });
