import { Integers, readRecords, readUuid } from "../../platform/database/read-engine/records.js";
import type { Zone } from "../../calendar/ics/time-zones.js";
import { FLAGS, type Packed, PER_MILLISECOND } from "./report-days.js";

const DAY_MS = 86_400_000;
/** PostgreSQL counts days from 2000-01-01. */
const FIRST_DAY_MS = Date.UTC(2000, 0, 1);

/** What has no value is null. Labels come together. */
type Key = string | readonly string[] | null;
type Values = Pick<Integers, "length" | "at">;
/** What happened on a day in a workspace; see `report-days.ts`. Of what is open now, `codes` are counts and the day is missing. */
export interface Day {
  kind: string;
  workspaceId: string;
  brandId: string;
  /** When it begins, in milliseconds. */
  start: number;
  moments: Values;
  seconds: Values;
  codes: Values;
  keys: readonly Key[];
}

const NONE = new Integers(Buffer.alloc(0));

export function readDays(bytes: Buffer): Day[] {
  const days: Day[] = [];
  const integers = (value: Buffer | null): Integers => (value ? new Integers(value) : NONE);
  for (const [kind, workspace, brand, day, moments, seconds, codes, keys] of readRecords(bytes))
    days.push({
      kind: kind!.toString(),
      workspaceId: readUuid(workspace!),
      brandId: readUuid(brand!),
      start: day ? FIRST_DAY_MS + day.readInt32BE() * DAY_MS : NaN,
      moments: integers(moments!),
      seconds: integers(seconds!),
      codes: integers(codes!),
      keys: keys ? (JSON.parse(keys.toString()) as Key[]) : [],
    });
  return days;
}

/** What is counted of a time or a group. */
export interface Tally {
  count: number;
  good: number;
  /** May be put into another order. */
  seconds: Int32Array;
}
const NO_SECONDS = new Int32Array(0);
export const tallyOf = (count: number): Tally => ({ count, good: 0, seconds: NO_SECONDS });

/** Finds the groups of a day's rows, by their numbers. */
export type GroupsOf = (day: Day, number: (key: string | null) => number) => (row: number) => readonly number[];

/** How the rows of a day are grouped by what the day itself says. */
export const byDay =
  (key: (day: Pick<Day, "workspaceId" | "brandId">) => string): GroupsOf =>
  (day, number) => {
    const all = [number(key(day))];
    return () => all;
  };

/** By the key that each row has. What has several labels is in several groups. */
export const byKey: GroupsOf = ({ codes, keys }, number) => {
  const numbers = keys.map((key) => (key === null || typeof key === "string" ? [key] : key).map(number));
  return (row) => numbers[codes.at(row)]!;
};

/** By the hour of the week, such as `1-09`: Monday is 1. */
export function byHourOfWeek(zone: Zone): GroupsOf {
  const ahead = new Map<number, number | null>();
  const aheadOn = (start: number): number | null => {
    let known = ahead.get(start);
    if (known === undefined) {
      const first = zone.clock(start) - start;
      // On the day of a clock change, each row is asked by itself.
      ahead.set(start, (known = first === zone.clock(start + DAY_MS) - start - DAY_MS ? first : null));
    }
    return known;
  };
  return ({ start, moments }, number) => {
    const constant = aheadOn(start);
    const numbers: number[][] = [];
    return (row) => {
      const time = start + Math.floor(moments.at(row) / PER_MILLISECOND);
      const hours = Math.floor((constant === null ? zone.clock(time) : time + constant) / 3_600_000);
      // 1970-01-01 was a Thursday.
      const hour = (((hours + 72) % 168) + 168) % 168;
      return (numbers[hour] ??= [number(hourName(hour))]);
    };
  };
}
const hourName = (hour: number): string => `${Math.floor(hour / 24) + 1}-${String(hour % 24).padStart(2, "0")}`;

/** The times that are counted: from each edge to before the next. */
export interface Times {
  edges: readonly number[];
  /** For each time, which part of the whole it is in: 0, then 1, and so on. */
  parts: readonly number[];
}
export interface Tallied {
  times: Tally[];
  /** Each part as a whole. It has the seconds of its times: look at these first. */
  parts: Tally[];
  /** By key, one for each part. */
  groups: Map<string | null, Tally[]>;
}

