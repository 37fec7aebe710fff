import { Controller, Get, Param, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json, Page } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { AnswersPage } from "../../platform/http/openapi.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AssigneeDto } from "./actions.dto.js";
import { ActionsService } from "./actions.service.js";

@OperationGroup("conversations")
@Controller("api/workspaces/:workspaceId/assignees")
export class AssigneesController {
  constructor(private readonly actions: ActionsService) {}

  /** List who can be given a conversation. You get the members who work in the workspace, by name, present or not. */
  @Get()
  @RequireScope("conversations:read")
  @AnswersPage(AssigneeDto)
  listAssignees(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Query() query: PagingDto,
  ): Promise<Json<Page<AssigneeDto>>> {
    return this.actions.listAssignees(caller, workspaceId, query);
  }
}
