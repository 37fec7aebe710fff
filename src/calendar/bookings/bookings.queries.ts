import { joined, type Parameter, type Parameters, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import {
  inReach,
  namesUsed,
  one,
  page,
  type PageRead,
  polled,
  projection,
  query,
  REACHABLE,
  statementFamily,
  time,
} from "../../platform/database/statements.js";
import { CONNECTED } from "../connections/connections.queries.js";
import type { BookingDto, FreeBusyDto } from "./bookings.dto.js";

/** A booking `b` that takes up its time. The text of the index `booking_busy`. */
const TAKES_TIME = sql`b.status in ('tentative', 'confirmed')`;

/** A booking `r`. */
export const BOOKING = projection<BookingDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  calendarId: sql`r.calendar_id`,
  conversationId: sql`r.conversation_id`,
  contactId: sql`r.contact_id`,
  title: sql`r.title`,
  description: sql`r.description`,
  location: sql`r.location`,
  startsAt: time(sql`r.starts_at`),
  endsAt: time(sql`r.ends_at`),
  status: sql`r.status`,
  syncStatus: sql`(
    select case when c.disconnected_at is not null then 'detached'
      when r.revision > r.written then 'pending' else 'synced' end
    from calendar k
    join calendar_connection c on c.tenant_id = ${TENANT} and c.id = k.connection_id
    where k.tenant_id = ${TENANT} and k.id = r.calendar_id
  )`,
  lastError: sql`r.last_error`,
  conflict: sql`r.conflict`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

export const GET_BOOKING = polled(
  one<BookingDto, { id: string }>(
    "bookings.get",
    "restricted",
    ({ id }) => sql`
      select ${BOOKING} from booking r
      where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

export interface BookingFilters {
  workspaceId?: string;
  calendarId?: string;
  conversationId?: string;
  contactId?: string;
  status?: string;
  from?: string;
  to?: string;
}
type FilterName = keyof BookingFilters;

/** What each filter asks of a booking `i`. */
const CONDITIONS: Record<FilterName, (value: Parameter) => Sql> = {
  workspaceId: (value) => sql`i.workspace_id = ${value}`,
  calendarId: (value) => sql`i.calendar_id = ${value}`,
  conversationId: (value) => sql`i.conversation_id = ${value}`,
  contactId: (value) => sql`i.contact_id = ${value}`,
  status: (value) => sql`i.status = ${value}`,
  from: (value) => sql`i.starts_at >= ${value}::timestamptz`,
  to: (value) => sql`i.starts_at < ${value}::timestamptz`,
};
/** Filters with an index of their own. Without one of them, each workspace is read by itself. */
const INDEXED: readonly FilterName[] = ["calendarId", "conversationId", "contactId"];

/** Ordered by start. Each set of filters has its own statement, so that each walks its own index. */
export const listBookings = (filters: BookingFilters, continued: boolean): PageRead<BookingFilters, BookingDto> =>
  LISTS(namesUsed(CONDITIONS, filters), continued);

const LISTS = statementFamily("bookings.list", (name, filters: readonly FilterName[], continued: boolean) =>
  polled(
    page<BookingDto, BookingFilters>(name, "restricted", (parameters) => {
      const { limit, after0, after1, workspaceId } = parameters;
      const conditions = joined(
        [
          ...filters.map((filter) => CONDITIONS[filter](parameters[filter])),
          ...(continued ? [sql`(i.starts_at, i.id) > (${after0}::timestamptz, ${after1}::uuid)`] : []),
        ].map((condition) => sql` and ${condition}`),
        "",
      );
      const order = sql`order by i.starts_at, i.id limit ${limit} + 1`;
      return {
        list: "bookings",
        rows: filters.some((filter) => INDEXED.includes(filter))
          ? sql`
          select i.* from booking i
          where i.tenant_id = ${TENANT}${conditions} and ${inReach("i")}
          ${order}`
          : sql`
          select i.* from workspace w
          cross join lateral (
            select i.* from booking i
            where i.tenant_id = ${TENANT} and i.workspace_id = w.id${conditions}
            ${order}
          ) i
          where ${REACHABLE}
          ${order}`,
        position: [sql`r.starts_at`, sql`r.id`],
        item: BOOKING,
        ...(filters.includes("workspaceId") && {
          visible: sql`exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
        }),
      };
    }),
  ),
);

