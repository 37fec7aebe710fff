import { hash } from "node:crypto";
import type { Tx } from "../../platform/database/transaction.js";
import { BookingEntity } from "../booking.entity.js";
import { CalendarEntity, CalendarEventEntity } from "../calendar.entity.js";
import { bookingIn } from "../ics/booking-uid.js";
import type { BusyTimes, TimeWindow } from "../ics/busy-times.js";
import { type CalendarParser, DEADLINE_MS } from "../providers/calendar-parser.js";
import {
  type Account,
  type CalendarChanges,
  type CalendarEvent,
  type CalendarProvider,
  type EventVersion,
  MAX_EVENTS_PER_READ,
} from "../providers/calendar-provider.js";
import { applyEvent, applyRemoval } from "./booking-sync.js";
import {
  BOOKING_VERSIONS,
  DELETE_FOREIGN,
  EXPECTED_BOOKINGS,
  FIND_BOOKINGS,
  FOREIGN_VERSIONS,
  INSERT_BUSY,
  INSERT_FOREIGN,
  type KnownBooking,
  REMOVED_BOOKINGS,
  STORE_POSITION,
} from "./calendar-reader.queries.js";
import type { WithLease } from "./lease.js";

const DAY_MS = 86_400_000;
/** How far ahead busy times are known at least. */
const DAYS_AHEAD = 90;
/** How much further a full read goes, so that there is one a week. */
const EXTRA_DAYS = 7;
/** How long the recurrence rules of one calendar may take in one sync. Later events count as unreadable. */
const MAX_RECURRENCE_MS = 10_000;
const UNREAD = { times: null, ms: 0 };

/** An event that is no booking. `resource` is a hash of its URL, which may contain the title. */
interface ForeignEvent {
  resource: string;
  etag: string;
  readable: boolean;
  times: BusyTimes;
}

/** Reads one calendar in one sync. Call the methods in their order. */
export class CalendarReader {
  private changes: CalendarChanges | null | undefined;
  private readonly window: TimeWindow;
  private recurrenceMs = 0;
  /** URLs that have no event any longer, because the server says so or no longer lists them. */
  removed: string[] = [];

  constructor(
    private readonly use: { provider: CalendarProvider; parser: CalendarParser },
    private readonly account: Account,
    private readonly calendar: CalendarEntity,
    private readonly withLease: WithLease,
  ) {
    this.window = {
      from: new Date(Date.now() - DAY_MS),
      to: new Date(Date.now() + (DAYS_AHEAD + EXTRA_DAYS) * DAY_MS),
    };
  }

  /** Whether the server has more changes than it returned. */
  get more(): boolean {
    return this.changes?.more ?? false;
  }

  /** Whether everything is read again, because the known days come to their end. */
  private get readsAll(): boolean {
    const { knownUntil } = this.calendar;
    return knownUntil === null || knownUntil.getTime() < Date.now() + DAYS_AHEAD * DAY_MS;
  }

  async findChanges(): Promise<void> {
    const { url, syncToken, ctag } = this.calendar;
    const position = this.readsAll ? null : { syncToken, ctag };
    this.changes = await this.use.provider.changes(this.account, url, position, this.window);
    if (!this.changes) return;
    if (this.changes.removed) this.removed = this.changes.removed;
    else await this.findUnlisted(this.changes);
  }

  /** A booking's event may have been moved out of the window, so those that are not listed are asked for one by one. */
  private async findUnlisted(changes: CalendarChanges): Promise<void> {
    const listed = new Set(changes.changed.map(({ url }) => url));
    const expected = await this.withLease((tx) => {
      tx.changesNothingVisible();
      return tx.query(EXPECTED_BOOKINGS, { calendarId: this.calendar.id });
    });
    const unlisted = expected.map(({ url }) => url).filter((url) => !listed.has(url));
    for (const urls of batches(unlisted)) {
      await this.renewLease();
      const events = await this.use.provider.read(this.account, this.calendar.url, urls);
      changes.changed.push(...events.map(({ url, etag }) => ({ url, etag })));
      this.removed.push(...urls.filter((url) => !events.some((event) => event.url === url)));
    }
  }

  private async renewLease(): Promise<void> {
    await this.withLease((tx) => {
      tx.changesNothingVisible();
      return Promise.resolve();
    });
  }

  /** @param removed of all calendars of the connection */
  async readChanges(removed: ReadonlySet<string>): Promise<void> {
    if (!this.changes) return;
    const changed = await this.withoutKnown(this.changes.changed);
    for (const urls of batches(changed.map(({ url }) => url))) {
      await this.renewLease();
      await this.store(await this.use.provider.read(this.account, this.calendar.url, urls), removed);
    }
  }

  /** Leaves out versions that are stored. A full read keeps those of other people's events, whose times are needed again. */
  private withoutKnown(versions: EventVersion[]): Promise<EventVersion[]> {
    const calendarId = this.calendar.id;
    return this.withLease(async (tx) => {
      tx.changesNothingVisible();
      const foreign = await tx.query(FOREIGN_VERSIONS, { calendarId });
      const bookings = await tx.query(BOOKING_VERSIONS, { calendarId, urls: versions.map(({ url }) => url) });
      const foreignEtags = new Map(foreign.map(({ resource, etag }) => [resource, etag]));
      const bookingEtags = new Map(bookings.map(({ url, etag }) => [url, etag]));
      return versions.filter(({ url, etag }) =>
        bookingEtags.has(url)
          ? bookingEtags.get(url) !== etag
          : this.readsAll || foreignEtags.get(resourceOf(url)) !== etag,
      );
    });
  }

