/** A stable entity, as bad as its threshold just allows, trips by chance in at most so many of its windows, however often it is looked at. */
const FALSE_TRIPS = 1 / 1_000;
const KNOWN = 1_024;

export interface Watch {
  /** The highest share of bad outcomes that is accepted, 0 to 1, both excluded. */
  threshold: number;
  /** How many days, today's included, count. */
  windowDays: number;
  /** With fewer outcomes nothing is said. */
  minimumSample: number;
}
/** The newest days that say it best. */
export interface Finding {
  days: number;
  total: number;
  bad: number;
  low: number;
}

const lnFactorials = new Float64Array(KNOWN);
for (let n = 2; n < KNOWN; n++) lnFactorials[n] = lnFactorials[n - 1]! + Math.log(n);
/** Stirling's series: to the last digits of a double for what is not in the table. */
const lnFactorial = (n: number): number =>
  n < KNOWN
    ? lnFactorials[n]!
    : (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);

/**
 * How much better "some other share, any" explains the outcomes than `threshold` does, as a logarithm (Robbins' mixture, uniform over all shares).
 * While the true share is `threshold`, its exponential is a martingale that starts at 1: that it ever reaches 1/α, at whichever of all looks, has at
 * most the probability α (Ville). While the true share is lower, to be above the threshold with so much evidence is less probable still.
 */
export const evidence = (total: number, bad: number, threshold: number): number =>
  lnFactorial(bad) +
  lnFactorial(total - bad) -
  lnFactorial(total + 1) -
  bad * Math.log(threshold) -
  (total - bad) * Math.log1p(-threshold);

/** Each day of a window begins a count of its own, and each may be wrong as often as the others: together they are as often as promised. */
const needed = (windowDays: number): number => Math.log(windowDays / FALSE_TRIPS);

/** The lower bound that holds at all looks together: the highest threshold that the outcomes would still trip. */
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
 * Whether more goes wrong than is accepted. The counts of the newest day, of the two newest, and so on to the whole window are judged each by
 * itself, so that a good history hides nothing for long. It may be asked after every outcome.
 * @param totals outcomes by day, today's first, as far back as the window at the most
 * @param bads the bad ones among them
 */
export function judge(
  totals: ArrayLike<number>,
  bads: ArrayLike<number>,
  { threshold, windowDays, minimumSample }: Watch,
): Finding | undefined {
  let found: Omit<Finding, "low"> | undefined;
  let most = needed(windowDays);
  let [total, all] = [0, 0];
  for (let day = 0; day < totals.length; day++) {
    if (!totals[day] && !bads[day]) continue;
    total += totals[day]!;
    all += bads[day]!;
    // What has come back today may have been sent, and counted as good, before.
    const bad = Math.min(all, total);
    if (total < minimumSample || bad <= total * threshold) continue;
    const here = evidence(total, bad, threshold);
    if (here < most) continue;
    most = here;
    found = { days: day + 1, total, bad };
  }
  return found && { ...found, low: lowerBound(found.total, found.bad, windowDays) };
}
