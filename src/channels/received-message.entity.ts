import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { TenantId, Uuid } from "../platform/database/columns.js";

/** What came in through a channel, so that it comes in once, and what answers it finds its conversation. */
@Entity("received_message")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("received_message_of_conversation", ["tenantId", "conversationId"])
export class ReceivedMessageEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) channelId: string;
  /** SHA-256 of the id that the channel has for it: it tells nothing of whom it came from, and outlives an erasure. */
  @PrimaryColumn({ type: "bytea" }) fingerprint: Buffer;
  @Uuid() conversationId: string;
  @Column({ type: "uuid" }) messageId: string;
}
