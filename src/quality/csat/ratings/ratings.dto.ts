import { ApiProperty } from "@nestjs/swagger";
import { IsIn, IsInt, IsUUID, Matches, Max, Min } from "class-validator";
import { Type } from "class-transformer";
import { PagingDto } from "../../../platform/http/paging.dto.js";
import { Instant, Optional } from "../../../platform/http/validation.js";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const GROUPS = ["workspace", "channel", "member", "agent", "day", "week", "month"] as const;
export type Group = (typeof GROUPS)[number];

export class CsatQueryDto {
  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** What each group is. Weeks begin on Monday. */
  @ApiProperty({ enum: GROUPS, required: false, default: "workspace" })
  @Optional()
  @IsIn(GROUPS)
  groupBy?: Group = "workspace";

  /** First day, UTC. Default: 29 days before `to`. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "from must be a day, such as 2026-01-31" })
  from?: string;

  /** Last day, UTC, at most 732 days in all. Default: today. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "to must be a day, such as 2026-01-31" })
  to?: string;

  /** Only what came through this channel: by workspace, channel, day, week or month. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  channelId?: string;

  /** Only what this member had: by workspace, member, day, week or month. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  memberId?: string;

  /** Only what this agent wrote in: by workspace, agent, day, week or month. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  agentId?: string;
}

export class CsatShareDto {
  /** 0 to 1. */
  share: number;
  /** Where the true share is with 95 % certainty (Wilson interval). */
  low: number;
  high: number;
}

export class CsatCountDto {
  @ApiProperty({ type: "integer" })
  score: number;
  @ApiProperty({ enum: [2, 5, 10] })
  scale: number;
  @ApiProperty({ type: "integer" })
  count: number;
}

export class CsatFiguresDto {
  /** Surveys that were sent. */
  @ApiProperty({ type: "integer" })
  asked: number;
  /** Surveys that were answered, on the day on which they were, also where they were sent before. */
  @ApiProperty({ type: "integer" })
  answered: number;
  /** Answered for each that was sent, at most 1; null where none was sent. */
  @ApiProperty({ type: Number, nullable: true })
  responseRate: number | null;
  /** On `scale`; null without an answer. */
  @ApiProperty({ type: Number, nullable: true })
  average: number | null;
  /** The scale of the answers; where there were several, 5, to which each score is converted. Null without an answer. */
  @ApiProperty({ type: Number, nullable: true })
  scale: number | null;
  /** Those who gave 4 or 5 of 5, 2 of 2, or 8 to 10 of 10; null without an answer. */
  @ApiProperty({ type: CsatShareDto, nullable: true })
  satisfied: CsatShareDto | null;
  /** How often each score was given: by scale, then score. */
  distribution: CsatCountDto[];
}

export class CsatGroupDto extends CsatFiguresDto {
  /** The id of what it is, or the first day of the time. */
  group: string;
}

export class CsatStatisticsDto {
  @ApiProperty({ format: "date" })
  from: string;
  @ApiProperty({ format: "date" })
  to: string;
  @ApiProperty({ enum: GROUPS })
  groupBy: Group;
  /** Each survey once, also where it is in several groups or in none. */
  total: CsatFiguresDto;
  /** Those with a survey: the one with the most answers first, or in the order of time. */
  groups: CsatGroupDto[];
}

export class CsatRatingDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  @ApiProperty({ type: "integer" })
  score: number;
  @ApiProperty({ enum: [2, 5, 10] })
  scale: number;
  /** The contact's own words. */
  @ApiProperty({ type: String, nullable: true })
  comment: string | null;
  /** As they read it. */
  question: string;
  @ApiProperty({ format: "uuid" })
  channelId: string;
  /** Who had the conversation when the contact was asked, or wrote in it last. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  memberId: string | null;
  /** The agents that wrote in it. */
  @ApiProperty({ type: "array", items: { type: "string", format: "uuid" } })
  agentIds: string[];
  /** The entries that were cited in it. */
  @ApiProperty({ type: "array", items: { type: "string", format: "uuid" } })
  kbEntryIds: string[];
  @ApiProperty({ format: "date-time" })
  askedAt: string;
  @ApiProperty({ format: "date-time" })
  ratedAt: string;
}

export class ListRatingsDto extends PagingDto {
  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  conversationId?: string;

  /** Not before this time. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  from?: string;

  /** Before this time. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  to?: string;

  /** No score above it, 1 to 10. */
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(10)
  maxScore?: number;
}
