import { E164, toE164 } from "../../contacts/phone.js";

const KEYS = "22233344455566677778889999";
const onKeypad = (word: string): string => [...word].map((letter) => KEYS[letter.charCodeAt(0) - 97]).join("");
/** What stands for a number that is withheld: a word, or the word as it is spelled on a telephone's keys. */
const WITHHELD = new Set(
  ["anonymous", "restricted", "blocked", "unknown", "unavailable"].flatMap((word) => [word, `+${onKeypad(word)}`]),
);

/** A phone number in E.164; null for what is withheld, a short code, a name or an address of another kind. */
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
