import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ianaZone } from "../../../src/calendar/ics/time-zones.js";
import { Integers } from "../../../src/platform/database/read-engine/records.js";
import { FLAG_BITS, FLAGS, type Packed, QUARTERS } from "../../../src/quality/reports/report-days.js";
import {
  byDay,
  byHourOfWeek,
  byKey,
  type Day,
  type GroupsOf,
  type Tally,
  tally as summarised,
  type Times,
} from "../../../src/quality/reports/tally.js";

const DAY_MS = 86_400_000;
const QUARTER_MS = DAY_MS / QUARTERS;
const START = Date.UTC(2026, 2, 28);

interface Row {
  day: number;
  time: number;
  flags: number;
  seconds: number;
  key: number;
}
const KEYS = ["a", null, ["b", "a"]] as const;
const rows = fc.array(
  fc.record({
    day: fc.nat(3),
    time: fc.nat(DAY_MS - 1),
    flags: fc.nat(7),
    seconds: fc.nat(100_000),
    key: fc.nat(KEYS.length - 1),
  }),
  { maxLength: 60 },
);

function integers(values: readonly number[], width: 2 | 4): Integers {
  const bytes = Buffer.alloc(width * values.length);
  values.forEach((value, n) => bytes.writeUIntBE(value, width * n, width));
  return new Integers(bytes, width);
}

const packed = (all: readonly Row[]): Day[] =>
  [0, 1, 2, 3].map((n) => {
    const own = all.filter(({ day }) => day === n);
    return {
      kind: "replied",
      workspaceId: `workspace ${n % 2}`,
      brandId: "brand",
      start: START + n * DAY_MS,
      moments: integers(
        own.map(({ time, flags }) => (Math.floor(time / QUARTER_MS) << FLAG_BITS) + flags),
        2,
      ),
      seconds: integers(
        own.map(({ seconds }) => seconds),
        4,
      ),
      codes: integers(
        own.map(({ key }) => key),
        n % 2 ? 2 : 4,
      ),
      keys: KEYS,
    };
  });
/** With a copy of the seconds. */
const tally = (days: Day[], times: Times, packed: Packed, groupsOf?: GroupsOf) =>
  summarised(days, times, packed, (one: Tally) => ({ ...one, seconds: [...one.seconds] }), groupsOf);
const instant = ({ day, time }: Row): number => START + day * DAY_MS + time;
const sorted = (seconds: Iterable<number>): number[] => [...seconds].sort((a, b) => a - b);

/** Edges that are no beginnings of days, the first and the last within what is packed. */
const EDGES = [38, 106, 107, 192, 355].map((quarters) => START + quarters * QUARTER_MS);
const TIMES = { edges: EDGES, parts: [0, 0, 1, 1] };
const REPLIES: Packed = { kind: "replied", flags: 0 };

describe("a tally of packed days", () => {
  test.each([0, FLAGS.first, FLAGS.first | FLAGS.assisted])("counts what has the flags %i, in each time", (flags) =>
    fc.assert(
      fc.property(rows, (all) => {
        const counted = tally(packed(all), TIMES, { ...REPLIES, flags, timed: true, shared: true });
        const expected = TIMES.parts.map((_, n) =>
          all.filter(
            (row) => (row.flags & flags) === flags && instant(row) >= EDGES[n]! && instant(row) < EDGES[n + 1]!,
          ),
        );
        counted.times.forEach(({ count, good, seconds }, n) => {
          expect(count).toBe(expected[n]!.length);
          expect(good).toBe(expected[n]!.filter((row) => row.flags & FLAGS.good).length);
          expect(sorted(seconds)).toEqual(sorted(expected[n]!.map((row) => row.seconds)));
        });
        [0, 1].forEach((part) => {
          const whole = expected.filter((_, n) => TIMES.parts[n] === part).flat();
          expect(counted.parts[part]!.count).toBe(whole.length);
          expect(sorted(counted.parts[part]!.seconds)).toEqual(sorted(whole.map(({ seconds }) => seconds)));
        });
      }),
    ),
  );

  test("counts each label of a row, and what has none under null", () =>
    fc.assert(
      fc.property(rows, (all) => {
        const { groups } = tally(packed(all), TIMES, { ...REPLIES, timed: true }, byKey);
        for (const key of ["a", "b", null]) {
          const expected = all.filter(
            (row) =>
              [KEYS[row.key] as unknown].flat().includes(key) &&
              instant(row) >= EDGES[2]! &&
              instant(row) < EDGES.at(-1)!,
          );
          expect(groups.get(key)?.[1]?.count ?? 0).toBe(expected.length);
          expect(sorted(groups.get(key)?.[1]?.seconds ?? [])).toEqual(sorted(expected.map(({ seconds }) => seconds)));
        }
      }),
    ));

  test("counts by workspace what the day belongs to", () =>
    fc.assert(
      fc.property(rows, (all) => {
        const { groups } = tally(
          packed(all),
          TIMES,
          REPLIES,
          byDay(({ workspaceId }) => workspaceId),
        );
        const inTime = all.filter((row) => instant(row) >= EDGES[0]! && instant(row) < EDGES.at(-1)!);
        for (const n of [0, 1])
          expect(groups.get(`workspace ${n}`)!.reduce((sum, { count }) => sum + count, 0)).toBe(
            inTime.filter(({ day }) => day % 2 === n).length,
          );
      }),
    ));

  test.each(["Europe/Berlin", "Asia/Kathmandu", "America/St_Johns", "UTC"])(
    "counts by the hour that a clock in %s shows, over a clock change",
    (name) =>
      fc.assert(
        fc.property(rows, (all) => {
          const zone = ianaZone(name)!;
          const times = { edges: [START, START + 4 * DAY_MS], parts: [0] };
          const { groups } = tally(packed(all), times, REPLIES, byHourOfWeek(zone));
          const expected = new Map<string, number>();
          for (const row of all) {
            const shown = new Date(zone.clock(instant(row)));
            const hour = `${shown.getUTCDay() || 7}-${shown.toISOString().slice(11, 13)}`;
            expected.set(hour, (expected.get(hour) ?? 0) + 1);
          }
          const counted = [...groups].map(([key, [first]]) => [key, first!.count] as const);
          expect(new Map(counted.filter(([, count]) => count > 0))).toEqual(expected);
        }),
      ),
  );
});
