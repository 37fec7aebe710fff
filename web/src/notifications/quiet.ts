import type { Preferences } from "../preferences/preferences.js";

/** Whether nothing rings or pops up now. Quiet hours may go over midnight. */
export function isQuiet(hours: Preferences["quietHours"], now = new Date()): boolean {
  if (!hours) return false;
  const { from, to, timeZone } = hours;
  const time = now.toLocaleTimeString("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" });
  return from <= to ? from <= time && time < to : from <= time || time < to;
}
