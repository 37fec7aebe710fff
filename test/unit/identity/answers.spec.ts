import fs from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ROOT } from "../../../src/platform/config/root.js";
import { normalise, sameAnswer } from "../../../src/identity/answers/same-answer.js";
import { leastCost } from "../../support/cost.js";
import { runs } from "../../support/seed.js";

interface Example {
  expected: string;
  given: string;
  language: string;
  same: boolean;
  source?: string;
}
const { real, written } = JSON.parse(
  fs.readFileSync(new URL("test/unit/identity/answers-examples.json", ROOT), "utf8"),
) as {
  real: Example[];
  written: Example[];
};

/** The rows that are judged wrongly, as a table. */
const failures = (examples: Example[]): string =>
  examples
    .filter(({ expected, given, language, same }) => sameAnswer(expected, given, language) !== same)
    .map(
      ({ expected, given, language, same, source = "" }) =>
        `${same ? "must be accepted" : "must be refused "}  ${language}  ${source.padEnd(8)}  ${expected.padEnd(22)}  ${given}`,
    )
    .join("\n");

const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "ja", "ar", ""];
/** Texts made of what normalisation looks for, and arbitrary texts. */
const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: fc.constantFrom(..."aßİıſσΣΐ́̈あガ각가½ⅷºﬁ\ud800+-./:, 019\u0000") }),
  fc
    .array(
      fc.constantFrom(
        "my",
        "name",
        "is",
        "yes,",
        "it",
        "one",
        "ze",
        "ro",
        "oh",
        "and",
        "or",
        "12",
        "3.",
        "85",
        "1985",
        "/",
        "-",
        ":",
        "xx85-04-03",
        "april",
        "th",
        "+44",
        "(0)20",
        "thanks",
        "née",
        "le",
        "'",
      ),
      { maxLength: 12 },
    )
    .chain((words) => fc.constantFrom("", " ").map((between) => words.join(between))),
);

describe("what real people answered", () => {
  test("is judged as the table of examples says", () => {
    expect(real.length).toBeGreaterThanOrEqual(80);
    expect(failures(real)).toBe("");
  });

  test("has right and wrong answers, each once", () => {
    for (const same of [true, false]) expect(real.filter((row) => row.same === same).length).toBeGreaterThan(30);
    expect(new Set(real.map(({ expected, source }) => `${expected} ${source}`)).size).toBe(real.length);
  });
});

test("answers in each language, and their near misses, are judged as the table says", () => {
  expect(failures(written)).toBe("");
});

describe("an answer that holds several facts", () => {
  const PINS = Array.from({ length: 60 }, (_, n) => String(1000 + n));
  test.each([
    ...[" ", ", ", " or ", "\n", "; "].map((between) => PINS.join(between)),
    "my name is Ann and my PIN is 1030",
    "my PIN is 1030 and my name is Ann",
    "my PIN is 1029 or my PIN is 1030",
    "my PIN is 1029, my PIN is 1030",
    "Ann Smith. My PIN is 1030",
    "PIN: 1029, PIN: 1030",
    "yes, 1029, it is 1030",
    "it is 1029. it is 1030",
    "either 1029 or 1030",
    "1030, 1030",
    "my PIN, 1029, is 1030",
    "my PIN or my code is 1030",
    "1030 I think, or 1029",
  ])("is wrong although it contains the fact: %j", (given) => {
    expect(sameAnswer("1030", given, "en")).toBe(false);
  });

  test("never matches two different facts", () => {
    const facts = ["1234", "4321", "Cooper", "Miller", "1985-04-03", "1986-04-03", "+442079460958", "12341234"];
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(...facts, "my", "pin", "name", "is", "it is", "and", "or", ",", ".", ":", "yes", "thanks"),
          { maxLength: 8 },
        ),
        fc.constantFrom(...LANGUAGES),
        (words, language) => facts.filter((fact) => sameAnswer(fact, words.join(" "), language)).length <= 1,
      ),
    );
  });
});

describe("for any texts", () => {
  test("the result is the same in both directions, and nothing is thrown", () => {
    fc.assert(
      fc.property(texts, texts, fc.oneof(fc.constantFrom(...LANGUAGES), fc.string()), (one, other, language) => {
        expect(sameAnswer(one, other, language)).toBe(sameAnswer(other, one, language));
      }),
      { numRuns: runs(300, 3_000) },
    );
  });

  test("each matches itself, unless nothing is left after normalising", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...LANGUAGES), (text, language) => {
        expect(sameAnswer(text, text, language)).toBe(normalise(text, language) !== "");
      }),
      { numRuns: runs(300, 3_000) },
    );
  });

  test("normalising twice is the same as normalising once", () => {
    fc.assert(
      fc.property(texts, fc.constantFrom(...LANGUAGES), (text, language) => {
        const once = normalise(text, language);
        expect(normalise(once, language)).toBe(once);
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  test("none of more than 500 characters is right, and the longest take linear time", () => {
    expect([sameAnswer("1", "1".padStart(500), "en"), sameAnswer("1", "1".padStart(501), "en")]).toEqual([true, false]);
    const parts = [
      "yes, ",
      "my name ",
      "is ",
      ". ",
      "\ufdfa",
      "a".repeat(500),
      " ",
      "3.",
      "+1",
      "my my ",
      "account ",
      "…",
      "oh",
      "i think ",
      ...["ah ", "ahm ", "eh ", "uh ", "hm ", "ok ", "oke ", "gerne ", "je crois ", "credo che ", "ich glaube "],
    ];
    const judge = (): void => {
      for (const part of parts)
        for (const language of LANGUAGES) sameAnswer("1234", part.repeat(500).slice(0, 500), language);
    };
    expect(leastCost(judge, 5_000)).toBeLessThan(5_000);
    expect(sameAnswer("1234", "x".repeat(100_000_000), "en")).toBe(false);
  });

  test("hesitation again and again is read in one pass", () => {
    expect(leastCost(() => sameAnswer("1234", "ah ".repeat(22), "de"), 200)).toBeLessThan(200);
  });
});
