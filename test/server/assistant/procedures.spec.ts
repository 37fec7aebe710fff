import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { RunEndingService } from "../../../src/assistant/run-ending.service.js";
import type { Step } from "../../../src/assistant/procedures/definition.js";
import { newWorkspace, start } from "../e2e/support.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { until } from "../process/support.js";
import { chatOf, Visitor } from "../webchat/support.js";
import type { Client } from "../../support/client.js";
import { activityOf, ask, assist, itemsOf, messagesOf, outcomesOf, saidIn, teach, toldThat } from "./support.js";
import { carryOut, startToolServer, type ToolServer } from "./tools-support.js";

// A procedure in a conversation: what the contact reads, what the tools get, and what stops it.

const STEPS: Step[] = [
  { id: "order_id", type: "ask", text: "Which order?", slot: { kind: "pattern", pattern: "#W0000000" } },
  { id: "order", type: "call", tool: "get_order", arguments: { orderId: "{order_id}" } },
  {
    id: "pending",
    type: "branch",
    cases: [{ when: [{ value: "order.status", op: "equals", to: "pending" }], next: "sure" }],
    next: "shipped",
  },
  { id: "sure", type: "confirm", text: "Shall I cancel {order_id}?" },
  { id: "cancelled", type: "call", tool: "cancel_order", arguments: { orderId: "{order_id}" } },
  { id: "done", type: "say", text: "{order_id} is cancelled, reference {cancelled.reference}.{cancelled.secret}" },
  { id: "end", type: "end" },
  { id: "shipped", type: "say", text: "It is {order.status} already." },
];
const REFUND = { question: "When do I get my refund?", answer: "Within five days after we have your return." };

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let key: Client;
let server: ToolServer;
let workspaceId: string;
let agentId: string;
let procedureId: string;
let entryId: string;
beforeAll(async () => {
  server = await startToolServer();
  app = await startApp({ OUTBOUND_ALLOW: [server.host] });
  tenant = await app.tenant();
  owner = await tenant.owner();
  key = tenant.live;
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  const orderId = { type: "string", pattern: "^#W\\d{7}$" };
  const schema = (properties: object) => ({ type: "object", properties, required: Object.keys(properties) });
  const customer = { type: "string", "x-bound": "contact.externalId" };
  for (const [name, effect, publicFields, properties] of [
    ["get_order", "read", ["status"], { orderId }],
    ["cancel_order", "write", ["reference"], { orderId, customer }],
  ] as const)
    await owner.post(
      `/api/workspaces/${workspaceId}/tools`,
      { name, description: name, effect, publicFields, parameters: schema(properties), url: server.url(`/${name}`) },
      201,
    );
  const agent = {
    name: "Shop",
    role: "assistant",
    status: "active",
    workspaceIds: [workspaceId],
    instructions: "Help",
    tools: ["get_order", "cancel_order"],
  };
  agentId = (await key.post("/api/agents", agent, 201)).body.id;
  const rule = { title: "Everybody", rule: "Always", effect: "allow", tools: ["cancel_order", "get_order"] };
  await key.post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201);
  [entryId] = (await teach(key, workspaceId, [REFUND])) as [string];
  procedureId = (
    await made({ name: "Cancel", startsWith: { entries: [], phrases: ["cancel my order"] }, steps: STEPS })
  ).id;
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const made = async (body: object, status: "active" | "draft" = "active"): Promise<Schemas["Procedure"]> =>
  (await owner.post(`/api/workspaces/${workspaceId}/procedures`, { agentId, status, ...body }, 201)).body;

let orders = 1_000_000;
interface Talk {
  id: string;
  order: string;
  /** What the contact reads after a message. */
  write: (text: string) => Promise<string[]>;
}
/** A conversation that begins with a wish to cancel an order of its own. */
async function talk(body = "I want to cancel my order", status = "pending"): Promise<Talk> {
  const order = `#W${++orders}`;
  server.answers["/get_order"] = () => ({ body: { status, secret: "hidden" } });
  server.answers["/cancel_order"] = () => ({ body: { reference: "R7", secret: "hidden" } });
  const contact = { name: "Ada", externalId: `c-${orders}` };
  const { id } = await start(key, workspaceId, { contact, message: { body } });
  await assist(app);
  const write = async (text: string): Promise<string[]> => {
    const before = (await saidIn(key, id)).length;
    await ask(key, id, text);
    await assist(app);
    return (await saidIn(key, id)).slice(before);
  };
  return { id, order, write };
}
const cancelled = (order: string) => server.on("/cancel_order").filter(({ body }) => body.arguments.orderId === order);
const conversation = async (id: string) => (await key.get(`/api/conversations/${id}`, 200)).body;
const runsOf = (id: string) =>
  app.db.query<{ ending: string | null }>("select ending from procedure_run where conversation_id = $1", [id]);

describe("a procedure in a conversation", () => {
  test("a change that the contact agreed to is made once, also if the process dies in it", async () => {
    const { id, order, write } = await talk();
    await write(order);
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    server.answers["/cancel_order"] = async () => {
      await answered;
      return { body: { reference: "R7" } };
    };
    await ask(key, id, "yes");
    const first = assist(app);
    await until(
      () => Promise.resolve(cancelled(order).length === 1),
      () => "it is at work",
    );
    // Its lease ends, so another process takes the run.
    const other = await startApp({ OUTBOUND_ALLOW: [server.host] }, app.db);
    await app.db.query("update assistant_due set claimed = false where conversation_id = $1", [id]);
    await assist(app, other);
    answer();
    await first;
    await other.close();
    await write("yes");
    expect(cancelled(order)).toHaveLength(1);
    expect((await saidIn(key, id)).slice(2)).toEqual([toldThat("passedOn")]);
    expect((await activityOf(key, id))[0]!.reason).toContain("It is not known whether it was carried out");
  });

  test("asks, looks, asks for a yes, calls once and says what came of it; each step is on record", async () => {
    const { id, order, write } = await talk();
    expect(await saidIn(key, id)).toEqual(["assistant: Which order?"]);
    expect(await conversation(id)).toMatchObject({ status: "pending", handlingMode: "assistant" });
    expect(await write(order)).toEqual([`assistant: Shall I cancel ${order}?`]);
    expect(cancelled(order)).toEqual([]);
    expect(await write("yes")).toEqual([`assistant: ${order} is cancelled, reference R7.`]);
    expect(cancelled(order)).toMatchObject([{ body: { arguments: { orderId: order, customer: `c-${orders}` } } }]);
    expect(await outcomesOf(key, id)).toEqual(["clarified", "clarified", "answered"]);
    const steps = (await activityOf(key, id)).reverse().flatMap((run) => run.steps);
    expect(
      steps.filter(({ type }) => type === "procedure").map(({ procedureStep, did }) => `${procedureStep} ${did}`),
    ).toEqual([
      "order_id asked",
      "order_id filled",
      "order called",
      "pending branched",
      "sure asked",
      "sure confirmed",
      "cancelled called",
      "done said",
      "end ended",
    ]);
    expect(new Set(steps.flatMap((step) => step.procedureId ?? []))).toEqual(new Set([procedureId]));
    expect(steps.filter(({ type }) => type === "tool")).toHaveLength(2);
    expect(await runsOf(id)).toEqual([{ ending: "completed" }]);
  });

  test("goes the other way by what the tool answers", async () => {
    const { id, order } = await talk(`I want to cancel my order #W${orders + 1}`, "shipped");
    expect(await saidIn(key, id)).toEqual(["assistant: It is shipped already."]);
    expect(cancelled(order)).toEqual([]);
  });

  test("answers a question with an entry, and asks again", async () => {
    const { id, write } = await talk();
    const [said] = await write(REFUND.question);
    expect(said).toBe(`assistant: ${REFUND.answer}\n\nWhich order?`);
    expect((await messagesOf(key, id)).at(-1)).toMatchObject({ citations: [{ kbEntryId: entryId }] });
  });

  test("says an entry in Markdown, as it is written, and what the contact gave stays text", async () => {
    const [table] = await teach(key, workspaceId, [
      {
        question: "How are refunds paid?",
        answer: "By **bank transfer**:\n\n- within the EU\n- [elsewhere](https://example.com)",
      },
    ]);
    const steps: Step[] = [
      { id: "name", type: "ask", text: "What *is* your name?", slot: { kind: "text" } },
      { id: "hello", type: "say", text: "{name}:" },
      { id: "paid", type: "say", entryId: table! },
      { id: "end", type: "end" },
    ];
    const phrases = ["tell me how I am paid"];
    const { id: procedure } = await made({ name: "Paid", startsWith: { entries: [], phrases }, steps });
    const { id, write } = await talk("Please tell me how I am paid");
    await write("_Ada_ [Byron]");
    expect((await messagesOf(key, id)).filter(({ direction }) => direction === "outbound")).toMatchObject([
      { body: "What *is* your name?", bodyFormat: "text" },
      {
        body: "\\_Ada\\_ \\[Byron\\]:\n\nBy **bank transfer**:\n\n- within the EU\n- [elsewhere](https://example.com)",
        bodyFormat: "markdown",
      },
    ]);
    await owner.delete(`/api/procedures/${procedure}`, 200);
    await key.delete(`/api/kb-entries/${table}`, 200);
  });

  test("takes a correction, and looks again", async () => {
    const { order, write } = await talk();
    const other = `#W9${order.slice(3)}`;
    await write(other);
    expect(await write(`no, I meant ${order}`)).toEqual([`assistant: Shall I cancel ${order}?`]);
    await write("yes");
    expect([cancelled(order).length, cancelled(other).length]).toEqual([1, 0]);
  });

  test("stops when the contact wants it to, and the next message is answered as any other", async () => {
    const { id, order, write } = await talk();
    await write(order);
    expect((await write("never mind"))[0]).toContain("Nothing was changed");
    expect(await runsOf(id)).toEqual([{ ending: "cancelled" }]);
    expect(await write(REFUND.question)).toEqual([`assistant: ${REFUND.answer}`]);
    expect(cancelled(order)).toEqual([]);
  });

  test("begins where an entry would answer that it names", async () => {
    const name = "Refund";
    const steps = [{ id: "asked", type: "ask", text: "For which order?", slot: { kind: "text" } }];
    const { id } = await made({ name, startsWith: { entries: [entryId], phrases: [] }, steps });
    const { id: conversationId } = await talk(REFUND.question);
    expect(await saidIn(key, conversationId)).toEqual(["assistant: For which order?"]);
    await owner.delete(`/api/procedures/${id}`, 200);
  });

  test("goes on with its own version, and does not begin while it is paused", async () => {
    const { order, write } = await talk();
    const path = `/api/procedures/${procedureId}` as const;
    const other = STEPS.map((step) => (step.id === "sure" ? { ...step, text: "Really?" } : step)) as never;
    expect((await owner.patch(path, { steps: other, status: "paused" }, 200)).body).toMatchObject({ version: 2 });
    expect(await write(order)).toEqual([`assistant: Shall I cancel ${order}?`]);
    const { id } = await talk();
    expect((await saidIn(key, id)).join()).not.toContain("Which order?");
    await owner.patch(path, { steps: STEPS as never, status: "active" }, 200);
  });
});

describe("what is said before a step that takes time", () => {
  const MOMENT = "One moment, I look at it.";
  const ORDER_ID: Step = {
    id: "order_id",
    type: "ask",
    text: "Which order?",
    slot: { kind: "pattern", pattern: "#W0000000" },
  };
  const MAILBOX = {
    type: "email",
    name: "Support",
    address: "support@example.com",
    settings: { smtp: { host: "mail.example.com", port: 465, security: "tls" } },
    credentials: { username: "support", password: "secret" },
  };
  let channelId: string | undefined;
  const sayBefore = async (steps: Step[]): Promise<string> => {
    const startsWith = { entries: [], phrases: ["look after my order"] };
    const said: Step[] = [ORDER_ID, { id: "moment", type: "say", text: MOMENT }, ...steps];
    return (await made({ name: "Look", startsWith, steps: said })).id;
  };
  const remove = (id: string) => owner.delete(`/api/procedures/${id}`, 200);
  const LOOK: Step = { id: "order", type: "call", tool: "get_order", arguments: { orderId: "{order_id}" } };
  const CANCEL: Step = { id: "cancelled", type: "call", tool: "cancel_order", arguments: { orderId: "{order_id}" } };
  const DONE: Step = { id: "done", type: "say", text: "That is all." };

  test("is told once, also if the process dies in the call", async () => {
    const procedure = await sayBefore([LOOK, DONE]);
    const { id, order } = await talk("Look after my order");
    let answer!: () => void;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    server.answers["/get_order"] = async () => {
      await answered;
      return { body: { status: "pending" } };
    };
    await ask(key, id, order);
    const first = assist(app);
    const looked = () => server.on("/get_order").filter(({ body }) => body.arguments.orderId === order).length;
    await until(
      () => Promise.resolve(looked() === 1),
      () => "it is at work",
    );
    // Its lease ends, so another process takes the run.
    server.answers["/get_order"] = () => ({ body: { status: "pending" } });
    const other = await startApp({ OUTBOUND_ALLOW: [server.host] }, app.db);
    await app.db.query("update assistant_due set claimed = false where conversation_id = $1", [id]);
    await assist(app, other);
    answer();
    await first;
    await other.close();
    expect(await saidIn(key, id)).toEqual(["assistant: Which order?", `assistant: ${MOMENT}\n\nThat is all.`]);
    await remove(procedure);
  });

  /** A conversation that begins with a mail. */
  const mail = async (body: string): Promise<{ id: string }> => {
    channelId ??= (await owner.post(`/api/workspaces/${workspaceId}/channels`, MAILBOX, 201)).body.id;
    const contact = { externalId: `c-${++orders}`, emails: [`mail-${orders}@example.com`] };
    const mailed = await start(key, workspaceId, { contact, message: { body }, channelId });
    await assist(app);
    return mailed;
  };

  test("is told on mail, too, before people take over", async () => {
    const procedure = await sayBefore([{ id: "people", type: "hand_over" }]);
    const { id } = await mail(`Look after my order #W${orders + 1}`);
    expect(await saidIn(key, id)).toEqual([toldThat("passedOn").replace(": ", `: ${MOMENT}\n\n`)]);
    expect(await conversation(id)).toMatchObject({ handlingMode: "human" });
    await remove(procedure);
  });

  test("is told before the contact waits for an approval, and on mail with what comes after it", async () => {
    const rule = { title: "People", rule: "People decide", effect: "require_approval", tools: ["cancel_order"] };
    const { id: ruleId } = (await key.post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201)).body;
    const procedure = await sayBefore([CANCEL, DONE]);
    const { id, write } = await talk(`Look after my order #W${orders + 1}`);
    expect(await saidIn(key, id)).toEqual([
      `system: ${MOMENT}\n\nA colleague has to approve this first. You will get a reply here.`,
    ]);
    expect(await write("Thank you")).not.toContain(expect.stringContaining(MOMENT));
    await owner.post(`/api/conversations/${id}/take-over`, {}, 200);

    const mailed = await mail(`Look after my order #W${orders + 1}`);
    expect(await saidIn(key, mailed.id)).toEqual([]);
    const { data } = (await owner.get(`/api/conversations/${mailed.id}/pending-actions`, 200)).body;
    const { id: action, argumentsHash } = data[0]!;
    await owner.post(`/api/pending-actions/${action}/approve`, { argumentsHash }, 200);
    await carryOut(app);
    await assist(app);
    expect((await saidIn(key, mailed.id)).join()).toContain(`${MOMENT}\n\nThat is all.`);
    await remove(procedure);
    await key.delete(`/api/policy-entries/${ruleId}`, 200);
  });

  describe("before a question for proof of identity", () => {
    beforeAll(async () => {
      const questions = [{ key: "id", prompt: "What is your customer number?", attribute: "number" }];
      const sources = [{ name: "crm", type: "contact_attributes", questions }];
      await owner.put(`/api/workspaces/${workspaceId}/verification-sources`, { sources }, 200);
      await owner.put(`/api/workspaces/${workspaceId}/identity-settings`, { requiredCorrectAnswers: 1 }, 200);
    });
    const begin = async (): Promise<string> => {
      const order = `#W${++orders}`;
      const contact = { name: "Ada", externalId: `c-${orders}`, attributes: { number: "4711" } };
      return (await start(key, workspaceId, { contact, message: { body: `Look after my order ${order}` } })).id;
    };
    const answer = async (id: string): Promise<void> => {
      await ask(key, id, "4711");
      await assist(app);
    };
    const ASKED = new RegExp(`^system: ${MOMENT}\n\n.*What is your customer number\\?`, "s");

    const LEVEL: Step = { id: "who", type: "require_level", level: "identified" };
    const RULE = { title: "Known", rule: "Known", effect: "allow", requiredAssuranceLevel: "identified" };
    test.each<[string, Step]>([
      ["a step asks", LEVEL],
      ["a call needs it", CANCEL],
    ])("is told once, also if the contact answers while the run still ends: %s", async (_, step) => {
      const rule = { ...RULE, tools: ["cancel_order"] };
      const { id: ruleId } = (await key.post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201)).body;
      const procedure = await sayBefore([step, DONE]);
      server.answers["/cancel_order"] = () => ({ body: {} });
      const calm = await begin();
      await assist(app);
      await answer(calm);
      const hasty = await begin();
      const ending = app.app.get(RunEndingService);
      const end = ending.end.bind(ending);
      const spy = vi.spyOn(ending, "end").mockImplementationOnce(async (...args) => {
        await ask(key, hasty, "4711");
        await end(...args);
      });
      await assist(app);
      spy.mockRestore();
      await assist(app);
      for (const id of [calm, hasty]) {
        const [asked, ...others] = await saidIn(key, id);
        expect(asked).toMatch(ASKED);
        expect(others).toEqual(["assistant: That is all."]);
      }
      await remove(procedure);
      await key.delete(`/api/policy-entries/${ruleId}`, 200);
    });
  });
});

