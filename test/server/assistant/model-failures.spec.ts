import type http from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newWorkspace, start, withSettings } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { calls, inOwnWords, replies, type Request, says, type ScriptedModel, startModel } from "./model-support.js";
import {
  activityOf,
  ask,
  assist,
  ENTRIES,
  itemsOf,
  messagesOf,
  outcomesOf,
  saidIn,
  teach,
  toldThat,
} from "./support.js";
import { awayFromMidnight } from "../../support/clock.js";

// Whatever the model's server does, each contact gets a reply or a person, once.

const GOOD = { text: ENTRIES.parcel.answer };
/** A run may take so long where the model does not answer in time. The others have time for a busy machine. */
const SHORT_SECONDS = 5;

let model: ScriptedModel;
let app: TestApp;
let tenant: TestTenant;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  model = await startModel();
  app = await startApp({
    ...model.settings,
    ASSISTANT_RUN_TOKENS: 1_000,
  });
  tenant = await app.tenant();
  key = tenant.live;
  await move();
});
afterAll(async () => {
  await app.close();
  model.close();
});
/** On into another workspace. */
async function move(): Promise<void> {
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  await teach(key, workspaceId);
}

/** No entry answers it. */
const UNKNOWN = "Is the moon made of cheese?";
const begin = async (body: string = ENTRIES.parcel.question): Promise<string> =>
  (await start(key, workspaceId, { message: { body } })).id;
const asked = async (body?: string): Promise<string> => {
  const id = await begin(body);
  await assist(app);
  return id;
};
const read = async (id: string) => (await key.get(`/api/conversations/${id}`, 200)).body;
const TOLD = toldThat("failed");

/** Writes an answer by hand. */
const raw =
  (text: string | Buffer, head: http.OutgoingHttpHeaders = { "content-type": "application/json" }, status = 200) =>
  (_: Request, response: http.ServerResponse): void => {
    response.writeHead(status, head).end(text);
  };
const message = (value: object): object => ({ choices: [{ message: value }] });

describe("a model that fails is a hand-over with a reason", () => {
  test.each<[string, Parameters<ScriptedModel["script"]>[0], string]>([
    ["nothing", raw(""), "The language model's server answered with something else than a completion"],
    ["text", raw("Hello, I am a model."), "The language model's server answered with something else than a completion"],
    ["half of its JSON", raw('{"choices":[{"mess'), "The language model's server answered with something else"],
    ["a stream of garbage", raw("data: {\n\ndata: �\n\n", { "content-type": "text/event-stream" }), "something else"],
    ["JSON of another kind", ["a", 1], "something else than a completion"],
    ["no choice", { choices: [] }, "something else than a completion"],
    ["a choice that is none", { choices: [null] }, "something else than a completion"],
    ["a message of numbers", message({ content: 42 }), "something else than a completion"],
    ["a call without a name", message({ tool_calls: [{ id: "a", function: {} }] }), "something else than a completion"],
    ["a thousand calls", message({ tool_calls: Array(1_000).fill({}) }), "something else than a completion"],
    ["10 MB", raw(Buffer.alloc(10_485_760, "a")), "The server answered with more than 1 MiB"],
    ["a redirect", raw("", { location: "http://169.254.169.254/" }, 302), "a redirect, which is not followed"],
    ["that it does not know us", raw("{}", {}, 401), "The language model's server answered with status 401"],
    ["a closed connection", (_, response) => void response.destroy(), "The server cannot be reached"],
    ["nothing in time", () => undefined, "The server did not answer in time"],
    ["a byte a time", trickle, "The server did not answer in time"],
  ])("where its server answers with %s", async (_, turn, reason) => {
    model.script(turn);
    const { ASSISTANT_CHAT_SECONDS } = app.config;
    if (reason.endsWith("in time")) Object.assign(app.config, { ASSISTANT_CHAT_SECONDS: SHORT_SECONDS });
    const id = await asked(UNKNOWN).finally(() => Object.assign(app.config, { ASSISTANT_CHAT_SECONDS }));
    const [run] = await activityOf(key, id);
    expect(run).toMatchObject({ outcome: "failed", reason: expect.stringContaining(reason) as string });
    expect(run!.steps).toMatchObject([
      { type: "retrieve" },
      { type: "model", action: null, error: run!.reason },
      { type: "send" },
    ]);
    expect(await read(id)).toMatchObject({ handlingMode: "human" });
    expect(await saidIn(key, id)).toEqual([TOLD]);
    expect(await itemsOf(key, id)).toMatchObject([{ type: "handoff_requested" }]);
  });

  test.each([
    ["is no JSON", calls(["respond", '{"action": "answer", ']), "The language model's answers cannot be used"],
    ["is prose", says("Your parcel is in the mail."), "The language model's answers cannot be used"],
    ["is a list", calls(["respond", ["answer"]]), "The language model's answers cannot be used"],
    ["has an unknown action", replies({ action: "refund" }), "The language model's answers cannot be used"],
    ["is sure by 2", replies({ ...GOOD, confidence: 2 }), "The language model's answers cannot be used"],
    ["has no text", replies({ text: " " }), "The language model's answers cannot be used"],
    ["cites a number", replies({ ...GOOD, citations: [7] }), "The language model's answers cannot be used"],
    ["is as long as a book", replies({ text: "a ".repeat(20_000) }), "cannot be used"],
  ])("where what it wants %s, again and again", async (_, turn, reason) => {
    await inOwnWords(app);
    model.script(turn);
    const id = await asked(UNKNOWN);
    expect((await activityOf(key, id))[0]).toMatchObject({
      outcome: "failed",
      reason: expect.stringContaining(reason) as string,
    });
    expect(model.requests.length, "it is told what is wrong twice").toBe(3);
    expect(model.requests[2]!.messages.filter(({ content }) => content?.includes('"invalid"')).length).toBe(2);
    expect(await saidIn(key, id)).toEqual([TOLD]);
  });
});

