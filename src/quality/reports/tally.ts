import { readIntegers, readRecords, readUuid } from "../../platform/database/read-engine/records.js";
import type { Zone } from "../../calendar/ics/time-zones.js";
import { FLAGS, type Packed, PER_MILLISECOND } from "./report-days.js";

const DAY_MS = 86_400_000;
/** PostgreSQL counts days from 2000-01-01. */
const FIRST_DAY_MS = Date.UTC(2000, 0, 1);

/** What has no value is null. Labels come together. */
type Key = string | readonly string[] | null;
/** What happened on a day in a workspace; see `report-days.ts`. Of what is open now, `codes` are counts and the day is missing. */
export interface Day {
  kind: string;
  workspaceId: string;
  brandId: string;
  /** When it begins, in milliseconds. */
  start: number;
  moments: Int32Array;
  seconds: Int32Array;
  codes: Int32Array;
  keys: readonly Key[];
}

const NONE = new Int32Array(0);

export function readDays(bytes: Buffer): Day[] {
  const days: Day[] = [];
  const integers = (value: Buffer | null): Int32Array => (value ? readIntegers(value) : NONE);
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
export class Tally {
  count = 0;
  good = 0;
  private numbers = NONE;
  private length = 0;

  /** @param seconds or -1 where nothing took time */
  add(isGood: boolean, seconds: number): void {
    this.count++;
    if (isGood) this.good++;
    if (seconds < 0) return;
    if (this.length === this.numbers.length) {
      const larger = new Int32Array(Math.max(16, 2 * this.length));
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length++] = seconds;
  }

  get seconds(): Int32Array {
    return this.numbers.subarray(0, this.length);
  }

  static sum(tallies: readonly Tally[]): Tally {
    const sum = new Tally();
    sum.numbers = new Int32Array(tallies.reduce((all, { length }) => all + length, 0));
    for (const { count, good, seconds } of tallies) {
      sum.count += count;
      sum.good += good;
      sum.numbers.set(seconds, sum.length);
      sum.length += seconds.length;
    }
    return sum;
  }
}

/** Tallies by key, one for each part of the time. */
export type Groups = Map<string | null, Tally[]>;
type Found = readonly Tally[][];
/** Finds the groups of a day's rows. */
export type GroupsOf = (day: Day, find: (key: string | null) => Tally[]) => (row: number, time: number) => Found;

/** How the rows of a day are grouped by what the day itself says. */
export const byDay =
  (key: (day: Day) => string): GroupsOf =>
  (day, find) => {
    const found = [find(key(day))];
    return () => found;
  };

/** By the key that each row has. What has several labels is in several groups. */
export const byKey: GroupsOf = ({ codes, keys }, find) => {
  const found = keys.map((key) => groupsOfKey(key).map(find));
  if (codes.length) return (row) => found[codes[row]!]!;
  const none = [find(null)];
  return () => none;
};
const groupsOfKey = (key: Key): readonly (string | null)[] => (key === null || typeof key === "string" ? [key] : key);

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
  return ({ start }, find) => {
    const constant = aheadOn(start);
    const found: Tally[][][] = [];
    return (_, time) => {
      const hours = Math.floor((constant === null ? zone.clock(time) : time + constant) / 3_600_000);
      // 1970-01-01 was a Thursday.
      const hour = (((hours + 72) % 168) + 168) % 168;
      return (found[hour] ??= [find(hourName(hour))]);
    };
  };
}
const hourName = (hour: number): string => `${Math.floor(hour / 24) + 1}-${String(hour % 24).padStart(2, "0")}`;

/** The times that are counted: from each edge to before the next. */
export interface Times {
  edges: readonly number[];
  /** For each time, which part of the whole it is in. */
  parts: readonly number[];
}

/** Counts the rows of days by time, and by group and part. */
export function tally(
  days: readonly Day[],
  { edges, parts }: Times,
  { flags, timed, shared }: Pick<Packed, "flags" | "timed" | "shared">,
  groupsOf?: GroupsOf,
): { times: Tally[]; groups: Groups } {
  const times = parts.map(() => new Tally());
  const groups: Groups = new Map();
  const size = Math.max(...parts) + 1;
  const find = (key: string | null): Tally[] => {
    let found = groups.get(key);
    if (!found) groups.set(key, (found = Array.from({ length: size }, () => new Tally())));
    return found;
  };
  let at = 0;
  for (const day of days) {
    const { start, moments, seconds } = day;
    const groupsOfRow = groupsOf?.(day, find);
    for (let row = 0; row < moments.length; row++) {
      const moment = moments[row]!;
      if ((moment & flags) !== flags) continue;
      const time = start + Math.floor(moment / PER_MILLISECOND);
      while (at > 0 && time < edges[at]!) at--;
      while (at < times.length - 1 && time >= edges[at + 1]!) at++;
      if (time < edges[at]! || time >= edges[at + 1]!) continue;
      const isGood = shared === true && (moment & FLAGS.good) !== 0;
      const took = timed ? seconds[row]! : -1;
      times[at]!.add(isGood, took);
      if (!groupsOfRow) continue;
      const part = parts[at]!;
      for (const found of groupsOfRow(row, time)) found[part]!.add(isGood, took);
    }
  }
  return { times, groups };
}
