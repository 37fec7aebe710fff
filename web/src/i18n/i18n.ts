import i18n from "i18next";
import { type ComponentType, lazy } from "react";
import { initReactI18next } from "react-i18next";
import { en, type English } from "./en/catalog.js";
import { isLanguage, type Language, OTHERS, withAllForms } from "./languages.js";
import { type Refusals, translation } from "./refusals.js";

const refusals: Record<string, Refusals> = {};

async function load(language: Language): Promise<void> {
  if (language === "en" || i18n.hasResourceBundle(language, "translation")) return;
  const texts = await OTHERS[language]();
  refusals[language] = texts.refusals;
  i18n.addResourceBundle(language, "translation", withAllForms(texts.catalog, language));
}

/** What the server says, in the language of the page; undefined if nobody has translated it. The server speaks English. */
export const translated = (sentence: string): string | undefined =>
  i18n.language === "en" ? sentence : translation(sentence, refusals[i18n.language]);

/** The texts of the pages beside the inbox, in English. */
export async function loadPageTexts(): Promise<void> {
  i18n.addResourceBundle("en", "translation", (await import("./en/pages.js")).pages, true);
}

/**
 * What is not there at once: its own script, with those texts. A script can do without them if the connection breaks in between.
 * @param Missing what stands in for the script if that does not arrive
 */
export const withTexts = <Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  Missing: ComponentType<Props> = () => null,
) =>
  lazy(async () => {
    const script = load().catch(() => ({ default: Missing }));
    return (await Promise.all([script, loadPageTexts().catch(() => undefined)]))[0];
  });

const CHOSEN_KEY = "parley.language";
const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

/** The language that the member chose, or the first of the browser's that we have. */
function preferred(): Language {
  const chosen = localStorage.getItem(CHOSEN_KEY);
  const wanted = chosen ? [chosen] : navigator.languages.map((language) => language.slice(0, 2));
  return wanted.find(isLanguage) ?? "en";
}

/** How dates and times are written: as in the browser's own country, if that speaks the language of the page. */
export const region = (): string =>
  navigator.languages.find((one) => one.split("-")[0] === i18n.language) ?? i18n.language;

async function turnTo(language: Language): Promise<void> {
  if (language === i18n.language) return;
  await load(language);
  await i18n.changeLanguage(language);
}

/** What the member chose. It is remembered here for the page of the sign-in. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(CHOSEN_KEY, language);
  await turnTo(language);
}

/** The member chose nothing. */
export async function followBrowser(): Promise<void> {
  localStorage.removeItem(CHOSEN_KEY);
  await turnTo(preferred());
}

i18n.on("languageChanged", (language) => {
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
});

await i18n.use(initReactI18next).init({
  resources: { en: { translation: en } },
  lng: "en",
  fallbackLng: "en",
  // React escapes.
  interpolation: { escapeValue: false },
});

const language = preferred();
// Without its texts, which a broken connection can cost, the page is in English.
if (language !== "en")
  await load(language).then(
    () => i18n.changeLanguage(language),
    () => undefined,
  );

export default i18n;

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: English };
  }
}
