import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { VerificationDialogue } from "../../../src/assistant/tools/verification-dialogue.js";
import { start } from "../e2e/support.js";
import { learn, pendingIn } from "../learning/support.js";
import { until } from "../process/support.js";
import { tablesWith } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { connect } from "../../support/database.js";
import { calls, replies, type ScriptedModel, startModel } from "./model-support.js";
import { activityOf, ask, assist, itemsOf, messagesOf, saidIn, teach } from "./support.js";
import {
  beginRun,
  call,
  callerOf,
  type Desk,
  openDesk,
  policy,
  REFUND,
  startToolServer,
  type ToolServer,
  VALID,
} from "./tools-support.js";

// A refund for which the customer has to prove who they are: the question, the answer, and whom it concerns besides.

const RULE = { question: "How do refunds work?", answer: "Your refund arrives within five days." };
const NUMBER = "What is your customer number?";

/** A server for embeddings that keeps what it was asked. */
const embedded: string[] = [];
const embeddings = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request
    .on("data", (chunk: Buffer) => chunks.push(chunk))
    .on("end", () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
      embedded.push(...input);
      const data = input.map((_, index) => ({ object: "embedding", index, embedding: [1, 0.1, 0.01] }));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data }));
    });
});

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let key: Client;
let server: ToolServer;
let model: ScriptedModel;
/** The desk of the tests that change nothing of it. */
let shared: Desk;
let desk: Desk;
beforeAll(async () => {
  [server, model] = await Promise.all([startToolServer(), startModel()]);
  await new Promise<void>((resolve) => {
    embeddings.listen(0, "127.0.0.1", resolve);
  });
  const host = `127.0.0.1:${(embeddings.address() as AddressInfo).port}`;
  const { OUTBOUND_ALLOW, ...settings } = model.settings;
  app = await startApp({
    ...settings,
    EMBEDDINGS_URL: `http://${host}/v1`,
    EMBEDDINGS_MODEL: "one-meaning",
    OUTBOUND_ALLOW: [...OUTBOUND_ALLOW, server.host, host],
  });
  tenant = await app.tenant();
  owner = await tenant.owner();
  key = tenant.live;
  shared = await openStrictDesk();
});
afterAll(async () => {
  await app.close();
  await server.close();
  model.close();
  embeddings.closeAllConnections();
  embeddings.close();
});
/** A desk whose refunds need an assurance level, with a question that proves it. */
async function openStrictDesk(): Promise<Desk> {
  const desk = await openDesk(app, tenant, owner, server);
  await teach(key, desk.workspaceId, [RULE]);
  const questions = [{ key: "id", prompt: NUMBER, attribute: "number" }];
  const sources = [{ name: "crm", type: "contact_attributes", questions }];
  await owner.put(`/api/workspaces/${desk.workspaceId}/verification-sources`, { sources }, 200);
  await owner.put(`/api/workspaces/${desk.workspaceId}/identity-settings`, { requiredCorrectAnswers: 1 }, 200);
  await policy(desk, "allow", { requiredAssuranceLevel: "identified" });
  return desk;
}
beforeEach(() => {
  server.calls.length = 0;
  server.answers = { "/refund": () => ({ body: { refunded: 30 } }) };
  desk = shared;
  model.script(calls([REFUND.name, VALID]), replies({ text: RULE.answer }));
});

let customers = 0;
/** A customer asks for a refund, and is asked who they are. */
const begin = async (number = "4711"): Promise<string> => {
  const { id } = await start(key, desk.workspaceId, {
    contact: { name: "Ada", externalId: `prover-${++customers}`, attributes: { number } },
    message: { body: "Please refund 30 euros for my order #W1234567" },
  });
  await assist(app);
  expect((await saidIn(key, id)).at(-1)).toContain(NUMBER);
  expect((await activityOf(key, id))[0]).toMatchObject({ outcome: null, waitsFor: "verification" });
  return id;
};
const eventsOf = async (id: string) => (await owner.get(`/api/conversations/${id}/identity-events`, 200)).body.events;
const typesOf = async (id: string) => (await eventsOf(id)).map(({ eventType }) => eventType);
const comparedIn = async (id: string): Promise<string[]> =>
  (await typesOf(id)).filter((type) => ["kbv_question_passed", "kbv_question_failed"].includes(type));
