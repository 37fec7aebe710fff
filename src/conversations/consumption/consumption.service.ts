import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { inReach, one, polled, projection, REACHABLE } from "../../platform/database/statement.js";
import { assertPeriod, today } from "../../platform/http/days.js";
import type { Json } from "../../platform/http/json.js";
import type { ConsumptionDto, ConsumptionQueryDto, ConversationConsumptionDto } from "./consumption.dto.js";

const MOST_DAYS = 366;

const messages = (inbound: string, outbound: string): string =>
  `json_build_object('inbound', ${inbound}, 'outbound', ${outbound}, 'total', ${inbound} + ${outbound})`;
const SUMS = messages("coalesce(sum(c.inbound), 0)", "coalesce(sum(c.outbound), 0)");
const day = (expression: string): string => `to_char(${expression}, 'YYYY-MM-DD')`;

interface Period {
  from: string;
  to: string;
  workspaceId?: string;
}
const CONSUMPTION = polled(
  one<ConsumptionDto, Period>(
    "consumption",
    "workspace",
    `with counted as materialized (
    select c.* from consumption c where c.tenant_id = :tenant and c.day between :from::date and :to::date and (:workspaceId::uuid is null or c.workspace_id = :workspaceId)
      and ((:brand::uuid is null and :workspaces::uuid[] is null and :workspaceId::uuid is null) or ${inReach("c")}))
  select ${projection<ConsumptionDto>({
    from: day(":from::date"),
    to: day(":to::date"),
    messages: `(select ${SUMS} from counted c)`,
    days: `(select json_agg(i) from (select ${day("d")} as day, ${SUMS} as messages from generate_series(:from::date, :to::date, interval '1 day') d left join counted c on c.day = d::date group by d order by d) i)`,
    workspaces: `(select coalesce(json_agg(i), '[]') from (select c.workspace_id as "workspaceId", ${SUMS} as messages from counted c where ${inReach("c")}
      group by c.workspace_id order by sum(c.inbound + c.outbound) desc, c.workspace_id) i)`,
  })} where :workspaceId::uuid is null or exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`,
  ),
);

const OF_CONVERSATION = polled(
  one<ConversationConsumptionDto, { id: string }>(
    "consumption.conversation",
    "workspace",
    `with counted as materialized (
    select (m.created_at at time zone 'UTC')::date as day, count(*) filter (where m.direction = 'inbound') as inbound, count(*) filter (where m.direction = 'outbound') as outbound
    from message m where m.tenant_id = :tenant and m.conversation_id = :id and m.direction <> 'internal' group by 1)
  select ${projection<ConversationConsumptionDto>({
    conversationId: "r.id",
    messages: `(select ${SUMS} from counted c)`,
    days: `(select coalesce(json_agg(i), '[]') from (select ${day("c.day")} as day, ${messages("c.inbound", "c.outbound")} as messages from counted c order by c.day) i)`,
  })} from conversation r where r.tenant_id = :tenant and r.id = :id and ${inReach("r")}`,
  ),
);

@Injectable()
export class ConsumptionService {
  constructor(private readonly db: Database) {}

  /** @throws BadRequestException (not a day, or too many), NotFoundException (the workspace) */
  get(caller: Caller, { from, to, workspaceId }: ConsumptionQueryDto): Promise<Json<ConsumptionDto>> {
    const period = { to: to ?? today(), from: from ?? `${(to ?? today()).slice(0, 8)}01`, workspaceId };
    assertPeriod(period, MOST_DAYS);
    return this.db.read(everywhere(caller), CONSUMPTION, period);
  }

  ofConversation(caller: Caller, id: string): Promise<Json<ConversationConsumptionDto>> {
    return this.db.read(caller, OF_CONVERSATION, { id });
  }

  /** The slots of past days become one row for each workspace. Nobody counts in them any more. */
  async fold(caller: Caller): Promise<void> {
    await this.db.transaction(caller, (tx) =>
      tx.query(`with slots as (
        delete from consumption c where c.tenant_id = :tenant and c.day < (now() at time zone 'UTC')::date - 1 and c.slot > 0 returning c.*)
      insert into consumption as c (tenant_id, day, workspace_id, slot, inbound, outbound)
      select s.tenant_id, s.day, s.workspace_id, 0, sum(s.inbound), sum(s.outbound) from slots s group by s.tenant_id, s.day, s.workspace_id
      on conflict (tenant_id, day, workspace_id, slot) do update set inbound = c.inbound + excluded.inbound, outbound = c.outbound + excluded.outbound`),
    );
  }
}

/** Whoever does the accounts sees totals of the whole organisation, though nothing else of any workspace. */
const everywhere = (caller: Caller): Caller =>
  caller.kind === "member" && caller.role === "billing" ? { ...caller, reach: { level: "tenant" } } : caller;
