import { claimSides, type DueSide, followedSides, releaseSide, wakeSides } from "../feed/follower.queries.js";
import { sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../platform/database/statements.js";
import { lagOf, type Room } from "../platform/jobs/due-rows.js";

const JOB = { unrestricted: "only the dispatcher runs it, for the whole tenant" };
const DUE = sql`webhook_due`;

export const CLAIM = globalQuery<Room & { leaseSeconds: number }, DueSide>()("webhooks.claim", "everywhere", (room) =>
  claimSides(DUE, room),
);
export const LAG = lagOf("webhooks", DUE);
/** Sides that have an active endpoint. */
export const SIDES = globalQuery<NoArgs>()("webhooks.sides", "everywhere", () => followedSides(DUE));
export const WAKE = globalQuery<{ tenantIds: readonly string[] }>()("webhooks.wake", "everywhere", (p) =>
  wakeSides(DUE, p),
);
export const RELEASE = query<{ until: string; seconds: number }>()("webhooks.release", JOB, (p) => releaseSide(DUE, p));

export interface ActiveEndpoint {
  id: string;
  url: string;
  events: string[];
  activeAfter: string;
  activeEpoch: string;
  /** Whether the preview is on. */
  wanted: boolean;
}
/** Locks the endpoints, so that none is deleted before its deliveries are there to be deleted with it. */
export const ACTIVE_ENDPOINTS = query<NoArgs, ActiveEndpoint>()(
  "webhooks.activeEndpoints",
  JOB,
  () => sql`
    select e.id, e.url, e.events, e.active_after as "activeAfter", e.active_epoch as "activeEpoch", t.webhooks_preview as wanted
    from tenant t join webhook_endpoint e on e.tenant_id = ${TENANT}
    where t.id = ${TENANT} and e.status = 'active'
    order by e.id
    for key share of e`,
);
