import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../database/columns.js";

/** Something that leaves for the outside, written with the change that causes it. */
@Entity("outbox_message")
@ForeignKey("tenant", ["tenantId"], ["id"])
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("outbox_message_of_channel", ["tenantId", "channelId", "status"], { where: "channel_id is not null" })
@Index("outbox_message_of_conversation", ["tenantId", "conversationId"], { where: "conversation_id is not null" })
@Index("outbox_message_recent", ["tenantId", "status", "createdAt", "id"])
@Index("outbox_message_of_recipient", ["tenantId", "recipient"])
@Index("outbox_message_of_reference", ["tenantId", "reference"], { unique: true, where: "reference is not null" })
@Check("outbox_message_status", `status in ('queued', 'sent', 'captured', 'dead')`)
export class OutboxMessageEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  /** The kind of it: `email`, or that of the channel. */
  @Text() channel: string;
  /** Of a conversation's message, whose id it has: through what it leaves, and where it stands among those of the conversation. A mail of ours has none of them. */
  @Uuid({ nullable: true }) channelId: string | null;
  @Uuid({ nullable: true }) conversationId: string | null;
  @Int({ nullable: true }) position: number | null;
  @Text() status: "queued" | "sent" | "captured" | "dead";
  /** Recipient, subject and body, sealed: mails carry invitations and links. Empty once it was sent. */
  @Column({ type: "bytea" }) sealed: Buffer;
  /** Keyed hash of the address, to find what somebody was sent without opening it all. */
  @Column({ type: "bytea", nullable: true }) recipient: Buffer | null;
  @Int({ default: 0 }) attempts: number;
  @Text({ nullable: true }) lastError: string | null;
  /** When it was first taken up: from then on it may have arrived, whatever became known of it. */
  @Time({ nullable: true }) firstTriedAt: Date | null;
  /** The receiver's own id of it, once it was taken. */
  @Text({ nullable: true }) reference: string | null;
  @Now() createdAt: Date;
  @Time({ nullable: true }) sentAt: Date | null;
}

/** What waits to be sent, of all tenants: ids and times only, for the worker to claim. */
@Entity("outbox_queue")
@ForeignKey("outbox_message", ["tenantId", "id"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("outbox_queue_due", ["dueAt"])
@Index("outbox_queue_lane", ["tenantId", "conversationId", "position"], { where: "conversation_id is not null" })
@Index("outbox_queue_of_channel", ["tenantId", "channelId"], { where: "channel_id is not null" })
export class OutboxQueueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
  /** As in the message. While an earlier one of its conversation is in the queue, this one waits. */
  @Uuid({ nullable: true }) channelId: string | null;
  @Uuid({ nullable: true }) conversationId: string | null;
  @Int({ nullable: true }) position: number | null;
  /** Not before then; while one worker has it, the end of its lease; infinity until its channel works again. */
  @Time({ default: () => "now()" }) dueAt: Date;
}
