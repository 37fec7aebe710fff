import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Time, Uuid } from "../../platform/database/columns.js";

/** The session of a browser that has written or opened a stream, or whose visitor is signed. */
@Entity("webchat_session")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("webchat_session_of_channel", ["tenantId", "channelId"])
@Index("webchat_session_of_contact", ["tenantId", "contactId"], { where: "contact_id is not null" })
@Index("webchat_session_rotated", ["tenantId", "rotatedAt"])
export class WebchatSessionEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() channelId: string;
  /** Whose thread the session sees: its own id. The browsers of a signed visitor share one. */
  @Uuid() visitorId: string;
  /** Set with the first message; for a signed visitor, from the beginning. */
  @Uuid({ nullable: true }) contactId: string | null;
  @Column({ type: "boolean", default: false }) signed: boolean;
  /** The number of the newest token. */
  @Int({ default: 1 }) number: number;
  /** When the newest token was issued. */
  @Time({ default: () => "clock_timestamp()" }) rotatedAt: Date;
  /** When the newest token was first used. Until then the browser may still have the one before. */
  @Time({ nullable: true }) confirmedAt: Date | null;
  @Time({ nullable: true }) endedAt: Date | null;
  @Now() createdAt: Date;
}

/** The conversations of a visitor, which they see as one thread. */
@Entity("webchat_thread")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("webchat_thread_of_visitor", ["tenantId", "visitorId"])
export class WebchatThreadEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @Uuid() visitorId: string;
}
