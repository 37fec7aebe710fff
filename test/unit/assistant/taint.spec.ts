import { describe, expect, test } from "vitest";
import { TrustedText } from "../../../src/assistant/model/taint.js";

const SCHEMA = {
  type: "object",
  properties: {
    orderId: { type: "string" },
    amount: { type: "number" },
    reason: { type: "string", enum: ["damaged", "late"] },
    express: { type: "boolean" },
    note: { type: ["string", "null"] },
    lines: {
      type: "array",
      items: { type: "object", properties: { sku: { type: "string" } }, additionalProperties: true },
    },
    either: { anyOf: [{ enum: ["all"] }, { type: "number" }] },
  },
};
const SAID = [
  "Please refund order #W1234567: 30 euros, to ada.love@example.com. I paid 1,234.50 on 27.11.2026, and 2.000 before.",
  'My street is "Main Street 5", Berlin. The balance is -12, size 40.5, weight 12345.678. Where is it?',
];
const supports = (args: object, said = SAID): boolean => new TrustedText(said).supports(args, SCHEMA);

describe("what people wrote may be said", () => {
  test.each<[string, object]>([
    ["nothing", {}],
    ["a word, with the punctuation around it or without", { orderId: "W1234567" }],
    ["in other case and width", { orderId: "Ｃ\uff57".slice(0, 0) || "#w１２３４５６７" }],
    ["several words in their order", { note: "Main  Street 5" }],
    ["an address", { note: "ada.love@example.com" }],
    ["a number", { amount: 30 }],
    ["a number with groups and decimals", { amount: 1234.5 }],
    ["a number that can be read in two ways", { amount: 2000 }],
    ["a negative number", { amount: -12 }],
    ["a decimal", { amount: 12345.678 }],
    ["in a list", { lines: [{ sku: "W1234567" }] }],
    ["a name that they wrote", { lines: [{ size: 30 }] }],
    ["a question as it stands there", { note: "where is it?" }],
  ])("%s", (_, args) => {
    expect(supports(args)).toBe(true);
  });
});

describe("what the schema lists may be said", () => {
  test.each<[string, object]>([
    ["a choice", { reason: "late" }],
    ["a choice among others", { either: "all" }],
    ["a truth value", { express: true }],
    ["null", { note: null }],
  ])("%s", (_, args) => {
    expect(supports(args)).toBe(true);
  });

  test.each<[string, object]>([
    ["a choice of another property", { orderId: "late" }],
    ["a truth value where no type lists it", { lines: [{ size: true }] }],
  ])("but not %s", (_, args) => {
    expect(supports(args)).toBe(false);
  });
});

describe("nothing else may, however it is written", () => {
  test.each<[string, object]>([
    ["another value", { orderId: "#W7654321" }],
    ["a value backwards", { orderId: "7654321W" }],
    ["in full-width digits", { orderId: "#W７６５４３２１" }],
    ["as the name of a property", { W7654321: 30 }],
    ["as the name of a property further down", { lines: [{ W7654321: 30 }] }],
    ["as a number", { amount: 999 }],
    ["a part of a word", { orderId: "1234567" }],
    ["an address without its dot", { note: "adalove@example.com" }],
    ["the end of an address", { note: "love@example.com" }],
    ["a number out of a longer one", { amount: 234 }],
    ["a part of a date", { amount: 27 }],
    ["a figure without its point", { amount: 12345678 }],
    ["a number with the other sign", { amount: -30 }],
    ["a number without its sign", { amount: 12 }],
    ["a figure without its point, as a text", { note: "123450" }],
    ["words in another order", { note: "Street Main 5" }],
    ["words of two texts", { note: "before. My" }],
    ["what has no letters", { note: "👍" }],
    ["punctuation, which a tool may take for any text", { orderId: "*" }],
    ["a value with such a sign behind it", { orderId: "#W1234567*" }],
    ["a value with such a sign before it", { orderId: "*W1234567" }],
    ["a value with a sign for any letter", { orderId: "#W1234567?" }],
    ["other punctuation", { note: "..." }],
    ["an empty text, which may clear a field", { note: "" }],
    ["a blank text", { note: " \u3000" }],
    ["punctuation as the name of a property", { lines: [{ "*": 30 }] }],
    ["a value among others", { note: "Refund W7654321" }],
  ])("%s", (_, args) => {
    expect(supports(args)).toBe(false);
  });

  test("a long text is looked through at once", () => {
    const long = "(1.".repeat(50_000);
    expect(supports({ amount: 7, note: long.slice(0, 9_000) + "x", orderId: ".".repeat(9_000) }, [long])).toBe(false);
  });
});
