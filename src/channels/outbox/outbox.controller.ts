import { Controller, Get, HttpCode, Param, Post, Query } from "@nestjs/common";
import { AdminsOnly, CurrentMember } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { AnswersOk, AnswersPage, Fails } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { IdPipe } from "../../platform/http/validation.js";
import { ListOutboxDto, OutboxMessageDto } from "../../platform/outbox/outbox.dto.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import { DeadLettersService } from "./dead-letters.service.js";

@Tag("Outbox", ["outbox"], { order: 280, description: "Messages that wait to be sent, or that could not be sent." })
@Controller("api/outbox")
export class OutboxController {
  constructor(
    private readonly outbox: OutboxService,
    private readonly deadLetters: DeadLettersService,
  ) {}

  /** List outgoing messages, newest first. By default only those that were given up. The texts are not shown. */
  @Get()
  @AdminsOnly()
  @AnswersPage(OutboxMessageDto)
  list(
    @CurrentMember() caller: MemberCaller,
    @Query() { status = "dead", ...paging }: ListOutboxDto,
  ): Promise<Json<Page<OutboxMessageDto>>> {
    return this.outbox.list(caller, status, paging);
  }

  /**
   * Send a message again that was given up. It gets the full number of attempts. If it is already waiting to be sent,
   * nothing changes.
   */
  @Post(":id/retry")
  @HttpCode(200)
  @AdminsOnly()
  @AnswersOk("It is in the queue")
  @Fails(409)
  retry(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.deadLetters.retry(caller, id);
  }
}
