import { type ReactNode, useSyncExternalStore } from "react";
import i18n, { region } from "../i18n/i18n.js";
import { daysBetween, lengthOf } from "./lengths.js";

/** The minute that it is. What shows relative times is rendered again when it changes. */
let minute = Math.floor(Date.now() / 60_000);
const listeners = new Set<() => void>();
setInterval(() => {
  const now = Math.floor(Date.now() / 60_000);
  if (now === minute) return;
  minute = now;
  for (const listener of listeners) listener();
}, 1_000);

export const useMinute = (): number =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => minute,
  );

/** How many milliseconds there are until a time. What shows it uses `useMinute`, too. */
export const until = (at: string): number => Date.parse(at) - Date.now();

/** "5 min", "2 days": how long ago, in as few letters as the language allows. */
export function ago(at: string, now = Date.now()): string {
  const [value, unit] = lengthOf(at, now);
  if (value === 0) return i18n.t("common.now");
  return once(unit, () => new Intl.NumberFormat(i18n.language, { style: "unit", unit, unitDisplay: "short" })).format(
    value,
  );
}

/** "5 min ago", "2 days ago": as it continues a sentence, such as "last used 5 min ago". */
function agoInSentence(at: string): string {
  const [value, unit] = lengthOf(at, Date.now());
  if (value === 0) return i18n.t("common.now");
  return once("sentence", () => new Intl.RelativeTimeFormat(region(), { style: "short" })).format(-value, unit);
}

/** Making a formatter takes longer than drawing the row that it is for, so each is made once. */
type Formatter = Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat;
const made = new Map<string, Formatter>();
function once<Format extends Formatter>(name: string, make: () => Format): Format {
  const key = `${i18n.language} ${name}`;
  const format = (made.get(key) as Format | undefined) ?? make();
  made.set(key, format);
  return format;
}

export const exact = (at: string): string =>
  once("exact", () => new Intl.DateTimeFormat(region(), { dateStyle: "long", timeStyle: "short" })).format(
    new Date(at),
  );

const clock = (at: string): string =>
  once("clock", () => new Intl.DateTimeFormat(region(), { hour: "2-digit", minute: "2-digit" })).format(new Date(at));

/** A time that is to come, in as few letters as it can be understood: "14:30", "Mon 09:00" or "12 May". */
export function soon(at: string): string {
  const day = new Date(at);
  const days = daysBetween(new Date(), day);
  if (days <= 0) return clock(at);
  if (days < 7)
    return once(
      "soon",
      () => new Intl.DateTimeFormat(region(), { weekday: "short", hour: "2-digit", minute: "2-digit" }),
    ).format(day);
  return once("later", () => new Intl.DateTimeFormat(region(), { day: "numeric", month: "short" })).format(day);
}

interface AgoProps {
  at: string;
  className?: string;
  /** It continues a sentence: "5 min ago", not "5 min". */
  inSentence?: boolean;
}

/** How long ago, with the exact time on hover. */
export function Ago({ at, className, inSentence }: AgoProps): ReactNode {
  useMinute();
  return (
    <time dateTime={at} title={exact(at)} className={className}>
      {inSentence ? agoInSentence(at) : ago(at)}
    </time>
  );
}

export const Clock = ({ at, className }: { at: string; className?: string }): ReactNode => (
  <time dateTime={at} title={exact(at)} className={className}>
    {clock(at)}
  </time>
);

/** The day of a time, such as "Today" or "12 May 2026". */
export function dayOf(at: string | undefined): string | undefined {
  if (at === undefined) return undefined;
  const day = new Date(at);
  const days = daysBetween(day, new Date());
  if (days === 0) return i18n.t("thread.today");
  if (days === 1) return i18n.t("thread.yesterday");
  return once("day", () => new Intl.DateTimeFormat(region(), { dateStyle: "medium" })).format(day);
}
