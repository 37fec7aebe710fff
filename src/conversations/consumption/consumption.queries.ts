import { type Sql, sql, TENANT, BRAND, WORKSPACES } from "../../platform/database/sql.js";
import { inReach, one, polled, projection, query, REACHABLE } from "../../platform/database/statements.js";
import type { ConsumptionDto, ConversationConsumptionDto } from "./consumption.dto.js";

const messages = (inbound: Sql, outbound: Sql): Sql =>
  sql`json_build_object('inbound', ${inbound}, 'outbound', ${outbound}, 'total', ${inbound} + ${outbound})`;
const SUMS = messages(sql`coalesce(sum(c.inbound), 0)`, sql`coalesce(sum(c.outbound), 0)`);
const tokens = (input: Sql, output: Sql): Sql =>
  sql`json_build_object('input', ${input}, 'output', ${output}, 'total', ${input} + ${output})`;
const TOKEN_SUMS = tokens(sql`coalesce(sum(c.input_tokens), 0)`, sql`coalesce(sum(c.output_tokens), 0)`);
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
        tokens: sql`(select ${TOKEN_SUMS} from counted c)`,
        days: sql`(
          select json_agg(i) from (
            select ${day(sql`d`)} as day, ${SUMS} as messages, ${TOKEN_SUMS} as tokens
            from generate_series(${from}::date, ${to}::date, interval '1 day') d
              left join counted c on c.day = d::date
            group by d order by d
          ) i
        )`,
        workspaces: sql`(
          select coalesce(json_agg(i), '[]') from (
            select c.workspace_id as "workspaceId", ${messages(sql`c.inbound`, sql`c.outbound`)} as messages,
              ${tokens(sql`c.input_tokens`, sql`c.output_tokens`)} as tokens
            from (
              select c.workspace_id, sum(c.inbound) as inbound, sum(c.outbound) as outbound,
                sum(c.input_tokens) as input_tokens, sum(c.output_tokens) as output_tokens
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
        select u.day, sum(u.inbound) as inbound, sum(u.outbound) as outbound, sum(u.input) as input_tokens,
          sum(u.output) as output_tokens
        from (
          select (m.created_at at time zone 'UTC')::date as day, (m.direction = 'inbound')::int as inbound,
            (m.direction = 'outbound')::int as outbound, 0 as input, 0 as output
          from message m
          where m.tenant_id = ${TENANT} and m.conversation_id = ${id} and m.direction <> 'internal'
          union all
          select (s.at at time zone 'UTC')::date, 0, 0, coalesce((s.detail ->> 'inputTokens')::int, 0),
            coalesce((s.detail ->> 'outputTokens')::int, 0)
          from assistant_run r join assistant_step s on s.tenant_id = ${TENANT} and s.run_id = r.id
          where r.tenant_id = ${TENANT} and r.conversation_id = ${id} and s.type = 'model'
        ) u
        group by u.day
      )
      select ${projection<ConversationConsumptionDto>({
        conversationId: sql`r.id`,
        messages: sql`(select ${SUMS} from counted c)`,
        tokens: sql`(select ${TOKEN_SUMS} from counted c)`,
        days: sql`(
          select coalesce(json_agg(i), '[]') from (
            select ${day(sql`c.day`)} as day, ${messages(sql`c.inbound`, sql`c.outbound`)} as messages,
              ${tokens(sql`c.input_tokens`, sql`c.output_tokens`)} as tokens
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
export const MERGE_SLOTS = query()(
  "consumption.mergeSlots",
  { unrestricted: "only the daily task runs it" },
  () => sql`
    with slots as (
      delete from consumption c
      where c.tenant_id = ${TENANT} and c.day < (now() at time zone 'UTC')::date - 1 and c.slot > 0
      returning c.*
    )
    insert into consumption as c (tenant_id, day, workspace_id, slot, inbound, outbound, input_tokens, output_tokens)
    select s.tenant_id, s.day, s.workspace_id, 0, sum(s.inbound), sum(s.outbound), sum(s.input_tokens),
      sum(s.output_tokens)
    from slots s group by s.tenant_id, s.day, s.workspace_id
    on conflict (tenant_id, day, workspace_id, slot)
    do update set inbound = c.inbound + excluded.inbound, outbound = c.outbound + excluded.outbound,
      input_tokens = c.input_tokens + excluded.input_tokens, output_tokens = c.output_tokens + excluded.output_tokens`,
);
