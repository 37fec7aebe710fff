import { Controller, Get, Param } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import { OneRead } from "../../auth/access/known-polls.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { IdentityEventsDto } from "./identity-events.dto.js";
import { IdentityEventsService } from "./identity-events.service.js";

@Controller("api/conversations")
export class IdentityEventsController {
  constructor(private readonly events: IdentityEventsService) {}

  /** Read every identity event of a conversation, oldest first. Each is one step of proving who the caller is. */
  @Get(":conversationId/identity-events")
  @RequireScope("conversations:read")
  @OneRead()
  @Answers(IdentityEventsDto)
  list(
    @CurrentCaller() caller: Caller,
    @Param("conversationId", IdPipe) conversationId: string,
  ): Promise<Json<IdentityEventsDto>> {
    return this.events.list(caller, conversationId);
  }
}
