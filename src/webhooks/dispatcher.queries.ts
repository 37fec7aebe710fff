import { sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../platform/database/statements.js";
import { dueInTurn, lagOf, type Room } from "../platform/jobs/due-rows.js";
import type { DueRow } from "../platform/jobs/due-queue.js";

const JOB = { unrestricted: "only the dispatcher runs it, for the whole tenant" };

/** A side whose feed is due. `until` is the lease. */
export interface DueSide extends DueRow {
  transactionId: string;
  position: string;
  epoch: string;
  until: string;
}
export const CLAIM = globalQuery<Room & { leaseSeconds: number }, DueSide>()(
  "webhooks.claim",
  (room) => sql`
    update webhook_due d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds}), claimed = true
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.tenant_id) in (
      ${dueInTurn({ table: sql`webhook_due`, id: sql`tenant_id` }, room)})
    returning d.tenant_id as "tenantId", d.tenant_id as id, t.environment, d.transaction_id::text as "transactionId",
      d.position::text as position, d.epoch, d.due_at::text as until`,
);
export const LAG = lagOf("webhooks", sql`webhook_due`);

/** Sides that have an active endpoint. */
export const SIDES = globalQuery<NoArgs>()(
  "webhooks.sides",
  () => sql`select d.tenant_id as "tenantId" from webhook_due d`,
);

/** Makes sides due that no process reads at the moment. */
export const WAKE = globalQuery<{ tenantIds: readonly string[] }>()(
  "webhooks.wake",
  ({ tenantIds }) => sql`
    update webhook_due d set due_at = clock_timestamp()
    where d.tenant_id = any(${tenantIds}::uuid[]) and not d.claimed and d.due_at > clock_timestamp()`,
);

export interface ActiveEndpoint {
  id: string;
  url: string;
  events: string[];
  activeSince: Date;
  /** Whether the preview is on. */
  wanted: boolean;
}
/** Locks the endpoints, so that none is deleted before its deliveries are there to be deleted with it. */
export const ACTIVE_ENDPOINTS = query<NoArgs, ActiveEndpoint>()(
  "webhooks.activeEndpoints",
  JOB,
  () => sql`
    select e.id, e.url, e.events, e.active_since as "activeSince", t.webhooks_preview as wanted
    from tenant t join webhook_endpoint e on e.tenant_id = ${TENANT}
    where t.id = ${TENANT} and e.status = 'active'
    order by e.id
    for key share of e`,
);

/** Ends the lease. */
export const RELEASE = query<{ until: string; seconds: number }>()(
  "webhooks.release",
  JOB,
  ({ until, seconds }) => sql`
    update webhook_due d set due_at = clock_timestamp() + make_interval(secs => ${seconds}), claimed = false
    where d.tenant_id = ${TENANT} and d.due_at = ${until}::timestamptz`,
);
