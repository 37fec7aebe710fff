import { randomUUID } from "node:crypto";
import { system } from "../../platform/caller/caller.js";
import type { Database } from "../../platform/database/database.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { globalQuery, query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { DueRow } from "../../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../../platform/jobs/due-rows.js";
import type { JobRunner } from "../../platform/jobs/job-runner.js";

/** Longer than any request to a calendar server. */
const LEASE_SECONDS = 60;

/** Another process has the connection, or it was changed or disconnected: what was read from the server is dropped. */
export class LeaseLost extends Error {}

/** A connection that is leased to one sync. */
export interface Lease {
  tenantId: string;
  connectionId: string;
  holder: string;
}

/** Runs work in a transaction of the sync's own that holds and renews its lease. @throws LeaseLost */
export type WithLease = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Whether no sync has the connection of the row `q`. */
const FREE = sql`(q.holder is null or q.held_until < clock_timestamp())`;
export const CALENDARS_LAG = lagOf("calendarLease", sql`calendar_due`, FREE);

const CLAIM = globalQuery<Room & { holder: string; seconds: number }, Lease & DueRow, "holder">()(
  "calendarLease.claim",
  "everywhere",
  (room) => sql`
    update calendar_due d
    set holder = ${room.holder}, held_until = clock_timestamp() + make_interval(secs => ${room.seconds})
    where (d.tenant_id, d.connection_id) in (
      ${dueInTurn(
        {
          table: sql`calendar_due`,
          id: sql`connection_id`,
          eligible: FREE,
        },
        room,
      )}
    )
    returning d.tenant_id as "tenantId", d.connection_id as id, d.connection_id as "connectionId", d.holder`,
);

/** Claims due connections. */
export const claim = (jobs: JobRunner, room: Room): Promise<(Lease & DueRow)[]> =>
  jobs.acrossTenants(CLAIM, { holder: randomUUID(), seconds: LEASE_SECONDS, ...room });

/** No row: the lease was lost. */
const RENEW = query<{ connectionId: string; holder: string; revision: number; seconds: number }>()(
  "calendarLease.renew",
  { unrestricted: "only the calendar sync runs it" },
  ({ connectionId, holder, revision, seconds }) => sql`
    update calendar_due d set held_until = clock_timestamp() + make_interval(secs => ${seconds})
    where d.tenant_id = ${TENANT} and d.connection_id = ${connectionId} and d.holder = ${holder}::uuid
      and d.held_until > clock_timestamp()
      and exists (
        select from calendar_connection c
        where c.tenant_id = ${TENANT} and c.id = ${connectionId} and c.revision = ${revision}
          and c.disconnected_at is null
      )
    returning 1`,
);

/**
 * Works in a transaction that holds the lease and renews it.
 * @param revision of the connection when its sync began
 * @throws LeaseLost
 */
export function withLease<T>(
  db: Database,
  { tenantId, connectionId, holder }: Lease,
  revision: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction(system("calendar", tenantId, "live"), async (tx) => {
    const renewed = await tx.query(RENEW, { connectionId, holder, revision, seconds: LEASE_SECONDS });
    if (!renewed.length) throw new LeaseLost("the connection belongs to another sync, or was changed");
    return work(tx);
  });
}

const RELEASE = globalQuery<Lease>()(
  "calendarLease.release",
  "tenant",
  ({ tenantId, connectionId, holder }) => sql`
    update calendar_due set holder = null, due_at = greatest(due_at, clock_timestamp())
    where tenant_id = ${tenantId} and connection_id = ${connectionId} and holder = ${holder}`,
);

/** Releases the lease. The connection is due as before, but behind those that are due now. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await db.globalOf(lease.tenantId, RELEASE, lease);
}

const WAKE = globalQuery<{ tenantId: string; connectionId: string }>()(
  "calendarLease.wake",
  "tenant",
  ({ tenantId, connectionId }) => sql`
    update calendar_due set due_at = clock_timestamp()
    where tenant_id = ${tenantId} and connection_id = ${connectionId}
      and due_at > clock_timestamp() and due_at < 'infinity'`,
);

/**
 * Makes the connection due now, because there is something to write, unless it waits for a person. Call it after the
 * transaction: inside, it would lock in another order than a sync. If it fails, the next regular sync writes.
 */
export async function wake(db: Database, tenantId: string, connectionId: string): Promise<void> {
  await db.globalOf(tenantId, WAKE, { tenantId, connectionId });
}
