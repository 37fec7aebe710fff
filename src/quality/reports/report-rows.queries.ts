import { literal, type Parameters, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import {
  mayLag,
  page,
  type PageArgs,
  type PageRead,
  positionOr,
  projection,
  REACHABLE,
  statementFamily,
  time,
} from "../../platform/database/statements.js";
import { NO_GROUP, type ReportName } from "./report-names.js";
import type { ReportRowDto } from "./reports.dto.js";
import { openAt, type Grouping } from "./reports.queries.js";
import { hourOfWeek, keyOf, nameOf, nameOfMember, SOURCES } from "./report-sources.js";

export interface RowFilters {
  workspaceId?: string;
  from?: string;
  to?: string;
  group?: string;
  timeZone: string;
}
type P = Parameters<RowFilters & PageArgs>;

const NONE = sql`null::text`;
const NO_NAME = literal(NO_GROUP);
const END = literal("ffffffff-ffff-ffff-ffff-ffffffffffff");

/** Not `coalesce`: under row-level security no index is used for a comparison with it. */
const UNTIL = ({ to }: P): Sql => sql`case when ${to}::timestamptz is null then now() else ${to}::timestamptz end`;
const SINCE = (p: P): Sql => sql`case when ${p.from}::timestamptz is null then ${UNTIL(p)} - interval '30 days'
              else ${p.from}::timestamptz end`;

function inGroup(report: ReportName, grouping: Grouping, p: P): { join: Sql; only: Sql } {
  if (grouping === undefined) return { join: sql``, only: sql`` };
  const { join, key } =
    grouping === "hourOfWeek"
      ? { join: sql``, key: hourOfWeek(SOURCES[report].at, p.timeZone) }
      : keyOf(report, grouping);
  return { join, only: sql` and coalesce(${key}::text, ${NO_NAME}) = ${p.group}` };
}

/** The rows behind a report, newest first, or those of one of its groups. Each workspace walks its own index backwards. */
export const rowsStatement = statementFamily(
  "reports.rows",
  (name, report: ReportName, grouping: Grouping): PageRead<RowFilters, ReportRowDto> =>
    mayLag(
      page<ReportRowDto, RowFilters>(name, "restricted", (p) => {
        const { table, at, id, only = sql``, seconds = sql`null::int`, good = sql`null::boolean` } = SOURCES[report];
        const { member = sql`null::uuid`, handledBy = NONE, resolution = NONE, reason = NONE } = SOURCES[report];
        const { join, only: ofGroup } = inGroup(report, grouping, p);
        const during = report === "backlog" ? openAt(UNTIL(p)) : sql`${at} >= ${SINCE(p)} and ${at} < ${UNTIL(p)}`;
        const order = (row: Sql): Sql =>
          sql`order by ${row}.at desc, ${row}.conversation_id desc, ${row}.id desc limit ${p.limit} + 1`;
        return {
          list: "reports.rows",
          rows: sql`
      select r.* from workspace w cross join lateral (
        select r.* from (
          select e.conversation_id, e.workspace_id, e.channel_id, ${member} as member_id, ${at} as at, ${id}::text as id,
            ${seconds} as seconds, ${good} as good, ${handledBy} as handled_by, ${resolution} as resolution,
            ${reason} as reason
          from ${table} e${join}
          where e.tenant_id = ${TENANT} and e.workspace_id = w.id and ${during}${only}${ofGroup}
            and ${at} <= ${positionOr(p.after0, "infinity")}
        ) r
        where (r.at, r.conversation_id, r.id) < (${positionOr(p.after0, "infinity")},
          coalesce(${p.after1}::uuid, ${END}::uuid), coalesce(${p.after2}::text, ''))
        ${order(sql`r`)}
      ) r
      where ${REACHABLE} and (${p.workspaceId}::uuid is null or w.id = ${p.workspaceId}::uuid)
      ${order(sql`r`)}`,
          position: [sql`r.at`, sql`r.conversation_id`, sql`r.id`],
          item: projection<ReportRowDto>({
            conversationId: sql`r.conversation_id`,
            workspaceId: sql`r.workspace_id`,
            workspaceName: nameOf("workspace", sql`r.workspace_id`),
            channelId: sql`r.channel_id`,
            channelName: nameOf("channel", sql`r.channel_id`),
            memberId: sql`r.member_id`,
            memberName: nameOfMember(sql`r.member_id`),
            handledBy: sql`r.handled_by`,
            resolution: sql`r.resolution`,
            reason: sql`r.reason`,
            at: time(sql`r.at`),
            seconds: sql`r.seconds`,
            inShare: sql`r.good`,
          }),
          visible: sql`
          ${p.workspaceId}::uuid is null
          or exists (select from workspace w where w.id = ${p.workspaceId} and ${REACHABLE})`,
        };
      }),
    ),
);
