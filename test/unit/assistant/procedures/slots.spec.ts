import { describe, expect, test } from "vitest";
import type { Slot } from "../../../../src/assistant/procedures/definition.js";
import { faultOfSteps } from "../../../../src/assistant/procedures/definition-check.js";
import { asksWhy, corrects, hesitates, wantsToStop } from "../../../../src/assistant/procedures/phrases.js";
import { startIn } from "../../../../src/assistant/procedures/starts.js";
import { read } from "../../../../src/assistant/procedures/slots.js";
import { growth, leastCost } from "../../../support/cost.js";

const phraseIn = (phrase: string, text: string): unknown =>
  startIn([{ procedureId: "p", startsWith: { phrases: [phrase] } }], text);
const value = (slot: Slot, text: string, language = "en"): unknown =>
  read({ slot, choices: slot.options ?? [], language, today: "2026-11-29" }, text)?.value;

describe("what a contact writes is read as", () => {
  const code: Slot = { kind: "pattern", pattern: "#W0000000" };
  test.each([
    ["#W1234567", "#W1234567"],
    ["my order is w1234567, thanks", "#W1234567"],
    ["#W12345678", undefined],
    ["X#W1234567", undefined],
    ["#W1234567 or #W1234568", undefined],
  ])("a code: %s", (text, wanted) => expect(value(code, text)).toBe(wanted));

  test.each([
    ["1,234.50", "en", 1234.5],
    ["1.234,50 Euro", "de", 1234.5],
    ["1.234", "de", 1234],
    ["1.234", "en", 1.234],
    ["-3", "en", -3],
    ["3 or 4", "en", undefined],
    ["three", "en", undefined],
  ])("a number: %s (%s)", (text, language, wanted) => expect(value({ kind: "number" }, text, language)).toBe(wanted));

  test.each([
    ["2026-12-24", "en", "2026-12-24"],
    ["am 24.12.2026", "de", "2026-12-24"],
    ["24. Dezember 2026", "de", "2026-12-24"],
    ["December 24, 2026", "en", "2026-12-24"],
    ["le 1 mars 2027", "fr", "2027-03-01"],
    ["tomorrow", "en", "2026-11-30"],
    ["morgen bitte", "de", "2026-11-30"],
    ["3/4/2026", "en", undefined],
    ["3/4/2026", "de", "2026-04-03"],
    ["31.02.2026", "de", undefined],
  ])("a day: %s (%s)", (text, language, wanted) => expect(value({ kind: "date" }, text, language)).toBe(wanted));

  test.each([
    ["It is Ada@Example.com.", "ada@example.com"],
    ["a@b.de or c@d.de", undefined],
    ["ada@", undefined],
    ["o'neil+shop_1@mail-1.example.co.uk", "o'neil+shop_1@mail-1.example.co.uk"],
    ["jürgen&co=x@example.com", "jürgen&co=x@example.com"],
    // They would be said again, as links.
    ["https://evil.example/pay@example.com", undefined],
    ["evil.example/pay@example.com", undefined],
    ["evil.example?pay=1#@example.com", undefined],
    ["tel:+123456@example.com", undefined],
    ["ada\u202e\u200b@example.com", undefined],
  ])("an address: %s", (text, wanted) => expect(value({ kind: "email" }, text)).toBe(wanted));

  test.each([
    ["yes please", true],
    ["Ja, genau", true],
    ["no thanks", false],
    ["yes but tomorrow", undefined],
  ])("yes or no: %s", (text, wanted) => expect(value({ kind: "yes_no" }, text)).toBe(wanted));

  const colour: Slot = {
    kind: "choice",
    options: [
      { value: "r", label: "red, large", synonyms: ["crimson"] },
      { value: "b", label: "blue, large" },
      { value: "g", label: "blue, small" },
    ],
  };
  test.each([
    ["2", "b"],
    ["the second one please", "b"],
    ["crimson", "r"],
    ["the small blue one", "g"],
    ["the blue one", undefined],
    ["4", undefined],
    ["green", undefined],
  ])("a choice: %s", (text, wanted) => expect(value(colour, text)).toBe(wanted));

  test.each([
    ["1 and 3", ["r", "g"]],
    ["all of them", ["r", "b", "g"]],
    ["crimson and small", ["r", "g"]],
    ["crimson and something", undefined],
  ])("several choices: %s", (text, wanted) => expect(value({ ...colour, many: true }, text)).toEqual(wanted));
});

