import type { Zone } from "../../calendar/ics/time-zones.js";
import { dayAfter } from "../../platform/http/days.js";
import type { ReportInterval } from "./report-names.js";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** From `start` to before `end`, in milliseconds. */
export interface Span {
  start: number;
  end: number;
}
export interface Period {
  whole: Span;
  /** As many days before it. */
  previous: Span;
  /** Without gaps. The first and the last may be cut off by the period. */
  intervals: Span[];
  /** For each interval, the same days or hours of the previous period. */
  previousIntervals: Span[];
}

const clock = (day: string): number => Date.parse(`${day}T00:00:00Z`);
export const daysOf = (from: string, to: string): number => (clock(to) - clock(from)) / DAY_MS + 1;

/** Days are from midnight to midnight in the zone, so they may have 23 or 25 hours. @param to the last day */
export function periodOf(from: string, to: string, interval: ReportInterval, zone: Zone): Period {
  const days = daysOf(from, to);
  const midnight = (day: string): number => zone.instant(clock(day));
  const whole = { start: midnight(from), end: midnight(dayAfter(to, 1)) };
  const previous = { start: midnight(dayAfter(from, -days)), end: whole.start };
  if (interval === "hour") return { whole, previous, intervals: hours(whole), previousIntervals: hours(previous) };
  const firsts = Array.from({ length: days }, (_, n) => dayAfter(from, n)).filter(
    (day, n) => n === 0 || isFirst(day, interval),
  );
  const edges = [...firsts, dayAfter(to, 1)];
  const between = (shift: number): Span[] =>
    firsts.map((day, n) => ({
      start: midnight(dayAfter(day, -shift)),
      end: midnight(dayAfter(edges[n + 1]!, -shift)),
    }));
  return { whole, previous, intervals: between(0), previousIntervals: between(days) };
}

/** Hours of sixty minutes: a clock that is changed skips one, or shows one twice. */
const hours = ({ start, end }: Span): Span[] =>
  Array.from({ length: Math.ceil((end - start) / HOUR_MS) }, (_, n) => ({
    start: start + n * HOUR_MS,
    end: Math.min(end, start + (n + 1) * HOUR_MS),
  }));

/** Weeks begin on Monday. */
function isFirst(day: string, interval: ReportInterval): boolean {
  if (interval === "week") return new Date(clock(day)).getUTCDay() === 1;
  return interval === "day" || day.endsWith("-01");
}
