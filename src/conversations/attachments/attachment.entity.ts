import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Uuid } from "../../platform/database/columns.js";

/** The metadata of an uploaded file. Its bytes are in the store. */
@Entity("attachment")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("message", ["tenantId", "messageId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("attachment_of_conversation", ["tenantId", "conversationId", "createdAt", "id"])
@Index("attachment_of_message", ["tenantId", "messageId", "position"])
@Index("attachment_unattached", ["tenantId", "createdAt"], { where: "message_id is null" })
@Check("attachment_attached", `(message_id is null) = (conversation_id is null)`)
@Check("attachment_size", `size > 0`)
@Check("attachment_original", `original in ('html', 'text')`)
export class AttachmentEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() fileName: string;
  @Text() contentType: string;
  /** Bytes. */
  @Int() size: number;
  /** Width of an image, in pixels. */
  @Int({ nullable: true }) width: number | null;
  @Int({ nullable: true }) height: number | null;
  /** The key or member that uploaded the file. Only this caller may attach it. */
  @Uuid({ nullable: true }) uploadedBy: string | null;
  @Uuid({ nullable: true }) conversationId: string | null;
  @Uuid({ nullable: true }) messageId: string | null;
  /** The file is the message itself as it came: with formatting that the message's text lacks (`html`), or without. */
  @Text({ nullable: true }) original: "html" | "text" | null;
  /** The position among the message's attachments, from 1. */
  @Int({ nullable: true }) position: number | null;
  @Now() createdAt: Date;
}

/** The bytes of a tenant's attachments. Uploads add to it, and a trigger takes off what is deleted. */
@Entity("attachment_usage")
@ForeignKey("tenant", ["tenantId"], ["id"])
export class AttachmentUsageEntity {
  @TenantId() tenantId: string;
  @Column({ type: "bigint", default: 0 }) bytes: string;
  /** Null: the server's, `ATTACHMENT_QUOTA_GB`. */
  @Column({ type: "bigint", nullable: true }) quotaBytes: string | null;
}

/**
 * Files whose row is deleted, for all tenants. A trigger writes here for every deleted row, however it was deleted.
 */
@Entity("attachment_removal")
export class AttachmentRemovalEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
}
