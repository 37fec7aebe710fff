import {
  inReach,
  one,
  page,
  type PageStatement,
  polled,
  projection,
  REACHABLE,
  type Statement,
  time,
} from "../../../platform/database/statement.js";
import { OUTCOMES, RATINGS_BY_MONTH } from "../../../platform/outcomes/outcomes.queries.js";
import type { CsatRatingDto, Group } from "./ratings.dto.js";

/** How often something was counted; `group` is null for what is counted for the whole alone. */
export interface Counted {
  group: string | null;
  metric: "csat" | "csat_asked";
  scale: number;
  value: number;
  count: number;
}

export interface StatisticsArgs extends Period {
  workspaceId?: string;
  /** Whose counts are read. */ types: readonly string[];
  /** Of one of them alone. */ entityId?: string;
}
/** Whole months, from `monthsFrom` to before `monthsEnd`, and the days before and after them: `from` to `headTo`, `tailFrom` to `to`. Any of them may be none. */
export interface Period {
  from: string;
  headTo: string;
  monthsFrom: string;
  monthsEnd: string;
  tailFrom: string;
  to: string;
}

const since = (unit: string): string => `date_trunc('${unit}', o.day::timestamp)::date`;
const ENTITY = `case when o.entity_type = 'workspace' then null else o.entity_id end`;
const KEY: Record<Group, string> = {
  workspace: "w.id",
  channel: ENTITY,
  member: ENTITY,
  agent: ENTITY,
  day: "o.day",
  week: since("week"),
  month: since("month"),
};

/** Where it is counted, and which days of it. */
const counts = (group: Group): [source: string, days: string][] =>
  group === "day" || group === "week"
    ? [[OUTCOMES, "o.day between :from::date and :to::date"]]
    : [
        [OUTCOMES, "o.day between :from::date and :headTo::date"],
        [RATINGS_BY_MONTH, "o.day >= :monthsFrom::date and o.day < :monthsEnd::date"],
        [OUTCOMES, "o.day between :tailFrom::date and :to::date"],
      ];

/**
 * From counts, whatever the number of ratings: of whole months, and of days where a month is not whole or days are asked for. Each workspace is counted by itself: so its own are read from the index, and no others.
 * @param ofEntity of one of them alone, `:entityId`
 */
const statistics = (group: Group, ofEntity: boolean): Statement<StatisticsArgs, { rows: Counted[] }> =>
  one<{ rows: Counted[] }, StatisticsArgs>(
    `csat.statistics ${group}${ofEntity ? " of entity" : ""}`,
    "workspace",
    `with reached as materialized (
    select w.id from workspace w where ${REACHABLE} and (:workspaceId::uuid is null or w.id = :workspaceId)
  ), counted as (
    select c."group"::text, c.metric, c.scale, c.value, sum(c.total) as count from reached w cross join lateral (
      ${counts(group)
        .map(
          ([
            source,
            days,
          ]) => `select ${KEY[group]} as "group", o.metric, o.scale, o.value, sum(o.total) as total from ${source} o
      where o.workspace_id = w.id and o.metric in ('csat', 'csat_asked') and o.entity_type = any(:types::text[])${ofEntity ? " and o.entity_id = :entityId" : ""} and ${days}
      group by 1, 2, 3, 4`,
        )
        .join(" union all ")}) c
    group by c."group", c.metric, c.scale, c.value having sum(c.total) <> 0
  )
  select (select coalesce(json_agg(row_to_json(c)), '[]') from counted c) as rows where :workspaceId::uuid is null or exists (select from reached)`,
  );

const byGroup = (ofEntity: boolean): Record<Group, Statement<StatisticsArgs, { rows: Counted[] }>> =>
  Object.fromEntries((Object.keys(KEY) as Group[]).map((group) => [group, statistics(group, ofEntity)])) as Record<
    Group,
    Statement<StatisticsArgs, { rows: Counted[] }>
  >;
export const STATISTICS = byGroup(false);
export const STATISTICS_OF_ENTITY = byGroup(true);

/** A survey `r` that was answered. */
export const RATING = projection<CsatRatingDto>({
  id: "r.id",
  workspaceId: "r.workspace_id",
  conversationId: "r.conversation_id",
  score: "r.score",
  scale: "r.scale",
  comment: "r.comment",
  question: "r.question",
  channelId: "r.channel_id",
  memberId: "r.member_id",
  agentIds: "r.agent_ids",
  kbEntryIds: "r.kb_entry_ids",
  askedAt: time("r.asked_at"),
  ratedAt: time("r.rated_at"),
});

export interface RatingsArgs {
  workspaceId?: string;
  conversationId?: string;
  from?: string;
  to?: string;
  maxScore?: number;
  limit: number;
  after0?: string;
  after1?: string;
}

const CONDITIONS = `s.rated_at is not null and (:from::timestamptz is null or s.rated_at >= :from::timestamptz) and (:to::timestamptz is null or s.rated_at < :to::timestamptz)
      and (:maxScore::int is null or s.score <= :maxScore::int) and (:after0::timestamptz is null or (s.rated_at, s.id) < (:after0::timestamptz, :after1::uuid))`;
const ORDER = "order by s.rated_at desc, s.id desc limit :limit + 1";
const ratings = (name: string, rows: string): PageStatement<RatingsArgs, CsatRatingDto> =>
  polled(
    page<CsatRatingDto, RatingsArgs>(name, "workspace", {
      list: "csat.ratings",
      rows,
      position: [time("r.rated_at"), "r.id"],
      item: RATING,
      visible: `:workspaceId::uuid is null or exists (select from workspace w where w.id = :workspaceId and ${REACHABLE})`,
    }),
  );

/** Newest first, workspace by workspace or of one conversation: each walks its own index backwards. */
export const RATINGS = ratings(
  "csat.ratings",
  `select s.* from workspace w cross join lateral (
      select s.* from csat_survey s where s.tenant_id = w.tenant_id and s.workspace_id = w.id and ${CONDITIONS} ${ORDER}) s
    where ${REACHABLE} and (:workspaceId::uuid is null or w.id = :workspaceId) and :conversationId::uuid is null ${ORDER}`,
);
export const RATINGS_OF_CONVERSATION = ratings(
  "csat.ratings of conversation",
  `select s.* from csat_survey s
    where s.tenant_id = :tenant and s.conversation_id = :conversationId and (:workspaceId::uuid is null or s.workspace_id = :workspaceId) and ${inReach("s")} and ${CONDITIONS} ${ORDER}`,
);
