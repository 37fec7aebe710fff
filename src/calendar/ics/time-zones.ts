import { Temporal } from "temporal-polyfill";

/** Converts between instants and what a clock in the zone shows, in milliseconds as if it were UTC. */
export interface Zone {
  /** The IANA name, if it has one. */
  name?: string;
  instant(clock: number): number;
  clock(instant: number): number;
}

export const UTC: Zone = { name: "UTC", instant: (clock) => clock, clock: (instant) => instant };
const known = new Map<string, Zone | null>([["UTC", UTC]]);

/** The zone with this IANA name, or null. */
export function ianaZone(name: string): Zone | null {
  let zone = known.get(name);
  if (zone === undefined) {
    try {
      new Intl.DateTimeFormat("en", { timeZone: name });
      zone = /^[+-]/.test(name) ? null : zoneNamed(name);
    } catch {
      zone = null;
    }
    if (known.size > 1_000) known.clear();
    known.set(name, zone);
  }
  return zone;
}

function zoneNamed(name: string): Zone {
  return {
    name,
    // A time that a clock change skips is moved later. Of a time that occurs twice, this is the first.
    instant: (clock) => plain(clock).toZonedDateTime(name).epochMilliseconds,
    clock: (instant) => {
      const local = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name);
      return instant + local.offsetNanoseconds / 1e6;
    },
  };
}
const plain = (clock: number): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(clock).toZonedDateTimeISO("UTC").toPlainDateTime();
