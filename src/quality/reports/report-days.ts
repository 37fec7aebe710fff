import { identifier, joined, literal, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import type { DayKind } from "./report-days.entity.js";
import type { ReportName } from "./report-names.js";
import { CURRENT, keyOf, SOURCES } from "./report-sources.js";

/**
 * What happened on a day (UTC) in a workspace, one value a row:
 * - `moments`, two bytes: the quarter of an hour of the day, and in the last bits which of `FLAGS` the row has
 * - `seconds`, four bytes: where something took time
 * - for a grouping, two bytes: which of its keys, from 0; the keys are a JSON array. Four bytes on a day with more rows than fit.
 * All have the rows in the same order. Days and hours of any time zone are made of this: each has begun at a quarter since 1972.
 */
export const FLAGS = { first: 1, assisted: 2, good: 4 } as const;
export const FLAG_BITS = 3;
export const QUARTERS = 96;
const MAX_SHORT = 65_536;
const number = (value: number): Sql => literal(String(value));

/** What depends on rows; the other groupings are those of the workspace. */
export const PACKED_GROUPS = ["channel", "member", "label", "resolution", "handledBy", "reason"] as const;
export type PackedGroup = (typeof PACKED_GROUPS)[number];

/** A day is packed when it has been over for so long: until then, much of it still changes. Triggers rely on it (`report-days.sql`). */
export const PACKED_AFTER_DAYS = 2;

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
  open: { report: "backlog", only: sql` and e.closed_at = 'infinity'` },
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

/** The conversations of rows `r`: each is looked up once, however many rows it has. */
const CONVERSATIONS = sql`(select distinct r.conversation_id as id from r) c`;
const CURRENTLY = sql`
        left join (
          select o.* from ${CONVERSATIONS}
          join open_time o on o.tenant_id = ${TENANT} and o.conversation_id = c.id and o.latest
        ) o on o.conversation_id = r.conversation_id`;
const LABELS = sql`
        left join (
          select c.id, array_agg(l.label order by l.label) as labels from ${CONVERSATIONS}
          join conversation_label l on l.tenant_id = ${TENANT} and l.conversation_id = c.id
          group by c.id
        ) l on l.id = r.conversation_id`;
/** The key of a row `e`, or that of its conversation, for which something has to be joined. */
function packedKey(report: ReportName, group: PackedGroup): { key: Sql; join?: Sql } {
  if (group === "label") return { key: sql`l.labels`, join: LABELS };
  const { join, key } = keyOf(report, group);
  return join === CURRENT ? { key, join: CURRENTLY } : { key };
}

export const codesOf = (group: PackedGroup): Sql => identifier(group === "handledBy" ? "handled_by" : group);
export const keysOf = (group: PackedGroup): Sql => sql`${codesOf(group)}_keys`;

const bytes = (value: Sql): Sql => sql`string_agg(${value}, '')`;

/** The rows of which days: those of a workspace `w` whose times are from `since` to before `until`, which are beginnings of days. */
interface Run {
  kind: DayKind;
  since: Sql;
  until: Sql;
  /** Of rows without these, nothing is read. */
  flags?: number;
}

/** Rows `r`: `day` since 1970, `moment`, `seconds`, and the key of each grouping. */
function rowsOf({ kind, since, until, flags = 0 }: Run, groups: readonly PackedGroup[]): Sql {
  const { report, only = sql``, first, assisted, good } = KINDS[kind];
  const { table, at, seconds = sql`null::int` } = SOURCES[report];
  const keys = groups.map((group) => ({ group, ...packedKey(report, group) }));
  const columns = (of: typeof keys): Sql =>
    joined(
      of.map(({ group, key }) => sql`, ${key} as ${codesOf(group)}`),
      "",
    );
  const flag = (condition: Sql | undefined, value: number): Sql =>
    condition ? sql` + case when ${condition} then ${number(value)}::int else 0 end` : sql``;
  const having = (condition: Sql | undefined, value: number): Sql =>
    condition && flags & value ? sql` and ${condition}` : sql``;
  const own = keys.filter(({ join }) => !join);
  const ofConversation = keys.filter(({ join }) => join);
  const rows = sql`
        select e.conversation_id, e.quarter / ${number(QUARTERS)}::int as day, ${seconds} as seconds${columns(own)},
          e.quarter % ${number(QUARTERS)}::int * ${number(1 << FLAG_BITS)}::int
          ${flag(first, FLAGS.first)}${flag(assisted, FLAGS.assisted)}${flag(good, FLAGS.good)} as moment
        from (
          select e.*, floor(date_part('epoch', ${at}) / 900)::int as quarter from ${table} e
          where e.tenant_id = ${TENANT} and e.workspace_id = w.id and ${at} >= ${since} and ${at} < ${until}${only}
            ${having(first, FLAGS.first)}${having(assisted, FLAGS.assisted)}
        ) e`;
  if (!ofConversation.length) return rows;
  return sql`
        with r as materialized (${rows}
        )
        select r.*${columns(ofConversation)}
        from r${joined([...new Set(ofConversation.map(({ join }) => join!))], "")}`;
}

const DAY = sql`date '1970-01-01' + r.day as day`;
const TIMES = sql`${bytes(sql`int2send(r.moment::smallint)`)} as moments, ${bytes(sql`int4send(r.seconds)`)} as seconds`;

/** Packs these rows: `day`, `moments`, `seconds`, and codes and keys of each grouping. */
export function packing(run: Run): Sql {
  const { reason } = SOURCES[KINDS[run.kind].report];
  const groups = PACKED_GROUPS.filter((group) => group !== "reason" || reason);
  const codes = groups.map(
    (group) => sql`,
        (dense_rank() over (partition by r.day order by r.${codesOf(group)}) - 1)::int as ${codesOf(group)}_code`,
  );
  const columns = PACKED_GROUPS.map((group) =>
    groups.includes(group)
      ? sql`, ${bytes(sql`substr(int4send(r.${codesOf(group)}_code), r.first_byte)`)} as ${codesOf(group)},
      json_agg(distinct r.${codesOf(group)} order by r.${codesOf(group)}) as ${keysOf(group)}`
      : sql`, null::bytea as ${codesOf(group)}, null::json as ${keysOf(group)}`,
  );
  return sql`
    select ${DAY}, ${TIMES}${joined(columns, "")}
    from (
      select r.*, case when count(*) over (partition by r.day) > ${number(MAX_SHORT)}::int then 1 else 3 end as first_byte${joined(codes, "")}
      from (${rowsOf(run, groups)}
      ) r
    ) r
    group by r.day`;
}

/** The same of one grouping, for a read: it makes no codes, but several packs of a day, each with one key. */
export function reading(run: Run, group: PackedGroup | undefined): Sql {
  const [keys, by] = group
    ? [sql`json_build_array(r.${codesOf(group)})`, sql`, r.${codesOf(group)}`]
    : [sql`null::json`, sql``];
  return sql`
    select ${DAY}, ${TIMES}, null::bytea as codes, ${keys} as keys
    from (${rowsOf(run, group ? [group] : [])}
    ) r
    group by r.day${by}`;
}

/** When the first of this kind happened in a workspace `w`. */
export function earliest(kind: DayKind): Sql {
  const { report, only = sql`` } = KINDS[kind];
  const { table, at } = SOURCES[report];
  return sql`select min(${at}) as at from ${table} e where e.tenant_id = ${TENANT} and e.workspace_id = w.id${only}`;
}

/** When a day begins. */
export const beginning = (day: Sql): Sql => sql`(${day})::timestamp at time zone 'UTC'`;
