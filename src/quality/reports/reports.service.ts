import { BadRequestException, Injectable } from "@nestjs/common";
import { ianaZone, type Zone } from "../../calendar/ics/time-zones.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { assertPeriod, dayAfter } from "../../platform/http/days.js";
import { Json } from "../../platform/http/json.js";
import { figuresOf } from "./figures.js";
import { daysOf, type Period, periodOf, type Span } from "./period.js";
import { PACKED, PACKED_GROUPS, type PackedGroup } from "./report-days.js";
import type { DayKind } from "./report-days.entity.js";
import { daysStatement } from "./report-days.queries.js";
import { NO_GROUP, type ReportGroup, type ReportName } from "./report-names.js";
import { NAME_OF, type NamedGroup } from "./report-sources.js";
import type { ReportDto, ReportFiguresDto, ReportGroupDto, ReportQueryDto, ReportTimeDto } from "./reports.dto.js";
import { type Grouping, namesStatement, ZONE_OF } from "./reports.queries.js";
import {
  byDay,
  byHourOfWeek,
  byKey,
  type Day,
  type GroupsOf,
  readDays,
  type Tallied,
  type Tally,
  tally,
  tallyOf,
  type Times,
} from "./tally.js";

export const MAX_DAYS = 400;
const MAX_DAYS_BY_HOUR = 31;
const DEFAULT_DAYS = 30;
const MAX_GROUPS = 500;
/** No day comes after it. */
const LAST_DAY = "9999-12-31";

/** @throws BadRequestException */
export function zoneNamed(name: string): Zone {
  const zone = ianaZone(name);
  if (!zone) throw new BadRequestException("timeZone must be an IANA time zone, such as Europe/Berlin");
  return zone;
}

/** What a report is grouped by. @throws BadRequestException */
export function groupingOf(report: ReportName, groupBy: ReportGroup | undefined): Grouping {
  if (groupBy === "reason" && report !== "hand-over")
    throw new BadRequestException("Only hand-over is grouped by reason");
  if (report !== "busiest-hours") return groupBy;
  if (groupBy !== undefined)
    throw new BadRequestException("busiest-hours takes no groupBy: its groups are the hours of the week");
  return "hourOfWeek";
}

@Injectable()
export class ReportsService {
  constructor(private readonly db: Database) {}

  /** @throws BadRequestException (days, time zone, grouping), NotFoundException (the workspace) */
  async get(caller: Caller, report: ReportName, query: ReportQueryDto): Promise<Json<ReportDto>> {
    const { workspaceId, interval = "day", groupBy } = query;
    const grouping = groupingOf(report, groupBy);
    const timeZone = query.timeZone ?? (await this.zoneOf(caller, workspaceId));
    const zone = zoneNamed(timeZone);
    const to = query.to ?? dayOf(zone.clock(Date.now()));
    // An invalid day is left for assertPeriod to refuse.
    const from = query.from ?? (Number.isNaN(Date.parse(to)) ? to : dayAfter(to, 1 - DEFAULT_DAYS));
    assertPeriod({ from, to }, MAX_DAYS);
    if (interval === "hour" && daysOf(from, to) > MAX_DAYS_BY_HOUR)
      throw new BadRequestException(
        `by hour, from and to must be at most ${MAX_DAYS_BY_HOUR} days apart, both included`,
      );
    const period = periodOf(from, to, interval, zone);
    const counted = await this.count(caller, report, { grouping, workspaceId, zone, period });
    const groups =
      grouping && grouping !== "hourOfWeek" ? await this.named(caller, grouping, counted.groups) : counted.groups;
    const [start, end] = edges(period.whole);
    return Json.of<ReportDto>({ report, from, to, timeZone, interval, start, end, ...counted, groups });
  }

  private async zoneOf(caller: Caller, workspaceId: string | undefined): Promise<string> {
    if (workspaceId === undefined) return "UTC";
    return (await this.db.read(caller, ZONE_OF, { workspaceId })).parse().timeZone;
  }

  private async count(caller: Caller, report: ReportName, about: About): Promise<Counted> {
    const { grouping, workspaceId, zone, period } = about;
    const { intervals, previousIntervals, previous, whole } = period;
    const isBacklog = report === "backlog";
    const statement = daysStatement(report, isPacked(grouping) ? grouping : undefined);
    const times = {
      edges: [...previousIntervals, ...intervals]
        .map(({ start }) => start)
        .concat(whole.end, isBacklog ? Infinity : []),
      parts: [...previousIntervals.map(() => 0), ...intervals.map(() => 1), ...(isBacklog ? [2] : [])],
    };
    const groupsOf = grouping && GROUPS_OF[grouping](zone);
    const args = {
      workspaceId,
      first: dayOf(previous.start),
      last: isBacklog ? LAST_DAY : dayOf(whole.end - 1),
    };
    return this.db.records(caller, statement, args, (bytes) => {
      const days = readDays(bytes);
      return isBacklog ? openAt(days, times, about, groupsOf) : happened(report, days, times, about, groupsOf);
    });
  }

