import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../database/columns.js";

/** An outgoing message, stored in the transaction that causes it. */
@Entity("outbox_message")
@ForeignKey("tenant", ["tenantId"], ["id"])
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("outbox_message_of_channel", ["tenantId", "channelId", "status"], { where: "channel_id is not null" })
@Index("outbox_message_without_channel", ["tenantId", "kind", "createdAt"], { where: "channel_id is null" })
@Index("outbox_message_of_conversation", ["tenantId", "conversationId"], { where: "conversation_id is not null" })
@Index("outbox_message_recent", ["tenantId", "status", "createdAt", "id"])
@Index("outbox_message_of_recipient", ["tenantId", "recipient"])
@Index("outbox_message_of_reference", ["tenantId", "reference"], { unique: true, where: "reference is not null" })
@Check("outbox_message_status", `status in ('queued', 'sent', 'captured', 'dead')`)
export class OutboxMessageEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  /** The name of the `OutboxKind` that sends it. */
  @Text({ default: "mail" }) kind: string;
  /** The channel name that the API shows: `email`, or the type of the channel. */
  @Text() channel: string;
  /** The channel that sends it, its conversation, and its place in it. The service's own mail has none of these. See `OutboxEntry`. */
  @Uuid({ nullable: true }) channelId: string | null;
  @Uuid({ nullable: true }) conversationId: string | null;
  @Int({ nullable: true }) position: number | null;
  @Text() status: "queued" | "sent" | "captured" | "dead";
  /** Recipient, subject and body, encrypted: mails carry invitations and links. Empty once the message was sent. */
  @Column({ type: "bytea" }) sealed: Buffer;
  /** Keyed hash of the address: finds the messages to a person without decrypting all of them. */
  @Column({ type: "bytea", nullable: true }) recipient: Buffer | null;
  @Int({ default: 0 }) attempts: number;
  @Text({ nullable: true }) lastError: string | null;
  /** When the first attempt began. From then on the message may have arrived, whatever was reported. */
  @Time({ nullable: true }) firstTriedAt: Date | null;
  /** Who takes it, if that is neither the channel nor the kind. */
  @Text({ nullable: true }) receiver: string | null;
  /** The receiver's id of the message, once it accepted it. */
  @Text({ nullable: true }) reference: string | null;
  @Now() createdAt: Date;
  @Time({ nullable: true }) sentAt: Date | null;
}

/** Queued messages of all tenants: ids and times only, for the worker to claim. */
@Entity("outbox_queue")
@ForeignKey("outbox_message", ["tenantId", "id"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("outbox_queue_due", ["dueAt"])
@Index("outbox_queue_lane", ["tenantId", "conversationId", "position"], { where: "conversation_id is not null" })
@Index("outbox_queue_turn", ["tenantId", "receiver", "dueAt"])
@Index("outbox_queue_of_channel", ["tenantId", "channelId"], { where: "channel_id is not null" })
export class OutboxQueueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
  @Text({ default: "mail" }) kind: string;
  /** Who takes it: by default the channel, or the kind of a message without one. How many are sent at once is limited for each. */
  @Text({ default: "mail" }) receiver: string;
  /** As in the message. A message waits while an earlier one of its conversation is in the queue. */
  @Uuid({ nullable: true }) channelId: string | null;
  @Uuid({ nullable: true }) conversationId: string | null;
  @Int({ nullable: true }) position: number | null;
  /** Until the first attempt begins, it can be taken back. */
  @Column({ type: "boolean", default: false }) held: boolean;
  /** When the message is due. While a worker has it: the end of the lease. Infinity until its channel works again. */
  @Time({ default: () => "now()" }) dueAt: Date;
  /** Since when it waits to be sent, by the clock of PostgreSQL: since it was queued, or its channel works again. */
  @Time({ default: () => "now()" }) waitingSince: Date;
}
