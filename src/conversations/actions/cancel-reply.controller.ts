import { Controller, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { CancelledReplyDto } from "../messages.dto.js";
import { CancelReplyService } from "./cancel-reply.service.js";

@OperationGroup("conversations")
@Controller("api/messages")
export class CancelReplyController {
  constructor(private readonly replies: CancelReplyService) {}

  /**
   * Cancel a reply that is held. You get its text and files back, to go on with. The contact never sees the reply. It stays in
   * the conversation as an internal message with the status `cancelled`, and the contact waits again. If it has left, or is
   * leaving, the answer is 409.
   */
  @Post(":id/cancel")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(CancelledReplyDto)
  @Fails(409)
  cancelReply(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<CancelledReplyDto>> {
    return this.replies.cancel(caller, id);
  }
}
