import { Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Time, Uuid } from "../platform/database/columns.js";

/**
 * The labels of each conversation with the columns that lists are ordered by. So the conversations of a label can be
 * listed like any others. A trigger on `conversation` keeps this table; the labels themselves are stored in
 * `conversation`.
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
