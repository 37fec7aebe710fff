import { describe, expect, test } from "vitest";
import { respelt } from "../../../src/knowledge/review/spelling.js";

const KNOWN = [
  "How do I return an item?",
  "How do I cancel my order?",
  "How much is shipping?",
  "What does it cost?",
  "Wie sende ich einen Artikel zurück?",
  "Como devolvo um artigo?",
  "Where is the form?",
];

describe("a slip is put right", () => {
  test.each([
    ["how do i retrun an itme", "how do i return an item"],
    ["hw do i cancl my ordr thx", "hw do i cancel my order thx"],
    ["how much is shippong?", "how much is shipping?"],
    ["was sende ich zurrück", "was sende ich zurück"],
    ["como devolvo um artgo", "como devolvo um artigo"],
  ])("%s", (said, meant) => expect(respelt(said, KNOWN)).toBe(meant));
});

describe("no slip is", () => {
  test.each([
    "How do I cancel my order?",
    "the parcel was lost",
    "two orders and the items",
    "is it warm",
    "order 20441",
    "",
    "送料はいくらですか",
    "cancl ".repeat(60),
  ])("%s", (said) => expect(respelt(said, KNOWN)).toBeUndefined());

  test("a word that may be one of two", () => {
    expect(respelt("a crad", ["a card", "a cread"])).toBeUndefined();
  });
});
