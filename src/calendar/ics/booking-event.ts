import ICAL from "ical.js";
import { uidOf } from "./booking-uid.js";
import { calendarOf } from "./calendar-of.js";
import { clockIn, LATEST } from "./event-times.js";
import { ianaZone, UTC, type Zone } from "./time-zones.js";
import { vtimezone, zoneOf } from "./vtimezone.js";

/** The fields that a booking and its event have in common. Times are instants in ISO 8601. */
export interface SharedFields {
  title: string;
  description: string | null;
  location: string | null;
  startsAt: string;
  endsAt: string;
  status: "tentative" | "confirmed" | "cancelled";
}
export interface BookingEvent extends SharedFields {
  /** The booking's revision when we wrote the event; null if that was lost. */
  revision: number | null;
}

const REVISION = "x-parley-revision";
const STATUSES = { TENTATIVE: "tentative", CONFIRMED: "confirmed", CANCELLED: "cancelled" } as const;
const MINUTE_MS = 60_000;
const MAX_ICS_LENGTH = 1_000_000;
/** The limits of a booking's fields. What is cut off stays in the event until that field is changed here. */
const MAX_LENGTHS = { summary: 500, description: 10_000, location: 500 };

/** @throws Error: the text, the event in it, or its zone cannot be read */
export function readEvent(ics: string, own: Zone): BookingEvent {
  const { calendar, event } = parse(ics);
  const text = (name: string): string => String(event.getFirstPropertyValue(name) ?? "").replace(/\r\n?/g, "\n");
  const limited = (name: keyof typeof MAX_LENGTHS): string => [...text(name)].slice(0, MAX_LENGTHS[name]).join("");
  const start = clockIn(event.getFirstProperty("dtstart")!, calendar, own);
  const end = event.getFirstProperty("dtend");
  const duration = event.getFirstPropertyValue("duration");
  const until = end
    ? clockIn(end, calendar, own).instant
    : duration instanceof ICAL.Duration
      ? start.instant + duration.toSeconds() * 1_000
      : start.allDay
        ? start.zone.instant(start.clock + 24 * 60 * MINUTE_MS)
        : start.instant;
  const ends = Math.max(until, start.instant + MINUTE_MS);
  if (ends > LATEST) throw new Error("an event that ends too late to be stored");
  const revision = Number(text(REVISION).trim() || NaN);
  return {
    title: limited("summary"),
    description: limited("description") || null,
    location: limited("location") || null,
    startsAt: new Date(start.instant).toISOString(),
    endsAt: new Date(ends).toISOString(),
    status: STATUSES[text("status").trim().toUpperCase() as keyof typeof STATUSES] ?? "confirmed",
    revision: Number.isInteger(revision) ? revision : null,
  };
}

function parse(ics: string): { calendar: ICAL.Component; event: ICAL.Component } {
  if (ics.length > MAX_ICS_LENGTH) throw new Error("an event with more than a million characters");
  const calendar = calendarOf(ics);
  const events = calendar.getAllSubcomponents("vevent");
  const event = events.find((one) => !one.hasProperty("recurrence-id")) ?? events[0];
  if (!event?.hasProperty("dtstart")) throw new Error("no event with a start");
  return { calendar, event };
}

export interface Draft extends SharedFields {
  id: string;
  revision: number;
}

/**
 * The iCalendar text of a booking's event. What an existing event has beyond our fields stays, such as alarms and guests;
 * fields that did not change are not rewritten.
 * @param zone the calendar's IANA zone
 * @param before the event as it is on the server, or null
 */
export function composeEvent(draft: Draft, zone: string, before: string | null, now: Date): string {
  return before === null ? newEvent(draft, zone, now) : changedEvent(draft, zone, before, now);
}

function newEvent(draft: Draft, zone: string, now: Date): string {
  const calendar = new ICAL.Component("vcalendar");
  calendar.addPropertyWithValue("version", "2.0");
  calendar.addPropertyWithValue("prodid", "-//Parley//EN");
  const event = new ICAL.Component("vevent");
  calendar.addSubcomponent(event);
  event.addPropertyWithValue("uid", uidOf(draft.id));
  event.addPropertyWithValue("created", utc(now.getTime()));
  event.addPropertyWithValue("sequence", 0);
  write(calendar, event, draft, zone, null);
  return finish(calendar, event, draft, now);
}

function changedEvent(draft: Draft, zone: string, before: string, now: Date): string {
  const { calendar, event } = parse(before);
  const was = readEvent(before, ianaZone(zone) ?? UTC);
  if (draft.startsAt !== was.startsAt || draft.endsAt !== was.endsAt || draft.status !== was.status)
    event.updatePropertyWithValue("sequence", Number(event.getFirstPropertyValue("sequence") ?? 0) + 1);
  write(calendar, event, draft, zone, was);
  return finish(calendar, event, draft, now);
}

function finish(calendar: ICAL.Component, event: ICAL.Component, { revision }: Draft, now: Date): string {
  event.updatePropertyWithValue("dtstamp", utc(now.getTime()));
  event.updatePropertyWithValue("last-modified", utc(now.getTime()));
  event.updatePropertyWithValue(REVISION, String(revision));
  return `${calendar.toString()}\r\n`;
}

function write(
  calendar: ICAL.Component,
  event: ICAL.Component,
  draft: Draft,
  zone: string,
  was: SharedFields | null,
): void {
  for (const [name, field] of [
    ["summary", "title"],
    ["description", "description"],
    ["location", "location"],
  ] as const) {
    if (draft[field] === (was ? was[field] : null)) continue;
    event.removeAllProperties(name);
    if (draft[field]) event.addPropertyWithValue(name, draft[field]);
  }
  if (draft.status !== was?.status) event.updatePropertyWithValue("status", draft.status.toUpperCase());
  if (draft.startsAt !== was?.startsAt || draft.endsAt !== was.endsAt) writeTimes(calendar, event, draft, zone);
}

function writeTimes(
  calendar: ICAL.Component,
  event: ICAL.Component,
  { startsAt, endsAt }: SharedFields,
  own: string,
): void {
  // In the event's own zone, if that is an IANA zone.
  const tzid = event.getFirstProperty("dtstart")?.getParameter("tzid");
  const zone = (typeof tzid === "string" ? zoneOf(tzid, calendar) : null)?.name ?? own;
  event.removeAllProperties("duration");
  for (const [name, at] of [
    ["dtstart", startsAt],
    ["dtend", endsAt],
  ] as const) {
    event.removeAllProperties(name);
    const property = new ICAL.Property(name);
    const instant = Date.parse(at);
    const clock = ianaZone(zone)!.clock(instant);
    // When clocks go back, the second of two equal times can only be written in UTC.
    if (zone === "UTC" || ianaZone(zone)!.instant(clock) !== instant) property.setValue(utc(instant));
    else {
      property.setValue(ICAL.Time.fromDateTimeString(new Date(clock).toISOString().slice(0, 19)));
      property.setParameter("tzid", zone);
    }
    event.addProperty(property);
  }
  if (zone === "UTC") return;
  // The existing VTIMEZONE may not cover the new time.
  for (const one of calendar
    .getAllSubcomponents("vtimezone")
    .filter((each) => each.getFirstPropertyValue("tzid") === zone))
    calendar.removeSubcomponent(one);
  calendar.addSubcomponent(vtimezone(zone, Date.parse(startsAt)));
}

const utc = (instant: number): ICAL.Time => ICAL.Time.fromJSDate(new Date(instant), true);
