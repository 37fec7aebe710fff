import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";

/** A browser of a member that shows notices, on both sides. It goes with the session in which the member allowed it. */
@Entity("push_subscription")
@ForeignKey("member", ["organisationId", "memberId"], ["organisationId", "id"], { onDelete: "CASCADE" })
@ForeignKey("member_session", ["organisationId", "sessionId"], ["organisationId", "id"], { onDelete: "CASCADE" })
@Index("push_subscription_endpoint", ["organisationId", "endpointHash"], { unique: true })
@Index("push_subscription_of_member", ["organisationId", "memberId"])
@Index("push_subscription_of_session", ["organisationId", "sessionId"])
export class PushSubscriptionEntity {
  @PrimaryColumn({ type: "uuid" }) organisationId: string;
  @Id() id: string;
  @Uuid() memberId: string;
  /** Null for tokens of an external issuer. */
  @Uuid({ nullable: true }) sessionId: string | null;
  /** The browser and its system. */
  @Text() device: string;
  /** Of the notices, unless the member's preferences say another. */
  @Text() language: string;
  /** SHA-256 of the endpoint, which is long and random. */
  @Column({ type: "bytea" }) endpointHash: Buffer;
  /** The same of endpoint and keys. Only the browser itself knows them: it may belong to another member from then on. */
  @Column({ type: "bytea" }) keysHash: Buffer;
  /** Encrypted: `PushTarget`. */
  @Column({ type: "bytea" }) sealed: Buffer;
  /** When the push service last took a notice. */
  @Time({ nullable: true }) lastSuccessAt: Date | null;
  @Now() createdAt: Date;
}

/**
 * A member was named in a conversation and has not opened it since. Only of members who want a mail then. Ids and times, for
 * the job to claim.
 */
@Entity("unread_mention")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("unread_mention_of_member", ["tenantId", "conversationId", "memberId"], { unique: true })
@Index("unread_mention_next", ["dueAt"])
@Index("unread_mention_turn", ["tenantId", "dueAt"])
export class UnreadMentionEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() conversationId: string;
  @Uuid() memberId: string;
  /** Of the first note that names the member. */
  @Int() sequence: number;
  /** When the mail is due. While a process has it: the end of the lease. */
  @Time() dueAt: Date;
}

/** Up to where the feed of a live side was turned into notices. There is a row for each side whose members want some. */
@Entity("notice_due")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Index("notice_due_next", ["dueAt"])
export class NoticeDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @Column({ type: "bigint" }) transactionId: string;
  @Column({ type: "bigint" }) position: string;
  /** Empty until the feed is read for the first time: from its end on. */
  @Text() epoch: string;
  /** When the feed is read next. While a process reads it: the end of the lease. */
  @Time() dueAt: Date;
  @Column({ type: "boolean", default: false }) claimed: boolean;
}
