/** Whether sweeps run whole: with `SWEEP=all`, as in CI. `npm test` takes a sample of each. */
export const WHOLE = process.env.SWEEP === "all";

const TODAY = Math.floor(Date.now() / 86_400_000);

/** Every `n`th of them, beginning with another one each day: after `n` days each has had its turn. All with `SWEEP=all`. */
export const sample = <T>(items: readonly T[], n: number): T[] =>
  WHOLE ? [...items] : items.filter((_, i) => (i + TODAY) % n === 0);
