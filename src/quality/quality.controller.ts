import { Body, Controller, Get, HttpCode, Param, Post, Put, Query } from "@nestjs/common";
import { ApiTags } from "@nestjs/swagger";
import { CurrentCaller, RequireScope } from "../auth/access/access.js";
import type { Caller } from "../platform/caller/caller.js";
import type { Json, Ok, Page } from "../platform/http/json.js";
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

@ApiTags("Quality")
@Controller("api")
export class QualityController {
  constructor(
    private readonly scores: ScoresService,
    private readonly breakers: BreakersService,
    private readonly settings: BreakerSettingsService,
  ) {}

  /** How good agents, KB entries, channels and tools are, each by what is known of it, with how sure that is. */
  @Get("quality/scores")
  @RequireScope("quality:read")
  @AnswersPage(QualityScoreDto)
  listScores(@CurrentCaller() caller: Caller, @Query() query: ListScoresDto): Promise<Json<Page<QualityScoreDto>>> {
    return this.scores.list(caller, query);
  }

  /** List the circuit breakers, newest first. */
  @Get("quality/circuit-breakers")
  @RequireScope("quality:read")
  @AnswersList(CircuitBreakerDto)
  listBreakers(
    @CurrentCaller() caller: Caller,
    @Query() query: ListCircuitBreakersDto,
  ): Promise<Json<CircuitBreakerDto[]>> {
    return this.breakers.list(caller, query);
  }

  /**
   * Resolve a circuit breaker: what it held back goes on, and its attention item is resolved. What tripped it is settled and never trips it again;
   * an entry that waits to be reviewed goes on waiting. One that is resolved already stays as it is.
   */
  @Post("quality/circuit-breakers/:id/resolve")
  @HttpCode(200)
  @RequireScope("quality:write")
  @AnswersOk("Resolved")
  resolve(
    @CurrentCaller() caller: Caller,
    @Param("id", IdPipe) id: string,
    @Body() body: ResolveCircuitBreakerDto,
  ): Promise<Json<Ok>> {
    return this.breakers.resolve(caller, id, body);
  }

  /** Read when circuit breakers trip in a workspace, and what they do. */
  @Get("workspaces/:workspaceId/breaker-settings")
  @RequireScope("quality:read")
  @Answers(BreakerSettingsDto)
  getSettings(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
  ): Promise<Json<BreakerSettingsDto>> {
    return this.settings.get(caller, workspaceId);
  }

  /** Replace these settings. A metric that is left out has its defaults again. Breakers that have tripped stay as they are. */
  @Put("workspaces/:workspaceId/breaker-settings")
  @RequireScope("quality:write")
  @Answers(BreakerSettingsDto)
  putSettings(
    @CurrentCaller() caller: Caller,
    @Param("workspaceId", IdPipe) workspaceId: string,
    @Body() body: PutBreakerSettingsDto,
  ): Promise<Json<BreakerSettingsDto>> {
    return this.settings.put(caller, workspaceId, body);
  }
}
