import { randomUUID } from "node:crypto";
import type { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { CrossTenantQuery } from "../../platform/jobs/due-queue.js";
import { system } from "../../platform/caller/caller.js";

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

/** Claims up to `limit` due connections, for a new holder. Returns `Lease & DueRow`. */
export const claim = (limit: number): CrossTenantQuery => ({
  sql: `update calendar_due d set holder = $1, held_until = clock_timestamp() + make_interval(secs => $2)
    where (d.tenant_id, d.connection_id) in (select f.tenant_id, f.connection_id from calendar_due f where f.due_at <= clock_timestamp() and (f.holder is null or f.held_until < clock_timestamp())
      order by f.due_at limit $3 for update skip locked)
    returning d.tenant_id as "tenantId", d.connection_id as id, d.connection_id as "connectionId", d.holder`,
  values: [randomUUID(), LEASE_SECONDS, limit],
});

/**
 * Works in a transaction that holds the lease and renews it.
 * @param revision of the connection when its sync began
 * @throws LeaseLost
 */
export function held<T>(
  db: Database,
  { tenantId, connectionId, holder }: Lease,
  revision: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction(system("calendar", tenantId, "live"), async (tx) => {
    const mine = await tx.query(
      `update calendar_due d set held_until = clock_timestamp() + make_interval(secs => :seconds) where d.tenant_id = :tenant and d.connection_id = :connectionId and d.holder = :holder::uuid
        and d.held_until > clock_timestamp() and exists (select from calendar_connection c where c.tenant_id = :tenant and c.id = :connectionId and c.revision = :revision and c.disconnected_at is null)
      returning 1`,
      { connectionId, holder, revision, seconds: LEASE_SECONDS },
    );
    if (!mine.length) throw new LeaseLost("the connection is no longer this pass's");
    return work(tx);
  });
}

/** Releases the lease. The connection is due as it was before. */
export async function letGo(db: Database, { tenantId, connectionId, holder }: Lease): Promise<void> {
  await db.global("update calendar_due set holder = null where tenant_id = $1 and connection_id = $2 and holder = $3", [
    tenantId,
    connectionId,
    holder,
  ]);
}

/**
 * Makes the connection due now, because there is something to write, unless it waits for a person. Call it after the
 * transaction: inside, it would lock in another order than a sync. If it fails, the next regular sync writes.
 */
export async function wake(db: Database, tenantId: string, connectionId: string): Promise<void> {
  await db.global(
    `update calendar_due set due_at = clock_timestamp() where tenant_id = $1 and connection_id = $2 and due_at > clock_timestamp() and due_at < 'infinity'`,
    [tenantId, connectionId],
  );
}
