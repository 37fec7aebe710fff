import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, CurrentMember, RequireScope } from "../../auth/access/access.js";
import type { Caller, MemberCaller } from "../../platform/caller/caller.js";
import type { Json, Ok, Page } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, AnswersOk, AnswersPage } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { CreateToolDto, ToolDto, UpdateToolDto } from "./tools.dto.js";
import { ToolsService } from "./tools.service.js";

@OperationGroup("tools")
@Controller("api/workspaces/:workspaceId/tools")
export class WorkspaceToolsController {
  constructor(private readonly tools: ToolsService) {}

  /** List the tools of a workspace, by name. An agent uses those that it lists in `tools`. */
  @Get()
  @RequireScope("agents:read")
  @AnswersPage(ToolDto)
  list(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<ToolDto>>> {
    return this.tools.list(caller, workspaceId, query);
  }

  /**
   * Create a tool. Parley calls it with the arguments, and says for which contact and conversation. A workspace has at most
   * 200.
   */
  @Post()
  @AdminsOnly()
  @Answers(ToolDto, { status: 201 })
  create(
    @CurrentMember() caller: MemberCaller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: CreateToolDto,
  ): Promise<Json<ToolDto>> {
    return this.tools.create(caller, workspaceId, body);
  }
}

@OperationGroup("tools")
@Controller("api/tools")
export class ToolsController {
  constructor(private readonly tools: ToolsService) {}

  /** Change a tool. Calls that wait for an approval have to be looked at again. */
  @Patch(":id")
  @AdminsOnly()
  @Answers(ToolDto)
  update(
    @CurrentMember() caller: MemberCaller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateToolDto,
  ): Promise<Json<ToolDto>> {
    return this.tools.update(caller, id, body);
  }

  /** Delete a tool. Calls that wait for an approval are not made any more. */
  @Delete(":id")
  @AdminsOnly()
  @AnswersOk()
  delete(@CurrentMember() caller: MemberCaller, @Param("id", IdPipe) id: string): Promise<Json<Ok>> {
    return this.tools.delete(caller, id);
  }
}