interface TimeRange {
  from: string;
  to: string;
}

/** When a calendar `k` is busy between `from` and `to`: its bookings, and other people's events. */
const busyTimes = ({ from, to }: Parameters<TimeRange>): Sql => sql`
  select b.starts_at, b.ends_at from booking b
  where b.tenant_id = ${TENANT} and b.calendar_id = k.id and ${TAKES_TIME}
    and b.ends_at > ${from}::timestamptz and b.starts_at < ${to}::timestamptz
  union all
  select e.starts_at, e.ends_at from calendar_busy e
  where e.tenant_id = ${TENANT} and e.calendar_id = k.id
    and e.ends_at > ${from}::timestamptz and e.starts_at < ${to}::timestamptz`;

type FreeBusyArgs = TimeRange & { calendarId?: string; workspaceId?: string };

/** The calendars `k` that are asked about. No row where the calendar or workspace does not exist. */
export const FREE_BUSY = one<FreeBusyDto, FreeBusyArgs>("bookings.freeBusy", "restricted", (parameters) => {
  const { calendarId, workspaceId, from, to } = parameters;
  const merged = sql`
    select unnest(range_agg(
      tstzrange(greatest(u.starts_at, ${from}::timestamptz), least(u.ends_at, ${to}::timestamptz))
    )) as m
    from (${busyTimes(parameters)}) u`;
  const busy = sql`
    select coalesce(
      json_agg(json_build_object(
        'startsAt', ${time(sql`lower(m)`)}, 'endsAt', ${time(sql`upper(m)`)}
      ) order by lower(m)),
      '[]'
    )
    from (${merged}) merged`;
  const calendars = sql`
    select json_agg(json_build_object(
      'calendarId', k.id, 'timezone', k.timezone, 'knownUntil', ${time(sql`k.known_until`)},
      'unreadableEvents', k.unreadable_events, 'busy', (${busy})
    ) order by k.is_primary desc, k.name, k.id)
    from calendar k
    join calendar_connection c on c.tenant_id = ${TENANT} and c.id = k.connection_id
    where k.tenant_id = ${TENANT} and ${CONNECTED} and k.available
      and (${calendarId}::uuid is null or k.id = ${calendarId})
      and (${workspaceId}::uuid is null or k.workspace_id = ${workspaceId})
      and ${inReach("k")}`;
  return sql`
    select coalesce((${calendars}), '[]') as calendars
    where (
      ${workspaceId}::uuid is null
      or exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})
    ) and (
      ${calendarId}::uuid is null
      or exists (
        select from calendar k
        join calendar_connection c on c.tenant_id = ${TENANT} and c.id = k.connection_id
        where k.tenant_id = ${TENANT} and k.id = ${calendarId} and ${CONNECTED} and ${inReach("k")}
      )
    )`;
});

/** Gives a row where another booking or event takes this time in the calendar. Lock the calendar first. */
export const IS_BUSY = query<{ id: string; calendarId: string; startsAt: string; endsAt: string }>()(
  "bookings.isBusy",
  "checked",
  ({ id, calendarId, startsAt, endsAt }) => sql`
    select 1 from booking b
    where b.tenant_id = ${TENANT} and b.calendar_id = ${calendarId} and ${TAKES_TIME}
      and b.ends_at > ${startsAt}::timestamptz and b.starts_at < ${endsAt}::timestamptz and b.id <> ${id}
    union all
    select 1 from calendar_busy e
    where e.tenant_id = ${TENANT} and e.calendar_id = ${calendarId}
      and e.ends_at > ${startsAt}::timestamptz and e.starts_at < ${endsAt}::timestamptz
    limit 1`,
);

export interface LockedCalendar {
  workspaceId: string;
  connectionId: string;
  available: boolean;
  writable: boolean;
  archived: boolean;
  disconnected: boolean;
}

