import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { CurrentCaller, RecentSignIn, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { Answers, AnswersList, AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { EntrySearch } from "../review/entry-search.service.js";
import { ExportDto, ExportPartDto } from "../review/import.dto.js";
import { ListEntriesDto, PendingDto, RejectDto, SearchDto } from "../review/reviewed-entry.dto.js";
import {
  CreateKbEntryDto,
  EditKbEntryDto,
  ImportKbEntriesDto,
  KbEntryCreatedDto,
  KbEntryDto,
  KbEntryVersionDto,
  KbHitDto,
  KbImportReportDto,
  SimilarDto,
} from "./kb-entries.dto.js";
import type { KbSaid } from "./kb-entries.queries.js";
import { KbEntriesService } from "./kb-entries.service.js";

@ApiTags("Knowledge base")
@Controller("api")
export class KbEntriesController {
  constructor(
    private readonly entries: KbEntriesService,
    private readonly finder: EntrySearch<KbEntryDto, KbSaid>,
  ) {}

  /** List the knowledge base entries of a workspace, newest first. */
  @Get("workspaces/:workspaceId/kb-entries")
  @RequireScope("kb:read")
  @AnswersPage(KbEntryDto)
  list(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: ListEntriesDto,
  ): Promise<Json<Page<KbEntryDto>>> {
    return this.entries.workflow.list(caller, workspaceId, query);
  }

  /** List the entries that wait for approval, oldest first. */
  @Get("workspaces/:workspaceId/kb-entries/pending")
  @RequireScope("kb:read")
  @AnswersList(KbEntryDto)
  pending(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: PendingDto,
  ): Promise<Json<KbEntryDto[]>> {
    return this.entries.workflow.pending(caller, workspaceId, query);
  }

  /**
   * Find approved entries that answer a question, whatever the wording. The best match comes first. The search shows
   * changes immediately and leaves out expired entries.
   */
  @Get("workspaces/:workspaceId/kb-entries/search")
  @RequireScope("kb:read")
  @AnswersList(KbHitDto)
  search(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: SearchDto,
  ): Promise<Json<KbHitDto[]>> {
    return this.finder.search(caller, workspaceId, query);
  }

  /**
   * Import entries line by line. Valid lines are imported. The answer lists the invalid lines, and likely duplicates
   * and contradictions.
   */
  @Post("workspaces/:workspaceId/kb-entries/import")
  @HttpCode(200)
  @RequireScope("kb:write")
  @Answers(KbImportReportDto)
  import(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: ImportKbEntriesDto,
  ): Promise<Json<KbImportReportDto>> {
    return this.entries.lines.import(caller, workspaceId, body);
  }

  /** Export entries in the import format, a thousand at a time. */
  @Get("workspaces/:workspaceId/kb-entries/export")
  @RequireScope("kb:read")
  @RecentSignIn()
  @Answers(ExportPartDto)
  export(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: ExportDto,
  ): Promise<Json<ExportPartDto>> {
    return this.entries.lines.export(caller, workspaceId, query);
  }

  /** Read one entry. */
  @Get("kb-entries/:id")
  @RequireScope("kb:read")
  @Answers(KbEntryDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<KbEntryDto>> {
    return this.entries.workflow.get(caller, id);
  }

  /** Create an entry, approved or pending. The answer lists likely duplicates and contradictions. */
  @Post("workspaces/:workspaceId/kb-entries")
  @RequireScope("kb:write")
  @Answers(KbEntryCreatedDto, { status: 201 })
  create(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: CreateKbEntryDto,
  ): Promise<Json<KbEntryCreatedDto>> {
    return this.entries.create(caller, workspaceId, body);
  }

  /** List the versions of an entry, newest first, with the author and reason of each. */
  @Get("kb-entries/:id/versions")
  @RequireScope("kb:read")
  @AnswersList(KbEntryVersionDto)
  versions(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<KbEntryVersionDto[]>> {
    return this.entries.workflow.versions(caller, id);
  }

  /** List approved and pending entries for nearly the same question: likely duplicates and contradictions. */
  @Get("kb-entries/:id/similar")
  @RequireScope("kb:read")
  @AnswersList(SimilarDto)
  similar(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<SimilarDto[]>> {
    return this.finder.similar(caller, id);
  }

  /**
   * Edit an entry before it is approved. The edit becomes its next version. A reviewed entry cannot be edited: 409.
   */
  @Patch("kb-entries/:id")
  @RequireScope("kb:write")
  @Answers(KbEntryDto)
  edit(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: EditKbEntryDto,
  ): Promise<Json<KbEntryDto>> {
    return this.entries.workflow.edit(caller, id, body);
  }

  /** Delete an entry in any state, with its versions. */
  @Delete("kb-entries/:id")
  @RequireScope("kb:write")
  @AnswersOk("Deleted")
  remove(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.entries.workflow.remove(caller, id);
  }

  /** Archive an approved entry. It is kept, but searches no longer find it. */
  @Post("kb-entries/:id/archive")
  @HttpCode(200)
  @RequireScope("kb:write")
  @AnswersOk("Archived")
  archive(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.entries.workflow.archive(caller, id);
  }

  /**
   * Approve a pending entry. If several requests come at the same time, one succeeds. An entry that is no longer
   * pending is 409 and does not change.
   */
  @Post("kb-entries/:id/approve")
  @HttpCode(200)
  @RequireScope("kb:write")
  @AnswersOk("Approved")
  approve(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.entries.workflow.approve(caller, id);
  }

  /** Reject a pending entry. A reason is optional. */
  @Post("kb-entries/:id/reject")
  @HttpCode(200)
  @RequireScope("kb:write")
  @AnswersOk("Rejected")
  reject(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string, @Body() body: RejectDto): Promise<Json<Ok>> {
    return this.entries.workflow.reject(caller, id, body);
  }
}
