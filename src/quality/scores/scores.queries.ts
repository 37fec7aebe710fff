import { page, type PageStatement, projection, REACHABLE } from "../../platform/database/statement.js";
import { BREAKER_ENTITIES, WATCHED_METRICS } from "../../platform/outcomes/circuit-breaker.entity.js";
import { dayOf, OUTCOMES } from "../../platform/outcomes/outcomes.queries.js";
import { wilsonSql } from "../../platform/outcomes/wilson.js";
import { nameOf, TODAY } from "../breakers/entity-name.js";
import type { QualityScoreDto } from "./scores.dto.js";

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
