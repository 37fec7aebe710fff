import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { ContactsService } from "../../contacts/contacts.service.js";
import { ConversationEntity } from "../../conversations/conversation.entity.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { ARCHIVED, ERASED, notFound } from "../../platform/http/errors.js";
import type { Json, Page } from "../../platform/http/json.js";
import { BookingEntity, type BookingStatus } from "../booking.entity.js";
import { BookingQueued } from "../calendar-events.js";
import { CalendarEntity } from "../calendar.entity.js";
import { queueWrite } from "../sync/booking-sync.js";
import type {
  BookingDto,
  CreateBookingDto,
  FreeBusyDto,
  FreeBusyQueryDto,
  ListBookingsDto,
  UpdateBookingDto,
} from "./bookings.dto.js";
import {
  type BookingFields,
  FREE_BUSY,
  GET_BOOKING,
  IS_BUSY,
  listBookings,
  LOCK_BOOKING,
  LOCK_CALENDAR,
  type LockedBooking,
  type LockedCalendar,
} from "./bookings.queries.js";

const DAY_MS = 86_400_000;
const MAX_BOOKING_DAYS = 31;
const DEFAULT_FREE_BUSY_DAYS = 7;
const MAX_FREE_BUSY_DAYS = 62;
const BUSY = "The time is busy in this calendar; book it anyway with force";
const DETACHED = "The calendar was disconnected: only the status of its bookings can be changed";

/** The fields that a booking has in common with its event. */
const EVENT_FIELDS = [
  "title",
  "description",
  "location",
  "startsAt",
  "endsAt",
  "status",
] as const satisfies readonly (keyof BookingFields)[];

@Injectable()
export class BookingsService {
  constructor(
    private readonly db: Database,
    private readonly contacts: ContactsService,
    private readonly events: DomainEvents,
  ) {}

  list(caller: Caller, { limit = 25, cursor, ...filters }: ListBookingsDto): Promise<Json<Page<BookingDto>>> {
    const instants = {
      ...filters,
      ...(filters.from && { from: instant(filters.from, "from") }),
      ...(filters.to && { to: instant(filters.to, "to") }),
    };
    return this.db.page(caller, listBookings(instants, cursor !== undefined), instants, { limit, cursor });
  }

  get(caller: Caller, id: string): Promise<Json<BookingDto>> {
    return this.db.read(caller, GET_BOOKING, { id });
  }

  /** @throws BadRequestException (the time range), NotFoundException */
  freeBusy(caller: Caller, { calendarId, workspaceId, from, to }: FreeBusyQueryDto): Promise<Json<FreeBusyDto>> {
    const begin = from === undefined ? new Date().toISOString() : instant(from, "from");
    const end =
      to === undefined
        ? new Date(Date.parse(begin) + DEFAULT_FREE_BUSY_DAYS * DAY_MS).toISOString()
        : instant(to, "to");
    const length = Date.parse(end) - Date.parse(begin);
    if (length <= 0 || length > MAX_FREE_BUSY_DAYS * DAY_MS)
      throw new BadRequestException(`to must be after from, by at most ${MAX_FREE_BUSY_DAYS} days`);
    return this.db.read(caller, FREE_BUSY, { calendarId, workspaceId, from: begin, to: end });
  }

  /**
   * @throws NotFoundException (calendar, conversation or contact), BadRequestException (the times), ConflictException
   *   (busy, archived, erased, a calendar that cannot be written to)
   */
  async create(
    caller: Caller,
    {
      calendarId,
      conversationId = null,
      contactId = null,
      title,
      description = null,
      location = null,
      startsAt,
      endsAt,
      status = "confirmed",
      force = false,
    }: CreateBookingDto,
  ): Promise<Json<BookingDto>> {
    const times = checkedTimes(startsAt, endsAt);
    const id = uuid();
    return this.db.transaction(caller, async (tx) => {
      const calendar = await this.lockCalendar(tx, calendarId);
      const { workspaceId } = calendar;
      if (calendar.archived) throw new ConflictException(ARCHIVED);
      if (calendar.disconnected) throw notFound();
      if (!calendar.available || !calendar.writable)
        throw new ConflictException(
          "The calendar takes no bookings: its server no longer has it, or the account may not write to it",
        );
      const contact = await this.checkLinks(tx, workspaceId, conversationId, contactId);
      await this.assertFree(tx, { id, calendarId, ...times }, force);
      await tx.insert(BookingEntity, {
        id,
        workspaceId,
        calendarId,
        conversationId,
        contactId: contact,
        title: singleLine(title),
        description: cleanText(description),
        location: cleanText(location),
        startsAt: new Date(times.startsAt),
        endsAt: new Date(times.endsAt),
        status,
        written: caller.environment === "test" ? 1 : 0,
      });
      await queueWrite(tx, id);
      await this.events.publish(tx, new BookingQueued(calendar.connectionId));
      return (await tx.read(GET_BOOKING, { id })).created();
    });
  }

