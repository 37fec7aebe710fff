import { identifier, joined, literal, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import type { DayKind } from "./report-days.entity.js";
import type { ReportName } from "./report-names.js";
import { keyOf, type Source, SOURCES } from "./report-sources.js";

/**
 * What happened on a day (UTC) in a workspace, one value a row, each value four bytes:
 * - `moments`: the millisecond of the day, times eight, and which of `FLAGS` the row has
 * - `seconds`: where something took time
 * - for a grouping: which of its keys, from 0; the keys are a JSON array
 * All have the rows in the same order. Any time zone's day or hour can be made of this, and any period.
 */
export const FLAGS = { first: 1, assisted: 2, good: 4 } as const;
export const PER_MILLISECOND = 8;
const PER_MS = literal(String(PER_MILLISECOND));

/** What depends on rows; the other groupings are those of the workspace. */
export const PACKED_GROUPS = ["channel", "member", "label", "resolution", "handledBy", "reason"] as const;
export type PackedGroup = (typeof PACKED_GROUPS)[number];

/** A day is packed when it has been over for so long: until then, much of it still changes. Triggers rely on it (`report-days.sql`). */
export const PACKED_AFTER_DAYS = 3;

interface Kind {
  /** The report that says where the rows are, and what they are grouped by. */
  report: ReportName;
  only?: Sql;
  first?: Sql;
  assisted?: Sql;
  good?: Sql;
}
const { assistant, automation, containment, csat } = SOURCES;
const KINDS: Record<DayKind, Kind> = {
  opened: { report: "backlog", first: sql`e.number = 1` },
  closed: {
    report: "resolution",
    only: sql` and e.closed_at < 'infinity'`,
    first: sql`e.latest`,
    assisted: sql`e.assisted`,
    good: assistant.good,
  },
  replied: { report: "reply", first: sql`e.first` },
  began: { report: "automation", good: automation.good },
  settled: { report: "containment", only: containment.only, good: containment.good },
  handed_over: { report: "hand-over" },
  rated: { report: "csat", only: csat.only, good: csat.good },
};

/** Which rows a report counts: those of this kind with all of these flags. */
export interface Packed {
  kind: DayKind;
  flags: number;
  timed?: true;
  shared?: true;
}
export const PACKED: Record<Exclude<ReportName, "backlog">, Packed> = {
  volume: { kind: "opened", flags: FLAGS.first },
  "busiest-hours": { kind: "opened", flags: FLAGS.first },
  "first-reply": { kind: "replied", flags: FLAGS.first, timed: true },
  reply: { kind: "replied", flags: 0, timed: true },
  resolution: { kind: "closed", flags: FLAGS.first, timed: true },
  assistant: { kind: "closed", flags: FLAGS.first | FLAGS.assisted, shared: true },
  automation: { kind: "began", flags: 0, shared: true },
  containment: { kind: "settled", flags: 0, shared: true },
  "hand-over": { kind: "handed_over", flags: 0 },
  csat: { kind: "rated", flags: 0, shared: true },
};

const LABELS = {
  join: sql`
        left join lateral (
          select array_agg(l.label order by l.label) as labels from conversation_label l
          where l.tenant_id = ${TENANT} and l.conversation_id = e.conversation_id
        ) l on true`,
  key: sql`l.labels`,
};
const packedKey = (report: ReportName, group: PackedGroup): { join: Sql; key: Sql } =>
  group === "label" ? LABELS : keyOf(report, group);

export const codesOf = (group: PackedGroup): Sql => identifier(group === "handledBy" ? "handled_by" : group);
export const keysOf = (group: PackedGroup): Sql => sql`${codesOf(group)}_keys`;

const bytes = (value: Sql): Sql => sql`string_agg(int4send(${value}), '')`;

/**
 * Packs the rows of a workspace `w` whose times are from `since` to before `until`, which are the beginnings of days.
 * Gives `day`, `moments`, `seconds`, and codes and keys of each grouping.
 */
export function packing(kind: DayKind, groups: readonly PackedGroup[], since: Sql, until: Sql): Sql {
  const { report, only = sql``, first, assisted, good } = KINDS[kind];
  const { table, at, seconds, reason }: Source = SOURCES[report];
  const has = groups.filter((group) => group !== "reason" || reason);
  const keys = has.map((group) => ({ group, ...packedKey(report, group) }));
  const flag = (condition: Sql | undefined, value: number): Sql =>
    condition ? sql` + case when ${condition} then ${literal(String(value))}::int else 0 end` : sql``;
  const column = (group: PackedGroup, of: Sql, keysOfRow: Sql): Sql =>
    sql`, ${of} as ${codesOf(group)}, ${keysOfRow} as ${keysOf(group)}`;
  const columns = groups.map((group) =>
    has.includes(group)
      ? column(
          group,
          bytes(sql`r.${codesOf(group)}_code`),
          sql`json_agg(distinct r.${codesOf(group)} order by r.${codesOf(group)})`,
        )
      : column(group, sql`null::bytea`, sql`null::json`),
  );
  const codes = has.map(
    (group) => sql`,
        (dense_rank() over (partition by r.day order by r.${codesOf(group)}) - 1)::int as ${codesOf(group)}_code`,
  );
  return sql`
    select r.day, ${bytes(sql`r.moment`)} as moments,
      ${seconds ? bytes(sql`r.seconds`) : sql`null::bytea`} as seconds${joined(columns, "")}
    from (
      select r.*${joined(codes, "")}
      from (
        select date '1970-01-01' + e.day_number as day,
          (round(date_part('epoch', ${at}) * 1000)::bigint - e.day_number::bigint * 86400000)::int * ${PER_MS}::int
          ${flag(first, FLAGS.first)}${flag(assisted, FLAGS.assisted)}${flag(good, FLAGS.good)} as moment,
          ${seconds ?? sql`0`} as seconds${joined(
            keys.map(({ group, key }) => sql`, ${key} as ${codesOf(group)}`),
            "",
          )}
        from (
          select e.*, floor(date_part('epoch', ${at}) / 86400)::int as day_number from ${table} e
          where e.tenant_id = ${TENANT} and e.workspace_id = w.id and ${at} >= ${since} and ${at} < ${until}${only}
        ) e${joined([...new Set(keys.map(({ join }) => join))], "")}
      ) r
    ) r
    group by r.day`;
}

/** When the first of this kind happened in a workspace `w`. */
export function earliest(kind: DayKind): Sql {
  const { report, only = sql`` } = KINDS[kind];
  const { table, at } = SOURCES[report];
  return sql`select min(${at}) as at from ${table} e where e.tenant_id = ${TENANT} and e.workspace_id = w.id${only}`;
}

/** When a day begins. */
export const beginning = (day: Sql): Sql => sql`(${day})::timestamp at time zone 'UTC'`;

/** What is open now in a workspace `w`, and of which group: `codes` are counts. What has several labels is in several groups. */
export function openNow(group: PackedGroup | undefined): Sql {
  const { join, key } = group ? keyOf("backlog", group) : { join: sql``, key: sql`null` };
  return sql`
    select ${bytes(sql`o.count`)} as codes, json_agg(o.key) as keys from (
      select ${key}::text as key, count(*)::int as count from (
        select e.* from open_time e
        where e.tenant_id = ${TENANT} and e.workspace_id = w.id and e.closed_at = 'infinity'
      ) e${join}
      group by 1
    ) o`;
}
