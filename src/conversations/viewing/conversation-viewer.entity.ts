import { Check, Entity, ForeignKey, Index } from "typeorm";
import { Id, TenantId, Text, Time } from "../../platform/database/columns.js";
import { isOneOf, namedEnum } from "../../platform/enums/named-enum.js";

export const VIEWER_STATES = namedEnum("ViewerState", "What a viewer does in a conversation.", ["viewing", "typing"]);
export type ViewerState = (typeof VIEWER_STATES)[number];

/**
 * Which member looks at which conversation. Each row is a lease: past `until` it counts for nothing, and the next request
 * of the tenant deletes it.
 */
@Entity("conversation_viewer")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("conversation_viewer_expiry", ["tenantId", "until"])
@Check("conversation_viewer_state", isOneOf("state", VIEWER_STATES))
export class ConversationViewerEntity {
  @TenantId() tenantId: string;
  @Id() conversationId: string;
  @Id() memberId: string;
  @Text() state: ViewerState;
  @Time() until: Date;
}
