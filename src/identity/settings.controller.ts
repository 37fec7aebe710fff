import { Body, Controller, Get, Param, Put } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { AdminsOnly, CurrentCaller } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json } from "../platform/http/json.js";
import { Answers } from "../platform/http/openapi.js";
import { IdPipe } from "../platform/http/validation.js";
import { EidSchemesDto, PutEidSchemesDto } from "./eid/eid-schemes.dto.js";
import { EidSchemesService } from "./eid/eid-schemes.service.js";
import {
  IdentitySettingsDto,
  PutIdentitySettingsDto,
  PutRetentionSettingsDto,
  RetentionSettingsDto,
} from "./settings/identity-settings.dto.js";
import { IdentitySettingsService } from "./settings/identity-settings.service.js";
import { PutVerificationSourcesDto, VerificationSourcesDto } from "./settings/verification-sources.dto.js";
import { VerificationSourcesService } from "./settings/verification-sources.service.js";

@ApiTags("Identity")
@Controller("api/workspaces/:workspaceId")
export class SettingsController {
  constructor(
    private readonly settings: IdentitySettingsService,
    private readonly sources: VerificationSourcesService,
    private readonly schemes: EidSchemesService,
  ) {}

  /** Read how the workspace proves who is calling: caps, lifetimes and allowed factors. */
  @Get("identity-settings")
  @AdminsOnly()
  @Answers(IdentitySettingsDto)
  identity(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<IdentitySettingsDto>> {
    return this.settings.get(caller, workspaceId);
  }

  /** Replace these settings. What is left out has its default again. */
  @Put("identity-settings")
  @AdminsOnly()
  @Answers(IdentitySettingsDto)
  putIdentity(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutIdentitySettingsDto,
  ): Promise<Json<IdentitySettingsDto>> {
    return this.settings.put(caller, workspaceId, body);
  }

  /** Read for how long the workspace keeps identity events. */
  @Get("retention-settings")
  @AdminsOnly()
  @Answers(RetentionSettingsDto)
  retention(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<RetentionSettingsDto>> {
    return this.settings.retention(caller, workspaceId);
  }

  /** Replace these settings. What is left out has its default again. Events that are older then are deleted by the next daily run, for good. */
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

  /** Read where the right answers of the workspace's questions come from. */
  @Get("verification-sources")
  @AdminsOnly()
  @Answers(VerificationSourcesDto)
  verificationSources(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<VerificationSourcesDto>> {
    return this.sources.get(caller, workspaceId);
  }

  /** Replace all sources. One that leaves `credentials` out keeps those stored under its name. */
  @Put("verification-sources")
  @AdminsOnly()
  @Answers(VerificationSourcesDto)
  putVerificationSources(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutVerificationSourcesDto,
  ): Promise<Json<VerificationSourcesDto>> {
    return this.sources.put(caller, workspaceId, body);
  }

  /** Read the eID schemes that the workspace accepts. */
  @Get("eid-schemes")
  @AdminsOnly()
  @Answers(EidSchemesDto)
  eidSchemes(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<EidSchemesDto>> {
    return this.schemes.get(caller, workspaceId);
  }

  /** Replace all schemes. One that leaves `clientSecret` out keeps the one stored under its name. What waits for an approval by a scheme that is removed, or that names another issuer, ends as expired. */
  @Put("eid-schemes")
  @AdminsOnly()
  @Answers(EidSchemesDto)
  putEidSchemes(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutEidSchemesDto,
  ): Promise<Json<EidSchemesDto>> {
    return this.schemes.put(caller, workspaceId, body);
  }
}
