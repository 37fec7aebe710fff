import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { Type } from "class-transformer";
import { IsIn, IsString, IsUUID, Length } from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Optional } from "../../platform/http/validation.js";
import {
  BREAKER_ENTITIES,
  type BreakerEntityType,
  WATCHED_METRICS,
  type WatchedMetric,
} from "../../platform/outcomes/circuit-breaker.entity.js";

const WINDOWS = namedEnum("QualityWindow", "How many days a score covers.", [7, 30, 90]);

@ApiSchema({ description: "The share of good outcomes of an agent, entry, channel or tool." })
export class QualityScoreDto {
  /** What kind of thing the score is about. */
  @ApiProperty({ enum: BREAKER_ENTITIES })
  entityType: BreakerEntityType;
  /** A UUID, or the name of a tool. */
  @ApiProperty({ example: "019a5f6e-0000-7000-8000-000000000000" })
  entityId: string;
  /** A KB entry's question, otherwise the name. Null if it no longer exists. */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
  /** What was measured. */
  @ApiProperty({ enum: WATCHED_METRICS })
  metric: WatchedMetric;
  /** The share of good outcomes, 0 to 1; for `csat`, of satisfied contacts. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.9 })
  score: number;
  /** The lower end of the 95 % Wilson interval of the true share. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.8256 })
  low: number;
  /** The upper end of the same interval. */
  @ApiProperty({ minimum: 0, maximum: 1, example: 0.9448 })
  high: number;
  /** How many outcomes were counted. */
  @ApiProperty({ example: 100 })
  sampleSize: number;
  /** Days that were counted, including today (UTC). */
  @ApiProperty({ enum: WINDOWS })
  window: number;
}

export class ListScoresDto extends PagingDto {
  /** Only outcomes in this workspace. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** Only scores of this kind of thing. */
  @ApiProperty({ enum: BREAKER_ENTITIES, required: false })
  @Optional()
  @IsIn(BREAKER_ENTITIES)
  entityType?: BreakerEntityType;

  /** A UUID, or the name of a tool. */
  @Optional()
  @IsString()
  @Length(1, 100)
  entityId?: string;

  /** Only this metric. */
  @ApiProperty({ enum: WATCHED_METRICS, required: false })
  @Optional()
  @IsIn(WATCHED_METRICS)
  metric?: WatchedMetric;

  /** Days to count, including today: 7, 30 or 90. */
  @ApiProperty({ enum: WINDOWS, required: false, default: 30 })
  @Optional()
  @Type(() => Number)
  @IsIn(WINDOWS)
  window?: number = 30;
}
