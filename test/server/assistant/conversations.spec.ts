import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace, start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { ask, assist, itemsOf, outcomesOf, saidIn, teach, toldThat } from "./support.js";

// Conversations as people have them: each line is what a contact writes, and what they read then.

let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  key = tenant.live;
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  await teach(key, workspaceId, Object.values(SHOP));
});
afterAll(() => app.close());

const SHOP = {
  shipping: { question: "How much is shipping?", answer: "Shipping costs 4.90 euros." },
  address: {
    question: "Can I change the delivery address?",
    answer: "You can change it in your account until we send the parcel.",
  },
  cancel: { question: "How do I cancel my order?", answer: "Press Cancel in the order." },
  visit: { question: "How do I cancel my visit?", answer: "Press Cancel in your account." },
  paypal: { question: "Do you take PayPal?", answer: "Yes, we take PayPal." },
  card: { question: "How do I change the card that I pay with?", answer: "In your account, under Payment." },
};
const HELLO = "assistant: Hello! I am an automated assistant. How can I help you?";
const PASSED = "I am passing this on to a colleague, who will reply to you here.";

/** What a contact reads after each of their messages. A list is a burst. */
async function talk(...turns: (string | string[])[]): Promise<{ id: string; read: string[][] }> {
  const [first, ...rest] = turns;
  const burst = (turn: string | string[]): string[] => (typeof turn === "string" ? [turn] : turn);
  const { id } = await start(key, workspaceId, { message: { body: burst(first!)[0] } });
  for (const body of burst(first!).slice(1)) await ask(key, id, body);
  await assist(app);
  let known = await saidIn(key, id);
  const read = [known];
  for (const turn of rest) {
    for (const body of burst(turn)) await ask(key, id, body);
    await assist(app);
    const said = await saidIn(key, id);
    read.push(said.slice(known.length));
    known = said;
  }
  return { id, read };
}

