import { Controller, Get, Param, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import { ROLES } from "../../platform/caller/scope.js";
import type { Json } from "../../platform/http/json.js";
import { Answers } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { IdPipe } from "../../platform/http/validation.js";
import { ConsumptionDto, ConsumptionQueryDto, ConversationConsumptionDto } from "./consumption.dto.js";
import { ConsumptionService } from "./consumption.service.js";

@Tag("Consumption", ["consumption"], { order: 170, description: "How much was used, by day and by conversation." })
@Controller("api")
export class ConsumptionController {
  constructor(private readonly consumption: ConsumptionService) {}

  /**
   * Count messages and tokens by day (UTC) and by workspace. Each message counts on the day when it was received or sent,
   * and still counts after it was erased or deleted. Tokens are those of the assistant's language model.
   */
  @Get("consumption")
  @RequireScope("conversations:read", ROLES)
  @Answers(ConsumptionDto)
  get(@CurrentCaller() caller: Caller, @Query() query: ConsumptionQueryDto): Promise<Json<ConsumptionDto>> {
    return this.consumption.get(caller, query);
  }

  /** Count the messages and tokens of one conversation, by day. Days are in UTC. */
  @Get("conversations/:id/consumption")
  @RequireScope("conversations:read")
  @Answers(ConversationConsumptionDto)
  getForConversation(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
  ): Promise<Json<ConversationConsumptionDto>> {
    return this.consumption.ofConversation(caller, id);
  }
}
