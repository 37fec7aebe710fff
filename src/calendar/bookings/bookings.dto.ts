import { ApiProperty } from "@nestjs/swagger";
import { IsBoolean, IsIn, IsOptional, IsString, IsUUID, Length, MaxLength } from "class-validator";
import { PagingDto } from "../../platform/http/paging.dto.js";
import { Instant, Optional, Trimmed } from "../../platform/http/validation.js";
import { BOOKING_STATUSES, type BookingStatus } from "../booking.entity.js";

export const SYNC_STATUSES = ["pending", "synced", "detached"] as const;
const CONFLICT_FIELDS = ["title", "description", "location", "time", "status"] as const;

export class BookingConflictDto {
  @ApiProperty({ enum: CONFLICT_FIELDS, isArray: true })
  fields: (typeof CONFLICT_FIELDS)[number][];
  /** What stood in the calendar, by the names of the booking. */
  @ApiProperty({ type: "object", additionalProperties: true })
  theirs: Record<string, string | null>;
  @ApiProperty({ format: "date-time" })
  at: string;
}

export class BookingDto {
  @ApiProperty({ format: "uuid" })
  id: string;
  @ApiProperty({ format: "uuid" })
  workspaceId: string;
  @ApiProperty({ format: "uuid" })
  calendarId: string;
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  conversationId: string | null;
  @ApiProperty({ type: String, format: "uuid", nullable: true })
  contactId: string | null;
  /** Empty once its contact was erased. */
  title: string;
  @ApiProperty({ type: String, nullable: true })
  description: string | null;
  @ApiProperty({ type: String, nullable: true })
  location: string | null;
  @ApiProperty({ format: "date-time" })
  startsAt: string;
  @ApiProperty({ format: "date-time" })
  endsAt: string;
  @ApiProperty({ enum: BOOKING_STATUSES })
  status: BookingStatus;
  /** `pending`: the calendar does not have it, or not as it is now; it is told by itself. `synced`: calendar and booking are the same. `detached`: the calendar was disconnected. */
  @ApiProperty({ enum: SYNC_STATUSES })
  syncStatus: (typeof SYNC_STATUSES)[number];
  /** Why the calendar does not have it yet. */
  @ApiProperty({ type: String, nullable: true })
  lastError: string | null;
  /** What was last changed both here and in the calendar: what was entered here stands. */
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

  /** Of the calendar's workspace. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  conversationId?: string | null;

  /** By default the conversation's. */
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  contactId?: string | null;

  /** 1 to 500 characters. */
  @ApiProperty({ example: "Fitting, Ada Lovelace" })
  @Trimmed()
  @IsString()
  @Length(1, 500)
  title: string;

  /** At most 10,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @Trimmed()
  @IsString()
  @MaxLength(10_000)
  description?: string | null;

  /** At most 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @Trimmed()
  @IsString()
  @MaxLength(500)
  location?: string | null;

  /** To the second. */
  @ApiProperty({ format: "date-time", example: "2026-05-04T09:00:00Z" })
  @Instant()
  startsAt: string;

  /** After `startsAt`, by 31 days at the most. */
  @ApiProperty({ format: "date-time", example: "2026-05-04T10:00:00Z" })
  @Instant()
  endsAt: string;

  @ApiProperty({ enum: ["tentative", "confirmed"], required: false, default: "confirmed" })
  @Optional()
  @IsIn(["tentative", "confirmed"])
  status?: "tentative" | "confirmed" = "confirmed";

  /** Also where the time is busy. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  force?: boolean = false;
}

export class UpdateBookingDto {
  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  conversationId?: string | null;

  @ApiProperty({ type: String, format: "uuid", nullable: true, required: false })
  @IsOptional()
  @IsUUID()
  contactId?: string | null;

  /** 1 to 500 characters. */
  @ApiProperty({ required: false })
  @Optional()
  @Trimmed()
  @IsString()
  @Length(1, 500)
  title?: string;

  /** At most 10,000 characters. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @Trimmed()
  @IsString()
  @MaxLength(10_000)
  description?: string | null;

  /** At most 500 characters. */
  @ApiProperty({ type: String, nullable: true, required: false })
  @IsOptional()
  @Trimmed()
  @IsString()
  @MaxLength(500)
  location?: string | null;

  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  startsAt?: string;

  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  endsAt?: string;

  /** `completed` and `no_show` are known here alone; the calendar keeps what it has. */
  @ApiProperty({ enum: BOOKING_STATUSES, required: false })
  @Optional()
  @IsIn(BOOKING_STATUSES)
  status?: BookingStatus;

  /** Also where the time is busy. */
  @ApiProperty({ required: false, default: false })
  @Optional()
  @IsBoolean()
  force?: boolean = false;
}

export class ListBookingsDto extends PagingDto {
  /** Only of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  calendarId?: string;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  conversationId?: string;

  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  contactId?: string;

  @ApiProperty({ enum: BOOKING_STATUSES, required: false })
  @Optional()
  @IsIn(BOOKING_STATUSES)
  status?: BookingStatus;

  /** Only those that begin then or later. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  from?: string;

  /** Only those that begin before. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  to?: string;
}

export class FreeBusyQueryDto {
  /** Only this calendar; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  calendarId?: string;

  /** Only calendars of this workspace; 404 where it is out of reach. */
  @ApiProperty({ format: "uuid", required: false })
  @Optional()
  @IsUUID()
  workspaceId?: string;

  /** By default now. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  from?: string;

  /** After `from`, by 62 days at the most; by default a week. */
  @ApiProperty({ format: "date-time", required: false })
  @Optional()
  @Instant()
  to?: string;
}

export class BusyDto {
  @ApiProperty({ format: "date-time" })
  startsAt: string;
  @ApiProperty({ format: "date-time" })
  endsAt: string;
}

export class CalendarBusyDto {
  @ApiProperty({ format: "uuid" })
  calendarId: string;
  timezone: string;
  /** Until when others' events are known; null while the calendar was not read yet. */
  @ApiProperty({ type: String, format: "date-time", nullable: true })
  knownUntil: string | null;
  /** Events that may take more time, and could not be read. */
  unreadableEvents: number;
  /** In order, without overlaps: bookings and others' events alike. */
  @ApiProperty({ type: [BusyDto] })
  busy: BusyDto[];
}

export class FreeBusyDto {
  @ApiProperty({ type: [CalendarBusyDto] })
  calendars: CalendarBusyDto[];
}
