import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import { isOneOf } from "../../platform/enums/named-enum.js";
import { FACTOR_CATEGORIES, type FactorCategory, type FactorType } from "../events/identity-event.js";

/** A question that was put to the caller of a conversation. The right answer is only in its source. */
@Entity("verification_question")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("verification_question_of_conversation", ["tenantId", "conversationId", "askedAt", "id"])
@Index("verification_question_of_contact", ["tenantId", "contactId"])
export class VerificationQuestionEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() contactId: string;
  /** The source's name, and the question's key in it. */
  @Text() source: string;
  @Text() key: string;
  @Text() prompt: string;
  @Now() askedAt: Date;
  @Time({ nullable: true }) answeredAt: Date | null;
  /** Null until an answer has been compared. */
  @Column({ type: "boolean", nullable: true }) correct: boolean | null;
}

/**
 * An answer that was accepted for comparison. It counts towards three caps, from before the comparison. The row of a right
 * answer is deleted, so what remains are wrong answers, and answers whose process died before it recorded the result.
 */
@Entity("verification_attempt")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("verification_attempt_of_conversation", ["tenantId", "conversationId", "at"])
@Index("verification_attempt_of_contact", ["tenantId", "contactId", "at"])
@Index("verification_attempt_of_caller", ["tenantId", "callerHash", "at"], { where: "caller_hash is not null" })
export class VerificationAttemptEntity {
  @TenantId() tenantId: string;
  /** The question's id, because a question is answered once. */
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() contactId: string;
  /** Keyed hash of the caller ID. Null if it is withheld or there is none. */
  @Column({ type: "bytea", nullable: true }) callerHash: Buffer | null;
  @Time({ default: () => "clock_timestamp()" }) at: Date;
  /** The answer was compared and is wrong. */
  @Column({ type: "boolean", default: false }) wrong: boolean;
  /** When an owner or admin unlocked the verification. The attempt no longer counts. */
  @Time({ nullable: true }) forgivenAt: Date | null;
  @Uuid({ nullable: true }) forgivenBy: string | null;
}

/** A proof of who the caller is. It counts until it expires. */
@Entity("verification_factor")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("verification_factor_of_conversation", ["tenantId", "conversationId", "addedAt"])
@Index("verification_factor_of_contact", ["tenantId", "contactId"])
@Check("verification_factor_category", isOneOf("factor_category", FACTOR_CATEGORIES))
export class VerificationFactorEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() contactId: string;
  @Text() factorType: FactorType;
  @Text() factorCategory: FactorCategory;
  @Time({ default: () => "clock_timestamp()" }) addedAt: Date;
  @Time() expiresAt: Date;
}

/** When the next factor of a conversation expires, for all tenants. Holds only ids and times, which the job claims. */
@Entity("assurance_due")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("assurance_due_next", ["dueAt"])
@Index("assurance_due_turn", ["tenantId", "dueAt"])
export class AssuranceDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @Time() dueAt: Date;
}