const questionsIn = async (id: string): Promise<number> =>
  (await saidIn(key, id)).filter((said) => said.includes(NUMBER)).length;

describe("a refund for which the customer has to prove who they are", () => {
  test("is done once their next message was the right answer", async () => {
    const id = await begin();
    model.script(calls([REFUND.name, VALID]), replies({ text: RULE.answer }));
    await ask(key, id, "4711");
    await assist(app);
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]!.body.conversation).toMatchObject({ assuranceLevel: "identified" });
    expect((await saidIn(key, id)).at(-1)).toBe(`assistant: ${RULE.answer}`);
    expect(await typesOf(id)).toEqual(
      expect.arrayContaining(["kbv_question_asked", "kbv_question_passed", "assurance_level_reached"]),
    );
  });

  test("is handed over if they ask for a person instead, and what they write later is no answer", async () => {
    const id = await begin();
    await ask(key, id, "I want to speak to a person");
    await assist(app);
    expect((await key.get(`/api/conversations/${id}`, 200)).body.handlingMode).toBe("human");
    expect((await activityOf(key, id))[0]).toMatchObject({
      outcome: "handed_off",
      reason: "The contact asks for a person",
    });
    await owner.post(`/api/conversations/${id}/reply`, { body: "What can I do for you?" }, 200);
    await owner.post(`/api/conversations/${id}/release`, {}, 200);
    model.script(replies({ text: RULE.answer }));
    await ask(key, id, RULE.question);
    await assist(app);
    expect((await saidIn(key, id)).at(-1)).toBe(`assistant: ${RULE.answer}`);
    expect(await typesOf(id)).toContain("kbv_question_asked");
    expect(await comparedIn(id)).toEqual([]);
    expect(server.calls).toEqual([]);
  });

  test("is not done after wrong ones: they are asked again, and then people take over", async () => {
    const id = await begin();
    for (let n = 0; n < 10 && (await key.get(`/api/conversations/${id}`, 200)).body.handlingMode === "assistant"; n++) {
      await ask(key, id, `${n}${n}`);
      await assist(app);
    }
    expect((await key.get(`/api/conversations/${id}`, 200)).body.handlingMode).toBe("human");
    expect((await itemsOf(key, id)).map(({ type }) => type)).toContain("identity_locked");
    expect(server.calls).toEqual([]);
  });
});

describe("a question that is open", () => {
  const unanswered = replies({ text: RULE.answer });

  test("is asked once by a process that died after it and by the one that goes on: nobody has answered yet", async () => {
    const run = await beginRun(desk, { attributes: { number: "4711" } });
    expect(await call(desk, run)).toMatchObject({ kind: "waits", for: "verification" });
    await assist(app);
    const { conversationId: id } = run;
    expect(await questionsIn(id)).toBe(1);
    expect(await comparedIn(id)).toEqual([]);
    expect((await activityOf(key, id))[0]).toMatchObject({ outcome: null, waitsFor: "verification" });
    await ask(key, id, "4711");
    await assist(app);
    expect(await comparedIn(id)).toEqual(["kbv_question_passed"]);
  });

  test("is not asked by a process that has lost the run to another one, and nothing is kept as told", async () => {
    const run = await beginRun(desk, { attributes: { number: "4711" } });
    let kept = 0;
    const telling = { said: { body: "One moment.", bodyFormat: "text" as const }, told: async () => void kept++ };
    const dialogue = app.app.get(VerificationDialogue);
    const asked = (attempts: number) => dialogue.ask(callerOf(desk), { ...run, attempts }, "identified", telling);
    expect(await asked(0)).toMatchObject({ kind: "failed", reason: "Another process carries it on" });
    expect([kept, await saidIn(key, run.conversationId)]).toEqual([0, []]);
    expect(await asked(1)).toEqual({ kind: "asked" });
    expect([kept, await questionsIn(run.conversationId)]).toEqual([1, 1]);
  });

  test("and whose answer a process compared that died then, costs no second answer", async () => {
    const id = await begin();
    model.script(calls([REFUND.name, VALID]), replies({ text: RULE.answer }));
    await ask(key, id, "4711");
    const [open] = await app.db.query<{ id: string }>(
      "select id from verification_question where conversation_id = $1",
      [id],
    );
    await owner.post(`/api/conversations/${id}/verification/answers`, { questionId: open!.id, answer: "4711" }, 200);
    await assist(app);
    expect(await comparedIn(id)).toEqual(["kbv_question_passed"]);
    expect(await questionsIn(id)).toBe(1);
    expect(server.calls).toHaveLength(1);
  });

  test.each([
    ["a person takes over", (id: string) => owner.post(`/api/conversations/${id}/take-over`, {}, 200)],
    ["a person replies", (id: string) => owner.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 200)],
  ])("ends when %s: what the customer writes after the release is no answer", async (_, handOver) => {
    const id = await begin();
    await handOver(id);
    expect((await key.get(`/api/conversations/${id}`, 200)).body.handlingMode).toBe("human");
    await owner.post(`/api/conversations/${id}/release`, {}, 200);
    model.script(unanswered);
    await ask(key, id, RULE.question);
    await assist(app);
    expect(await comparedIn(id)).toEqual([]);
    expect((await saidIn(key, id)).at(-1)).toBe(`assistant: ${RULE.answer}`);
  });

  test("ends when another proof made it needless: what the customer writes then is no answer", async () => {
    const id = await begin();
    await app.db.query(
      `insert into verification_factor (tenant_id, id, conversation_id, contact_id, factor_type, factor_category, expires_at)
       select tenant_id, gen_random_uuid(), id, contact_id, 'magic_link', 'possession', now() + interval '1 hour'
       from conversation where id = $1`,
      [id],
    );
    model.script(unanswered);
    await ask(key, id, RULE.question);
    await assist(app);
    expect(await comparedIn(id)).toEqual([]);
    expect((await activityOf(key, id))[0]!.steps[0]!.question).toContain(RULE.question);
    expect((await saidIn(key, id)).at(-1)).toBe(`assistant: ${RULE.answer}`);
  });
});

