import { Entity, ForeignKey, Index } from "typeorm";
import { Id, Now, TenantId, Text, Uuid } from "../../platform/database/columns.js";

/** A text that members reply with again and again. */
@Entity("canned_reply")
@ForeignKey("tenant", ["tenantId"], ["id"])
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("canned_reply_shortcut_of_workspace", ["tenantId", "workspaceId", "shortcut"], {
  unique: true,
  where: "workspace_id is not null",
})
@Index("canned_reply_shortcut_of_all", ["tenantId", "shortcut"], { unique: true, where: "workspace_id is null" })
export class CannedReplyEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  /** Null: for all workspaces. */
  @Uuid({ nullable: true }) workspaceId: string | null;
  /** In small letters. */
  @Text() shortcut: string;
  @Text() title: string;
  /** Markdown with variables, see `template.ts`. */
  @Text() body: string;
  /** ISO 639-1. */
  @Text({ nullable: true }) language: string | null;
  @Uuid() createdBy: string;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}