/** What is open now, of all and by group. */
export function openNow(
  days: readonly Day[],
  groupsOf?: GroupsOf,
): { count: number; groups: Map<string | null, number> } {
  const groups = new Map<string | null, number>();
  const open = days.filter(({ kind }) => kind === "open");
  const grouped = days.filter(({ kind }) => kind === "open_by");
  let all = 0;
  for (const { codes } of open) for (let row = 0; row < codes.length; row++) all += codes.at(row);
  for (const day of grouped.length ? grouped : open) {
    const found: (string | null)[] = [];
    const number = (key: string | null): number => found.push(key) - 1;
    const groupsOfRow = groupsOf?.({ ...day, codes: IN_TURN }, number);
    for (let row = 0; row < day.codes.length; row++)
      for (const n of groupsOfRow?.(row) ?? []) groups.set(found[n]!, (groups.get(found[n]!) ?? 0) + day.codes.at(row));
  }
  return { count: all, groups };
}
/** Each key has one count. */
const IN_TURN: Values = { length: 0, at: (row) => row };

/** Outside of all times. */
const NEVER = 0xffff;

/** Counts the rows of days by time, and by group and part. Reads them twice, so that it knows how much room all seconds take. */
export function tally(
  days: readonly Day[],
  { edges, parts }: Times,
  { flags, timed, shared }: Pick<Packed, "flags" | "timed" | "shared">,
  groupsOf?: GroupsOf,
): Tallied {
  const size = parts.at(-1)! + 1;
  const numbers = new Map<string | null, number>();
  const number = (key: string | null): number => {
    let found = numbers.get(key);
    if (found === undefined) numbers.set(key, (found = numbers.size));
    return found;
  };
  const times = new Counter(parts.length);
  const groups = new Counter(0);
  const placed = new Uint16Array(days.reduce((rows, { moments }) => rows + moments.length, 0));
  const groupsOfDays = days.map((day) => groupsOf?.(day, number));
  let place = 0;
  let at = 0;
  days.forEach(({ start, moments }, n) => {
    const groupsOfRow = groupsOfDays[n];
    for (let row = 0; row < moments.length; row++, place++) {
      placed[place] = NEVER;
      const moment = moments.at(row);
      if ((moment & flags) !== flags) continue;
      const time = start + Math.floor(moment / PER_MILLISECOND);
      while (at > 0 && time < edges[at]!) at--;
      while (at < parts.length - 1 && time >= edges[at + 1]!) at++;
      if (time < edges[at]! || time >= edges[at + 1]!) continue;
      placed[place] = at;
      const isGood = shared === true && (moment & FLAGS.good) !== 0;
      times.add(at, isGood);
      if (!groupsOfRow) continue;
      const part = parts[at]!;
      for (const group of groupsOfRow(row)) groups.add(group * size + part, isGood);
    }
  });
  if (timed) {
    times.makeRoom();
    groups.makeRoom();
    place = 0;
    days.forEach(({ moments, seconds }, n) => {
      const groupsOfRow = groupsOfDays[n];
      for (let row = 0; row < moments.length; row++, place++) {
        const time = placed[place]!;
        if (time === NEVER) continue;
        const took = seconds.at(row);
        times.put(time, took);
        if (!groupsOfRow) continue;
        const part = parts[time]!;
        for (const group of groupsOfRow(row)) groups.put(group * size + part, took);
      }
    });
  }
  return {
    times: parts.map((_, n) => times.tally(n, n)),
    parts: Array.from({ length: size }, (_, part) => times.tally(parts.indexOf(part), parts.lastIndexOf(part))),
    groups: new Map(
      [...numbers].map(([key, group]) => [
        key,
        Array.from({ length: size }, (_, part) => groups.tally(group * size + part, group * size + part)),
      ]),
    ),
  };
}

/** Counts under numbers, and then keeps the seconds of each number beside those of the next. */
class Counter {
  private counts: Float64Array;
  private goods: Float64Array;
  private ends = NO_SECONDS;
  private seconds = NO_SECONDS;

  constructor(size: number) {
    this.counts = new Float64Array(size);
    this.goods = new Float64Array(size);
  }

  add(n: number, isGood: boolean): void {
    if (n >= this.counts.length) this.grow(2 * n + 16);
    this.counts[n]!++;
    if (isGood) this.goods[n]!++;
  }

  private grow(size: number): void {
    const { counts, goods } = this;
    (this.counts = new Float64Array(size)).set(counts);
    (this.goods = new Float64Array(size)).set(goods);
  }

  makeRoom(): void {
    let end = 0;
    this.ends = Int32Array.from(this.counts, (count) => (end += count) - count);
    this.seconds = new Int32Array(end);
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
