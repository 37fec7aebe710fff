import { expect, test } from "vitest";
import { placedOn } from "../../../web/src/features/calendar/lanes.js";

const DAY = new Date(2026, 4, 4);
const NEXT = new Date(2026, 4, 5);
type Bookings = Parameters<typeof placedOn>[2];
/** @param times such as "9-10.5", in hours of the day */
const placed = (...times: string[]) =>
  placedOn(
    DAY,
    NEXT,
    times.map((time) => {
      const [from, until] = time.split("-").map(Number);
      const at = (hours: number): string => new Date(DAY.getTime() + hours * 3_600_000).toISOString();
      return { id: time, startsAt: at(from!), endsAt: at(until!) } as Bookings[number];
    }),
  ).map(({ booking, lane, lanes }) => `${booking.id} ${lane + 1}/${lanes}`);

test("bookings one after the other have the whole width", () => {
  expect(placed("10-11", "9-10", "11-12")).toEqual(["9-10 1/1", "10-11 1/1", "11-12 1/1"]);
});

test("bookings that overlap stand beside one another, and what follows has the whole width again", () => {
  expect(placed("9-11", "10-12", "11-12", "12-13")).toEqual(["9-11 1/2", "10-12 2/2", "11-12 1/2", "12-13 1/1"]);
});

test("a short booking is as tall as its title, so another in the same half hour stands beside it", () => {
  expect(placed("9-9.1", "9.2-9.3")).toEqual(["9-9.1 1/2", "9.2-9.3 2/2"]);
});

test("a booking is on the day on which it begins, until midnight", () => {
  const [night] = placedOn(DAY, NEXT, [
    { startsAt: new Date(2026, 4, 4, 22).toISOString(), endsAt: new Date(2026, 4, 5, 3).toISOString() },
    { startsAt: NEXT.toISOString(), endsAt: new Date(2026, 4, 6).toISOString() },
  ] as unknown as Bookings);
  expect(night).toMatchObject({ from: 22, until: 24 });
});
