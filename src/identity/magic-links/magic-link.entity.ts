import { Check, Column, Entity, ForeignKey, Index } from "typeorm";
import { isOneOf } from "../../platform/enums/named-enum.js";
import { PROOF_CHANNELS, type ProofChannel } from "../verification/proof-channel.js";
import { Id, Int, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";

/** A link that was sent to a contact. A person who presses the button behind it has the mailbox or the phone. */
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
@Check("magic_link_code", "code ~ '^[1-9][0-9]$'")
@Check("magic_link_channel", isOneOf("channel", PROOF_CHANNELS))
export class MagicLinkEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() contactId: string;
  @Text() channel: ProofChannel;
  /** The contact's address that it was sent to. If that is removed, the link is void. */
  @Uuid() pointId: string;
  /** Whether the address counted when the link was sent. If not, the link proves the address and nothing else. */
  @Column({ type: "boolean" }) counts: boolean;
  /** Two digits that the page and the conversation show, so that a person sees whose conversation the link is of. */
  @Text() code: string;
  /** How often the page was sent wrong digits. */
  @Int({ default: 0 }) wrongCodes: number;
  /** SHA-256 of the token. The token itself is only in the mail. */
  @Text() tokenHash: string;
  @Time({ default: () => "clock_timestamp()" }) createdAt: Date;
  @Time() expiresAt: Date;
  @Time({ nullable: true }) redeemedAt: Date | null;
  /** When a newer link was sent in the conversation, or the page was sent wrong digits too often. */
  @Time({ nullable: true }) replacedAt: Date | null;
}
