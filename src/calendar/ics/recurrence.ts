import { RRuleTemporal } from "rrule-temporal";
import type { ExpansionBudget } from "./expansion-budget.js";
import type { Zone } from "./time-zones.js";

/** These limits keep a rule without times in the window below about half a second. */
const MAX_ITERATIONS = 5_000;
const MAX_CANDIDATES = 10_000;
const DAY_MS = 86_400_000;
const TIMES = [/BYHOUR=([^;]*)/, /BYMINUTE=([^;]*)/, /BYSECOND=([^;]*)/];
/** How often a day a rule may apply. */
const MAX_TIMES_A_DAY = 48;
/** Longer than what any program writes. */
const MAX_RULE_LENGTH = 1_000;
const FREQUENCIES = /(?:^|;)FREQ=(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY)(?:;|$)/;

/**
 * The times of a recurrence rule between `from` and `to`, all on the clock of the zone: the rule follows the clock, and
 * the zone converts. Rules that are more complex than a person would write are refused.
 * @throws Error: the rule cannot be computed, or at too high a cost
 */
export function occurrences(
  rule: string,
  start: number,
  from: number,
  to: number,
  zone: Zone,
  budget: ExpansionBudget,
): number[] {
  budget.spendRule();
  if (rule.length > MAX_RULE_LENGTH) throw new Error("a rule that is too long");
  if (!FREQUENCIES.test(rule)) throw new Error("a rule without a usual frequency");
  const timesADay = TIMES.reduce(
    (product, pattern) => product * (pattern.exec(rule)?.[1]?.split(",").length ?? 1),
    rule.includes("FREQ=HOURLY") && !rule.includes("BYHOUR=") ? 24 : 1,
  );
  if (timesADay > MAX_TIMES_A_DAY) throw new Error("a rule with too many times a day");
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
  const maxTimes = (Math.max(to - start, 0) / DAY_MS + 2) * timesADay;
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
  const times = series.between(new Date(from), new Date(to), true).map(({ epochMilliseconds }) => epochMilliseconds);
  budget.spendTimes(times.length);
  return times;
}

const stamp = (clock: number): string => new Date(clock).toISOString().replace(/[-:]|\.\d+/g, "");
