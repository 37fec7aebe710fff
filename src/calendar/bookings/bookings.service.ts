import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import type { Caller } from "../../platform/caller/caller.js";
import { ContactsService } from "../../contacts/contacts.service.js";
import { Database } from "../../platform/database/database.js";
import { REACHABLE, time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import { ARCHIVED, ERASED, notFound } from "../../platform/http/errors.js";
import type { Json, Page } from "../../platform/http/json.js";
import { BookingEntity, type BookingStatus } from "../booking.entity.js";
import type {
  BookingDto,
  CreateBookingDto,
  FreeBusyDto,
  FreeBusyQueryDto,
  ListBookingsDto,
  UpdateBookingDto,
} from "./bookings.dto.js";
import { FREE_BUSY, GET_BOOKING, IS_BUSY, listBookings } from "./bookings.queries.js";
import { toBeWritten } from "../sync/booking-sync.js";
import { BookingQueued } from "../calendar-events.js";

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 31;
const USUAL_QUESTION_DAYS = 7;
const LONGEST_QUESTION_DAYS = 62;
const BUSY = "The time is busy in this calendar; with force it is booked all the same";
const DETACHED = "The calendar was disconnected: of its bookings only the status can be changed";

interface Calendar {
  workspaceId: string;
  connectionId: string;
  available: boolean;
  writable: boolean;
  archived: boolean;
  disconnected: boolean;
}
type State = Pick<
  BookingDto,
  | "calendarId"
  | "conversationId"
  | "contactId"
  | "title"
  | "description"
  | "location"
  | "startsAt"
  | "endsAt"
  | "status"
>;
const EVENT = [
  "title",
  "description",
  "location",
  "startsAt",
  "endsAt",
  "status",
] as const satisfies readonly (keyof State)[];

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

  /** @throws BadRequestException (the span), NotFoundException */
  freeBusy(caller: Caller, { calendarId, workspaceId, from, to }: FreeBusyQueryDto): Promise<Json<FreeBusyDto>> {
    const begin = from === undefined ? new Date().toISOString() : instant(from, "from");
    const end =
      to === undefined ? new Date(Date.parse(begin) + USUAL_QUESTION_DAYS * DAY_MS).toISOString() : instant(to, "to");
    const length = Date.parse(end) - Date.parse(begin);
    if (length <= 0 || length > LONGEST_QUESTION_DAYS * DAY_MS)
      throw new BadRequestException(`to must be after from, by ${LONGEST_QUESTION_DAYS} days at the most`);
    return this.db.read(caller, FREE_BUSY, { calendarId, workspaceId, from: begin, to: end });
  }

  /** @throws NotFoundException (what the body names), BadRequestException (the times), ConflictException (busy, archived, erased, a calendar that takes none) */
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
    const times = span(startsAt, endsAt);
    const id = uuid();
    return this.db.transaction(caller, async (tx) => {
      const calendar = await this.calendar(tx, calendarId);
      const { workspaceId } = calendar;
      if (calendar.archived) throw new ConflictException(ARCHIVED);
      if (calendar.disconnected) throw notFound();
      if (!calendar.available || !calendar.writable)
        throw new ConflictException(
          "The calendar takes no bookings: its server does not have it any more, or does not let the account write",
        );
      const contact = await this.assertThere(tx, workspaceId, conversationId, contactId);
      await this.assertFree(tx, { id, calendarId, ...times }, force);
      await tx.insert(BookingEntity, {
        id,
        workspaceId,
        calendarId,
        conversationId,
        contactId: contact,
        title: line(title),
        description: words(description),
        location: words(location),
        startsAt: new Date(times.startsAt),
        endsAt: new Date(times.endsAt),
        status,
        written: caller.environment === "test" ? 1 : 0,
      });
      await toBeWritten(tx, id);
      await this.events.publish(tx, new BookingQueued(calendar.connectionId));
      return (await tx.read(GET_BOOKING, { id })).created();
    });
  }

  /** @throws as `create`, and ConflictException: the calendar was disconnected, and more than the status would change */
  async update(
    caller: Caller,
    id: string,
    { force = false, startsAt, endsAt, ...given }: UpdateBookingDto,
  ): Promise<Json<BookingDto>> {
    return this.db.transaction(caller, async (tx) => {
      const { erased, archived, workspaceId, disconnected, connectionId, ...before } = await this.hold(tx, id);
      if (archived) throw new ConflictException(ARCHIVED);
      if (erased) throw new ConflictException(ERASED);
      const after: State = {
        ...before,
        ...tidy(given),
        ...span(startsAt ?? before.startsAt, endsAt ?? before.endsAt, startsAt === undefined && endsAt === undefined),
      };
      await this.assertThere(
        tx,
        workspaceId,
        after.conversationId === before.conversationId ? null : after.conversationId,
        after.contactId === before.contactId ? null : after.contactId,
      );
      const changed = EVENT.filter((name) => after[name] !== before[name]);
      if (disconnected && changed.some((name) => name !== "status")) throw new ConflictException(DETACHED);
      const moved =
        changed.includes("startsAt") ||
        changed.includes("endsAt") ||
        (changed.includes("status") && !takesTime(before.status));
      if (moved && takesTime(after.status)) await this.assertFree(tx, { id, ...after }, force);
      const told = changed.length > 0 && caller.environment === "live" && !disconnected;
      await tx.query(
        `update booking set conversation_id = :conversationId::uuid, contact_id = :contactId::uuid, title = :title, description = :description, location = :location, starts_at = :startsAt::timestamptz, ends_at = :endsAt::timestamptz, status = :status,
          revision = revision + :told::boolean::int, updated_at = clock_timestamp() where tenant_id = :tenant and id = :id`,
        { id, ...after, told },
      );
      if (told) {
        await toBeWritten(tx, id);
        await this.events.publish(tx, new BookingQueued(connectionId));
      }
      return tx.read(GET_BOOKING, { id });
    });
  }

  /** It is not disconnected until the transaction ends. */
  private async calendar(tx: Tx, id: string): Promise<Calendar> {
    const [row] = await tx.query<Calendar>(
      `select k.workspace_id as "workspaceId", k.connection_id as "connectionId", k.available, k.writable, w.status = 'archived' as archived, c.disconnected_at is not null as disconnected
      from calendar k join calendar_connection c on c.tenant_id = k.tenant_id and c.id = k.connection_id join workspace w on w.tenant_id = k.tenant_id and w.id = k.workspace_id
      where k.tenant_id = :tenant and k.id = :id and ${REACHABLE} for share of c`,
      { id },
    );
    if (!row) throw notFound();
    tx.within(row.workspaceId);
    return row;
  }

  private async hold(
    tx: Tx,
    id: string,
  ): Promise<
    State & Pick<Calendar, "workspaceId" | "connectionId" | "archived" | "disconnected"> & { erased: boolean }
  > {
    const [row] = await tx.query<Awaited<ReturnType<BookingsService["hold"]>>>(
      `select b.workspace_id as "workspaceId", b.calendar_id as "calendarId", b.conversation_id as "conversationId", b.contact_id as "contactId", b.title, b.description, b.location,
        ${time("b.starts_at")} as "startsAt", ${time("b.ends_at")} as "endsAt", b.status, b.redacted_at is not null as erased, w.status = 'archived' as archived, k.connection_id as "connectionId", c.disconnected_at is not null as disconnected
      from booking b join calendar k on k.tenant_id = b.tenant_id and k.id = b.calendar_id join calendar_connection c on c.tenant_id = k.tenant_id and c.id = k.connection_id
        join workspace w on w.tenant_id = b.tenant_id and w.id = b.workspace_id
      where b.tenant_id = :tenant and b.id = :id and ${REACHABLE} for no key update of b for share of c`,
      { id },
    );
    if (!row) throw notFound();
    tx.within(row.workspaceId);
    return row;
  }

  /** Conversation and contact, in the order in which an erasure locks. @returns the contact that it is with */
  private async assertThere(
    tx: Tx,
    workspaceId: string,
    conversationId: string | null,
    contactId: string | null,
  ): Promise<string | null> {
    let own: string | null = null;
    if (conversationId) {
      const [conversation] = await tx.query<{ contactId: string | null; erased: boolean }>(
        `select c.contact_id as "contactId", c.redacted_at is not null as erased from conversation c
        where c.tenant_id = :tenant and c.workspace_id = :workspaceId and c.id = :conversationId for share`,
        { workspaceId, conversationId },
      );
      if (!conversation) throw notFound();
      if (conversation.erased) throw new ConflictException(ERASED);
      own = conversation.contactId;
    }
    if (contactId) await this.contacts.assertVisible(tx, contactId);
    return contactId ?? own;
  }

  /** Of any number at once for one time in one calendar, the first has it: the calendar is held until it stands. */
  private async assertFree(
    tx: Tx,
    booking: { id: string; calendarId: string; startsAt: string; endsAt: string },
    force: boolean,
  ): Promise<void> {
    await tx.query("select 1 from calendar where tenant_id = :tenant and id = :calendarId for no key update", booking);
    if (force) return;
    if ((await tx.query(IS_BUSY, booking)).length) throw new ConflictException(BUSY);
  }
}

