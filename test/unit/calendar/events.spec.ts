import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesIn } from "../../../src/calendar/providers/caldav/caldav.provider.js";
import { type Resource, text } from "../../../src/calendar/providers/caldav/multistatus.js";
import { mayFollow } from "../../../src/calendar/providers/caldav/webdav-client.js";
import { busyTimes } from "../../../src/calendar/ics/busy-times.js";
import { composeEvent, readEvent, type SharedFields } from "../../../src/calendar/ics/booking-event.js";
import { bookingIn } from "../../../src/calendar/ics/booking-uid.js";
import { WINDOWS_ZONES } from "../../../src/calendar/ics/windows-zones.js";
import { ianaZone, UTC } from "../../../src/calendar/ics/time-zones.js";
import { merge } from "../../../src/calendar/sync/merge.js";
import { growth, leastCost } from "../../support/cost.js";
import { runs } from "../../support/seed.js";
import { ics } from "../../server/calendar/support.js";

const BERLIN = ianaZone("Europe/Berlin")!;
const ID = "0195c0de-0000-7000-8000-000000000001";
const busy = (lines: readonly string[], from: string, to: string, zone = BERLIN, more = ""): string[] =>
  busyTimes(ics("x", lines).replace("END:VCALENDAR", `${more}END:VCALENDAR`), zone, {
    from: new Date(from),
    to: new Date(to),
  }).map(([start, end]) => `${new Date(start).toISOString().slice(0, 16)}/${new Date(end).toISOString().slice(0, 16)}`);
const event = (...lines: string[]): string => ["BEGIN:VEVENT", "UID:x", ...lines, "END:VEVENT", ""].join("\r\n");

