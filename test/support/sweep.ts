/** Whether sweeps run whole, as in `npm run test:all`. `npm test` takes a sample of each. */
export const WHOLE = process.env.SWEEP === "all";

/**
 * Every `n`th of them, the same ones in each run; all with `SWEEP=all`. Samples of the same list with the phases 0 to `n - 1`
 * have each of them once.
 */
export const everyNth = <T>(items: readonly T[], n: number, phase = 0): T[] =>
  WHOLE ? [...items] : items.filter((_, i) => (i + phase) % n === 0);