const takesTime = (status: BookingStatus): boolean => status === "tentative" || status === "confirmed";

/** @throws BadRequestException */
function instant(value: string, name: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) throw new BadRequestException(`${name} must be a valid date`);
  return time.toISOString();
}

/** To the second, which is all that a calendar knows. @throws BadRequestException: it ends before it begins, or is too long */
function span(startsAt: string, endsAt: string, asIs = false): { startsAt: string; endsAt: string } {
  if (asIs) return { startsAt, endsAt };
  const times = {
    startsAt: instant(startsAt, "startsAt").replace(/\.\d+Z$/, ".000Z"),
    endsAt: instant(endsAt, "endsAt").replace(/\.\d+Z$/, ".000Z"),
  };
  const length = Date.parse(times.endsAt) - Date.parse(times.startsAt);
  if (length <= 0 || length > LONGEST_DAYS * DAY_MS)
    throw new BadRequestException(`endsAt must be after startsAt, by ${LONGEST_DAYS} days at the most`);
  return times;
}

/** As a calendar gives it back: one kind of line break, and nothing that cannot be seen. */
const words = (text: string | null): string | null =>
  text
    ?.replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
    .trim() || null;
const line = (text: string): string => words(text)?.replace(/\n/g, " ") ?? "-";

function tidy(given: Omit<UpdateBookingDto, "force" | "startsAt" | "endsAt">): Partial<State> {
  const defined = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<State>;
  if (defined.title !== undefined) defined.title = line(defined.title);
  if (defined.description !== undefined) defined.description = words(defined.description);
  if (defined.location !== undefined) defined.location = words(defined.location);
  return defined;
}
