import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from "@nestjs/common";
import { CurrentCaller, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json, Ok, Page } from "../platform/http/json.js";
import { OperationId } from "../platform/http/operation-id.js";
import { Answers, AnswersList, AnswersOk, AnswersPage } from "../platform/http/openapi.js";
import { IdPipe } from "../platform/http/validation.js";
import { BreakerSettingsService } from "./breakers/breaker-settings.service.js";
import { BreakersService } from "./breakers/breakers.service.js";
import {
  BreakerSettingsDto,
  CircuitBreakerDto,
  ListCircuitBreakersDto,
  PutBreakerSettingsDto,
  ResolveCircuitBreakerDto,
} from "./breakers/breakers.dto.js";
import { ListScoresDto, QualityScoreDto } from "./scores/scores.dto.js";
import { ScoresService } from "./scores/scores.service.js";

@Controller("api")
export class QualityController {
  constructor(
    private readonly scores: ScoresService,
    private readonly breakers: BreakersService,
    private readonly settings: BreakerSettingsService,
  ) {}

  /**
   * List how good agents, KB entries, channels and tools are. A score is the share of good outcomes, with its
   * confidence interval.
   */
  @Get("quality/scores")
  @RequireScope("quality:read")
  @AnswersPage(QualityScoreDto)
  @OperationId("qualityScores.list")
  listScores(@CurrentCaller() caller: Caller, @Query() query: ListScoresDto): Promise<Json<Page<QualityScoreDto>>> {
    return this.scores.list(caller, query);
  }

  /** List the circuit breakers, newest first. */
  @Get("quality/circuit-breakers")
  @RequireScope("quality:read")
  @AnswersList(CircuitBreakerDto)
  @OperationId("circuitBreakers.list")
  listBreakers(
    @CurrentCaller() caller: Caller,
    @Query() query: ListCircuitBreakersDto,
  ): Promise<Json<CircuitBreakerDto[]>> {
    return this.breakers.list(caller, query);
  }

  /**
   * Resolve a circuit breaker. What it stopped continues, and its attention item is resolved. The outcomes that tripped it
   * never trip it again. An entry that was sent back to review stays there. A resolved breaker does not change.
   */
  @Post("quality/circuit-breakers/:id/resolve")
  @HttpCode(200)
  @RequireScope("quality:write")
  @AnswersOk("Resolved")
  @OperationId("circuitBreakers.resolve")
  resolve(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: ResolveCircuitBreakerDto,
  ): Promise<Json<Ok>> {
    return this.breakers.resolve(caller, id, body);
  }

  /** Read the circuit breaker settings of a workspace. They say when circuit breakers trip, and what they do then. */
  @Get("workspaces/:workspaceId/breaker-settings")
  @RequireScope("quality:read")
  @Answers(BreakerSettingsDto)
  @OperationId("breakerSettings.get")
  getSettings(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<BreakerSettingsDto>> {
    return this.settings.get(caller, workspaceId);
  }

  /**
   * Replace a workspace's circuit breaker settings. Metrics that are left out get their defaults. Tripped breakers do
   * not change.
   */
  @Put("workspaces/:workspaceId/breaker-settings")
  @RequireScope("quality:write")
  @Answers(BreakerSettingsDto)
  @OperationId("breakerSettings.replace")
  putSettings(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutBreakerSettingsDto,
  ): Promise<Json<BreakerSettingsDto>> {
    return this.settings.put(caller, workspaceId, body);
  }
}
