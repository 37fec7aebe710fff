import { serveJobs } from "../../platform/workers/serve-jobs.js";
import { type BookingEvent, composeEvent, type Draft, readEvent } from "../ics/booking-event.js";
import { type BusyTimes, busyTimes, type TimeWindow } from "../ics/busy-times.js";
import { composeReply, type Invitation, readInvitation } from "../ics/invitation.js";
import { ianaZone, UTC } from "../ics/time-zones.js";
import { zoneOfCalendar } from "../ics/vtimezone.js";
import { readMultistatus } from "./caldav/multistatus.js";

const zoneNamed = (timezone: string) => ianaZone(timezone) ?? UTC;

/** `times` are null if they cannot be read. `ms` is how long that took. */
interface ReadTimes {
  times: BusyTimes | null;
  ms: number;
}

const jobs = {
  readEvent: ({ ics, timezone }: { ics: string; timezone: string }): BookingEvent =>
    readEvent(ics, zoneNamed(timezone)),
  composeEvent: (event: { draft: Draft; timezone: string; before: string | null; now: Date }): string =>
    composeEvent(event.draft, event.timezone, event.before, event.now),
  busyTimes: ({ ics, timezone, window }: { ics: string; timezone: string; window: TimeWindow }): ReadTimes => {
    const began = performance.now();
    const read = (): BusyTimes | null => {
      try {
        return busyTimes(ics, zoneNamed(timezone), window);
      } catch {
        return null;
      }
    };
    return { times: read(), ms: performance.now() - began };
  },
  invitation: ({ ics, timezone }: { ics: string; timezone: string }): Invitation =>
    readInvitation(ics, zoneNamed(timezone)),
  invitationReply: (given: { ics: string; timezone: string; reply: Parameters<typeof composeReply>[2] }): string =>
    composeReply(given.ics, zoneNamed(given.timezone), given.reply),
  multistatus: readMultistatus,
  zonesOfCalendars: (ics: (string | null)[]): (string | null)[] => ics.map(zoneOfCalendar),
};
export type CalendarJobs = typeof jobs;

serveJobs(jobs);
