import type { TFunction } from "i18next";
import type { Schemas } from "../../api/parley.js";
import { region } from "../../i18n/i18n.js";

const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** The weekday in the reader's language. 2024 began with a Monday. */
const dayName = (day: string): string =>
  new Intl.DateTimeFormat(region(), { weekday: "long", timeZone: "UTC" }).format(
    Date.UTC(2024, 0, 1 + DAYS.indexOf(day)),
  );

/** "Every 2 weeks on Monday and Tuesday, 5 times". */
export function recurrenceWords(
  { frequency, interval, weekdays, count, until }: Schemas["InvitationRecurrence"],
  t: TFunction,
): string {
  const days = new Intl.ListFormat(region(), { type: "conjunction" }).format(weekdays.map(dayName));
  const every = t(`invitation.every.${frequency}`, { count: interval });
  const rule = days ? t("invitation.on", { every, days }) : every;
  if (count !== null) return t("invitation.times", { rule, count });
  if (until === null) return rule;
  return t("invitation.until", {
    rule,
    day: new Intl.DateTimeFormat(region(), { dateStyle: "medium" }).format(new Date(until)),
  });
}
