import { type Sql, sql, TENANT } from "../database/sql.js";
import { globalQuery, query } from "../database/statements.js";
import type { Environment } from "../caller/caller.js";
import type { Touched } from "./outcome-events.js";

const ONLY_COUNTING = { unrestricted: "counting covers the whole tenant; its callers check the entity's workspace" };

/** The day, UTC, of a time. */
export const dayOf = (time: Sql): Sql => sql`(${time} at time zone 'UTC')::date`;
const monthOf = (time: Sql): Sql => sql`date_trunc('month', ${time} at time zone 'UTC')::date`;

const KEY = sql`tenant_id, workspace_id, metric, entity_type, day, entity_id, scale, value`;
/** Ratings are also counted by month, except those of KB entries, which nothing shows by month. */
const BY_MONTH = sql`metric in ('csat', 'csat_asked') and entity_type <> 'kb_entry'`;

/**
 * A table expression for all outcomes of the tenant, counted and waiting ones alike, so that readers see their own
 * finished writes. It has the columns of `outcome_count`. To use indexes, give the days, and either workspace and metric
 * or the entity.
 */
export const OUTCOMES = sql`(
  select ${KEY}, total, bad, settled_total, settled_bad from outcome_count where tenant_id = ${TENANT}
  union all
  select tenant_id, workspace_id, metric, entity_type, ${dayOf(sql`at`)}, entity_id, scale, value,
    weight::int, case when bad then weight::int else 0 end, 0, 0
  from outcome where tenant_id = ${TENANT}
)`;

/** The same for ratings by month. `day` is the first day of the month. */
export const RATINGS_BY_MONTH = sql`(
  select tenant_id, workspace_id, metric, entity_type, month as day, entity_id, scale, value, total
  from rating_month where tenant_id = ${TENANT}
  union all
  select tenant_id, workspace_id, metric, entity_type, ${monthOf(sql`at`)}, entity_id, scale, value, weight::int
  from outcome where tenant_id = ${TENANT} and ${BY_MONTH}
)`;

/** @param outcomes JSON: `Outcome[]` */
export const RECORD_OUTCOMES = query<{ outcomes: string }>()(
  "outcomes.record",
  { unrestricted: "what is recorded happened in a workspace that the caller's transaction has checked" },
  ({ outcomes }) => sql`
    insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad)
    select ${TENANT}, o."workspaceId", o.metric, o."entityType", o."entityId", o.scale, o.value, o.bad
    from jsonb_to_recordset(${outcomes}::jsonb) as o (
      "workspaceId" uuid, metric text, "entityType" text, "entityId" text, scale smallint, value smallint, bad boolean
    )`,
);

/**
 * One transaction at a time counts in a tenant, so that a handler of `OutcomesCounted` knows all of a count. Held until
 * the end of the transaction.
 */
export const WAIT_FOR_TURN = query()(
  "outcomes.waitForTurn",
  ONLY_COUNTING,
  () => sql`select pg_advisory_xact_lock(hashtext('parley outcomes'), hashtext(${TENANT}::uuid::text))`,
);
export const TRY_TURN = query<object, { mine: boolean }>()(
  "outcomes.tryTurn",
  ONLY_COUNTING,
  () => sql`
    select pg_try_advisory_xact_lock(hashtext('parley outcomes'), hashtext(${TENANT}::uuid::text)) as mine`,
);

/** Moves waiting outcomes `o` into the counts. Gives a row for each entity whose counts have changed. */
const counting = (which: Sql): Sql => sql`
  with taken as (
    delete from outcome o where o.tenant_id = ${TENANT} and ${which}
    returning o.tenant_id, o.workspace_id, o.metric, o.entity_type, o.entity_id, o.scale, o.value, o.bad, o.weight, o.at
  ), counted as (
    insert into outcome_count as c (${KEY}, total, bad)
    select o.tenant_id, o.workspace_id, o.metric, o.entity_type, ${dayOf(sql`o.at`)} as day, o.entity_id, o.scale, o.value,
      sum(o.weight)::int, coalesce(sum(o.weight) filter (where o.bad), 0)::int
    from taken o
    group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (${KEY}) do update set total = c.total + excluded.total, bad = c.bad + excluded.bad
    returning c.workspace_id, c.metric, c.entity_type, c.entity_id
  ), by_month as (
    insert into rating_month as c (
      tenant_id, workspace_id, metric, entity_type, month, entity_id, scale, value, total
    )
    select o.tenant_id, o.workspace_id, o.metric, o.entity_type, ${monthOf(sql`o.at`)}, o.entity_id, o.scale, o.value,
      sum(o.weight)
    from taken o where ${BY_MONTH}
    group by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (tenant_id, workspace_id, metric, entity_type, month, entity_id, scale, value)
      do update set total = c.total + excluded.total
  )
  select distinct workspace_id as "workspaceId", metric, entity_type as "entityType", entity_id as "entityId",
    (select count(*)::int from taken) as taken
  from counted`;

/**
 * Counts the oldest outcomes that wait. The array is computed once: with `in`, a plan made while few outcomes waited would
 * repeat the sub-select for each row.
 */
export const COUNT_BATCH = query<{ limit: number }, Touched & { taken: number }>()(
  "outcomes.countBatch",
  ONLY_COUNTING,
  ({ limit }) =>
    counting(sql`
      o.id = any (array(select w.id from outcome w where w.tenant_id = ${TENANT} order by w.id limit ${limit}))`),
);

/** Counts what waits of one entity. */
export const COUNT_ENTITY = query<Touched>()(
  "outcomes.countEntity",
  ONLY_COUNTING,
  ({ workspaceId, metric, entityType, entityId }) =>
    counting(sql`
      workspace_id = ${workspaceId} and metric = ${metric} and entity_type = ${entityType} and entity_id = ${entityId}`),
);

/** Settled outcomes stay in the statistics but no longer trip a breaker. */
export const SETTLE = query<Touched>()(
  "outcomes.settle",
  ONLY_COUNTING,
  ({ workspaceId, metric, entityType, entityId }) => sql`
    update outcome_count set settled_total = total, settled_bad = bad
    where tenant_id = ${TENANT} and workspace_id = ${workspaceId} and metric = ${metric}
      and entity_type = ${entityType} and entity_id = ${entityId} and (settled_total, settled_bad) <> (total, bad)`,
);

/** The tenants with waiting outcomes. Jumps from tenant to tenant in the index, however many outcomes wait. */
export const WAITING_TENANTS = globalQuery<object, { id: string; environment: Environment }>()(
  "outcomes.waitingTenants",
  "everywhere",
  () => sql`
    with recursive next as (
      (select tenant_id from outcome order by tenant_id limit 1)
      union all
      select (select o.tenant_id from outcome o where o.tenant_id > n.tenant_id order by o.tenant_id limit 1)
      from next n where n.tenant_id is not null
    )
    select t.id, t.environment from next n join tenant t on t.id = n.tenant_id`,
);