  private async named(caller: Caller, grouping: ReportGroup, groups: ReportGroupDto[]): Promise<ReportGroupDto[]> {
    const keys = groups.map(({ group }) => group).filter((group) => group !== NO_GROUP);
    if (!keys.length || !hasNames(grouping)) return groups;
    const found = (await this.db.read(caller, namesStatement(grouping), { keys })).parse();
    const names = new Map(found.map(({ key, name }) => [key, name]));
    return groups.map((group) => ({ ...group, name: names.get(group.group) ?? null }));
  }
}

interface About {
  grouping: Grouping;
  workspaceId: string | undefined;
  zone: Zone;
  period: Period;
}
type Counted = Pick<ReportDto, "total" | "previous" | "intervals" | "groups">;

const hasNames = (grouping: ReportGroup): grouping is NamedGroup => grouping in NAME_OF;
const isPacked = (grouping: Grouping): grouping is PackedGroup => PACKED_GROUPS.some((group) => group === grouping);

const GROUPS_OF: Record<NonNullable<Grouping>, (zone: Zone) => GroupsOf> = {
  workspace: () => byDay(({ workspaceId }) => workspaceId),
  brand: () => byDay(({ brandId }) => brandId),
  channel: () => byKey,
  member: () => byKey,
  label: () => byKey,
  resolution: () => byKey,
  handledBy: () => byKey,
  reason: () => byKey,
  hourOfWeek: byHourOfWeek,
};

/** What happened in each of the times. */
function happened(
  report: Exclude<ReportName, "backlog">,
  days: Iterable<Day>,
  times: Times,
  { grouping, period }: About,
  groupsOf?: GroupsOf,
): Counted {
  const packed = PACKED[report];
  const figures = (tallied: Tally): ReportFiguresDto => figuresOf(tallied, packed.shared === true);
  const { parts, times: each, groups } = tally(days, times, packed, figures, groupsOf);
  const before = period.previousIntervals.length;
  return {
    total: parts[1]!,
    previous: parts[0]!,
    intervals: period.intervals.map((span, n) => ({ ...spanOf(span), ...each[before + n]!, previous: each[n]! })),
    groups: largest([...groups].map(([key, [before, during]]) => [key, during!, before!])).map(
      ([key, during, previous]) => ({ ...named(grouping, key), ...during, previous }),
    ),
  };
}

const EVER: Times = { edges: [-Infinity, Infinity], parts: [0] };

/** What is open now, less what was opened since each time, and with what was closed since. */
function openAt(days: Iterable<Day>, times: Times, { grouping, period }: About, groupsOf?: GroupsOf): Counted {
  const counted = (kind: DayKind, over: Times): Tallied<Pick<Tally, "count">> =>
    tally(days, over, { kind, flags: 0 }, (tallied) => tallied, groupsOf);
  const [open, opened, closed] = [counted("open", EVER), counted("opened", times), counted("closed", times)];
  let left = open.parts[0]!.count;
  const ends: ReportFiguresDto[] = [];
  for (let n = times.parts.length - 1; n > 0; n--) {
    left += closed.times[n]!.count - opened.times[n]!.count;
    ends[n - 1] = plain(left);
  }
  const during = (key: string | null, part: number): number =>
    (closed.groups.get(key)?.[part]?.count ?? 0) - (opened.groups.get(key)?.[part]?.count ?? 0);
  const groups = [...new Set([...open.groups.keys(), ...opened.groups.keys(), ...closed.groups.keys()])].map((key) => {
    const count = (open.groups.get(key)?.[0]?.count ?? 0) + during(key, 2);
    return [key, { count }, { count: count + during(key, 1) }] as const;
  });
  const before = period.previousIntervals.length;
  return {
    total: ends.at(-1)!,
    previous: ends[before - 1]!,
    intervals: period.intervals.map((span, n) => ({ ...spanOf(span), ...ends[before + n]!, previous: ends[n]! })),
    groups: groupsOf
      ? largest(groups).map(([key, now, then]) => ({
          ...named(grouping, key),
          ...plain(now.count),
          previous: plain(then.count),
        }))
      : [],
  };
}

/** At most so many groups: the largest. */
function largest<T extends { count: number }>(
  groups: readonly (readonly [key: string | null, now: T, before: T])[],
): (readonly [key: string | null, now: T, before: T])[] {
  return groups
    .filter(([, { count }]) => count > 0)
    .sort(([key, a], [other, b]) => b.count - a.count || compare(key, other))
    .slice(0, MAX_GROUPS);
}
/** What has no value comes last. */
function compare(key: string | null, other: string | null): number {
  if (key === null || other === null) return Number(key === null) - Number(other === null);
  return key < other ? -1 : 1;
}

/** A label is its own name. Other names are read. */
const named = (grouping: Grouping, key: string | null): Pick<ReportGroupDto, "group" | "name"> => ({
  group: key ?? NO_GROUP,
  name: grouping === "label" ? key : null,
});
const plain = (count: number): ReportFiguresDto => figuresOf(tallyOf(count), false);

const iso = (time: number): string => new Date(time).toISOString();
const dayOf = (clock: number): string => iso(clock).slice(0, 10);
const edges = ({ start, end }: Span): [string, string] => [iso(start), iso(end)];
const spanOf = (span: Span): Pick<ReportTimeDto, "start" | "end"> => ({ start: iso(span.start), end: iso(span.end) });
