import { BadRequestException, Injectable } from "@nestjs/common";
import { ianaZone, type Zone } from "../../calendar/ics/time-zones.js";
import type { Caller } from "../../platform/caller/caller.js";
import { Database } from "../../platform/database/database.js";
import { assertPeriod, dayAfter } from "../../platform/http/days.js";
import { Json } from "../../platform/http/json.js";
import { figuresOf, tallyOf } from "./figures.js";
import { daysOf, type Period, periodOf, type Span } from "./period.js";
import { NO_GROUP, type ReportGroup, type ReportName } from "./report-names.js";
import { SOURCES } from "./report-sources.js";
import type { ReportDto, ReportFiguresDto, ReportGroupDto, ReportQueryDto, ReportTimeDto } from "./reports.dto.js";
import {
  type CountArgs,
  type Counted,
  countStatement,
  type Grouping,
  OPEN_CHANGES,
  openStatement,
  ZONE_OF,
} from "./reports.queries.js";

export const MAX_DAYS = 400;
const MAX_DAYS_BY_HOUR = 31;
const DEFAULT_DAYS = 30;

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
    const about = { workspaceId, timeZone };
    const [times, groups] = await Promise.all([
      report === "backlog" ? this.backlog(caller, about, period) : this.times(caller, report, about, period),
      grouping ? this.groups(caller, report, grouping, about, period) : [],
    ]);
    const [start, end] = edges(period.whole);
    return Json.of<ReportDto>({ report, from, to, timeZone, interval, start, end, ...times, groups });
  }

  private async zoneOf(caller: Caller, workspaceId: string | undefined): Promise<string> {
    if (workspaceId === undefined) return "UTC";
    return (await this.db.read(caller, ZONE_OF, { workspaceId })).parse().timeZone;
  }

  private async times(caller: Caller, report: ReportName, about: About, period: Period): Promise<Times> {
    const { intervals, previousIntervals } = period;
    const statement = countStatement(report, undefined);
    const rows = await this.count(caller, statement, about, [...intervals, ...previousIntervals]);
    const byTime = new Map(rows.map((row) => [row.time, row]));
    const at = (...times: number[]): ReportFiguresDto =>
      figures(
        report,
        times.flatMap((time) => byTime.get(time) ?? []),
      );
    return {
      total: at(...intervals.keys()),
      previous: at(...previousIntervals.map((_, n) => n + intervals.length)),
      intervals: intervals.map((span, n) => ({ ...times(span), ...at(n), previous: at(n + intervals.length) })),
    };
  }

  /** Counts what is open at the end, and goes back from there: that reads the least. */
  private async backlog(caller: Caller, about: About, period: Period): Promise<Times> {
    const { intervals, previousIntervals, whole } = period;
    const [open, changes] = await Promise.all([
      this.count(caller, openStatement(undefined), about, [whole]),
      this.count(caller, OPEN_CHANGES, about, [...previousIntervals, ...intervals]),
    ]);
    const byTime = new Map(changes.map(({ time, count }) => [time, count]));
    let left = open[0]?.count ?? 0;
    const ends: ReportFiguresDto[] = [];
    for (let n = previousIntervals.length + intervals.length - 1; n >= 0; n--) {
      ends[n] = counted(left);
      left -= byTime.get(n) ?? 0;
    }
    const before = previousIntervals.length;
    return {
      total: ends.at(-1)!,
      previous: ends[before - 1]!,
      intervals: intervals.map((span, n) => ({ ...times(span), ...ends[before + n]!, previous: ends[n]! })),
    };
  }

  private async groups(
    caller: Caller,
    report: ReportName,
    grouping: NonNullable<Grouping>,
    about: About,
    { whole, previous }: Period,
  ): Promise<ReportGroupDto[]> {
    const statement = report === "backlog" ? openStatement(grouping) : countStatement(report, grouping);
    const rows = await this.count(caller, statement, about, [whole, previous]);
    const before = new Map(rows.filter(({ time }) => time === 1).map((row) => [row.key, row]));
    return rows
      .filter(({ time }) => time === 0)
      .map((row) => {
        const earlier = before.get(row.key);
        return {
          group: row.key ?? NO_GROUP,
          name: row.name,
          ...figures(report, [row]),
          previous: figures(report, earlier ? [earlier] : []),
        };
      });
  }

  private async count(
    caller: Caller,
    statement: ReturnType<typeof countStatement>,
    about: About,
    spans: readonly Span[],
  ): Promise<Counted[]> {
    const args: CountArgs = {
      ...about,
      starts: spans.map(({ start }) => iso(start)),
      ends: spans.map(({ end }) => iso(end)),
    };
    return (await this.db.read(caller, statement, args)).parse().rows;
  }
}

type About = Pick<CountArgs, "workspaceId" | "timeZone">;
type Times = Pick<ReportDto, "total" | "previous" | "intervals">;

const figures = (report: ReportName, rows: readonly Counted[]): ReportFiguresDto =>
  figuresOf(tallyOf(rows), SOURCES[report].good !== undefined);
const counted = (count: number): ReportFiguresDto => figuresOf({ count, good: 0, seconds: [] }, false);

const iso = (time: number): string => new Date(time).toISOString();
const dayOf = (clock: number): string => iso(clock).slice(0, 10);
const edges = ({ start, end }: Span): [string, string] => [iso(start), iso(end)];
const times = (span: Span): Pick<ReportTimeDto, "start" | "end"> => ({ start: iso(span.start), end: iso(span.end) });
