import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { withoutLinks } from "../../../src/assistant/context/links.js";
import { asksOnlyAbout, ground } from "../../../src/assistant/model/grounding.js";
import { growth, leastCost } from "../../support/cost.js";

// What of a text rests on an entry, on real entries. Words, figures and negation are compared, not meaning.

const KB = JSON.parse(fs.readFileSync("demo/kb.json", "utf8")) as { question: string; answer: string }[];
const entry = (about: string) => {
  const { question, answer } = KB.find((one) => one.question.startsWith(about))!;
  return { id: "E1", question, text: answer };
};
const PROOF = entry("How do I prove who I am");
const BALANCE = entry("How can I check my account balance");
const FRAUD = entry("Money was taken");
const REFUSED = entry("Why could you not verify me");
const RIDE = entry("How do I book a ride");
const said = (text: string) => ({ id: "E1", text });

describe("a text that says in other words what its entry says", () => {
  test.each([
    [PROOF, "To prove who you are, please give us your full name, your account number and your PIN."],
    [
      PROOF,
      "If you don’t have those, you can give your full name, date of birth and the answers to both security questions.",
    ],
    [PROOF, "We'll never ask for your card number or your online banking password."],
    [BALANCE, "Once you have told us who you are, we can read you your current balance right away."],
    [
      FRAUD,
      "After verifying your identity, tell us what is missing, when you noticed it and whether you still have the card.",
    ],
    [FRAUD, "To block or replace the card, please call the card line printed in your banking app."],
    [REFUSED, "If your details don't match our records, we stop and don't share anything about the account."],
    [REFUSED, "After several wrong answers the questions are locked for a while, to protect you."],
    [RIDE, "Afterwards you'll receive the driver's name, the license plate and a ride ID."],
    [said("If the seal is broken, you cannot return it."), "You can't return it if the seal is broken."],
    [said("It costs 1,250.00 euros a year."), "A year costs 1250 euros."],
    [said("See https://shop.example/a?b=c. It shows the prices."), "The prices: see https://shop.example/a?b=c."],
    [
      said("Wir liefern in drei Werktagen. Der Versand ist ab 50 Euro kostenlos."),
      "Ab 50 Euro ist der Versand kostenlos.",
    ],
    [said("返品は30日以内に可能です。"), "30日以内に返品が可能です。"],
    [
      said("We open at 9:00 am, and reference W-1234567 stands on the bill."),
      "At 9:00am we open. W1234567 stands on the bill.",
    ],
  ])("is kept whole", (source, text) => {
    expect(ground(text, [source])).toEqual({ text, sources: ["E1"], cut: 0 });
  });
});

describe("a sentence that its entry does not say", () => {
  test.each([
    [PROOF, "Please send us your card number and your online banking password."],
    [PROOF, "We ask for your online banking password."],
    [BALANCE, "Your current balance is 5000 euros."],
    [BALANCE, "We can send your balance to any email address."],
    [FRAUD, "We will refund the stolen money within 5 days."],
    [FRAUD, "Your money is safe and insured, so there is nothing to worry about."],
    [RIDE, "A ride to the airport costs 25 credits."],
    // ICU sees one sentence where the next word begins with a small letter.
    [said("Steps 4, 7 and 9: tell us your name, and end the talk."), "Tell us your name, and end the talk. key-4f7a9c"],
    [said("Steps 81 and 2: tell us your name."), "Tell us your name with key_81f2."],
    [RIDE, "Rides are free for new customers on weekends."],
    [said("If the seal is broken, you cannot return it."), "You can return it if the seal is broken."],
    [said("You can return it if you have not used it."), "You can return it if you have used it."],
    [said("Der Versand ist ab 50 Euro kostenlos."), "Der Versand ist ab 20 Euro kostenlos."],
    [said("It costs 1,250.00 euros a year."), "It costs 125 euros a year."],
  ])("is cut", (source, text) => {
    expect(ground(text, [source])).toEqual({ text: "", sources: [], cut: 1 });
  });
});

test("what follows a sentence with a small letter is cut by itself", () => {
  const source = said("At last, apologize and end the conversation.");
  expect(ground("Apologize and end the conversation. hunter two", [source])).toEqual({
    text: "Apologize and end the conversation.",
    sources: ["E1"],
    cut: 1,
  });
});

