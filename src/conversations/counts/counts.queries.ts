import { joined, literal, quoted, type Sql, sql } from "../../platform/database/sql.js";
import { one, polled, REACHABLE } from "../../platform/database/statements.js";
import { MAX_READ } from "../conversation-list.queries.js";
import type { ConversationCountsDto } from "./counts.dto.js";

/** More than these are not counted. */
const MAX_COUNT = 1_000;
const number = (value: number): Sql => sql`${literal(String(value))}::int`;

/** `{count, more}` of the rows `c`. */
const counted = (rows: Sql): Sql => sql`(
      select json_build_object('count', least(count(*), ${number(MAX_COUNT)}), 'more', count(*) > ${number(MAX_COUNT)})
      from (select 1 ${rows} limit ${number(MAX_COUNT)} + 1) c
    )`;

/**
 * Conversations with these statuses in each workspace `w`. The order makes PostgreSQL read the index of the list, where
 * it stops early; it would read the whole table for conversations that it takes for frequent.
 */
const withStatus = (workspaces: Sql, statuses: readonly string[], condition = sql``, order = sql``): Sql =>
  counted(sql`
      from ${workspaces} cross join unnest(array[${joined(statuses.map(literal), ", ")}]) s (status) cross join lateral (
        select 1 from conversation c
        where c.tenant_id = w.tenant_id and c.workspace_id = w.id and c.status = s.status${condition}
        order by ${order}c.last_activity_at desc, c.id desc limit ${number(MAX_COUNT)} + 1
      ) c`);

const ACTIVE = ["open", "pending"];

/** Each count reads the index of its list and stops at `MAX_COUNT`. */
export const COUNT_CONVERSATIONS = polled(
  one<ConversationCountsDto, { workspaceId?: string; memberId: string | null }>(
    "conversations.counts",
    "restricted",
    ({ workspaceId, memberId }) => {
      const workspaces = sql`workspaces w`;
      const views: Record<keyof ConversationCountsDto, Sql> = {
        mine: sql`case when ${memberId}::uuid is not null then ${withStatus(workspaces, ACTIVE, sql` and c.assignee_id = ${memberId}::uuid`)} end`,
        unassigned: withStatus(workspaces, ACTIVE, sql` and c.assignee_id is null`, sql`c.assignee_id desc, `),
        waiting: sql`(
      select json_build_object('count', least(count(*) filter (where c.active), ${number(MAX_COUNT)}),
        'more', count(*) filter (where c.active) > ${number(MAX_COUNT)} or count(*) >= ${number(MAX_READ)})
      from (
        select c.status in ('open', 'pending') as active from ${workspaces} cross join lateral (
          select c.status from conversation c
          where c.tenant_id = w.tenant_id and c.workspace_id = w.id and c.waiting_since is not null
          order by c.waiting_since, c.id limit ${number(MAX_READ)}
        ) c
        limit ${number(MAX_READ)}
      ) c
    )`,
        open: withStatus(workspaces, ACTIVE),
        snoozed: withStatus(workspaces, ["snoozed"]),
        resolved: withStatus(workspaces, ["resolved"]),
      };
      return sql`
    with workspaces as materialized (
      select w.tenant_id, w.id from workspace w
      where ${REACHABLE} and (${workspaceId}::uuid is null or w.id = ${workspaceId}::uuid)
    )
    select ${joined(
      Object.entries(views).map(([name, count]) => sql`${count} as ${quoted(name)}`),
      ", ",
    )}
    where ${workspaceId}::uuid is null or exists (select from workspaces)`;
    },
  ),
);
