import { describe, expect, test } from "vitest";
import { kindAskedBy, reachingBy } from "../../../src/assistant/context/asked-for.js";
import { namesIn } from "../../../src/assistant/context/names.js";
import { cautionOf } from "../../../src/knowledge/review/ranking.js";

const [PHONE, MAIL] = ["Call 01947 555 010, Monday to Friday.", "Write to hello@shop.example."];

describe("how to reach us", () => {
  test.each([
    "What is your phone number?",
    "can I call you?",
    "your number please",
    "phone number?",
    "hi, do you have a phone number I can call you on?",
    "Unter welcher Nummer kann ich Sie anrufen?",
    "Est-ce que je peux vous appeler ?",
    "Wie lautet Ihre Telefonnummer?",
    "Quel est votre numéro de téléphone ?",
    "¿Cuál es su número de teléfono?",
    "Qual è il vostro numero di telefono?",
    "Wat is jullie telefoonnummer?",
    "Qual é o vosso número de telefone?",
  ])("by telephone: %s", (text) =>
    expect([PHONE, MAIL].map((answer) => reachingBy(text)?.(answer))).toEqual([true, false]),
  );
  test.each(["what's your email", "Wie ist Ihre E-Mail-Adresse?", "Quelle est votre adresse mail ?"])(
    "by mail: %s",
    (text) => expect([PHONE, MAIL].map((answer) => reachingBy(text)?.(answer))).toEqual([false, true]),
  );
  test.each(["How can I contact you?", "Wie kann ich Sie erreichen?", "Comment vous contacter ?"])(
    "in any way: %s",
    (text) => expect([PHONE, MAIL].map((answer) => reachingBy(text)?.(answer))).toEqual([true, true]),
  );
  test.each([
    "How do I change my phone number?",
    "What is the number of my order?",
    "Is your phone case waterproof?",
    "Why can I not call you?",
    "I called your phone number twice and then went home",
    "where is my tracking number",
    "How do I change the phone number?",
    "change phone number",
    "Do I need to contact you before I send it back?",
    "When will the courier get in touch with you?",
    "How can I update contact details?",
    "What is the phone number of the nearest pharmacy?",
    "Wie kann ich die Telefonnummer ändern?",
    "Kann ich die Rufnummer mitnehmen?",
    "Comment changer l'adresse e-mail ?",
    "¿Puedo cambiar el número de teléfono?",
  ])("is not asked for: %s", (text) => expect(reachingBy(text)).toBeUndefined());
  test.each(["Since 01.02.2024 it is free.", "IBAN DE02 1203 0000 0000 2020 51", "It costs 1000.50 euros."])(
    "is no telephone number: %s",
    (answer) => expect(reachingBy("What is your phone number?")!(answer)).toBe(false),
  );
});

test.each([
  ["Where do you deliver?", "To France and Germany.", "en", true],
  ["Where do you deliver?", "Within the UK.", "en", true],
  ["Where do you deliver?", "To the United Kingdom.", "en", true],
  ["Where do you deliver?", "It costs us 3.95 pounds.", "en", false],
  ["Wohin liefern Sie?", "Nach Österreich.", "de", true],
  ["How much is shipping?", "It costs 3.95 pounds.", "en", true],
  ["How much is shipping?", "To France.", "en", false],
  ["Where is my parcel?", "To France.", "en", undefined],
])("%s is answered with a place or a price: %s", (text, answer, language, has) =>
  expect(kindAskedBy(text, language)?.(answer)).toBe(has),
);

test("a name of two words is known by its beginnings", () => {
  expect(namesIn("Visa, American Express or PayPal", "en")).toContain("amex");
});

test("among few entries with one question each, less caution is enough, and with more questions as much as before", () => {
  const wary = { each: [8, 4, 1.8, 2.6], few: 3.5, lead: 2 } as const;
  const [one, three] = [Math.log(2), Math.log(4)];
  const sent = (entries: number, questions: number): number => cautionOf(wary, { entries, questions }).sent;
  expect([sent(4, one), sent(10, one), sent(75, one), sent(5_000, one)]).toEqual([3.5, 3.5, 8, 8]);
  expect(sent(30, one)).toBeCloseTo(5.95, 2);
  expect([sent(10, three), sent(100, three)]).toEqual([4, 4]);
});
