import { Body, Controller, Delete, Get, Param, Put } from "@nestjs/common";
import { CurrentMember, DeskMembersOnly } from "../../auth/access/access.js";
import type { MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersOk, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { DraftDto, SaveDraftDto } from "./drafts.dto.js";
import { DraftsService } from "./drafts.service.js";

@OperationGroup("conversations")
@Controller("api/conversations/:id/draft")
export class DraftsController {
  constructor(private readonly drafts: DraftsService) {}

  /**
   * Read your draft in a conversation. You have one in each; nobody else can read it. If you have none, the body is empty and
   * `updatedAt` is null.
   */
  @Get()
  @DeskMembersOnly()
  @Answers(DraftDto)
  getDraft(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<DraftDto>> {
    return this.drafts.get(caller, id);
  }

  /**
   * Save your draft in a conversation. It replaces the draft before. Give `ifUpdatedAt` so that two tabs do not overwrite
   * each other. A reply or note with `draftUpdatedAt` removes the draft. A draft that nobody touches for 90 days is
   * deleted.
   */
  @Put()
  @DeskMembersOnly()
  @Answers(DraftDto)
  @Fails(409)
  saveDraft(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: SaveDraftDto,
  ): Promise<Json<DraftDto>> {
    return this.drafts.save(caller, id, body);
  }

  /** Delete your draft in a conversation. If you have none, nothing happens. */
  @Delete()
  @DeskMembersOnly()
  @AnswersOk()
  deleteDraft(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.drafts.remove(caller, id);
  }
}
