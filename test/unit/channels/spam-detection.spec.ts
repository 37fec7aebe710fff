import { describe, expect, test } from "vitest";
import { detectSpam, type SpamSign, textFingerprint } from "../../../src/channels/widgets/spam-detection.js";

const DAY_MS = 24 * 3_600_000;
const normal = { message: "Where is my order?", age: 60_000, repeated: false, flood: false };

describe("what a form says for spam", () => {
  test.each<[string, Partial<Parameters<typeof detectSpam>[0]>, SpamSign[]]>([
    ["nothing", {}, []],
    ["a text in the hidden field", { website: "https://spam.example" }, ["honeypot"]],
    ["no start", { age: null }, ["no start"]],
    ["less than three seconds", { age: 2_999 }, ["too fast"]],
    ["three seconds", { age: 3_000 }, []],
    ["a day", { age: DAY_MS }, []],
    ["more than a day", { age: DAY_MS + 1 }, ["too late"]],
    ["a text that was sent before", { repeated: true }, ["repeated text"]],
    ["a flood", { flood: true }, ["flood"]],
    [
      "everything",
      { website: "x", age: null, repeated: true, flood: true },
      ["honeypot", "no start", "repeated text", "flood"],
    ],
  ])("of %s", (_, more, signs) => {
    expect(detectSpam({ ...normal, ...more })).toEqual(signs);
  });

  test.each([
    ["Look: https://spam.example/buy?now=1", true],
    ["www.spam.example", true],
    ["(spam.example/now)", true],
    ["HTTPS://spam.example buy", true],
    ["https://a.example https://b.example https://c.example", true],
    ["My order https://shop.example/orders/1 has not come, where is it?", false],
    ["Mein Paket und/oder die Rechnung", false],
    ["ok and/or no", false],
    ["Hi", false],
  ])("of links in %j", (message, spam) => {
    expect(detectSpam({ ...normal, message })).toEqual(spam ? ["links only"] : []);
  });
});

test("texts are alike if they differ only in case, spaces, digits and signs, and short ones are like none", () => {
  const text = "Dear friend no. 1, I have a wonderful offer for you!";
  expect(textFingerprint(text)).toBe(textFingerprint("DEAR FRIEND no. 27 – I have a wonderful offer, for you"));
  expect(textFingerprint(text)).not.toBe(textFingerprint(text.replace("friend", "colleague")));
  expect([textFingerprint("Where is my order?"), textFingerprint("1".repeat(100))]).toEqual([null, null]);
  expect(textFingerprint("a".repeat(29))).toBeNull();
  expect(textFingerprint("a".repeat(30))).toBe("a".repeat(30));
});
