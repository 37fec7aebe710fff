import { Controller, Get, Param, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../../auth/access/access.js";
import { AttachmentLinkDto } from "../../../conversations/attachments/attachments.dto.js";
import type { Caller } from "../../../platform/caller/caller.js";
import type { Json } from "../../../platform/http/json.js";
import { Answers, Fails } from "../../../platform/http/openapi.js";
import { OperationGroup } from "../../../platform/http/operation-id.js";
import { IdPipe } from "../../../platform/http/validation.js";
import { MailHtmlDto, ReadMailHtmlDto } from "./mail-view.dto.js";
import { MailViewService } from "./mail-view.service.js";

@OperationGroup("conversations")
@Controller("api/messages")
export class MailViewController {
  constructor(private readonly views: MailViewService) {}

  /** Read a mail as it was formatted. `htmlAvailable` says which messages have one; for others the answer is 404. */
  @Get(":id/html")
  @RequireScope("conversations:read")
  @Answers(MailHtmlDto)
  @Fails(409)
  mailHtml(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: ReadMailHtmlDto,
  ): Promise<Json<MailHtmlDto>> {
    return this.views.html(caller, id, query);
  }

  /** Read the mail itself, as it came. It has a URL that downloads the file for 5 minutes. 404 if all of it is in the message. */
  @Get(":id/original")
  @RequireScope("conversations:read")
  @Answers(AttachmentLinkDto)
  mailOriginal(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<AttachmentLinkDto>> {
    return this.views.original(caller, id);
  }
}
