import { Body, Controller, HttpCode, Param, Post } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { MagicLinkSentDto, SendMagicLinkDto } from "./magic-links.dto.js";
import { MagicLinksService } from "./magic-links.service.js";

@ApiTags("Identity")
@Controller("api/conversations")
export class MagicLinksController {
  constructor(private readonly links: MagicLinksService) {}

  /**
   * Send the contact a link that proves, when they press the button behind it, that the mailbox is theirs. Works also while
   * questions are locked. A new link ends the conversation's earlier one. At most 5 for one contact in 10 minutes: 429.
   */
  @Post(":id/verification/magic-links")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(MagicLinkSentDto)
  @Fails(409)
  send(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: SendMagicLinkDto,
  ): Promise<Json<MagicLinkSentDto>> {
    return this.links.send(caller, id, body);
  }
}
