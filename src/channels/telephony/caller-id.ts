import { E164, toE164 } from "../../contacts/phone.js";

const KEYS = "22233344455566677778889999";
const onKeypad = (word: string): string => [...word].map((letter) => KEYS[letter.charCodeAt(0) - 97]).join("");
/** What providers send for a withheld number: a word, or the word typed on a phone's keypad. */
const WITHHELD = new Set(
  ["anonymous", "restricted", "blocked", "unknown", "unavailable"].flatMap((word) => [word, `+${onKeypad(word)}`]),
);

/** The phone number in E.164. Null for a withheld number, a short code, a name or another kind of address. */
export const phoneOf = (from: string): string | null =>
  WITHHELD.has(from.toLowerCase()) ? null : (toE164(from) ?? (E164.test(from) ? from : null));

/** `1 min 5 s` */
export function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  return (
    parts
      .filter(([count]) => count)
      .map(([count, unit]) => `${count} ${unit}`)
      .join(" ") || "0 s"
  );
}
