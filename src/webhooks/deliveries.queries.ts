import { type Sql, sql, TENANT } from "../platform/database/sql.js";
import { one, page, positionOr, projection, query, statementFamily, time } from "../platform/database/statements.js";
import { ADMINS } from "./endpoints.queries.js";
import type { DeliveryStatus, EndpointStatus } from "./webhook.entity.js";
import type { WebhookDeliveryDto } from "./webhooks.dto.js";

const WORKER = { unrestricted: "only the worker runs it, for the whole tenant" };
/** So many attempts of a delivery are kept, in JSON. */
const ATTEMPTS = 20;

/** Of the delivery `r`. While an attempt runs, the outbox says when it would be given to another worker. */
const DELIVERY = projection<WebhookDeliveryDto>({
  id: sql`r.id`,
  endpointId: sql`r.endpoint_id`,
  eventId: sql`r.event_id`,
  type: sql`r.type`,
  status: sql`r.status`,
  attempts: sql`r.attempts`,
  nextAttemptAt: time(sql`(select q.due_at from outbox_queue q where q.tenant_id = ${TENANT} and q.id = r.outbox_id)`),
  createdAt: time(sql`r.created_at`),
});

interface ListArgs {
  endpointId: string;
  status?: DeliveryStatus;
}
/** Newest first. Filtered and unfiltered lists follow an index each. */
export const listDeliveries = statementFamily("webhooks.listDeliveries", (name, filtered: boolean) =>
  page<WebhookDeliveryDto, ListArgs>(name, ADMINS, ({ endpointId, status, limit, after0, after1 }) => {
    const ofStatus: Sql = filtered ? sql`and d.status = ${status}` : sql``;
    return {
      rows: sql`
        select d.* from webhook_delivery d
        where d.tenant_id = ${TENANT} and d.endpoint_id = ${endpointId} ${ofStatus}
          and (d.created_at, d.id) < (${positionOr(after0, "infinity")}, ${after1}::uuid)
        order by d.created_at desc, d.id desc
        limit ${limit} + 1`,
      position: [sql`r.created_at`, sql`r.id`],
      item: DELIVERY,
      visible: sql`exists (
        select from webhook_endpoint e where e.tenant_id = ${TENANT} and e.id = ${endpointId})`,
      list: "webhooks.deliveries",
    };
  }),
);

export const GET_DELIVERY = one<WebhookDeliveryDto, { id: string }>(
  "webhooks.getDelivery",
  ADMINS,
  ({ id }) => sql`select ${DELIVERY} from webhook_delivery r where r.tenant_id = ${TENANT} and r.id = ${id}`,
);

export interface QueuedDelivery {
  id: string;
  /** The entry that is to send it. */
  outboxId: string;
  type: string;
  body: string;
}
/** Queues a delivery again that is not queued, if its endpoint is active. */
export const REQUEUE = query<{ id: string; outboxId: string }, QueuedDelivery & { endpointId: string; url: string }>()(
  "webhooks.requeue",
  ADMINS,
  ({ id, outboxId }) => sql`
    update webhook_delivery d set status = 'queued', outbox_id = ${outboxId}::uuid
    from webhook_endpoint e
    where d.tenant_id = ${TENANT} and d.id = ${id} and d.status in ('succeeded', 'failed')
      and e.tenant_id = ${TENANT} and e.id = d.endpoint_id and e.status = 'active'
    returning d.id, d.outbox_id as "outboxId", d.endpoint_id as "endpointId", e.url, d.type, d.body`,
);

export const DELIVERY_STATE = query<{ id: string }, { status: DeliveryStatus; endpointStatus: string }>()(
  "webhooks.deliveryState",
  ADMINS,
  ({ id }) => sql`
    select d.status, e.status as "endpointStatus"
    from webhook_delivery d join webhook_endpoint e on e.tenant_id = ${TENANT} and e.id = d.endpoint_id
    where d.tenant_id = ${TENANT} and d.id = ${id}`,
);

interface RequeueArgs {
  endpointId: string;
  since: string;
  /** One for each delivery that may be queued. */
  outboxIds: readonly string[];
}
/** Queues again what failed since a time, the oldest first. */
export const REQUEUE_FAILED = query<RequeueArgs, QueuedDelivery>()(
  "webhooks.requeueFailed",
  ADMINS,
  ({ endpointId, since, outboxIds }) => sql`
    with failed as materialized (
      select d.id, d.created_at from webhook_delivery d
      where d.tenant_id = ${TENANT} and d.endpoint_id = ${endpointId} and d.status = 'failed'
        and d.created_at >= ${since}::timestamptz
      order by d.created_at, d.id
      limit cardinality(${outboxIds}::uuid[])
      for update
    ), numbered as (
      select f.id, row_number() over (order by f.created_at, f.id) as n from failed f
    )
    update webhook_delivery d set status = 'queued', outbox_id = (${outboxIds}::uuid[])[f.n]
    from numbered f
    where d.tenant_id = ${TENANT} and d.id = f.id
    returning d.id, d.outbox_id as "outboxId", d.type, d.body`,
);

export interface ToSend {
  endpointId: string;
  eventId: string;
  url: string;
  status: EndpointStatus;
  sealed: Buffer;
  overlaps: boolean;
}
/** What it takes to send a delivery now. */
export const FIND_TO_SEND = query<{ deliveryId: string }, ToSend>()(
  "webhooks.findToSend",
  WORKER,
  ({ deliveryId }) => sql`
    select e.id as "endpointId", d.event_id as "eventId", e.url, e.status, e.sealed,
      coalesce(e.previous_until > clock_timestamp(), false) as overlaps
    from webhook_delivery d join webhook_endpoint e on e.tenant_id = ${TENANT} and e.id = d.endpoint_id
    where d.tenant_id = ${TENANT} and d.id = ${deliveryId}`,
);

/** Records an attempt and what became of the delivery. */
export const RECORD_ATTEMPT = query<{ outboxId: string; status: DeliveryStatus; attempt: string }>()(
  "webhooks.recordAttempt",
  WORKER,
  ({ outboxId, status, attempt }) => sql`
    update webhook_delivery d set status = ${status},
      attempts = case when jsonb_array_length(d.attempts) >= ${ATTEMPTS} then d.attempts - 0 else d.attempts end
        || ${attempt}::jsonb
    where d.tenant_id = ${TENANT} and d.outbox_id = ${outboxId}
    returning d.endpoint_id as "endpointId"`,
);
