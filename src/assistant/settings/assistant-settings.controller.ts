import { Body, Controller, Get, HttpCode, Param, Post, Put } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers } from "../../platform/http/openapi.js";
import { Tag } from "../../platform/http/openapi/tags.js";
import { IdPipe } from "../../platform/http/validation.js";
import { AssistantPreviewDto, AssistantSettingsDto, PutAssistantSettingsDto } from "./assistant-settings.dto.js";
import { AssistantSettingsService } from "./assistant-settings.service.js";

@Tag("Agents", ["assistantSettings", "tools", "procedures", "assistantTests"])
@Controller("api/workspaces/:workspaceId/assistant")
export class AssistantSettingsController {
  constructor(private readonly settings: AssistantSettingsService) {}

  /** Read when the assistant answers in a workspace. Three thresholds say when it answers, asks back or hands over. */
  @Get()
  @RequireScope("agents:read")
  @Answers(AssistantSettingsDto)
  get(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<AssistantSettingsDto>> {
    return this.settings.get(caller, workspaceId);
  }

  /** Replace when the assistant answers in a workspace. Thresholds that are left out get their defaults. */
  @Put()
  @RequireScope("agents:write")
  @Answers(AssistantSettingsDto)
  replace(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutAssistantSettingsDto,
  ): Promise<Json<AssistantSettingsDto>> {
    return this.settings.put(caller, workspaceId, body);
  }

  /**
   * Preview thresholds with the last 200 questions. You see what they would have decided, and which questions they decide
   * otherwise than the present ones, as without a language model. Nothing changes.
   */
  @Post("preview")
  @HttpCode(200)
  @RequireScope("agents:read")
  @Answers(AssistantPreviewDto)
  preview(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutAssistantSettingsDto,
  ): Promise<Json<AssistantPreviewDto>> {
    return this.settings.preview(caller, workspaceId, body);
  }
}
