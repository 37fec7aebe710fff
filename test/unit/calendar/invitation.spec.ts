import ICAL from "ical.js";
import { describe, expect, it } from "vitest";
import { composeReply, MAX_INVITATION_BYTES, readInvitation } from "../../../src/calendar/ics/invitation.js";
import { ianaZone, UTC } from "../../../src/calendar/ics/time-zones.js";
import { parseMail } from "../../../src/channels/email/parse-mail.js";
import { growth } from "../../support/cost.js";

const file = (event: string[], method = "REQUEST", more: string[] = []): string =>
  [
    "BEGIN:VCALENDAR",
    "PRODID:-//Example//EN",
    "VERSION:2.0",
    ...(method ? [`METHOD:${method}`] : []),
    ...more,
    "BEGIN:VEVENT",
    "UID:abc@example.org",
    "DTSTAMP:20260301T080000Z",
    ...event,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");
const LUNCH = [
  "DTSTART;TZID=Europe/Vienna:20260310T120000",
  "DTEND;TZID=Europe/Vienna:20260310T130000",
  "SUMMARY:Lunch\\, and a walk",
  "LOCATION:Café Central",
  'ORGANIZER;CN="Ada Lovelace":mailto:Ada@Example.org',
  "ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:support@example.com",
  "SEQUENCE:2",
];

describe("an invitation", () => {
  it("says what, when, where and who", () => {
    expect(readInvitation(file(LUNCH), UTC)).toEqual({
      method: "request",
      title: "Lunch, and a walk",
      location: "Café Central",
      startsAt: "2026-03-10T11:00:00.000Z",
      endsAt: "2026-03-10T12:00:00.000Z",
      allDay: false,
      timeZone: "Europe/Vienna",
      organizer: { name: "Ada Lovelace", address: "ada@example.org" },
      recurs: false,
      recurrence: null,
      attendee: null,
      moreEvents: 0,
    });
  });

  it("of whole days has no zone, and one without a zone has the reader's", () => {
    const days = file(["DTSTART;VALUE=DATE:20260310", "DTEND;VALUE=DATE:20260312", "SUMMARY:Trip"]);
    expect(readInvitation(days, ianaZone("America/New_York")!)).toMatchObject({
      allDay: true,
      startsAt: "2026-03-10T00:00:00.000Z",
      endsAt: "2026-03-12T00:00:00.000Z",
      timeZone: null,
      organizer: null,
    });
    expect(
      readInvitation(file(["DTSTART:20260310T120000", "DURATION:PT30M"], ""), ianaZone("Europe/Vienna")!),
    ).toMatchObject({ method: "publish", startsAt: "2026-03-10T11:00:00.000Z", endsAt: "2026-03-10T11:30:00.000Z" });
  });

  it("has the zone that Outlook means", () => {
    const outlook = file([
      "DTSTART;TZID=W. Europe Standard Time:20260710T120000",
      "DTEND;TZID=W. Europe Standard Time:20260710T130000",
    ]);
    expect(readInvitation(outlook, UTC)).toMatchObject({
      startsAt: "2026-07-10T10:00:00.000Z",
      timeZone: expect.stringMatching(/^Europe\//),
    });
  });

  it.each([
    ["RRULE:FREQ=WEEKLY;BYDAY=TU,MO;INTERVAL=2", { frequency: "weekly", interval: 2, weekdays: ["MO", "TU"] }],
    ["RRULE:FREQ=DAILY;COUNT=5", { frequency: "daily", interval: 1, count: 5 }],
    ["RRULE:FREQ=MONTHLY;UNTIL=20270101T000000Z", { frequency: "monthly", until: "2027-01-01T00:00:00.000Z" }],
    ["RRULE:FREQ=MONTHLY;BYDAY=2MO", null],
    ["RRULE:FREQ=SECONDLY;COUNT=999999999", null],
    ["RRULE:FREQ=WEEKLY;BYDAY=1MO", null],
  ])("recurs: %s", (rule, recurrence) => {
    expect(readInvitation(file([...LUNCH, rule]), UTC)).toMatchObject({ recurs: true, recurrence });
  });

  it("that is answered names the guest, and one that is cancelled says so", () => {
    const answered = file(
      [...LUNCH.slice(0, 5), "ATTENDEE;CN=Grace;PARTSTAT=DECLINED:mailto:grace@example.com"],
      "REPLY",
    );
    expect(readInvitation(answered, UTC)).toMatchObject({
      method: "reply",
      attendee: { name: "Grace", address: "grace@example.com", answer: "declined" },
    });
    expect(readInvitation(file(LUNCH, "CANCEL"), UTC)).toMatchObject({ method: "cancel" });
  });

  it.each([
    ["too large", file([...LUNCH, `DESCRIPTION:${"x".repeat(MAX_INVITATION_BYTES)}`])],
    ["with many events", file(LUNCH).replace(/BEGIN:VEVENT[^]*END:VEVENT\r\n/, (event) => event.repeat(11))],
    ["of an unknown method", file(LUNCH, "COUNTER")],
    ["without a start", file(["SUMMARY:Never"])],
    ["that is none", "Hello"],
    ["of another kind", "BEGIN:VCARD\r\nFN:Ada\r\nEND:VCARD\r\n"],
    ["of a zone that nobody knows", file(["DTSTART;TZID=Nowhere/At-All:20260310T120000"])],
  ])("%s is refused", (_, ics) => {
    expect(() => readInvitation(ics, UTC)).toThrow();
  });

  it("takes linear time, whatever it repeats", () => {
    for (const line of ["ATTENDEE:mailto:a@b.c", "RRULE:FREQ=SECONDLY", "BEGIN:VALARM\r\nEND:VALARM", " folded"]) {
      const most = Math.floor((MAX_INVITATION_BYTES - 2_000) / (line.length + 2));
      const read = (count: number): unknown =>
        readInvitation(file([...LUNCH, ...Array<string>(count).fill(line)]), UTC);
      expect(growth(read, Math.floor(most / 8))).toBeLessThan(24);
    }
  });

  it("does not take an organizer that would add to a mail", () => {
    for (const organizer of [
      "mailto:a@b.c,d@e.f",
      "mailto:a b@c.d",
      "http://example.org",
      "mailto:<a@b.c>",
      "mailto:x@[10.0.0.5]",
      "mailto:x@10.0.0.5",
    ])
      expect(readInvitation(file([...LUNCH.slice(0, 4), `ORGANIZER:${organizer}`]), UTC).organizer).toBeNull();
  });

  it("is answered with its own id, and with one guest", () => {
    const reply = composeReply(file([...LUNCH, "RECURRENCE-ID;TZID=Europe/Vienna:20260310T120000"]), UTC, {
      guest: { name: 'Support "desk"', address: "support@example.com" },
      answer: "accepted",
      now: new Date("2026-03-02T09:00:00Z"),
    });
    const calendar = new ICAL.Component(ICAL.parse(reply) as unknown[]);
    expect(calendar.getFirstPropertyValue("method")).toBe("REPLY");
    const [event] = calendar.getAllSubcomponents("vevent");
    const said = (name: string): string => String(event!.getFirstPropertyValue(name));
    expect(["uid", "sequence", "organizer", "attendee", "recurrence-id", "dtstart"].map(said)).toEqual([
      "abc@example.org",
      "2",
      "mailto:ada@example.org",
      "mailto:support@example.com",
      "2026-03-10T11:00:00Z",
      "2026-03-10T11:00:00Z",
    ]);
    expect(event!.getAllProperties("attendee").map((one) => one.getParameter("partstat"))).toEqual(["ACCEPTED"]);
  });

  it("comes in as a file, also as a part of the text", async () => {
    const source = [
      "From: Ada <ada@example.org>",
      "To: support@example.com",
      "Subject: Invitation: Lunch",
      "MIME-Version: 1.0",
      'Content-Type: multipart/alternative; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain; charset=utf-8",
      "",
      "You are invited.",
      "--b",
      'Content-Type: text/calendar; charset="UTF-8"; method=REQUEST',
      "Content-Transfer-Encoding: 8bit",
      "",
      file(LUNCH),
      "--b--",
      "",
    ].join("\r\n");
    const bytes = Buffer.from(source);
    const { files, body } = await parseMail(
      { source: bytes, size: bytes.length, at: new Date("2026-03-02T09:00:00Z") },
      "support@example.com",
    );
    expect(body).toBe("You are invited.");
    expect(files.map(({ type }) => type)).toEqual(["text/calendar"]);
    expect(readInvitation(files[0]!.bytes.toString("utf8"), UTC)).toMatchObject({ location: "Café Central" });
  });
});