/** The connection cannot be disconnected until the transaction ends. */
export const LOCK_CALENDAR = query<{ id: string }, LockedCalendar>()(
  "bookings.lockCalendar",
  "restricted",
  ({ id }) => sql`
    select k.workspace_id as "workspaceId", k.connection_id as "connectionId", k.available, k.writable,
      w.status = 'archived' as archived, c.disconnected_at is not null as disconnected
    from calendar k
    join calendar_connection c on c.tenant_id = ${TENANT} and c.id = k.connection_id
    join workspace w on w.tenant_id = ${TENANT} and w.id = k.workspace_id
    where k.tenant_id = ${TENANT} and k.id = ${id} and ${REACHABLE}
    for share of c`,
);

/** What a PATCH can change. */
export type BookingFields = Pick<
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
export type LockedBooking = BookingFields &
  Pick<LockedCalendar, "workspaceId" | "connectionId" | "archived" | "disconnected"> & { erased: boolean };

export const LOCK_BOOKING = query<{ id: string }, LockedBooking>()(
  "bookings.lock",
  "restricted",
  ({ id }) => sql`
    select b.workspace_id as "workspaceId", b.calendar_id as "calendarId", b.conversation_id as "conversationId",
      b.contact_id as "contactId", b.title, b.description, b.location, ${time(sql`b.starts_at`)} as "startsAt",
      ${time(sql`b.ends_at`)} as "endsAt", b.status, b.redacted_at is not null as erased,
      w.status = 'archived' as archived, k.connection_id as "connectionId",
      c.disconnected_at is not null as disconnected
    from booking b
    join calendar k on k.tenant_id = ${TENANT} and k.id = b.calendar_id
    join calendar_connection c on c.tenant_id = ${TENANT} and c.id = k.connection_id
    join workspace w on w.tenant_id = ${TENANT} and w.id = b.workspace_id
    where b.tenant_id = ${TENANT} and b.id = ${id} and ${REACHABLE}
    for no key update of b
    for share of c`,
);

/**
 * The ids of a person's bookings: those of their contacts, and those without a contact in their conversations.
 * @param contacts SQL for an array of ids
 * @param conversations SQL for an array of ids
 */
export const bookingsOf = (contacts: Sql, conversations: Sql): Sql => sql`
  select b.id from booking b
  where b.tenant_id = ${TENANT} and b.contact_id = any(${contacts})
  union
  select b.id from booking b
  where b.tenant_id = ${TENANT} and b.contact_id is null and b.redacted_at is null
    and b.conversation_id = any(${conversations})`;

/** A row for each booking that moved from the merged contact to the surviving one. */
export const MOVE_BOOKINGS = query<{ from: string; to: string }>()(
  "bookings.moveToContact",
  { unrestricted: "a merge moves all that belongs to the contact, in every workspace" },
  ({ from, to }) => sql`
    update booking set contact_id = ${to}, updated_at = clock_timestamp()
    where tenant_id = ${TENANT} and contact_id = ${from}
    returning 1`,
);

/** Removes the texts of a person's bookings, and cancels those that took time. `inCalendar`: their event has to be removed. */
export const ERASE_BOOKINGS = query<{ contactIds: readonly string[]; conversationIds: readonly string[] }>()(
  "bookings.erase",
  { unrestricted: "an erasure covers all that a tenant holds about a person; owners and admins decide it" },
  ({ contactIds, conversationIds }) => sql`
    with theirs as (${bookingsOf(sql`${contactIds}::uuid[]`, sql`${conversationIds}::uuid[]`)})
    update booking b set title = '', description = null, location = null, contact_id = null, seen = null, sent = null,
      conflict = null, last_error = null, redacted_at = coalesce(b.redacted_at, now()), updated_at = now(),
      status = case when ${TAKES_TIME} then 'cancelled' else b.status end, revision = b.revision + 1,
      written = case when b.url is null then b.revision + 1 else b.written end
    from theirs t where b.tenant_id = ${TENANT} and b.id = t.id
    returning b.id, b.url is not null as "inCalendar"`,
);
