/** The share of windows in which a stable entity at its threshold trips by chance, at most, however often it is judged. */
const MAX_FALSE_TRIPS = 1 / 1_000;
const TABLE_SIZE = 1_024;

export interface BreakerThreshold {
  /** The highest share of bad outcomes that is accepted, 0 to 1, both excluded. */
  threshold: number;
  /** Days that count, including today. */
  windowDays: number;
  /** With fewer outcomes nothing trips. */
  minimumSample: number;
}
/** The newest days, as many as give the strongest evidence. */
export interface Finding {
  days: number;
  total: number;
  bad: number;
  low: number;
}

const lnFactorials = new Float64Array(TABLE_SIZE);
for (let n = 2; n < TABLE_SIZE; n++) lnFactorials[n] = lnFactorials[n - 1]! + Math.log(n);
/** Beyond the table Stirling's series is exact to the last digits of a double. */
const lnFactorial = (n: number): number =>
  n < TABLE_SIZE
    ? lnFactorials[n]!
    : (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);

/**
 * How much better any other share explains the outcomes than `threshold` does, as a logarithm (Robbins' mixture, uniform
 * over all shares). If the true share is `threshold`, its exponential is a martingale that starts at 1. Ville's inequality
 * bounds the probability that it ever reaches 1/α, at any look, by α. If the true share is lower, it is less probable still.
 */
export const evidence = (total: number, bad: number, threshold: number): number =>
  lnFactorial(bad) +
  lnFactorial(total - bad) -
  lnFactorial(total + 1) -
  bad * Math.log(threshold) -
  (total - bad) * Math.log1p(-threshold);

/** Each day of a window begins a count of its own. The allowed false trips are shared equally among them (union bound). */
const needed = (windowDays: number): number => Math.log(windowDays / MAX_FALSE_TRIPS);

/** A lower bound of the true share that holds at all looks together: the highest threshold that the outcomes still trip. */
export function lowerBound(total: number, bad: number, windowDays: number): number {
  let [low, high] = [0, bad / total];
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2;
    if (evidence(total, bad, middle) >= needed(windowDays)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Whether the share of bad outcomes is above the threshold. Judges the newest day, the two newest days, and so on to the
 * whole window, so that a good history does not hide recent failures. May be asked after every outcome.
 * @param totals outcomes by day, today first, at most `windowDays`
 * @param bads the bad ones among them
 * @returns undefined where there is not enough evidence
 */
export function judge(
  totals: ArrayLike<number>,
  bads: ArrayLike<number>,
  { threshold, windowDays, minimumSample }: BreakerThreshold,
): Finding | undefined {
  let found: Omit<Finding, "low"> | undefined;
  let most = needed(windowDays);
  let [total, all] = [0, 0];
  for (let day = 0; day < totals.length; day++) {
    if (!totals[day] && !bads[day]) continue;
    total += totals[day]!;
    all += bads[day]!;
    // A message that bounces today may have been counted as good on an earlier day.
    const bad = Math.min(all, total);
    if (total < minimumSample || bad <= total * threshold) continue;
    const here = evidence(total, bad, threshold);
    if (here < most) continue;
    most = here;
    found = { days: day + 1, total, bad };
  }
  return found && { ...found, low: lowerBound(found.total, found.bad, windowDays) };
}
