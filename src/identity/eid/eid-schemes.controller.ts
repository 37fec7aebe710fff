import { Body, Controller, Get, Param, Put } from "@nestjs/common";
import { AdminsOnly, CurrentCaller } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { Answers } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { EidSchemesDto, PutEidSchemesDto } from "./eid-schemes.dto.js";
import { EidSchemesService } from "./eid-schemes.service.js";

@Controller("api/workspaces/:workspaceId/eid-schemes")
export class EidSchemesController {
  constructor(private readonly schemes: EidSchemesService) {}

  /** Read the eID schemes that the workspace accepts. */
  @Get()
  @AdminsOnly()
  @Answers(EidSchemesDto)
  get(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<EidSchemesDto>> {
    return this.schemes.get(caller, workspaceId);
  }

  /**
   * Replace all eID schemes. A scheme without `clientSecret` keeps the one stored under its name. Approvals that wait
   * for a scheme that you remove, or give another issuer, end as expired.
   */
  @Put()
  @AdminsOnly()
  @Answers(EidSchemesDto)
  replace(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutEidSchemesDto,
  ): Promise<Json<EidSchemesDto>> {
    return this.schemes.put(caller, workspaceId, body);
  }
}
