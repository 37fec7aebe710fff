import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { parley, type Schemas } from "../../../api/parley.js";
import { accessToken } from "../../../session/session.js";

/** Figures change slowly. They are read again when the page is opened after this time. */
const STALE_MS = 60_000;
const PAGE = 25;

export type Report = Schemas["Report"];
export type Figures = Schemas["ReportFigures"];
export interface Asked {
  report: Schemas["ReportName"];
  from: string;
  to: string;
  interval: Schemas["ReportInterval"];
  groupBy?: Schemas["ReportGrouping"];
  workspaceId?: string;
}
/** Whose rows are shown: those of a time, or of a group. */
export interface Behind {
  from: string;
  to: string;
  group?: string;
  /** What the list is called. */
  title: string;
  /** If they are those of another report than the one that is shown. */
  asked?: Asked;
}

/** Days begin where the browser is. */
const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const reportQuery = ({ report, ...query }: Asked) =>
  queryOptions({
    queryKey: ["reports", report, query],
    queryFn: ({ signal }) => parley.reports.get(report, { ...query, timeZone: timeZone() }, { signal }),
    staleTime: STALE_MS,
  });

const rowsAsked = ({ report, groupBy, workspaceId }: Asked, { from, to, group }: Behind) => ({
  report,
  from,
  to,
  timeZone: timeZone(),
  ...(workspaceId !== undefined && { workspaceId }),
  ...(group !== undefined && { group, ...(report !== "busiest-hours" && groupBy && { groupBy }) }),
});

export const rowsQuery = (asked: Asked, behind: Behind) =>
  infiniteQueryOptions({
    queryKey: ["reports", "rows", asked, behind],
    queryFn: async ({ pageParam, signal }) =>
      await parley.reports.listConversations(
        { ...rowsAsked(asked, behind), limit: PAGE, cursor: pageParam },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: STALE_MS,
  });

/** All rows as a CSV file. */
export async function readFile(asked: Asked, behind: Behind): Promise<Blob> {
  const response = await fetch(
    `/api/reports/conversations?${new URLSearchParams(rowsAsked(asked, behind)).toString()}`,
    {
      headers: { accept: "text/csv", authorization: `Bearer ${await accessToken()}` },
    },
  );
  if (!response.ok) throw new Error(response.statusText);
  return response.blob();
}
