import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Length,
  Max,
  Min,
  ValidateNested,
} from "class-validator";
import { Optional, Trimmed } from "../../platform/http/validation.js";
import {
  BREAKER_ACTIONS,
  BREAKER_ENTITIES,
  BREAKER_STATES,
  type BreakerAction,
  type BreakerEntityType,
  type BreakerState,
  WATCHED_METRICS,
  type WatchedMetric,
} from "../../platform/outcomes/circuit-breaker.entity.js";
import type { BreakerSetting } from "./breaker-rules.js";

@ApiSchema({ description: "Something that was stopped because its outcomes were too bad." })
export class CircuitBreakerDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** What kind of thing it is about. */
  @ApiProperty({ enum: BREAKER_ENTITIES })
  entityType: BreakerEntityType;
  /** A UUID, or the name of a tool. */
  entityId: string;
  /** A KB entry's question, otherwise the name. Null if it no longer exists. */
  @ApiProperty({ type: String, nullable: true })
  entityName: string | null;
  /** What was measured. */
  @ApiProperty({ enum: WATCHED_METRICS })
  metric: WatchedMetric;
  /** The highest share of bad outcomes that was accepted. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.1 })
  threshold: number;
  /** The share of bad outcomes that tripped it. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.31 })
  observed: number;
  /** A lower bound of the true share, valid however often it is judged. It was above the threshold. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.12 })
  low: number;
  /** How many outcomes tripped it. */
  sampleSize: number;
  /** Over how many days, including the day on which it tripped (UTC). */
  sampleDays: number;
  /** How many days were judged. */
  windowDays: number;
  @ApiProperty({ enum: BREAKER_STATES })
  state: BreakerState;
  /** What it does while it is tripped. */
  @ApiProperty({ enum: BREAKER_ACTIONS })
  action: BreakerAction;
  /** When it tripped. */
  @ApiProperty({ format: "date-time" })
  trippedAt: string;
  /** The key or member that resolved it. Null while it is tripped. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  resolvedBy: string | null;
  /** When it was resolved. Null while it is tripped. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  resolvedAt: string | null;
  /** The note of the person who resolved it. Null without one. */
  @ApiProperty({ type: String, nullable: true })
  note: string | null;
}

export class ListCircuitBreakersDto {
  /** Only breakers in this state. */
  @ApiProperty({ enum: BREAKER_STATES, required: false })
  @Optional()
  @IsIn(BREAKER_STATES)
  state?: BreakerState;

  /** Only breakers of this workspace. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** How many to return, 1 to 1,000. */
  @Optional()
  @Type(() => Number)
  @IsNumber({ maxDecimalPlaces: 0 })
  @Min(1)
  @Max(1_000)
  limit?: number = 500;
}

export class ResolveCircuitBreakerDto {
  /** What was found or done, 1 to 2,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Instructions fixed, version 7" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 2_000)
  note?: string | null;
}

@ApiSchema({ description: "When a circuit breaker trips for one metric, and what it does then." })
export class BreakerSettingDto implements BreakerSetting {
  /**
   * `answer` watches KB entries; `csat` agents, KB entries and channels; `delivery` channels; `handoff` agents; `tool` look-up
   * tools.
   */
  @ApiProperty({ enum: WATCHED_METRICS })
  @IsIn(WATCHED_METRICS)
  metric: WatchedMetric;

  /** Whether the metric is watched at all. */
  @Optional()
  @IsBoolean()
  enabled: boolean = true;

  /** The highest share of bad outcomes that is accepted, 0.01 to 0.99. */
  @ApiProperty({ minimum: 0.01, maximum: 0.99, example: 0.1 })
  @IsNumber()
  @Min(0.01)
  @Max(0.99)
  threshold: number;

  /** Days that count, including today (UTC), 1 to 90. */
  @ApiProperty({ minimum: 1, maximum: 90, required: false, default: 30 })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(90)
  windowDays: number = 30;

  /** The fewest outcomes that can trip it, 20 to 100,000. */
  @ApiProperty({ minimum: 20, maximum: 100_000, required: false, default: 20 })
  @Optional()
  @IsInt()
  @Min(20)
  @Max(100_000)
  minimumSample: number = 20;

  /**
   * What happens besides raising an attention item. `pause_assistant`: the agent stops answering in the workspace.
   * `require_approval`: each use of the agent's tools, or of the tool, needs a person's approval; a KB entry goes back to
   * review. For entities to which an action does not apply, it is `notify`.
   */
  @ApiProperty({ enum: BREAKER_ACTIONS, required: false, default: "notify" })
  @Optional()
  @IsIn(BREAKER_ACTIONS)
  action: BreakerAction = "notify";
}

@ApiSchema({ description: "The circuit breaker settings of a workspace." })
export class BreakerSettingsDto {
  /** One setting for each metric. */
  @ApiProperty({ type: [BreakerSettingDto] })
  settings: BreakerSettingDto[];
}

export class PutBreakerSettingsDto {
  /** Each metric at most once. Metrics that are left out get their defaults. */
  @IsArray()
  @ArrayMaxSize(WATCHED_METRICS.length)
  @ArrayUnique((setting?: BreakerSettingDto) => setting?.metric, {
    message: "settings must name each metric at most once",
  })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => BreakerSettingDto)
  settings: BreakerSettingDto[];
}
