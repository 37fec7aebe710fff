import { describe, expect, test } from "vitest";
import { historyOf } from "../../../web/src/features/profile/history-of.js";
import { localTime } from "../../../web/src/features/contacts/local-time.js";

type Conversations = Parameters<typeof historyOf>[0];
type Others = Parameters<typeof historyOf>[1];

const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();
const pagesOf = (...pages: number[][]): Conversations =>
  ({
    pages: pages.map((days, i) => ({
      data: days.map((n) => ({ id: `conversation ${n}`, lastActivityAt: day(n) })),
      ...(i < pages.length - 1 && { nextCursor: String(i) }),
    })),
    pageParams: [],
  }) as unknown as Conversations;
const others = (cases: number[], bookings: number[]): Others =>
  ({
    cases: cases.map((n) => ({ id: `case ${n}`, createdAt: day(n) })),
    bookings: bookings.map((n) => ({ id: `booking ${n}`, startsAt: day(n) })),
  }) as unknown as Others;
const ids = (history: ReturnType<typeof historyOf>): string[][] =>
  history.pages.map(({ data }) => data.map((one) => one.id));

describe("a contact's history", () => {
  test("has cases and bookings between the conversations, newest first, each once", () => {
    expect(ids(historyOf(pagesOf([20, 10], [5, 2]), others([15, 7, 1], [30, 10])))).toEqual([
      ["booking 30", "conversation 20", "case 15", "conversation 10", "booking 10"],
      ["case 7", "conversation 5", "conversation 2", "case 1"],
    ]);
  });

  test("shows nothing that is older than the conversations that were read, until the rest is read", () => {
    const first = pagesOf([20, 10], []);
    first.pages.pop();
    expect(ids(historyOf(first, others([5], [15])))).toEqual([["conversation 20", "booking 15", "conversation 10"]]);
  });

  test("of somebody who never wrote is their cases and bookings", () => {
    expect(ids(historyOf(pagesOf([]), others([1], [2])))).toEqual([["booking 2", "case 1"]]);
  });
});

describe("a contact's clock", () => {
  const at = new Date("2026-01-05T12:00:00Z");

  test("is that of the time zone that an integration told", () => {
    expect(localTime({ attributes: { timeZone: "Asia/Tokyo" } }, "en-GB", at)).toBe("Mon 21:00");
  });

  test.each([undefined, "", "Berlin Time", 3, null])("is not shown for the time zone %j", (timeZone) => {
    expect(localTime({ attributes: { timeZone } }, "en", at)).toBeUndefined();
  });
});
