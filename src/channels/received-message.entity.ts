import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { TenantId, Uuid } from "../platform/database/columns.js";

/** A message that came in through a channel: it is taken once, and an answer to it finds its conversation. */
@Entity("received_message")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("received_message_of_conversation", ["tenantId", "conversationId"])
export class ReceivedMessageEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  /** SHA-256 of the channel's id of the message. It does not identify the sender, so it is kept after an erasure. */
  @PrimaryColumn({ type: "bytea" }) fingerprint: Buffer;
  @Uuid() conversationId: string;
  @Column({ type: "uuid" }) messageId: string;
  /** Another message names it. It has not come in itself. */
  @Column({ type: "boolean", default: false }) namedOnly: boolean;
}
