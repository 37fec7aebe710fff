import ICAL from "ical.js";
import { UTC, type Zone } from "./time-zones.js";
import { clockOf, zoneOf } from "./vtimezone.js";

/** The last moment that counts. `99991231` often stands for no end, and west of UTC it ends in the year 10000, which PostgreSQL does not read. */
export const LATEST = Date.UTC(9999, 11, 31);

/**
 * A property's time, on its own clock and as an instant.
 * @param own the zone of times that name none
 * @throws Error: it is not a time, or its zone is unknown
 */
export function clockIn(
  property: ICAL.Property,
  calendar: ICAL.Component,
  own: Zone,
  value: unknown = property.getFirstValue(),
): { zone: Zone; clock: number; instant: number; allDay: boolean } {
  if (!(value instanceof ICAL.Time) || Number.isNaN(clockOf(value))) throw new Error(`${property.name} is not a time`);
  const tzid = property.getParameter("tzid");
  const zone = value.isDate
    ? own
    : value.zone === ICAL.Timezone.utcTimezone
      ? UTC
      : typeof tzid === "string"
        ? zoneOf(tzid, calendar)
        : own;
  if (!zone) throw new Error(`unknown time zone ${String(tzid)}`);
  const clock = clockOf(value);
  return { zone, clock, instant: zone.instant(clock), allDay: value.isDate };
}
