import {
  inReach,
  one,
  page,
  type PageStatement,
  polled,
  projection,
  REACHABLE,
  time,
} from "../../platform/database/statement.js";
import { TAKES_TIME } from "../booking.entity.js";
import type { BookingDto, FreeBusyDto } from "./bookings.dto.js";
import { CONNECTED } from "../connections/connections.queries.js";

/** A booking `r`. */
export const BOOKING = projection<BookingDto>({
  id: "r.id",
  workspaceId: "r.workspace_id",
  calendarId: "r.calendar_id",
  conversationId: "r.conversation_id",
  contactId: "r.contact_id",
  title: "r.title",
  description: "r.description",
  location: "r.location",
  startsAt: time("r.starts_at"),
  endsAt: time("r.ends_at"),
  status: "r.status",
  syncStatus: `(select case when c.disconnected_at is not null then 'detached' when r.revision > r.written then 'pending' else 'synced' end
    from calendar k join calendar_connection c on c.tenant_id = k.tenant_id and c.id = k.connection_id where k.tenant_id = r.tenant_id and k.id = r.calendar_id)`,
  lastError: "r.last_error",
  conflict: "r.conflict",
  createdAt: time("r.created_at"),
  updatedAt: time("r.updated_at"),
});
export const GET_BOOKING = polled(
  one<BookingDto, { id: string }>(
    "bookings.get",
    "workspace",
    `select ${BOOKING} from booking r where r.tenant_id = :tenant and r.id = :id and ${inReach("r")}`,
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
const CONDITIONS: Record<keyof BookingFilters, string> = {
  workspaceId: "i.workspace_id = :workspaceId",
  calendarId: "i.calendar_id = :calendarId",
  conversationId: "i.conversation_id = :conversationId",
  contactId: "i.contact_id = :contactId",
  status: "i.status = :status",
  from: "i.starts_at >= :from::timestamptz",
  to: "i.starts_at < :to::timestamptz",
};
type ListArgs = BookingFilters & { limit: number; after0?: string; after1?: string };
const lists = new Map<string, PageStatement<ListArgs, BookingDto>>();
/** What somebody or something has is found at once; all else goes workspace by workspace. */
const NARROW: readonly (keyof BookingFilters)[] = ["calendarId", "conversationId", "contactId"];

/** In the order of their beginnings; for one set of filters a text of its own, so that each walks its own index. */
export function listBookings(filters: BookingFilters, continued: boolean): PageStatement<ListArgs, BookingDto> {
  const names = (Object.keys(CONDITIONS) as (keyof BookingFilters)[]).filter((name) => filters[name] !== undefined);
  const name = ["bookings.list", ...names, ...(continued ? ["next"] : [])].join(" ");
  let statement = lists.get(name);
  if (!statement) lists.set(name, (statement = polled(makeList(`bookings.list ${lists.size}`, names, continued))));
  return statement;
}

function makeList(
  name: string,
  filters: (keyof BookingFilters)[],
  continued: boolean,
): PageStatement<ListArgs, BookingDto> {
  const conditions = filters.map((filter) => ` and ${CONDITIONS[filter]}`).join("");
  const after = continued ? " and (i.starts_at, i.id) > (:after0::timestamptz, :after1::uuid)" : "";
  const order = "order by i.starts_at, i.id limit :limit + 1";
  return page(name, "workspace", {
    list: "bookings",
    rows: filters.some((filter) => NARROW.includes(filter))
      ? `select i.* from booking i where i.tenant_id = :tenant${conditions}${after} and ${inReach("i")} ${order}`
      : `select i.* from workspace w cross join lateral (
          select i.* from booking i where i.tenant_id = w.tenant_id and i.workspace_id = w.id${conditions}${after} ${order}) i
        where ${REACHABLE} ${order}`,
    position: [time("r.starts_at"), "r.id"],
    item: BOOKING,
    ...(filters.includes("workspaceId") && {
      visible: `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`,
    }),
  });
}

/** When a calendar `k` is busy between :from and :to: bookings that take their time, and the events of others. */
const BUSY = `select b.starts_at, b.ends_at from booking b where b.tenant_id = k.tenant_id and b.calendar_id = k.id and b.status in ${TAKES_TIME} and b.ends_at > :from::timestamptz and b.starts_at < :to::timestamptz
  union all select e.starts_at, e.ends_at from calendar_busy e where e.tenant_id = k.tenant_id and e.calendar_id = k.id and e.ends_at > :from::timestamptz and e.starts_at < :to::timestamptz`;

/** The calendars `k` that a question is about; no row where what it names is not there. */
export const FREE_BUSY = one<FreeBusyDto, { calendarId?: string; workspaceId?: string; from: string; to: string }>(
  "calendar.free-busy",
  "workspace",
  `select coalesce((select json_agg(json_build_object('calendarId', k.id, 'timezone', k.timezone, 'knownUntil', ${time("k.known_until")}, 'unreadableEvents', k.unreadable_events, 'busy',
      (select coalesce(json_agg(json_build_object('startsAt', ${time("lower(m)")}, 'endsAt', ${time("upper(m)")}) order by lower(m)), '[]')
        from (select unnest(range_agg(tstzrange(greatest(u.starts_at, :from::timestamptz), least(u.ends_at, :to::timestamptz)))) as m from (${BUSY}) u) merged)) order by k.is_primary desc, k.name, k.id)
    from calendar k join calendar_connection c on c.tenant_id = k.tenant_id and c.id = k.connection_id
    where k.tenant_id = :tenant and ${CONNECTED} and k.available and (:calendarId::uuid is null or k.id = :calendarId) and (:workspaceId::uuid is null or k.workspace_id = :workspaceId) and ${inReach("k")}), '[]') as calendars
  where (:workspaceId::uuid is null or exists (select from workspace w where w.id = :workspaceId and ${REACHABLE}))
    and (:calendarId::uuid is null or exists (select from calendar k join calendar_connection c on c.tenant_id = k.tenant_id and c.id = k.connection_id where k.tenant_id = :tenant and k.id = :calendarId and ${CONNECTED} and ${inReach("k")}))`,
);

/** Whether the calendar, which is held, is busy then, for others than this booking. */
export const IS_BUSY = `select 1 from booking b where b.tenant_id = :tenant and b.calendar_id = :calendarId and b.status in ${TAKES_TIME} and b.ends_at > :startsAt::timestamptz and b.starts_at < :endsAt::timestamptz and b.id <> :id
  union all select 1 from calendar_busy e where e.tenant_id = :tenant and e.calendar_id = :calendarId and e.ends_at > :startsAt::timestamptz and e.starts_at < :endsAt::timestamptz limit 1`;

/** The bookings of a person: those that name one of the contacts, and those that name nobody and are of one of the conversations; both as SQL for an array. */
export const bookingsOf = (
  contacts: string,
  conversations: string,
): string => `select b.id from booking b where b.tenant_id = :tenant and b.contact_id = any(${contacts})
    union
    select b.id from booking b where b.tenant_id = :tenant and b.contact_id is null and b.redacted_at is null and b.conversation_id = any(${conversations})`;

/** Their words, and what both sides last agreed on. What they take up is free again. */
export const ERASE_BOOKINGS = `with theirs as (
    ${bookingsOf(":contactIds::uuid[]", ":conversationIds::uuid[]")}
  )
  update booking b set title = '', description = null, location = null, contact_id = null, seen = null, sent = null, conflict = null, last_error = null, redacted_at = coalesce(b.redacted_at, now()), updated_at = now(),
    status = case when b.status in ${TAKES_TIME} then 'cancelled' else b.status end, revision = b.revision + 1, written = case when b.url is null then b.revision + 1 else b.written end
  from theirs t where b.tenant_id = :tenant and b.id = t.id returning b.id, b.url is not null as there`;
