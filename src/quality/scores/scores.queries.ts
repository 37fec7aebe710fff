import { joined, literal, type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
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

/** Each set of filters has its own statement, so that each is read in order from the index that suits it. */
export const listScores = (filters: Filters, continued: boolean): PageRead<ScoreArgs, QualityScoreDto> =>
  LISTS(namesUsed(CONDITIONS, filters), continued);

const LISTS = statementFamily("scores.list", (name, filters: readonly FilterName[], continued: boolean) =>
  page<QualityScoreDto, ScoreArgs>(name, "restricted", (parameters) => {
    const { limit, after0, after1, after2, workspaceId, window } = parameters;
    const inWindow = (day: Sql): Sql => sql`
      o.workspace_id = any (array(select w.id from workspace w where ${REACHABLE}))
        and ${day} > ${TODAY} - ${window}::int`;
    const matches = (day: Sql): Sql =>
      joined(
        [
          inWindow(day),
          ...filters.map((filter) => CONDITIONS[filter](parameters[filter])),
          sql`o.metric in (${literals(WATCHED_METRICS)})`,
          sql`o.entity_type in (${literals(BREAKER_ENTITIES)})`,
          ...(continued ? [sql`(o.entity_type, o.entity_id, o.metric) > (${after0}, ${after1}, ${after2})`] : []),
        ],
        " and ",
      );
    const ofWorkspace = filters.includes("workspaceId") ? sql` and ${CONDITIONS.workspaceId(workspaceId)}` : sql``;
    return {
      list: "quality.scores",
      // The entities in order and no further than the page, then the sums of each.
      rows: sql`
        select k.*, s.total, s.good
        from (
          select o.entity_type, o.entity_id, o.metric from outcome_count o
          where o.tenant_id = ${TENANT} and ${matches(sql`o.day`)}
          union
          select o.entity_type, o.entity_id, o.metric from outcome o
          where o.tenant_id = ${TENANT} and ${matches(dayOf(sql`o.at`))}
          order by 1, 2, 3
        ) k
        cross join lateral (
          select sum(o.total)::int as total, least(greatest(sum(${GOOD}), 0), sum(o.total))::int as good
          from ${OUTCOMES} o
          where o.entity_type = k.entity_type and o.entity_id = k.entity_id and o.metric = k.metric
            and ${inWindow(sql`o.day`)}${ofWorkspace}
        ) s
        where s.total > 0
        order by k.entity_type, k.entity_id, k.metric limit ${limit} + 1`,
      position: [sql`r.entity_type`, sql`r.entity_id`, sql`r.metric`],
      item: projection<QualityScoreDto>({
        entityType: sql`r.entity_type`,
        entityId: sql`r.entity_id`,
        name: nameOf("r"),
        metric: sql`r.metric`,
        score: SCORE.share,
        low: SCORE.low,
        high: SCORE.high,
        sampleSize: sql`r.total`,
        window: sql`${window}::int`,
      }),
      ...(filters.includes("workspaceId") && {
        visible: sql`exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
      }),
    };
  }),
);
