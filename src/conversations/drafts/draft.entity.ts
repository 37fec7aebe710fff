import { Column, Entity, ForeignKey, Index } from "typeorm";
import { Id, Int, TenantId, Text, Time } from "../../platform/database/columns.js";

/** What a member has written in a conversation and not sent yet. Only the author can read it. */
@Entity("draft")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("draft_of_member", ["tenantId", "memberId"])
@Index("draft_by_age", ["tenantId", "updatedAt"])
export class DraftEntity {
  @TenantId() tenantId: string;
  @Id() conversationId: string;
  @Id() memberId: string;
  @Text() body: string;
  @Column({ type: "boolean" }) isNote: boolean;
  /** Uploads of the author's. They are kept as long as the draft. */
  @Column({ type: "uuid", array: true }) attachmentIds: string[];
  /** The newest message that the author had seen. */
  @Int({ nullable: true }) basedOnSequence: number | null;
  /** Later with each change, so it also tells one version from another. */
  @Time() updatedAt: Date;
}
