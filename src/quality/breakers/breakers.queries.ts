import { inReach, list, one, polled, projection, REACHABLE, time } from "../../platform/database/statement.js";
import { type BreakerSetting, DEFAULTS } from "./breaker-rules.js";
import type { BreakerSettingsDto, CircuitBreakerDto } from "./breakers.dto.js";
import { nameOf, TODAY } from "./entity-name.js";

const BREAKER = projection<CircuitBreakerDto>({
  id: "r.id",
  workspaceId: "r.workspace_id",
  entityType: "r.entity_type",
  entityId: "r.entity_id",
  entityName: nameOf("r"),
  metric: "r.metric",
  threshold: "r.threshold",
  observed: "r.observed",
  low: "r.low",
  sampleSize: "r.sample_size",
  sampleDays: "r.sample_days",
  windowDays: "r.window_days",
  state: "r.state",
  action: "r.action",
  trippedAt: time("r.tripped_at"),
  resolvedBy: "r.resolved_by",
  resolvedAt: time("r.resolved_at"),
  note: "r.note",
});
export const BREAKERS = polled(
  list<CircuitBreakerDto, { state?: string; workspaceId?: string; limit: number }>(
    "quality.breakers",
    "workspace",
    `
  select ${BREAKER} from workspace w cross join lateral (
    select b.* from circuit_breaker b where b.tenant_id = w.tenant_id and b.workspace_id = w.id and (:state::text is null or b.state = :state) order by b.tripped_at desc, b.id desc limit :limit) r
  where ${REACHABLE} and (:workspaceId::uuid is null or w.id = :workspaceId) order by r.tripped_at desc, r.id desc limit :limit`,
    {
      visible: `:workspaceId::uuid is null or exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`,
    },
  ),
);

const DEFAULT = `(values ${DEFAULTS.map(({ metric, enabled, threshold, windowDays, minimumSample, action }) => `('${metric}', ${enabled}, ${threshold}::float8, ${windowDays}, ${minimumSample}, '${action}')`).join(", ")})
    as d (metric, enabled, threshold, "windowDays", "minimumSample", action)`;
const effective = (field: keyof BreakerSetting, column: string): string =>
  `case when s.metric is null then d."${field}" else s.${column} end`;
const SETTING = projection<BreakerSetting>({
  metric: "d.metric",
  enabled: effective("enabled", "enabled"),
  threshold: effective("threshold", "threshold"),
  windowDays: effective("windowDays", "window_days"),
  minimumSample: effective("minimumSample", "minimum_sample"),
  action: effective("action", "action"),
});
/** The settings that are in force in the workspace. */
const settingsOf = (workspace: string): string =>
  `select ${SETTING} from ${DEFAULT} left join breaker_setting s on s.tenant_id = :tenant and s.workspace_id = ${workspace} and s.metric = d.metric`;

export const SETTINGS = polled(
  one<BreakerSettingsDto, { workspaceId: string }>(
    "quality.breaker-settings",
    "workspace",
    `select (select json_agg(v order by v.metric) from (${settingsOf("w.id")}) v) as settings from workspace w where w.id = :workspaceId and ${REACHABLE}`,
  ),
);

/** No row: there is no such workspace. */
export const PUT_SETTINGS = `with target as (
    select w.tenant_id, w.id from workspace w where w.id = :workspaceId and ${REACHABLE}
  ), given as (
    select t.tenant_id, t.id as workspace_id, d.* from target t cross join jsonb_to_recordset(:settings::jsonb) as d (metric text, enabled boolean, threshold float8, "windowDays" int, "minimumSample" int, action text)
  ), gone as (
    delete from breaker_setting s using target t where s.tenant_id = t.tenant_id and s.workspace_id = t.id and not exists (select from given g where g.metric = s.metric)
  ), put as (
    insert into breaker_setting (tenant_id, workspace_id, metric, enabled, threshold, window_days, minimum_sample, action)
    select tenant_id, workspace_id, metric, enabled, threshold, "windowDays", "minimumSample", action from given
    on conflict (tenant_id, workspace_id, metric) do update set enabled = excluded.enabled, threshold = excluded.threshold, window_days = excluded.window_days,
      minimum_sample = excluded.minimum_sample, action = excluded.action
  ) select id from target`;

/** Of those that were touched, each that is watched and has no tripped breaker for it, with what counts: the days that have any, the newest first. */
export const WATCHED = `select t.*, v.threshold, v."windowDays", v."minimumSample", v.action, c.days
  from jsonb_to_recordset(:touched::jsonb) as t ("workspaceId" uuid, metric text, "entityType" text, "entityId" text)
    cross join lateral (select * from (${settingsOf('t."workspaceId"')} where d.metric = t.metric) v where v.enabled) v
    cross join lateral (select json_agg(json_build_array(${TODAY} - d.day, d.total, d.bad) order by d.day desc) as days from (
      select o.day, sum(o.total - o.settled_total)::int as total, sum(o.bad - o.settled_bad)::int as bad from outcome_count o
      where o.tenant_id = :tenant and o.workspace_id = t."workspaceId" and o.metric = t.metric and o.entity_type = t."entityType" and o.entity_id = t."entityId" and o.day > ${TODAY} - v."windowDays"
      group by o.day) d) c
  where c.days is not null and not exists (select from circuit_breaker b where b.tenant_id = :tenant and b.entity_type = t."entityType" and b.entity_id = t."entityId"
    and b.workspace_id = t."workspaceId" and b.metric = t.metric and b.state = 'tripped')
  order by t."entityType", t."entityId", t."workspaceId", t.metric`;

/** No row: it has tripped already. */
export const TRIP = `insert into circuit_breaker as r (tenant_id, id, workspace_id, entity_type, entity_id, metric, action, threshold, window_days, sample_days, sample_size, observed, low, tripped_at)
  select :tenant, :id, :workspaceId, :entityType, :entityId, :metric, :action, :threshold, :windowDays, :days, :total, :observed, :low, clock_timestamp()
  on conflict (tenant_id, entity_type, entity_id, workspace_id, metric) where state = 'tripped' do nothing
  returning ${nameOf("r")} as name`;

/** No row: there is no such breaker. One that is resolved already stays as it is. */
export const RESOLVE = `with target as (
    select b.tenant_id, b.id, b.workspace_id, b.metric, b.entity_type, b.entity_id from circuit_breaker b where b.tenant_id = :tenant and b.id = :id and ${inReach("b")}
  ), resolved as (
    update circuit_breaker b set state = 'resolved', resolved_by = :by::uuid, resolved_at = clock_timestamp(), note = :note::text
    from target t where b.tenant_id = t.tenant_id and b.id = t.id and b.state = 'tripped' returning b.id
  )
  select t.workspace_id as "workspaceId", t.metric, t.entity_type as "entityType", t.entity_id as "entityId", exists (select from resolved) as resolved from target t`;
