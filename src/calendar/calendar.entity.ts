import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";
import { isOneOf, namedEnum } from "../platform/enums/named-enum.js";

export const CALENDAR_PROVIDERS = ["caldav"] as const;
export type CalendarProviderName = (typeof CALENDAR_PROVIDERS)[number];
export const CONNECTION_STATUSES = namedEnum("CalendarConnectionStatus", "Whether a calendar connection works.", [
  "connected",
  "expired",
  "error",
]);
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number];

const Flag = (value: boolean): PropertyDecorator => Column({ type: "boolean", default: value });

/** An account on a calendar server. Its row stays after a disconnect, without credentials: bookings point at its calendars. */
@Entity("calendar_connection")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("calendar_connection_of_workspace", ["tenantId", "workspaceId", "createdAt", "id"])
@Check("calendar_connection_status", isOneOf("status", CONNECTION_STATUSES))
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
  /** Counts changes of the address and the credentials, so that a sync that began before one does not write its result. */
  @Int({ default: 1 }) revision: number;
  /** Failed syncs in a row. */
  @Int({ default: 0 }) attempts: number;
  @Text({ nullable: true }) lastError: string | null;
  @Time({ nullable: true }) failingSince: Date | null;
  @Time({ nullable: true }) nextRetryAt: Date | null;
  @Time({ nullable: true }) lastSyncedAt: Date | null;
  /** When its calendars were last listed on the server. */
  @Time({ nullable: true }) discoveredAt: Date | null;
  @Time({ nullable: true }) disconnectedAt: Date | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** A calendar of an account, as on the server. */
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
  /** Whether the server still has it. */
  @Flag(true) available: boolean;
  @Text({ nullable: true }) syncToken: string | null;
  /** For servers without sync tokens. */
  @Text({ nullable: true }) ctag: string | null;
  /** Until when busy times are known; null before the first sync. */
  @Time({ nullable: true }) knownUntil: Date | null;
  /** Events whose times could not be read, so their time counts as free. */
  @Int({ default: 0 }) unreadableEvents: number;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
}

/** An event on the server that is no booking: a hash of its URL, and its version. None of its text is stored. */
@Entity("calendar_event")
@ForeignKey("calendar", ["tenantId", "calendarId"], ["tenantId", "id"], { onDelete: "CASCADE" })
export class CalendarEventEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) calendarId: string;
  /** A hash of its URL, which may contain the title. */
  @PrimaryColumn({ type: "text" }) resource: string;
  @Text() etag: string;
  @Flag(true) readable: boolean;
}

/** When such an event takes place, within the window of a sync. */
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

/** The queue of connections to sync, across all tenants: when next, and by which process. */
@Entity("calendar_due")
@ForeignKey("calendar_connection", ["tenantId", "connectionId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("calendar_due_next", ["dueAt"])
@Index("calendar_due_turn", ["tenantId", "dueAt"])
export class CalendarDueEntity {
  @PrimaryColumn({ type: "uuid" }) tenantId: string;
  @PrimaryColumn({ type: "uuid" }) connectionId: string;
  @Time({ default: () => "now()" }) dueAt: Date;
  @Uuid({ nullable: true }) holder: string | null;
  /** When the holder's lease ends, unless it is renewed. */
  @Time({ default: () => "now()" }) heldUntil: Date;
}
