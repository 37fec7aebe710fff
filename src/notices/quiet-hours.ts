// Quiet hours, for the server and for the dashboard. It imports nothing.

/** Every day. They may go over midnight. */
export interface QuietHours {
  from: string;
  to: string;
  timeZone: string;
}

const DAY_MINUTES = 24 * 60;
const MINUTE_MS = 60_000;

const timeIn = (timeZone: string, at: Date): string =>
  at.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });

/** Whether nothing rings, pops up or is mailed now. */
export function isQuiet(hours: QuietHours | null, now = new Date()): boolean {
  if (!hours) return false;
  const { from, to, timeZone } = hours;
  const time = timeIn(timeZone, now);
  return from <= to ? from <= time && time < to : from <= time || time < to;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
/** Between minus and plus twelve hours. */
const nearest = (minutes: number): number =>
  ((((minutes + DAY_MINUTES / 2) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES) - DAY_MINUTES / 2;

/** When quiet hours end that are now. */
export function endOfQuiet(hours: QuietHours, now = new Date()): Date {
  const { to, timeZone } = hours;
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const left = (minutesOf(to) - minutesOf(timeIn(timeZone, now)) + DAY_MINUTES) % DAY_MINUTES;
  // The clocks may change in between.
  const late = nearest(minutesOf(timeIn(timeZone, new Date(minute + left * MINUTE_MS))) - minutesOf(to));
  let end = new Date(Math.max(minute, minute + (left - late) * MINUTE_MS));
  // They may skip the end.
  while (isQuiet(hours, end)) end = new Date(end.getTime() + MINUTE_MS);
  return end;
}
