/** Whether sweeps run whole: with `SWEEP=all`, as in CI. `npm test` takes a sample of each. */
export const WHOLE = process.env.SWEEP === "all";

const TODAY = Math.floor(Date.now() / 86_400_000);

/**
 * Every `n`th of them, beginning with another one each day, so that after `n` days each has had its turn. All with
 * `SWEEP=all`. Samples of the same list with the phases 0 to `n - 1` have each of them once.
 */
export const inTurn = <T>(items: readonly T[], n: number, phase = 0): T[] =>
  WHOLE ? [...items] : items.filter((_, i) => (i + TODAY + phase) % n === 0);
