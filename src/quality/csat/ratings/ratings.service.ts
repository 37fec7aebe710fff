import { BadRequestException, Injectable } from "@nestjs/common";
import type { Caller } from "../../../platform/caller/caller.js";
import { Database } from "../../../platform/database/database.js";
import { assertPeriod, dayAfter, today } from "../../../platform/http/days.js";
import { Json, type Page } from "../../../platform/http/json.js";
import { summarize } from "../score-summary.js";
import type {
  CsatFiguresDto,
  CsatQueryDto,
  CsatRatingDto,
  CsatStatisticsDto,
  Group,
  ListRatingsDto,
} from "./ratings.dto.js";
import {
  type Counted,
  type Period,
  LIST_RATINGS,
  LIST_RATINGS_OF_CONVERSATION,
  STATISTICS,
  STATISTICS_OF_ENTITY,
} from "./ratings.queries.js";

const MAX_DAYS = 732;
const DEFAULT_DAYS = 30;
const TIMES: readonly Group[] = ["day", "week", "month"];
const FILTERS = { channelId: "channel", memberId: "member", agentId: "agent" } as const;

/** The answers of contacts to surveys. */
@Injectable()
export class RatingsService {
  constructor(private readonly db: Database) {}

  /** Newest first. */
  list(caller: Caller, { limit = 25, cursor, ...filters }: ListRatingsDto): Promise<Json<Page<CsatRatingDto>>> {
    return this.db.page(
      caller,
      filters.conversationId === undefined ? LIST_RATINGS : LIST_RATINGS_OF_CONVERSATION,
      filters,
      {
        limit,
        cursor,
      },
    );
  }

  /** @throws BadRequestException (invalid or too many days, filters that are not counted together), NotFoundException (the workspace) */
  async statistics(
    caller: Caller,
    { workspaceId, groupBy = "workspace", ...query }: CsatQueryDto,
  ): Promise<Json<CsatStatisticsDto>> {
    const to = query.to ?? today();
    // An invalid day is left for assertPeriod to refuse.
    const from = query.from ?? (Number.isNaN(Date.parse(to)) ? to : dayAfter(to, 1 - DEFAULT_DAYS));
    assertPeriod({ from, to }, MAX_DAYS);
    const { type, entityId } = entityOf(groupBy, query);
    const types = type === "workspace" && isEntity(groupBy) ? [type, groupBy] : [type];
    const { rows } = (
      await this.db.read(caller, (entityId === undefined ? STATISTICS : STATISTICS_OF_ENTITY)[groupBy], {
        workspaceId,
        ...periodOf(from, to),
        types,
        entityId,
      })
    ).parse();
    const byGroup = new Map<string | null, Counted[]>();
    for (const row of rows) byGroup.set(row.group, [...(byGroup.get(row.group) ?? []), row]);
    const groups = [...byGroup].flatMap(([group, of]) => (group === null ? [] : [{ group, ...figures(of) }]));
    groups.sort((a, b) => (TIMES.includes(groupBy) ? 0 : b.answered - a.answered) || (a.group < b.group ? -1 : 1));
    return Json.of<CsatStatisticsDto>({
      from,
      to,
      groupBy,
      total: figures(types.length === 1 ? rows : (byGroup.get(null) ?? [])),
      groups,
    });
  }
}

/** Splits a period into whole months and the days before and after them. */
function periodOf(from: string, to: string): Period {
  const monthsFrom = from.endsWith("-01") ? from : firstOfMonth(dayAfter(firstOfMonth(from), 31));
  const monthsEnd = firstOfMonth(dayAfter(to, 1));
  return monthsFrom < monthsEnd
    ? { from, headTo: dayAfter(monthsFrom, -1), monthsFrom, monthsEnd, tailFrom: monthsEnd, to }
    : { from, headTo: to, monthsFrom, monthsEnd: monthsFrom, tailFrom: dayAfter(to, 1), to };
}
const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`;

const isEntity = (group: Group): boolean => Object.values<Group>(FILTERS).includes(group);

/**
 * The entity whose counts are read. Each survey is counted for its workspace, channel, member and agents, and not for two
 * of them together.
 */
function entityOf(groupBy: Group, query: Pick<CsatQueryDto, keyof typeof FILTERS>): { type: Group; entityId?: string } {
  const given = (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).filter((name) => query[name] !== undefined);
  if (!given.length) return { type: "workspace" };
  const [name, other] = given as [keyof typeof FILTERS, keyof typeof FILTERS | undefined];
  if (other)
    throw new BadRequestException(`Only one of channelId, memberId and agentId can be given, not ${name} and ${other}`);
  const type = FILTERS[name];
  if (isEntity(groupBy) && groupBy !== type)
    throw new BadRequestException(
      `groupBy must not be ${groupBy} where ${name} is given: surveys are not counted by both`,
    );
  return { type, entityId: query[name]!.toLowerCase() };
}

function figures(rows: readonly Counted[]): CsatFiguresDto {
  const asked = rows.reduce((sum, { metric, count }) => sum + (metric === "csat_asked" ? count : 0), 0);
  const tallies = new Map<string, { score: number; scale: number; count: number }>();
  for (const { metric, scale, value: score, count } of rows) {
    if (metric === "csat")
      tallies.set(`${scale} ${score}`, { score, scale, count: count + (tallies.get(`${scale} ${score}`)?.count ?? 0) });
  }
  const { answered, ...rest } = summarize([...tallies.values()]);
  return { asked, answered, responseRate: asked === 0 ? null : Math.min(1, answered / asked), ...rest };
}
