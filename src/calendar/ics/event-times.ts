import ICAL from "ical.js";
import { UTC, type Zone } from "./time-zones.js";
import { clockOf, zoneOf } from "./vtimezone.js";

/** A property's time: on its own clock, and as an instant. @throws Error: no time, or of a zone that nobody knows */
export function clockIn(
  property: ICAL.Property,
  calendar: ICAL.Component,
  own: Zone,
  value: unknown = property.getFirstValue(),
): { zone: Zone; clock: number; instant: number; allDay: boolean } {
  if (!(value instanceof ICAL.Time) || Number.isNaN(clockOf(value))) throw new Error(`${property.name} is no time`);
  const tzid = property.getParameter("tzid");
  const zone = value.isDate
    ? own
    : value.zone === ICAL.Timezone.utcTimezone
      ? UTC
      : typeof tzid === "string"
        ? zoneOf(tzid, calendar)
        : own;
  if (!zone) throw new Error(`nobody knows the time zone ${String(tzid)}`);
  const clock = clockOf(value);
  return { zone, clock, instant: zone.instant(clock), allDay: value.isDate };
}
