import fc from "fast-check";

/** What random tests begin with: the same in each run, so that a change is the only reason for another result. `npm run hunt` sets others. */
export const SEED = Number(process.env.SEED ?? 1);

// A setup file of every project: it holds for each test that names no seed of its own.
fc.configureGlobal({ seed: SEED });

/** Numbers from 0 to below 1 that look random and are the same for the same seed (mulberry32). */
export function randomFrom(seed = SEED): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How often something is tried that chance decides: a random value, a race, a kill. A few times in `npm test`, and often in `npm run hunt`. */
export const runs = (few: number, many: number): number => (process.env.HUNT ? many : few);