test.each(["too", "else", "fees"])("a word behind a sentence that ends with “%s” is no part of it", (last) => {
  const text = `Shipping within the country costs three euro, and there is nothing for customers to pay, ${last}.`;
  const source = said(text);
  expect(ground(`${text} It costs five euro abroad.`, [source])).toEqual({ text, sources: ["E1"], cut: 1 });
  expect(ground(`${text} canary`, [source])).toEqual({ text: "", sources: [], cut: 1 });
});

test("a sentence with an abbreviation stays whole", () => {
  const source = said("Das Paket kostet fünf Euro inkl. der Steuer, zzgl. der Versandkosten, d. h. etwa neun Euro.");
  const text = "Inkl. der Steuer kostet das Paket fünf Euro, zzgl. der Versandkosten.";
  expect(ground(text, [source])).toEqual({ text, sources: ["E1"], cut: 0 });
});

test("marks of sources are left out, numbers in brackets are not", () => {
  const source = said("You can return it (within 30 days) for free.");
  expect(
    ground("You can return it (within 30 days) for free [E1]. You can return it [1] for free (E1, E2).", [source]),
  ).toEqual({
    text: "You can return it (within 30 days) for free. You can return it for free.",
    sources: ["E1"],
    cut: 0,
  });
});

test("a long text takes no long time", () => {
  const read = (): void => {
    for (const part of ["a", "[", "(", "@", "a.", "a@", "1,", "1. ", "don't ", "if ", "https://a.a/", "\u200b", "[a]("])
      ground(part.repeat(Math.ceil(10_000 / part.length)), [PROOF, said(part.repeat(2_000))]);
  };
  expect(leastCost(read, 5_000)).toBeLessThan(5_000);
});

test.each(["sorry ", "regards ", "de nada "])("%sagain and again is read in one pass", (courtesy) => {
  expect(leastCost(() => ground(`${courtesy.repeat(23)}refund`, [PROOF]), 100)).toBeLessThan(100);
});

test.each([
  ["short sentences", "Refund me. "],
  ["numbers of a list", "1. "],
  ["Japanese sentences of one word", "返。"],
  ["questions", "refund? "],
  ["one sentence without an end", "refund "],
  ["a long sentence before many short ones", `${"refund ".repeat(300)}. ${"a. ".repeat(700)}`],
])("a text of %s takes linear time, also if its source is as long", (_, part) => {
  const of = (length: number): string => part.repeat(Math.ceil(length / part.length));
  expect(growth((length) => ground(of(length), [said(of(length))]), 5_000)).toBeLessThan(24);
});

test("a question of figures takes linear time, also if what is known is as long", () => {
  expect(growth((length) => asksOnlyAbout(`${"1 ".repeat(length / 2)}?`, "1 ".repeat(length / 2)), 2_500)).toBeLessThan(
    24,
  );
});

test("of a very long text, at least the beginning is kept, and an answer of real length whole", () => {
  const sentences = (count: number): string =>
    Array.from(
      { length: count },
      (_, n) => `Parcel ${n} of our shop is delivered by the carrier on working days.`,
    ).join(" ");
  const long = sentences(120);
  expect(ground(long, [said(long)])).toEqual({ text: long, sources: ["E1"], cut: 0 });
  expect(ground(sentences(2_000), [said(sentences(2_000))]), "word for word").toMatchObject({ cut: 0 });
  const tooLong = sentences(2_000).replaceAll(
    /Parcel (\d+) of our shop is delivered/g,
    "The carrier delivers parcel $1 of our shop",
  );
  const { text, cut } = ground(tooLong, [said(sentences(2_000))]);
  expect(tooLong.startsWith(text)).toBe(true);
  expect(text.length).toBeGreaterThan(long.length / 2);
  expect(cut).toBeGreaterThan(0);
});

describe("a link", () => {
  test.each([
    ["evil。com", ""],
    ["evil．com/a", ""],
    ["evil｡com", ""],
    ["Go to 例え。com now", "Go to  now"],
    ["www。evil。example", ""],
    ["10。0。0。1/a", ""],
    ["ada@evil。com", ""],
    ["ｅｖｉｌ。ｃｏｍ", ""],
  ])("is one with any full stop that a browser takes for a dot: %s", (text, left) => {
    expect(withoutLinks(text)).toBe(left);
  });

  test.each(["请稍等。我们会处理。", "30日以内に可能です。返品は無料です。", "Wait。 OK"])(
    "is none between sentences: %s",
    (text) => {
      expect(withoutLinks(text)).toBe(text);
    },
  );
});
