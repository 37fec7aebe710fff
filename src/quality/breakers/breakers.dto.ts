import { ApiProperty } from "@nestjs/swagger";
import { Type } from "class-transformer";
import {
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

export class CircuitBreakerDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ enum: BREAKER_ENTITIES })
  entityType: BreakerEntityType;
  /** A UUID; of a tool, its name. */
  entityId: string;
  /** Of an entry, its question; null where it is gone by now. */
  @ApiProperty({ type: String, nullable: true })
  entityName: string | null;
  @ApiProperty({ enum: WATCHED_METRICS })
  metric: WatchedMetric;
  /** The highest share of bad outcomes that was accepted. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.1 })
  threshold: number;
  /** The share of bad outcomes that there was. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.31 })
  observed: number;
  /** What the true share is at least, however often it was looked at: this was above the threshold. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.12 })
  low: number;
  /** How many outcomes tripped it. */
  sampleSize: number;
  /** Of how many days, the day on which it tripped (UTC) included. */
  sampleDays: number;
  /** How many days were looked at. */
  windowDays: number;
  @ApiProperty({ enum: BREAKER_STATES })
  state: BreakerState;
  /** What it does, or did, while it is tripped. */
  @ApiProperty({ enum: BREAKER_ACTIONS })
  action: BreakerAction;
  @ApiProperty({ format: "date-time" })
  trippedAt: string;
  /** The key or member that resolved it. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  resolvedBy: string | null;
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  resolvedAt: string | null;
  /** What was found or done, as whoever resolved it wrote. */
  @ApiProperty({ type: String, nullable: true })
  note: string | null;
}

export class ListCircuitBreakersDto {
  @ApiProperty({ enum: BREAKER_STATES, required: false })
  @Optional()
  @IsIn(BREAKER_STATES)
  state?: BreakerState;

  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** How many at the most, 1 to 1,000. */
  @Optional()
  @Type(() => Number)
  @IsNumber({ maxDecimalPlaces: 0 })
  @Min(1)
  @Max(1_000)
  limit?: number = 500;
}

export class ResolveCircuitBreakerDto {
  /** What was found or done, 1 to 2,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false, example: "Instructions mended, version 7" })
  @IsOptional()
  @Trimmed()
  @IsString()
  @Length(1, 2_000)
  note?: string | null;
}

export class BreakerSettingDto implements BreakerSetting {
  /** `csat` watches agents, KB entries and channels; `delivery` channels; `handoff` agents; `tool` look-up tools. */
  @ApiProperty({ enum: WATCHED_METRICS })
  @IsIn(WATCHED_METRICS)
  metric: WatchedMetric;

  @Optional()
  @IsBoolean()
  enabled: boolean = true;

  /** The highest share of bad outcomes that is accepted, 0.01 to 0.99. */
  @ApiProperty({ minimum: 0.01, maximum: 0.99, example: 0.1 })
  @IsNumber()
  @Min(0.01)
  @Max(0.99)
  threshold: number;

  /** How many days count, today's (UTC) included, 1 to 90. */
  @ApiProperty({ minimum: 1, maximum: 90, required: false, default: 30 })
  @Optional()
  @IsInt()
  @Min(1)
  @Max(90)
  windowDays: number = 30;

  /** Fewer outcomes never trip it, 20 to 100,000. */
  @ApiProperty({ minimum: 20, maximum: 100_000, required: false, default: 20 })
  @Optional()
  @IsInt()
  @Min(20)
  @Max(100_000)
  minimumSample: number = 20;

  /**
   * What is done beside raising an attention item. `pause_assistant`: the agent answers no more in the workspace. `require_approval`: each use of
   * the agent's tools, or of the tool, wants a person's approval; a KB entry goes back to be reviewed. To what an action is nothing, it is `notify`.
   */
  @ApiProperty({ enum: BREAKER_ACTIONS, required: false, default: "notify" })
  @Optional()
  @IsIn(BREAKER_ACTIONS)
  action: BreakerAction = "notify";
}

export class BreakerSettingsDto {
  /** One for each metric. */
  @ApiProperty({ type: [BreakerSettingDto] })
  settings: BreakerSettingDto[];
}

export class PutBreakerSettingsDto {
  /** Each metric once at the most; one that is left out has its defaults. */
  @IsArray()
  @ArrayUnique((setting?: BreakerSettingDto) => setting?.metric, {
    message: "settings must name each metric once at the most",
  })
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => BreakerSettingDto)
  settings: BreakerSettingDto[];
}
