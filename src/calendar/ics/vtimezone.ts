import ICAL from "ical.js";
import { Temporal } from "temporal-polyfill";
import { ExpansionBudget } from "./expansion-budget.js";
import { occurrences } from "./recurrence.js";
import { ianaZone, UTC, type Zone } from "./time-zones.js";
import { WINDOWS_ZONES } from "./windows-zones.js";

const DAY_MS = 86_400_000;

/** Programs write an IANA name, Outlook's name for it, or an IANA name behind folders of their own. */
function ianaOf(tzid: string): Zone | null {
  const parts = tzid.split("/");
  return [tzid, WINDOWS_ZONES.get(tzid), parts.slice(-3).join("/"), parts.slice(-2).join("/")].reduce<Zone | null>(
    (found, name) => found ?? (name ? ianaZone(name) : null),
    null,
  );
}

/** The zone that an event calls `tzid`: by its IANA or Outlook name, otherwise as the event's VTIMEZONE describes it. */
export function zoneOf(tzid: string, calendar: ICAL.Component): Zone | null {
  const zones = zonesOf(calendar);
  const known = zones.get(tzid);
  if (known !== undefined) return known;
  const zone = findZone(tzid, calendar);
  zones.set(tzid, zone);
  return zone;
}

/** A text with many events looks for the same zones again and again. */
const zonesOfCalendars = new WeakMap<ICAL.Component, Map<string, Zone | null>>();
const MAX_ZONES = 50;
function zonesOf(calendar: ICAL.Component): Map<string, Zone | null> {
  let zones = zonesOfCalendars.get(calendar);
  if (!zones) zonesOfCalendars.set(calendar, (zones = new Map<string, Zone | null>()));
  if (zones.size > MAX_ZONES) throw new Error("too many time zones");
  return zones;
}

function findZone(tzid: string, calendar: ICAL.Component): Zone | null {
  const described = calendar.getAllSubcomponents("vtimezone").find((one) => one.getFirstPropertyValue("tzid") === tzid);
  const location = described?.getFirstPropertyValue("x-lic-location");
  return (
    ianaOf(tzid) ??
    (typeof location === "string" ? ianaOf(location) : null) ??
    (described ? ruledZone(described) : null)
  );
}

/** The IANA name of a calendar's time zone. @param ics a VCALENDAR with a VTIMEZONE */
export function zoneOfCalendar(ics: string | null): string | null {
  const tzid = ics && /^TZID[^:\n]*:(.+)$/m.exec(ics)?.[1]?.trim();
  return (tzid && ianaOf(tzid)?.name) || null;
}

interface Change {
  from: number;
  to: number;
  at: (until: number) => number[];
}

/** A zone by the rules of a VTIMEZONE. The last change before a time applies to it. */
function ruledZone(vtimezone: ICAL.Component): Zone | null {
  try {
    const parts = vtimezone.getAllSubcomponents().filter(({ name }) => name === "standard" || name === "daylight");
    if (!parts.length || parts.length > MAX_CHANGES) return null;
    const budget = new ExpansionBudget();
    const changes = parts.map((part) => changeOf(part, budget));
    const offset = (clock: number): number => {
      let latest = { at: -Infinity, to: changes[0]!.from };
      for (const { at, to } of changes)
        for (const time of at(clock)) if (time <= clock && time >= latest.at) latest = { at: time, to };
      return latest.to;
    };
    return {
      instant: (clock) => clock - offset(clock),
      clock: (instant) => instant + offset(instant + offset(instant)),
    };
  } catch {
    return null;
  }
}

/** Of clocks, in one zone. The zone with the longest history, as programs write it, has about 200. */
const MAX_CHANGES = 500;

function changeOf(part: ICAL.Component, budget: ExpansionBudget): Change {
  const milliseconds = (name: string): number => {
    const match = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(String(part.getFirstPropertyValue(name)).replaceAll(":", ""));
    if (!match) throw new Error(`${name} is not an offset`);
    return (
      (match[1] === "-" ? -1 : 1) * ((Number(match[2]) * 60 + Number(match[3])) * 60 + Number(match[4] ?? 0)) * 1_000
    );
  };
  const start = clockOf(part.getFirstPropertyValue("dtstart") as ICAL.Time);
  const rules = part.getAllProperties("rrule").map((one) => String(one.getFirstValue()));
  const more = part
    .getAllProperties("rdate")
    .flatMap((one): unknown[] => one.getValues())
    .filter((one): one is ICAL.Time => one instanceof ICAL.Time)
    .map(clockOf);
  const cache = new Map<number, number[]>();
  return {
    from: milliseconds("tzoffsetfrom"),
    to: milliseconds("tzoffsetto"),
    at: (until) => {
      const year = new Date(until).getUTCFullYear();
      let times = cache.get(year);
      if (!times) {
        // Clocks change at least once a year, or never again.
        const [from, to] = [Date.UTC(year - 1, 0, 1), Date.UTC(year + 1, 0, 1) + DAY_MS];
        cache.set(
          year,
          (times = [start, ...more, ...rules.flatMap((rule) => occurrences(rule, start, from, to, UTC, budget))]),
        );
      }
      return times;
    },
  };
}

/** What a clock shows, as if it were UTC. */
export const clockOf = ({ year, month, day, hour, minute, second }: ICAL.Time): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

const stamp = (clock: number): string => new Date(clock).toISOString().replace(/[-:]|\.\d+Z$/g, "");
const offsetText = (ms: number): string =>
  `${ms < 0 ? "-" : "+"}${[Math.trunc(Math.abs(ms) / 3_600_000), Math.trunc(Math.abs(ms) / 60_000) % 60].map((part) => String(part).padStart(2, "0")).join("")}`;

/** The VTIMEZONE for an event in this zone, with each clock change from a year before the event until two years after. */
export function vtimezone(name: string, around: number): ICAL.Component {
  const component = new ICAL.Component("vtimezone");
  component.addPropertyWithValue("tzid", name);
  const first = Temporal.Instant.fromEpochMilliseconds(around - 400 * DAY_MS).toZonedDateTimeISO(name);
  const offsets: { start: string; from: number; to: number }[] = [
    { start: "19700101T000000", from: first.offsetNanoseconds / 1e6, to: first.offsetNanoseconds / 1e6 },
  ];
  for (
    let at = first.getTimeZoneTransition("next");
    at && at.epochMilliseconds < around + 800 * DAY_MS;
    at = at.getTimeZoneTransition("next")
  ) {
    const from = offsets.at(-1)!.to;
    offsets.push({ start: stamp(at.epochMilliseconds + from), from, to: at.offsetNanoseconds / 1e6 });
  }
  const least = Math.min(...offsets.map(({ to }) => to));
  for (const { start, from, to } of offsets) {
    const part = new ICAL.Component(to > least ? "daylight" : "standard");
    part.addProperty(ICAL.Property.fromString(`DTSTART:${start}`));
    part.addProperty(ICAL.Property.fromString(`TZOFFSETFROM:${offsetText(from)}`));
    part.addProperty(ICAL.Property.fromString(`TZOFFSETTO:${offsetText(to)}`));
    component.addSubcomponent(part);
  }
  return component;
}
