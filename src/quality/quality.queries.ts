import {
  inReach,
  list,
  one,
  page,
  type PageStatement,
  polled,
  projection,
  REACHABLE,
  time,
} from "../platform/database/statement.js";
import { BREAKER_ENTITIES, WATCHED_METRICS } from "../platform/outcomes/circuit-breaker.entity.js";
import { dayOf, OUTCOMES } from "../platform/outcomes/outcomes.queries.js";
import { wilsonSql } from "../platform/outcomes/wilson.js";
import type { BreakerSettingsDto, CircuitBreakerDto, QualityScoreDto } from "./quality.dto.js";
import { type BreakerSetting, DEFAULTS } from "./watched.js";

/** A tool is its own name. */
const nameOf = (row: string): string => `case ${row}.entity_type
    when 'agent' then (select e.name from agent e where e.tenant_id = :tenant and e.id = ${row}.entity_id::uuid)
    when 'channel' then (select e.name from channel e where e.tenant_id = :tenant and e.id = ${row}.entity_id::uuid)
    when 'kb_entry' then (select e.question from kb_entry e where e.tenant_id = :tenant and e.id = ${row}.entity_id::uuid)
    else ${row}.entity_id end`;

/** Today, by the calendar of the counts. */
const TODAY = `(now() at time zone 'UTC')::date`;
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(", ");

const SCORE = wilsonSql("r.good", "r.total");
/** Of ratings, those in the upper part of their scale are good. */
const GOOD = `case when o.metric = 'csat' then case when o.value - 1 >= 0.75 * (o.scale - 1) then o.total else 0 end else o.total - o.bad end`;

const IN_WINDOW = `o.workspace_id = any (array(select w.id from workspace w where ${REACHABLE})) and o.day > ${TODAY} - :window::int`;

interface Filters {
  workspaceId?: string;
  entityType?: string;
  entityId?: string;
  metric?: string;
}
const CONDITIONS: Record<keyof Filters, string> = {
  workspaceId: "o.workspace_id = :workspaceId",
  entityType: "o.entity_type = :entityType",
  entityId: "o.entity_id = :entityId",
  metric: "o.metric = :metric",
};
type ScoreArgs = Filters & { window: number; limit: number; after0?: string; after1?: string; after2?: string };
const scores = new Map<string, PageStatement<ScoreArgs, QualityScoreDto>>();

/** The scores for one set of filters: a text of its own, so that each is read from the index that suits it, in order and no further than the page. */
export function scoresStatement(filters: Filters, continued: boolean): PageStatement<ScoreArgs, QualityScoreDto> {
  const names = (Object.keys(CONDITIONS) as (keyof Filters)[]).filter((name) => filters[name] !== undefined);
  const name = [...names, continued].join(" ");
  let statement = scores.get(name);
  if (!statement) scores.set(name, (statement = makeScores(`quality.scores ${scores.size}`, names, continued)));
  return statement;
}

function makeScores(
  name: string,
  filters: (keyof Filters)[],
  continued: boolean,
): PageStatement<ScoreArgs, QualityScoreDto> {
  const within = [
    IN_WINDOW,
    ...filters.map((filter) => CONDITIONS[filter]),
    `o.metric in (${quoted(WATCHED_METRICS)})`,
    `o.entity_type in (${quoted(BREAKER_ENTITIES)})`,
    ...(continued ? ["(o.entity_type, o.entity_id, o.metric) > (:after0, :after1, :after2)"] : []),
  ].join(" and ");
  return page(name, "workspace", {
    list: "quality.scores",
    // Who there is, in order and no further than the page; then the sums of each.
    rows: `select k.*, s.total, s.good from (
        select o.entity_type, o.entity_id, o.metric from outcome_count o where o.tenant_id = :tenant and ${within}
        union select o.entity_type, o.entity_id, o.metric from outcome o where o.tenant_id = :tenant and ${within.replaceAll("o.day", dayOf("o.at"))}
        order by 1, 2, 3) k
      cross join lateral (select sum(o.total)::int as total, least(greatest(sum(${GOOD}), 0), sum(o.total))::int as good from ${OUTCOMES} o
        where o.entity_type = k.entity_type and o.entity_id = k.entity_id and o.metric = k.metric and ${IN_WINDOW}${filters.includes("workspaceId") ? ` and ${CONDITIONS.workspaceId}` : ""}) s
      where s.total > 0 order by k.entity_type, k.entity_id, k.metric limit :limit + 1`,
    position: ["r.entity_type", "r.entity_id", "r.metric"],
    item: projection<QualityScoreDto>({
      entityType: "r.entity_type",
      entityId: "r.entity_id",
      name: nameOf("r"),
      metric: "r.metric",
      score: SCORE.share,
      low: SCORE.low,
      high: SCORE.high,
      sampleSize: "r.total",
      window: ":window::int",
    }),
    ...(filters.includes("workspaceId") && {
      visible: `exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`,
    }),
  });
}

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
