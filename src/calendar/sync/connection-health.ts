import { raiseAbout, settleAbout } from "../../conversations/attention/raise.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { CalendarError } from "../providers/calendar-provider.js";
import type { Lease } from "./lease.js";

const SYNC_INTERVAL_SECONDS = 60;
const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 300;
/** Failures that last less than this are taken for temporary. */
const ERROR_AFTER_MINUTES = 5;

const ONLY_SYNC = { unrestricted: "only the calendar sync runs it" };

/** Spreads the connections of many tenants over time. */
const jitter = (seconds: number): number => seconds * (0.75 + Math.random() / 2);

const SET_CONNECTED = query<{ connectionId: string }, { workspaceId: string; recovered: boolean }>()(
  "calendarSync.setConnected",
  ONLY_SYNC,
  ({ connectionId }) => sql`
    with before as (
      select status, last_error from calendar_connection where tenant_id = ${TENANT} and id = ${connectionId}
    )
    update calendar_connection c set status = 'connected', attempts = 0, last_error = null, failing_since = null,
      next_retry_at = null, last_synced_at = now()
    from before where c.tenant_id = ${TENANT} and c.id = ${connectionId}
    returning c.workspace_id as "workspaceId", before.last_error is not null or before.status <> 'connected' as recovered`,
);

/** Due again after `seconds`, or earlier where a booking is to be written. */
const SCHEDULE_NEXT = query<{ connectionId: string; holder: string; seconds: number }>()(
  "calendarSync.scheduleNext",
  ONLY_SYNC,
  ({ connectionId, holder, seconds }) => sql`
    update calendar_due set holder = null, due_at = least(
      clock_timestamp() + make_interval(secs => ${seconds}),
      (select min(w.due_at) from calendar_write w where w.tenant_id = ${TENANT} and w.connection_id = ${connectionId})
    )
    where tenant_id = ${TENANT} and connection_id = ${connectionId} and holder = ${holder}::uuid`,
);

/** @param more whether the server has more to read right away */
export async function recordSuccess(tx: Tx, { connectionId, holder }: Lease, more: boolean): Promise<void> {
  const [connection] = await tx.query(SET_CONNECTED, { connectionId });
  tx.changesWorkspace(connection!.workspaceId);
  if (connection!.recovered) await settleAbout(tx, { calendarConnectionId: connectionId }, "channel_error");
  await tx.query(SCHEDULE_NEXT, { connectionId, holder, seconds: more ? 0 : jitter(SYNC_INTERVAL_SECONDS) });
}

const LOCK_ATTEMPTS = query<{ connectionId: string }>()(
  "calendarSync.lockAttempts",
  ONLY_SYNC,
  ({ connectionId }) => sql`
    select attempts from calendar_connection
    where tenant_id = ${TENANT} and id = ${connectionId}
    for no key update`,
);

const SET_FAILED = query<{
  connectionId: string;
  message: string;
  status: string;
  errorAfterMinutes: number;
  retrySeconds: number;
}>()(
  "calendarSync.setFailed",
  ONLY_SYNC,
  ({ connectionId, message, status, errorAfterMinutes, retrySeconds }) => sql`
    with before as (select status from calendar_connection where tenant_id = ${TENANT} and id = ${connectionId})
    update calendar_connection c set attempts = c.attempts + 1, last_error = ${message},
      failing_since = coalesce(c.failing_since, now()),
      status = case
        when ${status} = 'expired' then 'expired'
        when c.failing_since < now() - make_interval(mins => ${errorAfterMinutes}) then 'error'
        else c.status
      end,
      next_retry_at = case when ${status} <> 'expired'
        then clock_timestamp() + make_interval(secs => ${retrySeconds}) end
    from before where c.tenant_id = ${TENANT} and c.id = ${connectionId}
    returning c.workspace_id as "workspaceId", before.status as before, c.status, c.server_url as "serverUrl"`,
);

/** Due again after `retrySeconds`. With expired credentials only a change of the connection makes it due. */
const SCHEDULE_RETRY = query<{ connectionId: string; holder: string; status: string; retrySeconds: number }>()(
  "calendarSync.scheduleRetry",
  ONLY_SYNC,
  ({ connectionId, holder, status, retrySeconds }) => sql`
    update calendar_due set holder = null, due_at = case when ${status} = 'expired' then 'infinity'
      else clock_timestamp() + make_interval(secs => ${retrySeconds}) end
    where tenant_id = ${TENANT} and connection_id = ${connectionId} and holder = ${holder}::uuid`,
);

/**
 * Schedules a retry, with growing delays. Asks for a person's attention when the connection has failed for minutes, or
 * when the server refuses its credentials.
 */
export async function recordFailure(
  tx: Tx,
  { connectionId, holder }: Lease,
  { message, status, retryAfter = 0 }: CalendarError,
): Promise<void> {
  const [failed] = await tx.query(LOCK_ATTEMPTS, { connectionId });
  const retrySeconds = Math.max(
    jitter(Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(failed!.attempts, 10), MAX_RETRY_SECONDS)),
    Math.min(retryAfter, MAX_RETRY_SECONDS),
  );
  const [connection] = await tx.query(SET_FAILED, {
    connectionId,
    message,
    status,
    errorAfterMinutes: ERROR_AFTER_MINUTES,
    retrySeconds,
  });
  const { workspaceId, before, status: after, serverUrl } = connection!;
  tx.changesWorkspace(workspaceId);
  await tx.query(SCHEDULE_RETRY, { connectionId, holder, status, retrySeconds });
  if (after === before) return;
  await raiseAbout(
    tx,
    { calendarConnectionId: connectionId },
    { type: "channel_error", severity: "high", reason: `Calendar at ${new URL(serverUrl).host}: ${message}` },
  );
}
