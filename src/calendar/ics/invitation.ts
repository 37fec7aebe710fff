import { isEmail } from "class-validator";
import ICAL from "ical.js";
import { calendarOf } from "./calendar-of.js";
import { clockIn } from "./event-times.js";
import type { Zone } from "./time-zones.js";

/** Bytes of a file, and events in it. A mail that invites has a few kilobytes and one event. */
export const MAX_INVITATION_BYTES = 262_144;
const MAX_EVENTS = 10;
const MAX_GUESTS = 500;
const MAX_TEXT = { uid: 1_000, summary: 500, location: 500, name: 200 };
const DAY_MS = 86_400_000;

export const METHODS = ["request", "cancel", "reply", "publish"] as const;
export const ANSWERS = ["accepted", "declined", "tentative"] as const;
export type InvitationAnswer = (typeof ANSWERS)[number];
export const FREQUENCIES = ["daily", "weekly", "monthly", "yearly"] as const;
export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;

export interface Person {
  name: string | null;
  address: string;
}
/** A rule that can be said in a few words. No occurrence is computed. */
export interface Recurrence {
  frequency: (typeof FREQUENCIES)[number];
  interval: number;
  weekdays: (typeof WEEKDAYS)[number][];
  count: number | null;
  until: string | null;
}
export interface Invitation {
  method: (typeof METHODS)[number];
  title: string;
  location: string | null;
  /** Of a whole day: its midnight in UTC. */
  startsAt: string;
  endsAt: string;
  allDay: boolean;
  /** In which the organizer wrote it. */
  timeZone: string | null;
  organizer: Person | null;
  recurs: boolean;
  recurrence: Recurrence | null;
  /** Of a reply: who answered what. */
  attendee: (Person & { answer: InvitationAnswer | null }) | null;
  /** How many more events the file has. */
  moreEvents: number;
}

/**
 * What a mail with a calendar file asks (RFC 5546).
 * @param own the zone of times that name none
 * @throws Error: it cannot be read, or is too large
 */
export function readInvitation(ics: string, own: Zone): Invitation {
  const { calendar, event, events, method } = parse(ics);
  const start = clockIn(event.getFirstProperty("dtstart")!, calendar, own);
  const { allDay } = start;
  const from = allDay ? start.clock : start.instant;
  return {
    method,
    title: textIn(event, "summary", MAX_TEXT.summary),
    location: textIn(event, "location", MAX_TEXT.location) || null,
    startsAt: new Date(from).toISOString(),
    endsAt: new Date(Math.max(from, endOf(event, calendar, own, start))).toISOString(),
    allDay,
    timeZone: allDay ? null : (start.zone.name ?? null),
    organizer: personIn(event.getFirstProperty("organizer")),
    recurs: event.hasProperty("rrule") || event.hasProperty("rdate"),
    recurrence: recurrenceIn(event),
    attendee: method === "reply" ? answerIn(event) : null,
    moreEvents: events - 1,
  };
}

function parse(ics: string): {
  calendar: ICAL.Component;
  event: ICAL.Component;
  events: number;
  method: Invitation["method"];
} {
  if (ics.length > MAX_INVITATION_BYTES) throw new Error("a calendar file with more than 256 kB");
  const calendar = calendarOf(ics);
  const given = String(calendar.getFirstPropertyValue("method") ?? "publish").toLowerCase();
  const method = METHODS.find((one) => one === given);
  if (calendar.name !== "vcalendar" || !method) throw new Error("no calendar file of a method that is known");
  const events = calendar.getAllSubcomponents("vevent");
  if (events.length > MAX_EVENTS) throw new Error(`a calendar file with more than ${MAX_EVENTS} events`);
  const event = events.find((one) => !one.hasProperty("recurrence-id")) ?? events[0];
  if (!event?.hasProperty("dtstart")) throw new Error("no event with a start");
  return { calendar, event, events: events.length, method };
}

function endOf(event: ICAL.Component, calendar: ICAL.Component, own: Zone, start: ReturnType<typeof clockIn>): number {
  const end = event.getFirstProperty("dtend");
  const from = start.allDay ? start.clock : start.instant;
  if (end) {
    const { clock, instant } = clockIn(end, calendar, own);
    return start.allDay ? clock : instant;
  }
  const duration = event.getFirstPropertyValue("duration");
  if (duration instanceof ICAL.Duration) return from + Math.max(0, duration.toSeconds()) * 1_000;
  return start.allDay ? from + DAY_MS : from;
}

const limited = (text: string, most: number): string =>
  [...text.slice(0, 4 * most).replace(/[\s\0]+/g, " ")].slice(0, most).join("").trim().toWellFormed();
const textIn = (event: ICAL.Component, name: string, most: number): string =>
  limited(String(event.getFirstPropertyValue(name) ?? ""), most);

