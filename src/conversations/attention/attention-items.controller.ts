import { Controller, Get, HttpCode, Param, Post, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import { OneRead } from "../../auth/access/known-polls.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { Answers, AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AttentionItemDto, ListAttentionItemsDto } from "./attention-items.dto.js";
import { AttentionItemsService } from "./attention-items.service.js";

@Tag("Attention", ["attentionItems"], {
  order: 40,
  description: "What needs a person: handoffs, approvals, guardrails that blocked, and low ratings.",
})
@Controller("api/attention-items")
export class AttentionItemsController {
  constructor(private readonly items: AttentionItemsService) {}

  /**
   * List what needs a person, newest first. The same cause in one conversation stays one item while that item is
   * open.
   */
  @Get()
  @RequireScope("conversations:read")
  @OneRead()
  @AnswersPage(AttentionItemDto)
  list(@CurrentCaller() caller: Caller, @Query() query: ListAttentionItemsDto): Promise<Json<Page<AttentionItemDto>>> {
    return this.items.list(caller, query);
  }

  /** Read one attention item. */
  @Get(":id")
  @RequireScope("conversations:read")
  @OneRead()
  @Answers(AttentionItemDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<AttentionItemDto>> {
    return this.items.get(caller, id);
  }

  /**
   * Resolve an attention item. Resolving it again changes nothing. If its cause comes up again, a new item is raised.
   */
  @Post(":id/resolve")
  @HttpCode(200)
  @RequireScope("conversations:write")
  @AnswersOk("Resolved")
  resolve(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.items.resolve(caller, id);
  }
}
