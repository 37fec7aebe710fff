import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from "@nestjs/common";
import { CurrentMember, DeskMembersOnly, ReadersOnly } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { Answers, AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  CannedReplyDto,
  CreateCannedReplyDto,
  ListCannedRepliesDto,
  RenderCannedReplyDto,
  RenderedCannedReplyDto,
  UpdateCannedReplyDto,
} from "./canned-replies.dto.js";
import { CannedRepliesService } from "./canned-replies.service.js";

@Tag("Desk", ["cannedReplies", "views"], {
  order: 20,
  description: "What members keep for their work: canned replies and saved views.",
})
@Controller("api/canned-replies")
export class CannedRepliesController {
  constructor(private readonly replies: CannedRepliesService) {}

  /** List canned replies, by shortcut. You get those for all workspaces and those of your workspaces. */
  @Get()
  @ReadersOnly()
  @AnswersPage(CannedReplyDto)
  list(
    @CurrentMember() caller: MemberCaller,
    @Query() query: ListCannedRepliesDto,
  ): Promise<Json<Page<CannedReplyDto>>> {
    return this.replies.list(caller, query);
  }

  /**
   * Create a canned reply. Agents make them for their workspaces, owners and admins also for all workspaces. A side has at
   * most 1,000.
   */
  @Post()
  @DeskMembersOnly()
  @Answers(CannedReplyDto, { status: 201 })
  create(@CurrentMember() caller: MemberCaller, @Body() body: CreateCannedReplyDto): Promise<Json<CannedReplyDto>> {
    return this.replies.create(caller, body);
  }

  /** Change a canned reply. Owners and admins change all. An agent changes those that they made for a workspace of theirs. */
  @Patch(":id")
  @DeskMembersOnly()
  @Answers(CannedReplyDto)
  update(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateCannedReplyDto,
  ): Promise<Json<CannedReplyDto>> {
    return this.replies.update(caller, id, body);
  }

  /** Delete a canned reply. Owners and admins delete all. An agent deletes those that they made for a workspace of theirs. */
  @Delete(":id")
  @DeskMembersOnly()
  @AnswersOk()
  delete(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.replies.delete(caller, id);
  }

  /**
   * Fill in a canned reply for a conversation. The variables get the values that they have there. Put the text into the
   * composer; nothing is sent.
   */
  @Post(":id/render")
  @HttpCode(200)
  @DeskMembersOnly()
  @Answers(RenderedCannedReplyDto)
  render(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() { conversationId }: RenderCannedReplyDto,
  ): Promise<Json<RenderedCannedReplyDto>> {
    return this.replies.render(caller, id, conversationId);
  }
}
