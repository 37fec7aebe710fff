import ICAL from "ical.js";
import { ExpansionBudget } from "./expansion-budget.js";
import { occurrences } from "./recurrence.js";
import { calendarOf } from "./calendar-of.js";
import { clockIn, LATEST } from "./event-times.js";
import type { Zone } from "./time-zones.js";

const DAY_MS = 86_400_000;
const MAX_ICS_LENGTH = 1_000_000;
/** For one event. An hourly series has 2,352 times in the window. */
const MAX_TIMES = 3_000;
/** A resource is one series, with an event for each occurrence that differs. */
const MAX_EVENTS = 1_000;

export interface TimeWindow {
  from: Date;
  to: Date;
}

/** Instants in milliseconds. */
export type BusyTimes = readonly (readonly [start: number, end: number])[];

interface EventPart {
  event: ICAL.Component;
  zone: Zone;
  start: number;
  /** Milliseconds: on the clock for whole days, otherwise elapsed. */
  length: number;
  allDay: boolean;
}

/**
 * When the events of one iCalendar text take up time within the window, in order and without overlaps. BusyTimes are instants
 * in milliseconds.
 * @param own the calendar's zone, for whole days and times without a zone
 * @throws Error: the text, a zone or a rule cannot be read
 */
export function busyTimes(ics: string, own: Zone, { from, to }: TimeWindow): BusyTimes {
  if (ics.length > MAX_ICS_LENGTH) throw new Error("an event with more than a million characters");
  const calendar = calendarOf(ics);
  const all = calendar.getAllSubcomponents("vevent");
  if (all.length > MAX_EVENTS) throw new Error("too many events in one text");
  const series = new Map<string, ICAL.Component[]>();
  for (const event of all) {
    const uid = String(event.getFirstPropertyValue("uid"));
    const events = series.get(uid);
    if (events) events.push(event);
    else series.set(uid, [event]);
  }
  const budget = new ExpansionBudget();
  const times = [...series.values()].flatMap((events) =>
    timesOf(
      events.map((event) => part(event, calendar, own)),
      calendar,
      own,
      from.getTime(),
      to.getTime(),
      budget,
    ),
  );
  return merged(
    times
      .filter(([start, end]) => end > from.getTime() && start < to.getTime())
      .map(([start, end]) => [start, Math.min(end, LATEST)]),
  );
}

function timesOf(
  parts: EventPart[],
  calendar: ICAL.Component,
  own: Zone,
  from: number,
  to: number,
  budget: ExpansionBudget,
): [number, number][] {
  const exceptions = parts.filter(({ event }) => event.hasProperty("recurrence-id"));
  const replaced = new Set(
    exceptions.map(({ event }) => clockIn(event.getFirstProperty("recurrence-id")!, calendar, own).instant),
  );
  const times = exceptions.filter(isBusy).map((one) => occurrence(one, one.start));
  for (const one of parts) {
    if (one.event.hasProperty("recurrence-id") || !isBusy(one)) continue;
    const { event, zone, start, length } = one;
    const [early, late] = [zone.clock(from) - length - DAY_MS, zone.clock(to) + DAY_MS];
    const rules = event.getAllProperties("rrule");
    const clocks = new Set([
      start,
      ...rules.flatMap((rule) => occurrences(String(rule.getFirstValue()), start, early, late, zone, budget)),
    ]);
    const excluded = new Set(datesOf(event, "exdate", calendar, own, budget));
    for (const clock of clocks) {
      const instant = zone.instant(clock);
      if (!replaced.has(instant) && !excluded.has(instant)) times.push(occurrence(one, clock));
    }
    for (const instant of datesOf(event, "rdate", calendar, own, budget))
      if (!replaced.has(instant) && !excluded.has(instant)) times.push(occurrence(one, zone.clock(instant)));
  }
  return times;
}

const isBusy = ({ event }: EventPart): boolean =>
  String(event.getFirstPropertyValue("transp")).toUpperCase() !== "TRANSPARENT" &&
  String(event.getFirstPropertyValue("status")).toUpperCase() !== "CANCELLED";

const occurrence = ({ zone, length, allDay }: EventPart, clock: number): [number, number] => [
  zone.instant(clock),
  allDay ? zone.instant(clock + length) : zone.instant(clock) + length,
];

function part(event: ICAL.Component, calendar: ICAL.Component, own: Zone): EventPart {
  const property = event.getFirstProperty("dtstart");
  if (!property) throw new Error("an event without a start");
  const { zone, clock, allDay } = clockIn(property, calendar, own);
  const end = event.getFirstProperty("dtend");
  const duration = event.getFirstPropertyValue("duration");
  const length = end
    ? endOf(end, calendar, own, zone, clock, allDay)
    : duration instanceof ICAL.Duration
      ? duration.toSeconds() * 1_000
      : allDay
        ? DAY_MS
        : 0;
  return { event, zone, start: clock, allDay, length: Math.max(length, 0) };
}

function endOf(
  end: ICAL.Property,
  calendar: ICAL.Component,
  own: Zone,
  zone: Zone,
  start: number,
  allDay: boolean,
): number {
  const { clock, instant } = clockIn(end, calendar, own);
  return allDay ? clock - start : instant - zone.instant(start);
}

function datesOf(
  event: ICAL.Component,
  name: "exdate" | "rdate",
  calendar: ICAL.Component,
  own: Zone,
  budget: ExpansionBudget,
): number[] {
  const values = event
    .getAllProperties(name)
    .flatMap((property) =>
      property.getValues().map((value) => [property, value instanceof ICAL.Period ? value.start : value] as const),
    );
  budget.spendTimes(values.length);
  return values.map(([property, value]) => clockIn(property, calendar, own, value).instant);
}

function merged(times: [number, number][]): BusyTimes {
  const result: [number, number][] = [];
  for (const [start, end] of times.sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else if (end > start) result.push([start, end]);
  }
  if (result.length > MAX_TIMES) throw new Error("too many times");
  return result;
}
