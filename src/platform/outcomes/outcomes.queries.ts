import type { Environment } from "../caller/caller.js";
import { sql } from "../database/sql.js";
import { globalQuery, type NoArgs } from "../database/statements.js";

/** Sums of the signed rows `o` of the queue: one that takes back counts against what it takes back. */
const TOTALS = "sum(o.weight)::int as total, coalesce(sum(o.weight) filter (where o.bad), 0)::int as bad";
const KEY = "tenant_id, workspace_id, metric, entity_type, day, entity_id, scale, value";

/** The day, UTC, to which something at this time belongs. */
export const dayOf = (time: string): string => `(${time} at time zone 'UTC')::date`;

/**
 * In place of a table: every outcome of the tenant, those of the queue among them, as they are counted: so a read sees the caller's own finished
 * write. Columns as `outcome_count`. Name the workspace and the metric, or the entity, and the days: then it is read from indexes.
 */
export const OUTCOMES = `(select ${KEY}, total, bad, settled_total, settled_bad from outcome_count where tenant_id = :tenant
    union all select tenant_id, workspace_id, metric, entity_type, ${dayOf("at")}, entity_id, scale, value, weight::int, case when bad then weight::int else 0 end, 0, 0 from outcome where tenant_id = :tenant)`;

/** What is counted by month as well: ratings, but for those of entries, which nobody asks for by month. */
const BY_MONTH = `metric in ('csat', 'csat_asked') and entity_type <> 'kb_entry'`;
const monthOf = (time: string): string => `date_trunc('month', ${time} at time zone 'UTC')::date`;
/** As `OUTCOMES`, of ratings by month: `day` is the first of it. */
export const RATINGS_BY_MONTH = `(select tenant_id, workspace_id, metric, entity_type, month as day, entity_id, scale, value, total from rating_month where tenant_id = :tenant
    union all select tenant_id, workspace_id, metric, entity_type, ${monthOf("at")}, entity_id, scale, value, weight::int from outcome where tenant_id = :tenant and ${BY_MONTH})`;

export const RECORD = `insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad)
  select :tenant, o."workspaceId", o.metric, o."entityType", o."entityId", o.scale, o.value, o.bad
  from jsonb_to_recordset(:outcomes::jsonb) as o ("workspaceId" uuid, metric text, "entityType" text, "entityId" text, scale smallint, value smallint, bad boolean)`;

/** One after the other in a tenant: what is done about a sum is done by whoever made it, and knows all of it. Held to the end of the transaction. */
export const TURN = `pg_advisory_xact_lock(hashtext('parley outcomes'), hashtext(:tenant::uuid::text))`;
export const TRY_TURN = TURN.replace("pg_", "pg_try_");

/** Counts some of the queue. A row for each entity whose sums have changed. */
const counting = (which: string): string => `with taken as (
    delete from outcome o where o.tenant_id = :tenant and ${which} returning o.*
  ), counted as (
    insert into outcome_count as c (${KEY}, total, bad)
    select o.tenant_id, o.workspace_id, o.metric, o.entity_type, ${dayOf("o.at")} as day, o.entity_id, o.scale, o.value, ${TOTALS} from taken o
    group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (${KEY}) do update set total = c.total + excluded.total, bad = c.bad + excluded.bad
    returning c.workspace_id, c.metric, c.entity_type, c.entity_id
  ), by_month as (
    insert into rating_month as c (tenant_id, workspace_id, metric, entity_type, month, entity_id, scale, value, total)
    select o.tenant_id, o.workspace_id, o.metric, o.entity_type, ${monthOf("o.at")}, o.entity_id, o.scale, o.value, sum(o.weight) from taken o where ${BY_MONTH} group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (tenant_id, workspace_id, metric, entity_type, month, entity_id, scale, value) do update set total = c.total + excluded.total
  )
  select distinct workspace_id as "workspaceId", metric, entity_type as "entityType", entity_id as "entityId", (select count(*)::int from taken) as taken from counted`;

/** The oldest of the queue. */
export const FOLD = counting("o.id in (select id from outcome where tenant_id = :tenant order by id limit :batch)");

const THE_ENTITY =
  "workspace_id = :workspaceId and metric = :metric and entity_type = :entityType and entity_id = :entityId";
/** Counts what waits of one entity; and settles what is counted of it. */
export const FOLD_ENTITY = counting(THE_ENTITY);
export const SETTLE = `update outcome_count set settled_total = total, settled_bad = bad where tenant_id = :tenant and ${THE_ENTITY} and (settled_total, settled_bad) <> (total, bad)`;

/** The tenants that have something in the queue, however long it is: from one to the next by the index. */
export const WAITING = globalQuery<NoArgs, { id: string; environment: Environment }>(
  "outcomes.waiting",
  () => sql`
    with recursive next as (
      (select tenant_id from outcome order by tenant_id limit 1)
      union all
      select (select o.tenant_id from outcome o where o.tenant_id > n.tenant_id order by o.tenant_id limit 1)
      from next n where n.tenant_id is not null
    ) select t.id, t.environment from next n join tenant t on t.id = n.tenant_id`,
);
