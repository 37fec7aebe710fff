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
import {
  ApproveEntryDto,
  ListEntriesDto,
  PendingDto,
  RejectEntryDto,
  SearchDto,
} from "../review/reviewed-entry.dto.js";
import { EvaluatePolicyDto, PolicyEvaluationDto } from "./evaluation.dto.js";
import { EvaluationService } from "./evaluation.service.js";
import {
  CreatePolicyEntryDto,
  UpdatePolicyEntryDto,
  ImportPolicyEntriesDto,
  PolicyEntryCreatedDto,
  PolicyEntryDto,
  PolicyEntryVersionDto,
  FoundPolicyEntryDto,
  PolicyImportReportDto,
  SimilarPolicyEntryDto,
} from "./policy-entries.dto.js";
import type { PolicySaid } from "./policy-entries.queries.js";
import { PolicyEntriesService } from "./policy-entries.service.js";

@Tag("Policies", ["policyEntries"], {
  order: 100,
  description: "Rules about what the assistant may do. A person reviews what is proposed.",
})
@Controller("api")
export class PolicyEntriesController {
  constructor(
    private readonly entries: PolicyEntriesService,
    private readonly finder: EntrySearchService<PolicyEntryDto, PolicySaid>,
    private readonly evaluation: EvaluationService,
  ) {}

  /** List the policies of a workspace, newest first. */
  @Get("workspaces/:workspaceId/policy-entries")
  @RequireScope("policy:read")
  @AnswersPage(PolicyEntryDto)
  list(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: ListEntriesDto,
  ): Promise<Json<Page<PolicyEntryDto>>> {
    return this.entries.workflow.list(caller, workspaceId, query);
  }

  /** List the policies that wait for approval, oldest first. */
  @Get("workspaces/:workspaceId/policy-entries/pending")
  @RequireScope("policy:read")
  @AnswersList(PolicyEntryDto)
  listPending(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: PendingDto,
  ): Promise<Json<PolicyEntryDto[]>> {
    return this.entries.workflow.pending(caller, workspaceId, query);
  }

  /**
   * Find approved policies by meaning. The wording does not matter. The best match comes first. The search covers the
   * titles and each line of the rules. It shows changes immediately and leaves out expired policies.
   */
  @Get("workspaces/:workspaceId/policy-entries/search")
  @RequireScope("policy:read")
  @AnswersPage(FoundPolicyEntryDto)
  search(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: SearchDto,
  ): Promise<Json<Page<FoundPolicyEntryDto>>> {
    return this.finder.page(caller, workspaceId, query);
  }

  /**
   * Evaluate which rules apply to a tool in this context. You get what the approved and valid rules require, and why.
   * The applying rule with the highest priority decides. Among equal priorities the strictest decides: deny,
   * escalate, require_approval, allow. If no rule applies, the effect is `allow`. An evaluation changes nothing.
   */
  @Post("workspaces/:workspaceId/policy-entries/evaluate")
  @HttpCode(200)
  @RequireScope("policy:read")
  @Answers(PolicyEvaluationDto)
  evaluate(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: EvaluatePolicyDto,
  ): Promise<Json<PolicyEvaluationDto>> {
    return this.evaluation.evaluate(caller, workspaceId, body);
  }

  /**
   * Import policies line by line. Valid lines are imported. The answer lists the invalid lines, and likely duplicates
   * and contradictions.
   */
  @Post("workspaces/:workspaceId/policy-entries/import")
  @HttpCode(200)
  @RequireScope("policy:write")
  @Answers(PolicyImportReportDto)
  import(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: ImportPolicyEntriesDto,
  ): Promise<Json<PolicyImportReportDto>> {
    return this.entries.lines.import(caller, workspaceId, body);
  }

  /** Export policies in the import format, a thousand at a time. */
  @Get("workspaces/:workspaceId/policy-entries/export")
  @RequireScope("policy:read")
  @RecentSignIn()
  @Answers(ExportPartDto)
  export(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: ExportDto,
  ): Promise<Json<ExportPartDto>> {
    return this.entries.lines.export(caller, workspaceId, query);
  }

  /** Read one policy. */
  @Get("policy-entries/:id")
  @RequireScope("policy:read")
  @Answers(PolicyEntryDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<PolicyEntryDto>> {
    return this.entries.workflow.get(caller, id);
  }

  /** Create a policy, approved or pending. The answer lists likely duplicates and contradictions. */
  @Post("workspaces/:workspaceId/policy-entries")
  @RequireScope("policy:write")
  @Answers(PolicyEntryCreatedDto, { status: 201 })
  create(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: CreatePolicyEntryDto,
  ): Promise<Json<PolicyEntryCreatedDto>> {
    return this.entries.create(caller, workspaceId, body);
  }

  /** List the versions of a policy, newest first. Each has its author and reason. */
  @Get("policy-entries/:id/versions")
  @RequireScope("policy:read")
  @AnswersPage(PolicyEntryVersionDto)
  listVersions(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<PolicyEntryVersionDto>>> {
    return this.entries.workflow.versions(caller, id, query);
  }

  /**
   * List policies with nearly the same title. Approved and pending policies are compared. They are likely duplicates
   * and contradictions, the most similar first.
   */
  @Get("policy-entries/:id/similar")
  @RequireScope("policy:read")
  @AnswersPage(SimilarPolicyEntryDto)
  listSimilar(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<SimilarPolicyEntryDto>>> {
    return this.finder.similar(caller, id, query);
  }

  /**
   * Edit a policy before it is approved. The edit becomes its next version. A reviewed policy cannot be edited: 409.
   */
  @Patch("policy-entries/:id")
  @RequireScope("policy:write")
  @Answers(PolicyEntryDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdatePolicyEntryDto,
  ): Promise<Json<PolicyEntryDto>> {
    return this.entries.workflow.edit(caller, id, body);
  }

  /** Delete a policy in any state, with its versions. */
  @Delete("policy-entries/:id")
  @RequireScope("policy:write")
  @AnswersOk("Deleted")
  delete(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.entries.workflow.remove(caller, id);
  }

  /** Archive an approved policy. It is kept, but searches no longer find it and evaluations no longer apply it. */
  @Post("policy-entries/:id/archive")
  @HttpCode(200)
  @RequireScope("policy:write")
  @AnswersOk("Archived")
  archive(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.entries.workflow.archive(caller, id);
  }

  /**
   * Approve a pending policy. If several requests come at the same time, one succeeds. A policy that is no longer
   * pending is 409 and does not change.
   */
  @Post("policy-entries/:id/approve")
  @HttpCode(200)
  @RequireScope("policy:write")
  @AnswersOk("Approved")
  approve(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: ApproveEntryDto,
  ): Promise<Json<Ok>> {
    return this.entries.workflow.approve(caller, id, body);
  }

  /** Reject a pending policy. A reason is optional. */
  @Post("policy-entries/:id/reject")
  @HttpCode(200)
  @RequireScope("policy:write")
  @AnswersOk("Rejected")
  reject(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: RejectEntryDto,
  ): Promise<Json<Ok>> {
    return this.entries.workflow.reject(caller, id, body);
  }
}
