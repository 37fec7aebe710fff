import { Body, Controller, Get, Param, Put } from "@nestjs/common";
import { AdminsOnly, CurrentCaller } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationId } from "../../platform/http/operation-id.js";
import { Answers } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  IdentitySettingsDto,
  PutIdentitySettingsDto,
  PutRetentionSettingsDto,
  RetentionSettingsDto,
} from "./identity-settings.dto.js";
import { IdentitySettingsService } from "./identity-settings.service.js";

@Controller("api/workspaces/:workspaceId")
export class IdentitySettingsController {
  constructor(private readonly settings: IdentitySettingsService) {}

  /** Read how the workspace proves who is calling. These are caps, lifetimes and allowed factors. */
  @Get("identity-settings")
  @AdminsOnly()
  @Answers(IdentitySettingsDto)
  get(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<IdentitySettingsDto>> {
    return this.settings.get(caller, workspaceId);
  }

  /** Replace how the workspace proves who is calling. Fields that you omit get their default. */
  @Put("identity-settings")
  @AdminsOnly()
  @Answers(IdentitySettingsDto)
  replace(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutIdentitySettingsDto,
  ): Promise<Json<IdentitySettingsDto>> {
    return this.settings.put(caller, workspaceId, body);
  }

  /** Read how long the workspace keeps identity events. */
  @Get("retention-settings")
  @AdminsOnly()
  @Answers(RetentionSettingsDto)
  @OperationId("retentionSettings.get")
  getRetention(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<RetentionSettingsDto>> {
    return this.settings.getRetention(caller, workspaceId);
  }

  /**
   * Replace how long the workspace keeps identity events. A field that you omit gets its default. The next daily run
   * deletes events that are now too old, for good.
   */
  @Put("retention-settings")
  @AdminsOnly()
  @Answers(RetentionSettingsDto)
  @OperationId("retentionSettings.replace")
  putRetention(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutRetentionSettingsDto,
  ): Promise<Json<RetentionSettingsDto>> {
    return this.settings.putRetention(caller, workspaceId, body);
  }
}
