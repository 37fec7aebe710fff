import { time } from "../../platform/database/statement.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { BookingStatus } from "../booking.entity.js";
import { composeEvent, readEvent, type Shared } from "../ics/booking-event.js";
import { ianaZone, UTC, type Zone } from "../ics/time-zones.js";
import type { Event } from "../providers/calendar-provider.js";
import { type Conflict, inCalendar, isOther, merge } from "./merge.js";

const UNREADABLE = "The event in the calendar cannot be read: nothing is taken from it, and nothing written over it";

/** A booking under way to its calendar, held until the transaction ends. */
interface Booking extends Omit<Shared, "status"> {
  id: string;
  workspaceId: string;
  status: BookingStatus;
  revision: number;
  written: number;
  conflict: object | null;
  url: string | null;
  etag: string | null;
  seen: string | null;
  sent: string | null;
  erased: boolean;
  calendarUrl: string;
  timezone: string;
}

async function holdBooking(tx: Tx, id: string): Promise<Booking | undefined> {
  const [row] = await tx.query<Booking>(
    `select b.id, b.workspace_id as "workspaceId", b.title, b.description, b.location, ${time("b.starts_at")} as "startsAt", ${time("b.ends_at")} as "endsAt", b.status, b.revision, b.written, b.conflict,
      b.url, b.etag, b.seen, b.sent, b.redacted_at is not null as erased, c.url as "calendarUrl", c.timezone
    from booking b join calendar c on c.tenant_id = b.tenant_id and c.id = b.calendar_id where b.tenant_id = :tenant and b.id = :id for no key update of b`,
    { id },
  );
  if (row) tx.within(row.workspaceId);
  return row;
}

const zoneOfBooking = ({ timezone }: Booking): Zone => ianaZone(timezone) ?? UTC;
const readOrNull = (ics: string | null, zone: Zone): ReturnType<typeof readEvent> | null =>
  ics === null ? null : readEvent(ics, zone);
const shared = (booking: Booking, base: Shared | null): Shared => ({
  ...booking,
  status: inCalendar(booking.status, base?.status),
});

/**
 * What stands in the calendar becomes what both know. @param event as the server has it now
 */
export async function takeOver(tx: Tx, id: string, { url, etag, ics }: Event): Promise<void> {
  const booking = await holdBooking(tx, id);
  if (!booking || booking.erased) return;
  // What was sent last did not arrive: all is as it was.
  if (booking.etag === etag && booking.url === url)
    return void (await tx.query("update booking set sent = null where tenant_id = :tenant and id = :id", { id }));
  const zone = zoneOfBooking(booking);
  let theirs;
  try {
    theirs = readEvent(ics, zone);
  } catch {
    return void (await tx.query(
      `update booking set url = :url, sent = null, last_error = :unreadable where tenant_id = :tenant and id = :id`,
      { id, url, unreadable: UNREADABLE },
    ));
  }
  const sent = readOrNull(booking.sent, zone);
  // A first event is there only because it was sent; a later one tells by itself whether what was sent last is in it.
  const base =
    sent && (booking.seen === null || theirs.revision === sent.revision) ? sent : readOrNull(booking.seen, zone);
  const ours = shared(booking, base);
  const { merged, conflict } = merge(ours, base, theirs);
  const pending = isOther(merged, theirs);
  await keep(
    tx,
    booking,
    { ...merged, status: ours.status === merged.status ? booking.status : (ended(booking.status) ?? merged.status) },
    { url, etag, seen: ics, pending, conflict },
  );
}

/** Whoever found out what came of an appointment is not told otherwise by its calendar. */
const ended = (status: BookingStatus): BookingStatus | undefined =>
  status === "completed" || status === "no_show" ? status : undefined;

/** The event is no longer there: somebody cancelled it, unless here it was just confirmed. */
export async function takeAway(tx: Tx, id: string): Promise<void> {
  const booking = await holdBooking(tx, id);
  if (!booking) return;
  if (booking.erased) return forget(tx, id);
  // Also what was sent last is not there: it did not arrive.
  if (booking.etag === null)
    return void (await tx.query("update booking set sent = null where tenant_id = :tenant and id = :id", { id }));
  const base = readOrNull(booking.seen, zoneOfBooking(booking));
  const ours = shared(booking, base);
  const stays = booking.revision > booking.written && ours.status !== base?.status && ours.status !== "cancelled";
  const edited = booking.revision > booking.written && base !== null && isOther(ours, base);
  const cancelled: BookingStatus = ended(booking.status) ?? "cancelled";
  await keep(
    tx,
    booking,
    { ...booking, status: stays ? booking.status : cancelled },
    {
      url: booking.url,
      etag: null,
      seen: null,
      pending: stays,
      conflict: edited ? { fields: ["status"], theirs: { status: "cancelled" } } : null,
    },
  );
}

interface Outcome {
  url: string | null;
  etag: string | null;
  seen: string | null;
  pending: boolean;
  conflict: Conflict | null;
}