const MAILTO = /^mailto:([^\s"(),:;<>@[\\\]]{1,64}@[^\s"(),:;<>@\\]{1,255})$/i;

function personIn(property: ICAL.Property | null): Person | null {
  if (!property) return null;
  const address = MAILTO.exec(String(property.getFirstValue()).trim())?.[1]?.toLowerCase();
  const cn = property.getParameter("cn");
  return address === undefined || !isEmail(address)
    ? null
    : { name: (typeof cn === "string" && limited(cn, MAX_TEXT.name)) || null, address };
}

const STATES: Partial<Record<string, InvitationAnswer>> = {
  ACCEPTED: "accepted",
  DECLINED: "declined",
  TENTATIVE: "tentative",
};

function answerIn(event: ICAL.Component): Invitation["attendee"] {
  const guests = event.getAllProperties("attendee");
  const [guest] = guests.length > MAX_GUESTS ? [] : guests;
  const person = personIn(guest ?? null);
  const state = guest?.getParameter("partstat");
  return person && { ...person, answer: STATES[String(state).toUpperCase()] ?? null };
}

/** Undefined parts of a rule would make its words wrong, so such a rule has none. */
const SIMPLE = new Set(["freq", "interval", "count", "until", "byday", "wkst"]);

function recurrenceIn(event: ICAL.Component): Recurrence | null {
  const rules = event.getAllProperties("rrule");
  const rule = rules[0]?.getFirstValue();
  if (rules.length !== 1 || !(rule instanceof ICAL.Recur) || event.hasProperty("rdate")) return null;
  const parts = rule.toJSON() as Record<string, unknown>;
  const frequency = FREQUENCIES.find((one) => one === String(parts.freq).toLowerCase());
  const weekdays = [parts.byday ?? []].flat().map(String);
  const isSimple =
    Object.keys(parts).every((part) => SIMPLE.has(part)) &&
    (weekdays.length === 0 || frequency === "weekly") &&
    weekdays.every((day) => (WEEKDAYS as readonly string[]).includes(day));
  if (!frequency || !isSimple) return null;
  const until = rule.until?.toJSDate();
  return {
    frequency,
    interval: rule.interval,
    weekdays: WEEKDAYS.filter((day) => weekdays.includes(day)),
    count: rule.count ?? null,
    until: until && !Number.isNaN(until.getTime()) ? until.toISOString() : null,
  };
}

/**
 * The answer to an invitation, for whoever sent it.
 * @param guest the mailbox that was invited
 * @throws Error: as when it is read
 */
export function composeReply(
  ics: string,
  own: Zone,
  { guest, answer, now }: { guest: Person; answer: InvitationAnswer; now: Date },
): string {
  const { calendar, event } = parse(ics);
  const reply = new ICAL.Component("vcalendar");
  reply.addPropertyWithValue("prodid", "-//Parley//EN");
  reply.addPropertyWithValue("version", "2.0");
  reply.addPropertyWithValue("method", "REPLY");
  const answered = new ICAL.Component("vevent");
  reply.addSubcomponent(answered);
  const uid = String(event.getFirstPropertyValue("uid") ?? "");
  if (!uid || uid.length > MAX_TEXT.uid) throw new Error("an event without an id");
  answered.addPropertyWithValue("uid", uid);
  answered.addPropertyWithValue("dtstamp", ICAL.Time.fromJSDate(now, true));
  const sequence = Number(event.getFirstPropertyValue("sequence") ?? 0);
  answered.addPropertyWithValue("sequence", Number.isSafeInteger(sequence) ? sequence : 0);
  for (const name of ["recurrence-id", "dtstart", "dtend"]) {
    const property = event.getFirstProperty(name);
    if (property) answered.addProperty(inUtc(property, calendar, own));
  }
  answered.addPropertyWithValue("summary", textIn(event, "summary", MAX_TEXT.summary));
  answered.addPropertyWithValue("organizer", `mailto:${personIn(event.getFirstProperty("organizer"))!.address}`);
  const attendee = answered.addPropertyWithValue("attendee", `mailto:${guest.address}`);
  if (guest.name) attendee.setParameter("cn", guest.name.replace(/["\r\n]/g, " "));
  attendee.setParameter("partstat", answer.toUpperCase());
  return `${reply.toString()}\r\n`;
}

/** The same time, which needs no description of its zone. A day stays a day. */
function inUtc(property: ICAL.Property, calendar: ICAL.Component, own: Zone): ICAL.Property {
  const { allDay, instant, clock } = clockIn(property, calendar, own);
  const time = ICAL.Time.fromJSDate(new Date(allDay ? clock : instant), true);
  time.isDate = allDay;
  const copy = new ICAL.Property(property.name);
  copy.resetType(allDay ? "date" : "date-time");
  copy.setValue(time);
  return copy;
}
