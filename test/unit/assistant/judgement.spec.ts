import { describe, expect, test } from "vitest";
import { decide, DEFAULT_THRESHOLDS } from "../../../src/assistant/context/decision.js";
import { chosenOf } from "../../../src/assistant/context/phrases.js";
import { inLanguages, type Judgement, together } from "../../../src/assistant/judgement.js";

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
