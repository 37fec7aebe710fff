import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsInt, IsUUID, Matches, Max, Min } from "class-validator";
import { Type } from "class-transformer";
import { namedEnum } from "../../../platform/enums/named-enum.js";
import { PagingDto } from "../../../platform/http/paging.dto.js";
import { Instant, Optional } from "../../../platform/http/validation.js";
import { SCALES } from "../csat.entity.js";

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const GROUPS = namedEnum("CsatGrouping", "What ratings are grouped by.", [
  "workspace",
  "channel",
  "member",
  "agent",
  "day",
  "week",
  "month",
]);
export type Group = (typeof GROUPS)[number];

export class CsatQueryDto {
  /** Only this workspace. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** What the groups are. Weeks begin on Monday. */
  @ApiProperty({ enum: GROUPS, required: false, default: "workspace" })
  @Optional()
  @IsIn(GROUPS)
  groupBy?: Group = "workspace";

  /** First day, UTC. Default: 29 days before `to`. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "from must be a day, such as 2026-01-31" })
  from?: string;

  /** Last day, UTC. At most 732 days in total. Default: today. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "to must be a day, such as 2026-01-31" })
  to?: string;

  /** Only this channel. Group by workspace, channel, day, week or month. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  channelId?: string;

  /** Only this member's conversations. Group by workspace, member, day, week or month. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  memberId?: string;

  /** Only conversations in which this agent wrote. Group by workspace, agent, day, week or month. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  agentId?: string;
}

@ApiSchema({ description: "A share with its confidence interval." })
export class CsatShareDto {
  /** 0 to 1. */
  share: number;
  /** The lower end of the 95 % Wilson interval of the true share. */
  low: number;
  /** The upper end of the same interval. */
  high: number;
}

@ApiSchema({ description: "How often a score was given." })
export class CsatCountDto {
  /** 1 to `scale`. */
  @ApiProperty({ type: "integer" })
  score: number;
  /** The highest score of these surveys. */
  @ApiProperty({ enum: SCALES })
  scale: number;
  /** How often contacts gave this score. */
  @ApiProperty({ type: "integer" })
  count: number;
}

@ApiSchema({ description: "The surveys and answers of a period, in figures." })
export class CsatFiguresDto {
  /** Surveys that were sent. */
  @ApiProperty({ type: "integer" })
  asked: number;
  /** Surveys that were answered, counted on the day of the answer. */
  @ApiProperty({ type: "integer" })
  answered: number;
  /** Answered surveys for each one sent, at most 1. Null if none was sent. */
  @ApiProperty({ type: Number, nullable: true })
  responseRate: number | null;
  /** The average score on `scale`. Null without an answer. */
  @ApiProperty({ type: Number, nullable: true })
  average: number | null;
  /** The scale of the answers. If they have several scales, scores are converted to 5. Null without an answer. */
  @ApiProperty({ type: Number, nullable: true })
  scale: number | null;
  /** Contacts who gave 4 or 5 of 5, 2 of 2, or 8 to 10 of 10. Null without an answer. */
  @ApiProperty({ type: CsatShareDto, nullable: true })
  satisfied: CsatShareDto | null;
  /** How often each score was given: by scale, then score. */
  distribution: CsatCountDto[];
}

@ApiSchema({ description: "The figures of one group." })
export class CsatGroupDto extends CsatFiguresDto {
  /** The id of the group's entity, or the first day of its time. */
  group: string;
}

@ApiSchema({ description: "The figures of a period, as a whole and by group." })
export class CsatStatisticsDto {
  /** First day of the period, UTC. */
  @ApiProperty({ format: "date" })
  from: string;
  /** Last day of the period, UTC. */
  @ApiProperty({ format: "date" })
  to: string;
  /** What the groups are. */
  @ApiProperty({ enum: GROUPS })
  groupBy: Group;
  /** Counts each survey once, even if it is in several groups or in none. */
  total: CsatFiguresDto;
  /** Groups with surveys, the one with the most answers first. Days, weeks and months are in order of time. */
  groups: CsatGroupDto[];
}

@ApiSchema({ description: "An answer to a survey." })
export class CsatRatingDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  /** 1, the worst, to `scale`. */
  @ApiProperty({ type: "integer" })
  score: number;
  /** The highest score of the survey. */
  @ApiProperty({ enum: SCALES })
  scale: number;
  /** What the contact wrote. Null if nothing. */
  @ApiProperty({ type: String, nullable: true })
  comment: string | null;
  /** The question as the contact read it. */
  question: string;
  @ApiProperty({ format: "uuid" })
  channelId: string;
  /** The assignee when the contact was asked, otherwise the last member who wrote. Null if there was neither. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  memberId: string | null;
  /** The agents that wrote in the conversation. */
  @ApiProperty({ type: "array", items: { type: "string", format: "uuid" } })
  agentIds: string[];
  /** The KB entries that were cited in the conversation. */
  @ApiProperty({ type: "array", items: { type: "string", format: "uuid" } })
  kbEntryIds: string[];
  /** When the survey was sent. */
  @ApiProperty({ format: "date-time" })
  askedAt: string;
  /** When the contact answered. */
  @ApiProperty({ format: "date-time" })
  ratedAt: string;
}

export class ListRatingsDto extends PagingDto {
  /** Only this workspace. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** Only ratings of this conversation. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  conversationId?: string;

  /** Only answers at or after this time. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  from?: string;

  /** Only answers before this time. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  to?: string;

  /** Only scores up to this one, 1 to 10. */
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(10)
  maxScore?: number;
}
