import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EmbeddingsService } from "../../../src/knowledge/kb-entries/embeddings.service.js";
import { startApp, type TestApp } from "../../support/app.js";
import { start } from "../e2e/support.js";
import { assist, saidIn, teach } from "./support.js";

// What a contact is asked back where the meaning of their words finds an entry, and no word of it is said.

let app: TestApp;
let first: (body: string) => Promise<string[]>;
beforeAll(async () => {
  app = await startApp();
  const { live: key, defaults } = await app.tenant();
  const { workspaceId } = defaults;
  await teach(key, workspaceId, [
    { question: "Which payment methods do you accept?", answer: "Visa, Klarna, PayPal and payment by invoice." },
    { question: "The item arrived damaged", answer: "Please send us photos of the damage." },
    { question: "How do I care for leather shoes?", answer: "With a soft brush, and with wax once a month." },
  ]);
  await app.app.get(EmbeddingsService).run();
  first = async (body) => {
    const { id } = await start(key, workspaceId, { message: { body } });
    await assist(app);
    return await saidIn(key, id);
  };
});
afterAll(() => app.close());

test("whether they mean the entry whose answer names what they ask for", async () => {
  expect(await first("can you take klarna?")).toEqual([
    "assistant: Do you mean “Which payment methods do you accept”?",
  ]);
  expect((await first("can you take seashells?"))[0]).toContain("I am passing this on to a colleague");
});

test("whether they mean it, after a word about what they complain of", async () => {
  expect(await first("The bicycle I received was damaged during delivery. I'm quite frustrated.")).toEqual([
    "assistant: I am sorry about that. Do you mean “The item arrived damaged”?",
  ]);
});

describe("in a small shop with one question an entry", () => {
  const SHOP = [
    { question: "Shipping costs", answer: "Shipping costs 3.95 pounds." },
    { question: "Delivery", answer: "We deliver within the UK, and to Ireland, France and Germany." },
    {
      question: "Payment",
      answer: "You can pay by card (Visa, Mastercard, American Express), PayPal or bank transfer.",
    },
    { question: "How do I return something?", answer: "Send it back within 30 days." },
    {
      question: "Where do I find my tracking number?",
      answer: "In the mail that you get once your parcel has left us.",
    },
    { question: "Contact", answer: "Phone 01947 555 010, Monday to Friday, or hello@shop.example." },
    { question: "Opening hours", answer: "Monday to Friday from 9 to 5." },
    { question: "Gift wrapping", answer: "We wrap presents for two pounds." },
    { question: "Can I cancel my order?", answer: "Yes, until it has been sent." },
    { question: "Do you sell gift cards?", answer: "Yes, from 10 to 100 pounds." },
  ];
  let said: (body: string) => Promise<string[]>;
  beforeAll(async () => {
    const { live: key, defaults } = await app.tenant();
    await teach(key, defaults.workspaceId, SHOP);
    await app.app.get(EmbeddingsService).run();
    said = async (body) => {
      const { id } = await start(key, defaults.workspaceId, { message: { body } });
      await assist(app);
      return await saidIn(key, id);
    };
  });

  test.each(["What is your phone number?", "How can I contact you?", "whats your email", "can I call you"])(
    "who asks how to reach it is told: %s",
    async (text) => expect(await said(text)).toEqual([`assistant: ${SHOP[5]!.answer}`]),
  );
  test("who asks so in other words is answered", async () => {
    expect(await said("how do I send something back?")).toEqual([`assistant: ${SHOP[3]!.answer}`]);
  });
  test("who asks for a short name is asked about its long one, and about a heading as about a heading", async () => {
    expect(await said("do you take amex?")).toEqual(["assistant: Is your question about “Payment”?"]);
  });
  test("who asks where is asked about places before prices", async () => {
    expect((await said("Where do you deliver?"))[0]).toMatch(
      /^assistant: (?:Is your question about|Do you mean) “Delivery”/,
    );
  });
});
