import { Check, Entity, ForeignKey, Index } from "typeorm";
import { Id, TenantId, Text, Time } from "../../platform/database/columns.js";

export const VIEWER_STATES = ["viewing", "typing"] as const;
export type ViewerState = (typeof VIEWER_STATES)[number];

/**
 * Which member looks at which conversation. Each row is a lease: past `until` it counts for nothing, and the next request
 * of the tenant deletes it.
 */
@Entity("conversation_viewer")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("conversation_viewer_expiry", ["tenantId", "until"])
@Check("conversation_viewer_state", `state in ('viewing', 'typing')`)
export class ConversationViewerEntity {
  @TenantId() tenantId: string;
  @Id() conversationId: string;
  @Id() memberId: string;
  @Text() state: ViewerState;
  @Time() until: Date;
}
