import { Injectable } from "@nestjs/common";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { assertPeriod, today } from "../../platform/http/days.js";
import type { Json } from "../../platform/http/json.js";
import type { ConsumptionDto, ConsumptionQueryDto, ConversationConsumptionDto } from "./consumption.dto.js";
import { CONSUMPTION, MERGE_SLOTS, OF_CONVERSATION } from "./consumption.queries.js";

const MAX_DAYS = 366;

@Injectable()
export class ConsumptionService {
  constructor(private readonly db: Database) {}

  /** @throws BadRequestException (not days, or more than `MAX_DAYS`), NotFoundException (the workspace) */
  get(caller: Caller, { from, to, workspaceId }: ConsumptionQueryDto): Promise<Json<ConsumptionDto>> {
    const period = { to: to ?? today(), from: from ?? `${(to ?? today()).slice(0, 8)}01`, workspaceId };
    assertPeriod(period, MAX_DAYS);
    return this.db.read(everywhere(caller), CONSUMPTION, period);
  }

  ofConversation(caller: Caller, id: string): Promise<Json<ConversationConsumptionDto>> {
    return this.db.read(caller, OF_CONVERSATION, { id });
  }

  /** Merges the counters of past days into one row per workspace. They do not change any longer. */
  async fold(caller: Caller): Promise<void> {
    await this.db.transaction(caller, (tx) => tx.query(MERGE_SLOTS));
  }
}

/** A billing member sees the totals of the whole organisation, but no other data of a workspace. */
const everywhere = (caller: Caller): Caller =>
  caller.kind === "member" && caller.role === "billing" ? { ...caller, reach: { level: "tenant" } } : caller;
