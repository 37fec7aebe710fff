import { Body, Controller, Get, Param, Put } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../../auth/access/access.js";
import type { Caller } from "../../../platform/caller/caller.js";
import type { Json } from "../../../platform/http/json.js";
import { Answers } from "../../../platform/http/openapi.js";
import { IdPipe } from "../../../platform/http/validation.js";
import { CsatConfigDto, PutCsatConfigDto } from "./csat-config.dto.js";
import { CsatConfigService } from "./csat-config.service.js";

@Controller("api/workspaces/:workspaceId/csat-config")
export class CsatConfigController {
  constructor(private readonly config: CsatConfigService) {}

  /**
   * Read the survey configuration of a workspace. It says whether, when and what the survey asks contacts after a
   * conversation.
   */
  @Get()
  @RequireScope("quality:read")
  @Answers(CsatConfigDto)
  get(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<CsatConfigDto>> {
    return this.config.get(caller, workspaceId);
  }

  /** Replace the survey configuration of a workspace. Fields that are left out get their defaults. */
  @Put()
  @RequireScope("quality:write")
  @Answers(CsatConfigDto)
  replace(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutCsatConfigDto,
  ): Promise<Json<CsatConfigDto>> {
    return this.config.put(caller, workspaceId, body);
  }
}
