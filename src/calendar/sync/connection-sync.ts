import { hash } from "node:crypto";
import { setImmediate as breathe } from "node:timers/promises";
import { v7 as uuid } from "uuid";
import type { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { busyTimes, type Span, type Times } from "../ics/busy-times.js";
import { bookingIn } from "../ics/booking-event.js";
import { ianaZone, UTC } from "../ics/time-zones.js";
import {
  type Account,
  type CalendarProvider,
  type Event,
  type FoundCalendar,
  type Found,
  MOST_READ_AT_ONCE,
  type Version,
} from "../providers/calendar-provider.js";
import type { CalendarCredentials } from "../providers/calendar-credentials.js";
import { takeAway, takeOver } from "./booking-sync.js";
import { works } from "./connection-health.js";
import { held, type Lease, LeaseLost } from "./lease.js";
import { writeBookings } from "./booking-writer.js";

const DAY_MS = 86_400_000;
/** How far ahead busy times are known, and how much further is looked each time, so that it is once a week. */
const DAYS_AHEAD = 90;
const DAYS_MORE = 7;
const DISCOVERY_MINUTES = 60;
/** What the rules of one calendar may cost a pass; what comes after it is not worked out. */
const MOST_RULES_MS = 3_000;

interface Connection {
  workspaceId: string;
  serverUrl: string;
  credentials: Buffer;
  revision: number;
  timezone: string;
  discover: boolean;
  archived: boolean;
  deleted: boolean;
}
interface Calendar {
  id: string;
  url: string;
  timezone: string;
  syncToken: string | null;
  ctag: string | null;
  knownUntil: Date | null;
}
interface Known {
  id: string;
  calendarId: string;
  url: string | null;
  etag: string | null;
  erased: boolean;
}

/** What is needed of the process. */
export interface PassParts {
  db: Database;
  vault: CalendarCredentials;
  provider: CalendarProvider;
  stopped: () => boolean;
}

/** A connection once, from end to end: its calendars, what is to be written, and what is new. It may end anywhere; the next one goes on. */
export class Pass {
  private account: Account | undefined;
  private connection: Connection | undefined;

  constructor(
    private readonly parts: PassParts,
    private readonly lease: Lease,
  ) {}

  /** The revision that it began with. */
  get revision(): number {
    return this.connection?.revision ?? 0;
  }

  /** @throws CalendarError, LeaseLost */
  async run(connection: Connection): Promise<void> {
    this.connection = connection;
    const { serverUrl, credentials } = connection;
    const { tenantId, connectionId } = this.lease;
    this.account = { serverUrl, ...this.parts.vault.open(tenantId, connectionId, serverUrl, credentials) };
    if (connection.discover) await this.discover();
    await this.write();
    const more = await this.read();
    await this.held((tx) => works(tx, this.lease, more));
  }

  private held<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.parts.stopped()) throw new LeaseLost("the process is stopping");
    return held(this.parts.db, this.lease, this.revision, work);
  }

  private write(): Promise<void> {
    return writeBookings({ ...this.parts, account: this.account!, lease: this.lease, held: (work) => this.held(work) });
  }

  private async discover(): Promise<void> {
    const found = await this.parts.provider.calendars(this.account!);
    await this.held((tx) => keepCalendars(tx, this.lease.connectionId, this.connection!, found));
  }

  private async read(): Promise<boolean> {
    const calendars = await this.held((tx) => {
      tx.unseen();
      return tx.query<Calendar>(
        `select id, url, timezone, sync_token as "syncToken", ctag, known_until as "knownUntil" from calendar where tenant_id = :tenant and connection_id = :connectionId and available order by id`,
        { connectionId: this.lease.connectionId },
      );
    });
    const looks: CalendarLook[] = [];
    for (const calendar of calendars) {
      const look = new CalendarLook(this.parts.provider, this.account!, calendar, (work) => this.held(work));
      await look.ask();
      looks.push(look);
    }
    // An event that was moved to another calendar is found there before it is missed here.
    const gone = new Set(looks.flatMap((look) => look.gone));
    for (const look of looks) await look.take(gone);
    for (const look of looks) await look.end();
    return looks.some(({ more }) => more);
  }
}

/** One calendar in one pass. */
class CalendarLook {
  private found: Found | null | undefined;
  private readonly window: Span;
  private rulesMs = 0;
  /** Where something was, by the server's word or because it is no longer listed. */
  gone: string[] = [];

