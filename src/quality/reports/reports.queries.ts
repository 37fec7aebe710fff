import { literal, type Parameters, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { mayLag, one, REACHABLE, type Read, statementFamily } from "../../platform/database/statements.js";
import type { ReportGroup, ReportName } from "./report-names.js";
import { hourOfWeek, keyOf, NAME_OF, type Source, SOURCES } from "./report-sources.js";

export interface CountArgs {
  workspaceId?: string;
  /** Times, each with its start and end. They may overlap. */
  starts: readonly string[];
  ends: readonly string[];
  timeZone: string;
}
type P = Parameters<CountArgs>;
/** What was counted in one of the times, for one group. */
export interface Counted {
  /** Which of the times, from 0. */
  time: number;
  key: string | null;
  name: string | null;
  count: number;
  /** Of these, as `Source.good` says. */
  good: number;
  /** Each row's seconds, as integers of four bytes in hexadecimal. Null where nothing took time. */
  seconds: string | null;
}
type Count = Read<CountArgs, { rows: Counted[] }>;
export type Grouping = ReportGroup | "hourOfWeek" | undefined;

/** A report has at most so many groups: the largest. */
const MAX_GROUPS = literal("500");

const TIMES = ({ starts, ends }: P): Sql =>
  sql`unnest(${starts}::timestamptz[], ${ends}::timestamptz[]) with ordinality b (since, until, number)`;

/** The workspaces that are counted. Each is read from the index by itself. */
const reached = ({ workspaceId }: P): Sql => sql`
  reached as materialized (
    select w.id, w.brand_id from workspace w
    where ${REACHABLE} and (${workspaceId}::uuid is null or w.id = ${workspaceId}::uuid)
  )`;

/** @param rows gives `time`, `key`, `count`, `good` and `seconds` */
const counted = (p: P, group: Grouping, rows: Sql): Sql => sql`
  with ${reached(p)}, counted as materialized (${rows}
  ), largest as (
    select c.key from counted c where c.time = 0 order by c.count desc, c.key limit ${MAX_GROUPS}
  )
  select (
    select coalesce(json_agg(row_to_json(x) order by x.time, x.count desc, x.key), '[]') from (
      select c.*, ${group && group !== "hourOfWeek" ? NAME_OF[group] : sql`null::text`} as name from counted c
      where c.count <> 0${group ? sql` and exists (select from largest l where l.key is not distinct from c.key)` : sql``}
    ) x
  ) as rows
  where ${p.workspaceId}::uuid is null or exists (select from reached)`;

/** The rows of a source in a workspace `w` for which the condition holds. */
const rowsOf = ({ table, only = sql`` }: Source, condition: Sql): Sql => sql`
        select e.* from ${table} e
        where e.tenant_id = ${TENANT} and e.workspace_id = w.id and ${condition}${only}`;

function partsOf(report: ReportName, group: Grouping, p: P): { source: Source; join: Sql; key: Sql; by: Sql } {
  const source = SOURCES[report];
  if (group === undefined) return { source, join: sql``, key: sql`null`, by: sql`` };
  const by = sql`group by 1`;
  if (group === "hourOfWeek") return { source, join: sql``, key: hourOfWeek(source.at, p.timeZone), by };
  return { source, ...keyOf(report, group), by };
}

/** Counts what happened in each of the times. */
export const countStatement = statementFamily("reports.count", (name, report: ReportName, group: Grouping): Count =>
  mayLag(
    one<{ rows: Counted[] }, CountArgs>(name, "restricted", (p) => {
      const { source, join, key, by } = partsOf(report, group, p);
      const { at, good, seconds } = source;
      return counted(
        p,
        group,
        sql`
    select (b.number - 1)::int as time, c.* from ${TIMES(p)} cross join lateral (
      select ${key}::text as key, count(*)::int as count,
        ${good ? sql`(count(*) filter (where ${good}))::int` : sql`0`} as good,
        ${seconds ? sql`encode(string_agg(int4send(${seconds}), ''), 'hex')` : sql`null::text`} as seconds
      from reached w cross join lateral (${rowsOf(source, sql`${at} >= b.since and ${at} < b.until`)}
      ) e${join}
      ${by}
    ) c`,
      );
    }),
  ),
);

/** Counts what was open at the end of each of the times. */
export const openStatement = statementFamily("reports.open", (name, group: Grouping): Count =>
  mayLag(
    one<{ rows: Counted[] }, CountArgs>(name, "restricted", (p) => {
      const { source, join, key, by } = partsOf("backlog", group, p);
      return counted(
        p,
        group,
        sql`
    select (b.number - 1)::int as time, c.* from ${TIMES(p)} cross join lateral (
      select ${key}::text as key, count(*)::int as count, 0 as good, null::text as seconds
      from reached w cross join lateral (${rowsOf(source, openAt(sql`b.until`))}
      ) e${join}
      ${by}
    ) c`,
      );
    }),
  ),
);

/** The open time `e` holds at a time. */
export const openAt = (time: Sql): Sql => sql`e.closed_at >= ${time} and e.opened_at < ${time}`;

/** By how much more, or less, was open at the end of each of the times than at its start. */
export const OPEN_CHANGES: Count = mayLag(
  one<{ rows: Counted[] }, CountArgs>("reports.openChanges", "restricted", (p) => {
    const during = (at: Sql): Sql => sql`
      (select count(*)::int from reached w cross join lateral (
        ${rowsOf(SOURCES.backlog, sql`${at} >= b.since and ${at} < b.until`)}) e)`;
    return counted(
      p,
      undefined,
      sql`
    select (b.number - 1)::int as time, null::text as key,
      ${during(sql`e.opened_at`)} - ${during(sql`e.closed_at`)} as count, 0 as good, null::text as seconds
    from ${TIMES(p)}`,
    );
  }),
);

/** The time zone of a workspace. */
export const ZONE_OF = one<{ timeZone: string }, { workspaceId: string }>(
  "reports.zone",
  "restricted",
  ({ workspaceId }) =>
    sql`select w.timezone as "timeZone" from workspace w where w.id = ${workspaceId} and ${REACHABLE}`,
);
