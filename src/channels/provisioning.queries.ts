import type { Environment } from "../platform/caller/caller.js";
import { sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, query } from "../platform/database/statements.js";
import { dueInTurn, lagOf, type Room } from "../platform/jobs/due-rows.js";

const JOB = { unrestricted: "only the provisioning job runs it" };

export const CLAIM_DUE_CHANNELS = globalQuery<
  Room & { leaseSeconds: number },
  { tenantId: string; id: string; environment: Environment; until: string }
>()(
  "provisioning.claimDue",
  "everywhere",
  (room) => sql`
    update channel_due d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds})
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.channel_id) in (
      ${dueInTurn({ table: sql`channel_due`, id: sql`channel_id` }, room)}
    )
    returning d.tenant_id as "tenantId", d.channel_id as id, t.environment, d.due_at::text as until`,
);

export const CHANNELS_LAG = lagOf("provisioning", sql`channel_due`);

/** Gives a row if the lease still is the same. */
export const LOCK_LEASE = query<{ id: string; until: string }>()(
  "provisioning.lockLease",
  JOB,
  ({ id, until }) => sql`
    select 1 from channel_due d
    where d.tenant_id = ${TENANT} and d.channel_id = ${id} and d.due_at = ${until}::timestamptz
    for update`,
);

interface FailedAttempt {
  id: string;
  revision: number;
  message: string;
  lasting: boolean;
  maxAttempts: number;
  maxWaitSeconds: number;
}
/** `isError`: with this attempt the channel went into status `error`. */
export const NOTE_FAILED_ATTEMPT = query<FailedAttempt, { name: string; isError: boolean }>()(
  "provisioning.noteFailedAttempt",
  JOB,
  ({ id, revision, message, lasting, maxAttempts, maxWaitSeconds }) => sql`
    update channel c set attempts = c.attempts + 1, last_error = ${message}, updated_at = now(),
      status = case when ${lasting} or c.attempts + 1 >= ${maxAttempts} then 'error' else c.status end,
      next_retry_at = case when not ${lasting} then clock_timestamp() + make_interval(
        secs => least(5 * 2 ^ least(c.attempts + 1, 10), ${maxWaitSeconds}) * (0.75 + random() / 2)
      ) end
    from (
      select b.id, b.status from channel b
      where b.tenant_id = ${TENANT} and b.id = ${id}
      for no key update
    ) before
    where c.tenant_id = ${TENANT} and c.id = before.id and c.revision = ${revision}
      and c.status in ('provisioning', 'error')
    returning c.name, c.status = 'error' and before.status <> 'error' as "isError"`,
);

/** Without a next attempt the channel is no longer due. */
export const SCHEDULE_NEXT_ATTEMPT = query<{ id: string }>()(
  "provisioning.scheduleNextAttempt",
  JOB,
  ({ id }) => sql`
    with next as (
      select c.next_retry_at as at from channel c where c.tenant_id = ${TENANT} and c.id = ${id}
    ), given_up as (
      delete from channel_due d using next n
      where d.tenant_id = ${TENANT} and d.channel_id = ${id} and n.at is null
    )
    update channel_due d set due_at = n.at from next n
    where d.tenant_id = ${TENANT} and d.channel_id = ${id} and n.at is not null`,
);
