import { Integers, readRecords, readUuid } from "../../platform/database/read-engine/records.js";
import { Spare } from "../../platform/database/read-engine/spare.js";
import type { Zone } from "../../calendar/ics/time-zones.js";
import { FLAG_BITS, FLAGS, type Packed, QUARTERS } from "./report-days.js";

const DAY_MS = 86_400_000;
const QUARTER_MS = DAY_MS / QUARTERS;
/** PostgreSQL counts days from 2000-01-01. */
const FIRST_DAY_MS = Date.UTC(2000, 0, 1);

/** What has no value is null. Labels come together. */
type Key = string | readonly string[] | null;
/** What happened on a day in a workspace; see `report-days.ts`. */
export interface Day {
  kind: string;
  workspaceId: string;
  brandId: string;
  /** When it begins, in milliseconds. */
  start: number;
  moments: Integers;
  seconds: Integers;
  /** Without them, all rows have the one key. */
  codes: Integers | null;
  keys: readonly Key[];
}

const NONE = new Integers(Buffer.alloc(0), 4);

/** Reads a day when it is asked for, and again at the next time: what lives shorter is cheaper to collect. */
export function readDays(bytes: Buffer): Iterable<Day> {
  // Most days have the same keys.
  const known = new Map<string, readonly Key[]>();
  const keysIn = (json: Buffer): readonly Key[] => {
    const text = json.toString();
    let keys = known.get(text);
    if (!keys) known.set(text, (keys = JSON.parse(text) as Key[]));
    return keys;
  };
  return {
    *[Symbol.iterator]() {
      for (const [kind, workspace, brand, day, moments, seconds, codes, keys] of readRecords(bytes))
        yield {
          kind: kind!.toString(),
          workspaceId: readUuid(workspace!),
          brandId: readUuid(brand!),
          start: FIRST_DAY_MS + day!.readInt32BE() * DAY_MS,
          moments: new Integers(moments!, 2),
          seconds: seconds ? new Integers(seconds, 4) : NONE,
          codes: codes ? new Integers(codes, codes.length > moments!.length ? 4 : 2) : null,
          keys: keys ? keysIn(keys) : [],
        };
    },
  };
}

/** What is counted of a time or a group. */
export interface Tally {
  count: number;
  good: number;
  seconds: Int32Array;
}
const NO_SECONDS = new Int32Array(0);
export const tallyOf = (count: number): Tally => ({ count, good: 0, seconds: NO_SECONDS });

/** The groups of a day's rows, by their numbers: `groups` has those of each value of `of`, whose last bits do not count. */
interface Grouped {
  groups: readonly (readonly number[])[];
  of: Integers;
  shift: number;
}
export type GroupsOf = (day: Day, number: (key: string | null) => number) => Grouped;

/** All rows of a day are in the same groups. */
const together = (groups: readonly number[], { moments }: Day): Grouped => ({
  groups: [groups],
  of: moments,
  shift: 16,
});

/** How the rows of a day are grouped by what the day itself says. */
export const byDay =
  (key: (day: Pick<Day, "workspaceId" | "brandId">) => string): GroupsOf =>
  (day, number) =>
    together([number(key(day))], day);

/** By the key that each row has. What has several labels is in several groups. */
export const byKey: GroupsOf = (day, number) => {
  const groups = day.keys.map((key) => (key === null || typeof key === "string" ? [key] : key).map(number));
  return day.codes ? { groups, of: day.codes, shift: 0 } : together(groups[0]!, day);
};

/** By the hour of the week, such as `1-09`: Monday is 1. */
export function byHourOfWeek(zone: Zone): GroupsOf {
  const hours = new Map<number, string[]>();
  const hoursOn = (start: number): string[] => {
    const first = zone.clock(start) - start;
    const last = zone.clock(start + DAY_MS) - start - DAY_MS;
    return Array.from({ length: QUARTERS }, (_, quarter) => {
      const time = start + quarter * QUARTER_MS;
      return hourOfWeek(first === last ? time + first : zone.clock(time));
    });
  };
  return ({ start, moments }, number) => {
    if (!hours.has(start)) hours.set(start, hoursOn(start));
    return { groups: hours.get(start)!.map((hour) => [number(hour)]), of: moments, shift: FLAG_BITS };
  };
}
function hourOfWeek(clock: number): string {
  // 1970-01-01 was a Thursday.
  const hour = (((Math.floor(clock / 3_600_000) + 72) % 168) + 168) % 168;
  return `${Math.floor(hour / 24) + 1}-${String(hour % 24).padStart(2, "0")}`;
}

/** The times that are counted: from each edge to before the next. They are quarters of an hour. */
export interface Times {
  edges: readonly number[];
  /** For each time, which part of the whole it is in: 0, then 1, and so on. */
  parts: readonly number[];
}
export interface Tallied<Summary> {
  times: Summary[];
  /** Each part as a whole. */
  parts: Summary[];
  /** By key, one for each part. */
  groups: Map<string | null, Summary[]>;
}

/** Outside of all times. */
const NEVER = -1;

/** For each day, the time that each quarter of an hour is in. */
function timesByQuarter({ edges, parts }: Times): (start: number) => Int16Array {
  const known = new Map<number, Int16Array>();
  return (start) => {
    let times = known.get(start);
    if (times) return times;
    known.set(start, (times = new Int16Array(QUARTERS).fill(NEVER)));
    let at = 0;
    for (let quarter = 0; quarter < QUARTERS; quarter++) {
      const time = start + quarter * QUARTER_MS;
      while (at < parts.length && time >= edges[at + 1]!) at++;
      if (at < parts.length && time >= edges[at]!) times[quarter] = at;
    }
    return times;
  };
}

