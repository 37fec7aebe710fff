const STEPS: [limit: number, unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  [3_600, "minute", 60],
  [86_400, "hour", 3_600],
  [7 * 86_400, "day", 86_400],
  [30 * 86_400, "week", 7 * 86_400],
  [365 * 86_400, "month", 30 * 86_400],
  [Infinity, "year", 365 * 86_400],
];

/** How long ago, in the unit that one says it in. What is still to come is now. */
export function lengthOf(at: string, now: number): [value: number, unit: Intl.RelativeTimeFormatUnit] {
  const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
  const [, unit, size] = STEPS.find(([limit]) => seconds < limit)!;
  return [Math.floor(seconds / size), unit];
}

/** How many midnights are between two times. */
export const daysBetween = (from: Date, to: Date): number => Math.round((startOf(to) - startOf(from)) / 86_400_000);

const startOf = (at: Date): number => new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime();
