import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, list, one, polled, projection, query, REACHABLE, time } from "../../platform/database/statements.js";
import type { CalendarConnectionDto, CalendarDto } from "./connections.dto.js";

/** A connection `c`. */
const CONNECTION = projection<CalendarConnectionDto>({
  id: sql`c.id`,
  workspaceId: sql`c.workspace_id`,
  provider: sql`c.provider`,
  serverUrl: sql`c.server_url`,
  accountEmail: sql`c.account_email`,
  status: sql`c.status`,
  credentialFingerprint: sql`c.credential_fingerprint`,
  lastError: sql`c.last_error`,
  nextRetryAt: time(sql`c.next_retry_at`),
  lastSyncedAt: time(sql`c.last_synced_at`),
  createdAt: time(sql`c.created_at`),
  updatedAt: time(sql`c.updated_at`),
});

/** The rows of disconnected connections stay only because bookings point at their calendars. */
export const CONNECTED = sql`c.disconnected_at is null`;

export const GET_CONNECTION = polled(
  one<CalendarConnectionDto, { id: string }>(
    "calendarConnections.get",
    "restricted",
    ({ id }) => sql`
      select ${CONNECTION} from calendar_connection c
      where c.tenant_id = ${TENANT} and c.id = ${id} and ${CONNECTED} and ${inReach("c")}`,
  ),
);

export const LIST_CONNECTIONS = polled(
  list<CalendarConnectionDto, { workspaceId?: string }>(
    "calendarConnections.list",
    "restricted",
    ({ workspaceId }) => ({
      rows: sql`
      select ${CONNECTION}
      from calendar_connection c
      join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
      where c.tenant_id = ${TENANT} and ${CONNECTED} and ${REACHABLE}
        and (${workspaceId}::uuid is null or w.id = ${workspaceId})
      order by c.created_at, c.id`,
      visible: sql`
      (${workspaceId}::uuid is null or exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE}))`,
    }),
  ),
);

/** A calendar `k`. */
const CALENDAR = projection<CalendarDto>({
  id: sql`k.id`,
  connectionId: sql`k.connection_id`,
  name: sql`k.name`,
  timezone: sql`k.timezone`,
  primary: sql`k.is_primary`,
  writable: sql`k.writable`,
  available: sql`k.available`,
  knownUntil: time(sql`k.known_until`),
  unreadableEvents: sql`k.unreadable_events`,
});

/** The primary calendar first. Not polled: `knownUntil` changes in the background without a new version. */
export const LIST_CALENDARS = list<CalendarDto, { id: string }>("calendars.list", "restricted", ({ id }) => ({
  rows: sql`
    select ${CALENDAR} from calendar k
    where k.tenant_id = ${TENANT} and k.connection_id = ${id}
    order by k.is_primary desc, k.name, k.id`,
  visible: sql`
    exists (
      select from calendar_connection c
      where c.tenant_id = ${TENANT} and c.id = ${id} and ${CONNECTED} and ${inReach("c")}
    )`,
}));

export const DELETE_EVENTS_OF_CONNECTION = query<{ connectionId: string }>()(
  "calendarEvents.deleteOfConnection",
  "checked",
  ({ connectionId }) => sql`
    delete from calendar_event e using calendar k
    where e.tenant_id = ${TENANT} and k.tenant_id = ${TENANT} and k.id = e.calendar_id
      and k.connection_id = ${connectionId}`,
);