  constructor(
    private readonly provider: CalendarProvider,
    private readonly account: Account,
    private readonly calendar: Calendar,
    private readonly held: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  ) {
    this.window = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + (DAYS_AHEAD + DAYS_MORE) * DAY_MS) };
  }

  get more(): boolean {
    return this.found?.more ?? false;
  }

  /** Everything is read again when the days that are known come to an end. */
  private get anew(): boolean {
    return this.calendar.knownUntil === null || this.calendar.knownUntil.getTime() < Date.now() + DAYS_AHEAD * DAY_MS;
  }

  async ask(): Promise<void> {
    const { url, syncToken, ctag } = this.calendar;
    this.found = await this.provider.changes(this.account, url, this.anew ? null : { syncToken, ctag }, this.window);
    if (!this.found) return;
    if (this.found.gone) this.gone = this.found.gone;
    else await this.missing(this.found);
  }

  /** What is no longer listed. An event of ours may have been moved out of the window: those are asked for by name. */
  private async missing(found: Found): Promise<void> {
    const listed = new Set(found.changed.map(({ url }) => url));
    const ours = await this.held((tx) => {
      tx.unseen();
      return tx.query<Known & { url: string }>(
        `select b.id, b.url, b.etag from booking b where b.tenant_id = :tenant and b.calendar_id = :id and b.url is not null and b.etag is not null
        and (b.ends_at > now() - interval '1 day' or b.status in ('tentative', 'confirmed') or b.revision > b.written) order by b.starts_at desc limit 2000`,
        { id: this.calendar.id },
      );
    });
    const unlisted = ours.filter(({ url }) => !listed.has(url));
    for (let at = 0; at < unlisted.length; at += MOST_READ_AT_ONCE) {
      const urls = unlisted.slice(at, at + MOST_READ_AT_ONCE).map(({ url }) => url);
      await this.alive();
      const there = await this.provider.read(this.account, this.calendar.url, urls);
      found.changed.push(...there.map(({ url, etag }) => ({ url, etag })));
      this.gone.push(...urls.filter((url) => !there.some((event) => event.url === url)));
    }
  }

  private async alive(): Promise<void> {
    await this.held((tx) => {
      tx.unseen();
      return Promise.resolve();
    });
  }

  /** @param gone of all calendars of the connection */
  async take(gone: ReadonlySet<string>): Promise<void> {
    if (!this.found) return;
    const others = await this.unknown(this.found.changed);
    for (let at = 0; at < others.length; at += MOST_READ_AT_ONCE) {
      const urls = others.slice(at, at + MOST_READ_AT_ONCE).map(({ url }) => url);
      await this.alive();
      await this.takeBatch(await this.provider.read(this.account, this.calendar.url, urls), gone);
    }
  }

  /** Those whose version is not the one that is known; all, where everything is read again. */
  private unknown(versions: Version[]): Promise<Version[]> {
    return this.held(async (tx) => {
      tx.unseen();
      const known = await tx.query<{ resource: string; etag: string }>(
        "select resource, etag from calendar_event where tenant_id = :tenant and calendar_id = :id",
        { id: this.calendar.id },
      );
      const own = await tx.query<{ url: string; etag: string | null }>(
        "select url, etag from booking where tenant_id = :tenant and calendar_id = :id and url = any(:urls::text[])",
        { id: this.calendar.id, urls: versions.map(({ url }) => url) },
      );
      const etags = new Map(known.map(({ resource, etag }) => [resource, etag]));
      const ours = new Map(own.map(({ url, etag }) => [url, etag]));
      return versions.filter(({ url, etag }) =>
        ours.has(url) ? ours.get(url) !== etag : this.anew || etags.get(resourceOf(url)) !== etag,
      );
    });
  }

  private async takeBatch(events: Event[], gone: ReadonlySet<string>): Promise<void> {
    const ids = events.flatMap(({ ics }) => bookingIn(ics) ?? []);
    const known = await this.held((tx) => {
      tx.unseen();
      return tx.query<Known>(
        `select b.id, b.calendar_id as "calendarId", b.url, b.etag, b.redacted_at is not null as erased from booking b join calendar c on c.tenant_id = b.tenant_id and c.id = b.calendar_id
        where b.tenant_id = :tenant and c.connection_id = (select connection_id from calendar where tenant_id = :tenant and id = :id)
          and (b.id = any(:ids::uuid[]) or b.calendar_id = :id and b.url = any(:urls::text[]))`,
        { id: this.calendar.id, ids, urls: events.map(({ url }) => url) },
      );
    });
    const foreign: { resource: string; etag: string; readable: boolean; times: Times }[] = [];
    for (const event of events) {
      const id = bookingIn(event.ics);
      const booking =
        known.find((one) => one.calendarId === this.calendar.id && one.url === event.url) ??
        known.find(
          (one) =>
            one.id === id &&
            ((one.calendarId === this.calendar.id && one.url === null) || (one.url !== null && gone.has(one.url))),
        );
      if (booking) await this.held((tx) => this.own(tx, booking, event));
      else foreign.push({ resource: resourceOf(event.url), etag: event.etag, ...(await this.timesOf(event)) });
    }
    if (foreign.length) await this.held((tx) => keepForeign(tx, this.calendar.id, foreign));
  }

  private async own(tx: Tx, { id, calendarId }: Known, event: Event): Promise<void> {
    if (calendarId !== this.calendar.id)
      await tx.query("update booking set calendar_id = :calendarId where tenant_id = :tenant and id = :id", {
        id,
        calendarId: this.calendar.id,
      });
    await takeOver(tx, id, event);
    await tx.query(
      "delete from calendar_event where tenant_id = :tenant and calendar_id = :calendarId and resource = :resource",
      { calendarId: this.calendar.id, resource: resourceOf(event.url) },
    );
  }

  private async timesOf({ ics }: Event): Promise<{ readable: boolean; times: Times }> {
    await breathe();
    const began = performance.now();
    try {
      return this.rulesMs > MOST_RULES_MS
        ? { readable: false, times: [] }
        : { readable: true, times: busyTimes(ics, ianaZone(this.calendar.timezone) ?? UTC, this.window) };
    } catch {
      return { readable: false, times: [] };
    } finally {
      this.rulesMs += performance.now() - began;
    }
  }

  /** What is gone, and from where to go on. */
  async end(): Promise<void> {
    const {
      found,
      calendar: { id },
      gone,
      anew,
    } = this;
    if (found === undefined) return;
    if (found === null)
      return this.held(
        async (tx) =>
          void (await tx.query(
            "update calendar set available = false, updated_at = now() where tenant_id = :tenant and id = :id",
            { id },
          )),
      );
    const lost = gone.length
      ? await this.held((tx) => {
          tx.unseen();
          return tx.query<{ id: string }>(
            "select id from booking where tenant_id = :tenant and calendar_id = :id and url = any(:gone::text[])",
            { id, gone },
          );
        })
      : [];
    for (const booking of lost) await this.held((tx) => takeAway(tx, booking.id));
    const listed = found.gone === null ? found.changed.map(({ url }) => resourceOf(url)) : null;
    await this.held(async (tx) => {
      tx.unseen();
      await tx.query(
        "delete from calendar_event where tenant_id = :tenant and calendar_id = :id and (resource = any(:gone::text[]) or :listed::text[] is not null and not resource = any(:listed::text[]))",
        { id, gone: gone.map(resourceOf), listed },
      );
      await tx.query(
        `update calendar set sync_token = :syncToken, ctag = :ctag, known_until = case when :anew then :until::timestamptz else known_until end,
          unreadable_events = (select count(*) from calendar_event e where e.tenant_id = :tenant and e.calendar_id = :id and not e.readable) where tenant_id = :tenant and id = :id`,
        { id, syncToken: found.syncToken, ctag: found.ctag, anew, until: this.window.to },
      );
    });
  }
}