  /** @throws what `create` throws, and ConflictException: the calendar is disconnected and more than the status changes */
  async update(
    caller: Caller,
    id: string,
    { force = false, startsAt, endsAt, ...given }: UpdateBookingDto,
  ): Promise<Json<BookingDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { erased, archived, workspaceId, disconnected, connectionId, ...before } = await this.lock(tx, id);
      if (archived) throw new ConflictException(ARCHIVED);
      if (erased) throw new ConflictException(ERASED);
      const after: BookingFields = {
        ...before,
        ...cleaned(given),
        ...((startsAt !== undefined || endsAt !== undefined) &&
          checkedTimes(startsAt ?? before.startsAt, endsAt ?? before.endsAt)),
      };
      await this.checkLinks(
        tx,
        workspaceId,
        after.conversationId === before.conversationId ? null : after.conversationId,
        after.contactId === before.contactId ? null : after.contactId,
      );
      const changed = EVENT_FIELDS.filter((name) => after[name] !== before[name]);
      if (disconnected && changed.some((name) => name !== "status")) throw new ConflictException(DETACHED);
      const moved =
        changed.includes("startsAt") ||
        changed.includes("endsAt") ||
        (changed.includes("status") && !takesTime(before.status));
      if (moved && takesTime(after.status)) await this.assertFree(tx, { id, ...after }, force);
      const syncs = changed.length > 0 && caller.environment === "live" && !disconnected;
      await tx.update(
        BookingEntity,
        { id },
        {
          conversationId: after.conversationId,
          contactId: after.contactId,
          title: after.title,
          description: after.description,
          location: after.location,
          startsAt: new Date(after.startsAt),
          endsAt: new Date(after.endsAt),
          status: after.status,
          updatedAt: () => "clock_timestamp()",
          ...(syncs && { revision: () => "revision + 1" }),
        },
      );
      if (syncs) {
        await queueWrite(tx, id);
        await this.events.publish(tx, new BookingQueued(connectionId));
      }
      return tx.read(GET_BOOKING, { id });
    });
  }

  private async lockCalendar(tx: Tx, id: string): Promise<LockedCalendar> {
    const [calendar] = await tx.query(LOCK_CALENDAR, { id });
    if (!calendar) throw notFound();
    tx.changesWorkspace(calendar.workspaceId);
    return calendar;
  }

  private async lock(tx: Tx, id: string): Promise<LockedBooking> {
    const [booking] = await tx.query(LOCK_BOOKING, { id });
    if (!booking) throw notFound();
    tx.changesWorkspace(booking.workspaceId);
    return booking;
  }

  /**
   * Checks that the conversation and the contact exist. Locks them in the order in which an erasure does.
   * @returns the contact that the booking is with
   */
  private async checkLinks(
    tx: Tx,
    workspaceId: string,
    conversationId: string | null,
    contactId: string | null,
  ): Promise<string | null> {
    let contactOfConversation: string | null = null;
    if (conversationId) {
      const conversation = await tx.findOrThrow(
        ConversationEntity,
        { id: conversationId, workspaceId },
        { lock: "share", field: "conversationId" },
      );
      if (conversation.redactedAt) throw new ConflictException(ERASED);
      contactOfConversation = conversation.contactId;
    }
    if (contactId) await this.contacts.assertVisible(tx, contactId, "contactId");
    return contactId ?? contactOfConversation;
  }

  /** Locks the calendar, so that of several requests for the same time the first one gets it. */
  private async assertFree(
    tx: Tx,
    { id, calendarId, startsAt, endsAt }: { id: string; calendarId: string; startsAt: string; endsAt: string },
    force: boolean,
  ): Promise<void> {
    await tx.findOrThrow(CalendarEntity, { id: calendarId }, { lock: "no key update", field: "calendarId" });
    if (force) return;
    const [busy] = await tx.query(IS_BUSY, { id, calendarId, startsAt, endsAt });
    if (busy) throw new ConflictException(BUSY);
  }
}

const takesTime = (status: BookingStatus): boolean => status === "tentative" || status === "confirmed";

/** @throws BadRequestException */
function instant(value: string, name: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) throw new BadRequestException(`${name} must be a valid date`);
  return time.toISOString();
}

/**
 * Whole seconds: calendars know nothing finer.
 * @throws BadRequestException: it ends before it begins, or is too long
 */
function checkedTimes(startsAt: string, endsAt: string): { startsAt: string; endsAt: string } {
  const times = {
    startsAt: instant(startsAt, "startsAt").replace(/\.\d+Z$/, ".000Z"),
    endsAt: instant(endsAt, "endsAt").replace(/\.\d+Z$/, ".000Z"),
  };
  const length = Date.parse(times.endsAt) - Date.parse(times.startsAt);
  if (length <= 0 || length > MAX_BOOKING_DAYS * DAY_MS)
    throw new BadRequestException(`endsAt must be after startsAt, by at most ${MAX_BOOKING_DAYS} days`);
  return times;
}

/** The text as a calendar gives it back: one kind of line break, no control characters. */
const cleanText = (text: string | null): string | null =>
  text?.replace(/\r\n?/g, "\n").replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "") || null;
const singleLine = (text: string): string => cleanText(text)?.replace(/\n/g, " ") ?? "-";

function cleaned(given: Omit<UpdateBookingDto, "force" | "startsAt" | "endsAt">): Partial<BookingFields> {
  const defined = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<BookingFields>;
  if (defined.title !== undefined) defined.title = singleLine(defined.title);
  if (defined.description !== undefined) defined.description = cleanText(defined.description);
  if (defined.location !== undefined) defined.location = cleanText(defined.location);
  return defined;
}
