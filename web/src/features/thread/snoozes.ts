const HOUR_MS = 3_600_000;
const MORNING = 9;

function morningIn(days: number): Date {
  const day = new Date();
  day.setDate(day.getDate() + days);
  day.setHours(MORNING, 0, 0, 0);
  return day;
}

/** For how long conversations are snoozed. */
export const SNOOZES = [
  ["hour", () => new Date(Date.now() + HOUR_MS)],
  ["tomorrow", () => morningIn(1)],
  ["monday", () => morningIn((8 - new Date().getDay()) % 7 || 7)],
] as const;
