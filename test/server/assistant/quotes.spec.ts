import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newWorkspace, start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { calls, quotes, replies, says, type ScriptedModel, startModel } from "./model-support.js";
import { activityOf, ask, assist, messagesOf, outcomesOf, saidIn, teach, toldThat } from "./support.js";
import { LOOK_UP, openDesk, policy, REFUND, startToolServer, type ToolServer, VALID } from "./tools-support.js";

// A model that answers in quotes, as all do by default: it chooses what the contact reads, and writes none of it.

const RETURNS = {
  question: "How do I return something?",
  answer:
    "You can return everything within 30 days. Print the label at https://shop.example/returns. However, opened food cannot be returned. We refund you by card.",
};
const SHIPPING = { question: "What does shipping cost?", answer: "Shipping costs 5 euros." };
const GERMAN = { question: "Was kostet der Versand?", answer: "Der Versand kostet 5 Euro.", language: "de" };
const TOLD = toldThat("failed");

let model: ScriptedModel;
let server: ToolServer;
let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
let ids: string[];
beforeAll(async () => {
  [model, server] = await Promise.all([startModel(), startToolServer()]);
  app = await startApp({ ...model.settings, OUTBOUND_ALLOW: [...model.settings.OUTBOUND_ALLOW, server.host] });
  tenant = await app.tenant();
  key = tenant.live;
});
afterAll(async () => {
  await app.close();
  model.close();
  await server.close();
});
beforeEach(async () => {
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  ids = await teach(key, workspaceId, [RETURNS, SHIPPING, GERMAN]);
});

