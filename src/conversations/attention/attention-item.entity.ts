import { Check, Entity, ForeignKey, Index } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const ATTENTION_TYPES = namedEnum("AttentionType", "Why a person is needed.", [
  "handoff_requested",
  "approval_required",
  "guardrail_block",
  "identity_locked",
  "verification_not_configured",
  "low_confidence",
  "csat_low",
  "channel_error",
  "circuit_breaker_tripped",
  "kb_gap",
  "assistant_test_failed",
]);
export type AttentionType = (typeof ATTENTION_TYPES)[number];
export const ATTENTION_SEVERITIES = namedEnum("AttentionSeverity", "How urgent an attention item is.", [
  "low",
  "medium",
  "high",
  "urgent",
]);
export type AttentionSeverity = (typeof ATTENTION_SEVERITIES)[number];
export const ATTENTION_STATUSES = namedEnum("AttentionStatus", "Whether someone is still needed.", [
  "open",
  "resolved",
]);
export type AttentionStatus = (typeof ATTENTION_STATUSES)[number];

/** Something that a person on the team should look at, about a conversation or another object of the workspace. */
@Entity("attention_item")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("calendar_connection", ["tenantId", "calendarConnectionId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"])
@ForeignKey("circuit_breaker", ["tenantId", "circuitBreakerId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("attention_item_cause", ["tenantId", "conversationId", "type"], { unique: true, where: `status = 'open'` })
@Index("attention_item_cause_of_channel", ["tenantId", "channelId", "type"], {
  unique: true,
  where: `status = 'open' and channel_id is not null`,
})
@Index("attention_item_of_channel", ["tenantId", "channelId"], { where: "channel_id is not null" })
@Index("attention_item_cause_of_calendar", ["tenantId", "calendarConnectionId", "type"], {
  unique: true,
  where: `status = 'open' and calendar_connection_id is not null`,
})
@Index("attention_item_of_calendar", ["tenantId", "calendarConnectionId"], {
  where: "calendar_connection_id is not null",
})
@Index("attention_item_cause_of_breaker", ["tenantId", "circuitBreakerId", "type"], {
  unique: true,
  where: `status = 'open' and circuit_breaker_id is not null`,
})
@Index("attention_item_of_breaker", ["tenantId", "circuitBreakerId"], { where: "circuit_breaker_id is not null" })
@ForeignKey("assistant_test", ["tenantId", "assistantTestId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("attention_item_cause_of_test", ["tenantId", "assistantTestId", "type"], {
  unique: true,
  where: `status = 'open' and assistant_test_id is not null`,
})
@Index("attention_item_of_test", ["tenantId", "assistantTestId"], { where: "assistant_test_id is not null" })
@Index("attention_item_of_conversation", ["tenantId", "conversationId", "createdAt", "id"])
@Index("attention_item_recent", ["tenantId", "workspaceId", "createdAt", "id"])
@Index("attention_item_by_status", ["tenantId", "workspaceId", "status", "createdAt", "id"])
@Index("attention_item_by_type", ["tenantId", "workspaceId", "type", "createdAt", "id"])
@Check("attention_item_type", isOneOf("type", ATTENTION_TYPES))
@Check("attention_item_severity", isOneOf("severity", ATTENTION_SEVERITIES))
@Check("attention_item_status", isOneOf("status", ATTENTION_STATUSES))
@Check(
  "attention_item_about",
  "num_nonnulls(conversation_id, channel_id, calendar_connection_id, circuit_breaker_id, assistant_test_id) = 1",
)
@Check("attention_item_resolved", `(status = 'resolved') = (resolved_at is not null)`)
export class AttentionItemEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  /** Exactly one of these is set: what the item is about. */
  @Uuid({ nullable: true }) conversationId: string | null;
  @Uuid({ nullable: true }) channelId: string | null;
  @Uuid({ nullable: true }) calendarConnectionId: string | null;
  @Uuid({ nullable: true }) circuitBreakerId: string | null;
  @Uuid({ nullable: true }) assistantTestId: string | null;
  @Text() type: AttentionType;
  @Text() severity: AttentionSeverity;
  @Text() reason: string;
  @Text({ default: "open" }) status: AttentionStatus;
  /** How often the cause came up while the item was open. */
  @Int({ default: 1 }) occurrences: number;
  @Uuid({ nullable: true }) resolvedBy: string | null;
  @Time({ nullable: true }) resolvedAt: Date | null;
  @Now() createdAt: Date;
}