describe("nobody but the assistant goes on", () => {
  test("a take-over ends it, and what is written after a release begins anew", async () => {
    const { id, order, write } = await talk();
    await write(order);
    await owner.post(`/api/conversations/${id}/take-over`, {}, 200);
    expect(await runsOf(id)).toEqual([{ ending: "handed_over" }]);
    await write("yes");
    await owner.post(`/api/conversations/${id}/release`, {}, 200);
    await write("yes");
    expect(cancelled(order)).toEqual([]);
  });

  test("a colleague approves the call, and the procedure goes on with its answer", async () => {
    const rule = { title: "People", rule: "People decide", effect: "require_approval", tools: ["cancel_order"] };
    const { id: ruleId } = (await key.post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201)).body;
    const { id, order, write } = await talk();
    await write(order);
    expect(await write("yes")).toEqual(["system: A colleague has to approve this first. You will get a reply here."]);
    expect(cancelled(order)).toEqual([]);
    const { data } = (await owner.get(`/api/conversations/${id}/pending-actions`, 200)).body;
    const { id: action, argumentsHash } = data[0]!;
    await owner.post(`/api/pending-actions/${action}/approve`, { argumentsHash }, 200);
    await carryOut(app);
    await assist(app);
    expect((await saidIn(key, id)).at(-1)).toBe(`assistant: ${order} is cancelled, reference R7.`);
    expect(cancelled(order)).toHaveLength(1);
    await key.delete(`/api/policy-entries/${ruleId}`, 200);
  });

  test("whoever brought in a value approves nothing of it, also if the contact has said yes themselves", async () => {
    const rule = { title: "People", rule: "People decide", effect: "require_approval", tools: ["cancel_order"] };
    const { id: ruleId } = (await key.post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201)).body;
    const order = `#W${++orders}`;
    server.answers["/get_order"] = () => ({ body: { status: "pending" } });
    const chat = await chatOf({ ...tenant, defaults: { ...tenant.defaults, workspaceId } });
    const visitor = await Visitor.open(app.baseUrl, chat);
    await visitor.write("I want to cancel my order");
    const [begun] = await app.db.query<{ id: string; contactId: string }>(
      `update conversation set sender_proof = 'signed'
      where id = (select c.id from conversation c where c.workspace_id = $1 order by c.created_at desc limit 1)
      returning id, contact_id as "contactId"`,
      [workspaceId],
    );
    const { id, contactId } = begun!;
    await owner.patch(`/api/contacts/${contactId}`, { externalId: `v-${orders}` }, 200);
    await assist(app);
    await ask(key, id, order);
    await assist(app);
    await visitor.write("yes");
    await app.db.query("update conversation set sender_proof = 'signed' where id = $1", [id]);
    await assist(app);
    const { data } = (await owner.get(`/api/conversations/${id}/pending-actions`, 200)).body;
    const { id: action, argumentsHash, arguments: values } = data[0]!;
    expect(values).toMatchObject({ orderId: order });
    await key.post(`/api/pending-actions/${action}/approve`, { argumentsHash }, 409);
    await owner.post(`/api/pending-actions/${action}/reject`, {}, 200);
    await key.delete(`/api/policy-entries/${ruleId}`, 200);
  });

  test("who changes what a colleague still decides about is for people", async () => {
    const rule = { title: "People", rule: "People decide", effect: "require_approval", tools: ["cancel_order"] };
    const { id: ruleId } = (await key.post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201)).body;
    const { id, order, write } = await talk();
    await write(order);
    await write("yes");
    await write("no, I meant #W9999999");
    expect(await conversation(id)).toMatchObject({ handlingMode: "human" });
    expect((await outcomesOf(key, id)).at(-1)).toBe("handed_off");
    expect(cancelled(order)).toEqual([]);
    await key.delete(`/api/policy-entries/${ruleId}`, 200);
  });

  test("what the policies deny is not called: people take over", async () => {
    const rule = { title: "Never", rule: "Never", effect: "deny", tools: ["cancel_order"], priority: 900 };
    const { id: ruleId } = (await key.post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201)).body;
    const { id, order, write } = await talk();
    await write(order);
    await write("yes");
    expect(cancelled(order)).toEqual([]);
    expect(await conversation(id)).toMatchObject({ handlingMode: "human" });
    expect((await itemsOf(key, id)).map(({ type }) => type)).toContain("handoff_requested");
    await key.delete(`/api/policy-entries/${ruleId}`, 200);
  });
});