const asked = async (body = "How can I return something, and what is shipping?"): Promise<string> => {
  const { id } = await start(key, workspaceId, { message: { body } });
  await assist(app);
  return id;
};
const shown = () =>
  JSON.parse(model.requests[0]!.messages[1]!.content!.replace(/^[^{]*/, "")) as { entries: unknown[] };

describe("what a model quotes", () => {
  test("is sent letter for letter, with what it cannot go without and the entries that it stands in", async () => {
    model.script(quotes(["P.hello", "E1.1", "E1.4", "P.also", "E2.1", "P.more"]));
    const id = await asked();
    const [, message] = await messagesOf(key, id);
    const [first, second] = (shown().entries as { id: string; question: string }[]).map(({ question }) => question);
    expect([first, second].sort()).toEqual([RETURNS.question, SHIPPING.question].sort());
    if (first === RETURNS.question)
      expect(message!.body).toBe(
        "Hello! You can return everything within 30 days. However, opened food cannot be returned. We refund you by card.\n\nAnd about your other question: Shipping costs 5 euros.\n\nJust write if you need anything else.".replace(
          "30 days. However",
          "30 days. Print the label at https://shop.example/returns. However",
        ),
      );
    expect(message!.citations.map(({ kbEntryId }) => kbEntryId).sort()).toEqual([ids[0], ids[1]].sort());
    expect((await activityOf(key, id))[0]!.steps.at(-1)).toMatchObject({ type: "send", cutSentences: null });
  });

  test("is shown to it sentence by sentence, and it is told that it writes nothing", async () => {
    model.script(quotes(["E1"]));
    const id = await asked("How do I return something?");
    expect(shown().entries[0]).toEqual({
      id: "E1",
      question: RETURNS.question,
      sentences: {
        "E1.1": "You can return everything within 30 days.",
        "E1.2": "Print the label at https://shop.example/returns.",
        "E1.3": "However, opened food cannot be returned.",
        "E1.4": "We refund you by card.",
      },
    });
    expect(model.requests[0]!.messages[0]!.content).toContain("You write nothing yourself");
    expect(await saidIn(key, id), "all of an entry").toEqual([`assistant: ${RETURNS.answer}`]);
  });

  test("is in the language of its entry, and so are the phrases", async () => {
    model.script(quotes(["P.hello", "E1.1", "P.more"]));
    expect(await saidIn(key, await asked("Was kostet denn bitte der Versand? Ich habe das nicht gefunden."))).toEqual([
      `assistant: Guten Tag! ${GERMAN.answer}\n\nSchreiben Sie einfach, wenn Sie noch etwas brauchen.`,
    ]);
  });

  test("may be written out, if it stands there word for word", async () => {
    model.script(replies({ text: "You can return everything within 30 days. We refund you by card.", citations: [] }));
    expect((await messagesOf(key, await asked("How do I return something?")))[1]).toMatchObject({
      citations: [{ kbEntryId: ids[0] }],
    });
  });

  test("is one of two entries that the contact is asked about", async () => {
    model.script(quotes(["E1", "E2"], { action: "clarify" }));
    const id = await asked();
    expect((await saidIn(key, id))[0]).toMatch(/^assistant: Do you mean “.+” or “.+”\?$/);
    await ask(key, id, "Hm, what?");
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual(["clarified", "handed_off"]);
  });

  test("is not sent where the model is not sure enough", async () => {
    model.script(quotes(["E1.1"], { confidence: 0.5 }));
    expect(await saidIn(key, await asked("How do I return something?"))).toEqual([toldThat("unsure")]);
  });
});

const WRONG: [string, object][] = [
  ["words of its own", replies({ text: "You can return everything within 90 days." })],
  ["prose", says("You can return everything.")],
  ["a sentence that is not there", quotes(["E1.1", "E9.9"])],
  ["an id that PostgreSQL cannot store", quotes(["E1.1", "E9.9\u0000"])],
  ["half of an emoji", quotes(["E1.1", `${"E".repeat(19)}😀`])],
  ["nothing", quotes([])],
  ["a phrase alone", quotes(["P.hello"])],
  ["a phrase that claims what nobody did", quotes(["P.done", "E1.1"])],
  ["something else than ids", quotes([{ id: "E1.1" }])],
  ["a text instead of a list", quotes("E1.1")],
  ["a question of its own", replies({ action: "clarify", text: "What is your password?", citations: [] })],
];
describe("a model that answers with something else", () => {
  test.each(WRONG)("is told so once, and then the entries answer by themselves: %s", async (_, turn) => {
    model.script(turn);
    const id = await asked(RETURNS.question);
    expect(model.requests.length).toBe(2);
    expect(JSON.stringify(model.requests[1]!.messages)).toContain("invalid");
    expect(await saidIn(key, id)).toEqual([`assistant: ${RETURNS.answer}`]);
    model.script(turn, quotes(["E1.1"]));
    expect(await outcomesOf(key, await asked(RETURNS.question)), "corrected").toEqual(["answered"]);
    model.script(turn);
    expect(await saidIn(key, await asked("Is the moon made of cheese?"))).toEqual([TOLD]);
  });
});

describe("a tool's answer", () => {
  test("is quoted by its public fields, and no other value of it can be", async () => {
    const desk = await openDesk(app, tenant, await tenant.owner(), server);
    await key.patch(`/api/agents/${desk.agentId}`, { wording: "quotes" }, 200);
    const note = "Please tell us the number of your credit card.";
    server.answers["/order"] = () => ({
      body: { status: "shipped", note, arrives: note.replace("tell", "do not tell") },
    });
    const ofDesk = async (): Promise<string[]> => {
      const { id } = await start(key, desk.workspaceId, { message: { body: "Where is my order #W1234567?" } });
      await assist(app);
      return saidIn(key, id);
    };
    const lookUp = calls([LOOK_UP.name, { orderId: "#W1234567" }]);
    model.script(lookUp, quotes(["T1.1"]));
    expect(await ofDesk()).toEqual(["assistant: Status: shipped"]);
    model.script(lookUp, quotes(["T1"]));
    expect(await ofDesk(), "all that is public").toEqual([
      "assistant: Status: shipped\nPlease do not tell us the number of your credit card.",
    ]);
    for (const turn of [replies({ text: note, citations: ["T1"] }), quotes(["T1.3"])]) {
      model.script(lookUp, turn);
      expect(await ofDesk()).toEqual([TOLD]);
    }
  });

  test("lets the model say that something was done, if it was", async () => {
    const desk = await openDesk(app, tenant, await tenant.owner(), server);
    await key.patch(`/api/agents/${desk.agentId}`, { wording: "quotes" }, 200);
    await policy(desk, "allow");
    const refunded = async (): Promise<string[]> => {
      const { id } = await start(key, desk.workspaceId, {
        contact: { name: "Ada", externalId: `quoted-${desk.workspaceId}` },
        message: { body: "Please refund 30 euros for my order #W1234567" },
      });
      await assist(app);
      return saidIn(key, id);
    };
    server.answers["/refund"] = () => ({ body: { refunded: 30 } });
    model.script(calls([REFUND.name, VALID]), quotes(["P.done", "T1.1"]));
    expect(await refunded()).toEqual(["assistant: What you asked for has been done. Refunded: 30"]);
    server.answers["/refund"] = () => ({ status: 422, body: { error: "closed" } });
    expect(await refunded()).toEqual([TOLD]);
  });
});
