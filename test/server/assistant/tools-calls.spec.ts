import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ToolCalls, type ToolRun } from "../../../src/assistant/tools/tool-calls.js";
import { fold } from "../quality/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { activityOf, assist, itemsOf, messagesOf, saidIn, teach } from "./support.js";
import {
  beginRun,
  call,
  callerOf,
  type Desk,
  LOOK_UP,
  openDesk,
  policy,
  REFUND,
  startToolServer,
  type ToolServer,
  VALID,
} from "./tools-support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let server: ToolServer;
let desk: Desk;
let run: ToolRun & { contactId: string };
beforeAll(async () => {
  server = await startToolServer();
  app = await startApp({ OUTBOUND_ALLOW: [server.host] });
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await app.close();
  await server.close();
});
const begin = async (tool: object = {}): Promise<void> => {
  desk = await openDesk(app, tenant, owner, server, tool);
  await policy(desk, "allow");
  run = await beginRun(desk);
};
beforeEach(async () => {
  server.calls.length = 0;
  server.answers = {};
  // As long as a call may take at most, for a busy machine.
  await begin({ credentials: { authorization: "Bearer s3cret-token" }, timeoutSeconds: 30 });
});

const use = (values: unknown = VALID, tainted = false) => call(desk, run, REFUND.name, values, tainted);
const refused = (reason: unknown) => ({ kind: "refused", reason });

describe("what is offered to a model", () => {
  test("is what the agent lists and what exists, without what the server fills in", async () => {
    const offered = await app.app.get(ToolCalls).offered(callerOf(desk), run);
    expect(offered.map(({ name }) => name)).toEqual([
      "search_knowledge",
      "hand_off",
      "ask_verification",
      "add_note",
      "set_label",
      LOOK_UP.name,
      REFUND.name,
    ]);
    const { name, description, effect, parameters } = REFUND;
    const { customerId: _, ...properties } = parameters.properties;
    expect(offered.at(-1)).toEqual({
      name,
      description,
      effect,
      parameters: { ...parameters, properties, required: ["orderId", "amount"] },
      bound: ["customerId"],
      publicFields: ["refunded", "currency"],
    });
    expect(JSON.stringify(offered)).not.toMatch(/s3cret|127\.0\.0\.1/);
  });

  test("is nothing else, whatever is called", async () => {
    for (const name of ["propose_booking", "delete_everything", "__proto__", "constructor", ""])
      expect(await call(desk, run, name, {})).toEqual(refused(`There is no tool ${name}`));
    await desk.key.patch(`/api/agents/${desk.agentId}`, { tools: [] }, 200);
    expect(await use()).toEqual(refused(`There is no tool ${REFUND.name}`));
    expect(server.calls).toEqual([]);
  });
});

