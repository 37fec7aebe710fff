import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { falseTrips, highest, untilItTrips } from "../../../bench/breakers.mjs";
import { wilson } from "../../../src/platform/outcomes/wilson.js";
import { evidence, judge, lowerBound } from "../../../src/quality/breakers/sequential-test.js";

const sample = fc.integer({ min: 1, max: 100_000 }).chain((total) => fc.tuple(fc.nat(total), fc.constant(total)));

describe("the Wilson interval", () => {
  test("lies between 0 and 1, contains the share, and gets narrower with more outcomes", () => {
    fc.assert(
      fc.property(sample, ([successes, total]) => {
        const { share, low, high } = wilson(successes, total);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(share);
        expect(high).toBeGreaterThanOrEqual(share);
        const more = wilson(successes * 4, total * 4);
        expect(more.high - more.low).toBeLessThan(high - low);
      }),
    );
  });

  test("ends at the shares that are exactly 1.96 of their own standard errors from the observed one", () => {
    fc.assert(
      fc.property(sample, ([successes, total]) => {
        const { share, low, high } = wilson(successes, total);
        for (const end of [low, high]) {
          if (end === 0 || end === 1) continue;
          expect(Math.abs(share - end) / Math.sqrt((end * (1 - end)) / total)).toBeCloseTo(1.959964, 4);
        }
      }),
    );
  });

  test("matches published tables", () => {
    const { low, high } = wilson(8, 10);
    expect([low, high].map((end) => end.toFixed(4))).toEqual(["0.4902", "0.9433"]);
    expect([wilson(0, 10), wilson(10, 10)].map(({ low, high }) => [low.toFixed(4), high.toFixed(4)])).toEqual([
      ["0.0000", "0.2775"],
      ["0.7225", "1.0000"],
    ]);
  });
});

/** 1 / ((n + 1) · C(n, k)) over the likelihood, factor by factor. */
function plainEvidence(total: number, bad: number, threshold: number): number {
  let sum = -Math.log(total + 1) - bad * Math.log(threshold) - (total - bad) * Math.log(1 - threshold);
  for (let k = 1; k <= bad; k++) sum -= Math.log((total - bad + k) / k);
  return sum;
}

const threshold = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const day = fc.nat(60).chain((total) => fc.tuple(fc.constant(total), fc.nat(total)));

describe("what trips a breaker", () => {
  test("has the same evidence as a plain computation, for few outcomes and for many", () => {
    fc.assert(
      fc.property(
        fc.nat(5_000).chain((total) => fc.tuple(fc.constant(total), fc.nat(total))),
        threshold,
        ([total, bad], at) => {
          const plain = plainEvidence(total, bad, at);
          expect(Math.abs(evidence(total, bad, at) - plain)).toBeLessThan(1e-7 * (1 + Math.abs(plain)));
        },
      ),
    );
  });

  test("is found in the most recent days with the strongest evidence, as by trying every number of days", () => {
    fc.assert(
      fc.property(
        fc.array(day, { minLength: 1, maxLength: 30 }),
        threshold,
        fc.integer({ min: 20, max: 60 }),
        (days, at, minimumSample) => {
          let best: { days: number; total: number; bad: number } | undefined;
          let most = Math.log(30_000);
          for (let n = 1; n <= days.length; n++) {
            const [total, bad] = [0, 1].map((which) => days.slice(0, n).reduce((sum, one) => sum + one[which]!, 0)) as [
              number,
              number,
            ];
            if (total < minimumSample || bad / total <= at || !days[n - 1]![0]) continue;
            const here = plainEvidence(total, bad, at);
            if (here < most) continue;
            [best, most] = [{ days: n, total, bad }, here];
          }
          const found = judge(
            days.map(([total]) => total),
            days.map(([, bad]) => bad),
            { threshold: at, windowDays: 30, minimumSample },
          );
          expect(found && { days: found.days, total: found.total, bad: found.bad }).toEqual(best);
          if (found) {
            expect(found.low).toBeGreaterThanOrEqual(at - 1e-9);
            expect(found.low).toBeLessThan(found.bad / found.total);
          }
        },
      ),
    );
  });

  test("has as its lower bound the highest threshold at which it would still trip", () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 20, max: 2_000 })
          .chain((total) => fc.tuple(fc.constant(total), fc.integer({ min: 1, max: total }))),
        fc.integer({ min: 1, max: 90 }),
        ([total, bad], windowDays) => {
          const low = lowerBound(total, bad, windowDays);
          const trips = (at: number): boolean =>
            judge([total], [bad], { threshold: at, windowDays, minimumSample: 20 }) !== undefined;
          if (low > 1e-6) expect(trips(low * 0.999)).toBe(true);
          expect(trips(Math.min(low * 1.001 + 1e-9, bad / total))).toBe(false);
        },
      ),
    );
  });

  test("is never a handful of outcomes, even if all are bad", () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.nat(19), { minLength: 1, maxLength: 90 })
          .filter((days) => days.reduce((sum, one) => sum + one) < 20),
        threshold,
        (days, at) => {
          expect(judge(days, days, { threshold: at, windowDays: 90, minimumSample: 20 })).toBeUndefined();
        },
      ),
    );
  });

  // Computed exactly: the probability itself, over all possible outcomes.
  test.each([0.02, 0.1, 0.3, 0.5])(
    "occurs by chance less often than promised, at any of the first 3,000 outcomes, if the true share is the threshold of %d",
    (at) => {
      const most = 3_000;
      let states = new Float64Array(most + 2);
      states[0] = 1;
      let crossed = 0;
      const windowDays = 30;
      for (let n = 1; n <= most; n++) {
        const next = new Float64Array(most + 2);
        for (let bad = 0; bad < n; bad++) {
          const mass = states[bad]!;
          if (mass < 1e-30) continue;
          next[bad]! += mass * (1 - at);
          next[bad + 1]! += mass * at;
        }
        if (n >= 20) {
          // From the top: if a count of bad outcomes trips the breaker, every higher count does too.
          for (let bad = n; bad > n * at; bad--) {
            const mass = next[bad]!;
            if (mass < 1e-30) continue;
            if (!judge([n], [bad], { threshold: at, windowDays, minimumSample: 20 })) break;
            crossed += mass;
            next[bad] = 0;
          }
        }
        states = next;
      }
      expect(crossed).toBeGreaterThan(0);
      expect(crossed).toBeLessThan(1 / 1_000 / windowDays);
    },
  );

  // The complete computation: `node bench/breakers.mjs`; its tables are in docs/quality.md.
  test.each([
    [0.05, 200],
    [0.1, 200],
    [0.2, 200],
    [0.1, 1_000],
  ])(
    "occurs by chance in fewer than one of a thousand rolling windows, checked after each outcome, if the true share is the threshold of %d, with %d outcomes per window",
    (at, volume) => {
      const windows = 10_000;
      expect(highest(falseTrips(judge, { threshold: at, volume, windows, seed: 7 }), windows)).toBeLessThan(1 / 1_000);
    },
  );

  test.each([0, 200, 1_000])(
    "occurs soon after an agent's quality drops, with %d good outcomes before as well as with none",
    (history) => {
      const at = (after: number, share: number): number =>
        untilItTrips(judge, { after, history, runs: 100, seed: 3 })[share * 100 - 1]!;
      expect(at(0.5, 0.95)).toBeLessThan(60);
      expect(at(0.3, 0.95)).toBeLessThan(200);
      expect(at(0.2, 0.5)).toBeLessThan(350);
    },
  );
});
