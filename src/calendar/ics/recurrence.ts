import { RRuleTemporal } from "rrule-temporal";
import type { Zone } from "./time-zones.js";

/** These limits keep a rule below about half a second. */
const MAX_ITERATIONS = 5_000;
const MAX_CANDIDATES = 10_000;
const DAY_MS = 86_400_000;
/** Combinations of BYHOUR, BYMINUTE and BYSECOND in a rule. */
const MAX_TIMES_A_DAY = 96;
const FREQUENCIES = /(?:^|;)FREQ=(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY)(?:;|$)/;

/**
 * The times of a recurrence rule between `from` and `to`, all on the clock of the zone: the rule follows the clock, and
 * the zone converts. Rules that are more complex than a person would write are refused.
 * @throws Error: the rule cannot be computed, or at too high a cost
 */
export function occurrences(rule: string, start: number, from: number, to: number, zone: Zone): number[] {
  if (!FREQUENCIES.test(rule)) throw new Error("a rule without a usual frequency");
  const times = ["BYHOUR", "BYMINUTE", "BYSECOND"].reduce(
    (product, name) => product * (new RegExp(`${name}=([^;]*)`).exec(rule)?.[1]?.split(",").length ?? 1),
    1,
  );
  if (times > MAX_TIMES_A_DAY) throw new Error("a rule with too many times a day");
  // UNTIL is an instant, or a time or a day on the series' own clock.
  const until = rule.replace(
    /UNTIL=(\d{8})(?:T(\d{6})(Z?))?/,
    (_, day: string, time: string | undefined, utc: string | undefined) => {
      const clock = Date.parse(
        `${day.replace(/(\d{4})(\d\d)(\d\d)/, "$1-$2-$3")}T${(time ?? "235959").replace(/(\d\d)(\d\d)(\d\d)/, "$1:$2:$3")}Z`,
      );
      return `UNTIL=${stamp(utc ? zone.clock(clock) : clock)}`;
    },
  );
  // Counting would walk through every time. A COUNT that cannot be reached before `to` is dropped.
  const maxTimes = (Math.max(to - start, 0) / DAY_MS + 2) * (rule.includes("FREQ=HOURLY") ? 24 : 1) * times;
  const counted = until
    .replace(/;?COUNT=(\d+)/, (part, count: string) => (Number(count) > maxTimes ? "" : part))
    .replace(/^;/, "");
  const series = new RRuleTemporal({
    rruleString: `DTSTART:${stamp(start)}\nRRULE:${counted}`,
    maxIterations: MAX_ITERATIONS,
    maxCandidateEvaluations: MAX_CANDIDATES,
    includeDtstart: true,
    cache: false,
  });
  return series.between(new Date(from), new Date(to), true).map(({ epochMilliseconds }) => epochMilliseconds);
}

const stamp = (clock: number): string => new Date(clock).toISOString().replace(/[-:]|\.\d+/g, "");
