import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, CurrentMember, RequireScope } from "../../auth/access/access.js";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersList, AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  AssistantTestDto,
  AssistantTestRunDto,
  CreateAssistantTestDto,
  RehearsedConversationDto,
  RehearseDto,
  RunAssistantTestsDto,
  UpdateAssistantTestDto,
} from "./rehearsal.dto.js";
import { RehearsalService } from "./rehearsal.service.js";

@OperationGroup("assistantTests")
@Controller("api/workspaces/:workspaceId/assistant-tests")
export class WorkspaceAssistantTestsController {
  constructor(private readonly rehearsal: RehearsalService) {}

  /** List the assistant's tests, by name. A workspace has at most 100. */
  @Get()
  @RequireScope("agents:read")
  @AnswersList(AssistantTestDto)
  list(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<AssistantTestDto[]>> {
    return this.rehearsal.list(caller, workspaceId);
  }

  /** Create a test, or save a conversation as one. */
  @Post()
  @AdminsOnly()
  @Answers(AssistantTestDto, { status: 201 })
  create(
    @CurrentMember() caller: MemberCaller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: CreateAssistantTestDto,
  ): Promise<Json<AssistantTestDto>> {
    return this.rehearsal.create(caller, workspaceId, body);
  }

  /**
   * Run tests, against what is in use or a draft. They are played soon: read the run until it is `done`. Nothing is sent, no tool
   * is called, and no language model is asked. At most 10 runs of a workspace wait at once (409).
   */
  @Post("run")
  @AdminsOnly()
  @Answers(AssistantTestRunDto, { status: 201 })
  run(
    @CurrentMember() caller: MemberCaller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: RunAssistantTestsDto,
  ): Promise<Json<AssistantTestRunDto>> {
    return this.rehearsal.run(caller, workspaceId, body);
  }
}

@OperationGroup("assistantTests")
@Controller("api/assistant-tests")
export class AssistantTestsController {
  constructor(private readonly rehearsal: RehearsalService) {}

  /** Read a run. The newest 50 are kept, for 30 days. */
  @Get("runs/:id")
  @RequireScope("agents:read")
  @Answers(AssistantTestRunDto)
  getRun(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<AssistantTestRunDto>> {
    return this.rehearsal.getRun(caller, id);
  }

  /** List the conversations that a rehearsal changes. */
  @Get("runs/:id/conversations")
  @RequireScope("conversations:read")
  @AnswersPage(RehearsedConversationDto)
  listChanged(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<RehearsedConversationDto>>> {
    return this.rehearsal.listChanged(caller, id, query);
  }

  /** Read one test. */
  @Get(":id")
  @RequireScope("agents:read")
  @Answers(AssistantTestDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<AssistantTestDto>> {
    return this.rehearsal.get(caller, id);
  }

  /** Change a test. Its last result is forgotten. */
  @Patch(":id")
  @AdminsOnly()
  @Answers(AssistantTestDto)
  update(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateAssistantTestDto,
  ): Promise<Json<AssistantTestDto>> {
    return this.rehearsal.update(caller, id, body);
  }

  /** Delete a test. */
  @Delete(":id")
  @AdminsOnly()
  @AnswersOk()
  delete(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.rehearsal.delete(caller, id);
  }
}

@OperationGroup("assistantTests")
@Controller("api/workspaces/:workspaceId/assistant-rehearsal")
export class AssistantRehearsalController {
  constructor(private readonly rehearsal: RehearsalService) {}

  /**
   * Rehearse a draft. The tests and the conversations of the last 30 days are played soon, as a run of tests is: read the run until
   * it is `done`.
   */
  @Post()
  @AdminsOnly()
  @Answers(AssistantTestRunDto, { status: 201 })
  rehearse(
    @CurrentMember() caller: MemberCaller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() { draft }: RehearseDto,
  ): Promise<Json<AssistantTestRunDto>> {
    return this.rehearsal.rehearse(caller, workspaceId, draft);
  }
}
