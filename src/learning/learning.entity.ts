import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";

/**
 * A question that the assistant missed and what a person answered, without personal data. Enough of them from different
 * contacts make a proposal.
 */
@Entity("learning_evidence")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Unique("learning_evidence_of_message", ["tenantId", "conversationId", "sequence"])
@Index("learning_evidence_recent", ["tenantId", "workspaceId", "createdAt"])
@Index("learning_evidence_by_age", ["tenantId", "createdAt"])
@Index("learning_evidence_of_entry", ["tenantId", "entryId"], { where: "entry_id is not null" })
export class LearningEvidenceEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Uuid() conversationId: string;
  /** Of the message that was missed. */
  @Int() sequence: number;
  /** The person's first message after it. */
  @Uuid() messageId: string;
  @Text() question: string;
  @Text() answer: string;
  @Text() language: string;
  /** The terms of the question, as the search makes them. */
  @Int({ array: true }) terms: number[];
  /** The entry that it speaks for. Null as long as there is none. No foreign key: `learning.sql` says what becomes of it. */
  @Uuid({ nullable: true }) entryId: string | null;
  @Now() createdAt: Date;
}

/** Conversations of all tenants that were resolved after the assistant had missed something. Holds only ids, positions and times. */
@Entity("learning_due")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("learning_due_next", ["dueAt"])
@Index("learning_due_turn", ["tenantId", "dueAt"])
export class LearningDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  /** The messages after this one, up to and including the other. */
  @Int() afterSequence: number;
  @Int() untilSequence: number;
  /** While a process works on it: the end of the lease. */
  @Time() dueAt: Date;
  /** Counts the resolutions, so that a process does not remove what came after it began. */
  @Column({ type: "integer", default: 1 }) revision: number;
}

/** From which network address a visitor began a conversation, who did not prove who they are: they may be several contacts. */
@Entity("learning_origin")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("learning_origin_by_age", ["tenantId", "createdAt"])
export class LearningOriginEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  /** A keyed hash of the address. */
  @Column({ type: "bytea" }) originHash: Buffer;
  @Now() createdAt: Date;
}
