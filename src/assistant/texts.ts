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
  passedOn: string;
  unfounded: string;
  usedUp: string;
  failed: string;
  /** To the contact, while a colleague decides about an action. */
  approval: string;
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
    passedOn: "The assistant passes this on.",
    unfounded: "What the assistant wrote rests on no entry.",
    usedUp: "The assistant has used up its tokens.",
    failed: "The assistant could not finish.",
    approval: "A colleague has to approve this first. You will get a reply here.",
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
    passedOn: "Der Assistent gibt das weiter.",
    unfounded: "Was der Assistent schrieb, steht in keinem Eintrag.",
    usedUp: "Der Assistent hat seine Tokens verbraucht.",
    failed: "Der Assistent konnte das nicht abschließen.",
    approval: "Das muss erst jemand freigeben. Sie erhalten hier eine Antwort.",
  },
};

/** In the language, or in English. @param language ISO 639-1 */
export const textsIn = (language: string): Texts => TEXTS[language] ?? TEXTS.en!;

/** Replaces each `{name}`. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
