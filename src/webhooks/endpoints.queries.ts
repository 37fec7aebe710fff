import { EPOCH } from "../feed/feed.queries.js";
import { type Parameters, type Sql, sql, TENANT } from "../platform/database/sql.js";
import { list, type NoArgs, one, projection, query, time } from "../platform/database/statements.js";
import type { UpdateWebhookEndpointDto, WebhookEndpointDto } from "./webhooks.dto.js";

export const ADMINS = { unrestricted: "only owners and admins, who see the whole tenant, run it" };
const WORKER = { unrestricted: "only the worker runs it, for the whole tenant" };

const ENDPOINT = projection<WebhookEndpointDto>({
  id: sql`e.id`,
  url: sql`e.url`,
  description: sql`e.description`,
  events: sql`e.events`,
  status: sql`e.status`,
  createdAt: time(sql`e.created_at`),
  updatedAt: time(sql`e.updated_at`),
});

export const LIST_ENDPOINTS = list<WebhookEndpointDto>(
  "webhooks.listEndpoints",
  ADMINS,
  () =>
    sql`select ${ENDPOINT} from webhook_endpoint e where e.tenant_id = ${TENANT} order by e.created_at desc, e.id desc`,
);

export const GET_ENDPOINT = one<WebhookEndpointDto, { id: string }>(
  "webhooks.getEndpoint",
  ADMINS,
  ({ id }) => sql`select ${ENDPOINT} from webhook_endpoint e where e.tenant_id = ${TENANT} and e.id = ${id}`,
);

/** Whether the tenant has webhooks. */
export const PREVIEW = one<{ on: boolean }>(
  "webhooks.preview",
  ADMINS,
  () => sql`select t.webhooks_preview as "on" from tenant t where t.id = ${TENANT}`,
);

export const COUNT_ENDPOINTS = query<NoArgs>()(
  "webhooks.countEndpoints",
  ADMINS,
  () => sql`select count(*)::int as count from webhook_endpoint e where e.tenant_id = ${TENANT}`,
);

const becomesActive = (status: Parameters<UpdateArgs>["status"]): Sql =>
  sql`e.status = 'disabled' and ${status}::text = 'active'`;

interface UpdateArgs extends UpdateWebhookEndpointDto {
  id: string;
  setsDescription: boolean;
}
/** What fails elsewhere need not fail at another address: a new URL, and becoming active, count as a new beginning. */
export const UPDATE_ENDPOINT = query<UpdateArgs>()(
  "webhooks.updateEndpoint",
  ADMINS,
  ({ id, url, events, description, setsDescription, status }) => sql`
    update webhook_endpoint e set
      url = coalesce(${url}, e.url),
      events = coalesce(${events}::text[], e.events),
      description = case when ${setsDescription} then ${description}::text else e.description end,
      status = coalesce(${status}, e.status),
      active_after = case when ${becomesActive(status)} then pg_current_snapshot()::text else e.active_after end,
      active_epoch = case when ${becomesActive(status)} then ${EPOCH} else e.active_epoch end,
      failing_since = case
        when ${url}::text is null and ${status}::text is null then e.failing_since
      end,
      updated_at = now()
    where e.tenant_id = ${TENANT} and e.id = ${id}
    returning 1`,
);

/** The side is read from this position on, unless it is read already. Locks its row. */
export const START = query<{ transactionId: string; position: string; epoch: string }>()(
  "webhooks.start",
  ADMINS,
  ({ transactionId, position, epoch }) => sql`
    insert into webhook_due (tenant_id, transaction_id, position, epoch, due_at)
    values (${TENANT}, ${transactionId}::bigint, ${position}::bigint, ${epoch}, now())
    on conflict (tenant_id) do update set epoch = webhook_due.epoch`,
);

const firstEndpoint = (which: Sql): Sql => sql`
  select d.endpoint_id as id from webhook_delivery d
  where d.tenant_id = ${TENANT} and ${which}
  order by d.endpoint_id limit 1`;
/**
 * Deletes a batch of the deliveries whose endpoint is deleted, also those in the outbox. It visits each endpoint's first
 * delivery by index, which takes the same time however many deliveries there are.
 */
export const REMOVE_DELIVERIES_OF_DELETED = query<{ batch: number }>()(
  "webhooks.removeDeliveriesOfDeleted",
  WORKER,
  ({ batch }) => sql`
    with recursive named as (
      (${firstEndpoint(sql`true`)})
      union all
      select n.id from named w cross join lateral (${firstEndpoint(sql`d.endpoint_id > w.id`)}) n
    ), due as materialized (
      select o.id, o.outbox_id from named n cross join lateral (
        select d.id, d.outbox_id from webhook_delivery d
        where d.tenant_id = ${TENANT} and d.endpoint_id = n.id limit ${batch}::int
      ) o
      where not exists (select from webhook_endpoint e where e.tenant_id = ${TENANT} and e.id = n.id)
      limit ${batch}::int
    ), unqueued as (
      delete from outbox_message m using due
      where m.tenant_id = ${TENANT} and m.id = due.outbox_id
      returning 1
    )
    delete from webhook_delivery d using due
    -- The entry of the outbox first, as the worker locks them.
    where d.tenant_id = ${TENANT} and d.id = due.id and (select count(*) from unqueued) >= 0
    returning 1`,
);

const FAILING_DAYS = 5;
/** Notes that an attempt failed. Disables an endpoint that is gone, or has failed for days. Gives a row if it was disabled. */
export const NOTE_FAILURE = query<{ id: string; gone: boolean }>()(
  "webhooks.noteFailure",
  WORKER,
  ({ id, gone }) => sql`
    update webhook_endpoint e set
      failing_since = coalesce(e.failing_since, now()),
      status = case when ${gone} or e.failing_since is not null then 'disabled' else e.status end,
      updated_at = case when ${gone} or e.failing_since is not null then now() else e.updated_at end
    where e.tenant_id = ${TENANT} and e.id = ${id} and e.status = 'active' and (
      ${gone} or e.failing_since is null or e.failing_since < now() - make_interval(days => ${FAILING_DAYS})
    )
    returning e.url, e.status`,
);

/** Owners who can sign in. */
export const OWNERS = query<NoArgs>()(
  "webhooks.owners",
  WORKER,
  () => sql`
    select m.email from tenant t join member m on m.organisation_id = t.organisation_id
    where t.id = ${TENANT} and m.role = 'owner' and m.removed_at is null and m.deactivated_at is null`,
);