describe("a contact who", () => {
  test("says hello is greeted, and answered when they ask", async () => {
    const { id, read } = await talk("hi", "How much is shipping?");
    expect(read).toEqual([[HELLO], [`assistant: ${SHOP.shipping.answer}`]]);
    expect(await outcomesOf(key, id)).toEqual(["small_talk", "answered"]);
    expect((await key.get(`/api/conversations/${id}`, 200)).body).toMatchObject({ handlingMode: "assistant" });
  });

  test("says nothing but hello is greeted twice, and then has a person", async () => {
    const { read } = await talk("hi", "hello?", "anybody there?");
    expect(read).toEqual([[HELLO], ["assistant: I am here. What would you like to know?"], [`system: ${PASSED}`]]);
  });

  test("says nothing but thank you is welcome, be it the first word or after a resolution", async () => {
    const { id, read } = await talk("Thank you!");
    expect(read).toEqual([["assistant: You are welcome."]]);
    await key.post(`/api/conversations/${id}/resolve`, {}, 200);
    await ask(key, id, "Thanks a lot!");
    await assist(app);
    expect((await saidIn(key, id)).slice(1)).toEqual(["assistant: You are welcome."]);
    expect((await key.get(`/api/conversations/${id}`, 200)).body).toMatchObject({ handlingMode: "assistant" });
  });

  test("asks what it is reads that it is no person, and then gets an answer", async () => {
    const { read } = await talk("are you a bot?", "Do you take PayPal?");
    expect(read[0]).toEqual([expect.stringMatching(/^assistant: I am an automated assistant, not a person\./)]);
    expect(read[1]).toEqual([`assistant: ${SHOP.paypal.answer}`]);
  });

  test("writes in a burst gets the answer to its one question", async () => {
    const { read } = await talk(["Hello", "one question", "Do you take PayPal?"]);
    expect(read).toEqual([[`assistant: ${SHOP.paypal.answer}`]]);
  });

  test("asks two questions at once gets both answers, with both citations", async () => {
    const { read } = await talk("Do you take PayPal and how much is shipping?");
    expect(read).toEqual([[`assistant: ${SHOP.paypal.answer}\n\n${SHOP.shipping.answer}`]]);
    const two = await talk(["How much is shipping?", "Do you take PayPal?"]);
    expect(two.read).toEqual([[`assistant: ${SHOP.shipping.answer}\n\n${SHOP.paypal.answer}`]]);
  });

  test("also asks something that nobody knows has a person for all of it", async () => {
    const { read } = await talk("Do you take PayPal? And is the moon made of cheese?");
    expect(read[0]![0]).toContain(PASSED);
  });

  test("is asked which of two is meant takes both, one or none", async () => {
    const asks = /^assistant: Do you mean “How do I cancel my (order|visit)” or “How do I cancel my (order|visit)”\?$/;
    const both = await talk("How do I cancel?", "both please");
    expect(both.read[0]).toEqual([expect.stringMatching(asks)]);
    expect(both.read[1]![0]).toContain(SHOP.cancel.answer);
    expect(both.read[1]![0]).toContain(SHOP.visit.answer);
    const none = await talk("How do I cancel?", "neither");
    expect(none.read[1]).toEqual([`system: I am not sure that I understand you correctly. ${PASSED}`]);
    const second = await talk("How do I cancel?", "the second");
    expect(second.read[1]![0]).toMatch(/^assistant: Press Cancel/);
    for (const { question, answer } of [SHOP.cancel, SHOP.visit]) {
      const chosen = await talk("How do I cancel?", question);
      expect(chosen.read[1], "as the web chat sends it").toEqual([`assistant: ${answer}`]);
    }
  });

  test("hears an answer and tells a number has a person who knows", async () => {
    const { id, read } = await talk("can I change the delivery address?", "W1234567, Ringstr. 5");
    expect(read).toEqual([[`assistant: ${SHOP.address.answer}`], [`system: Thank you for the details. ${PASSED}`]]);
    expect((await itemsOf(key, id))[0]).toMatchObject({ type: "handoff_requested" });
  });

  test("asks for what was answered never hears the same again", async () => {
    const { read } = await talk("How much is shipping?", "how much is the shipping");
    expect(read).toEqual([[`assistant: ${SHOP.shipping.answer}`], [`system: That is all I know about it. ${PASSED}`]]);
  });

  test.each([
    ["Please do NOT cancel my order", "I would like you to get the right answer to that."],
    ["Why was my order cancelled?", "I am sorry about that."],
    ["I was charged twice for shipping", "I am sorry about that."],
  ])("means the opposite, or complains, is not answered: %s", async (text, because) => {
    const { read } = await talk(text);
    expect(read[0]).toHaveLength(1);
    expect(read[0]![0]).toContain(PASSED);
    expect([because, "I do not know the answer to that."].some((one) => read[0]![0]!.includes(one))).toBe(true);
    expect(read[0]![0]).not.toContain("Press Cancel");
  });

  test("was not helped, or is angry, has a person who is told so", async () => {
    const help = await talk("How much is shipping?", "That did not help");
    expect(help.read[1]).toEqual([`system: I am sorry that this did not help. ${PASSED}`]);
    const angry = await talk("This is ridiculous!!");
    expect(angry.read[0]).toEqual([`system: I am sorry about the trouble. ${PASSED}`]);
    expect(await itemsOf(key, angry.id)).toMatchObject([{ severity: "high" }]);
  });

  test("has a question that one entry may answer is asked whether they mean it", async () => {
    await key.put(`/api/workspaces/${workspaceId}/assistant`, { answerConfidence: 1 }, 200);
    try {
      const yes = await talk("How can I change the card that I pay with?", "yes please");
      expect(yes.read).toEqual([
        ["assistant: Do you mean “How do I change the card that I pay with”?"],
        [`assistant: ${SHOP.card.answer}`],
      ]);
      const thanks = await talk("How can I change the card that I pay with?", "thxx", "thanks");
      expect(thanks.read[1], "who thanks takes it for what they meant").toEqual([`assistant: ${SHOP.card.answer}`]);
      expect(thanks.read[2]).toEqual(["assistant: You are welcome."]);
      const no = await talk("How can I change the card that I pay with?", "no");
      expect(no.read[1]![0]).toContain(PASSED);
    } finally {
      await key.put(`/api/workspaces/${workspaceId}/assistant`, {}, 200);
    }
  });

  test("sends a sign alone is greeted, and heard when they send a question mark after an answer", async () => {
    const { id, read } = await talk("👋", "How much is shipping?", "👍", "??", "😡");
    expect(read).toEqual([
      [HELLO],
      [`assistant: ${SHOP.shipping.answer}`],
      [],
      ["assistant: I am here. What would you like to know?"],
      [`system: I am sorry about the trouble. ${PASSED}`],
    ]);
    expect(await outcomesOf(key, id)).toEqual(["small_talk", "answered", "discarded", "small_talk", "handed_off"]);
  });

  test.each([
    ["I got double charged!", "I am sorry about that."],
    ["I have been waiting for three weeks now", "I am sorry about that."],
    ["where the hell is it", "I am sorry about the trouble."],
  ])("complains about what no entry is about reads that we are sorry: %s", async (text, because) => {
    expect((await talk(text)).read).toEqual([[`system: ${because} ${PASSED}`]]);
  });

  test.each([
    ["the mail never came", "I am sorry that this did not help."],
    ["and in Norway?", "That is all I know about it."],
    ["Is the moon made of cheese?", "I do not know the answer to that."],
  ])("goes on after an answer reads why people take over: %s", async (text, because) => {
    expect((await talk("How much is shipping?", text)).read[1]).toEqual([`system: ${because} ${PASSED}`]);
  });

  test.each(["ok", "yes thanks"])("is asked whether an entry is meant, and takes it with: %s", async (text) => {
    const { read } = await talk("cna i chagne teh deliveyr adress", text);
    expect(read[1]).toEqual([`assistant: ${SHOP.address.answer}`]);
  });

  test("slips on the keys is asked whether they mean the entry, and never answered at once", async () => {
    const { read } = await talk("cna i chagne teh deliveyr adress", "yes");
    expect(read).toEqual([
      ["assistant: Do you mean “Can I change the delivery address”?"],
      [`assistant: ${SHOP.address.answer}`],
    ]);
  });

  test("got an answer is asked back about the next question, too", async () => {
    const { read } = await talk("How do I cancel?", "the first", "cna i chagne teh deliveyr adress");
    expect(read[2]).toEqual(["assistant: Do you mean “Can I change the delivery address”?"]);
  });

  test("goes on to something else while a question back is open is asked about that, once", async () => {
    const { read } = await talk("cna i chagne teh deliveyr adress", "how do i cancel", "adress cna i chagne deliveyr");
    expect(read).toEqual([
      ["assistant: Do you mean “Can I change the delivery address”?"],
      [expect.stringMatching(/^assistant: Do you mean “How do I cancel my (order|visit)” or “/)],
      [toldThat("unsure")],
    ]);
  });

  test("says the same again while a question back about it is open gets a person", async () => {
    const { read } = await talk("cna i chagne teh deliveyr adress", "adress cna i chagne deliveyr");
    expect(read[1]).toEqual([toldThat("unsure")]);
  });

  test("asks for what was answered in other words is not asked back about it", async () => {
    await key.put(`/api/workspaces/${workspaceId}/assistant`, { answerConfidence: 1 }, 200);
    try {
      const { read } = await talk(
        "How can I change the card that I pay with?",
        "yes",
        "but how can I change that card",
      );
      expect(read[1]).toEqual([`assistant: ${SHOP.card.answer}`]);
      expect(read[2]).toHaveLength(1);
      expect(read[2]![0]).toContain(PASSED);
    } finally {
      await key.put(`/api/workspaces/${workspaceId}/assistant`, {}, 200);
    }
  });

  test("comes back reads another sentence when people take over again", async () => {
    const { id } = await talk("Is the moon made of cheese?");
    await key.post(`/api/conversations/${id}/release`, {}, 200);
    await ask(key, id, "Is the sun made of butter?");
    await assist(app);
    expect(await saidIn(key, id)).toEqual([
      `system: I do not know the answer to that. ${PASSED}`,
      "system: I do not know the answer to that. I have told my colleagues what you wrote. One of them will reply to you here.",
    ]);
  });

  test.each([
    ["je veux parler à un conseiller", "Bien sûr. Je transmets"],
    ["أين طردي؟ أريد أن أعرف", "سأحوّل رسالتك"],
    ["It fails with `const como = await onde(e)` in com.example.que and I need an answer", "I am passing this on"],
  ])("is handed over in their own language: %s", async (text, told) => {
    const { read } = await talk(text);
    expect(read[0]![0]).toContain(told);
  });
});
