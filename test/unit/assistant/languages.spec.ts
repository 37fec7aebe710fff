import { describe, expect, test } from "vitest";
import { languageOf } from "../../../src/assistant/context/phrases.js";
import { TEXTS, textsIn } from "../../../src/assistant/context/texts.js";
import { ASKED } from "./asked.js";

type Entries = [name: string, text: string][];
const LANGUAGES = Object.keys(TEXTS) as (keyof typeof TEXTS)[];

describe.each(LANGUAGES)("the texts in %s", (language) => {
  test("are all there, each its own, with the same places for values", () => {
    const [texts, english] = [{ ...TEXTS[language] }, { ...TEXTS.en }].map((texts) =>
      Object.entries<string>(texts),
    ) as [Entries, Entries];
    expect(texts.map(([name]) => name)).toEqual(english.map(([name]) => name));
    expect(new Set(texts.map(([, text]) => text)).size).toBe(texts.length);
    const places = (text: string): string[] => text.match(/\{\w+\}/g) ?? [];
    for (const [n, [name, text]] of texts.entries()) {
      expect(text.trim(), name).not.toBe("");
      expect(places(text), name).toEqual(places(english[n]![1]));
      if (language !== "en") expect(text, name).not.toBe(english[n]![1]);
    }
  });

  test("are chosen for what a contact writes in it", () => {
    expect(languageOf(ASKED[language])).toBe(language);
  });
});

test("a language without texts is answered in the workspace's, and in English where it has none either", () => {
  expect(textsIn("pl", "de")).toBe(TEXTS.de);
  expect(textsIn("pl", "fi")).toBe(TEXTS.en);
});
