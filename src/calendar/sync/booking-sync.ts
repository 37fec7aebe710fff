import type { Tx } from "../../platform/database/transaction.js";
import { BookingEntity, type BookingStatus, CalendarWriteEntity } from "../booking.entity.js";
import type { BookingEvent, SharedFields } from "../ics/booking-event.js";
import type { CalendarParser } from "../providers/calendar-parser.js";
import type { CalendarEvent } from "../providers/calendar-provider.js";
import { LOCK_BOOKING, QUEUE_WRITE, STORE_SYNCED, type SyncedBooking } from "./booking-sync.queries.js";
import { type Conflict, differs, merge, statusInCalendar } from "./merge.js";

const UNREADABLE = "The event in the calendar cannot be read: it is neither imported nor overwritten";

async function lockBooking(tx: Tx, id: string): Promise<SyncedBooking | undefined> {
  const [booking] = await tx.query(LOCK_BOOKING, { id });
  if (booking) tx.changesWorkspace(booking.workspaceId);
  return booking;
}

/** Reads one of the booking's texts. Those that are stored have been read before. */
const readOrNull = async (
  tx: Tx,
  parser: CalendarParser,
  { timezone }: SyncedBooking,
  ics: string | null,
): Promise<BookingEvent | null> =>
  ics === null ? null : parser.read(tx.caller.tenantId, "readEvent", { ics, timezone });
const sharedFields = (booking: SyncedBooking, base: SharedFields | null): SharedFields => ({
  ...booking,
  status: statusInCalendar(booking.status, base?.status),
});

/** Merges the event that the server has now into its booking. */
export async function applyEvent(
  tx: Tx,
  parser: CalendarParser,
  id: string,
  { url, etag, ics }: CalendarEvent,
): Promise<void> {
  const booking = await lockBooking(tx, id);
  if (!booking || booking.erased) return;
  // The last write did not reach the calendar: the event is unchanged.
  if (booking.etag === etag && booking.url === url)
    return void (await tx.update(BookingEntity, { id }, { sent: null }));
  const read = (text: string | null) => readOrNull(tx, parser, booking, text);
  let theirs: BookingEvent;
  try {
    theirs = (await read(ics))!;
  } catch {
    return void (await tx.update(BookingEntity, { id }, { url, sent: null, lastError: UNREADABLE }));
  }
  const sent = await read(booking.sent);
  // A first event exists only because it was sent. A later one says by its revision whether it contains the last write.
  const base = sent && (booking.seen === null || theirs.revision === sent.revision) ? sent : await read(booking.seen);
  const ours = sharedFields(booking, base);
  const { merged, conflict } = merge(ours, base, theirs);
  await store(
    tx,
    booking,
    {
      ...merged,
      status: ours.status === merged.status ? booking.status : (finalStatus(booking.status) ?? merged.status),
    },
    { url, etag, seen: ics, pending: differs(merged, theirs), conflict },
  );
}

/** What came of an appointment is known here alone. The calendar does not change it. */
const finalStatus = (status: BookingStatus): BookingStatus | undefined =>
  status === "completed" || status === "no_show" ? status : undefined;

/** The event was removed from the calendar: cancels its booking, unless it was just confirmed here. */
export async function applyRemoval(tx: Tx, parser: CalendarParser, id: string): Promise<void> {
  const booking = await lockBooking(tx, id);
  if (!booking) return;
  if (booking.erased) return forgetEvent(tx, id);
  // The first write did not arrive.
  if (booking.etag === null) return void (await tx.update(BookingEntity, { id }, { sent: null }));
  const base = await readOrNull(tx, parser, booking, booking.seen);
  const ours = sharedFields(booking, base);
  const changedHere = booking.revision > booking.written;
  const stays = changedHere && ours.status !== base?.status && ours.status !== "cancelled";
  const edited = changedHere && base !== null && differs(ours, base);
  await store(
    tx,
    booking,
    { ...booking, status: stays ? booking.status : (finalStatus(booking.status) ?? "cancelled") },
    {
      url: booking.url,
      etag: null,
      seen: null,
      pending: stays,
      conflict: edited ? { fields: ["status"], theirs: { status: "cancelled" } } : null,
    },
  );
}