describe("the routes", () => {
  test("take no language that is none, and no answers that grow", async () => {
    const path = `/api/procedures/${procedureId}/try` as const;
    const day = [{ id: "day", type: "ask", text: "Which day?", slot: { kind: "date" } }] as never;
    await owner.post(path, { messages: ["hello", "tomorrow"], language: "??", steps: day }, 400);
    const steps = [
      { id: "o", type: "call", tool: "get_order", arguments: {} },
      { id: "c", type: "call", tool: "get_order", arguments: { all: Array(20).fill("{o.a}".repeat(400)) } },
    ] as never;
    const { body } = await owner.post(
      path,
      { messages: ["hello"], steps, results: { o: { a: "x".repeat(9_000) } } },
      200,
    );
    expect(body).toMatchObject({ ending: "handed_over", reason: "The values are too long to go on with" });
  });

  test("refuse what the workspace does not have", async () => {
    const refused = async (body: object): Promise<string> =>
      (
        await owner.post(
          `/api/workspaces/${workspaceId}/procedures`,
          { agentId, name: "Other", startsWith: { entries: [], phrases: [] }, steps: STEPS, ...body },
          400,
        )
      ).body.error;
    const call = (tool: string) => ({ steps: [{ id: "a", type: "call", tool, arguments: {} }] });
    expect(await refused(call("fly"))).toBe("steps: there is no tool fly");
    expect(await refused(call("hand_off"))).toContain("no tool that a step can call");
    expect(await refused({ steps: [{ id: "a", type: "say" }] })).toBe("steps step a must have either text or entryId");
  });

  test("a name is there once", async () => {
    const body = { agentId, name: "Cancel", startsWith: { entries: [], phrases: [] }, steps: STEPS } as never;
    await owner.post(`/api/workspaces/${workspaceId}/procedures`, body, 409);
  });

  test("a try says what would be said and called, and does nothing of it", async () => {
    const before = server.calls.length;
    const { body } = await owner.post(
      `/api/procedures/${procedureId}/try`,
      {
        messages: ["cancel my order #W1111111", REFUND.question, "yes"],
        results: { order: { status: "pending" }, cancelled: { reference: "R1" } },
      },
      200,
    );
    expect(body.turns.map(({ says }) => says)).toEqual([
      "Shall I cancel #W1111111?",
      `${REFUND.answer}\n\nShall I cancel #W1111111?`,
      "#W1111111 is cancelled, reference R1.",
    ]);
    expect(body.turns[2]!.calls).toEqual([
      { step: "cancelled", tool: "cancel_order", arguments: { orderId: "#W1111111" } },
    ]);
    expect(body).toMatchObject({ ending: "completed", values: { order_id: "#W1111111" }, waitsAt: null });
    expect(server.calls).toHaveLength(before);
    const steps = [{ id: "hello", type: "say", text: "Hello" }] as never;
    const draft = await owner.post(`/api/procedures/${procedureId}/try`, { messages: ["hi"], steps }, 200);
    expect(draft.body.turns[0]!.says).toBe("Hello");
  });
});
