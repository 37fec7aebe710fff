import { inReach, list, one, polled, projection, REACHABLE, time } from "../../platform/database/statement.js";
import type { CalendarConnectionDto, CalendarDto } from "./connections.dto.js";

/** A connection `c`. */
const CONNECTION = projection<CalendarConnectionDto>({
  id: "c.id",
  workspaceId: "c.workspace_id",
  provider: "c.provider",
  serverUrl: "c.server_url",
  accountEmail: "c.account_email",
  status: "c.status",
  credentialFingerprint: "c.credential_fingerprint",
  lastError: "c.last_error",
  nextRetryAt: time("c.next_retry_at"),
  lastSyncedAt: time("c.last_synced_at"),
  createdAt: time("c.created_at"),
  updatedAt: time("c.updated_at"),
});
/** What was disconnected is there for its bookings alone. */
export const CONNECTED = "c.disconnected_at is null";

export const GET_CONNECTION = polled(
  one<CalendarConnectionDto, { id: string }>(
    "calendar-connections.get",
    "workspace",
    `select ${CONNECTION} from calendar_connection c where c.tenant_id = :tenant and c.id = :id and ${CONNECTED} and ${inReach("c")}`,
  ),
);
export const LIST_CONNECTIONS = polled(
  list<CalendarConnectionDto, { workspaceId?: string }>(
    "calendar-connections.list",
    "workspace",
    `select ${CONNECTION} from calendar_connection c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id
    where c.tenant_id = :tenant and ${CONNECTED} and ${REACHABLE} and (:workspaceId::uuid is null or w.id = :workspaceId) order by c.created_at, c.id`,
    {
      visible: `(:workspaceId::uuid is null or exists (select from workspace w where w.id = :workspaceId and ${REACHABLE}))`,
    },
  ),
);

/** A calendar `k`. */
const CALENDAR = projection<CalendarDto>({
  id: "k.id",
  connectionId: "k.connection_id",
  name: "k.name",
  timezone: "k.timezone",
  primary: "k.is_primary",
  writable: "k.writable",
  available: "k.available",
  knownUntil: time("k.known_until"),
  unreadableEvents: "k.unreadable_events",
});
/** The primary one first. How far they are known changes in the background, and is not told to pollers: they are not polled. */
export const LIST_CALENDARS = list<CalendarDto, { id: string }>(
  "calendars.list",
  "workspace",
  `select ${CALENDAR} from calendar k where k.tenant_id = :tenant and k.connection_id = :id order by k.is_primary desc, k.name, k.id`,
  {
    visible: `exists (select from calendar_connection c where c.tenant_id = :tenant and c.id = :id and ${CONNECTED} and ${inReach("c")})`,
  },
);
