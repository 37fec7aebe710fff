import type { Booking } from "./queries.js";

/** Where a booking stands in its day: from which hour until which, and in which of how many columns. */
export interface Placed {
  booking: Booking;
  from: number;
  until: number;
  lane: number;
  lanes: number;
}

/** So that its title can be read. In hours. */
const SHORTEST = 0.5;
const hoursSince = (day: Date, at: string): number => (Date.parse(at) - day.getTime()) / 3_600_000;

/**
 * The bookings that begin on a day. Those that overlap stand beside one another.
 * @param next when the next day begins: a day may have 23 hours
 */
export function placedOn(day: Date, next: Date, bookings: readonly Booking[]): Placed[] {
  const placed = bookings
    .filter(({ startsAt }) => Date.parse(startsAt) >= day.getTime() && Date.parse(startsAt) < next.getTime())
    .map((booking): Placed => {
      const from = hoursSince(day, booking.startsAt);
      const until = Math.min(Math.max(hoursSince(day, booking.endsAt), from + SHORTEST), 24);
      return { booking, from, until, lane: 0, lanes: 1 };
    })
    .sort((a, b) => a.from - b.from || b.until - a.until);
  for (let begin = 0; begin < placed.length;) begin = placeGroup(placed, begin);
  return placed;
}

/**
 * Gives lanes to the bookings that overlap with one another, from one on.
 * @returns the first that overlaps with none of them
 */
function placeGroup(placed: Placed[], begin: number): number {
  const ends: number[] = [];
  let end = begin;
  for (let busy = -1; end < placed.length && (end === begin || placed[end]!.from < busy); end++) {
    const one = placed[end]!;
    const free = ends.findIndex((until) => until <= one.from);
    one.lane = free === -1 ? ends.length : free;
    ends[one.lane] = one.until;
    busy = Math.max(busy, one.until);
  }
  for (const one of placed.slice(begin, end)) one.lanes = ends.length;
  return end;
}
