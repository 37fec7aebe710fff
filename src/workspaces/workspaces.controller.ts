import { Body, Controller, Delete, Get, Param, Patch, Post } from "@nestjs/common";
import { AdminsOnly, CurrentCaller, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import { ROLES } from "../platform/caller/scope.js";
import type { Json, Ok } from "../platform/http/json.js";
import { Tag } from "../platform/http/openapi/tags.js";
import { OperationId } from "../platform/http/operation-id.js";
import { Answers, AnswersList, AnswersOk } from "../platform/http/openapi.js";
import { IdPipe } from "../platform/http/validation.js";
import { ChannelDto } from "./channel.dto.js";
import {
  BrandDto,
  CreateBrandDto,
  CreateWorkspaceDto,
  UpdateBrandDto,
  UpdateWorkspaceDto,
  WorkspaceDto,
  WorkspaceSummaryDto,
} from "./workspaces.dto.js";
import { WorkspacesService } from "./workspaces.service.js";

@Tag("Workspaces", ["workspaces", "brands", "logos"], {
  order: 200,
  description: "Brands and their workspaces. Nearly everything belongs to one workspace.",
})
@Controller("api")
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  /**
   * List the workspaces within your reach. Owners and admins see all of them, agents and observers the ones they are
   * assigned to, and billing users none.
   */
  @Get("workspaces")
  @RequireScope("workspaces:read", ROLES)
  @AnswersList(WorkspaceSummaryDto)
  list(@CurrentCaller() caller: Caller): Promise<Json<WorkspaceSummaryDto[]>> {
    return this.workspaces.list(caller);
  }

  /** Read one workspace in full. */
  @Get("workspaces/:workspaceId")
  @RequireScope("workspaces:read")
  @Answers(WorkspaceDto)
  get(@CurrentCaller() caller: Caller, @Param("workspaceId", IdPipe) id: string): Promise<Json<WorkspaceDto>> {
    return this.workspaces.get(caller, id);
  }

  /** List the channels of a workspace. */
  @Get("workspaces/:workspaceId/channels")
  @RequireScope("workspaces:read")
  @AnswersList(ChannelDto)
  @OperationId("channels.list")
  channels(@CurrentCaller() caller: Caller, @Param("workspaceId", IdPipe) id: string): Promise<Json<ChannelDto[]>> {
    return this.workspaces.channels(caller, id);
  }

  /** Create a workspace under a brand. It gets a web chat channel and an API channel. */
  @Post("workspaces")
  @RequireScope("workspaces:write")
  @Answers(WorkspaceDto, { status: 201 })
  create(@CurrentCaller() caller: Caller, @Body() body: CreateWorkspaceDto): Promise<Json<WorkspaceDto>> {
    return this.workspaces.create(caller, body);
  }

  /**
   * Change a workspace. You can change its name, language, time zone, assistant and status. Once a workspace is
   * archived, new conversations, messages and replies return 409. Returns 409 if the transition of the status is not
   * allowed; nothing changes.
   */
  @Patch("workspaces/:workspaceId")
  @RequireScope("workspaces:write")
  @Answers(WorkspaceDto)
  update(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) id: string,
    @Body() body: UpdateWorkspaceDto,
  ): Promise<Json<WorkspaceDto>> {
    return this.workspaces.update(caller, id, body);
  }

  /** Delete a workspace and everything in it, permanently. API keys that are restricted to it are revoked. */
  @Delete("workspaces/:workspaceId")
  @RequireScope("workspaces:write")
  @AnswersOk("Deleted")
  delete(@CurrentCaller() caller: Caller, @Param("workspaceId", IdPipe) id: string): Promise<Json<Ok>> {
    return this.workspaces.remove(caller, id);
  }

  /** List the brands of the workspaces within your reach. */
  @Get("brands")
  @RequireScope("workspaces:read")
  @AnswersList(BrandDto)
  @OperationId("brands.list")
  brands(@CurrentCaller() caller: Caller): Promise<Json<BrandDto[]>> {
    return this.workspaces.brands(caller);
  }

  /** Create a brand. */
  @Post("brands")
  @AdminsOnly()
  @Answers(BrandDto, { status: 201 })
  @OperationId("brands.create")
  createBrand(@CurrentCaller() caller: Caller, @Body() body: CreateBrandDto): Promise<Json<BrandDto>> {
    return this.workspaces.createBrand(caller, body);
  }

  /** Rename a brand. */
  @Patch("brands/:id")
  @AdminsOnly()
  @Answers(BrandDto)
  @OperationId("brands.update")
  updateBrand(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: UpdateBrandDto,
  ): Promise<Json<BrandDto>> {
    return this.workspaces.updateBrand(caller, id, body);
  }
}
