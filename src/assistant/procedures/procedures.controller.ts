import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, CurrentMember, RequireScope } from "../../auth/access/access.js";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  CreateProcedureDto,
  ProcedureDto,
  TriedProcedureDto,
  TryProcedureDto,
  UpdateProcedureDto,
} from "./procedures.dto.js";
import { ProceduresService } from "./procedures.service.js";

@OperationGroup("procedures")
@Controller("api/workspaces/:workspaceId/procedures")
export class WorkspaceProceduresController {
  constructor(private readonly procedures: ProceduresService) {}

  /** List the procedures of a workspace, by name. */
  @Get()
  @RequireScope("agents:read")
  @AnswersPage(ProcedureDto)
  list(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<ProcedureDto>>> {
    return this.procedures.list(caller, workspaceId, query);
  }

  /**
   * Create a procedure. The tools and the entries that it names must exist in the workspace. A workspace has at most 100.
   */
  @Post()
  @AdminsOnly()
  @Answers(ProcedureDto, { status: 201 })
  create(
    @CurrentMember() caller: MemberCaller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: CreateProcedureDto,
  ): Promise<Json<ProcedureDto>> {
    return this.procedures.create(caller, workspaceId, body);
  }
}

@OperationGroup("procedures")
@Controller("api/procedures")
export class ProceduresController {
  constructor(private readonly procedures: ProceduresService) {}

  /** Read one procedure. */
  @Get(":id")
  @RequireScope("agents:read")
  @Answers(ProcedureDto)
  get(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<ProcedureDto>> {
    return this.procedures.get(caller, id);
  }

  /** Change a procedure. Conversations that are in it go on with the steps that they began with. */
  @Patch(":id")
  @AdminsOnly()
  @Answers(ProcedureDto)
  update(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateProcedureDto,
  ): Promise<Json<ProcedureDto>> {
    return this.procedures.update(caller, id, body);
  }

  /** Delete a procedure. Conversations that are in it leave it. */
  @Delete(":id")
  @AdminsOnly()
  @AnswersOk()
  delete(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.procedures.delete(caller, id);
  }

  /** Try a procedure. No tool is called, and nothing is sent or kept: you say what the tools answer. */
  @Post(":id/try")
  @AdminsOnly()
  @HttpCode(200)
  @Answers(TriedProcedureDto)
  try(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: TryProcedureDto,
  ): Promise<Json<TriedProcedureDto>> {
    return this.procedures.try(caller, id, body);
  }
}
