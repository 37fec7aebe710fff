import { Column, Entity, ForeignKey, Index } from "typeorm";
import type { Caller } from "../../platform/caller/caller.js";
import { Id, TenantId, Text, Time, Uuid } from "../../platform/database/columns.js";
import type { SecurityEventDetail, SecurityEventType } from "./security-event.js";

/**
 * Something that concerns sign-ins, credentials or data that leaves. Only `security_note` writes. Both sides share the
 * members, so events about members are in the log of the live side.
 */
@Entity("security_event")
@ForeignKey("tenant", ["tenantId"], ["id"])
@Index("security_event_of_type", ["tenantId", "type", "id"])
@Index("security_event_of_actor", ["tenantId", "actorId", "id"])
@Index("security_event_of_member", ["tenantId", "memberId", "id"])
export class SecurityEventEntity {
  @TenantId() tenantId: string;
  /** A UUID of version 7. The log is ordered by it. */
  @Id() id: string;
  @Time() at: Date;
  @Text() type: SecurityEventType;
  @Text() actorKind: Caller["kind"];
  @Uuid({ nullable: true }) actorId: string | null;
  /** Whom the event is about. No foreign key: the event is kept when the member is gone. */
  @Uuid({ nullable: true }) memberId: string | null;
  @Text({ nullable: true }) address: string | null;
  @Text({ nullable: true }) userAgent: string | null;
  @Column({ type: "jsonb" }) detail: SecurityEventDetail;
}
