import type { Catalog } from "./en/catalog.js";
import type { Refusals } from "./refusals.js";

export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
  pt: "Português",
};
export type Language = keyof typeof LANGUAGES;
export const isLanguage = (language: string | null): language is Language =>
  language !== null && Object.hasOwn(LANGUAGES, language);

interface Texts {
  catalog: Catalog;
  refusals: Refusals;
}
/** English is always there, because it stands in for what is missing. Others are loaded when they are wanted. */
export const OTHERS: Record<Exclude<Language, "en">, () => Promise<Texts>> = {
  de: () => import("./de/catalog.js"),
  es: () => import("./es/catalog.js"),
  fr: () => import("./fr/catalog.js"),
  it: () => import("./it/catalog.js"),
  pt: () => import("./pt/catalog.js"),
};

/** The catalogues have a text for one and one for others. Some languages have a form for millions, too: the one for others does. */
export function withAllForms(texts: object, language: string): object {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const more = forms.filter((form) => form !== "one" && form !== "other");
  const complete = (part: object): object => {
    const entries: [string, string | object][] = [];
    for (const [key, text] of Object.entries(part as Record<string, string | object>)) {
      entries.push([key, typeof text === "string" ? text : complete(text)]);
      if (key.endsWith("_other")) for (const form of more) entries.push([key.replace(/other$/, form), text]);
    }
    return Object.fromEntries(entries);
  };
  return more.length ? complete(texts) : texts;
}
