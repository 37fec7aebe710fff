import { Check, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Uuid } from "../../platform/database/columns.js";

/** A file that was uploaded: what is known of it. Its bytes are in the store. */
@Entity("attachment")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("message", ["tenantId", "messageId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("attachment_of_conversation", ["tenantId", "conversationId", "createdAt", "id"])
@Index("attachment_of_message", ["tenantId", "messageId", "position"])
@Index("attachment_unattached", ["tenantId", "createdAt"], { where: "message_id is null" })
@Check("attachment_attached", `(message_id is null) = (conversation_id is null)`)
@Check("attachment_size", `size > 0`)
export class AttachmentEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Text() fileName: string;
  @Text() contentType: string;
  /** Bytes. */
  @Int() size: number;
  /** Of an image, in pixels. */
  @Int({ nullable: true }) width: number | null;
  @Int({ nullable: true }) height: number | null;
  /** The key or member that uploaded it, who alone may attach it. */
  @Uuid({ nullable: true }) uploadedBy: string | null;
  @Uuid({ nullable: true }) conversationId: string | null;
  @Uuid({ nullable: true }) messageId: string | null;
  /** Its place among its message's, from 1. */
  @Int({ nullable: true }) position: number | null;
  @Now() createdAt: Date;
}

/** Files whose row is gone, of all tenants. A trigger writes here whenever a row goes, whatever made it go. */
@Entity("attachment_removal")
export class AttachmentRemovalEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
}