const resourceOf = (url: string): string => hash("sha256", url, "base64url");

async function keepForeign(
  tx: Tx,
  calendarId: string,
  events: { resource: string; etag: string; readable: boolean; times: Times }[],
): Promise<void> {
  tx.unseen();
  await tx.query(
    "delete from calendar_event where tenant_id = :tenant and calendar_id = :calendarId and resource = any(:resources::text[])",
    { calendarId, resources: events.map(({ resource }) => resource) },
  );
  await tx.query(
    `insert into calendar_event (tenant_id, calendar_id, resource, etag, readable)
    select :tenant, :calendarId, e.resource, e.etag, e.readable from jsonb_to_recordset(:events::jsonb) as e (resource text, etag text, readable boolean)`,
    {
      calendarId,
      events: JSON.stringify(events.map(({ resource, etag, readable }) => ({ resource, etag, readable }))),
    },
  );
  const times = events.flatMap(({ resource, times: all }) =>
    all.map(([start, end]) => ({ resource, start: new Date(start), end: new Date(end) })),
  );
  await tx.query(
    `insert into calendar_busy (tenant_id, calendar_id, resource, starts_at, ends_at)
    select :tenant, :calendarId, t.resource, t.start, t."end" from jsonb_to_recordset(:times::jsonb) as t (resource text, start timestamptz, "end" timestamptz)`,
    { calendarId, times: JSON.stringify(times) },
  );
}

