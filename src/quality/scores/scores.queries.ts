import { identifier, joined, literal, type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import {
  namesUsed,
  page,
  type PageRead,
  projection,
  REACHABLE,
  statementFamily,
} from "../../platform/database/statements.js";
import { BREAKER_ENTITIES, WATCHED_METRICS } from "../../platform/outcomes/circuit-breaker.entity.js";
import { dayOf, OUTCOMES } from "../../platform/outcomes/outcomes.queries.js";
import { wilsonSql } from "../../platform/outcomes/wilson.js";
import { nameOf, TODAY } from "../breakers/entity-name.js";
import type { QualityScoreDto } from "./scores.dto.js";

const literals = (values: readonly string[]): Sql => joined(values.map(literal), ", ");

const SCORE = wilsonSql(sql`r.good`, sql`r.total`);
/** Of ratings, those in the upper part of their scale are good. */
const GOOD = sql`case when o.metric = 'csat'
  then case when o.value - 1 >= 0.75 * (o.scale - 1) then o.total else 0 end
  else o.total - o.bad end`;

interface Filters {
  workspaceId?: string;
  entityType?: string;
  entityId?: string;
  metric?: string;
}
type FilterName = keyof Filters;
const CONDITIONS: Record<FilterName, (value: Parameter) => Sql> = {
  workspaceId: (value) => sql`o.workspace_id = ${value}`,
  entityType: (value) => sql`o.entity_type = ${value}`,
  entityId: (value) => sql`o.entity_id = ${value}`,
  metric: (value) => sql`o.metric = ${value}`,
};

type ScoreArgs = Filters & { window: number };

/**
 * Each set of filters has its own statement, so that each is read in order from the index that suits it.
 * @param restricted the caller does not reach the whole tenant
 */
export const listScores = (
  filters: Filters,
  continued: boolean,
  restricted: boolean,
): PageRead<ScoreArgs, QualityScoreDto> => {
  const names = namesUsed(CONDITIONS, filters);
  return LISTS(names, continued, !restricted && !names.some((name) => PASSED_OVER.includes(name)));
};
/** Filters for which a walk through the entities would pass over many rows. */
const PASSED_OVER: readonly FilterName[] = ["workspaceId", "metric"];

const REACHED = sql`array(select w.id from workspace w where ${REACHABLE})`;

const LISTS = statementFamily(
  "scores.list",
  (name, filters: readonly FilterName[], continued: boolean, scansEntities: boolean) =>
    page<QualityScoreDto, ScoreArgs>(name, "restricted", (parameters) => {
      const { limit, after0, after1, after2, workspaceId, window } = parameters;
      const inWindow = (day: Sql): Sql => sql`
      o.workspace_id = any (${REACHED}) and ${day} > ${TODAY} - ${window}::int`;
      const watched = joined(
        [
          ...filters.map((filter) => CONDITIONS[filter](parameters[filter])),
          sql`o.metric in (${literals(WATCHED_METRICS)})`,
          sql`o.entity_type in (${literals(BREAKER_ENTITIES)})`,
        ],
        " and ",
      );
      const after = continued
        ? sql` and (o.entity_type, o.entity_id, o.metric) > (${after0}, ${after1}, ${after2})`
        : sql``;
      const waiting = sql`
      select o.entity_type, o.entity_id, o.metric from outcome o
      where o.tenant_id = ${TENANT} and ${inWindow(dayOf(sql`o.at`))} and ${watched}${after}`;
      const ofWorkspace = filters.includes("workspaceId") ? sql` and ${CONDITIONS.workspaceId(workspaceId)}` : sql``;
      /** The sums of the entity and metric of this alias. */
      const sums = (alias: string): Sql => {
        const entity = identifier(alias);
        return sql`
        select sum(o.total)::int as total, least(greatest(sum(${GOOD}), 0), sum(o.total))::int as good
        from ${OUTCOMES} o
        where o.entity_type = ${entity}.entity_type and o.entity_id = ${entity}.entity_id
          and o.metric = ${entity}.metric and ${inWindow(sql`o.day`)}${ofWorkspace}`;
      };
      /** The first behind `k` of each type `t`. Types in between, such as members, may have any number of rows. */
      const firstBehind = sql`
      o.entity_type = t.type and (o.entity_id, o.metric) > (
        case when t.type = k.entity_type then k.entity_id else '' end,
        case when t.type = k.entity_type then k.metric else '' end
      )
      order by o.entity_id, o.metric limit 1`;
      const start = (value: Parameter): Sql => (continued ? sql`${value}::text` : sql`''`);
      return {
        list: "quality.scores",
        rows: scansEntities
          ? // From entity to entity through the index, no further than the page. `found` counts those with outcomes, because
            // corrections may leave none. The reach is not compared with `any`: the index by workspace would gather all entities.
            sql`
          with recursive waiting as materialized (${waiting}), k as (
            select ${start(after0)} as entity_type, ${start(after1)} as entity_id, ${start(after2)} as metric, 0 as total,
              0 as good, 0 as found
            union all
            select n.entity_type, n.entity_id, n.metric, s.total, s.good,
              k.found + case when s.total > 0 then 1 else 0 end
            from k
            cross join lateral (
              select o.*
              from unnest(array[${literals(BREAKER_ENTITIES)}]) t (type)
              cross join lateral (
                (
                  select o.entity_type, o.entity_id, o.metric from outcome_count o
                  where o.tenant_id = ${TENANT} and array_position(${REACHED}, o.workspace_id) is not null
                    and o.day > ${TODAY} - ${window}::int and ${watched} and ${firstBehind}
                )
                union all
                (select o.entity_type, o.entity_id, o.metric from waiting o where ${firstBehind})
              ) o
              where t.type >= k.entity_type
              order by o.entity_type, o.entity_id, o.metric limit 1
            ) n
            cross join lateral (${sums("n")}) s
            where k.found <= ${limit}
          )
          select k.* from k where k.total > 0
          order by k.entity_type, k.entity_id, k.metric limit ${limit} + 1`
          : // All entities in order, then the sums of those of the page.
            sql`
          select k.*, s.total, s.good
          from (
            select o.entity_type, o.entity_id, o.metric from outcome_count o
            where o.tenant_id = ${TENANT} and ${inWindow(sql`o.day`)} and ${watched}${after}
            union ${waiting}
            order by 1, 2, 3
          ) k
          cross join lateral (${sums("k")}) s
          where s.total > 0
          order by k.entity_type, k.entity_id, k.metric limit ${limit} + 1`,
        position: [sql`r.entity_type`, sql`r.entity_id`, sql`r.metric`],
        item: projection<QualityScoreDto>({
          entityType: sql`r.entity_type`,
          entityId: sql`r.entity_id`,
          name: nameOf("r"),
          metric: sql`r.metric`,
          score: sql`to_json(${SCORE.share})`,
          low: sql`to_json(${SCORE.low})`,
          high: sql`to_json(${SCORE.high})`,
          sampleSize: sql`r.total`,
          window: sql`${window}::int`,
        }),
        ...(filters.includes("workspaceId") && {
          visible: sql`exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
        }),
      };
    }),
);