describe("busy times", () => {
  test("of a weekly series keep their hour when the clocks change", () => {
    expect(
      busy(
        ["DTSTART;TZID=Europe/Berlin:20260302T090000", "DTEND;TZID=Europe/Berlin:20260302T100000", "RRULE:FREQ=WEEKLY"],
        "2026-03-22",
        "2026-04-08",
      ),
    ).toEqual([
      "2026-03-23T08:00/2026-03-23T09:00",
      "2026-03-30T07:00/2026-03-30T08:00",
      "2026-04-06T07:00/2026-04-06T08:00",
    ]);
    expect(
      busy(
        ["DTSTART:20260302T090000Z", "DURATION:PT1H", "RRULE:FREQ=WEEKLY;UNTIL=20260330T090000Z"],
        "2026-03-22",
        "2026-04-08",
      ),
    ).toEqual(["2026-03-23T09:00/2026-03-23T10:00", "2026-03-30T09:00/2026-03-30T10:00"]);
  });

  test("of whole days follow the calendar's zone, 23 hours long when the clocks go forward", () => {
    expect(busy(["DTSTART;VALUE=DATE:20260329"], "2026-03-20", "2026-04-10")).toEqual([
      "2026-03-28T23:00/2026-03-29T22:00",
    ]);
    // Many programs write a day without saying that it is one.
    expect(busy(["DTSTART:20260329", "EXDATE;TZID=Europe/Berlin:20260330"], "2026-03-20", "2026-04-10")).toEqual([
      "2026-03-28T23:00/2026-03-29T22:00",
    ]);
    expect(busy(["DTSTART;VALUE=DATE:20261025", "DTEND;VALUE=DATE:20261027"], "2026-10-20", "2026-11-10")).toEqual([
      "2026-10-24T22:00/2026-10-26T23:00",
    ]);
    expect(
      busy(
        ["DTSTART;VALUE=DATE:20260328", "RRULE:FREQ=DAILY;COUNT=2"],
        "2026-03-20",
        "2026-04-10",
        ianaZone("America/New_York")!,
      ),
    ).toEqual(["2026-03-28T04:00/2026-03-30T04:00"]);
  });

  test("respect exceptions, added dates, and moved or cancelled occurrences", () => {
    const series = [
      "DTSTART;TZID=Europe/Berlin:20260504T090000",
      "DURATION:PT1H",
      "RRULE:FREQ=DAILY;COUNT=5",
      "EXDATE;TZID=Europe/Berlin:20260505T090000",
      "RDATE;TZID=Europe/Berlin:20260520T120000",
    ];
    const moved = event(
      "RECURRENCE-ID;TZID=Europe/Berlin:20260506T090000",
      "DTSTART;TZID=Europe/Berlin:20260506T150000",
      "DURATION:PT30M",
    );
    const cancelled = event(
      "RECURRENCE-ID:20260507T070000Z",
      "STATUS:CANCELLED",
      "DTSTART;TZID=Europe/Berlin:20260507T090000",
      "DURATION:PT1H",
    );
    expect(busy(series, "2026-05-01", "2026-06-01", BERLIN, moved + cancelled)).toEqual([
      "2026-05-04T07:00/2026-05-04T08:00",
      "2026-05-06T13:00/2026-05-06T13:30",
      "2026-05-08T07:00/2026-05-08T08:00",
      "2026-05-20T10:00/2026-05-20T11:00",
    ]);
  });

  test("leave out transparent, cancelled and past events, and merge overlapping ones", () => {
    const hour = ["DTSTART:20260504T090000Z", "DURATION:PT1H"];
    expect(busy([...hour, "TRANSP:TRANSPARENT"], "2026-05-01", "2026-06-01")).toEqual([]);
    expect(busy([...hour, "STATUS:CANCELLED"], "2026-05-01", "2026-06-01")).toEqual([]);
    expect(busy(hour, "2026-05-05", "2026-06-01")).toEqual([]);
    expect(busy([...hour, "RDATE:20260504T093000Z"], "2026-05-01", "2026-06-01")).toEqual([
      "2026-05-04T09:00/2026-05-04T10:30",
    ]);
  });

  test("that have no end, or one that no date can say, go on until the end of time", () => {
    const start = "DTSTART:20260504T090000Z";
    for (const end of ["DTEND;TZID=America/New_York:99991231T235959", "DURATION:P99999999999W"])
      expect(busy([start, end], "2026-05-01", "2026-06-01")).toEqual(["2026-05-04T09:00/9999-12-31T00:00"]);
  });

  test("are read in the zones that programs write: Outlook's names, prefixed names and VTIMEZONE rules", () => {
    const at = (tzid: string, more = ""): string[] =>
      busy([`DTSTART;TZID=${tzid}:20260504T090000`, "DURATION:PT1H"], "2026-05-01", "2026-06-01", UTC, more);
    expect(at("W. Europe Standard Time")).toEqual(["2026-05-04T07:00/2026-05-04T08:00"]);
    expect(at("/freeassociation.sourceforge.net/America/New_York")).toEqual(["2026-05-04T13:00/2026-05-04T14:00"]);
    const own = (month: string, name: string): string =>
      [
        "BEGIN:VTIMEZONE",
        "TZID:Our own",
        "BEGIN:STANDARD",
        "DTSTART:16011028T030000",
        "RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10",
        "TZOFFSETFROM:+0330",
        "TZOFFSETTO:+0230",
        "END:STANDARD",
        "BEGIN:DAYLIGHT",
        "DTSTART:16010325T020000",
        `RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=${month}`,
        "TZOFFSETFROM:+0230",
        "TZOFFSETTO:+0330",
        "END:DAYLIGHT",
        "END:VTIMEZONE",
        name,
      ].join("\r\n");
    expect(at("Our own", own("3", ""))).toEqual(["2026-05-04T05:30/2026-05-04T06:30"]);
    expect(at("Our own", own("6", ""))).toEqual(["2026-05-04T06:30/2026-05-04T07:30"]);
    expect(() => at("Atlantis/Capital")).toThrow("unknown time zone Atlantis/Capital");
    expect(WINDOWS_ZONES.size).toBeGreaterThanOrEqual(139);
    expect([...WINDOWS_ZONES.values()].filter((name) => !ianaZone(name))).toEqual([]);
    expect(WINDOWS_ZONES.get("W. Europe Standard Time")).toBe("Europe/Berlin");
    expect(WINDOWS_ZONES.get("Mountain Standard Time (Mexico)")).toBe("America/Mazatlan");
  });

  test("of a hostile rule are computed or refused within seconds", () => {
    const numbers = (least: number, most: number) =>
      fc.array(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 40 }).map(String);
    const parts = fc.record(
      {
        FREQ: fc.constantFrom("YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY", "NEVER"),
        INTERVAL: fc.oneof(fc.integer({ min: -1, max: 50 }), fc.constantFrom(999_999_999, 1e15)).map(String),
        COUNT: fc.constantFrom("1", "5", "999999999", "-1"),
        UNTIL: fc.constantFrom("20991231T000000Z", "20260601", "99991231T235959Z", "0", "20260231T250000Z"),
        BYMONTH: numbers(1, 12),
        BYMONTHDAY: numbers(-31, 31),
        BYYEARDAY: numbers(-366, 366),
        BYWEEKNO: numbers(-53, 53),
        BYHOUR: numbers(0, 25),
        BYMINUTE: numbers(0, 61),
        BYSECOND: numbers(0, 61),
        BYSETPOS: numbers(-400, 400),
        BYDAY: fc.array(fc.constantFrom("MO", "5TU", "-5SU", "53FR", "-1SA", "XX"), { minLength: 1 }).map(String),
        WKST: fc.constantFrom("MO", "SU", "XX"),
      },
      { requiredKeys: ["FREQ"] },
    );
    let slowest = 0;
    fc.assert(
      fc.property(
        parts,
        fc.constantFrom("19000101T000000", "20000229T235959", "20260510T090000", "99991231T000000"),
        (rule, start) => {
          const read = (): void => {
            busy(
              [
                `DTSTART;TZID=Europe/Berlin:${start}`,
                "DURATION:PT1H",
                `RRULE:${Object.entries(rule)
                  .map(([name, value]) => `${name}=${value}`)
                  .join(";")}`,
              ],
              "2026-05-01",
              "2026-08-07",
            );
          };
          const took = leastCost(() => {
            try {
              read();
            } catch {
              // The rule is reported as unreadable.
            }
          }, 3_000);
          slowest = Math.max(slowest, took);
          expect(took).toBeLessThan(3_000);
        },
      ),
      { numRuns: runs(300, 1_500) },
    );
    if (process.env.CALENDAR_SLOWEST) process.stderr.write(`the slowest rule took ${Math.round(slowest)} ms\n`);
    expect(
      busy(
        ["DTSTART:19000101T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=999999999"],
        "2026-05-01",
        "2026-05-03",
      ),
    ).toHaveLength(2);
    expect(
      busy(["DTSTART:20260501T090000Z", "DURATION:PT1H", "RRULE:COUNT=3;FREQ=DAILY"], "2026-04-01", "2026-06-01"),
    ).toHaveLength(3);
    for (const known of ["FREQ=YEARLY;BYMONTHDAY=31;BYMONTH=2", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"])
      expect(busy(["DTSTART:20260101T000000Z", "DURATION:PT1H", `RRULE:${known}`], "2026-05-01", "2026-08-07")).toEqual(
        [],
      );
  });

  test("of many rules share one budget: a text of bombs is refused before it has cost much", () => {
    const minutes = "RRULE:FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11;BYMINUTE=0,1,2,3,4,5,6,7";
    const text = (count: number, lines: (n: number) => string[]): string =>
      [
        "BEGIN:VCALENDAR",
        ...Array.from({ length: count }, (_, n) => [
          "BEGIN:VEVENT",
          `UID:${n}`,
          "DTSTART:20260101T000000Z",
          ...lines(n),
          "END:VEVENT",
        ]).flat(),
        "END:VCALENDAR",
      ].join("\r\n");
    const read = (ics: string) => busyTimes(ics, BERLIN, { from: new Date("2026-05-01"), to: new Date("2026-08-07") });
    expect(() => read(text(1, () => [minutes]))).toThrow("too many times a day");
    expect(() => read(text(1, () => ["RRULE:FREQ=HOURLY;BYMINUTE=0,20,40"]))).toThrow("too many times a day");
    expect(() => read(text(3, () => ["RRULE:FREQ=HOURLY"]))).toThrow("too many times");
    expect(() => read(text(101, () => ["RRULE:FREQ=YEARLY"]))).toThrow("too many rules");
    expect(() => read(text(1, () => Array<string>(5_001).fill("EXDATE:20260501T000000Z")))).toThrow("too many times");
    expect(() => read(text(1_001, () => []))).toThrow("too many events");
    // An hourly series is somebody's real calendar.
    expect(read(text(1, () => ["DURATION:PT15M", "RRULE:FREQ=HOURLY"]))).toHaveLength(98 * 24);
    expect(read(text(1_000, () => ["RRULE:FREQ=YEARLY"].slice(1)))).toEqual([]);
  });

  test("or an error are the only results of any text", () => {
    const base = ics("x", [
      "DTSTART;TZID=Europe/Berlin:20260504T090000",
      "DURATION:PT1H",
      "RRULE:FREQ=WEEKLY",
      "EXDATE:20260505T090000Z",
    ]);
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.nat(base.length),
            fc.nat(20),
            fc.oneof(
              fc.string(),
              fc.constantFrom("\r\nBEGIN:VEVENT\r\n", "END:VEVENT\r\n", ";VALUE=DATE", "P", "-", "Z", ":"),
            ),
          ),
        ),
        (edits) => {
          const text = edits.reduce((all, [at, cut, put]) => all.slice(0, at) + put + all.slice(at + cut), base);
          for (const work of [
            () => busyTimes(text, BERLIN, { from: new Date("2026-05-01"), to: new Date("2026-08-07") }),
            () => readEvent(text, BERLIN),
          ]) {
            try {
              work();
            } catch (error) {
              expect(error).toBeInstanceOf(Error);
            }
          }
        },
      ),
      { numRuns: runs(250, 1_000) },
    );
  });
});