/** As `begin`, where a server of the customer knows what they should answer. */
async function beginWithSource(): Promise<string> {
  desk = await openStrictDesk();
  const questions = [{ key: "id", prompt: NUMBER, path: "$.number" }];
  const sources = [{ name: "crm", type: "http", url: server.url("/crm"), questions }];
  await owner.put(`/api/workspaces/${desk.workspaceId}/verification-sources`, { sources }, 200);
  return await begin();
}

test("what was written after a right answer is no part of it, also if the process dies when it has compared it", async () => {
  const id = await beginWithSource();
  const sql = await connect(app.db.url);
  const blocked = async (count: number): Promise<unknown> =>
    until(
      async () =>
        (
          await app.db.query(
            `select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%tool_call%'`,
          )
        ).length === count,
      () => `${count} want to end the question`,
    );
  server.answers["/crm"] = async () => {
    await sql.query("begin");
    await sql.query("select from tool_call where conversation_id = $1 for update", [id]);
    return { body: { number: "4711" } };
  };
  model.script(calls([REFUND.name, VALID]), replies({ text: RULE.answer }));
  const other = await startApp(app.config, app.db);
  try {
    await ask(key, id, "4711");
    const first = assist(app);
    await blocked(1);
    await ask(key, id, "I am in a hurry");
    // The lease of the first one ends, so another process takes the run.
    await app.db.query("update assistant_due set claimed = false where conversation_id = $1", [id]);
    const second = assist(app, other);
    await blocked(2);
    await sql.query("rollback");
    await Promise.all([first, second]);
  } finally {
    await sql.end();
    await other.close();
  }
  expect(await comparedIn(id)).toEqual(["kbv_question_passed"]);
  expect(JSON.stringify(model.requests)).toContain("I am in a hurry");
  expect(JSON.stringify(model.requests)).not.toContain("4711");
  expect(server.on("/refund")).toHaveLength(1);
});

