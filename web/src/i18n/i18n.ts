import i18n from "i18next";
import { initReactI18next } from "react-i18next";
import { de } from "./de.js";
import { en } from "./en.js";

export const LANGUAGES = { en: en.language, de: de.language };
export type Language = keyof typeof LANGUAGES;

const CHOSEN_KEY = "parley.language";
const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

/** The language that the member chose, or the first of the browser's that we have. */
function preferred(): string {
  const chosen = localStorage.getItem(CHOSEN_KEY);
  const wanted = chosen ? [chosen] : navigator.languages.map((language) => language.slice(0, 2));
  return wanted.find((language) => language in LANGUAGES) ?? "en";
}

export function setLanguage(language: Language): void {
  localStorage.setItem(CHOSEN_KEY, language);
  void i18n.changeLanguage(language);
}

i18n.on("languageChanged", (language) => {
  document.documentElement.lang = language;
  document.documentElement.dir = RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
});

await i18n.use(initReactI18next).init({
  resources: { en: { translation: en }, de: { translation: de } },
  lng: preferred(),
  fallbackLng: "en",
  // React escapes.
  interpolation: { escapeValue: false },
});

export default i18n;

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}
