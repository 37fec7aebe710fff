import i18n from "../../i18n/i18n.js";

/** The languages that most people write in. A contact may have any other one of ISO 639-1. */
const COMMON =
  "ar bg bn cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nl no pl pt ro ru sk sl sr sv th tr uk ur vi zh";

export const languageName = (code: string): string =>
  new Intl.DisplayNames(i18n.language, { type: "language", fallback: "code" }).of(code) ?? code;

/** Codes and names for a choice, by name. `current` is among them in any case. */
export function languages(current: string | null, offered = COMMON): { code: string; name: string }[] {
  const codes = new Set([...offered.split(" "), ...(current ? [current] : [])]);
  return [...codes]
    .map((code) => ({ code, name: languageName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, i18n.language));
}
