import { Controller, Get, Param } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers, Fails } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { KbEntryImpactDto } from "./impact.dto.js";
import { ImpactService } from "./impact.service.js";

@OperationGroup("kbEntries")
@Controller("api/kb-entries/:id/impact")
export class ImpactController {
  constructor(private readonly impact: ImpactService) {}

  /**
   * Preview what an entry changes. The questions of the last 30 days are asked again with and without the entry, as the
   * assistant would. Nothing changes. An entry that is rejected or archived is 409.
   */
  @Get()
  @RequireScope("kb:read")
  @Fails(409)
  @Answers(KbEntryImpactDto)
  getImpact(@CurrentCaller() caller: Caller, @Param("id", IdPipe) id: string): Promise<Json<KbEntryImpactDto>> {
    return this.impact.preview(caller, id);
  }
}
