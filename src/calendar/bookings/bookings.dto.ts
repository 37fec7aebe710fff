import { ApiProperty, ApiSchema } from "@nestjs/swagger";
import { IsBoolean, IsIn, IsOptional, IsString, IsUUID, Length, MaxLength } from "class-validator";
import { namedEnum } from "../../platform/enums/named-enum.js";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Instant, Optional } from "../../platform/http/validation.js";
import { BOOKING_STATUSES, type BookingStatus } from "../booking.entity.js";

const NEW_BOOKING_STATUSES = namedEnum("NewBookingStatus", "The state of a new booking.", ["tentative", "confirmed"]);
export const SYNC_STATUSES = namedEnum("BookingSyncStatus", "Whether a booking is in the connected calendar.", {
  pending: "not yet written",
  synced: "written",
  detached: "no longer connected",
});
const CONFLICT_FIELDS = namedEnum("BookingField", "A field of a booking.", [
  "title",
  "description",
  "location",
  "time",
  "status",
]);

@ApiSchema({ description: "A change that someone made in the calendar at the same time." })
export class BookingConflictDto {
  /** The fields that were changed on both sides. */
  @ApiProperty({ enum: CONFLICT_FIELDS, isArray: true })
  fields: (typeof CONFLICT_FIELDS)[number][];
  /** The values that the calendar had, under the names of the booking's fields. */
  @ApiProperty({ type: "object", additionalProperties: true })
  theirs: Record<string, string | null>;
  /** When the conflict was found. */
  @ApiProperty({ format: "date-time" })
  at: string;
}

@ApiSchema({ description: "A time in a calendar that is taken for a contact." })
export class BookingDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ format: "uuid" })
  calendarId: string;
  /** The conversation that the booking came from. Null if there is none. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  conversationId: string | null;
  /** The contact whose booking it is. Null if there is none. */
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  contactId: string | null;
  /** Empty after its contact was erased. */
  title: string;
  /** Text of the calendar event. Null if there is none. */
  @ApiProperty({ type: String, nullable: true })
  description: string | null;
  /** Where it takes place. Null if not given. */
  @ApiProperty({ type: String, nullable: true })
  location: string | null;
  /** When it begins. */
  @ApiProperty({ format: "date-time" })
  startsAt: string;
  /** When it ends. */
  @ApiProperty({ format: "date-time" })
  endsAt: string;
  @ApiProperty({ enum: BOOKING_STATUSES })
  status: BookingStatus;
  /**
   * `pending`: not written to the calendar yet, or not in its current form; this happens in the background. `synced`:
   * calendar and booking are the same. `detached`: the calendar was disconnected.
   */
  @ApiProperty({ enum: SYNC_STATUSES })
  syncStatus: (typeof SYNC_STATUSES)[number];
  /** Why it is not in the calendar yet. Null if no attempt failed. */
  @ApiProperty({ type: String, nullable: true })
  lastError: string | null;
  /** The last fields that were changed both here and in the calendar. The values entered here won. Null if there were none. */
  @ApiProperty({ type: BookingConflictDto, nullable: true })
  conflict: BookingConflictDto | null;
  @ApiProperty({ format: "date-time" })
  createdAt: string;
  @ApiProperty({ format: "date-time" })
  updatedAt: string;
}

export class CreateBookingDto {
  @ApiProperty({ format: "uuid" })
  @IsUUID()
  calendarId: string;

  /** Must be in the calendar's workspace. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  conversationId?: string | null;

  /** Default: the conversation's contact. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  contactId?: string | null;

  /** 1 to 500 characters. */
  @ApiProperty({ example: "Fitting, Ada Lovelace" })
  @IsString()
  @Length(1, 500)
  title: string;

  /** At most 10,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  description?: string | null;

  /** At most 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  location?: string | null;

  /** Precise to the second. */
  @ApiProperty({ format: "date-time", example: "2026-05-04T09:00:00Z" })
  @Instant()
  startsAt: string;

  /** After `startsAt`, by at most 31 days. */
  @ApiProperty({ format: "date-time", example: "2026-05-04T10:00:00Z" })
  @Instant()
  endsAt: string;

  /** Whether the time is only reserved, or agreed. */
  @ApiProperty({ enum: NEW_BOOKING_STATUSES, required: false, default: "confirmed" })
  @Optional()
  @IsIn(NEW_BOOKING_STATUSES)
  status?: (typeof NEW_BOOKING_STATUSES)[number] = "confirmed";

  /** Books the time even if it is busy. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  force?: boolean = false;
}

export class UpdateBookingDto {
  /** A conversation of the calendar's workspace. Null removes it. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  conversationId?: string | null;

  /** The contact whose booking it is. Null removes it. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  contactId?: string | null;

  /** 1 to 500 characters. */
  @ApiProperty({ required: false })
  @Optional()
  @IsString()
  @Length(1, 500)
  title?: string;

  /** At most 10,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @IsString()
  @MaxLength(10_000)
  description?: string | null;

  /** At most 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @IsString()
  @MaxLength(500)
  location?: string | null;

  /** When it begins, precise to the second. Without `endsAt`, the end stays as it is. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  startsAt?: string;

  /** After `startsAt`, by at most 31 days. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  endsAt?: string;

  /** `completed` and `no_show` are not written to the calendar: the event keeps its status. */
  @ApiProperty({ enum: BOOKING_STATUSES, required: false })
  @Optional()
  @IsIn(BOOKING_STATUSES)
  status?: BookingStatus;

  /** Books the time even if it is busy. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  force?: boolean = false;
}

export class ListBookingsDto extends PagingDto {
  /** Only bookings of this workspace. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** Only bookings in this calendar. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  calendarId?: string;

  /** Only bookings from this conversation. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  conversationId?: string;

  /** Only bookings of this contact. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  contactId?: string;

  /** Only bookings with this status. */
  @ApiProperty({ enum: BOOKING_STATUSES, required: false })
  @Optional()
  @IsIn(BOOKING_STATUSES)
  status?: BookingStatus;

  /** Only bookings that start at or after this time. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  from?: string;

  /** Only bookings that start before this time. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  to?: string;
}

export class FreeBusyQueryDto {
  /** Only this calendar. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  calendarId?: string;

  /** Only calendars of this workspace. Returns 404 if it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** Default: now. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  from?: string;

  /** After `from`, by at most 62 days. Default: a week after `from`. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  to?: string;
}

@ApiSchema({ description: "A time at which a calendar is busy." })
export class BusyTimeDto {
  /** When the busy time begins. */
  @ApiProperty({ format: "date-time" })
  startsAt: string;
  /** When it ends. Not part of the busy time. */
  @ApiProperty({ format: "date-time" })
  endsAt: string;
}

@ApiSchema({ description: "The times at which one calendar is busy." })
export class CalendarBusyDto {
  @ApiProperty({ format: "uuid" })
  calendarId: string;
  /** The calendar's time zone, an IANA name. The times of the answer are UTC. */
  timezone: string;
  /** Until when other people's events are known; null before the calendar is read for the first time. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  knownUntil: string | null;
  /** Events that could not be read and may take more time. */
  unreadableEvents: number;
  /** Bookings and other people's events together, in order and without overlaps. */
  @ApiProperty({ type: [BusyTimeDto] })
  busy: BusyTimeDto[];
}

@ApiSchema({ description: "The times at which calendars are busy." })
export class FreeBusyDto {
  /** One entry for each calendar, also if it is free. */
  @ApiProperty({ type: [CalendarBusyDto] })
  calendars: CalendarBusyDto[];
}
