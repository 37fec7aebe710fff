import { expect, test } from "vitest";
import { complaints } from "../../support/budget.js";

const known = { cores: 2, total: 100, files: { "a.spec.ts": 20, "b.spec.ts": 20, "c.spec.ts": 20 } };

test("a run within a fifth of its budget says nothing", () => {
  expect(complaints(120, { "a.spec.ts": 60, "b.spec.ts": 20, "c.spec.ts": 20 }, known)).toEqual([]);
});

test("a longer run names the files that grew, the most first, and the new ones", () => {
  expect(complaints(150, { "a.spec.ts": 30, "b.spec.ts": 20, "c.spec.ts": 20, "new.spec.ts": 40 }, known)).toEqual([
    "The tests took 150 s, and 100 s when their times were last written down, on 2 cores.",
    "grown: new.spec.ts took 40.0 s instead of 0.0",
    "grown: a.spec.ts took 30.0 s instead of 20.0",
    "If that is meant, write the times down: TIMES=write npm test",
  ]);
});

test("on a machine that is slower, only a file that is slower than the others has grown", () => {
  expect(complaints(240, { "a.spec.ts": 40, "b.spec.ts": 41, "c.spec.ts": 90 }, known)).toEqual([
    "The tests took 240 s, and 100 s when their times were last written down, on 2 cores.",
    "This machine, or all of Parley, is 2.0 times slower.",
    "grown: c.spec.ts took 90.0 s instead of 41.0",
    "If that is meant, write the times down: TIMES=write npm test",
  ]);
});