interface SyncState {
  url: string | null;
  etag: string | null;
  seen: string | null;
  pending: boolean;
  conflict: Conflict | null;
}

async function store(
  tx: Tx,
  { id, conflict: conflictBefore }: SyncedBooking,
  { title, description, location, startsAt, endsAt, status }: Omit<SharedFields, "status"> & { status: BookingStatus },
  { conflict, ...state }: SyncState,
): Promise<void> {
  await tx.query(STORE_SYNCED, {
    id,
    title,
    description,
    location,
    startsAt,
    endsAt,
    status,
    ...state,
    conflict: conflict && JSON.stringify(conflict),
    conflictBefore: conflictBefore && JSON.stringify(conflictBefore),
  });
  if (state.pending) await queueWrite(tx, id);
  else await tx.delete(CalendarWriteEntity, { bookingId: id });
}

/** Queues the booking to be written to its calendar. */
export async function queueWrite(tx: Tx, id: string): Promise<void> {
  await tx.query(QUEUE_WRITE, { id });
}

async function forgetEvent(tx: Tx, id: string): Promise<void> {
  await tx.update(BookingEntity, { id }, { url: null, etag: null, sent: null });
  await tx.delete(CalendarWriteEntity, { bookingId: id });
}

/** What to do next so that the calendar has the booking as it is. */
export type Step =
  | { do: "nothing" }
  | { do: "read" | "remove"; url: string; calendarUrl: string }
  | { do: "write"; url: string; calendarUrl: string; ics: string; etag: string | null; revision: number };

/** Stores what will be written before it is, so that a lost answer is noticed. */
export async function nextStep(tx: Tx, parser: CalendarParser, id: string): Promise<Step> {
  const booking = await lockBooking(tx, id);
  if (!booking) return { do: "nothing" };
  const { calendarUrl, etag, sent, revision, url: known } = booking;
  const url = known ?? `${calendarUrl}${id}.ics`;
  if (booking.erased) {
    if (known !== null) return { do: "remove", url, calendarUrl };
    await forgetEvent(tx, id);
    return { do: "nothing" };
  }
  if (sent !== null) return { do: "read", url, calendarUrl };
  const base = await readOrNull(tx, parser, booking, booking.seen);
  const ours = sharedFields(booking, base);
  const over = etag === null && (ours.status === "cancelled" || booking.status !== ours.status);
  if (over || (booking.seen !== null && !differs(ours, base!))) {
    await tx.update(BookingEntity, { id }, { written: () => "revision", lastError: null });
    await tx.delete(CalendarWriteEntity, { bookingId: id });
    return { do: "nothing" };
  }
  const ics = await parser.read(tx.caller.tenantId, "composeEvent", {
    draft: { ...ours, id, revision },
    timezone: booking.timezone,
    before: booking.seen,
    now: new Date(),
  });
  await tx.update(BookingEntity, { id }, { sent: ics, url });
  return { do: "write", url, calendarUrl, ics, etag, revision };
}

/** The calendar has this revision. A change made here in the meantime stays queued. */
export async function recordWrite(
  tx: Tx,
  id: string,
  { etag, ics, revision }: { etag: string; ics: string; revision: number },
): Promise<void> {
  const booking = await lockBooking(tx, id);
  if (!booking || booking.erased) return;
  await tx.update(BookingEntity, { id }, { etag, seen: ics, sent: null, written: revision, lastError: null });
  if (booking.revision === revision) await tx.delete(CalendarWriteEntity, { bookingId: id });
}

/** The event of an erased booking is removed from the calendar. */
export async function recordRemoval(tx: Tx, id: string): Promise<void> {
  await lockBooking(tx, id);
  await forgetEvent(tx, id);
}

/** The calendar refused the event: it is tried again, with growing delays. */
export async function recordRefusal(tx: Tx, id: string, message: string): Promise<void> {
  const booking = await lockBooking(tx, id);
  if (!booking) return;
  await tx.update(BookingEntity, { id }, { sent: null, lastError: booking.erased ? null : message });
  await tx.update(
    CalendarWriteEntity,
    { bookingId: id },
    {
      attempts: () => "attempts + 1",
      dueAt: () => "clock_timestamp() + make_interval(secs => least(30 * 2 ^ least(attempts, 10), 3600))",
    },
  );
}