describe("where the model fails, and an entry answers", () => {
  const DOWN: [string, Parameters<ScriptedModel["script"]>[0]][] = [
    ["refuses connections", (_, response) => void response.destroy()],
    ["answers with status 500", raw("{}", { "retry-after": "0" }, 500)],
    ["does not answer in time", () => undefined],
    ["cannot be understood", says("Hm")],
  ];
  test.each(DOWN)("the contact is answered as without a model: it %s", async (_, turn) => {
    model.script(turn);
    const id = await withSettings(app, { ASSISTANT_CHAT_SECONDS: SHORT_SECONDS }, () => asked());
    expect((await messagesOf(key, id))[1]).toMatchObject({
      body: ENTRIES.parcel.answer,
      authorType: "assistant",
      citations: [{}],
    });
    const [run] = await activityOf(key, id);
    expect(run!.outcome).toBe("answered");
    expect(run!.steps.filter(({ type }) => type === "retrieve").map(({ decision }) => decision)).toEqual([
      null,
      "answer",
    ]);
  });

  test("nobody listens at all: the contact is answered, and what no entry answers is handed over", async () => {
    const gone = await startModel();
    gone.close();
    await withSettings(app, gone.settings, async () => {
      expect(await saidIn(key, await asked())).toEqual([`assistant: ${ENTRIES.parcel.answer}`]);
      expect(await saidIn(key, await asked(UNKNOWN))).toEqual([TOLD]);
    });
  });
});

/** One byte after the other, and never the end. */
function trickle(_: Request, response: http.ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => {
    clearInterval(timer);
  });
}

test("what it wants is answered once it can be used", async () => {
  model.script(says("Your parcel…"), replies({ action: "?" }), replies(GOOD));
  const id = await asked();
  expect(await saidIn(key, id)).toEqual([`assistant: ${ENTRIES.parcel.answer}`]);
  expect(
    (await activityOf(key, id))[0]!.steps.map(({ type, error }) => `${type} ${error ? "error" : ""}`.trim()),
  ).toEqual(["retrieve", "model error", "model error", "model", "send"]);
});

test("a server that is busy is asked again", async () => {
  model.script(raw("{}", { "retry-after": "0" }, 429), raw("{}", { "retry-after": "0" }, 503), replies(GOOD));
  expect(await outcomesOf(key, await asked())).toEqual(["answered"]);
  model.script(raw("{}", { "retry-after": "60" }, 429));
  const id = await asked(UNKNOWN);
  expect((await activityOf(key, id))[0]).toMatchObject({
    outcome: "failed",
    reason: expect.stringContaining("429") as string,
  });
  expect(model.requests.length, "not as late as that").toBe(1);
});

describe("a budget of tokens", () => {
  const costs = (prompt: number, completion: number, reply: object): object => ({
    ...(reply as { choices: unknown }),
    usage: { prompt_tokens: prompt, completion_tokens: completion },
  });

  test("ends a run that has used up its own", async () => {
    model.script(costs(900, 100, says("Hm")), replies(GOOD));
    const id = await asked(UNKNOWN);
    expect((await activityOf(key, id))[0]).toMatchObject({
      outcome: "handed_off",
      reason: "The tokens for one message are used up",
    });
    expect(model.requests.length).toBe(1);
  });

  test("holds for a workspace and a day, and for no other workspace", async () => {
    await awayFromMidnight();
    await move();
    await withSettings(app, { ASSISTANT_DAY_TOKENS: 2_000 }, async () => {
      model.script(costs(900, 99, replies(GOOD)));
      for (let n = 0; n < 3; n++) expect(await outcomesOf(key, await asked())).toEqual(["answered"]);
      model.requests.length = 0;
      expect(await outcomesOf(key, await asked()), "an entry needs no tokens").toEqual(["answered"]);
      const id = await asked(UNKNOWN);
      expect((await activityOf(key, id))[0]).toMatchObject({
        outcome: "handed_off",
        reason: "The workspace's tokens for today are used up",
      });
      expect(model.requests).toEqual([]);
      await app.db.query(`update consumption set day = day - 1 where workspace_id = $1`, [workspaceId]);
      expect(await outcomesOf(key, await asked()), "the next day").toEqual(["answered"]);
    });
  });
});

