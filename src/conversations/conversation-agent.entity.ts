import { Entity, ForeignKey, Index } from "typeorm";
import { Id, TenantId, Time } from "../platform/database/columns.js";

/**
 * The agents that have answered in a conversation, and when their part ended: it was resolved, or a person took over.
 * Triggers write it.
 */
@Entity("conversation_agent")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("agent", ["tenantId", "agentId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("conversation_agent_of_agent", ["tenantId", "agentId"])
export class ConversationAgentEntity {
  @TenantId() tenantId: string;
  @Id() conversationId: string;
  @Id() agentId: string;
  @Time({ nullable: true }) endedAt: Date | null;
}
