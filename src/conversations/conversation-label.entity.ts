import { Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Time, Uuid } from "../platform/database/columns.js";

/**
 * The labels of each conversation with what lists are ordered by, so that the conversations of a label are walked like any
 * others. Kept by a trigger on `conversation`, whatever changes one; the labels themselves are those that stand there.
 */
@Entity("conversation_label")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("conversation_label_recent", ["tenantId", "workspaceId", "label", "lastActivityAt", "conversationId"])
@Index("conversation_label_recent_anywhere", ["tenantId", "label", "lastActivityAt", "conversationId"])
export class ConversationLabelEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @PrimaryColumn({ type: "text" }) label: string;
  @Uuid() workspaceId: string;
  @Time() lastActivityAt: Date;
}
