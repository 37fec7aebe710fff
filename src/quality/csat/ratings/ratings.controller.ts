import { Controller, Get, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../../../auth/access/access.js";
import type { Caller } from "../../../platform/caller/caller.js";
import type { Json, Page } from "../../../platform/http/json.js";
import { Tag } from "../../../platform/http/openapi/tags.js";
import { OperationGroup } from "../../../platform/http/operation-id.js";
import { Answers, AnswersPage } from "../../../platform/http/openapi.js";
import { CsatQueryDto, CsatRatingDto, CsatStatisticsDto, ListRatingsDto } from "./ratings.dto.js";
import { RatingsService } from "./ratings.service.js";

@OperationGroup("csat")
@Tag("Quality", ["csat", "csatConfig", "csatPages", "qualityScores", "circuitBreakers", "breakerSettings", "reports"], {
  order: 160,
  description: "Reports, satisfaction surveys, quality scores, and circuit breakers that stop what goes wrong.",
})
@Controller("api/quality/csat")
export class RatingsController {
  constructor(private readonly ratings: RatingsService) {}

  /** Count the surveys and answers of a period. Days are in UTC. Erased answers stay counted. */
  @Get()
  @RequireScope("quality:read")
  @Answers(CsatStatisticsDto)
  getStatistics(@CurrentCaller() caller: Caller, @Query() query: CsatQueryDto): Promise<Json<CsatStatisticsDto>> {
    return this.ratings.statistics(caller, query);
  }

  /** List the answers with their comments, newest first. */
  @Get("ratings")
  @RequireScope("quality:read")
  @AnswersPage(CsatRatingDto)
  listRatings(@CurrentCaller() caller: Caller, @Query() query: ListRatingsDto): Promise<Json<Page<CsatRatingDto>>> {
    return this.ratings.list(caller, query);
  }
}