const words = fc.string({ unit: "grapheme", maxLength: 200 }).map((text) =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
    .trim(),
);
const status = fc.constantFrom("tentative" as const, "confirmed" as const, "cancelled" as const);
const shared = fc
  .record({
    title: words,
    description: words.map((text) => text || null),
    location: words.map((text) => text || null),
    start: fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2060, 0) }),
    long: fc.integer({ min: 60, max: 86_400 }),
    status,
  })
  .map(({ start, long, ...rest }): SharedFields => ({
    ...rest,
    startsAt: new Date(Math.floor(start / 1_000) * 1_000).toISOString(),
    endsAt: new Date(Math.floor(start / 1_000) * 1_000 + long * 1_000).toISOString(),
  }));
const zones = fc.constantFrom(
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Katmandu",
  "UTC",
  "Africa/Casablanca",
  "Pacific/Apia",
);

describe("an event", () => {
  test("has the same fields as its booking, in any zone and after any change", () => {
    fc.assert(
      fc.property(shared, shared, zones, zones, (one, other, zone, later) => {
        const first = composeEvent({ ...one, id: ID, revision: 1 }, zone, null, new Date());
        expect(readEvent(first, ianaZone(later)!)).toEqual({ ...one, revision: 1 });
        expect(bookingIn(first)).toBe(ID);
        const second = composeEvent({ ...other, id: ID, revision: 2 }, later, first, new Date());
        expect(readEvent(second, UTC)).toEqual({ ...other, revision: 2 });
        expect(bookingIn(second)).toBe(ID);
      }),
      { numRuns: runs(100, 400) },
    );
  });

  test("keeps whole days and recurrence rules when only its texts change", () => {
    const before = ics(`${ID}@parley`, ["SUMMARY:x", "DTSTART;VALUE=DATE:20260504", "RRULE:FREQ=WEEKLY", "SEQUENCE:7"]);
    const after = composeEvent(
      { ...readEvent(before, BERLIN), title: "y", id: ID, revision: 3 },
      "Europe/Berlin",
      before,
      new Date(),
    );
    for (const line of ["SUMMARY:y", "DTSTART;VALUE=DATE:20260504", "RRULE:FREQ=WEEKLY", "SEQUENCE:7"])
      expect(after).toContain(line);
  });
});

