import { lettersAndDigits, normaliseText, transcribe } from "./normalise-text.js";

/** Stands for an unknown century, as in xx85-04-03 (ISO 8601-2). */
const ANY_CENTURY = "xx";
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const ORDERED = /^(\d{4}|xx\d{2})[-./](\d{1,2})[-./](\d{1,2})(?:t[\d:.]+z?)?$/;
const NUMERIC = /^(\d{1,2})[-./ ]{1,3}(\d{1,2})[-./ ]{1,3}(\d{4}|\d{2})$/;
/** Between the parts of a date in the six languages. */
const FILLERS = new Set(["the", "of", "der", "den", "am", "le", "de", "du", "el", "del", "il", "van"]);

/**
 * Reads a normalised text that is a date and nothing else.
 * @returns `yyyy-mm-dd`, or `xxyy-mm-dd` if the year has two digits; null if it is no valid date, such as 31/06/1996
 */
export function readDate(text: string, language: string): string | null {
  const bare = text.replace(/(?<![\s.,;!?])[\s.,;!?]+$/, "");
  const ordered = ORDERED.exec(bare);
  if (ordered) return date(ordered[1]!, ordered[2]!, ordered[3]!);
  const numeric = NUMERIC.exec(bare);
  if (!numeric) return withMonthName(bare, language);
  const [, first, second, year] = numeric as unknown as [string, string, string, string];
  // In English the month is first, unless it cannot be the month.
  return (language === "en" ? date(year, first, second) : null) ?? date(year, second, first);
}

/** The date without its century. */
export const shortened = (date: string): string => ANY_CENTURY + date.slice(2);
export const isShort = (date: string): boolean => date.startsWith(ANY_CENTURY);

/** Month names by language, filled as they are needed. */
const MONTHS = new Map<string, Map<string, number>>();

/** Long and short month names, alone and as part of a date, from Unicode's tables. */
function monthsOf(language: string): Map<string, number> {
  // Only valid language codes are cached, so that the map stays small.
  const locale = /^[a-z]{2}$/.test(language) ? language : "en";
  const known = MONTHS.get(locale);
  if (known) return known;
  const names = new Map<string, number>();
  const styles: Intl.DateTimeFormatOptions[] = [
    { month: "long" },
    { month: "short" },
    { month: "long", day: "numeric" },
    { month: "short", day: "numeric" },
  ];
  for (const style of styles) {
    const format = new Intl.DateTimeFormat(locale, { ...style, timeZone: "UTC" });
    for (let month = 0; month < 12; month++) {
      const name = format.formatToParts(Date.UTC(2000, month, 1)).find(({ type }) => type === "month")!.value;
      if (!/\d/.test(name))
        for (const written of [name, transcribe(name)]) names.set(lettersAndDigits(normaliseText(written)), month + 1);
    }
  }
  if (locale === "en") names.set("sept", 9);
  MONTHS.set(locale, names);
  return names;
}

function withMonthName(text: string, language: string): string | null {
  const words = text.split(/[\s.,/-]+/).filter((word) => word && !FILLERS.has(word));
  const months = monthsOf(language);
  const at = words.findIndex((word) => months.has(word));
  if (words.length !== 3 || at < 0 || at > 1) return null;
  const [first, year] = words.filter((_, i) => i !== at) as [string, string];
  const day = /^(\d{1,2})(?:st|nd|rd|th|er|e|o|a)?$/.exec(first)?.[1];
  return day && /^(?:\d{4}|\d{2})$/.test(year) ? date(year, String(months.get(words[at]!)), day) : null;
}

function date(year: string, month: string, day: string): string | null {
  const [m, d] = [Number(month), Number(day)];
  const leap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const days = m === 2 && year.length === 4 && !year.startsWith(ANY_CENTURY) && !leap ? 28 : (DAYS[m - 1] ?? 0);
  return d >= 1 && d <= days
    ? `${year.padStart(4, ANY_CENTURY)}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`
    : null;
}