/** For the seconds of four million rows. */
const rooms = new Spare<Int32Array>((length) => new Int32Array(length), 4 * 1024 * 1024);

/**
 * Counts the rows of days by time, and by group and part. Reads them twice, so that it knows how much room all seconds take.
 * @param summaryOf must not keep the seconds: the next report is counted in the same memory
 */
export function tally<Summary>(
  days: Iterable<Day>,
  over: Times,
  packed: Packed,
  summaryOf: (tally: Tally) => Summary,
  groupsOf?: GroupsOf,
): Tallied<Summary> {
  const { parts } = over;
  const size = parts.at(-1)! + 1;
  const numbers = new Map<string | null, number>();
  const number = (key: string | null): number => {
    let found = numbers.get(key);
    if (found === undefined) numbers.set(key, (found = numbers.size));
    return found;
  };
  const timesOf = timesByQuarter(over);
  const rows = new Rows(packed, parts, size);
  const { times, groups } = rows;
  for (const day of days) if (day.kind === packed.kind) rows.add(day, timesOf(day.start), groupsOf?.(day, number));
  const room = packed.timed && rooms.take(times.total + groups.total);
  if (room) {
    times.keepIn(room.subarray(0, times.total));
    groups.keepIn(room.subarray(times.total));
    for (const day of days) if (day.kind === packed.kind) rows.put(day, timesOf(day.start), groupsOf?.(day, number));
  }
  const each = Array.from({ length: size }, (_, part) => part);
  const tallied = {
    times: parts.map((_, n) => summaryOf(times.tally(n, n))),
    parts: each.map((part) => summaryOf(times.tally(parts.indexOf(part), parts.lastIndexOf(part)))),
    groups: new Map(
      [...numbers].map(([key, group]) => [
        key,
        each.map((part) => summaryOf(groups.tally(group * size + part, group * size + part))),
      ]),
    ),
  };
  if (room) rooms.giveBack(room);
  return tallied;
}

/** Goes through a day's rows. Twice nearly the same loop: a function that is called for each row takes as long again. */
class Rows {
  readonly times: Counter;
  readonly groups = new Counter(0);
  private readonly flags: number;
  private readonly isShared: boolean;

  constructor(
    { flags, shared }: Packed,
    private readonly parts: readonly number[],
    private readonly size: number,
  ) {
    this.times = new Counter(parts.length);
    this.flags = flags;
    this.isShared = shared === true;
  }

  add({ moments }: Day, time: Int16Array, by: Grouped | undefined): void {
    const { times, groups, flags, isShared, parts, size } = this;
    for (let row = 0; row < moments.length; row++) {
      const moment = moments.at(row);
      const at = time[moment >> FLAG_BITS]!;
      if (at === NEVER || (moment & flags) !== flags) continue;
      const isGood = isShared && (moment & FLAGS.good) !== 0;
      times.add(at, isGood);
      if (!by) continue;
      const part = parts[at]!;
      const found = by.groups[by.of.at(row) >> by.shift]!;
      for (let nth = 0; nth < found.length; nth++) groups.add(found[nth]! * size + part, isGood);
    }
  }

  put({ moments, seconds }: Day, time: Int16Array, by: Grouped | undefined): void {
    const { times, groups, flags, parts, size } = this;
    for (let row = 0; row < moments.length; row++) {
      const moment = moments.at(row);
      const at = time[moment >> FLAG_BITS]!;
      if (at === NEVER || (moment & flags) !== flags) continue;
      const took = seconds.at(row);
      times.put(at, took);
      if (!by) continue;
      const part = parts[at]!;
      const found = by.groups[by.of.at(row) >> by.shift]!;
      for (let nth = 0; nth < found.length; nth++) groups.put(found[nth]! * size + part, took);
    }
  }
}

/** Counts under numbers, and then keeps the seconds of each number beside those of the next. */
class Counter {
  private counts: Uint32Array;
  private goods: Uint32Array;
  private ends = NO_SECONDS;
  private seconds: Int32Array = NO_SECONDS;

  constructor(size: number) {
    this.counts = new Uint32Array(size);
    this.goods = new Uint32Array(size);
  }

  add(n: number, isGood: boolean): void {
    if (n >= this.counts.length) this.grow(2 * n + 16);
    this.counts[n]!++;
    if (isGood) this.goods[n]!++;
  }

  private grow(size: number): void {
    const { counts, goods } = this;
    (this.counts = new Uint32Array(size)).set(counts);
    (this.goods = new Uint32Array(size)).set(goods);
  }

  get total(): number {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  keepIn(room: Int32Array): void {
    let end = 0;
    this.ends = Int32Array.from(this.counts, (count) => (end += count) - count);
    this.seconds = room;
  }

  put(n: number, seconds: number): void {
    this.seconds[this.ends[n]!++] = seconds;
  }

  /** From one number to another one. */
  tally(first: number, last: number): Tally {
    let [count, good] = [0, 0];
    for (let n = first; n <= last && n < this.counts.length; n++) {
      count += this.counts[n]!;
      good += this.goods[n]!;
    }
    const end = this.ends[last] ?? 0;
    return { count, good, seconds: this.seconds.length ? this.seconds.subarray(end - count, end) : NO_SECONDS };
  }
}
