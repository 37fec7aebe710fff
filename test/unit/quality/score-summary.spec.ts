import { describe, expect, test } from "vitest";
import { isSatisfied, summarize } from "../../../src/quality/csat/score-summary.js";

describe("the figures", () => {
  test("4 and 5 of 5, 2 of 2, and 8 to 10 of 10 count as satisfied", () => {
    const satisfied = ([2, 5, 10] as const).map((scale) =>
      Array.from({ length: scale }, (_, n) => n + 1).filter((score) => isSatisfied({ score, scale })),
    );
    expect(satisfied).toEqual([[2], [4, 5], [8, 9, 10]]);
  });

  test("answers on several scales are averaged on the scale of 5", () => {
    expect(
      summarize([
        { score: 2, scale: 2, count: 1 },
        { score: 1, scale: 10, count: 1 },
      ]),
    ).toMatchObject({ scale: 5, average: 3, answered: 2 });
    expect(summarize([{ score: 10, scale: 10, count: 3 }])).toMatchObject({ scale: 10, average: 10 });
  });
});
