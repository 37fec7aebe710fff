/** How much of each sweep a run takes: a sample, as `npm test` does; a larger one, as CI and `npm run test:all` do; or all, as at night. */
const { SWEEP } = process.env;
if (SWEEP && SWEEP !== "third" && SWEEP !== "all") throw new Error(`SWEEP is "${SWEEP}"; it can be "third" or "all"`);

/** Whether sweeps run whole. */
export const WHOLE = SWEEP === "all";

/** Whether all files run, those that kill processes or take long too. */
export const ALL_FILES = SWEEP === "third" || WHOLE;

/**
 * Every `n`th of them, the same ones in each run; every third one at least with `SWEEP=third`, and all with `SWEEP=all`. Samples of
 * the same list with the phases 0 to `n - 1` have each of them.
 */
export function everyNth<T>(items: readonly T[], n: number, phase = 0): T[] {
  if (WHOLE) return [...items];
  const step = SWEEP === "third" ? Math.min(n, 3) : n;
  return items.filter((_, i) => (i + phase) % step === 0);
}
