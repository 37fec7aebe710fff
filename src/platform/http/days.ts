import { BadRequestException } from "@nestjs/common";

const DAY_MS = 86_400_000;
/** A period may begin or end some days further off: PostgreSQL and JavaScript write years beyond four digits in different ways. */
const [FIRST_DAY, LAST_DAY] = ["1900-01-01", "9998-12-31"];

/** The day (UTC) that is `days` days after the given one. */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
export const today = (): string => new Date().toISOString().slice(0, 10);

/** @throws BadRequestException: not days of the calendar, the wrong way round, or more than `most` */
export function assertPeriod({ from, to }: { from: string; to: string }, most: number): void {
  const days = (midnight("to", to) - midnight("from", from)) / DAY_MS + 1;
  if (days < 1) throw new BadRequestException("to must not be before from");
  if (days > most) throw new BadRequestException(`from and to must be at most ${most} days apart, both included`);
}

function midnight(name: string, value: string): number {
  const time = Date.parse(`${value}T00:00:00Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(value))
    throw new BadRequestException(`${name} must be a day of the calendar`);
  if (value < FIRST_DAY || value > LAST_DAY)
    throw new BadRequestException(`${name} must be a day between the years 1900 and 9998`);
  return time;
}