describe("while a wrong answer is compared", () => {
  /** What happens while it is looked up what the customer should have answered. */
  async function during(happens: (id: string) => Promise<unknown>): Promise<string> {
    const id = await beginWithSource();
    server.answers["/crm"] = async () => {
      await happens(id);
      return { body: { number: "4711" } };
    };
    model.script(replies({ text: RULE.answer }));
    await ask(key, id, "4712");
    await assist(app);
    return id;
  }

  test("what the customer adds may be an answer, too: it is read as nothing else, and they are asked once more", async () => {
    const id = await during((conversation) => ask(key, conversation, "Silbertal"));
    await assist(app);
    expect(await comparedIn(id)).toEqual(["kbv_question_failed"]);
    expect(await questionsIn(id)).toBe(2);
    expect((await activityOf(key, id))[0]).toMatchObject({ outcome: null, waitsFor: "verification" });
    for (const seen of [model.requests, await activityOf(key, id)])
      expect(JSON.stringify(seen)).not.toContain("Silbertal");
  });

  const settings = (body: object) => key.patch(`/api/workspaces/${desk.workspaceId}`, body, 200);
  const withoutSources = () =>
    owner.put(`/api/workspaces/${desk.workspaceId}/verification-sources`, { sources: [] }, 200);
  test.each([
    ["a person takes over", (id: string) => owner.post(`/api/conversations/${id}/take-over`, {}, 200)],
    ["the last source of questions goes", withoutSources],
    ["the assistant is turned off", () => settings({ assistantEnabled: false })],
  ])(
    "%s: people have the conversation, nothing more is asked, and what is written later is no answer",
    async (_, happens) => {
      const id = await during(happens);
      expect((await key.get(`/api/conversations/${id}`, 200)).body.handlingMode).toBe("human");
      expect(await questionsIn(id)).toBe(1);
      await settings({ assistantEnabled: true });
      await owner.post(`/api/conversations/${id}/release`, {}, 200);
      await ask(key, id, RULE.question);
      await assist(app);
      expect((await saidIn(key, id)).at(-1)).toBe(`assistant: ${RULE.answer}`);
      expect(await comparedIn(id)).toEqual(["kbv_question_failed"]);
    },
  );

  test("the customer is erased: nothing is said, and nothing is left to do", async () => {
    const id = await during(async (conversation) => {
      const { contactId } = (await key.get(`/api/conversations/${conversation}`, 200)).body;
      await key.post(`/api/contacts/${contactId}/erasure`, {}, 200);
    });
    expect(await questionsIn(id)).toBe(0);
    expect(await app.db.query("select from assistant_due where conversation_id = $1", [id])).toEqual([]);
  });
});

test.each(["before it was compared", "after it was compared"])(
  "a summary that is made when the conversation is resolved does not quote the answer, %s",
  async (when) => {
    const secret = "Quellwasser Birkenhain Siebengebirge Vierwaldstättersee";
    const id = await begin(secret);
    model.script(calls([REFUND.name, VALID]), replies({ text: RULE.answer }));
    await ask(key, id, `It is ${secret}, and has been since I was born`);
    if (when.startsWith("after")) {
      await assist(app);
      expect(await comparedIn(id)).toEqual(["kbv_question_failed"]);
    }
    await owner.post(`/api/conversations/${id}/reply`, { body: "We refund within nine days." }, 200);
    await owner.post(`/api/conversations/${id}/resolve`, {}, 200);
    expect((await key.get(`/api/conversations/${id}`, 200)).body.summary).toBe(
      "“Please refund 30 euros for my order #W1234567” → “We refund within nine days.”",
    );
  },
);

test("the answer is for the comparison alone: no search, no model, no activity and no lesson has it", async () => {
  desk = await openStrictDesk();
  const secrets = ["Quellwasser", "Birkenhain"];
  for (const secret of secrets) {
    const id = await begin(secret);
    const asked = model.requests.length;
    await ask(key, id, `It is ${secret}`);
    await ask(key, id, secret);
    await assist(app);
    await ask(key, id, secret);
    model.script(calls([REFUND.name, VALID]), replies({ action: "hand_off" }));
    await assist(app);
    expect(await comparedIn(id), "first wrong, then right").toEqual(["kbv_question_failed", "kbv_question_passed"]);
    expect((await activityOf(key, id))[0]).toMatchObject({ outcome: "handed_off" });
    expect(asked + model.requests.length).toBeGreaterThan(1);
    for (const seen of [model.requests, await activityOf(key, id), await itemsOf(key, id)])
      expect(JSON.stringify(seen)).not.toContain(secret);
    const { summary } = (await key.get(`/api/conversations/${id}`, 200)).body;
    expect(summary).not.toContain(secret);
    expect(summary).toContain("Please refund");
    await owner.post(`/api/conversations/${id}/reply`, { body: "We refund within nine days." }, 200);
    await owner.post(`/api/conversations/${id}/resolve`, {}, 200);
    model.script(calls([REFUND.name, VALID]), replies({ text: RULE.answer }));
  }
  await learn(app);
  const [learned] = await pendingIn(key, desk.workspaceId);
  expect(learned).toMatchObject({ source: "learning", answer: "We refund within nine days." });
  expect(embedded.join("\n")).toContain("Please refund");
  for (const secret of secrets) {
    expect(embedded.join("\n")).not.toContain(secret);
    const held = Object.keys(await tablesWith(app.db, secret));
    expect(held.filter((table) => /^(?:assistant|learning|kb|tool|pending|attention)/.test(table))).toEqual([]);
  }
});

