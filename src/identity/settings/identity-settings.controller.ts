import { Body, Controller, Get, Param, Put } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { AdminsOnly, CurrentCaller } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import {
  IdentitySettingsDto,
  PutIdentitySettingsDto,
  PutRetentionSettingsDto,
  RetentionSettingsDto,
} from "./identity-settings.dto.js";
import { IdentitySettingsService } from "./identity-settings.service.js";

@ApiTags("Identity")
@Controller("api/workspaces/:workspaceId")
export class IdentitySettingsController {
  constructor(private readonly settings: IdentitySettingsService) {}

  /** Read how the workspace proves who is calling: caps, lifetimes and allowed factors. */
  @Get("identity-settings")
  @AdminsOnly()
  @Answers(IdentitySettingsDto)
  get(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<IdentitySettingsDto>> {
    return this.settings.get(caller, workspaceId);
  }

  /** Replace these settings. Fields that you omit get their default. */
  @Put("identity-settings")
  @AdminsOnly()
  @Answers(IdentitySettingsDto)
  put(
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
  getRetention(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<RetentionSettingsDto>> {
    return this.settings.getRetention(caller, workspaceId);
  }

  /** Replace these settings. A field that you omit gets its default. The next daily run deletes events that are now too old, for good. */
  @Put("retention-settings")
  @AdminsOnly()
  @Answers(RetentionSettingsDto)
  putRetention(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutRetentionSettingsDto,
  ): Promise<Json<RetentionSettingsDto>> {
    return this.settings.putRetention(caller, workspaceId, body);
  }
}
