import { describe, expect, test } from "vitest";
import { endOfQuiet, isQuiet } from "../../../src/notices/quiet-hours.js";

const at = (time: string): Date => new Date(`2026-01-15T${time}:00Z`);

describe("isQuiet", () => {
  test("nobody who has no quiet hours is in them", () => {
    expect(isQuiet(null, at("03:00"))).toBe(false);
  });

  test.each([
    ["12:59", false],
    ["13:00", true],
    ["13:59", true],
    ["14:00", false],
  ])("within a day, %s is %s", (time, quiet) => {
    expect(isQuiet({ from: "13:00", to: "14:00", timeZone: "UTC" }, at(time))).toBe(quiet);
  });

  test.each([
    ["21:59", false],
    ["22:00", true],
    ["23:59", true],
    ["00:00", true],
    ["06:59", true],
    ["07:00", false],
  ])("over midnight, %s is %s", (time, quiet) => {
    expect(isQuiet({ from: "22:00", to: "07:00", timeZone: "UTC" }, at(time))).toBe(quiet);
  });

  test("the member's time zone counts: seven in Tokyo is ten in the evening before in London", () => {
    const night = { from: "22:00", to: "07:00" };
    expect(isQuiet({ ...night, timeZone: "Asia/Tokyo" }, at("22:00"))).toBe(false);
    expect(isQuiet({ ...night, timeZone: "Europe/London" }, at("22:00"))).toBe(true);
  });
});

describe("endOfQuiet", () => {
  const night = { from: "22:00", to: "07:00" };

  test.each([
    ["UTC", "23:30", "2026-01-16T07:00:00.000Z"],
    ["UTC", "01:00", "2026-01-15T07:00:00.000Z"],
    ["Asia/Kolkata", "17:00", "2026-01-16T01:30:00.000Z"],
    ["America/New_York", "04:00", "2026-01-15T12:00:00.000Z"],
  ])("in %s at %s it is %s", (timeZone, time, end) => {
    expect(endOfQuiet({ ...night, timeZone }, at(time)).toISOString()).toBe(end);
  });

  test.each([
    ["forward", "2026-03-28T23:00:00Z", "2026-03-29T05:00:00.000Z"],
    ["back", "2026-10-24T22:00:00Z", "2026-10-25T06:00:00.000Z"],
  ])("it is at seven also in the night in which the clocks go %s", (_, now, end) => {
    expect(endOfQuiet({ ...night, timeZone: "Europe/Berlin" }, new Date(now)).toISOString()).toBe(end);
  });

  test.each([
    ["Europe/Berlin", "22:00", "02:30", "2026-03-28T23:00:00Z", "2026-03-29T01:00:00.000Z"],
    ["Europe/Berlin", "22:00", "02:30", "2026-03-29T00:45:00Z", "2026-03-29T01:00:00.000Z"],
    ["Europe/Berlin", "01:00", "02:00", "2026-03-29T00:15:00Z", "2026-03-29T01:00:00.000Z"],
    ["Australia/Lord_Howe", "01:30", "02:15", "2026-10-03T15:00:00Z", "2026-10-03T15:30:00.000Z"],
    ["Africa/Cairo", "23:00", "00:00", "2026-04-23T21:10:00Z", "2026-04-23T22:00:00.000Z"],
  ])("where the clocks skip it, it is when they do: %s, %s to %s, at %s", (timeZone, from, to, now, end) => {
    const hours = { from, to, timeZone };
    expect(isQuiet(hours, new Date(now))).toBe(true);
    expect(endOfQuiet(hours, new Date(now)).toISOString()).toBe(end);
    expect(isQuiet(hours, new Date(end))).toBe(false);
  });
});
