import { describe, expect, test } from "vitest";
import { decide, DEFAULT_THRESHOLDS } from "../../../src/assistant/context/decision.js";
import { chosenOf } from "../../../src/assistant/context/phrases.js";
import { namesIn } from "../../../src/assistant/context/names.js";
import { decideOn, inLanguages, type Judgement, together } from "../../../src/assistant/judgement.js";

const entry = (id: string, question: string, language = "en") => ({
  entry: { id, question, language, alternateQuestions: [], answer: `The answer to ${id}`, duplicateOfId: null },
  confidence: 0,
});
const hit = (id: string, confidence: number, language = "en", question = id) => {
  return { ...entry(id, question, language), confidence };
};

describe("an entry that does not answer", () => {
  test.each([0.2, 0.32, 0.69, 0.89])("is asked about at %s, if no other is close", (confidence) => {
    expect(decide([hit("a", confidence), hit("b", 0.02)], DEFAULT_THRESHOLDS, true)).toMatchObject({
      action: "clarify",
      hits: [{ entry: { id: "a" } }],
    });
  });
  test("is not asked about below that, or a second time", () => {
    expect(decide([hit("a", 0.19)], DEFAULT_THRESHOLDS, true).action).toBe("hand_off");
    expect(decide([hit("a", 0.69)], DEFAULT_THRESHOLDS, false).action).toBe("hand_off");
  });
});

describe("what only an answer names", () => {
  const PAYMENT = "We accept Visa, Mastercard, PayPal, Klarna and payment by invoice.";
  const about = (answer: string, id = answer, language = "en") => {
    const { entry: is, ...more } = hit(id, 0.02, language);
    return { ...more, entry: { ...is, answer } };
  };
  const context = { thresholds: DEFAULT_THRESHOLDS, primaryLanguage: "en" };
  const asked = { language: "en", clarified: false };
  const payment = about(PAYMENT, "payment");
  const hits = [about("We ship within the European Union, and to Norway.", "abroad"), payment];

  test.each([
    ["do you take paypal", "payment"],
    ["Can I pay by KLARNA?", "payment"],
    ["Do you also ship to norway?", "abroad"],
  ])("is asked about: %s", (text, id) => {
    expect(decideOn(text, hits, context, asked)).toMatchObject({ action: "clarify", hits: [{ entry: { id } }] });
  });
  test("is asked about beside what else may be meant", () => {
    const later = { ...about("After delivery, within 14 days.", "later"), confidence: 0.27 };
    const both = { action: "clarify", hits: [{ entry: { id: "payment" } }, { entry: { id: "later" } }] };
    expect(decideOn("can i pay with paypal?", [later, ...hits], context, asked)).toMatchObject(both);
  });
  test.each([
    ["no name", "Do you take seashells?"],
    ["no question", "PayPal is great"],
    ["a complaint", "Why was my PayPal payment refused twice?"],
    ["names of two entries", "Can I pay with PayPal in Norway?"],
  ])("is not asked about: %s", (_, text) => {
    expect(decideOn(text, hits, context, asked).action).toBe("hand_off");
  });
  test("is not asked about a second time, in another language, or where nobody is asked back", () => {
    const text = "Do you take PayPal?";
    expect(decideOn(text, hits, context, { ...asked, clarified: true }).action).toBe("hand_off");
    expect(decideOn(text, hits, context, { ...asked, language: "fr" }).action).toBe("hand_off");
    const never = { ...context, thresholds: { ...DEFAULT_THRESHOLDS, clarifyConfidence: 1 } };
    expect(decideOn(text, hits, never, asked).action).toBe("hand_off");
  });

  test.each([
    ["en", PAYMENT, ["visa", "mastercard", "paypal", "klarna"].slice(1)],
    ["en", "Open Settings, then press Cancel. It arrives on the same day in Switzerland.", ["switzerland"]],
    [
      "de",
      "Per PayPal, Rechnung oder Vorkasse, auch in die Schweiz und nach Österreich.",
      ["paypal", "schweiz", "osterreich"],
    ],
    ["fr", "Par carte, avec PayPal ou Klarna. Nous livrons en Belgique.", ["paypal", "klarna", "belgique"]],
    ["nl", "Met iDEAL, Bancontact en PayPal.", ["ideal", "bancontact", "paypal"]],
  ] as const)("names in %s: %s", (language, text, names) => {
    expect([...namesIn(text, language)]).toEqual(names);
  });
  test("takes linear time", () => {
    const began = process.cpuUsage().user;
    namesIn("and Aaaa, ".repeat(20_000), "en");
    expect(process.cpuUsage().user - began).toBeLessThan(5_000_000);
  });
});

