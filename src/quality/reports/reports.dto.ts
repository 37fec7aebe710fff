import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsString, IsUUID, Length, Matches } from "class-validator";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Instant, Optional } from "../../platform/http/validation.js";
import { RESOLUTIONS, type Resolution } from "../../conversations/lifecycle/lifecycle.js";
import { HAND_OVER_REASONS, type HandOverReason } from "./hand-over-reasons.js";
import { type Handler, HANDLERS } from "./report-times.entity.js";
import {
  REPORT_GROUPS,
  REPORT_INTERVALS,
  type ReportGroup,
  type ReportInterval,
  type ReportName,
  REPORTS,
} from "./report-names.js";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export class ReportPathDto {
  /** Which report. */
  @ApiProperty({ enum: REPORTS })
  @IsIn(REPORTS)
  name: ReportName;
}
export class ReportQueryDto {
  /** First day. Default: 29 days before `to`. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "from must be a day, such as 2026-01-31" })
  from?: string;

  /** Last day. At most 400 days in total, or 31 by hour. Default: today. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "to must be a day, such as 2026-01-31" })
  to?: string;

  /** Where days begin: an IANA name. Default: the workspace's time zone with `workspaceId`, otherwise UTC. */
  @ApiProperty({ required: false, example: "Europe/Berlin" })
  @Optional()
  @IsString()
  @Length(1, 64)
  timeZone?: string;

  /** How the period is divided. Weeks begin on Monday. */
  @ApiProperty({ enum: REPORT_INTERVALS, required: false, default: "day" })
  @Optional()
  @IsIn(REPORT_INTERVALS)
  interval?: ReportInterval = "day";

  /** What the groups are. Not for `busiest-hours`, whose groups are the hours of the week. `reason` is for `hand-over` alone. */
  @ApiProperty({ enum: REPORT_GROUPS, required: false })
  @Optional()
  @IsIn(REPORT_GROUPS)
  groupBy?: ReportGroup;

  /** Only this workspace. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;
}

@ApiSchema({ description: "What a report counted, and how long it took." })
export class ReportFiguresDto {
  /** How many there were. For `backlog`: how many were open at the end. */
  @ApiProperty({ type: "integer" })
  count: number;
  /** Seconds. Null where nothing is timed. */
  @ApiProperty({ type: "integer", nullable: true })
  median: number | null;
  /** Seconds: nine of ten took no longer. Null where nothing is timed. */
  @ApiProperty({ type: "integer", nullable: true })
  p90: number | null;
  /** Seconds. Null where nothing is timed. */
  @ApiProperty({ type: "integer", nullable: true })
  mean: number | null;
  /**
   * Of `csat`, how many were satisfied; of `assistant` and `automation`, how many needed no people; of `containment`, how many
   * needed none for seven days. 0 to 1, otherwise null.
   */
  @ApiProperty({ type: Number, nullable: true })
  share: number | null;
}

@ApiSchema({ description: "The figures of one interval." })
export class ReportTimeDto extends ReportFiguresDto {
  /** When it begins. */
  @ApiProperty({ format: "date-time" })
  start: string;
  /** When the next one begins. */
  @ApiProperty({ format: "date-time" })
  end: string;
  /** The same interval of the previous period. */
  previous: ReportFiguresDto;
}

@ApiSchema({ description: "The figures of one group." })
export class ReportGroupDto extends ReportFiguresDto {
  /** An id, a label, a value, an hour such as `1-09` (Monday, nine o'clock), or `none`. */
  group: string;
  /** The name of what has an id, and of a label. Otherwise null. */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
  /** The group's figures of the previous period. */
  previous: ReportFiguresDto;
}

@ApiSchema({ description: "What happened in a period, and in the one before." })
export class ReportDto {
  @ApiProperty({ enum: REPORTS })
  report: ReportName;
  /** First day. */
  @ApiProperty({ format: "date" })
  from: string;
  /** Last day. */
  @ApiProperty({ format: "date" })
  to: string;
  /** Where days begin. */
  timeZone: string;
  @ApiProperty({ enum: REPORT_INTERVALS })
  interval: ReportInterval;
  /** When the period begins. */
  @ApiProperty({ format: "date-time" })
  start: string;
  /** When it ends. */
  @ApiProperty({ format: "date-time" })
  end: string;
  total: ReportFiguresDto;
  /** As many days before `from`. */
  previous: ReportFiguresDto;
  intervals: ReportTimeDto[];
  /** The largest 500 groups. What has several labels is in several groups. */
  groups: ReportGroupDto[];
}

export class ReportRowsQueryDto extends PagingDto {
  /** Which report. */
  @ApiProperty({ enum: REPORTS, required: false, default: "volume" })
  @Optional()
  @IsIn(REPORTS)
  report?: ReportName = "volume";

  /** A `start` of the report. Default: 30 days before `to`. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  from?: string;

  /** An `end` of the report. Default: now. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  to?: string;

  /** What `group` is one of. Not for `busiest-hours`. `reason` is for `hand-over` alone. */
  @ApiProperty({ enum: REPORT_GROUPS, required: false })
  @Optional()
  @IsIn(REPORT_GROUPS)
  groupBy?: ReportGroup;

  /** Only this group of the report. */
  @Optional()
  @IsString()
  @Length(1, 200)
  group?: string;

  /** As in the report, for the groups of `busiest-hours`. */
  @ApiProperty({ required: false, default: "UTC" })
  @Optional()
  @IsString()
  @Length(1, 64)
  timeZone?: string = "UTC";

  /** Only this workspace. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;
}

@ApiSchema({ description: "One of what a report counted." })
export class ReportRowDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** The workspace's name now. */
  workspaceName: string;
  @ApiProperty({ format: "uuid" })
  channelId: string;
  /** The channel's name now. */
  channelName: string;
  /** Who replied, or the assignee. Null if there was none, and for `automation`, `containment` and `hand-over`. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  memberId: string | null;
  /** Their name. Null without `memberId`. */
  @ApiProperty({ type: String, nullable: true })
  memberName: string | null;
  /** Who wrote the reply, or handled the conversation. Null if nobody did yet, and for `csat`, `automation`, `containment` and `hand-over`. */
  @ApiProperty({ enum: HANDLERS, nullable: true })
  handledBy: Handler | null;
  /** How the conversation ended. Null while it is open, and for what does not count conversations as they were opened or resolved. */
  @ApiProperty({ enum: RESOLUTIONS, nullable: true })
  resolution: Resolution | null;
  /** Why the assistant handed over. Null but for `hand-over`. */
  @ApiProperty({ enum: HAND_OVER_REASONS, nullable: true })
  reason: HandOverReason | null;
  /** When it counted. For `backlog`: since when it had been open. */
  @ApiProperty({ format: "date-time" })
  at: string;
  /** How long it took. Null where nothing is timed. */
  @ApiProperty({ type: "integer", nullable: true })
  seconds: number | null;
  /** Whether it counts for the share. Null without a share. */
  @ApiProperty({ type: Boolean, nullable: true })
  inShare: boolean | null;
}
