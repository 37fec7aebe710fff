import type { Direction } from "../../platform/markdown/html.js";

/** What Parley itself says in a mail. */
interface Words {
  /** Above what is quoted. Mail programs, and `quoted-text.ts`, recognise this line by its first and last words. */
  wrote: (date: string, name: string) => string;
  /** Above links to files that are too large. */
  files: (date: string) => string;
}

const WORDS: Record<string, Words> = {
  en: { wrote: (at, name) => `On ${at}, ${name} wrote:`, files: (until) => `Files, until ${until}:` },
  de: { wrote: (at, name) => `Am ${at} schrieb ${name}:`, files: (until) => `Dateien, bis ${until}:` },
  fr: { wrote: (at, name) => `Le ${at}, ${name} a écrit :`, files: (until) => `Fichiers, jusqu’au ${until} :` },
  es: { wrote: (at, name) => `El ${at}, ${name} escribió:`, files: (until) => `Archivos, hasta el ${until}:` },
  it: { wrote: (at, name) => `Il ${at}, ${name} ha scritto:`, files: (until) => `File, fino al ${until}:` },
  nl: { wrote: (at, name) => `Op ${at} schreef ${name}:`, files: (until) => `Bestanden, tot ${until}:` },
  pt: { wrote: (at, name) => `Em ${at}, ${name} escreveu:`, files: (until) => `Ficheiros, até ${until}:` },
  da: { wrote: (at, name) => `Den ${at} skrev ${name}:`, files: (until) => `Filer, indtil ${until}:` },
  sv: { wrote: (at, name) => `Den ${at} skrev ${name}:`, files: (until) => `Filer, till ${until}:` },
  nb: { wrote: (at, name) => `Den ${at} skrev ${name}:`, files: (until) => `Filer, til ${until}:` },
  pl: { wrote: (at, name) => `W dniu ${at} ${name} pisze:`, files: (until) => `Pliki, do ${until}:` },
  cs: { wrote: (at, name) => `Dne ${at} ${name} napsal(a):`, files: (until) => `Soubory, do ${until}:` },
};
export const QUOTE_LANGUAGES = Object.keys(WORDS);

const wordsIn = (language: string): Words => WORDS[language] ?? WORDS.en!;
/** Dates are in the language of the words around them. */
const localeOf = (language: string): string => (language in WORDS ? (language === "en" ? "en-GB" : language) : "en-GB");

const MAX_NAME = 100;
/** A name is part of one line, and must not look like an address of its own. */
const nameInLine = (name: string): string =>
  name
    .replace(/[\p{Cc}\p{Cf}\s<>]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME)
    .trim()
    .toWellFormed();

export function wroteLine(language: string, timeZone: string, { at, name }: { at: string; name: string }): string {
  const date = new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "short", timeZone });
  return wordsIn(language).wrote(date.format(new Date(at)).replace(/\s/g, " "), nameInLine(name));
}

export function filesLine(language: string, timeZone: string, until: Date): string {
  return wordsIn(language).files(
    new Intl.DateTimeFormat(localeOf(language), { dateStyle: "long", timeZone }).format(until),
  );
}

const RIGHT_TO_LEFT = new Set(["ar", "arc", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi"]);
export const directionOf = (language: string): Direction =>
  RIGHT_TO_LEFT.has(language.split("-")[0]!.toLowerCase()) ? "rtl" : "ltr";
