import { identifier, joined, literal, quoted, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { inReach, list, one, polled, projection, query, REACHABLE, time } from "../../platform/database/statements.js";
import type { BreakerAction, BreakerState } from "../../platform/outcomes/circuit-breaker.entity.js";
import { type BreakerSetting, DEFAULTS, type WatchedEntity } from "./breaker-rules.js";
import type { BreakerSettingsDto, CircuitBreakerDto } from "./breakers.dto.js";
import { nameOf, TODAY } from "./entity-name.js";
import type { BreakerThreshold } from "./sequential-test.js";

/** A breaker `r`. */
export const BREAKER = projection<CircuitBreakerDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  entityType: sql`r.entity_type`,
  entityId: sql`r.entity_id`,
  entityName: nameOf("r"),
  metric: sql`r.metric`,
  threshold: sql`r.threshold`,
  observed: sql`r.observed`,
  low: sql`r.low`,
  sampleSize: sql`r.sample_size`,
  sampleDays: sql`r.sample_days`,
  windowDays: sql`r.window_days`,
  state: sql`r.state`,
  action: sql`r.action`,
  trippedAt: time(sql`r.tripped_at`),
  resolvedBy: sql`r.resolved_by`,
  resolvedAt: time(sql`r.resolved_at`),
  note: sql`r.note`,
});

