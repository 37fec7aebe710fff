import { Body, Controller, HttpCode, Param, Post } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  MessagesSummaryDto,
  RewriteTextDto,
  RewrittenTextDto,
  SummariseMessagesDto,
  TranslateMessageDto,
} from "./writing.dto.js";
import { WritingService } from "./writing.service.js";

@OperationGroup("conversations")
@Controller("api")
export class WritingController {
  constructor(private readonly writing: WritingService) {}

  /**
   * Rewrite a text for a reply. The language model sees this text and nothing of the conversation. Links that do not stand in it
   * are removed. Nothing is sent or kept.
   */
  @Post("conversations/:id/rewrite")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(RewrittenTextDto)
  rewriteText(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: RewriteTextDto,
  ): Promise<Json<RewrittenTextDto>> {
    return this.writing.rewrite(caller, id, body);
  }

  /**
   * Summarise the messages of a conversation. Each sentence of the language model names a message and quotes it. For colleagues:
   * notes are read too. Nothing is kept.
   */
  @Post("conversations/:id/summary")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(MessagesSummaryDto)
  summariseMessages(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { language }: SummariseMessagesDto,
  ): Promise<Json<MessagesSummaryDto>> {
    return this.writing.summarise(caller, id, language);
  }

  /** Translate a message. The language model translates it for whoever reads it. The message stays as it is, and nothing is kept. */
  @Post("messages/:id/translation")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @Answers(RewrittenTextDto)
  translateMessage(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() { language }: TranslateMessageDto,
  ): Promise<Json<RewrittenTextDto>> {
    return this.writing.translate(caller, id, language);
  }
}
