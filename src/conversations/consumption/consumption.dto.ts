import { ApiProperty } from "@nestjs/swagger";
import { IsUUID, Matches } from "class-validator";
import { Optional } from "../../platform/http/validation.js";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Messages between the contacts and you; internal notes are not counted. */
export class MessageCountDto {
  inbound: number;
  outbound: number;
  /** Both together. */
  total: number;
}

export class DayConsumptionDto {
  /** From midnight to midnight, UTC. */
  @ApiProperty({ format: "date", example: "2026-01-31" })
  day: string;
  messages: MessageCountDto;
}

export class WorkspaceConsumptionDto {
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  messages: MessageCountDto;
}

export class ConsumptionDto {
  @ApiProperty({ format: "date" })
  from: string;
  @ApiProperty({ format: "date" })
  to: string;
  /** Of all workspaces that are asked for; for callers of the whole organisation also of those that are deleted by now. */
  messages: MessageCountDto;
  /** Every day from `from` to `to`. */
  days: DayConsumptionDto[];
  /** Each workspace with a message in that time, the largest first. */
  workspaces: WorkspaceConsumptionDto[];
}

export class ConversationConsumptionDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  messages: MessageCountDto;
  /** The days with messages, oldest first. */
  days: DayConsumptionDto[];
}

export class ConsumptionQueryDto {
  /** First day, UTC. Default: the first of this month. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "from must be a day, such as 2026-01-31" })
  from?: string;

  /** Last day, UTC, at most 366 days in all. Default: today. */
  @ApiProperty({ format: "date", required: false })
  @Optional()
  @Matches(DAY, { message: "to must be a day, such as 2026-01-31" })
  to?: string;

  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;
}