/** Newest first. Each state has its own statement, because the tripped ones have an index of their own. */
const breakers = (name: string, ofState: Sql) =>
  polled(
    list<CircuitBreakerDto, { workspaceId?: string; limit: number }>(name, "restricted", ({ workspaceId, limit }) => ({
      rows: sql`
        select ${BREAKER} from workspace w
        cross join lateral (
          select b.* from circuit_breaker b
          where b.tenant_id = ${TENANT} and b.workspace_id = w.id${ofState}
          order by b.tripped_at desc, b.id desc limit ${limit}
        ) r
        where ${REACHABLE} and (${workspaceId}::uuid is null or w.id = ${workspaceId})
        order by r.tripped_at desc, r.id desc limit ${limit}`,
      visible: sql`
        ${workspaceId}::uuid is null
        or exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
    })),
  );
const ALL_BREAKERS = breakers("breakers.list", sql``);
const OF_STATE: Record<BreakerState, typeof ALL_BREAKERS> = {
  tripped: breakers("breakers.listTripped", sql` and b.state = 'tripped'`),
  resolved: breakers("breakers.listResolved", sql` and b.state = 'resolved'`),
};
export const listBreakers = (state?: BreakerState): typeof ALL_BREAKERS => (state ? OF_STATE[state] : ALL_BREAKERS);

const constant = (value: string | number | boolean): Sql =>
  typeof value === "string" ? literal(value) : sql([String(value)]);
const DEFAULT_ROWS = joined(
  DEFAULTS.map(
    ({ metric, enabled, threshold, windowDays, minimumSample, action }) => sql`(
      ${constant(metric)}, ${constant(enabled)}, ${constant(threshold)}::float8, ${constant(windowDays)},
      ${constant(minimumSample)}, ${constant(action)}
    )`,
  ),
  ", ",
);
const effective = (field: keyof BreakerSetting, column: string): Sql =>
  sql`case when s.metric is null then d.${quoted(field)} else s.${identifier(column)} end`;
const SETTING = projection<BreakerSetting>({
  metric: sql`d.metric`,
  enabled: effective("enabled", "enabled"),
  threshold: effective("threshold", "threshold"),
  windowDays: effective("windowDays", "window_days"),
  minimumSample: effective("minimumSample", "minimum_sample"),
  action: effective("action", "action"),
});
/** The settings in force in the workspace: its own, and defaults `d` for metrics without one. */
const settingsOf = (workspaceId: Sql): Sql => sql`
  select ${SETTING}
  from (values ${DEFAULT_ROWS}) as d (metric, enabled, threshold, "windowDays", "minimumSample", action)
  left join breaker_setting s
    on s.tenant_id = ${TENANT} and s.workspace_id = ${workspaceId} and s.metric = d.metric`;

export const GET_SETTINGS = polled(
  one<BreakerSettingsDto, { workspaceId: string }>(
    "breakerSettings.get",
    "restricted",
    ({ workspaceId }) => sql`
      select (select json_agg(v order by v.metric) from (${settingsOf(sql`w.id`)}) v) as settings
      from workspace w where w.id = ${workspaceId} and ${REACHABLE}`,
  ),
);

/**
 * Replaces all settings of a workspace. No row: there is no such workspace.
 * @param settings JSON: `BreakerSetting[]`
 */
export const PUT_SETTINGS = query<{ workspaceId: string; settings: string }>()(
  "breakerSettings.put",
  "restricted",
  ({ workspaceId, settings }) => sql`
    with target as (
      select w.id from workspace w where w.id = ${workspaceId} and ${REACHABLE}
    ), given as (
      select t.id as workspace_id, d.* from target t
      cross join jsonb_to_recordset(${settings}::jsonb) as d (
        metric text, enabled boolean, threshold float8, "windowDays" int, "minimumSample" int, action text
      )
    ), deleted as (
      delete from breaker_setting s using target t
      where s.tenant_id = ${TENANT} and s.workspace_id = t.id
        and not exists (select from given g where g.metric = s.metric)
    ), stored as (
      insert into breaker_setting (
        tenant_id, workspace_id, metric, enabled, threshold, window_days, minimum_sample, action
      )
      select ${TENANT}, workspace_id, metric, enabled, threshold, "windowDays", "minimumSample", action from given
      on conflict (tenant_id, workspace_id, metric) do update set
        enabled = excluded.enabled, threshold = excluded.threshold, window_days = excluded.window_days,
        minimum_sample = excluded.minimum_sample, action = excluded.action
    )
    select id from target`,
);

export interface WatchedCounts extends WatchedEntity, BreakerThreshold {
  action: BreakerAction;
  /** How many days ago, outcomes and bad ones among them; newest first. */
  days: [ago: number, total: number, bad: number][];
}

/**
 * Of these entities, those that are watched and have no tripped breaker for the metric, with the counts of their window.
 * @param touched JSON: `WatchedEntity[]`
 */
export const FIND_WATCHED = query<{ touched: string }, WatchedCounts>()(
  "breakers.findWatched",
  { unrestricted: "only the counting of outcomes runs it, for the whole tenant" },
  ({ touched }) => sql`
    select t.*, v.threshold, v."windowDays", v."minimumSample", v.action, c.days
    from jsonb_to_recordset(${touched}::jsonb) as t (
      "workspaceId" uuid, metric text, "entityType" text, "entityId" text
    )
    cross join lateral (
      select * from (${settingsOf(sql`t."workspaceId"`)} where d.metric = t.metric) v where v.enabled
    ) v
    cross join lateral (
      select json_agg(json_build_array(${TODAY} - d.day, d.total, d.bad) order by d.day desc) as days
      from (
        select o.day, sum(o.total - o.settled_total)::int as total, sum(o.bad - o.settled_bad)::int as bad
        from outcome_count o
        where o.tenant_id = ${TENANT} and o.workspace_id = t."workspaceId" and o.metric = t.metric
          and o.entity_type = t."entityType" and o.entity_id = t."entityId" and o.day > ${TODAY} - v."windowDays"
        group by o.day
      ) d
    ) c
    where c.days is not null and not exists (
      select from circuit_breaker b
      where b.tenant_id = ${TENANT} and b.entity_type = t."entityType" and b.entity_id = t."entityId"
        and b.workspace_id = t."workspaceId" and b.metric = t.metric and b.state = 'tripped'
    )
    order by t."entityType", t."entityId", t."workspaceId", t.metric`,
);

type TripArgs = Omit<WatchedEntity, "name"> & {
  id: string;
  action: BreakerAction;
  threshold: number;
  windowDays: number;
  days: number;
  total: number;
  observed: number;
  low: number;
};
/** No row: it has tripped already. */
export const TRIP = query<TripArgs>()(
  "breakers.trip",
  { unrestricted: "only the counting of outcomes runs it, for the whole tenant" },
  ({ id, workspaceId, entityType, entityId, metric, action, threshold, windowDays, days, total, observed, low }) => sql`
    insert into circuit_breaker as r (
      tenant_id, id, workspace_id, entity_type, entity_id, metric, action, threshold, window_days, sample_days,
      sample_size, observed, low, tripped_at
    )
    select ${TENANT}, ${id}, ${workspaceId}, ${entityType}, ${entityId}, ${metric}, ${action}, ${threshold},
      ${windowDays}, ${days}, ${total}, ${observed}, ${low}, clock_timestamp()
    on conflict (tenant_id, entity_type, entity_id, workspace_id, metric) where state = 'tripped' do nothing
    returning ${nameOf("r")} as name`,
);

/** No row: there is no such breaker. One that is resolved already stays as it is. */
export const RESOLVE = query<
  { id: string; by: string | null; note: string | null },
  WatchedEntity & { resolved: boolean }
>()(
  "breakers.resolve",
  "restricted",
  ({ id, by, note }) => sql`
    with target as (
      select b.id, b.workspace_id, b.metric, b.entity_type, b.entity_id from circuit_breaker b
      where b.tenant_id = ${TENANT} and b.id = ${id} and ${inReach("b")}
    ), resolved as (
      update circuit_breaker b
      set state = 'resolved', resolved_by = ${by}::uuid, resolved_at = clock_timestamp(), note = ${note}::text
      from target t where b.tenant_id = ${TENANT} and b.id = t.id and b.state = 'tripped'
      returning b.id
    )
    select t.workspace_id as "workspaceId", t.metric, t.entity_type as "entityType", t.entity_id as "entityId",
      exists (select from resolved) as resolved
    from target t`,
);