describe("while the model thinks", () => {
  let thought: (() => void) | undefined;
  /** Holds the model's answer back until `happens` has happened. */
  async function during(happens: (id: string) => Promise<unknown>, reply = replies(GOOD)): Promise<string> {
    let asksNow!: () => void;
    const asking = new Promise<void>((resolve) => (asksNow = resolve));
    model.script(async () => {
      asksNow();
      await new Promise<void>((resolve) => (thought = resolve));
      return reply;
    }, reply);
    const id = await begin();
    const assisting = assist(app);
    await asking;
    await happens(id);
    thought!();
    await assisting;
    return id;
  }
  afterEach(() => thought?.());

  test("a person who takes over is not talked over", async () => {
    const id = await during((conversation) => key.post(`/api/conversations/${conversation}/take-over`, {}, 200));
    expect(await saidIn(key, id)).toEqual([]);
    expect((await activityOf(key, id))[0]).toMatchObject({
      outcome: "discarded",
      reason: "A person handles the conversation",
    });
  });

  test("a reply of an integration stands", async () => {
    const reply = { body: "It is in Oslo", keepAssistant: true };
    const id = await during((conversation) => key.post(`/api/conversations/${conversation}/reply`, reply, 200));
    expect(await saidIn(key, id)).toEqual(["api: It is in Oslo"]);
    expect(await outcomesOf(key, id)).toEqual(["discarded"]);
  });

  test("what the contact adds is answered together with the rest, once", async () => {
    const id = await during((conversation) => ask(key, conversation, "I ordered it on Monday."));
    await assist(app);
    expect(await outcomesOf(key, id)).toEqual(["discarded", "answered"]);
    expect(await saidIn(key, id)).toEqual([`assistant: ${ENTRIES.parcel.answer}`]);
    expect(model.requests.at(-1)!.messages[1]!.content).toContain("I ordered it on Monday.");
  });

  test("a resolution ends it, and so does an erasure of the contact", async () => {
    const resolved = await during((conversation) => key.post(`/api/conversations/${conversation}/resolve`, {}, 200));
    expect(await saidIn(key, resolved)).toEqual([]);
    const erased = await during(async (conversation) => {
      const { contactId } = await read(conversation);
      await key.post(`/api/contacts/${contactId}/erasure`, {}, 200);
    });
    expect((await messagesOf(key, erased)).filter(({ direction }) => direction === "outbound")).toEqual([]);
    expect(
      await app.db.query(
        "select 1 from assistant_step s join assistant_run r on r.id = s.run_id where r.conversation_id = $1",
        [erased],
      ),
    ).toEqual([]);
  });

  test("a hand-over comes too late as well", async () => {
    const reply = { body: "Here", keepAssistant: true };
    const id = await during(
      (conversation) => key.post(`/api/conversations/${conversation}/reply`, reply, 200),
      replies({ action: "hand_off" }),
    );
    expect(await read(id)).toMatchObject({ handlingMode: "assistant" });
    expect(await saidIn(key, id)).toEqual(["api: Here"]);
  });

  test("a process that dies leaves its steps and tokens, and another one goes on", async () => {
    let held: http.ServerResponse | undefined;
    model.script(says("Hm"), (_, response) => void (held = response));
    const id = await begin();
    await app.db.query(`update assistant_due set due_at = now() - interval '1 second' where conversation_id = $1`, [
      id,
    ]);
    const first = assist(app);
    while (model.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    // Its lease ends, so another process takes the run.
    model.script(replies(GOOD));
    const other = await startApp(model.settings, app.db);
    await app.db.query(`update assistant_due set claimed = false, due_at = now() where conversation_id = $1`, [id]);
    await assist(app, other);
    held!.destroy();
    await first;
    await other.close();
    expect(await saidIn(key, id)).toEqual([`assistant: ${ENTRIES.parcel.answer}`]);
    const [run] = await activityOf(key, id);
    expect(run!.outcome).toBe("answered");
    expect(run!.steps.map(({ type }) => type)).toEqual(["retrieve", "model", "retrieve", "model", "send"]);
    expect((await key.get(`/api/conversations/${id}/consumption`, 200)).body.tokens.total).toBe(240);
  });
});
