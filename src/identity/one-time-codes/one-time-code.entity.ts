import { Check, Column, Entity, ForeignKey, Index } from "typeorm";
import { Id, Int, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf } from "../../platform/enums/named-enum.js";
import { PROOF_CHANNELS, type ProofChannel } from "../verification/proof-channel.js";

/** A code that was sent to a contact. A person who knows it has the mailbox or the phone. */
@Entity("one_time_code")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("one_time_code_of_conversation", ["tenantId", "conversationId"])
@Index("one_time_code_open", ["tenantId", "conversationId", "channel"], {
  unique: true,
  where: "redeemed_at is null and replaced_at is null",
})
@Index("one_time_code_of_contact", ["tenantId", "contactId", "createdAt"])
@Index("one_time_code_expired", ["tenantId", "expiresAt"])
@Check("one_time_code_end", "redeemed_at is null or replaced_at is null")
@Check("one_time_code_channel", isOneOf("channel", PROOF_CHANNELS))
@Check("one_time_code_tries", "tries between 0 and 5")
export class OneTimeCodeEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() contactId: string;
  @Text() channel: ProofChannel;
  /** The contact's address that it was sent to. If that is removed, the code is void. */
  @Uuid() pointId: string;
  /** Whether the address counted when the code was sent. If not, the code proves the address and nothing else. */
  @Column({ type: "boolean" }) counts: boolean;
  /** A keyed hash, because six digits could be found from any other. The code itself is only in the message. */
  @Column({ type: "bytea" }) codeHash: Buffer;
  /** How often a code was compared with it. */
  @Int({ default: 0 }) tries: number;
  @Time({ default: () => "clock_timestamp()" }) createdAt: Date;
  @Time() expiresAt: Date;
  @Time({ nullable: true }) redeemedAt: Date | null;
  /** When a newer code was sent through the channel in the conversation. */
  @Time({ nullable: true }) replacedAt: Date | null;
}
