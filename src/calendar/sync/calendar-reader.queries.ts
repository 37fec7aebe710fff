import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";

const ONLY_SYNC = { unrestricted: "only the calendar sync runs it" };

interface OfCalendar {
  calendarId: string;
}

export const FOREIGN_VERSIONS = query<OfCalendar>()(
  "calendarEvents.versions",
  ONLY_SYNC,
  ({ calendarId }) => sql`
    select resource, etag from calendar_event where tenant_id = ${TENANT} and calendar_id = ${calendarId}`,
);

/** Deletes the removed events, and, if `listed` is given, all others that are not listed. */
export const DELETE_FOREIGN = query<OfCalendar & { removed: string[]; listed: string[] | null }>()(
  "calendarEvents.delete",
  ONLY_SYNC,
  ({ calendarId, removed, listed }) => sql`
    delete from calendar_event
    where tenant_id = ${TENANT} and calendar_id = ${calendarId}
      and (
        resource = any(${removed}::text[])
        or ${listed}::text[] is not null and not (resource = any(${listed}::text[]))
      )`,
);

/** @param events JSON: `[{resource, etag, readable}]` */
export const INSERT_FOREIGN = query<OfCalendar & { events: string }>()(
  "calendarEvents.insert",
  ONLY_SYNC,
  ({ calendarId, events }) => sql`
    insert into calendar_event (tenant_id, calendar_id, resource, etag, readable)
    select ${TENANT}, ${calendarId}, e.resource, e.etag, e.readable
    from jsonb_to_recordset(${events}::jsonb) as e (resource text, etag text, readable boolean)`,
);

/** @param times JSON: `[{resource, start, end}]` */
export const INSERT_BUSY = query<OfCalendar & { times: string }>()(
  "calendarEvents.insertBusy",
  ONLY_SYNC,
  ({ calendarId, times }) => sql`
    insert into calendar_busy (tenant_id, calendar_id, resource, starts_at, ends_at)
    select ${TENANT}, ${calendarId}, t.resource, t.start, t."end"
    from jsonb_to_recordset(${times}::jsonb) as t (resource text, start timestamptz, "end" timestamptz)`,
);

/** @param knownUntil null keeps what is stored */
export const STORE_POSITION = query<
  OfCalendar & { syncToken: string | null; ctag: string | null; knownUntil: Date | null }
>()(
  "calendars.storePosition",
  ONLY_SYNC,
  ({ calendarId, syncToken, ctag, knownUntil }) => sql`
    update calendar set sync_token = ${syncToken}, ctag = ${ctag},
      known_until = coalesce(${knownUntil}::timestamptz, known_until),
      unreadable_events = (
        select count(*) from calendar_event e
        where e.tenant_id = ${TENANT} and e.calendar_id = ${calendarId} and not e.readable
      )
    where tenant_id = ${TENANT} and id = ${calendarId}`,
);

/** What a sync knows of bookings by their events. */
export interface KnownBooking {
  id: string;
  calendarId: string;
  url: string | null;
}

/** Bookings whose events a full listing should contain. Past and cancelled ones may be gone from the server. */
export const EXPECTED_BOOKINGS = query<OfCalendar>()(
  "bookingSync.expected",
  ONLY_SYNC,
  ({ calendarId }) => sql`
    select b.url from booking b
    where b.tenant_id = ${TENANT} and b.calendar_id = ${calendarId} and b.url is not null and b.etag is not null
      and (
        b.ends_at > now() - interval '1 day' or b.status in ('tentative', 'confirmed') or b.revision > b.written
      )
    order by b.starts_at desc limit 2000`,
);

export const BOOKING_VERSIONS = query<OfCalendar & { urls: string[] }>()(
  "bookingSync.versions",
  ONLY_SYNC,
  ({ calendarId, urls }) => sql`
    select url, etag from booking
    where tenant_id = ${TENANT} and calendar_id = ${calendarId} and url = any(${urls}::text[])`,
);

/** Bookings of the calendar's account that have one of these ids, or in the calendar one of these URLs. */
export const FIND_BOOKINGS = query<OfCalendar & { ids: string[]; urls: string[] }, KnownBooking>()(
  "bookingSync.find",
  ONLY_SYNC,
  ({ calendarId, ids, urls }) => sql`
    select b.id, b.calendar_id as "calendarId", b.url
    from booking b
    join calendar c on c.tenant_id = ${TENANT} and c.id = b.calendar_id
    where b.tenant_id = ${TENANT}
      and c.connection_id = (select k.connection_id from calendar k where k.tenant_id = ${TENANT} and k.id = ${calendarId})
      and (b.id = any(${ids}::uuid[]) or b.calendar_id = ${calendarId} and b.url = any(${urls}::text[]))`,
);

export const REMOVED_BOOKINGS = query<OfCalendar & { removed: string[] }>()(
  "bookingSync.removed",
  ONLY_SYNC,
  ({ calendarId, removed }) => sql`
    select id from booking
    where tenant_id = ${TENANT} and calendar_id = ${calendarId} and url = any(${removed}::text[])`,
);