describe("entries in languages that nobody is answered in", () => {
  const spanish = hit("es", 0.18, "es", "¿Cuánto cuesta el envío?");
  const portuguese = hit("pt", 0.7, "pt", "Quanto custa o envio?");

  test("take nothing from the same question in the contact's language", () => {
    const [first] = inLanguages([portuguese, spanish], "cuanto cuesta el envio", ["es", "en"]);
    expect(first).toMatchObject({ entry: { id: "es" }, confidence: 1 });
  });
  test("leave what they took: enough to ask back, never enough to answer", () => {
    const [first] = inLanguages([portuguese, spanish], "y el envio cuanto", ["es", "en"]);
    expect(first!.confidence).toBeCloseTo(0.6, 2);
    const [sure] = inLanguages([hit("pt", 0.95, "pt"), hit("es", 0.049, "es")], "envio", ["es"]);
    expect(sure!.confidence).toBeLessThan(0.9);
  });
  test("change nothing where there are none", () => {
    expect(inLanguages([hit("a", 0.5), hit("b", 0.1)], "x", ["en"]).map(({ confidence }) => confidence)).toEqual([
      0.5, 0.1,
    ]);
  });
});

test.each([
  ["how much is shipping please", "How much is shipping?"],
  ["was kostet denn der versand", "Was kostet der Versand?"],
  ["so how much is shipping actually?", "How much is shipping?"],
  ["combien coûte la livraison svp", "Combien coûte la livraison ?"],
])("words that add nothing make no other question: %s", (asked, question) => {
  expect(inLanguages([hit("a", 0.5, "en", question)], asked, ["en"])).toMatchObject([{ confidence: 1 }]);
});

test("who asks two things, of which one is clear, is not asked back about the clear one", () => {
  const shipping = hit("shipping", 0.95);
  const judged = (text: string, decision: Judgement<typeof shipping>["decision"]): Judgement<typeof shipping> => {
    return { text, hits: [shipping], decision };
  };
  const whole = judged("Do you take PayPal and how long does delivery take?", { action: "clarify", hits: [shipping] });
  const parts = [
    judged("Do you take PayPal", { action: "hand_off", cause: "kb_gap" }),
    judged("how long does delivery take?", { action: "answer", hit: shipping }),
  ];
  expect(together(whole, parts, [])).toMatchObject([{ text: whole.text, decision: { action: "hand_off" } }]);
  // What may be meant by the other is asked together with the clear one, so that "both" gets both.
  const paypal = hit("paypal", 0.4);
  const [first, ...others] = [judged("Do you take PayPal", { action: "clarify", hits: [paypal] }), parts[1]!];
  const asked = { action: "clarify", hits: [{ entry: { id: "shipping" } }, { entry: { id: "paypal" } }] };
  expect(together(whole, [first, ...others], [])).toMatchObject([{ text: whole.text, decision: asked }]);
  const other = judged(whole.text, { action: "clarify", hits: [paypal] });
  expect(together(other, parts, [])).toMatchObject([{ decision: asked }]);
});

describe("which of two is meant", () => {
  const options = [
    { kbEntryId: "first", question: "Quel est le délai de livraison ?" },
    { kbEntryId: "second", question: "Quels moyens de paiement acceptez-vous ?" },
  ];
  test.each([
    ["le deuxième", "second"],
    ["la première svp", "first"],
    ["the second one please", "second"],
    ["number 2", "second"],
    ["le premier", "first"],
    ["la segunda", "second"],
    ["das zweite bitte", "second"],
    ["die erste", "first"],
    ["il secondo", "second"],
    ["la prima", "first"],
    ["de tweede", "second"],
    ["a segunda", "second"],
    ["o primeiro", "first"],
    ["2.", "second"],
    ["le paiement", "second"],
    ["le délai", "first"],
    ["beides natürlich", "first second"],
    ["both of course", "first second"],
    ["les deux bien sûr", "first second"],
  ])("%s", (text, chosen) =>
    expect(
      chosenOf(options, text)
        ?.map(({ kbEntryId }) => kbEntryId)
        .join(" "),
    ).toBe(chosen),
  );
  test.each(["le", "est", "vous", "de quel", "le dernier"])("is not said by: %s", (text) =>
    expect(chosenOf(options, text)).toBeUndefined(),
  );
});
