import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { PENDING_ACTION_STATUSES, type PendingActionStatus } from "../assistant/tools/tool.entity.js";
import {
  ATTENTION_SEVERITIES,
  ATTENTION_STATUSES,
  ATTENTION_TYPES,
  type AttentionSeverity,
  type AttentionStatus,
  type AttentionType,
} from "../conversations/attention/attention-item.entity.js";
import {
  type ConversationEntity,
  DELIVERY_STATUSES,
  MESSAGE_DIRECTIONS,
  type MessageEntity,
  PRIORITIES,
  type Priority,
} from "../conversations/conversation.entity.js";
import {
  CONVERSATION_STATUSES,
  type ConversationStatus,
  HANDLING_MODES,
} from "../conversations/lifecycle/lifecycle.js";
import { ENTRY_STATUSES, type EntryStatus } from "../knowledge/review/reviewed-entry.entity.js";

/** What every webhook has. Of which type it is, and what `data` holds, is told with each. */
@ApiSchema({ description: "What every webhook has." })
export class WebhookPayloadDto {
  /** The event's: the same for every attempt, for a redelivery, and for each of your endpoints. */
  @ApiProperty({ format: "uuid" })
  id: string;
  /** The event. */
  type: string;
  /** By the clock of the database. */
  @ApiProperty({ format: "date-time" })
  occurredAt: string;
  /** The delivery's. It may arrive twice, so remember it. */
  @ApiProperty({ format: "uuid" })
  idempotencyKey: string;
  /** Ids and states, as they were when the event occurred. */
  @ApiProperty({ type: "object", additionalProperties: true })
  data: object;
}

/** The place of what happened. */
class WorkspaceEventDto {
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  /** The event's place in the feed. Give it as `after` to `GET /api/changes`. */
  cursor: string;
}

@ApiSchema({ description: "`data` of an event of a conversation." })
export class ConversationEventDto extends WorkspaceEventDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  @ApiProperty({ enum: CONVERSATION_STATUSES })
  status: ConversationStatus;
  /** Missing if it did not change. */
  @ApiProperty({ enum: CONVERSATION_STATUSES, required: false })
  previousStatus?: ConversationStatus;
  @ApiProperty({ enum: HANDLING_MODES })
  handlingMode: ConversationEntity["handlingMode"];
  /** Null if nobody has it. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  assigneeId: string | null;
  @ApiProperty({ enum: PRIORITIES })
  priority: Priority;
  /** Without notes. */
  messageCount: number;
}

@ApiSchema({ description: "`data` of an event of a message." })
export class MessageEventDto extends WorkspaceEventDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  @ApiProperty({ format: "uuid" })
  messageId: string;
  /** Its place in the conversation. */
  sequence: number;
  @ApiProperty({ enum: MESSAGE_DIRECTIONS })
  direction: MessageEntity["direction"];
  @ApiProperty({ enum: DELIVERY_STATUSES })
  deliveryStatus: MessageEntity["deliveryStatus"];
}

@ApiSchema({ description: "`data` of an event of an attention item." })
export class AttentionItemEventDto extends WorkspaceEventDto {
  @ApiProperty({ format: "uuid" })
  attentionItemId: string;
  /** Missing if it is about none. */
  @ApiProperty({ format: "uuid", required: false })
  conversationId?: string;
  @ApiProperty({ enum: ATTENTION_TYPES })
  type: AttentionType;
  @ApiProperty({ enum: ATTENTION_SEVERITIES })
  severity: AttentionSeverity;
  @ApiProperty({ enum: ATTENTION_STATUSES })
  status: AttentionStatus;
}

@ApiSchema({ description: "`data` of an event of a pending action." })
export class PendingActionEventDto extends WorkspaceEventDto {
  @ApiProperty({ format: "uuid" })
  conversationId: string;
  @ApiProperty({ format: "uuid" })
  pendingActionId: string;
  /** The name of the tool. */
  tool: string;
  @ApiProperty({ enum: PENDING_ACTION_STATUSES })
  status: PendingActionStatus;
  /** Missing if it did not change. */
  @ApiProperty({ enum: PENDING_ACTION_STATUSES, required: false })
  previousStatus?: PendingActionStatus;
}

@ApiSchema({ description: "`data` of an event of a knowledge base entry." })
export class KbEntryEventDto extends WorkspaceEventDto {
  @ApiProperty({ format: "uuid" })
  kbEntryId: string;
  @ApiProperty({ enum: ENTRY_STATUSES })
  status: EntryStatus;
}

@ApiSchema({ description: "`data` of an event of a policy." })
export class PolicyEntryEventDto extends WorkspaceEventDto {
  @ApiProperty({ format: "uuid" })
  policyEntryId: string;
  @ApiProperty({ enum: ENTRY_STATUSES })
  status: EntryStatus;
}

@ApiSchema({ description: "`data` of a test event." })
export class TestEventDto {
  @ApiProperty({ format: "uuid" })
  endpointId: string;
}
