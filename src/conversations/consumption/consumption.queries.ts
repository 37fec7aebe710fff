import { type Sql, sql, TENANT, BRAND, WORKSPACES } from "../../platform/database/sql.js";
import { inReach, one, polled, projection, query, REACHABLE } from "../../platform/database/statements.js";
import type { ConsumptionDto, ConversationConsumptionDto } from "./consumption.dto.js";

const messages = (inbound: Sql, outbound: Sql): Sql =>
  sql`json_build_object('inbound', ${inbound}, 'outbound', ${outbound}, 'total', ${inbound} + ${outbound})`;
const SUMS = messages(sql`coalesce(sum(c.inbound), 0)`, sql`coalesce(sum(c.outbound), 0)`);
const day = (expression: Sql): Sql => sql`to_char(${expression}, 'YYYY-MM-DD')`;

export const CONSUMPTION = polled(
  one<ConsumptionDto, { from: string; to: string; workspaceId?: string }>(
    "consumption.get",
    "restricted",
    ({ from, to, workspaceId }) => sql`
      with counted as materialized (
        select c.* from consumption c
        where c.tenant_id = ${TENANT} and c.day between ${from}::date and ${to}::date
          and (${workspaceId}::uuid is null or c.workspace_id = ${workspaceId})
          and (
            (${BRAND}::uuid is null and ${WORKSPACES}::uuid[] is null and ${workspaceId}::uuid is null)
            or ${inReach("c")}
          )
      )
      select ${projection<ConsumptionDto>({
        from: day(sql`${from}::date`),
        to: day(sql`${to}::date`),
        messages: sql`(select ${SUMS} from counted c)`,
        days: sql`(
          select json_agg(i) from (
            select ${day(sql`d`)} as day, ${SUMS} as messages
            from generate_series(${from}::date, ${to}::date, interval '1 day') d
              left join counted c on c.day = d::date
            group by d order by d
          ) i
        )`,
        workspaces: sql`(
          select coalesce(json_agg(i), '[]') from (
            select c.workspace_id as "workspaceId", ${messages(sql`c.inbound`, sql`c.outbound`)} as messages
            from (
              select c.workspace_id, sum(c.inbound) as inbound, sum(c.outbound) as outbound
              from counted c group by c.workspace_id
            ) c
            where ${inReach("c")}
            order by c.inbound + c.outbound desc, c.workspace_id
          ) i
        )`,
      })}
      where ${workspaceId}::uuid is null
        or exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
  ),
);

export const OF_CONVERSATION = polled(
  one<ConversationConsumptionDto, { id: string }>(
    "consumption.ofConversation",
    "restricted",
    ({ id }) => sql`
      with counted as materialized (
        select (m.created_at at time zone 'UTC')::date as day, count(*) filter (where m.direction = 'inbound') as inbound,
          count(*) filter (where m.direction = 'outbound') as outbound
        from message m
        where m.tenant_id = ${TENANT} and m.conversation_id = ${id} and m.direction <> 'internal'
        group by 1
      )
      select ${projection<ConversationConsumptionDto>({
        conversationId: sql`r.id`,
        messages: sql`(select ${SUMS} from counted c)`,
        days: sql`(
          select coalesce(json_agg(i), '[]') from (
            select ${day(sql`c.day`)} as day, ${messages(sql`c.inbound`, sql`c.outbound`)} as messages
            from counted c order by c.day
          ) i
        )`,
      })}
      from conversation r where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

/**
 * The counters of one day and workspace are in several rows, so that concurrent messages do not wait for each other.
 */
export const MERGE_SLOTS = query(
  "consumption.mergeSlots",
  { unrestricted: "only the daily task runs it" },
  () => sql`
    with slots as (
      delete from consumption c
      where c.tenant_id = ${TENANT} and c.day < (now() at time zone 'UTC')::date - 1 and c.slot > 0
      returning c.*
    )
    insert into consumption as c (tenant_id, day, workspace_id, slot, inbound, outbound)
    select s.tenant_id, s.day, s.workspace_id, 0, sum(s.inbound), sum(s.outbound)
    from slots s group by s.tenant_id, s.day, s.workspace_id
    on conflict (tenant_id, day, workspace_id, slot)
    do update set inbound = c.inbound + excluded.inbound, outbound = c.outbound + excluded.outbound`,
);
