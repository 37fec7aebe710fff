import { Exclude, Expose } from "class-transformer";
import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from "typeorm";

@Entity("channel")
export class Channel {
  @PrimaryColumn({ name: "tenant_id", type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
  @Column({ type: "text" }) type: string;
}

@Entity("contact")
export class Contact {
  @PrimaryColumn({ name: "tenant_id", type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) id: string;
  @Column({ name: "account_id", type: "uuid", nullable: true }) accountId: string | null;
}

@Entity("conversation")
export class Conversation {
  @Exclude()
  @PrimaryColumn({ name: "tenant_id", type: "uuid" })
  tenantId: string;

  @PrimaryColumn({ type: "uuid" }) id: string;
  @Column({ name: "workspace_id", type: "uuid" }) workspaceId: string;
  @Column({ name: "brand_id", type: "uuid" }) brandId: string;
  @Column({ name: "channel_id", type: "uuid" }) channelId: string;
  @Column({ name: "contact_id", type: "uuid" }) contactId: string;
  @Column({ name: "external_id", type: "text", nullable: true }) externalId: string | null;
  @Column({ type: "text", nullable: true }) subject: string | null;
  @Column({ type: "text" }) status: string;
  @Column({ name: "handling_mode", type: "text" }) handlingMode: string;
  @Column({ name: "assignee_id", type: "uuid", nullable: true }) assigneeId: string | null;
  @Column({ type: "text" }) priority: string;
  @Column({ type: "text", array: true }) labels: string[];
  @Column({ type: "text", nullable: true }) language: string | null;
  @Column({ type: "text", nullable: true }) summary: string | null;
  @Column({ name: "message_count", type: "integer" }) messageCount: number;
  @Column({ name: "unread_count", type: "integer" }) unreadCount: number;
  @Column({ name: "last_message_preview", type: "text", nullable: true }) lastMessagePreview: string | null;
  @Column({ name: "last_activity_at", type: "timestamptz" }) lastActivityAt: Date;
  @Column({ name: "waiting_since", type: "timestamptz", nullable: true }) waitingSince: Date | null;
  @Column({ name: "first_reply_at", type: "timestamptz", nullable: true }) firstReplyAt: Date | null;
  @Column({ name: "snoozed_until", type: "timestamptz", nullable: true }) snoozedUntil: Date | null;
  @Column({ name: "resolved_at", type: "timestamptz", nullable: true }) resolvedAt: Date | null;
  @Column({ name: "resolved_by", type: "uuid", nullable: true }) resolvedBy: string | null;
  @Column({ type: "text", nullable: true }) resolution: string | null;
  @Column({ name: "assurance_level", type: "text" }) assuranceLevel: string;
  @Column({ name: "csat_score", type: "real", nullable: true }) csatScore: number | null;
  @Column({ name: "pending_action_count", type: "integer" }) pendingActionCount: number;
  @Column({ name: "open_attention_count", type: "integer" }) openAttentionCount: number;
  @Column({ name: "previous_conversation_id", type: "uuid", nullable: true }) previousConversationId: string | null;
  @Column({ type: "jsonb" }) metadata: object;
  @Column({ name: "created_at", type: "timestamptz" }) createdAt: Date;
  @Column({ name: "updated_at", type: "timestamptz" }) updatedAt: Date;

  @Exclude()
  @ManyToOne(() => Channel)
  @JoinColumn([
    { name: "tenant_id", referencedColumnName: "tenantId" },
    { name: "channel_id", referencedColumnName: "id" },
  ])
  channel: Channel;

  @Exclude()
  @ManyToOne(() => Contact)
  @JoinColumn([
    { name: "tenant_id", referencedColumnName: "tenantId" },
    { name: "contact_id", referencedColumnName: "id" },
  ])
  contact: Contact;

  @Expose()
  get channelType(): string {
    return this.channel.type;
  }

  @Expose()
  get accountId(): string | null {
    return this.contact.accountId;
  }
}
