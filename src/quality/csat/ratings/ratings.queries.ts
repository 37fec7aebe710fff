import { joined, literal, type Parameters, type Sql, sql, TENANT } from "../../../platform/database/sql.js";
import {
  inReach,
  one,
  page,
  type PageArgs,
  type PageRead,
  polled,
  positionOr,
  projection,
  REACHABLE,
  type Read,
  time,
} from "../../../platform/database/statements.js";
import { OUTCOMES, RATINGS_BY_MONTH } from "../../../platform/outcomes/outcomes.queries.js";
import type { CsatRatingDto, Group } from "./ratings.dto.js";

/** How often a value was counted. `group` is null for what is counted for the total alone. */
export interface Counted {
  group: string | null;
  metric: "csat" | "csat_asked";
  scale: number;
  value: number;
  count: number;
}

/**
 * Whole months, from `monthsFrom` to before `monthsEnd`, and the days before and after them: `from` to `headTo`,
 * `tailFrom` to `to`. Each of the three may be empty.
 */
export interface Period {
  from: string;
  headTo: string;
  monthsFrom: string;
  monthsEnd: string;
  tailFrom: string;
  to: string;
}
interface StatisticsArgs extends Period {
  workspaceId?: string;
  /** The entity types whose counts are read. */
  types: readonly string[];
  /** Only this entity. */
  entityId?: string;
}

const since = (unit: string): Sql => sql`date_trunc(${literal(unit)}, o.day::timestamp)::date`;
const ENTITY = sql`case when o.entity_type = 'workspace' then null else o.entity_id end`;
const KEY: Record<Group, Sql> = {
  workspace: sql`w.id`,
  channel: ENTITY,
  member: ENTITY,
  agent: ENTITY,
  day: sql`o.day`,
  week: since("week"),
  month: since("month"),
};

/** Where a period is counted: months as far as they are whole, otherwise days. */
const sources = (
  group: Group,
  { from, headTo, monthsFrom, monthsEnd, tailFrom, to }: Parameters<StatisticsArgs>,
): { table: Sql; days: Sql }[] =>
  group === "day" || group === "week"
    ? [{ table: OUTCOMES, days: sql`o.day between ${from}::date and ${to}::date` }]
    : [
        { table: OUTCOMES, days: sql`o.day between ${from}::date and ${headTo}::date` },
        { table: RATINGS_BY_MONTH, days: sql`o.day >= ${monthsFrom}::date and o.day < ${monthsEnd}::date` },
        { table: OUTCOMES, days: sql`o.day between ${tailFrom}::date and ${to}::date` },
      ];

type Statistics = Read<StatisticsArgs, { rows: Counted[] }>;

/** Reads counts, so that it does not depend on the number of ratings. Each workspace is read from the index by itself. */
const statistics = (group: Group, ofEntity: boolean): Statistics =>
  one<{ rows: Counted[] }, StatisticsArgs>(
    `csat.statistics ${group}${ofEntity ? " of entity" : ""}`,
    "restricted",
    (parameters) => {
      const { workspaceId, types, entityId } = parameters;
      const counts = sources(group, parameters).map(
        ({ table, days }) => sql`
          select ${KEY[group]} as "group", o.metric, o.scale, o.value, sum(o.total) as total
          from ${table} o
          where o.workspace_id = w.id and o.metric in ('csat', 'csat_asked')
            and o.entity_type = any(${types}::text[])${ofEntity ? sql` and o.entity_id = ${entityId}` : sql``}
            and ${days}
          group by 1, 2, 3, 4`,
      );
      return sql`
        with reached as materialized (
          select w.id from workspace w
          where ${REACHABLE} and (${workspaceId}::uuid is null or w.id = ${workspaceId})
        ), counted as (
          select c."group"::text, c.metric, c.scale, c.value, sum(c.total) as count
          from reached w cross join lateral (${joined(counts, " union all ")}) c
          group by c."group", c.metric, c.scale, c.value having sum(c.total) <> 0
        )
        select (select coalesce(json_agg(row_to_json(c)), '[]') from counted c) as rows
        where ${workspaceId}::uuid is null or exists (select from reached)`;
    },
  );

const byGroup = (ofEntity: boolean): Record<Group, Statistics> =>
  Object.fromEntries((Object.keys(KEY) as Group[]).map((group) => [group, statistics(group, ofEntity)])) as Record<
    Group,
    Statistics
  >;
export const STATISTICS = byGroup(false);
export const STATISTICS_OF_ENTITY = byGroup(true);

/** An answered survey `r`. */
export const RATING = projection<CsatRatingDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  conversationId: sql`r.conversation_id`,
  score: sql`r.score`,
  scale: sql`r.scale`,
  comment: sql`r.comment`,
  question: sql`r.question`,
  channelId: sql`r.channel_id`,
  memberId: sql`r.member_id`,
  agentIds: sql`r.agent_ids`,
  kbEntryIds: sql`r.kb_entry_ids`,
  askedAt: time(sql`r.asked_at`),
  ratedAt: time(sql`r.rated_at`),
});

interface RatingFilters {
  workspaceId?: string;
  conversationId?: string;
  from?: string;
  to?: string;
  maxScore?: number;
}
type RatingPage = PageRead<RatingFilters & PageArgs, CsatRatingDto>;

/** @param rows given the conditions on a survey `s`, and its order and limit */
const ratings = (
  name: string,
  rows: (filters: Parameters<RatingFilters>, conditions: Sql, order: Sql) => Sql,
): RatingPage =>
  polled(
    page<CsatRatingDto, RatingFilters>(name, "restricted", (parameters) => {
      const { workspaceId, from, to, maxScore, limit, after0, after1 } = parameters;
      const conditions = sql`
        s.rated_at is not null
        and (${from}::timestamptz is null or s.rated_at >= ${from}::timestamptz)
        and (${to}::timestamptz is null or s.rated_at < ${to}::timestamptz)
        and (${maxScore}::int is null or s.score <= ${maxScore}::int)
        and (s.rated_at, s.id) < (${positionOr(after0, "infinity")}, ${after1}::uuid)`;
      const order = sql`order by s.rated_at desc, s.id desc limit ${limit} + 1`;
      return {
        list: "csat.ratings",
        rows: rows(parameters, conditions, order),
        position: [sql`r.rated_at`, sql`r.id`],
        item: RATING,
        visible: sql`
          ${workspaceId}::uuid is null
          or exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
      };
    }),
  );

/** Newest first. Each of the two walks its own index backwards. */
export const LIST_RATINGS = ratings(
  "csatRatings.list",
  ({ workspaceId, conversationId }, conditions, order) => sql`
    select s.* from workspace w
    cross join lateral (
      select s.* from csat_survey s
      where s.tenant_id = ${TENANT} and s.workspace_id = w.id and ${conditions}
      ${order}
    ) s
    where ${REACHABLE} and (${workspaceId}::uuid is null or w.id = ${workspaceId}) and ${conversationId}::uuid is null
    ${order}`,
);
export const LIST_RATINGS_OF_CONVERSATION = ratings(
  "csatRatings.listOfConversation",
  ({ workspaceId, conversationId }, conditions, order) => sql`
    select s.* from csat_survey s
    where s.tenant_id = ${TENANT} and s.conversation_id = ${conversationId}
      and (${workspaceId}::uuid is null or s.workspace_id = ${workspaceId}) and ${inReach("s")} and ${conditions}
    ${order}`,
);
