import { randomUUID } from "node:crypto";
import type { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { system } from "../../platform/caller/caller.js";

/** Longer than anything that is asked for between two looks at it; what a killed process had is another's after that. */
const LEASE_SECONDS = 60;

/** Another process has the connection, it was set anew or disconnected: nothing more is done with what was found. */
export class LeaseLost extends Error {}

/** A connection, for as long as it is this pass's. */
export interface Lease {
  tenantId: string;
  connectionId: string;
  holder: string;
}

/** Takes up to `most` that are due. */
export async function claim(db: Database, most: number): Promise<Lease[]> {
  const holder = randomUUID();
  const rows = await db.global<Omit<Lease, "holder">>(
    `update calendar_due d set holder = $1, held_until = clock_timestamp() + make_interval(secs => $2)
    where (d.tenant_id, d.connection_id) in (select f.tenant_id, f.connection_id from calendar_due f where f.due_at <= clock_timestamp() and (f.holder is null or f.held_until < clock_timestamp())
      order by f.due_at limit $3 for update skip locked)
    returning tenant_id as "tenantId", connection_id as "connectionId"`,
    [holder, LEASE_SECONDS, most],
  );
  return rows.map((row) => ({ ...row, holder }));
}

/**
 * Work under the lease: nobody can take it until the transaction ends, and from then on it lasts its whole time again.
 * @param revision of the connection that the pass began with
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

/** Lets go without having come to an end: it is due as it was. */
export async function letGo(db: Database, { tenantId, connectionId, holder }: Lease): Promise<void> {
  await db.global("update calendar_due set holder = null where tenant_id = $1 and connection_id = $2 and holder = $3", [
    tenantId,
    connectionId,
    holder,
  ]);
}

/** Something is to be written: the connection is due now, unless only a person can help it. After the transaction that wants it, which would otherwise lock in another order than a pass; where it does not come to it, the next look does it. */
export async function wake(db: Database, tenantId: string, connectionId: string): Promise<void> {
  await db
    .global(
      `update calendar_due set due_at = clock_timestamp() where tenant_id = $1 and connection_id = $2 and due_at > clock_timestamp() and due_at < 'infinity'`,
      [tenantId, connectionId],
    )
    .catch(() => undefined);
}
