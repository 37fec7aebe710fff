import { Controller, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { AnswersOk, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { DeadLettersService } from "./dead-letters.service.js";

@OperationGroup("conversations")
@Controller("api/messages")
export class MessageRetriesController {
  constructor(private readonly deadLetters: DeadLettersService) {}

  /**
   * Send a message again that was not delivered. Its `deliveryStatus` is `failed`, and stays so until it is sent. It gets the
   * full number of attempts. If it is already waiting to be sent, nothing changes.
   */
  @Post(":id/retry")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("It is in the queue")
  @Fails(409)
  retryMessage(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.deadLetters.retryMessage(caller, id);
  }
}
