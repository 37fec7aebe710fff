import type { ReactNode } from "react";
import { region } from "../i18n/i18n.js";

const format = (at: string | Date, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(region(), options).format(new Date(at));

/** A time that is agreed, such as "12 May 2026, 14:00". */
export const When = ({ at, className }: { at: string; className?: string }): ReactNode => (
  <time dateTime={at} className={className}>
    {format(at, { dateStyle: "medium", timeStyle: "short" })}
  </time>
);

/** From when until when, such as "14:00 – 15:00", with the days if they differ. */
export function timeRange(from: string, to: string): string {
  const isOneDay = new Date(from).toDateString() === new Date(to).toDateString();
  return new Intl.DateTimeFormat(region(), {
    ...(!isOneDay && { day: "numeric", month: "short" }),
    hour: "2-digit",
    minute: "2-digit",
  }).formatRange(new Date(from), new Date(to));
}

/** A day, such as "Tuesday, 12 May". */
export const dayName = (at: string | Date): string => format(at, { weekday: "long", day: "numeric", month: "long" });

/** From which day to which, such as "23 Nov – 20 Dec 2026". */
export const dayRange = (from: Date, to: Date): string =>
  new Intl.DateTimeFormat(region(), { day: "numeric", month: "short", year: "numeric" }).formatRange(from, to);

export const isPast = (at: string): boolean => Date.parse(at) < Date.now();

/** A time as the browser's field takes it: the local one. */
export const localTime = (at: string | Date): string => {
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** The first moment of a day. @param days how many days after `of` */
export function startOfDay(days = 0, of = new Date()): Date {
  return new Date(of.getFullYear(), of.getMonth(), of.getDate() + days);
}