async function keep(
  tx: Tx,
  { id, conflict: before }: Booking,
  { title, description, location, startsAt, endsAt, status }: Omit<Shared, "status"> & { status: BookingStatus },
  { url, etag, seen, pending, conflict }: Outcome,
): Promise<void> {
  await tx.query(
    `update booking b set title = :title, description = :description, location = :location, starts_at = :startsAt::timestamptz, ends_at = :endsAt::timestamptz, status = :status,
      url = :url, etag = :etag, seen = :seen, sent = null, written = case when :pending then b.written else b.revision end, last_error = case when :pending then b.last_error end,
      conflict = case when :conflict::jsonb is null then :before::jsonb else :conflict::jsonb || jsonb_build_object('at', ${time("clock_timestamp()")}) end,
      updated_at = case when (b.title, b.description, b.location, b.starts_at, b.ends_at, b.status) is distinct from (:title, :description, :location, :startsAt::timestamptz, :endsAt::timestamptz, :status) then clock_timestamp() else b.updated_at end
    where b.tenant_id = :tenant and b.id = :id`,
    {
      id,
      title,
      description,
      location,
      startsAt,
      endsAt,
      status,
      url,
      etag,
      seen,
      pending,
      conflict: conflict && JSON.stringify(conflict),
      before: before && JSON.stringify(before),
    },
  );
  if (pending) await toBeWritten(tx, id);
  else await tx.query("delete from calendar_write where tenant_id = :tenant and booking_id = :id", { id });
}

/** Its calendar is told as soon as may be; one that was disconnected, or is of the test side, never. */
export async function toBeWritten(tx: Tx, id: string): Promise<void> {
  await tx.query(
    `insert into calendar_write (tenant_id, booking_id, connection_id)
    select :tenant, b.id, n.id from booking b join calendar c on c.tenant_id = b.tenant_id and c.id = b.calendar_id join calendar_connection n on n.tenant_id = c.tenant_id and n.id = c.connection_id
    where b.tenant_id = :tenant and b.id = :id and n.disconnected_at is null and exists (select from tenant t where t.id = :tenant and t.environment = 'live') for share of n
    on conflict (tenant_id, booking_id) do update set due_at = clock_timestamp(), attempts = 0`,
    { id },
  );
}

/** Nothing of it is left to be told. */
async function forget(tx: Tx, id: string): Promise<void> {
  await tx.query("update booking set url = null, etag = null, sent = null where tenant_id = :tenant and id = :id", {
    id,
  });
  await tx.query("delete from calendar_write where tenant_id = :tenant and booking_id = :id", { id });
}

/** What is to be done next so that the calendar knows of a booking. */
export type Step =
  | { do: "nothing" }
  | { do: "look" | "remove"; url: string; calendarUrl: string }
  | { do: "write"; url: string; calendarUrl: string; ics: string; etag: string | null; revision: number };

/** Notes what will be sent before it is: an answer that is lost can then be told from no answer. */
export async function nextStep(tx: Tx, id: string): Promise<Step> {
  const booking = await holdBooking(tx, id);
  if (!booking) return { do: "nothing" };
  const { calendarUrl, etag, sent, revision, url: known } = booking;
  const url = known ?? `${calendarUrl}${id}.ics`;
  if (booking.erased) {
    if (known !== null) return { do: "remove", url, calendarUrl };
    await forget(tx, id);
    return { do: "nothing" };
  }
  if (sent !== null) return { do: "look", url, calendarUrl };
  const base = readOrNull(booking.seen, zoneOfBooking(booking));
  const ours = shared(booking, base);
  const over = etag === null && (ours.status === "cancelled" || booking.status !== ours.status);
  if (over || (booking.seen !== null && !isOther(ours, base!))) {
    await tx.query("update booking set written = revision, last_error = null where tenant_id = :tenant and id = :id", {
      id,
    });
    await tx.query("delete from calendar_write where tenant_id = :tenant and booking_id = :id", { id });
    return { do: "nothing" };
  }
  const ics = composeEvent({ ...ours, id, revision }, booking.timezone, booking.seen, new Date());
  await tx.query("update booking set sent = :ics, url = :url where tenant_id = :tenant and id = :id", { id, ics, url });
  return { do: "write", url, calendarUrl, ics, etag, revision };
}

/** The calendar has it. What was changed here meanwhile is still to be written. */
export async function written(
  tx: Tx,
  id: string,
  { etag, ics, revision }: { etag: string; ics: string; revision: number },
): Promise<void> {
  await holdBooking(tx, id);
  await tx.query(
    "update booking set etag = :etag, seen = :ics, sent = null, written = :revision, last_error = null where tenant_id = :tenant and id = :id and redacted_at is null",
    { id, etag, ics, revision },
  );
  await tx.query(
    `delete from calendar_write w using booking b where w.tenant_id = :tenant and w.booking_id = :id and b.tenant_id = :tenant and b.id = :id and b.revision = :revision and b.redacted_at is null`,
    { id, revision },
  );
}

export async function removed(tx: Tx, id: string): Promise<void> {
  await holdBooking(tx, id);
  await forget(tx, id);
}

/** It was not taken: tried again, more and more seldom. */
export async function refused(tx: Tx, id: string, message: string): Promise<void> {
  const booking = await holdBooking(tx, id);
  if (!booking) return;
  await tx.query(
    "update booking set sent = null, last_error = case when redacted_at is null then :message end where tenant_id = :tenant and id = :id",
    { id, message },
  );
  await tx.query(
    `update calendar_write set attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs => least(30 * 2 ^ least(attempts, 10), 3600)) where tenant_id = :tenant and booking_id = :id`,
    { id },
  );
}
