/** How much of each sweep a run takes: a sample, as `npm test` does; half of it, as CI and `npm run test:all` do; or all, as at night. */
const { SWEEP } = process.env;

/** Whether sweeps run whole. */
export const WHOLE = SWEEP === "all";

/** Whether all files run, those that kill processes or take long too. */
export const ALL_FILES = SWEEP === "half" || WHOLE;

/**
 * Every `n`th of them, the same ones in each run; every other one with `SWEEP=half`, and all with `SWEEP=all`. Samples of the same list
 * with the phases 0 to `n - 1` have each of them.
 */
export function everyNth<T>(items: readonly T[], n: number, phase = 0): T[] {
  if (WHOLE) return [...items];
  const step = SWEEP === "half" ? Math.min(n, 2) : n;
  return items.filter((_, i) => (i + phase) % step === 0);
}
