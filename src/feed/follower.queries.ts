import type { Parameters, Sql } from "../platform/database/sql.js";
import { sql, STRANGERS, TENANT } from "../platform/database/sql.js";
import { dueInTurn, type Room } from "../platform/jobs/due-rows.js";
import type { DueRow } from "../platform/jobs/due-queue.js";

/** A side whose feed is due. `until` is the lease. */
export interface DueSide extends DueRow {
  transactionId: string;
  position: string;
  epoch: string;
  until: string;
}

/** The parts of the statements by which a feature follows the feed. Its table has a row for each side: see `FeedFollower`. */
export const claimSides = (table: Sql, room: Parameters<Room & { leaseSeconds: number }>): Sql => sql`
    update ${table} d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds}), claimed = true
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.tenant_id) in (
      ${dueInTurn({ table, id: sql`tenant_id` }, room)})
    returning d.tenant_id as "tenantId", d.tenant_id as id, t.environment, d.transaction_id::text as "transactionId",
      d.position::text as position, d.epoch, d.due_at::text as until`;

export const followedSides = (table: Sql): Sql => sql`select d.tenant_id as "tenantId" from ${table} d`;

/** No lease is longer. What is due later was written before the clock of PostgreSQL went back. */
const LATEST = sql`clock_timestamp() + interval '1 minute'`;

/** Makes sides due that no process reads at the moment. */
export const wakeSides = (table: Sql, { tenantIds }: Parameters<{ tenantIds: readonly string[] }>): Sql => sql`
    update ${table} d set due_at = clock_timestamp()
    where d.tenant_id = any(${tenantIds}::uuid[]) and not d.tenant_id = any(${STRANGERS}::uuid[])
      and d.due_at > clock_timestamp() and (not d.claimed or d.due_at > ${LATEST})`;

/** Ends the lease. */
export const releaseSide = (table: Sql, { until, seconds }: Parameters<{ until: string; seconds: number }>): Sql => sql`
    update ${table} d set due_at = clock_timestamp() + make_interval(secs => ${seconds}), claimed = false
    where d.tenant_id = ${TENANT} and d.due_at = ${until}::timestamptz`;
