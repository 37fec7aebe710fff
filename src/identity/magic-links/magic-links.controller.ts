import { Body, Controller, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { MagicLinkSentDto, SendMagicLinkDto } from "./magic-links.dto.js";
import { MagicLinksService } from "./magic-links.service.js";

@OperationGroup("verification")
@Controller("api/conversations")
export class MagicLinksController {
  constructor(private readonly links: MagicLinksService) {}

  /**
   * Send the contact a link by email or SMS. Pressing the button behind it proves that the address is theirs. It raises the
   * level if the contact was created with the address, or has had it for `addressCoolOffHours`. This works while questions
   * are locked too. A new link replaces the conversation's earlier one. At most 5 links and codes are sent to one contact
   * in 10 minutes; then 429.
   */
  @Post(":id/verification/magic-links")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(MagicLinkSentDto)
  @Fails(409)
  sendMagicLink(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: SendMagicLinkDto,
  ): Promise<Json<MagicLinkSentDto>> {
    return this.links.send(caller, id, body);
  }
}
