import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from "typeorm";
import { Id, Int, Now, TenantId, Text, Time, Uuid } from "../platform/database/columns.js";
import { isOneOf, namedEnum } from "../platform/enums/named-enum.js";

export const BOOKING_STATUSES = namedEnum("BookingStatus", "The state of a booking.", [
  "tentative",
  "confirmed",
  "cancelled",
  "completed",
  "no_show",
]);
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** An appointment, and how much of it the calendar server knows. */
@Entity("booking")
@ForeignKey("workspace", ["tenantId", "workspaceId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("calendar", ["tenantId", "calendarId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("conversation", ["tenantId", "conversationId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("contact", ["tenantId", "contactId"], ["tenantId", "id"])
@Index("booking_of_workspace", ["tenantId", "workspaceId", "startsAt", "id"])
@Index("booking_by_status", ["tenantId", "workspaceId", "status", "startsAt", "id"])
@Index("booking_of_calendar", ["tenantId", "calendarId", "startsAt", "id"])
@Index("booking_busy", ["tenantId", "calendarId", "endsAt", "startsAt"], {
  where: `status in ('tentative', 'confirmed')`,
})
@Index("booking_of_conversation", ["tenantId", "conversationId", "startsAt", "id"], {
  where: "conversation_id is not null",
})
@Index("booking_of_contact", ["tenantId", "contactId", "startsAt", "id"], { where: "contact_id is not null" })
@Check("booking_status", isOneOf("status", BOOKING_STATUSES))
@Check("booking_times", "starts_at < ends_at")
@Check(
  "booking_erased",
  `redacted_at is null or (title = '' and description is null and location is null and contact_id is null and seen is null and sent is null and conflict is null)`,
)
export class BookingEntity {
  @TenantId() tenantId: string;
  @Id() id: string;
  @Uuid() workspaceId: string;
  @Uuid() calendarId: string;
  @Uuid({ nullable: true }) conversationId: string | null;
  @Uuid({ nullable: true }) contactId: string | null;
  @Text() title: string;
  @Text({ nullable: true }) description: string | null;
  @Text({ nullable: true }) location: string | null;
  @Time() startsAt: Date;
  @Time() endsAt: Date;
  @Text({ default: "confirmed" }) status: BookingStatus;
  /** Counts the changes made here. `written` is the one that the server has. */
  @Int({ default: 1 }) revision: number;
  @Int({ default: 0 }) written: number;
  /** The event's absolute URL; null until it is sent for the first time. */
  @Text({ nullable: true }) url: string | null;
  /** The version and iCalendar text that both sides last agreed on. */
  @Text({ nullable: true }) etag: string | null;
  @Text({ nullable: true }) seen: string | null;
  /** The iCalendar text sent last, until its answer is known: the server may have it. */
  @Text({ nullable: true }) sent: string | null;
  @Text({ nullable: true }) lastError: string | null;
  /** The last change that was made on both sides. */
  @Column({ type: "jsonb", nullable: true }) conflict: object | null;
  @Now() createdAt: Date;
  @Now() updatedAt: Date;
  /** When its contact was erased, and its texts with it. */
  @Time({ nullable: true }) redactedAt: Date | null;
}

/** A booking that still has to be written to its calendar. */
@Entity("calendar_write")
@ForeignKey("booking", ["tenantId", "bookingId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@ForeignKey("calendar_connection", ["tenantId", "connectionId"], ["tenantId", "id"], { onDelete: "CASCADE" })
@Index("calendar_write_due", ["tenantId", "connectionId", "dueAt"])
export class CalendarWriteEntity {
  @TenantId() tenantId: string;
  @PrimaryColumn({ type: "uuid" }) bookingId: string;
  @Uuid() connectionId: string;
  @Time({ default: () => "now()" }) dueAt: Date;
  @Int({ default: 0 }) attempts: number;
}
