import { joined, literal, type Parameters, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import {
  globalQuery,
  mayLag,
  type NoArgs,
  query,
  REACHABLE,
  recordsRead,
  type RecordsRead,
  statementFamily,
} from "../../platform/database/statements.js";
import type { Environment } from "../../platform/caller/caller.js";
import {
  beginning,
  codesOf,
  keysOf,
  PACKED,
  earliest,
  PACKED_AFTER_DAYS,
  PACKED_GROUPS,
  type PackedGroup,
  packing,
  reading,
} from "./report-days.js";
import { DAY_KINDS, type DayKind } from "./report-days.entity.js";
import type { ReportName } from "./report-names.js";

export interface DaysArgs {
  workspaceId?: string;
  /** First and last day, in UTC. */
  first: string;
  last: string;
}

const kindsOf = (report: ReportName): readonly DayKind[] =>
  report === "backlog" ? ["opened", "open", "closed"] : [PACKED[report].kind];

/**
 * The days of a report as bytes: what is packed, and the others packed now. Both come from one statement, so a change is in one of
 * them. What is open is that of all days.
 */
export const daysStatement = statementFamily(
  "reports.days",
  (name, report: ReportName, group: PackedGroup | undefined): RecordsRead<DaysArgs> =>
    mayLag(
      recordsRead<DaysArgs>(name, "restricted", (p) => {
        const flags = report === "backlog" ? 0 : PACKED[report].flags;
        const codes = group ? sql`d.${codesOf(group)}` : sql`null::bytea`;
        const keys = group ? sql`d.${keysOf(group)}` : sql`null::json`;
        const parts = kindsOf(report).flatMap((kind) => [
          sql`
      select ${literal(kind)} as kind, w.id, w.brand_id, d.day, d.moments, d.seconds, ${codes} as codes, ${keys} as keys
      from reached w cross join packed_until u join report_day d
        on d.tenant_id = ${TENANT} and d.workspace_id = w.id and d.kind = ${literal(kind)}
          and d.day <= ${p.last}::date${kind === "open" ? sql`` : sql` and d.day >= ${p.first}::date`}
      where d.day < u.day
        and not exists (select from changed c where c.workspace_id = d.workspace_id and c.day = d.day)`,
          sql`
      select ${literal(kind)}, w.id, w.brand_id, d.*
      from runs u join reached w on w.id = u.workspace_id cross join lateral (
        ${reading(
          {
            kind,
            since: beginning(kind === "open" ? sql`u.day` : sql`u.since`),
            until: beginning(sql`u.until`),
            flags,
          },
          group,
        )}
      ) d`,
        ]);
        return {
          rows: days(p, report === "backlog", joined(parts, "\n      union all")),
          visible: visible(p),
        };
      }),
    ),
);

const visible = ({ workspaceId }: Parameters<DaysArgs>): Sql => sql`${workspaceId}::uuid is null
      or exists (select from workspace w where w.id = ${workspaceId}::uuid and ${REACHABLE})`;

/** @param ever whether days before the first are asked for, too */
const days = ({ workspaceId, first, last }: Parameters<DaysArgs>, ever: boolean, parts: Sql): Sql => sql`
    with reached as materialized (
      select w.id, w.brand_id from workspace w
      where ${REACHABLE} and (${workspaceId}::uuid is null or w.id = ${workspaceId}::uuid)
    ), packed_until as materialized (
      select coalesce((select u.until from report_day_until u where u.tenant_id = ${TENANT}), '-infinity') as day
    ), changed as materialized (
      select distinct c.workspace_id, c.day from report_day_change c join reached w on w.id = c.workspace_id
      where c.tenant_id = ${TENANT} and c.day <= ${last}::date${ever ? sql`` : sql` and c.day >= ${first}::date`}
    ), runs as materialized (
      select r.*, greatest(r.day, ${first}::date) as since from (
        select w.id as workspace_id, u.day, ${last}::date + 1 as until
        from reached w cross join packed_until u where u.day <= ${last}::date
        union all
        select c.workspace_id, c.day, c.day + 1 from changed c cross join packed_until u where c.day < u.day
      ) r
    )
    select d.* from (${parts}
    ) d`;

/** Days before this one are packed. */
const DUE = sql`((now() at time zone 'UTC')::date - ${literal(String(PACKED_AFTER_DAYS))}::int)`;

/** Sides with days that are to be packed. */
export const SIDES_TO_PACK = globalQuery<NoArgs, { id: string; environment: Environment }>()(
  "reportDays.sides",
  "everywhere",
  () => sql`
    select t.id, t.environment from tenant t left join report_day_until u on u.tenant_id = t.id
    where u.until is null or u.until < ${DUE}
      or exists (select from report_day_change c where c.tenant_id = t.id and c.day < u.until)
    order by t.id`,
);

const ALL = { unrestricted: "the days of all workspaces are packed" } as const;

/** Up to which day is packed. One process at a time packs the days of a tenant, and what it reads then is what others left. */
export const LOCK_DAYS = query<NoArgs, { until: string; due: string }>()(
  "reportDays.lock",
  ALL,
  () => sql`
    select u.until::text as until, ${DUE}::text as due from report_day_until u where u.tenant_id = ${TENANT} for update`,
);

/** Before the first thing that happened, there is nothing to pack. */
export const BEGIN_DAYS = query()(
  "reportDays.begin",
  ALL,
  () => sql`
    insert into report_day_until (tenant_id, until)
    select ${TENANT}, least(min(f.at at time zone 'UTC')::date, ${DUE})
    from workspace w cross join lateral (${joined(DAY_KINDS.map(earliest), " union all ")}) f
    where w.tenant_id = ${TENANT}
    on conflict do nothing`,
);

/** The runs of days that are to be packed: some that have changed, and the next ones. */
export const FIND_RUNS = query<
  { until: string; next: string; limit: number },
  { workspaceId: string; since: string; until: string }
>()(
  "reportDays.findRuns",
  ALL,
  ({ until, next, limit }) => sql`
    (select distinct c.workspace_id as "workspaceId", c.day::text as since, (c.day + 1)::text as until
    from report_day_change c where c.tenant_id = ${TENANT} and c.day < ${until}::date limit ${limit}::int)
    union all
    select w.id, ${until}::date::text, ${next}::date::text from workspace w
    where w.tenant_id = ${TENANT} and w.deleted_at is null and ${until}::date < ${next}::date`,
);

const COLUMNS = joined(
  [sql`moments`, sql`seconds`, ...PACKED_GROUPS.flatMap((group) => [codesOf(group), keysOf(group)])],
  ", ",
);
const REPLACED = joined(
  COLUMNS.strings
    .join("")
    .split(", ")
    .map((column) => sql([`${column} = excluded.${column}`])),
  ", ",
);

/**
 * Packs runs of days. All that it reads is of one moment: a change that it does not see, because it commits later, is not removed
 * from `report_day_change` either, and so is heard afterwards.
 */
export const PACK = query<{ workspaceIds: readonly string[]; sinces: readonly string[]; untils: readonly string[] }>()(
  "reportDays.pack",
  ALL,
  ({ workspaceIds, sinces, untils }) => sql`
    with runs as materialized (
      select r.* from unnest(${workspaceIds}::uuid[], ${sinces}::date[], ${untils}::date[]) r (workspace_id, since, until)
    ), fresh as materialized (${joined(
      DAY_KINDS.map(
        (kind) => sql`
      select w.id as workspace_id, ${literal(kind)} as kind, d.* from runs r
      join workspace w on w.tenant_id = ${TENANT} and w.id = r.workspace_id cross join lateral (
        ${packing({ kind, since: beginning(sql`r.since`), until: beginning(sql`r.until`) })}
      ) d`,
      ),
      "\n      union all",
    )}
    ), heard as (
      delete from report_day_change c using runs r
      where c.tenant_id = ${TENANT} and c.workspace_id = r.workspace_id and c.day >= r.since and c.day < r.until
    ), emptied as (
      delete from report_day d using runs r
      where d.tenant_id = ${TENANT} and d.workspace_id = r.workspace_id and d.day >= r.since and d.day < r.until
        and not exists (
          select from fresh f where f.workspace_id = d.workspace_id and f.kind = d.kind and f.day = d.day)
    )
    insert into report_day (tenant_id, workspace_id, kind, day, ${COLUMNS})
    select ${TENANT}, f.workspace_id, f.kind, f.day, ${COLUMNS} from fresh f
    on conflict (tenant_id, workspace_id, kind, day) do update set ${REPLACED}`,
);
