import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Now, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import type { FactorCategory, FactorType } from "../events/identity-event.js";

/** A question that was put to the caller of a conversation. What the right answer is stands in its source alone. */
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
  /** Name of the source, and the question's key there. */
  @Text() source: string;
  @Text() key: string;
  @Text() prompt: string;
  @Now() askedAt: Date;
  @Time({ nullable: true }) answeredAt: Date | null;
  /** Null until an answer was compared. */
  @Column({ type: "boolean", nullable: true }) correct: boolean | null;
}

/**
 * An answer that was let through to be compared. It counts on three axes from before the comparison; a right one is taken
 * away again, so that what stays are the wrong ones and those of processes that died over them.
 */
@Entity("verification_attempt")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("verification_attempt_of_conversation", ["tenantId", "conversationId", "at"])
@Index("verification_attempt_of_contact", ["tenantId", "contactId", "at"])
@Index("verification_attempt_of_caller", ["tenantId", "callerHash", "at"], { where: "caller_hash is not null" })
export class VerificationAttemptEntity {
  @TenantId() tenantId: string;
  /** The question's id: a question is answered once. */
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() contactId: string;
  /** The caller ID, hashed with a key; null where it is withheld or there is none. */
  @Column({ type: "bytea", nullable: true }) callerHash: Buffer | null;
  @Time({ default: () => "clock_timestamp()" }) at: Date;
  /** Compared, and wrong. */
  @Column({ type: "boolean", default: false }) wrong: boolean;
  /** An owner or admin unlocked: it counts no more. */
  @Time({ nullable: true }) forgivenAt: Date | null;
  @Uuid({ nullable: true }) forgivenBy: string | null;
}

/** A proof of who the caller is, as long as it is young enough. */
@Entity("verification_factor")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("verification_factor_of_conversation", ["tenantId", "conversationId", "addedAt"])
@Index("verification_factor_of_contact", ["tenantId", "contactId"])
@Check("verification_factor_category", `factor_category in ('knowledge', 'possession', 'inherence')`)
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

/** When the next factor of a conversation runs out, of all tenants: ids and times only, for the job to claim. */
@Entity("assurance_due")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("assurance_due_next", ["dueAt"])
export class AssuranceDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @Time() dueAt: Date;
}
