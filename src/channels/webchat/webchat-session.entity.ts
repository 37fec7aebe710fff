import { Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Time, Uuid } from "../../platform/database/columns.js";

/** A browser that has written, or whose visitor is known: which of its tokens is the newest. */
@Entity("webchat_session")
@ForeignKey("channel", ["tenantId", "channelId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("webchat_session_of_channel", ["tenantId", "channelId"])
@Index("webchat_session_of_contact", ["tenantId", "contactId"], { where: "contact_id is not null" })
@Index("webchat_session_rotated", ["tenantId", "rotatedAt"])
export class WebchatSessionEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() channelId: string;
  /** Whose thread it sees: its own id; of a signed visitor, one that their other browsers have too. */
  @Uuid() visitorId: string;
  /** Known from the first message on; of a signed visitor, from the beginning. */
  @Uuid({ nullable: true }) contactId: string | null;
  @Column({ type: "boolean", default: false }) signed: boolean;
  /** The number of the newest token. */
  @Int({ default: 1 }) number: number;
  /** When that was given. */
  @Time({ default: () => "clock_timestamp()" }) rotatedAt: Date;
  /** When it was first used: until then the one before may not have been replaced where it is kept. */
  @Time({ nullable: true }) confirmedAt: Date | null;
  @Time({ nullable: true }) endedAt: Date | null;
  @Now() createdAt: Date;
}

/** The conversations that a visitor has written into: what they see as one thread. */
@Entity("webchat_thread")
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("webchat_thread_of_visitor", ["tenantId", "visitorId"])
export class WebchatThreadEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) conversationId: string;
  @Uuid() visitorId: string;
}
