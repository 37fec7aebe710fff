import { Body, Controller, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { ReplySentDto } from "../messages.dto.js";
import { ForwardsService } from "./forwards.service.js";
import { ForwardMessageDto } from "./forwards.dto.js";

@OperationGroup("conversations")
@Controller("api/messages")
export class ForwardsController {
  constructor(private readonly forwards: ForwardsService) {}

  /**
   * Forward a message to a third person by mail. The conversation keeps a note of it, `messageId`. The contact sees neither that
   * nor the answer.
   */
  @Post(":id/forward")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(ReplySentDto)
  forwardMessage(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: ForwardMessageDto,
  ): Promise<Json<ReplySentDto>> {
    return this.forwards.forward(caller, id, body);
  }
}
