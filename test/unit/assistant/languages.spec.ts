import { describe, expect, test } from "vitest";
import type { Context } from "../../../src/assistant/context/context.queries.js";
import { languageOf } from "../../../src/assistant/context/language.js";
import { languageIn } from "../../../src/assistant/context/spoken.js";
import { HANDED_OVER, handOverText, TEXTS, textsIn } from "../../../src/assistant/context/texts.js";
import { ASKED } from "./asked.js";

const LANGUAGES = Object.keys(TEXTS) as (keyof typeof TEXTS)[];
/** All texts of a language with their names, such as "because.unsure". */
const allOf = (language: keyof typeof TEXTS): [name: string, text: string][] =>
  Object.entries(TEXTS[language]).flatMap(([name, text]) =>
    typeof text === "string"
      ? [[name, text] as [string, string]]
      : Object.entries(text as object).map(([part, one]): [string, string] => [`${name}.${part}`, one as string]),
  );

describe.each(LANGUAGES)("the texts in %s", (language) => {
  test("are all there, each its own, with the same places for values", () => {
    const [texts, english] = [allOf(language), allOf("en")];
    expect(texts.map(([name]) => name)).toEqual(english.map(([name]) => name));
    // Two causes may have the same sentence for the contact: it is out of order, whyever.
    const own = texts.filter(([name]) => name !== "because.usedUp");
    expect(new Set(own.map(([, text]) => text)).size).toBe(own.length);
    const places = (text: string): string[] => text.match(/\{\w+\}/g) ?? [];
    for (const [n, [name, text]] of texts.entries()) {
      expect(text.trim(), name).not.toBe("");
      expect(places(text), name).toEqual(places(english[n]![1]));
      // A no is the same word in Spanish and Italian.
      if (language !== "en" && name !== "no") expect(text, name).not.toBe(english[n]![1]);
    }
  });

  test("are chosen for what a contact writes in it", async () => {
    expect(await languageOf(ASKED[language])).toBe(language);
  });
});

test.each([
  ["fr", "je veux parler à un conseiller"],
  ["ar", "أين طردي؟"],
  ["pl", "gdzie jest moja paczka"],
  ["tr", "kargom nerede"],
  ["ja", "私の荷物はどこですか"],
  ["en", "It fails: `const como = await onde.quando(e)` com.example.do({ o: que }) and I get no answer"],
  ["de", "Lieferzeit?"],
  ["es", "hola"],
  ["it", "ciao, ho una domanda"],
  ["nl", "goedemorgen"],
  ["pt", "olá"],
])("%s is told from: %s", async (language, text) => expect(await languageOf(text)).toBe(language));

test.each([
  ["de", "moin wo is mein paket"],
  ["ar", "مرحبا"],
])("a few words are %s rather than a language that nobody is answered in: %s", async (language, text) =>
  expect(await languageOf(text)).toBe(language),
);

describe("the language of a conversation", () => {
  const context = (primaryLanguage: string, ...bodies: string[]): Context =>
    ({
      channelType: "webchat",
      primaryLanguage,
      language: null,
      messages: bodies.map((body, n) => ({ sequence: n + 1, direction: "inbound", authorType: "contact", body })),
    }) as unknown as Context;
  const replied = ({ messages, ...rest }: Context): Context =>
    ({
      ...rest,
      messages: messages.flatMap((message) => [
        { ...message, sequence: message.sequence * 2 },
        ...(message === messages.at(-1)
          ? []
          : [{ sequence: message.sequence * 2 + 1, direction: "outbound", authorType: "assistant", body: "." }]),
      ]),
    }) as Context;

  test.each([
    ["es", "en", ["¿Envían al extranjero?", "¿y a Portugal?"]],
    ["de", "en", ["Hallo"]],
    ["nl", "nl", ["Hallo"]],
    ["en", "en", ["hey"]],
    ["fr", "fr", ["hi"]],
    ["en", "de", ["Hallo", "how much is shipping"]],
    ["en", "de", ["Was kostet der Versand?", "Sorry, I would rather write in English: how much is it?"]],
  ])("is %s in a workspace in %s: %j", async (language, primary, bodies) =>
    expect(await languageIn(replied(context(primary, ...bodies)))).toBe(language),
  );
});

test.each(["ok", "PayPal", "W1234567", "hallo", "👍", "", "https://example.com/como/onde"])(
  "nobody can tell the language of: %s",
  async (text) => expect(await languageOf(text)).toBeUndefined(),
);

describe("what a contact is told when people take over", () => {
  test.each(Object.keys(HANDED_OVER))("is said in %s, in two ways", async (language) => {
    const first = handOverText("unsure", [], language, "en");
    const second = handOverText("unsure", [first], language, "en");
    expect([first, second]).toEqual(HANDED_OVER[language]);
    expect(handOverText("unsure", [first, second], language, "en")).toBe(first);
    expect(await languageOf(first)).toBe(language);
  });

  test.each(LANGUAGES)("says why, in %s, and never the same twice in a row", (language) => {
    const first = handOverText("nothingFound", [], language, "en");
    const second = handOverText("nothingFound", [first], language, "en");
    expect(first).toBe(`${TEXTS[language].because.nothingFound} ${TEXTS[language].handOver[0]}`);
    expect(second).toBe(`${TEXTS[language].because.nothingFound} ${TEXTS[language].handOver[1]}`);
    expect(handOverText("nothingFound", [first, second], language, "en")).toBe(first);
  });
});

test("a language without texts is answered in the workspace's, and in English where it has none either", () => {
  expect(textsIn("pl", "de")).toBe(TEXTS.de);
  expect(textsIn("pl", "fi")).toBe(TEXTS.en);
});
