import { Controller, Get, Query } from "@nestjs/common";
import { AdminsOnly, CurrentMember } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import { notFound } from "../../platform/http/errors.js";
import type { Json, Page } from "../../platform/http/json.js";
import { AnswersPage, Fails } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { CapturedMessageDto } from "../../platform/outbox/outbox.dto.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";

@Tag("Test side", ["capturedMessages"], {
  order: 290,
  description: "What the test side would have sent. It sends nothing outside.",
})
@Controller("api/captured-messages")
export class CapturedMessagesController {
  constructor(private readonly outbox: OutboxService) {}

  /** List what the test side would have sent, newest first. On the live side, which really sends, this is 404. */
  @Get()
  @AdminsOnly()
  @AnswersPage(CapturedMessageDto)
  @Fails(404)
  async list(
    @CurrentMember() caller: MemberCaller,
    @Query() paging: PagingDto,
  ): Promise<Json<Page<CapturedMessageDto>>> {
    if (caller.environment === "live") throw notFound();
    return this.outbox.contents(caller, "captured", paging);
  }
}