/** The account's calendars: those that are no longer there are no longer available, the first one is the primary one. */
async function keepCalendars(
  tx: Tx,
  connectionId: string,
  { workspaceId, timezone }: Connection,
  found: FoundCalendar[],
): Promise<void> {
  tx.within(workspaceId);
  await tx.query(
    `insert into calendar as c (tenant_id, id, workspace_id, connection_id, url, name, timezone, writable)
    select :tenant, f.id, :workspaceId, :connectionId, f.url, f.name, coalesce(f.timezone, :timezone), f.writable from jsonb_to_recordset(:found::jsonb) as f (id uuid, url text, name text, timezone text, writable boolean)
    on conflict (tenant_id, connection_id, url) do update set name = excluded.name, timezone = excluded.timezone, writable = excluded.writable, available = true, updated_at = now()
    where (c.name, c.timezone, c.writable, c.available) is distinct from (excluded.name, excluded.timezone, excluded.writable, true)`,
    { connectionId, workspaceId, timezone, found: JSON.stringify(found.map((one) => ({ id: uuid(), ...one }))) },
  );
  const urls = found.map(({ url }) => url);
  await tx.query(
    "update calendar set available = false, is_primary = false, updated_at = now() where tenant_id = :tenant and connection_id = :connectionId and available and not url = any(:urls::text[])",
    { connectionId, urls },
  );
  await tx.query(
    `update calendar c set is_primary = (c.url = p.url) from (select coalesce((select url from calendar where tenant_id = :tenant and connection_id = :connectionId and is_primary),
      (select f.url from unnest(:urls::text[]) with ordinality as f (url, n) join calendar k on k.tenant_id = :tenant and k.connection_id = :connectionId and k.url = f.url order by not k.writable, f.n limit 1)) as url) p
    where c.tenant_id = :tenant and c.connection_id = :connectionId and c.is_primary <> (c.url = p.url)`,
    { connectionId, urls },
  );
  await tx.query(
    "update calendar_connection set discovered_at = now() where tenant_id = :tenant and id = :connectionId",
    { connectionId },
  );
}

/** What a pass begins with; undefined where nothing is to be done, for now or for ever. */
export async function begin(tx: Tx, lease: Lease): Promise<Connection | undefined> {
  tx.unseen();
  const { connectionId, holder } = lease;
  const [connection] = await tx.query<Omit<Connection, "credentials"> & { credentials: Buffer | null }>(
    `select c.workspace_id as "workspaceId", c.server_url as "serverUrl", c.credentials, c.revision, w.timezone, w.status = 'archived' as archived, w.deleted_at is not null as deleted,
      coalesce(c.discovered_at < now() - make_interval(mins => :minutes), true) as discover
    from calendar_connection c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id where c.tenant_id = :tenant and c.id = :connectionId`,
    { connectionId, minutes: DISCOVERY_MINUTES },
  );
  const { credentials } = connection ?? {};
  if (connection && credentials && !connection.archived && !connection.deleted) return { ...connection, credentials };
  if (connection?.archived)
    await tx.query(
      `update calendar_due set holder = null, due_at = clock_timestamp() + interval '10 minutes' where tenant_id = :tenant and connection_id = :connectionId and holder = :holder::uuid`,
      { connectionId, holder },
    );
  else
    await tx.query(
      "delete from calendar_due where tenant_id = :tenant and connection_id = :connectionId and holder = :holder::uuid",
      { connectionId, holder },
    );
  return undefined;
}