test("NUL characters and overlong texts from a server do no harm", () => {
  expect(text({ _cdata: "BEGIN\0:VEVENT" })).toBe("BEGIN:VEVENT");
  const long = "😀".repeat(600);
  const before = ics(`${ID}@parley`, [
    `SUMMARY:${long}`,
    `DESCRIPTION:${"x".repeat(20_000)}`,
    "DTSTART:20260601T080000Z",
    "DTEND:20260601T090000Z",
  ]);
  const read = readEvent(before, UTC);
  expect([[...read.title].length, read.description!.length]).toEqual([500, 10_000]);
  const after = composeEvent({ ...read, location: "Shop", id: ID, revision: 2 }, "UTC", before, new Date());
  expect(after.replace(/\r\n[ \t]/g, "")).toContain(long);
});

test("however many resources a server names, what changed is found in linear time, by what it says last of each", () => {
  const resource = (n: number, status: number): Resource => ({
    url: `https://cal.example.com/desk/${n}`,
    status,
    props: status === 200 ? { getetag: `"${n}"` } : {},
  });
  const calendar = "https://cal.example.com/desk/";
  expect(
    changesIn([resource(1, 200), resource(2, 404), resource(1, 404), resource(3, 404), resource(3, 200)], calendar),
  ).toEqual({
    changed: [{ url: `${calendar}3`, etag: '"3"' }],
    removed: [`${calendar}1`, `${calendar}2`],
  });
  const removed = Array.from({ length: 8 * 5_000 }, (_, n) => resource(n, 404));
  expect(growth((length) => changesIn(removed.slice(0, length), calendar), 5_000)).toBeLessThan(24);
});

