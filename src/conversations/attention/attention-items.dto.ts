import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsIn, IsUUID } from "class-validator";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Optional } from "../../platform/http/validation.js";
import {
  ATTENTION_SEVERITIES,
  ATTENTION_STATUSES,
  ATTENTION_TYPES,
  type AttentionSeverity,
  type AttentionStatus,
  type AttentionType,
} from "./attention-item.entity.js";

@ApiSchema({ description: "Something that needs a person." })
export class AttentionItemDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** The conversation that the item is about. Null if it is about something else. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  conversationId: string | null;
  /** The channel that the item is about. Null if it is about something else. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  channelId: string | null;
  /** The calendar connection that the item is about. Null if it is about something else. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  calendarConnectionId: string | null;
  /** The circuit breaker that the item is about. Null if it is about something else. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  circuitBreakerId: string | null;
  /** The test of the assistant that the item is about. Null if it is about something else. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  assistantTestId: string | null;
  @ApiProperty({ enum: ATTENTION_TYPES })
  type: AttentionType;
  @ApiProperty({ enum: ATTENTION_SEVERITIES })
  severity: AttentionSeverity;
  /** What happened when it was raised, for a person to read. */
  @ApiProperty({ example: "No verification source is attached to the workspace" })
  reason: string;
  @ApiProperty({ enum: ATTENTION_STATUSES })
  status: AttentionStatus;
  /** How often the same cause came up for the same object while the item was open. */
  occurrences: number;
  /** The member that the conversation is assigned to. Null if the item is about something else. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  assigneeId: string | null;
  /** The key or member that resolved the item. Null also if the system resolved it. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  resolvedBy: string | null;
  /** When it was resolved. Null while it is open. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  resolvedAt: string | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
}

export class ListAttentionItemsDto extends PagingDto {
  /** Only this workspace. 404 if you have no access to it. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** Only items about this conversation. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  conversationId?: string;

  /** Only items with this status. */
  @ApiProperty({ enum: ATTENTION_STATUSES, required: false })
  @Optional()
  @IsIn(ATTENTION_STATUSES)
  status?: AttentionStatus;

  /** Only items of this type. */
  @ApiProperty({ enum: ATTENTION_TYPES, required: false })
  @Optional()
  @IsIn(ATTENTION_TYPES)
  type?: AttentionType;
}
