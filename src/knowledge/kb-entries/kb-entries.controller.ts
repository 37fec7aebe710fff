import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from "@nestjs/common";
import { CurrentCaller, RecentSignIn, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { Answers, AnswersList, AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { EntrySearchService } from "../review/entry-search.service.js";
import { ExportDto, ExportPartDto } from "../review/import.dto.js";
import { ApproveEntryDto, ListEntriesDto, RejectEntryDto, SearchDto } from "../review/reviewed-entry.dto.js";
import {
  CreateKbEntryDto,
  UpdateKbEntryDto,
  ImportKbEntriesDto,
  KbEntryCreatedDto,
  KbEntryDto,
  KbEntryVersionDto,
  FoundKbEntryDto,
  KbImportReportDto,
  PendingKbEntriesDto,
  SimilarKbEntryDto,
} from "./kb-entries.dto.js";
import type { KbSaid } from "./kb-entries.queries.js";
import { KbEntriesService } from "./kb-entries.service.js";

@Tag("Knowledge base", ["kbEntries"], {
  order: 90,
  description: "Questions and answers that the assistant draws on. A person reviews what is proposed.",
})
@Controller("api")
export class KbEntriesController {
  constructor(
    private readonly entries: KbEntriesService,
    private readonly finder: EntrySearchService<KbEntryDto, KbSaid>,
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
  listPending(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: PendingKbEntriesDto,
  ): Promise<Json<KbEntryDto[]>> {
    return this.entries.workflow.pending(caller, workspaceId, query);
  }

  /**
   * Find approved entries that answer a question. The wording does not matter. The best match comes first. The search
   * shows changes immediately and leaves out expired entries.
   */
  @Get("workspaces/:workspaceId/kb-entries/search")
  @RequireScope("kb:read")
  @AnswersPage(FoundKbEntryDto)
  search(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: SearchDto,
  ): Promise<Json<Page<FoundKbEntryDto>>> {
    return this.finder.page(caller, workspaceId, query);
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

  /** List the versions of an entry, newest first. Each has its author and reason. */
  @Get("kb-entries/:id/versions")
  @RequireScope("kb:read")
  @AnswersPage(KbEntryVersionDto)
  listVersions(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<KbEntryVersionDto>>> {
    return this.entries.workflow.versions(caller, id, query);
  }

  /**
   * List entries for nearly the same question. Approved and pending entries are compared. They are likely duplicates
   * and contradictions, the most similar first.
   */
  @Get("kb-entries/:id/similar")
  @RequireScope("kb:read")
  @AnswersPage(SimilarKbEntryDto)
  listSimilar(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<SimilarKbEntryDto>>> {
    return this.finder.similar(caller, id, query);
  }

  /**
   * Edit an entry before it is approved. The edit becomes its next version. A reviewed entry cannot be edited: 409.
   */
  @Patch("kb-entries/:id")
  @RequireScope("kb:write")
  @Answers(KbEntryDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateKbEntryDto,
  ): Promise<Json<KbEntryDto>> {
    return this.entries.workflow.edit(caller, id, body);
  }

  /** Delete an entry in any state, with its versions. */
  @Delete("kb-entries/:id")
  @RequireScope("kb:write")
  @AnswersOk("Deleted")
  delete(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
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
  approve(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: ApproveEntryDto,
  ): Promise<Json<Ok>> {
    return this.entries.workflow.approve(caller, id, body);
  }

  /** Reject a pending entry. A reason is optional. */
  @Post("kb-entries/:id/reject")
  @HttpCode(200)
  @RequireScope("kb:write")
  @AnswersOk("Rejected")
  reject(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: RejectEntryDto,
  ): Promise<Json<Ok>> {
    return this.entries.workflow.reject(caller, id, body);
  }
}
