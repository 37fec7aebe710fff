import { Check, Entity, ForeignKey, Index } from "typeorm";
import { Id, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

/** A link that was sent to a contact. A person who presses the button behind it has the mailbox. */
@Entity("magic_link")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("magic_link_of_conversation", ["tenantId", "conversationId"])
@Index("magic_link_open", ["tenantId", "conversationId"], {
  unique: true,
  where: "redeemed_at is null and replaced_at is null",
})
@Index("magic_link_of_contact", ["tenantId", "contactId", "createdAt"])
@Index("magic_link_expired", ["tenantId", "expiresAt"])
@Check("magic_link_end", "redeemed_at is null or replaced_at is null")
export class MagicLinkEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() contactId: string;
  /** SHA-256 of the token. The token itself is only in the mail. */
  @Text() tokenHash: string;
  @Time({ default: () => "clock_timestamp()" }) createdAt: Date;
  @Time() expiresAt: Date;
  @Time({ nullable: true }) redeemedAt: Date | null;
  /** When a newer link was sent in the conversation. */
  @Time({ nullable: true }) replacedAt: Date | null;
}