  private async store(events: CalendarEvent[], removed: ReadonlySet<string>): Promise<void> {
    const calendarId = this.calendar.id;
    const ids = events.flatMap(({ ics }) => bookingIn(ics) ?? []);
    const bookings = await this.withLease((tx) => {
      tx.changesNothingVisible();
      return tx.query(FIND_BOOKINGS, { calendarId, ids, urls: events.map(({ url }) => url) });
    });
    const foreign: ForeignEvent[] = [];
    for (const event of events) {
      const booking = this.bookingOf(event, bookings, removed);
      if (booking) await this.withLease((tx) => this.storeBooking(tx, booking, event));
      else foreign.push({ resource: resourceOf(event.url), etag: event.etag, ...(await this.timesOf(event)) });
    }
    if (foreign.length) await this.withLease((tx) => storeForeign(tx, calendarId, foreign));
  }

  /** By the event's URL, or by its UID where the booking has no event yet or was moved here from another calendar. */
  private bookingOf(
    { url, ics }: CalendarEvent,
    bookings: KnownBooking[],
    removed: ReadonlySet<string>,
  ): KnownBooking | undefined {
    const inThisCalendar = ({ calendarId }: KnownBooking) => calendarId === this.calendar.id;
    const id = bookingIn(ics);
    return (
      bookings.find((booking) => inThisCalendar(booking) && booking.url === url) ??
      bookings.find(
        (booking) => booking.id === id && (booking.url === null ? inThisCalendar(booking) : removed.has(booking.url)),
      )
    );
  }

  private async storeBooking(tx: Tx, { id, calendarId: before }: KnownBooking, event: CalendarEvent): Promise<void> {
    const calendarId = this.calendar.id;
    if (before !== calendarId) await tx.update(BookingEntity, { id }, { calendarId });
    await applyEvent(tx, this.use.parser, id, event);
    await tx.delete(CalendarEventEntity, { calendarId, resource: resourceOf(event.url) });
  }

  private async timesOf({ ics }: CalendarEvent): Promise<{ readable: boolean; times: BusyTimes }> {
    const { account, calendar, window } = this;
    const { times, ms } =
      this.recurrenceMs > MAX_RECURRENCE_MS
        ? UNREAD
        : await this.use.parser
            .read(account.tenantId, "busyTimes", { ics, timezone: calendar.timezone, window })
            .catch(() => ({ times: null, ms: DEADLINE_MS }));
    this.recurrenceMs += ms;
    return { readable: times !== null, times: times ?? [] };
  }

  /** Applies removals, and stores the position from which the next sync continues. */
  async finish(): Promise<void> {
    const { changes, removed, calendar } = this;
    const calendarId = calendar.id;
    if (changes === undefined) return;
    if (changes === null)
      return this.withLease(async (tx) => {
        tx.changesWorkspace(calendar.workspaceId);
        await tx.update(CalendarEntity, { id: calendarId }, { available: false, updatedAt: () => "now()" });
      });
    const bookings = removed.length
      ? await this.withLease((tx) => {
          tx.changesNothingVisible();
          return tx.query(REMOVED_BOOKINGS, { calendarId, removed });
        })
      : [];
    for (const { id } of bookings) await this.withLease((tx) => applyRemoval(tx, this.use.parser, id));
    const listed = changes.removed === null ? changes.changed.map(({ url }) => resourceOf(url)) : null;
    await this.withLease(async (tx) => {
      tx.changesNothingVisible();
      await tx.query(DELETE_FOREIGN, { calendarId, removed: removed.map(resourceOf), listed });
      const { syncToken, ctag } = changes;
      await tx.query(STORE_POSITION, {
        calendarId,
        syncToken,
        ctag,
        knownUntil: this.readsAll ? this.window.to : null,
      });
    });
  }
}

const resourceOf = (url: string): string => hash("sha256", url, "base64url");

function* batches(urls: readonly string[]): Generator<string[]> {
  for (let at = 0; at < urls.length; at += MAX_EVENTS_PER_READ) yield urls.slice(at, at + MAX_EVENTS_PER_READ);
}

async function storeForeign(tx: Tx, calendarId: string, events: ForeignEvent[]): Promise<void> {
  tx.changesNothingVisible();
  await tx.query(DELETE_FOREIGN, { calendarId, removed: events.map(({ resource }) => resource), listed: null });
  await tx.query(INSERT_FOREIGN, {
    calendarId,
    events: JSON.stringify(events.map(({ resource, etag, readable }) => ({ resource, etag, readable }))),
  });
  const times = events.flatMap(({ resource, times: all }) =>
    all.map(([start, end]) => ({ resource, start: new Date(start), end: new Date(end) })),
  );
  await tx.query(INSERT_BUSY, { calendarId, times: JSON.stringify(times) });
}
