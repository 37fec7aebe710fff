import { sql, TENANT } from "../../platform/database/sql.js";
import { query, time } from "../../platform/database/statements.js";
import type { BookingStatus } from "../booking.entity.js";
import type { SharedFields } from "../ics/booking-event.js";

const ONLY_SYNC = { unrestricted: "only the calendar sync runs it" };

/** A booking that is synced, locked until the transaction ends. */
export interface SyncedBooking extends Omit<SharedFields, "status"> {
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

export const LOCK_BOOKING = query<{ id: string }, SyncedBooking>()(
  "bookingSync.lock",
  ONLY_SYNC,
  ({ id }) => sql`
    select b.id, b.workspace_id as "workspaceId", b.title, b.description, b.location,
      ${time(sql`b.starts_at`)} as "startsAt", ${time(sql`b.ends_at`)} as "endsAt", b.status, b.revision, b.written,
      b.conflict, b.url, b.etag, b.seen, b.sent, b.redacted_at is not null as erased, c.url as "calendarUrl", c.timezone
    from booking b
    join calendar c on c.tenant_id = ${TENANT} and c.id = b.calendar_id
    where b.tenant_id = ${TENANT} and b.id = ${id}
    for no key update of b`,
);

interface StoreArgs extends Omit<SharedFields, "status"> {
  id: string;
  status: BookingStatus;
  url: string | null;
  etag: string | null;
  seen: string | null;
  /** Whether something of it still has to be written to the calendar. */
  pending: boolean;
  /** JSON, without its time; null keeps `conflictBefore`. */
  conflict: string | null;
  conflictBefore: string | null;
}

/** SQL, because the time of a conflict is the database's. */
export const STORE_SYNCED = query<StoreArgs>()(
  "bookingSync.store",
  ONLY_SYNC,
  ({
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
    conflict,
    conflictBefore,
  }) =>
    sql`
    update booking b set title = ${title}, description = ${description}, location = ${location},
      starts_at = ${startsAt}::timestamptz, ends_at = ${endsAt}::timestamptz, status = ${status},
      url = ${url}, etag = ${etag}, seen = ${seen}, sent = null,
      written = case when ${pending} then b.written else b.revision end,
      last_error = case when ${pending} then b.last_error end,
      conflict = case when ${conflict}::jsonb is null then ${conflictBefore}::jsonb
        else ${conflict}::jsonb || jsonb_build_object('at', ${time(sql`clock_timestamp()`)}) end,
      updated_at = case
        when (b.title, b.description, b.location, b.starts_at, b.ends_at, b.status) is distinct from
          (${title}, ${description}, ${location}, ${startsAt}::timestamptz, ${endsAt}::timestamptz, ${status})
        then clock_timestamp() else b.updated_at end
    where b.tenant_id = ${TENANT} and b.id = ${id}`,
);

/** Due right away. Calendars that are disconnected or on the test side are never written to. */
export const QUEUE_WRITE = query<{ id: string }>()(
  "bookings.queueWrite",
  "checked",
  ({ id }) => sql`
    insert into calendar_write (tenant_id, booking_id, connection_id)
    select ${TENANT}, b.id, n.id
    from booking b
    join calendar c on c.tenant_id = ${TENANT} and c.id = b.calendar_id
    join calendar_connection n on n.tenant_id = ${TENANT} and n.id = c.connection_id
    where b.tenant_id = ${TENANT} and b.id = ${id} and n.disconnected_at is null
      and exists (select from tenant t where t.id = ${TENANT} and t.environment = 'live')
    for share of n
    on conflict (tenant_id, booking_id) do update set due_at = clock_timestamp(), attempts = 0`,
);