describe("phrases", () => {
  test.each(["I'd like to know the price", "stop by tomorrow?", "cancel my order", "no"])(
    "“%s” stops nothing",
    (text) => expect(wantsToStop(text)).toBe(false),
  );
  test.each(["Why is my order late?", "what for a size is that"])("“%s” does not ask what it is for", (text) =>
    expect(asksWhy(text)).toBe(false),
  );
  test("a correction says that something was wrong", () => {
    expect(["no, I meant 3", "Entschuldigung, 3", "actually 3"].every(corrects)).toBe(true);
    expect(corrects("the blue one")).toBe(false);
  });
  test.each(["Well, let me think about it", "hm", "einen Moment bitte", "je ne sais pas", "no lo sé", "não sei"])(
    "“%s” is no value",
    (text) => expect(hesitates(text)).toBe(true),
  );
  test.each(["1 Moment Street", "Wait Avenue 3", "nothing"])("“%s” may be one", (text) =>
    expect(hesitates(text)).toBe(false),
  );
  test("a procedure begins by words in their order, unless they are denied", () => {
    expect(
      phraseIn("cancel my order", "Hello! Could you cancel my last two orders? Cancel my order please."),
    ).toBeDefined();
    expect(phraseIn("cancel my order", "I don't want to cancel my order")).toBeUndefined();
    expect(phraseIn("cancel my order", "my order, can you cancel it")).toBeUndefined();
  });
});

test("whatever is written takes time in proportion to it", () => {
  const slots: Slot[] = [
    { kind: "pattern", pattern: "#W0000000" },
    { kind: "number" },
    { kind: "date" },
    { kind: "email" },
    {
      kind: "choice",
      many: true,
      options: [
        { value: 1, label: "a b c" },
        { value: 2, label: "1 2 3" },
      ],
    },
  ];
  const pieces = ["#W123456 ", "1,1", "a@b.", "1 de ", "not cancel my ", "  ,,", "a\n"];
  for (const piece of pieces) {
    const factor = growth((length) => {
      const text = piece.repeat(length / piece.length);
      for (const slot of slots) value(slot, text);
      phraseIn("cancel my order", text);
      corrects(text);
      wantsToStop(text);
    }, 20_000);
    expect(factor).toBeLessThan(24);
  }
});

describe("what an administrator may write at most keeps nobody else waiting", () => {
  const written = ["cancel ".repeat(285), "cancel.".repeat(285), "é".repeat(2_000), "a b c d e f g h i ".repeat(118)];
  test.each([
    ["words of their own", (n: number) => `cancel the${n} order${n} please now`],
    ["the same words", (n: number) => `${"cancel ".repeat(13)}b${n}`],
    ["words that are there, too far away", () => `${"a ".repeat(48)}b`],
  ])("5,000 phrases: %s", (_, phraseOf) => {
    const starts = Array.from({ length: 100 }, (_one, p) => ({
      procedureId: String(p),
      startsWith: { phrases: Array.from({ length: 50 }, (_two, n) => phraseOf(50 * p + n).slice(0, 100)) },
    }));
    for (const text of [...written, `${"a ".repeat(990)}b c d e b`])
      expect(
        leastCost(() => startIn(starts, text), 90),
        text.slice(0, 10),
      ).toBeLessThan(90);
  });

  test("50 options with 20 synonyms each, and messages of many parts", () => {
    const options = Array.from({ length: 50 }, (_one, n) => ({
      value: `v${n}`,
      label: `label ${n}`,
      synonyms: Array.from({ length: 20 }, (_two, k) => `synonym ${n} ${k} é`.padEnd(50, "x")),
    }));
    for (const text of [`${"zz ".repeat(25)},`.repeat(26), "a1, ".repeat(500), "1 ".repeat(1_000)])
      expect(
        leastCost(() => value({ kind: "choice", many: true, options }, text), 60),
        text.slice(0, 10),
      ).toBeLessThan(60);
  });
});

describe("steps that cannot be taken", () => {
  const ask = { id: "a", type: "ask", text: "?", slot: { kind: "text" } };
  test.each<[string, unknown, string | undefined]>([
    ["none", [], "1 to 50"],
    ["no list", {}, "1 to 50"],
    ["null", [null], "an id"],
    ["a name of ours", [{ ...ask, id: "constructor" }], "an id"],
    ["a name that every object has", [{ ...ask, id: "toString" }], "an id"],
    ["the same id", [ask, ask], "an id of its own"],
    ["an unknown type", [{ id: "a", type: "fly" }], "one of the types"],
    ["an unknown field", [{ ...ask, colour: "red" }], "must not have colour"],
    ["a foreign pattern", [{ ...ask, slot: { kind: "pattern", pattern: "(a+)+$" } }], "valid slot"],
    ["no target", [{ ...ask, next: "b" }], "a step that exists"],
    ["no value", [{ id: "a", type: "say", text: "{b}" }], "name values"],
    ["too much text", [{ id: "a", type: "say", text: "x".repeat(2_001) }], "valid text"],
    [
      "no end",
      [
        { id: "a", type: "say", text: "a", next: "b" },
        { id: "b", type: "say", text: "b", next: "a" },
      ],
      "come back",
    ],
    ["a way back past a question", [ask, { id: "b", type: "say", text: "b", next: "a" }], undefined],
  ])("%s", (_, steps, fault) => {
    if (fault === undefined) expect(faultOfSteps(steps)).toBeUndefined();
    else expect(faultOfSteps(steps)).toContain(fault);
  });
});