test("the events of the assistant's questions have the version of the workspace's own verification agent", async () => {
  desk = await openStrictDesk();
  const versions = async (id: string) =>
    (await eventsOf(id))
      .filter(({ eventType }) => eventType.startsWith("kbv_question"))
      .map(({ promptVersion }) => promptVersion);
  const settings = { requiredCorrectAnswers: 1, promptVersion: "of the workspace" };
  await owner.put(`/api/workspaces/${desk.workspaceId}/identity-settings`, settings, 200);
  expect(await versions(await begin())).toEqual(["of the workspace"]);
  const agent = { name: "Prover", role: "verification", status: "active", instructions: "Ask", tools: [] };
  const { id: agentId } = (await key.post("/api/agents", { ...agent, workspaceIds: [desk.workspaceId] }, 201)).body;
  await key.put(`/api/agents/${agentId}/instructions`, { instructions: "Ask kindly" }, 200);
  model.script(calls([REFUND.name, VALID]), replies({ text: RULE.answer }));
  const id = await begin();
  await ask(key, id, "4711");
  await assist(app);
  expect(await versions(id)).toEqual(["2", "2"]);
});

test("a customer who does not answer within a day is handed over", async () => {
  const id = await begin();
  await assist(app);
  expect((await activityOf(key, id))[0], "not before").toMatchObject({ outcome: null, waitsFor: "verification" });
  const [due] = await app.db.query<{ hours: number }>(
    "select extract(epoch from due_at - now())::float8 / 3600 as hours from assistant_due where conversation_id = $1",
    [id],
  );
  expect(due!.hours).toBeCloseTo(24, 1);
  await app.db.query("update assistant_run set waits_until = now() where conversation_id = $1", [id]);
  await assist(app);
  expect((await activityOf(key, id))[0]).toMatchObject({
    outcome: "handed_off",
    waitsFor: null,
    reason: "The contact did not show who they are in time",
  });
  expect((await key.get(`/api/conversations/${id}`, 200)).body.handlingMode).toBe("human");
  expect((await saidIn(key, id)).at(-1)).toContain("passing this on to a colleague");
  expect(await app.db.query("select from assistant_due where conversation_id = $1", [id])).toEqual([]);
});

test.each(["take-over", "resolve"])(
  "nobody waits for the proof any more after a %s, and what the customer writes later is no answer",
  async (how) => {
    const id = await begin();
    await owner.post(`/api/conversations/${id}/${how}`, {}, 200);
    expect((await activityOf(key, id))[0]).toMatchObject({
      outcome: "discarded",
      waitsFor: null,
      reason: how === "resolve" ? "The conversation is resolved" : "A person handles the conversation",
    });
    if (how === "take-over") await owner.post(`/api/conversations/${id}/release`, {}, 200);
    model.script(replies({ text: RULE.answer }));
    await ask(key, id, RULE.question);
    await assist(app);
    expect((await saidIn(key, id)).at(-1)).toBe(`assistant: ${RULE.answer}`);
    const { id: later } = (await messagesOf(key, id)).findLast(({ direction }) => direction === "inbound")!;
    const translation = await key.post(`/api/messages/${later}/translation`, { language: "en" }, 200);
    expect(translation.body, "nor is it withheld from colleagues as one").not.toMatchObject({ reason: "withheld" });
    const { events } = (await owner.get(`/api/conversations/${id}/identity-events`, 200)).body;
    expect(events.filter(({ eventType }) => /_(passed|failed)$/.test(eventType))).toEqual([]);
  },
);
