import { Controller, Get, Param } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../auth/access/access.js";
import type { Caller } from "../../platform/caller/caller.js";
import type { Json } from "../../platform/http/json.js";
import { OperationGroup } from "../../platform/http/operation-id.js";
import { Answers } from "../../platform/http/openapi.js";
import { IdPipe } from "../../platform/http/validation.js";
import { KbGapsDto } from "./gaps.dto.js";
import { GapsService } from "./gaps.service.js";

@OperationGroup("kbEntries")
@Controller("api/workspaces/:workspaceId/kb-gaps")
export class GapsController {
  constructor(private readonly gaps: GapsService) {}

  /**
   * List what the knowledge base lacks. These are the questions of the last 30 days that the assistant handed over because no
   * entry answers them, grouped, the most frequent first. Once an approved entry answers a question, it is left out.
   */
  @Get()
  @RequireScope("conversations:read")
  @Answers(KbGapsDto)
  listGaps(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<KbGapsDto>> {
    return this.gaps.list(caller, workspaceId);
  }
}
