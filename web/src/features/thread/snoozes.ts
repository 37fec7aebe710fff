const HOUR_MS = 3_600_000;
const MORNING = 9;
const [SUNDAY, FRIDAY, SATURDAY] = [0, 5, 6];

/** Nine in the morning. @param days how many days from now */
export function morningIn(days: number): Date {
  const day = new Date();
  day.setDate(day.getDate() + days);
  day.setHours(MORNING, 0, 0, 0);
  return day;
}

type Snooze = readonly [name: "hour" | "tomorrow" | "workDay" | "monday" | "week", until: () => Date];

/** For how long conversations are snoozed. Before and on a weekend, the next day at work is a Monday. */
export function snoozes(): Snooze[] {
  const today = new Date().getDay();
  const toMonday = (8 - today) % 7 || 7;
  const monday = (): Date => morningIn(toMonday);
  const next: Snooze[] =
    today === FRIDAY || today === SATURDAY
      ? [["workDay", monday]]
      : [["tomorrow", () => morningIn(1)], ...(today === SUNDAY ? [] : [["monday", monday] as const])];
  return [["hour", () => new Date(Date.now() + HOUR_MS)], ...next, ["week", () => morningIn(7)]];
}