describe("a call", () => {
  test("reaches the tool once, with what the server says it is about", async () => {
    server.answers["/refund"] = () => ({ body: { refunded: 30 } });
    expect(await use()).toEqual({ kind: "result", value: { refunded: 30 } });
    const [arrived] = server.on("/refund");
    const contact = (await desk.key.get(`/api/contacts/${run.contactId}`, 200)).body;
    expect(arrived!.headers).toMatchObject({ authorization: "Bearer s3cret-token" });
    expect(arrived!.headers["idempotency-key"]).toBe(arrived!.body.idempotencyKey);
    expect(arrived!.body).toMatchObject({
      tool: REFUND.name,
      arguments: { ...VALID, customerId: contact.externalId },
      contact: { id: run.contactId, externalId: contact.externalId },
      conversation: { id: run.conversationId },
    });
    expect(await use(), "the run has made it already").toEqual({ kind: "result", value: { refunded: 30 } });
    expect(server.calls).toHaveLength(1);
  });

  test("is about the contact of the conversation, whatever the model says", async () => {
    await use({ ...VALID, customerId: "somebody-else" });
    const { externalId } = (await desk.key.get(`/api/contacts/${run.contactId}`, 200)).body;
    expect(server.on("/refund")[0]!.body.arguments.customerId).toBe(externalId);
    const stranger = await beginRun(desk, { externalId: undefined });
    expect(await call(desk, stranger)).toEqual(refused("The tool needs contact.externalId, which is not known"));
    expect(server.calls).toHaveLength(1);
  });

  const INVALID: [string, unknown, string][] = [
    ["nothing", undefined, "The arguments must be an object"],
    ["a text", "refund all", "The arguments must be an object"],
    ["a list", [VALID], "The arguments must be an object"],
    ["a missing argument", { amount: 1 }, "arguments must have required property 'orderId'"],
    ["a wrong type", { ...VALID, amount: "30" }, "arguments.amount must be number"],
    ["a value out of range", { ...VALID, amount: -1 }, "arguments.amount must be > 0"],
    ["another form", { ...VALID, orderId: "#W1" }, 'arguments.orderId must match pattern "^#W\\d{7}$"'],
    ["one too many", { ...VALID, tenantId: "x" }, "arguments must NOT have additional properties (tenantId)"],
    ["too much", { ...VALID, orderId: "a".repeat(20_000) }, "The arguments must be at most 16 KiB of JSON"],
  ];
  test("with invalid arguments is refused, and the model is told", async () => {
    for (const [what, values, reason] of INVALID)
      expect([what, await call(desk, run, REFUND.name, values ?? null)]).toEqual([what, refused(reason)]);
    expect(server.calls).toEqual([]);
  });

  test("with arguments that are nested without end is refused", async () => {
    const deep = JSON.parse("[".repeat(7_000) + "]".repeat(7_000)) as unknown;
    expect(await use({ ...VALID, deep })).toMatchObject({ kind: "refused" });
    const round: Record<string, unknown> = { ...VALID };
    round.self = round;
    expect(await use(round)).toEqual(refused("The arguments must be at most 16 KiB of JSON"));
  });

  test("and its decision are steps of the run's activity, without secrets", async () => {
    await use();
    const { steps } = (await activityOf(desk.key, run.conversationId))[0]!;
    expect(steps).toMatchObject([
      {
        type: "policy",
        tool: REFUND.name,
        effect: "allow",
        reason: "Refunds: allow: It always applies",
        messageId: null,
      },
      { type: "tool", tool: REFUND.name, arguments: VALID, failure: null, effect: null },
    ]);
    expect(JSON.stringify(steps)).not.toContain("s3cret");
  });

  test("that ends after the run is on record, and people are told: before as open, afterwards as done", async () => {
    let answer!: (body: object) => void;
    server.answers["/refund"] = () => new Promise((resolve) => (answer = (body) => resolve({ body })));
    const calling = use();
    await expect.poll(() => server.calls.length).toBe(1);
    await assist(app);
    const conversation = async () => (await desk.key.get(`/api/conversations/${run.conversationId}`, 200)).body;
    const unknown = `It is not known whether this was carried out: ${REFUND.name} {`;
    expect((await conversation()).summary).toContain(`\n${unknown}`);
    expect((await itemsOf(desk.key, run.conversationId))[0]!.reason).toContain(unknown);
    const [over] = await activityOf(desk.key, run.conversationId);
    expect([over!.outcome, over!.reason]).toEqual(["handed_off", expect.stringContaining(unknown)]);
    answer({ refunded: 30 });
    expect(await calling).toMatchObject({ kind: "result" });
    const done = `Carried out: ${REFUND.name} {`;
    expect((await conversation()).summary).toContain(`\n${done}`);
    expect((await itemsOf(desk.key, run.conversationId)).map(({ type, reason }) => [type, reason])).toContainEqual([
      "handoff_requested",
      expect.stringContaining(done),
    ]);
    const steps = (await activityOf(desk.key, run.conversationId))[0]!.steps.map(({ type, tool }) => [type, tool]);
    expect(steps).toContainEqual(["tool", REFUND.name]);
    expect(steps.filter(([type]) => type === "policy")).toHaveLength(1);
    expect(await use(), "nothing begins after the run").toEqual(refused("A person handles the conversation"));
  });

  test("that ends after a person took over is told to them, too", async () => {
    server.answers["/refund"] = async () => {
      await owner.post(`/api/conversations/${run.conversationId}/take-over`, {}, 200);
      return { body: { refunded: 30 } };
    };
    await use();
    expect(await itemsOf(desk.key, run.conversationId)).toMatchObject([{ type: "handoff_requested" }]);
  });

  test("of a process that another one has replaced is not made", async () => {
    await app.db.query("update assistant_run set attempts = 2 where id = $1", [run.id]);
    expect(await call(desk, { ...run, attempts: 1 })).toEqual(refused("Another process carries it on"));
    expect(server.calls).toEqual([]);
    await call(desk, { ...run, attempts: 2 });
    expect(server.calls).toHaveLength(1);
  });

  test("that only looks at something may be repeated, and each time is on record", async () => {
    for (let n = 0; n < 2; n++) await call(desk, run, LOOK_UP.name, { orderId: "#W1" });
    const [{ made } = { made: 0 }] = await app.db.query<{ made: number }>(
      "select count(*)::int as made from tool_call where run_id = $1 and called and outcome is not null",
      [run.id],
    );
    expect([server.calls.length, made]).toEqual([2, 2]);
    const steps = (await activityOf(desk.key, run.conversationId))[0]!.steps.map(({ type }) => type);
    expect(steps).toEqual(["policy", "tool", "policy", "tool"]);
  });

  test("is not made any more after a person took over, the contact wrote again, or the agent was paused", async () => {
    await owner.post(`/api/conversations/${run.conversationId}/take-over`, {}, 200);
    expect(await use()).toEqual(refused("A person handles the conversation"));
    const second = await beginRun(desk);
    await desk.key.post(`/api/conversations/${second.conversationId}/messages`, { body: "Wait" }, 201);
    expect(await call(desk, second)).toEqual(refused("Something was said after the message"));
    const third = await beginRun(desk);
    await desk.key.patch(`/api/agents/${desk.agentId}`, { status: "paused" }, 200);
    expect(await call(desk, third)).toEqual(refused("The assistant is off or paused, or the conversation is resolved"));
    expect(server.calls).toEqual([]);
  });
});

