import { raiseAbout, settleAbout } from "../../conversations/attention/raise.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { CalendarError } from "../providers/calendar-provider.js";
import type { Lease } from "./lease.js";

const EVERY_SECONDS = 60;
const FIRST_WAIT_SECONDS = 5;
const MOST_SECONDS = 300;
/** For so long a failure may be a passing one. */
const ERROR_AFTER_MINUTES = 5;

const spread = (seconds: number): number => seconds * (0.75 + Math.random() / 2);

/** Kept in sync as of now: looked at again in a minute, or when something is to be written. */
export async function works(tx: Tx, { connectionId, holder }: Lease, more: boolean): Promise<void> {
  const [changed] = await tx.query<{ workspaceId: string; again: boolean }>(
    `with was as (select status, last_error from calendar_connection where tenant_id = :tenant and id = :connectionId)
    update calendar_connection c set status = 'connected', attempts = 0, last_error = null, failing_since = null, next_retry_at = null, last_synced_at = now()
    from was where c.tenant_id = :tenant and c.id = :connectionId returning c.workspace_id as "workspaceId", was.last_error is not null or was.status <> 'connected' as again`,
    { connectionId },
  );
  tx.within(changed!.workspaceId);
  if (changed!.again) await settleAbout(tx, { calendarConnectionId: connectionId }, "channel_error");
  await tx.query(
    `update calendar_due set holder = null, due_at = least(clock_timestamp() + make_interval(secs => :seconds), (select min(w.due_at) from calendar_write w where w.tenant_id = :tenant and w.connection_id = :connectionId))
    where tenant_id = :tenant and connection_id = :connectionId and holder = :holder::uuid`,
    { connectionId, holder, seconds: more ? 0 : spread(EVERY_SECONDS) },
  );
}

/** It failed. One that does so for minutes is in error, and whose credentials are refused has expired: a person should look. */
export async function fails(
  tx: Tx,
  { connectionId, holder }: Lease,
  { message, status, retryAfter = 0 }: CalendarError,
): Promise<void> {
  const [before] = await tx.query<{ attempts: number }>(
    "select attempts from calendar_connection where tenant_id = :tenant and id = :connectionId for no key update",
    { connectionId },
  );
  const wait = Math.max(
    spread(Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(before!.attempts, 10), MOST_SECONDS)),
    Math.min(retryAfter, MOST_SECONDS),
  );
  const [now] = await tx.query<{ workspaceId: string; was: string; status: string; server: string }>(
    `with was as (select status from calendar_connection where tenant_id = :tenant and id = :connectionId)
    update calendar_connection c set attempts = c.attempts + 1, last_error = :message, failing_since = coalesce(c.failing_since, now()),
      status = case when :status = 'expired' then 'expired' when c.failing_since < now() - make_interval(mins => :minutes) then 'error' else c.status end,
      next_retry_at = case when :status <> 'expired' then clock_timestamp() + make_interval(secs => :wait) end
    from was where c.tenant_id = :tenant and c.id = :connectionId returning c.workspace_id as "workspaceId", was.status as was, c.status, c.server_url as server`,
    { connectionId, message, status, minutes: ERROR_AFTER_MINUTES, wait },
  );
  tx.within(now!.workspaceId);
  await tx.query(
    `update calendar_due set holder = null, due_at = case when :status = 'expired' then 'infinity' else clock_timestamp() + make_interval(secs => :wait) end
    where tenant_id = :tenant and connection_id = :connectionId and holder = :holder::uuid`,
    { connectionId, holder, status, wait },
  );
  if (now!.status === now!.was) return;
  await raiseAbout(
    tx,
    { calendarConnectionId: connectionId },
    { type: "channel_error", severity: "high", reason: `Calendar at ${new URL(now!.server).host}: ${message}` },
  );
}
