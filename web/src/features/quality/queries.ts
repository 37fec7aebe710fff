import type { QualityWindow } from "@parley/sdk/enums";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { parley, type Schemas } from "../../api/parley.js";

const DAY_MS = 86_400_000;
/** Figures change slowly. They are read again when the page is opened after this time. */
const STALE_MS = 60_000;
const PAGE = 25;

export type Breaker = Schemas["CircuitBreaker"];

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** Ratings of the last days: by day, or by week if they are many. */
export const csatQuery = (workspaceId: string, window: QualityWindow) =>
  queryOptions({
    queryKey: ["quality", "csat", workspaceId, window],
    queryFn: ({ signal }) =>
      parley.csat.getStatistics(
        {
          ...(workspaceId && { workspaceId }),
          groupBy: window === 90 ? "week" : "day",
          from: day(Date.now() - (window - 1) * DAY_MS),
        },
        { signal },
      ),
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });

export const scoresQuery = (
  workspaceId: string,
  window: QualityWindow,
  entityType: Schemas["QualityEntityType"] | "",
) =>
  infiniteQueryOptions({
    queryKey: ["quality", "scores", workspaceId, window, entityType],
    queryFn: async ({ pageParam, signal }) => {
      const { data, nextCursor } = await parley.qualityScores.list(
        {
          ...(workspaceId && { workspaceId }),
          ...(entityType && { entityType }),
          window,
          limit: PAGE,
          cursor: pageParam,
        },
        { signal },
      );
      return { data: data.map((score) => ({ ...score, id: `${score.entityId} ${score.metric}` })), nextCursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });

export const breakersQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ["quality", "breakers", workspaceId],
    queryFn: async ({ signal }) =>
      await parley.circuitBreakers.list({ ...(workspaceId && { workspaceId }), limit: 100 }, { signal }),
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
