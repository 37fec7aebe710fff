import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";

export const CALENDAR_PROVIDERS = ["caldav"] as const;
export type CalendarProviderName = (typeof CALENDAR_PROVIDERS)[number];
export const CONNECTION_STATUSES = ["connected", "expired", "error"] as const;
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

const Flag = (value: boolean): PropertyDecorator => Column({ type: "boolean", default: value });

/** An account on a calendar server. One that was disconnected stays, without its credentials, for the bookings of its calendars. */
@Entity("calendar_connection")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("calendar_connection_of_workspace", ["tenantId", "workspaceId", "createdAt", "id"])
@Check("calendar_connection_status", `status in ('connected', 'expired', 'error')`)
@Check("calendar_connection_credentials", "(credentials is null) = (credential_fingerprint is null)")
@Check("calendar_connection_disconnected", "disconnected_at is null or credentials is null")
export class CalendarConnectionEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Text() provider: CalendarProviderName;
  @Text() serverUrl: string;
  @Text({ nullable: true }) accountEmail: string | null;
  /** Sealed, and bound to the server's address. */
  @Column({ type: "bytea", nullable: true }) credentials: Buffer | null;
  @Text({ nullable: true }) credentialFingerprint: string | null;
  @Text({ default: "connected" }) status: ConnectionStatus;
  /** Counts what was set anew: what an older pass found says nothing about it. */
  @Int({ default: 1 }) revision: number;
  /** How often in a row it failed. */
  @Int({ default: 0 }) attempts: number;
  @Text({ nullable: true }) lastError: string | null;
  @Time({ nullable: true }) failingSince: Date | null;
  @Time({ nullable: true }) nextRetryAt: Date | null;
  @Time({ nullable: true }) lastSyncedAt: Date | null;
  /** When its calendars were last looked for. */
  @Time({ nullable: true }) discoveredAt: Date | null;
  @Time({ nullable: true }) disconnectedAt: Date | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** A calendar of an account, as the server has it. */
@Entity("calendar")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("calendar_connection", ["tenantId", "connectionId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Unique("calendar_url", ["tenantId", "connectionId", "url"])
@Index("calendar_of_workspace", ["tenantId", "workspaceId"])
export class CalendarEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Uuid() connectionId: string;
  /** Absolute. */
  @Text() url: string;
  @Text() name: string;
  /** IANA. */
  @Text() timezone: string;
  @Flag(false) isPrimary: boolean;
  @Flag(true) writable: boolean;
  /** The server still has it. */
  @Flag(true) available: boolean;
  @Text({ nullable: true }) syncToken: string | null;
  /** Of a server without sync tokens. */
  @Text({ nullable: true }) ctag: string | null;
  /** The busy times are known until then; null: not yet. */
  @Time({ nullable: true }) knownUntil: Date | null;
  /** Events whose times could not be read: what they take is not known to be busy. */
  @Int({ default: 0 }) unreadableEvents: number;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** An event of somebody else's on the server: which, hashed, and at which version. Nothing of its words is kept. */
@Entity("calendar_event")
@ForeignKey("calendar", ["tenantId", "calendarId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class CalendarEventEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) calendarId: string;
  /** A hash of its path: paths may hold a title. */
  @PrimaryColumn({ type: "text" }) resource: string;
  @Text() etag: string;
  @Flag(true) readable: boolean;
}

/** When such an event takes place, within the days that are looked at. */
@Entity("calendar_busy")
@ForeignKey("calendar_event", ["tenantId", "calendarId", "resource"], ["tenantId", "calendarId", "resource"], {
  onDelete: "CASCADE",
})
@Index("calendar_busy_times", ["tenantId", "calendarId", "endsAt", "startsAt"])
export class CalendarBusyEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) calendarId: string;
  @PrimaryColumn({ type: "text" }) resource: string;
  @PrimaryColumn({ type: "timestamptz", precision: 3 }) startsAt: Date;
  @Time() endsAt: Date;
}

/** The connections, of all tenants, that are to be kept in sync: when next, and by which process. */
@Entity("calendar_due")
@ForeignKey("calendar_connection", ["tenantId", "connectionId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("calendar_due_next", ["dueAt"])
export class CalendarDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) connectionId: string;
  @Time({ default: () => "now()" }) dueAt: Date;
  @Uuid({ nullable: true }) holder: string | null;
  /** Until then it is the holder's, who renews it. */
  @Time({ default: () => "now()" }) heldUntil: Date;
}