describe("what a tool answers", () => {
  const answer = async (body: unknown, status = 200, headers: Record<string, string> = {}) => {
    server.answers["/order"] = () => ({ status, body, headers });
    return call(desk, run, LOOK_UP.name, { orderId: "#W1" });
  };
  const bad = async (): Promise<number> => {
    const [row] = await app.db.query<{ bad: number }>(
      "select count(*) filter (where bad)::int as bad from outcome where workspace_id = $1 and metric = 'tool'",
      [desk.workspaceId],
    );
    return row!.bad;
  };

  test("is told to the model, and each look at it is a call of its own", async () => {
    expect(await answer({ status: "delivered" })).toEqual({ kind: "result", value: { status: "delivered" } });
    expect(await answer([1, null, "two"])).toEqual({ kind: "result", value: [1, null, "two"] });
    expect(await answer("")).toEqual({ kind: "result", value: null });
    expect(server.calls).toHaveLength(3);
    expect(await bad()).toBe(0);
  });

  const BAD: [string, unknown, number, string, 0 | 1][] = [
    ["is no JSON", "<html>", 200, "The tool answered with something else than JSON", 1],
    ["is 10 MB", `"${"a".repeat(10_000_000)}"`, 200, "The tool answered with more than 64 KiB", 1],
    ["is a fault", { oops: 1 }, 500, 'The tool answered with status 500: {"oops":1}', 1],
    ["is a refusal of the credentials", "", 401, "The tool answered with status 401: ", 1],
    ["is a redirect", "", 302, "The tool answered with status 302: ", 1],
    ["says that there is no such thing", "no order", 404, "The tool answered with status 404: no order", 0],
  ];
  test("is an error where it is none, and counts for the breakers where the tool is at fault", async () => {
    let counted = 0;
    for (const [what, body, status, error, count] of BAD) {
      const said = await answer(body, status, { location: "http://127.0.0.1:1/" });
      expect([what, said]).toEqual([what, { kind: "result", value: { error } }]);
      expect(await bad(), what).toBe((counted += count));
    }
  });

  test("holds no credentials, no NUL and no half characters", async () => {
    expect(await answer({ a: "Bearer s3cret-token", b: "s3cret-token!", "c\0": "d\0\ud800" })).toEqual({
      kind: "result",
      value: { a: "Bearer s3cret-token", b: "s3cret-token!", c: "d\ufffd" },
    });
    server.answers["/refund"] = ({ headers }) => ({ body: { seen: headers.authorization, half: "s3cret-token!" } });
    expect(await use()).toEqual({ kind: "result", value: { seen: "[removed]", half: "[removed]!" } });
  });

  test("trips the tool's breaker if it is bad too often, which then asks people", async () => {
    const breaker = { metric: "tool", enabled: true, threshold: 0.2, windowDays: 7, minimumSample: 20 };
    const settings = [{ ...breaker, action: "require_approval" }];
    await owner.put(`/api/workspaces/${desk.workspaceId}/breaker-settings`, { settings }, 200);
    server.answers["/refund"] = () => ({ status: 500 });
    for (let n = 1; n <= 20; n++) await use({ ...VALID, amount: n });
    await fold(app);
    const [tripped] = (await owner.get(`/api/quality/circuit-breakers?workspaceId=${desk.workspaceId}`, 200)).body;
    expect(tripped).toMatchObject({ entityType: "tool", entityId: REFUND.name, state: "tripped" });
    expect(await use({ ...VALID, amount: 21 })).toMatchObject({ kind: "waits", for: "approval" });
    expect(server.calls).toHaveLength(20);
  });

  test.each(["hang", "reset"] as const)(
    "that is %s: a look is an error, a change is for people to find out",
    async (how) => {
      await begin({ timeoutSeconds: 1 });
      server.answers = { "/refund": () => how, "/order": () => (how === "hang" ? { status: 503 } : how) };
      expect(await use()).toEqual({
        kind: "escalated",
        reason: expect.stringContaining("It is not known whether") as string,
      });
      expect(await use(), "and it is not called again").toMatchObject({ kind: "escalated" });
      expect(server.on("/refund")).toHaveLength(1);
      expect(await call(desk, run, LOOK_UP.name, { orderId: "#W1" })).toMatchObject({
        kind: "result",
        value: { error: expect.any(String) as string },
      });
    },
  );

  test("that comes too late for the run is not waited for, and the status URL is asked in time, where there is one", async () => {
    const callBy = async (ms: number): Promise<[unknown, number]> => {
      const began = Date.now();
      const request = { tool: REFUND.name, arguments: VALID };
      const about = { tainted: false, deadline: began + ms };
      return [await app.app.get(ToolCalls).call(callerOf(desk), run, request, about), Date.now() - began];
    };
    server.answers = { "/refund": () => "hang", "/status": () => ({ body: { executed: true, result: "late" } }) };
    const [unknown, took] = await callBy(3_000);
    expect(unknown).toMatchObject({ kind: "escalated", reason: expect.stringContaining("It is not known") as string });
    expect(took).toBeLessThan(20_000);
    expect(await bad(), "the tool had more time than the run").toBe(0);
    await begin({ statusUrl: server.url("/status") });
    const [known, tookBoth] = await callBy(6_000);
    expect(known).toEqual({ kind: "result", value: "late" });
    expect(tookBoth).toBeLessThan(20_000);
    await begin();
    server.calls.length = 0;
    expect((await callBy(0))[0]).toEqual({ kind: "result", value: { error: "The time was up before the call" } });
    expect(server.calls).toEqual([]);
  });

  test("that is lost is asked for at the status URL", async () => {
    await begin({ statusUrl: server.url("/status") });
    server.answers = {
      "/refund": () => "reset",
      "/status": () => ({ body: { executed: true, result: { refunded: 30 } } }),
    };
    expect(await use()).toEqual({ kind: "result", value: { refunded: 30 } });
    expect(server.on("/status")[0]!.body.idempotencyKey).toBe(server.on("/refund")[0]!.body.idempotencyKey);
    server.answers["/status"] = () => ({ body: { executed: false } });
    expect(await use({ ...VALID, amount: 31 })).toEqual({
      kind: "result",
      value: { error: "The tool did not answer, and has not done it" },
    });
    server.answers["/status"] = () => ({ body: { executed: "perhaps" } });
    expect(await use({ ...VALID, amount: 32 })).toMatchObject({ kind: "escalated" });
  });

  test("that a process died waiting for is asked for again only of a tool that takes it as the same call", async () => {
    const died = (): Promise<unknown> =>
      app.db.query("update tool_call set outcome = null, ended_at = null where run_id = $1", [run.id]);
    await use();
    await died();
    expect(await use()).toEqual({
      kind: "escalated",
      reason: `${REFUND.name}: It is not known whether it was carried out`,
    });
    expect(server.calls).toHaveLength(1);
    await begin({ idempotent: true });
    await use();
    await died();
    expect(await use()).toEqual({ kind: "result", value: {} });
    const keys = server
      .on("/refund")
      .slice(1)
      .map(({ body }) => body.idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });
});

describe("the policies", () => {
  test("deny: the model is told once, then people take over, and an item says what was blocked", async () => {
    await policy(desk, "deny", { conditions: { field: "amount", op: "gt", value: 20 } });
    expect(await use()).toEqual(refused("Refunds: deny: amount is greater than 20"));
    expect(await use({ ...VALID, amount: 25 })).toMatchObject({ kind: "escalated" });
    expect(await use({ ...VALID, amount: 20 }), "what they allow is made").toMatchObject({ kind: "result" });
    expect(await itemsOf(desk.key, run.conversationId)).toMatchObject([{ type: "guardrail_block", occurrences: 2 }]);
    expect(server.calls).toHaveLength(1);
  });

  test("escalate: people take over, and one item says so, also if the process dies then and another one decides again", async () => {
    await policy(desk, "escalate");
    for (const _ of ["dies", "goes on"])
      expect(await use()).toEqual({ kind: "escalated", reason: "Refunds: escalate: It always applies" });
    expect(server.calls).toEqual([]);
    expect(await itemsOf(desk.key, run.conversationId)).toMatchObject([{ type: "guardrail_block", occurrences: 1 }]);
  });

  test("judge what the server knows, which no argument can replace", async () => {
    const conditions = { field: "contact.attributes.tier", op: "eq", value: "gold" };
    await policy(desk, "deny", { tools: [], conditions: { not: conditions } });
    expect(
      await call(desk, run, LOOK_UP.name, { orderId: "1", contact: { attributes: { tier: "gold" } } }),
    ).toMatchObject({
      kind: "refused",
    });
    await desk.key.patch(`/api/contacts/${run.contactId}`, { attributes: { tier: "gold" } }, 200);
    expect(await call(desk, run, LOOK_UP.name, { orderId: "1" })).toMatchObject({ kind: "result" });
  });

  test("and the agent's guardrails both apply, and the stricter counts", async () => {
    const guardrail = { name: "No refunds on Mondays", tools: [REFUND.name], effect: "deny" };
    await desk.key.patch(`/api/agents/${desk.agentId}`, { guardrails: [guardrail] }, 200);
    await policy(desk, "allow", { priority: 1_000 });
    expect(await use()).toEqual(refused("No refunds on Mondays: It always applies"));
    await desk.key.patch(
      `/api/agents/${desk.agentId}`,
      { guardrails: [{ ...guardrail, effect: "require_approval" }] },
      200,
    );
    await policy(desk, "deny", { priority: 1_000 });
    run = await beginRun(desk);
    expect(await use()).toEqual(refused("Refunds: deny: It always applies"));
  });

  test("ask people, where an argument comes out of a tool's answer and something changes", async () => {
    expect(await call(desk, run, LOOK_UP.name, { orderId: "#W1" }, true)).toMatchObject({ kind: "result" });
    expect(await use(VALID, true)).toMatchObject({ kind: "waits", for: "approval" });
    expect(await itemsOf(desk.key, run.conversationId)).toMatchObject([{ type: "approval_required" }]);
    expect(server.on("/refund")).toEqual([]);
  });
});

describe("the assurance level", () => {
  const prove = async (): Promise<void> => {
    const source = {
      name: "crm",
      type: "contact_attributes",
      questions: [{ key: "postcode", prompt: "What is your postcode?", attribute: "postcode" }],
    };
    await owner.put(`/api/workspaces/${desk.workspaceId}/verification-sources`, { sources: [source] }, 200);
    await desk.key.patch(`/api/contacts/${run.contactId}`, { attributes: { postcode: "8001" } }, 200);
    await policy(desk, "require_approval", { requiredAssuranceLevel: "identified" });
  };

  test("that is missing first asks the contact, not a person", async () => {
    await prove();
    expect(await use()).toEqual({ kind: "waits", for: "verification", pendingActionId: null });
    expect(await saidIn(desk.key, run.conversationId)).toEqual([
      "system: Before I go on, I have to know that it is you. What is your postcode?",
    ]);
    expect((await desk.key.get(`/api/conversations/${run.conversationId}/pending-actions`, 200)).body.data).toEqual([]);
    expect(await itemsOf(desk.key, run.conversationId)).toEqual([]);
  });

  test("is for people where there is no question to ask, and where questions do not prove it", async () => {
    await policy(desk, "allow", { requiredAssuranceLevel: "identified" });
    expect(await use()).toEqual({ kind: "escalated", reason: "No verification source is attached to the workspace" });
    await policy(desk, "allow", { requiredAssuranceLevel: "high-assurance" });
    expect(await use()).toMatchObject({ kind: "escalated" });
    expect(server.calls).toEqual([]);
  });
});

describe("Parley's own tools", () => {
  test("search the approved entries", async () => {
    const [id] = await teach(desk.key, desk.workspaceId);
    expect(await call(desk, run, "search_knowledge", { query: "Where is my parcel?" })).toMatchObject({
      kind: "result",
      value: {
        entries: [{ kbEntryId: id, answer: expect.any(String) as string, confidence: expect.any(Number) as number }],
      },
    });
  });

  test("hand over, write a note, and set a label that exists", async () => {
    expect(await call(desk, run, "hand_off", { reason: "Too hard" })).toEqual({
      kind: "escalated",
      reason: "Too hard",
    });
    expect(await call(desk, run, "add_note", { body: "Wants money" })).toEqual({ kind: "result", value: { ok: true } });
    expect(await messagesOf(desk.key, run.conversationId)).toMatchObject([
      {},
      { direction: "internal", body: "Wants money" },
    ]);
    expect(await call(desk, run, "set_label", { label: "refund" })).toEqual(
      refused("There is no label with this name"),
    );
    await owner.post("/api/labels", { name: `refund ${desk.workspaceId}` }, 201);
    const label = `refund ${desk.workspaceId}`;
    expect(await call(desk, run, "set_label", { label })).toEqual({ kind: "result", value: { ok: true } });
    expect((await desk.key.get(`/api/conversations/${run.conversationId}`, 200)).body.labels).toEqual([label]);
  });

  test("are under the policies where they change something", async () => {
    await policy(desk, "deny", { tools: [] });
    expect(await call(desk, run, "add_note", { body: "Hello" })).toMatchObject({ kind: "refused" });
    expect(await call(desk, run, "search_knowledge", { query: "Hello" })).toMatchObject({ kind: "result" });
  });
});

test("what was called is told to a process that goes on with the run, and to later runs", async () => {
  server.answers["/refund"] = () => ({ body: { refunded: 30 } });
  await use();
  await call(desk, run, LOOK_UP.name, { orderId: "#W1" });
  await use({ ...VALID, amount: 31 }, true);
  expect(await app.app.get(ToolCalls).made(callerOf(desk), run)).toMatchObject([
    { runId: run.id, tool: REFUND.name, arguments: VALID, outcome: { kind: "result", value: { refunded: 30 } } },
    { tool: LOOK_UP.name, outcome: { kind: "result", value: {} } },
    { tool: REFUND.name, arguments: { amount: 31 }, outcome: { kind: "waits", for: "approval" } },
  ]);
});
