import { identifier, type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import type { ReportGroup, ReportName } from "./report-names.js";

/** Where a report's rows `e` are. */
export interface Source {
  table: Sql;
  /** The time at which a row counts. */
  at: Sql;
  only?: Sql;
  /** Tells the rows of one conversation at one time apart. */
  id: Sql;
  seconds?: Sql;
  /** Whether a row is one of those whose share is shown. */
  good?: Sql;
  /** What its rows do not have is null. */
  member?: Sql;
  handledBy?: Sql;
  resolution?: Sql;
  reason?: Sql;
}

const WRITER = { member: sql`e.member_id`, handledBy: sql`e.handled_by` };
const OPEN_TIME = { table: sql`open_time`, id: sql`e.number`, ...WRITER, resolution: sql`e.resolution` };
const OPENED: Source = { ...OPEN_TIME, at: sql`e.opened_at`, only: sql` and e.number = 1` };
const REPLIED = { table: sql`reply_time`, at: sql`e.at`, id: sql`e.sequence`, seconds: sql`e.seconds`, ...WRITER };
const ASSISTANT_TIME = { table: sql`assistant_time`, id: sql`''` };
const CLOSED = {
  ...OPEN_TIME,
  at: sql`e.closed_at`,
  only: sql` and e.latest and e.closed_at < 'infinity'`,
};

/** Of `backlog`, these are the rows at one time, and not those of a period. */
export const SOURCES: Record<ReportName, Source> = {
  volume: OPENED,
  "first-reply": { ...REPLIED, only: sql` and e.first` },
  reply: REPLIED,
  resolution: { ...CLOSED, seconds: sql`e.seconds` },
  backlog: { ...OPEN_TIME, at: sql`e.opened_at` },
  assistant: { ...CLOSED, only: sql`${CLOSED.only} and e.assisted`, good: sql`e.handled_by = 'assistant'` },
  automation: {
    ...ASSISTANT_TIME,
    at: sql`e.began_at`,
    good: sql`(e.answered_sequence is not null and not e.replied)`,
  },
  containment: {
    ...ASSISTANT_TIME,
    at: sql`e.settled_at`,
    // Before, nobody knows.
    only: sql` and e.settled_at <= now()`,
    good: sql`(e.replied_at is null or e.replied_at >= e.settled_at)`,
  },
  "hand-over": { table: sql`hand_over`, at: sql`e.at`, id: sql`e.sequence`, reason: sql`e.reason` },
  csat: {
    table: sql`csat_survey`,
    at: sql`e.rated_at`,
    only: sql` and e.rated_at is not null`,
    id: sql`e.id`,
    // As `isSatisfied`: 4 and 5 of 5, 2 of 2, 8 to 10 of 10.
    good: sql`e.score * 5 >= e.scale * 4`,
    member: WRITER.member,
  },
  "busiest-hours": OPENED,
};

/** How the conversation stands now, for what does not know it itself. */
export const CURRENT = sql`
        left join open_time o on o.tenant_id = ${TENANT} and o.conversation_id = e.conversation_id and o.latest`;
const known = (own: Sql | undefined, column: string) =>
  own ? { join: sql``, key: own } : { join: CURRENT, key: sql`o.${identifier(column)}` };

/** The key of a row `e` in a workspace `w`, and what has to be joined for it. */
export function keyOf(report: ReportName, group: ReportGroup): { join: Sql; key: Sql } {
  const { member, handledBy, resolution, reason = sql`null` } = SOURCES[report];
  switch (group) {
    case "workspace":
      return { join: sql``, key: sql`w.id` };
    case "brand":
      return { join: sql``, key: sql`w.brand_id` };
    case "channel":
      return { join: sql``, key: sql`e.channel_id` };
    case "member":
      return known(member, "member_id");
    case "label":
      return {
        join: sql`
        left join conversation_label l on l.tenant_id = ${TENANT} and l.conversation_id = e.conversation_id`,
        key: sql`l.label`,
      };
    case "resolution":
      return known(resolution, "resolution");
    case "handledBy":
      return known(handledBy, "handled_by");
    case "reason":
      return { join: sql``, key: reason };
  }
}

/** The hour of the week, such as `1-09`: Monday is 1. */
export const hourOfWeek = (at: Sql, timeZone: Parameter): Sql =>
  sql`to_char(${at} at time zone ${timeZone}, 'ID-HH24')`;

/** The name of a workspace, a brand or a channel. */
export const nameOf = (table: "workspace" | "brand" | "channel", id: Sql): Sql =>
  sql`(select x.name from ${identifier(table)} x where x.tenant_id = ${TENANT} and x.id = ${id})`;
/** The name of a member, who may have left. */
export const nameOfMember = (id: Sql): Sql => sql`(
        select x.name from member x join tenant t on t.organisation_id = x.organisation_id
        where t.id = ${TENANT} and x.id = ${id})`;

const ID = sql`c.key::uuid`;
/** Groups that have a name beside their key. */
export type NamedGroup = "workspace" | "brand" | "channel" | "member";
/** What a group of the key `c.key` is called. */
export const NAME_OF: Record<NamedGroup, Sql> = {
  workspace: nameOf("workspace", ID),
  brand: nameOf("brand", ID),
  channel: nameOf("channel", ID),
  member: nameOfMember(ID),
};
