import { RRuleTemporal } from "rrule-temporal";
import type { Zone } from "./time-zones.js";

/** What a rule may cost: about half a second at the very most. */
const MOST_ITERATIONS = 5_000;
const MOST_CANDIDATES = 10_000;
const DAY_MS = 86_400_000;
/** Of hours, minutes and seconds of one day that a rule names. */
const MOST_TIMES_A_DAY = 96;
const FREQUENCIES = /(?:^|;)FREQ=(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY)(?:;|$)/;

/**
 * The times of a recurrence rule between two, on the clock of its zone; a rule that says more than a person would write is not worked out. The rule
 * goes by what the clock shows, so that changes of the clocks are the zone's matter alone.
 * @throws Error where it cannot be worked out, or only at too much cost
 */
export function occurrences(rule: string, start: number, from: number, to: number, zone: Zone): number[] {
  if (!FREQUENCIES.test(rule)) throw new Error("a rule without a usual frequency");
  const times = ["BYHOUR", "BYMINUTE", "BYSECOND"].reduce(
    (product, name) => product * (new RegExp(`${name}=([^;]*)`).exec(rule)?.[1]?.split(",").length ?? 1),
    1,
  );
  if (times > MOST_TIMES_A_DAY) throw new Error("a rule with too many times a day");
  // An end is an instant, or a time or a day of the series' own clock.
  const until = rule.replace(
    /UNTIL=(\d{8})(?:T(\d{6})(Z?))?/,
    (_, day: string, time: string | undefined, utc: string | undefined) => {
      const clock = Date.parse(
        `${day.replace(/(\d{4})(\d\d)(\d\d)/, "$1-$2-$3")}T${(time ?? "235959").replace(/(\d\d)(\d\d)(\d\d)/, "$1:$2:$3")}Z`,
      );
      return `UNTIL=${stamp(utc ? zone.clock(clock) : clock)}`;
    },
  );
  // More times than there can be until then need not be counted, which would mean to go through all of them.
  const most = (Math.max(to - start, 0) / DAY_MS + 2) * (rule.includes("FREQ=HOURLY") ? 24 : 1) * times;
  const counted = until
    .replace(/;?COUNT=(\d+)/, (part, count: string) => (Number(count) > most ? "" : part))
    .replace(/^;/, "");
  const series = new RRuleTemporal({
    rruleString: `DTSTART:${stamp(start)}\nRRULE:${counted}`,
    maxIterations: MOST_ITERATIONS,
    maxCandidateEvaluations: MOST_CANDIDATES,
    includeDtstart: true,
    cache: false,
  });
  return series.between(new Date(from), new Date(to), true).map(({ epochMilliseconds }) => epochMilliseconds);
}

const stamp = (clock: number): string => new Date(clock).toISOString().replace(/[-:]|\.\d+/g, "");
