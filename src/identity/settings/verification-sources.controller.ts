import { Body, Controller, Get, Param, Put } from "@nestjs/common";
import { AdminsOnly, CurrentCaller } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { PutVerificationSourcesDto, VerificationSourcesDto } from "./verification-sources.dto.js";
import { VerificationSourcesService } from "./verification-sources.service.js";

@Controller("api/workspaces/:workspaceId/verification-sources")
export class VerificationSourcesController {
  constructor(private readonly sources: VerificationSourcesService) {}

  /** Read where the right answers to questions come from. */
  @Get()
  @AdminsOnly()
  @Answers(VerificationSourcesDto)
  get(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<VerificationSourcesDto>> {
    return this.sources.get(caller, workspaceId);
  }

  /** Replace all verification sources. A source without `credentials` keeps those stored under its name. */
  @Put()
  @AdminsOnly()
  @Answers(VerificationSourcesDto)
  replace(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutVerificationSourcesDto,
  ): Promise<Json<VerificationSourcesDto>> {
    return this.sources.put(caller, workspaceId, body);
  }
}
