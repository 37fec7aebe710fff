import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";
import { RESOLUTIONS, type Resolution } from "../../conversations/lifecycle/lifecycle.js";
import { HAND_OVER_REASONS, type HandOverReason } from "./hand-over-reasons.js";

export const HANDLERS = namedEnum("ReportHandler", "Who handled a conversation, for reports.", ["assistant", "people"]);
export type Handler = (typeof HANDLERS)[number];

/**
 * A time during which a conversation was not resolved: one row from its beginning, and another from each reopening. Triggers keep it;
 * see `report-times.sql`. Reports read it instead of conversations because it is narrow, and because it knows the past.
 */
@Entity("open_time")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("open_time_opened", ["tenantId", "workspaceId", "openedAt", "number"])
@Index("open_time_closed", ["tenantId", "workspaceId", "closedAt", "latest", "seconds"])
@Check("open_time_handled_by", `handled_by is null or ${isOneOf("handled_by", HANDLERS)}`)
@Check("open_time_resolution", `resolution is null or ${isOneOf("resolution", RESOLUTIONS)}`)
export class OpenTimeEntity {
  @TenantId() tenantId: string;
  @Id() conversationId: string;
  /** 1 from the conversation's beginning, 2 from the first reopening. */
  @PrimaryColumn({ type: "integer" }) number: number;
  @Uuid() workspaceId: string;
  @Uuid() channelId: string;
  /** When the conversation began. */
  @Time() startedAt: Date;
  @Time() openedAt: Date;
  /** Infinity until it is resolved: one range of the index then has what was open at a time. */
  @Column({ type: "timestamptz", precision: 3, default: "infinity" }) closedAt: Date;
  /** It is the conversation's last one. */
  @Column({ type: "boolean", default: true }) latest: boolean;
  /** From the conversation's beginning until it was resolved. */
  @Int({ nullable: true }) seconds: number | null;
  /** The assignee. */
  @Uuid({ nullable: true }) memberId: string | null;
  @Text({ nullable: true }) handledBy: Handler | null;
  /** An agent has answered in the conversation. */
  @Column({ type: "boolean", default: false }) assisted: boolean;
  @Text({ nullable: true }) resolution: Resolution | null;
}

/** How long a contact waited for a reply: one row for each reply that ended a wait. */
@Entity("reply_time")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("reply_time_replied", ["tenantId", "workspaceId", "at", "seconds"])
@Index("reply_time_first", ["tenantId", "workspaceId", "at", "seconds"], { where: "first" })
@Check("reply_time_handled_by", isOneOf("handled_by", HANDLERS))
export class ReplyTimeEntity {
  @TenantId() tenantId: string;
  @Id() conversationId: string;
  /** Of the reply. */
  @PrimaryColumn({ type: "integer" }) sequence: number;
  @Uuid() workspaceId: string;
  @Uuid() channelId: string;
  @Time() at: Date;
  /** Since the contact's first message that was not answered. */
  @Int() seconds: number;
  /** It is the first reply of the conversation. */
  @Column({ type: "boolean" }) first: boolean;
  /** The author. */
  @Uuid({ nullable: true }) memberId: string | null;
  @Text() handledBy: Handler;
}

/** What the assistant did in a conversation that it was on for: one row for each. It stays when an erasure removes what the assistant did. */
@Entity("assistant_time")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("assistant_time_began", ["tenantId", "workspaceId", "beganAt"])
@Index("assistant_time_settled", ["tenantId", "workspaceId", "settledAt"], { where: "settled_at is not null" })
@Check("assistant_time_answered", "(answered_sequence is null) = (settled_at is null)")
export class AssistantTimeEntity {
  @TenantId() tenantId: string;
  @Id() conversationId: string;
  @Uuid() workspaceId: string;
  @Uuid() channelId: string;
  /** When the first message came that it was on for. */
  @Time() beganAt: Date;
  /** Of the contact's message that it answered last. */
  @Int({ nullable: true }) answeredSequence: number | null;
  /** Seven days after its last answer. */
  @Time({ nullable: true }) settledAt: Date | null;
  /** A person has replied in the conversation. */
  @Column({ type: "boolean" }) replied: boolean;
  /** When a person first replied after its last answer. */
  @Time({ nullable: true }) repliedAt: Date | null;
}

/** The assistant handed a conversation over to people. */
@Entity("hand_over")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("hand_over_at", ["tenantId", "workspaceId", "at"])
@Check("hand_over_reason", isOneOf("reason", HAND_OVER_REASONS))
export class HandOverEntity {
  @TenantId() tenantId: string;
  @Id() conversationId: string;
  /** Of the contact's message that it did not answer. */
  @PrimaryColumn({ type: "integer" }) sequence: number;
  @Uuid() workspaceId: string;
  @Uuid() channelId: string;
  @Time() at: Date;
  @Text() reason: HandOverReason;
}
