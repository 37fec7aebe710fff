import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ianaZone } from "../../../src/calendar/ics/time-zones.js";
import { spreadOf } from "../../../src/quality/reports/figures.js";
import { periodOf } from "../../../src/quality/reports/period.js";

/** As PostgreSQL defines `percentile_cont`. */
function plainly(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = fraction * (sorted.length - 1);
  const below = sorted[Math.floor(place)]!;
  return Math.round(below + (place % 1) * (sorted[Math.ceil(place)]! - below));
}

describe("percentiles and the mean", () => {
  test("are those of the sorted values", () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(fc.nat(50), { minLength: 1, maxLength: 200 }),
          fc.array(fc.nat(2 ** 31 - 1), { minLength: 1, maxLength: 50 }),
        ),
        (values) => {
          expect(spreadOf(Int32Array.from(values))).toEqual({
            median: plainly(values, 0.5),
            p90: plainly(values, 0.9),
            mean: Math.round(values.reduce((sum, value) => sum + value, 0) / values.length),
          });
        },
      ),
    ));
  test("of nothing are null", () =>
    expect(spreadOf(new Int32Array())).toEqual({ median: null, p90: null, mean: null }));
});

describe("a period", () => {
  const hours = (from: string, to: string, interval: "hour" | "day" | "week" | "month", zone = "Europe/Berlin") => {
    const period = periodOf(from, to, interval, ianaZone(zone)!);
    return [period.previousIntervals, period.intervals].map((spans) =>
      spans.map(({ start, end }) => (end - start) / 3_600_000),
    );
  };

  test("has days of 23 and 25 hours where the clock is changed", () => {
    expect(hours("2026-03-28", "2026-03-30", "day")[1]).toEqual([24, 23, 24]);
    expect(hours("2026-10-24", "2026-10-26", "day")[1]).toEqual([24, 25, 24]);
    expect(hours("2026-10-25", "2026-10-25", "hour")[1]).toHaveLength(25);
  });

  test("has no gap, begins weeks on Monday and months on their first, and is cut off at both ends", () => {
    expect(hours("2026-08-05", "2026-08-18", "week", "UTC")[1]).toEqual([5 * 24, 7 * 24, 2 * 24]);
    expect(hours("2026-01-31", "2026-03-01", "month", "UTC")[1]).toEqual([24, 28 * 24, 24]);
    for (const interval of ["hour", "day", "week", "month"] as const) {
      const { whole, previous, intervals, previousIntervals } = periodOf(
        "2026-03-20",
        "2026-04-09",
        interval,
        ianaZone("Asia/Kathmandu")!,
      );
      const edges = [...previousIntervals, ...intervals].flatMap(({ start, end }) => [start, end]);
      expect(edges).toEqual([...edges].sort((a, b) => a - b));
      expect([edges[0], edges.at(-1)]).toEqual([previous.start, whole.end]);
      expect(new Set(edges).size).toBe(edges.length / 2 + 1);
    }
  });
});
