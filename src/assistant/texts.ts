/** What the assistant says in its own words, to contacts and in summaries. */
interface Texts {
  /** `{first}` and `{second}` are the questions of two entries. */
  clarify: string;
  handOver: string;
  /** For the summary: `{text}` is a message, or the question of an entry. */
  asked: string;
  answered: string;
  askedBack: string;
  unsure: string;
  nothingFound: string;
  wantsPerson: string;
  failed: string;
}

const TEXTS: Record<string, Texts> = {
  en: {
    clarify: "Do you mean “{first}” or “{second}”?",
    handOver: "I am passing this on to a colleague, who will reply to you here.",
    asked: "Asked: “{text}”",
    answered: "The assistant answered with: “{text}”",
    askedBack: "The assistant asked back: “{text}”",
    unsure: "The closest entry is not close enough: “{text}”",
    nothingFound: "No approved entry answers this.",
    wantsPerson: "The contact asks for a person.",
    failed: "The assistant could not finish.",
  },
  de: {
    clarify: "Meinen Sie „{first}“ oder „{second}“?",
    handOver: "Ich gebe das an eine Kollegin oder einen Kollegen weiter. Sie erhalten hier eine Antwort.",
    asked: "Gefragt: „{text}“",
    answered: "Der Assistent antwortete mit: „{text}“",
    askedBack: "Der Assistent fragte zurück: „{text}“",
    unsure: "Der nächstliegende Eintrag passt nicht gut genug: „{text}“",
    nothingFound: "Kein freigegebener Eintrag beantwortet das.",
    wantsPerson: "Der Kontakt möchte mit einem Menschen sprechen.",
    failed: "Der Assistent konnte das nicht abschließen.",
  },
};

/** In the language, or in English. @param language ISO 639-1 */
export const textsIn = (language: string): Texts => TEXTS[language] ?? TEXTS.en!;

/** Replaces each `{name}`. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