test("a merge keeps what each side alone changed; what both changed is ours, and is reported as a conflict", () => {
  fc.assert(
    fc.property(
      shared,
      shared,
      shared,
      fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }),
      (base, a, b, which) => {
        const fields = ["title", "description", "location", "status"] as const;
        const ours = {
          ...base,
          ...Object.fromEntries(fields.filter((_, n) => which[n]).map((name) => [name, a[name]])),
          ...(which[8] && { startsAt: a.startsAt, endsAt: a.endsAt }),
        };
        const theirs = {
          ...base,
          ...Object.fromEntries(fields.filter((_, n) => which[n + 4]).map((name) => [name, b[name]])),
          ...(which[9] && { startsAt: b.startsAt, endsAt: b.endsAt }),
        };
        const { merged, conflict } = merge(ours, base, theirs);
        for (const field of fields) {
          expect(merged[field]).toBe(ours[field] === base[field] ? theirs[field] : ours[field]);
          expect(conflict?.fields.includes(field) ?? false).toBe(
            ours[field] !== base[field] && theirs[field] !== base[field] && ours[field] !== theirs[field],
          );
        }
        const times = ({ startsAt, endsAt }: SharedFields): string => startsAt + endsAt;
        expect(times(merged)).toBe(times(ours) === times(base) ? times(theirs) : times(ours));
      },
    ),
  );
});

test("credentials follow redirects within a server's domain only", () => {
  const leads = (from: string, to: string): boolean => mayFollow(new URL(from), new URL(to));
  expect(leads("https://caldav.icloud.com/", "https://p42-caldav.icloud.com/1/")).toBe(true);
  expect(leads("https://caldav.example.co.uk/", "https://p1.example.co.uk/")).toBe(true);
  expect(leads("https://cloud.example.com/a", "https://cloud.example.com/b")).toBe(true);
  for (const [from, to] of [
    ["https://example.co.uk/", "https://evil.co.uk/"],
    // Names that anybody can rent.
    ["https://calendar.herokuapp.com/", "https://evil.herokuapp.com/"],
    ["https://company.s3.amazonaws.com/", "https://evil.s3.amazonaws.com/"],
    ["https://company.github.io/", "https://evil.github.io/"],
    ["https://cal.example.com/", "https://example.com.evil.net/"],
    ["https://cal.example.com/", "http://cal.example.com/"],
    ["https://cal.example.com/", "https://cal.example.com:8443/"],
    ["https://10.0.0.1/", "https://11.0.0.1/"],
    ["http://a.example.com:80/", "http://b.example.com:80/"],
  ])
    expect(leads(from!, to!), `${from} → ${to}`).toBe(false);
});
