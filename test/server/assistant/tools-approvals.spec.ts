import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ToolCalls, type ToolRun } from "../../../src/assistant/tools/tool-calls.js";
import { IncomingMessagesService } from "../../../src/channels/incoming-messages.service.js";
import { DailyService } from "../../../src/maintenance/daily.service.js";
import { provider } from "../../../src/platform/caller/request-context.js";
import { Database } from "../../../src/platform/database/database.js";
import { newAgent, newWorkspace, walk } from "../e2e/support.js";
import { settled } from "../feed/support.js";
import { chatOf, Visitor } from "../webchat/support.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { activityOf, itemsOf, saidIn } from "./support.js";
import {
  askForApproval,
  beginRun,
  call,
  callerOf,
  carryOut,
  type Desk,
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
let run: ToolRun;
let action: Schemas["PendingAction"];
let rule: string;
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
beforeEach(async () => {
  server.calls.length = 0;
  server.answers = { "/refund": () => ({ body: { refunded: 30 } }) };
  desk = await openDesk(app, tenant, owner, server, { expiresAfterHours: 2 });
  rule = await policy(desk, "require_approval");
  ({ run, action } = await askForApproval(desk));
  await letRunWait();
});

/** The run has told the contact that it waits. */
const letRunWait = (): Promise<unknown> =>
  app.db.query("update assistant_run set waits_for = 'approval', waits = attempts where id = $1", [run.id]);
const read = async (id = action.id) => (await owner.get(`/api/pending-actions/${id}`, 200)).body;
const conversation = async () => (await owner.get(`/api/conversations/${run.conversationId}`, 200)).body;
const approve = async <S extends number>(status: S, client = owner, argumentsHash = action.argumentsHash) =>
  (await client.post<{ error: string }>(`/api/pending-actions/${action.id}/approve`, { argumentsHash }, status)).body;
const reject = (status: number, client = owner, reason?: string) =>
  client.post(`/api/pending-actions/${action.id}/reject`, { reason }, status);
const expire = (): Promise<unknown> =>
  app.db.query(
    `with due as (update pending_action_due set due_at = now() - interval '1 second' where action_id = $1)
    update pending_action set expires_at = now() - interval '1 second' where id = $1`,
    [action.id],
  );
const outcomes = async (): Promise<(string | null)[]> =>
  (await activityOf(owner, run.conversationId)).map(({ outcome }) => outcome);

describe("where no assistant may do anything", () => {
  const offs: [string, object, string][] = [
    ["the assistant is off", { assistantEnabled: false }, "The assistant is off in the workspace"],
    ["the workspace is inactive", { status: "inactive" }, "The workspace is inactive"],
  ];
  test.each(offs)("nothing can be approved: %s", async (_, change, reason) => {
    await owner.patch(`/api/workspaces/${desk.workspaceId}`, change, 200);
    expect((await approve(409)).error).toBe(`It cannot be carried out now: ${reason}`);
    await carryOut(app);
    expect([(await read()).status, server.calls.length]).toEqual(["pending", 0]);
  });
  test.each(offs)("what was approved before is not done: %s", async (_, change, reason) => {
    await approve(200);
    await owner.patch(`/api/workspaces/${desk.workspaceId}`, change, 200);
    await carryOut(app);
    expect(await read()).toMatchObject({ status: "failed", result: { code: "denied", message: reason } });
    expect(server.calls).toEqual([]);
    expect(await conversation()).toMatchObject({ handlingMode: "human", pendingActionCount: 0 });
  });
});

describe("an action that waits", () => {
  test("says what would be done, to whom, why a person is asked, and until when", async () => {
    const { contactId } = await conversation();
    const { externalId } = (await owner.get(`/api/contacts/${contactId}`, 200)).body;
    expect(action).toMatchObject({
      workspaceId: desk.workspaceId,
      conversationId: run.conversationId,
      agentId: desk.agentId,
      tool: REFUND.name,
      arguments: { ...VALID, customerId: externalId },
      argumentsHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      guardrail: "Refunds: require_approval: It always applies",
      policyEntryIds: [rule],
      messageId: (await owner.get(`/api/conversations/${run.conversationId}/messages`, 200)).body.data[0]!.id,
      requiredAssuranceLevel: null,
      status: "pending",
      decidedBy: null,
      reason: null,
      result: null,
    });
    expect(Date.parse(action.expiresAt) - Date.parse(action.createdAt)).toBe(2 * 3_600_000);
    expect(await conversation()).toMatchObject({ pendingActionCount: 1, openAttentionCount: 1 });
    expect(await itemsOf(owner, run.conversationId)).toMatchObject([{ type: "approval_required", status: "open" }]);
    expect(server.calls).toEqual([]);
  });

  test("has a hash over the tool, its version, the arguments, whom it is about, and the policies", async () => {
    const { contactId } = await conversation();
    const about = [
      `"arguments":${JSON.stringify(Object.fromEntries(Object.entries(action.arguments as object).sort()))}`,
      `"contactId":"${contactId}"`,
      `"conversationId":"${run.conversationId}"`,
      `"policies":[{"id":"${rule}","version":1}]`,
      `"tenantId":"${tenant.tenantId}"`,
      `"tool":{"id":"${desk.toolId}","name":"${REFUND.name}","version":1}`,
    ];
    expect(action.argumentsHash).toBe(
      createHash("sha256")
        .update(`{${about.join(",")}}`)
        .digest("hex"),
    );
  });

  test("names the policies that asked, the deciding one first, and none if something else asked", async () => {
    const first = await policy(desk, "require_approval", { priority: 200 });
    await policy(desk, "allow");
    expect((await askForApproval(desk)).action.policyEntryIds).toEqual([first, rule]);
    for (const id of [first, rule]) await owner.post(`/api/policy-entries/${id}/archive`, undefined, 200);
    const guardrails = [{ name: "Ask first", effect: "require_approval" }];
    await desk.key.patch(`/api/agents/${desk.agentId}`, { guardrails }, 200);
    expect((await askForApproval(desk)).action).toMatchObject({
      guardrail: "Ask first: It always applies",
      policyEntryIds: [],
    });
    await desk.key.patch(`/api/agents/${desk.agentId}`, { guardrails: [] }, 200);
    const tainted = await beginRun(desk);
    await call(desk, tainted, REFUND.name, VALID, true);
    const { data } = (await owner.get(`/api/conversations/${tainted.conversationId}/pending-actions`, 200)).body;
    expect(data).toMatchObject([{ guardrail: "An argument may come out of a tool's answer", policyEntryIds: [] }]);
  });

  test("that the agent asks for again says what is decided now, and what the contact wrote last", async () => {
    const other = await policy(desk, "require_approval", { priority: 200, title: "Large refunds" });
    await desk.key.post(`/api/conversations/${run.conversationId}/messages`, { body: "Well?" }, 201);
    const [next] = await app.db.query<{ id: string }>(
      `update assistant_run set started_at = now(), attempts = 1 where conversation_id = $1 and outcome is null and id <> $2
      returning id`,
      [run.conversationId, run.id],
    );
    expect(await call(desk, { ...run, id: next!.id })).toMatchObject({ pendingActionId: action.id });
    const { data } = (await owner.get(`/api/conversations/${run.conversationId}/messages`, 200)).body;
    const now = await read();
    expect(now).toMatchObject({
      guardrail: "Large refunds: It always applies",
      policyEntryIds: [other, rule],
      messageId: data.find(({ body }) => body === "Well?")!.id,
    });
    expect(now.updatedAt > action.updatedAt).toBe(true);
    expect(await approve(200, owner, now.argumentsHash), "the hash is of now").toMatchObject({ status: "approved" });
    await carryOut(app);
  });

  test("is the same one if the agent asks for the same again", async () => {
    await app.db.query("update assistant_run set waits_for = null where id = $1", [run.id]);
    expect(await call(desk, run)).toEqual({ kind: "waits", for: "approval", pendingActionId: action.id });
    expect(await conversation()).toMatchObject({ pendingActionCount: 1 });
    expect(await call(desk, run, REFUND.name, { ...VALID, amount: 31 })).toMatchObject({ kind: "waits" });
    expect(await conversation()).toMatchObject({ pendingActionCount: 2, openAttentionCount: 1 });
  });

  test("is listed: all, of a workspace, of a conversation, with a status; and to those who reach it only", async () => {
    const second = await askForApproval(desk);
    const ids = async (path: string, client = owner): Promise<string[]> =>
      (await walk<{ id: string }>(client, path, 1)).map(({ id }) => id);
    expect(await ids(`/api/pending-actions?workspaceId=${desk.workspaceId}`)).toEqual([second.action.id, action.id]);
    expect(await ids(`/api/pending-actions?conversationId=${run.conversationId}`)).toEqual([action.id]);
    expect(await ids(`/api/conversations/${run.conversationId}/pending-actions`)).toEqual([action.id]);
    await reject(200);
    expect(await ids(`/api/pending-actions?workspaceId=${desk.workspaceId}&status=pending`)).toEqual([
      second.action.id,
    ]);
    const { id: elsewhere } = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const stranger = await newAgent(owner, [elsewhere]);
    expect(await ids("/api/pending-actions", stranger)).toEqual([]);
    await stranger.get(`/api/pending-actions?workspaceId=${desk.workspaceId}`, 404);
    await stranger.get(`/api/pending-actions/${action.id}`, 404);
    await stranger.get(`/api/conversations/${run.conversationId}/pending-actions`, 404);
    await approve(404, stranger);
    await reject(404, stranger);
    await (await app.tenant()).live.get(`/api/pending-actions/${action.id}`, 404);
  });
});

describe("an approval", () => {
  test("has the tool called once, and the run goes on with the answer", async () => {
    expect(await approve(200)).toMatchObject({ status: "approved", result: null });
    expect(await conversation()).toMatchObject({ pendingActionCount: 0, openAttentionCount: 0 });
    expect(server.calls, "not within the request").toEqual([]);
    await carryOut(app);
    await carryOut(app);
    expect(server.calls).toHaveLength(1);
    expect(server.calls[0]!.headers["idempotency-key"]).toBe(action.id);
    expect(server.calls[0]!.body.arguments).toEqual(action.arguments);
    const { memberId } = (await owner.get("/api/me", 200)).body as { memberId?: string };
    expect(await read()).toMatchObject({
      status: "executed",
      ...(memberId && { decidedBy: memberId }),
      result: { code: null, message: null, value: { refunded: 30 } },
    });
    expect((await activityOf(owner, run.conversationId))[0], "the run goes on").toMatchObject({
      outcome: null,
      waitsFor: null,
    });
    expect(await app.app.get(ToolCalls).made(callerOf(desk), run)).toMatchObject([
      { tool: REFUND.name, outcome: { kind: "result", value: { refunded: 30 } } },
    ]);
    expect(
      await app.db.query("select 1 from assistant_due where conversation_id = $1", [run.conversationId]),
    ).toHaveLength(1);
    expect(await app.db.query("select 1 from pending_action_due where action_id = $1", [action.id])).toEqual([]);
  });

  test("that comes while the run still works makes the run begin anew", async () => {
    await app.db.query("update assistant_run set waits_for = null where id = $1", [run.id]);
    await approve(200);
    await carryOut(app);
    // Whoever still works on the first attempt finds that it lost the run.
    expect(await app.db.query("select attempts, outcome from assistant_run where id = $1", [run.id])).toEqual([
      { attempts: 2, outcome: null },
    ]);
  });

  test("tells the contact, if they have written meanwhile", async () => {
    await desk.key.post(`/api/conversations/${run.conversationId}/messages`, { body: "Well?" }, 201);
    await approve(200);
    await carryOut(app);
    expect(await saidIn(owner, run.conversationId)).toEqual(["system: What you asked for has been done."]);
    expect(await outcomes()).toEqual([null, "discarded"]);
  });

  test("is by somebody else than who brought the message in", async () => {
    expect(await approve(409, tenant.live)).toEqual({ error: "Nobody approves what they requested" });
    const other = await keyFor(owner, { scopes: ["conversations:write", "conversations:read"] });
    expect(await approve(200, other)).toMatchObject({ status: "approved" });
  });

  describe("is by nobody who stands behind the request", () => {
    const REFUSED = { error: "Nobody approves what they requested" };
    const scopes = ["conversations:write", "conversations:read"] as const;
    let visitor: Visitor;
    /** A visitor's conversation. */
    const beginAsVisitor = async (): Promise<void> => {
      const { workspaceId, agentId } = desk;
      const chat = await chatOf({ ...tenant, defaults: { ...tenant.defaults, workspaceId } });
      visitor = await Visitor.open(app.baseUrl, chat);
      await visitor.write("Where is my order?");
      const [begun] = await app.db.query<{ id: string; contact_id: string }>(
        "select id, contact_id from conversation where workspace_id = $1 order by created_at desc limit 1",
        [workspaceId],
      );
      run = { id: "", conversationId: begun!.id, agentId };
      await owner.patch(`/api/contacts/${begun!.contact_id}`, { externalId: `visitor-${begun!.id}` }, 200);
    };
    /** There, `callers` bring in what the visitor is to want, and the action that comes of it. */
    const askedBy = async (...callers: Client[]): Promise<void> => {
      await beginAsVisitor();
      for (const caller of callers) await bring(caller);
      await again();
    };
    const bring = (caller: Client) =>
      caller.post(`/api/conversations/${run.conversationId}/messages`, { body: "Refund it, please" }, 201);
    /** The newest run asks for the refund, as if the visitor were signed. */
    const again = async (): Promise<void> => {
      await app.db.query("update conversation set sender_proof = 'signed' where id = $1", [run.conversationId]);
      const [newest] = await app.db.query<{ id: string }>(
        `update assistant_run set started_at = now(), attempts = 1
        where id = (select r.id from assistant_run r where r.conversation_id = $1 order by r.sequence desc limit 1) returning id`,
        [run.conversationId],
      );
      const asked = await call(desk, { ...run, id: newest!.id });
      action = await read((asked as { pendingActionId: string }).pendingActionId);
    };
    const rotated = async (id: string): Promise<Client & { id: string }> => {
      const { body } = await owner.post<{ id: string; key: string }>(`/api/api-keys/${id}/rotate`, {}, 201);
      return Object.assign(owner.as(body.key), { id: body.id });
    };

    test("whoever adds a word to it, and whatever is asked again", async () => {
      const agent = await newAgent(owner, [desk.workspaceId]);
      await askedBy(agent, desk.key);
      expect(await approve(409, agent)).toEqual(REFUSED);
      expect(await approve(409, desk.key)).toEqual(REFUSED);
      await askedBy(agent);
      await bring(desk.key);
      await again();
      expect(await approve(409, agent), "who asked first").toEqual(REFUSED);
      expect(await approve(409, desk.key), "who asked last").toEqual(REFUSED);
      await approve(200);
    });

    test("unless the contact has written since: then it is their wish", async () => {
      const agent = await newAgent(owner, [desk.workspaceId]);
      await askedBy(agent);
      await visitor.write("Refund it, please");
      await again();
      expect(await approve(409, agent), "the same action is still theirs").toEqual(REFUSED);
      await beginAsVisitor();
      await bring(agent);
      await visitor.write("Refund it, please");
      await again();
      await approve(200, agent);
    });

    test("also if a mail that nothing proves came in since: anybody can write one", async () => {
      const agent = await newAgent(owner, [desk.workspaceId]);
      await beginAsVisitor();
      await bring(agent);
      const [channel] = await app.db.query<{ id: string; contactId: string }>(
        `select channel_id as id, contact_id as "contactId" from conversation where id = $1`,
        [run.conversationId],
      );
      const place = { id: channel!.id, workspaceId: desk.workspaceId };
      const mail = provider("receiveMail", { ...place, tenantId: tenant.tenantId, environment: "live" });
      await app.app.get(Database).transaction(mail, (tx) =>
        app.app.get(IncomingMessagesService).receive(tx, place, {
          from: { contactId: channel!.contactId },
          senderProof: "none",
          authentication: {
            result: "none",
            spf: null,
            dkim: null,
            dmarc: null,
            checkedBy: "parley",
            from: "ada@example.com",
          },
          conversationId: run.conversationId,
          externalId: randomUUID(),
          body: "Yes, please",
        }),
      );
      await again();
      expect(await approve(409, agent)).toEqual(REFUSED);
      await approve(200);
    });

    test("by no key that a rotation made of theirs, and by no key or member that made one of them", async () => {
      const key = await keyFor(owner, { scopes });
      await askedBy(key);
      const second = await rotated(key.id);
      const third = await rotated(second.id);
      const agent = await newAgent(owner, [desk.workspaceId]);
      const ofOwner = await keyFor(owner, { scopes });
      for (const client of [key, second, third, owner, ofOwner]) expect(await approve(409, client)).toEqual(REFUSED);
      await askedBy(third);
      for (const client of [key, owner]) expect(await approve(409, client)).toEqual(REFUSED);
      await askedBy(owner);
      expect(await approve(409, third), "a key for what its maker asked").toEqual(REFUSED);
      await approve(200, agent);
    });
  });

  test("is of what the approver has seen", async () => {
    expect(await approve(409, owner, "0".repeat(64))).toEqual({
      error: "The action is not what you have looked at: read it again",
    });
    await approve(400, owner, "abc");
    expect(await read()).toMatchObject({ status: "pending" });
  });

  const asked = "Refunds: require_approval: It always applies";
  const nothingAsks = "Nothing asks for an approval any more";
  test.each<[string, () => Promise<unknown>, string, (id: unknown) => unknown[]]>([
    [
      "the tool",
      () => owner.patch(`/api/tools/${desk.toolId}`, { url: server.url("/refund") }, 200),
      asked,
      () => [rule],
    ],
    [
      "a policy",
      async () => {
        await owner.post(`/api/policy-entries/${rule}/archive`, undefined, 200);
        return policy(desk, "allow");
      },
      `${nothingAsks}: Refunds: allow: It always applies`,
      (id) => [id],
    ],
    [
      "the rules that apply",
      () => policy(desk, "allow", { priority: 200 }),
      `${nothingAsks}: Refunds: allow: It always applies`,
      (id) => [id],
    ],
  ])("of what is as it was: a change of %s has to be looked at first", async (_, change, guardrail, policies) => {
    const changed = await change();
    expect(await approve(409)).toEqual({ error: "The action is not what you have looked at: read it again" });
    const { argumentsHash, ...now } = await read();
    expect(argumentsHash).not.toBe(action.argumentsHash);
    expect(now).toMatchObject({ guardrail, policyEntryIds: policies(changed) });
    expect(await approve(200, owner, argumentsHash)).toMatchObject({ status: "approved" });
    await carryOut(app);
    expect(await read()).toMatchObject({ status: "executed" });
  });

  test.each([
    ["the policies deny it now", () => policy(desk, "deny", { priority: 1_000 }), "Refunds: deny: It always applies"],
    [
      "a level is needed now",
      () => policy(desk, "allow", { requiredAssuranceLevel: "identified" }),
      "This needs the assurance level identified; the conversation has reached none",
    ],
    [
      "the agent is paused",
      () => desk.key.patch(`/api/agents/${desk.agentId}`, { status: "paused" }, 200),
      "The agent is paused",
    ],
    [
      "the agent lost the tool",
      () => desk.key.patch(`/api/agents/${desk.agentId}`, { tools: [] }, 200),
      `There is no tool ${REFUND.name}`,
    ],
    ["the tool is gone", () => owner.delete(`/api/tools/${desk.toolId}`, 200), `There is no tool ${REFUND.name}`],
    [
      "the tool takes other arguments",
      () =>
        owner.patch(`/api/tools/${desk.toolId}`, { parameters: { type: "object", additionalProperties: false } }, 200),
      "arguments must NOT have additional properties (amount)",
    ],
  ])("is refused where %s, and where that comes after it, nothing is done", async (_, change, reason) => {
    const { run: other, action: approved } = await askForApproval(desk);
    await owner.post(`/api/pending-actions/${approved.id}/approve`, { argumentsHash: approved.argumentsHash }, 200);
    await change();
    expect(await approve(409)).toEqual({ error: `It cannot be carried out now: ${reason}` });
    expect(await read()).toMatchObject({ status: "pending" });
    await carryOut(app);
    expect(await read(approved.id)).toMatchObject({ status: "failed", result: { code: "denied", message: reason } });
    expect((await owner.get(`/api/conversations/${other.conversationId}`, 200)).body.handlingMode).toBe("human");
    expect(server.calls).toEqual([]);
  });

  test("counts once", async () => {
    await approve(200);
    expect(await approve(409)).toEqual({ error: "The action is approved already" });
    await reject(409);
  });

  test("answers its repeat with the same key", async () => {
    const headers = { "Idempotency-Key": `approve-${action.id}` };
    const once = () =>
      owner.post(`/api/pending-actions/${action.id}/approve`, { argumentsHash: action.argumentsHash }, 200, {
        headers,
      });
    expect((await once()).body).toEqual((await once()).body);
  });
});

describe("what was approved", () => {
  test("is not done with other arguments than those", async () => {
    await approve(200);
    await app.db.query(`update pending_action set arguments = arguments || '{"amount": 3000}' where id = $1`, [
      action.id,
    ]);
    await carryOut(app);
    expect(await read()).toMatchObject({ status: "failed", result: { code: "changed" } });
    expect(server.calls.filter(({ body }) => body.idempotencyKey === action.id)).toEqual([]);
  });

  test("and failed is for people: the contact is told, an item says why", async () => {
    server.answers["/refund"] = () => ({ status: 422, body: "already refunded" });
    await approve(200);
    await carryOut(app);
    const message = "The tool answered with status 422: already refunded";
    expect(await read()).toMatchObject({ status: "failed", result: { code: "failed", message, value: null } });
    expect(await conversation()).toMatchObject({ handlingMode: "human", assigneeId: null });
    expect(await saidIn(owner, run.conversationId)).toEqual([
      "system: I could not do that for you. I am passing this on to a colleague, who will reply to you here.",
    ]);
    expect((await itemsOf(owner, run.conversationId)).filter(({ status }) => status === "open")).toMatchObject([
      { type: "handoff_requested", reason: `${REFUND.name}: It could not be carried out: ${message}` },
    ]);
  });

  test("and lost its answer is unknown, and is not repeated", async () => {
    server.answers["/refund"] = () => "reset";
    await approve(200);
    await carryOut(app);
    await app.db.query("update pending_action_due set due_at = now()");
    await carryOut(app);
    expect(await read()).toMatchObject({ status: "failed", result: { code: "unknown" } });
    expect(server.calls).toHaveLength(1);
  });

  test("and whose process died is unknown, unless the tool knows", async () => {
    const die = async (id: string): Promise<void> => {
      await app.db.query(
        `with due as (update pending_action_due set due_at = now() - interval '1 second' where action_id = $1)
        update pending_action set started_at = now() where id = $1`,
        [id],
      );
      await carryOut(app);
    };
    await approve(200);
    await die(action.id);
    expect(await read()).toMatchObject({ status: "failed", result: { code: "unknown" } });
    expect((await itemsOf(owner, run.conversationId)).filter(({ status }) => status === "open")).toMatchObject([
      { type: "handoff_requested", severity: "high" },
    ]);
    await owner.patch(`/api/tools/${desk.toolId}`, { statusUrl: server.url("/status") }, 200);
    for (const [executed, status] of [
      [true, "executed"],
      [false, "failed"],
    ] as const) {
      server.answers["/status"] = () => ({ body: { executed } });
      ({ run, action } = await askForApproval(desk));
      await approve(200);
      await die(action.id);
      expect(await read()).toMatchObject({ status });
    }
    expect(server.on("/refund")).toEqual([]);
  });

  test("is done also if a person has taken over meanwhile: they read of it, and the contact is not told by the assistant", async () => {
    await owner.post(`/api/conversations/${run.conversationId}/take-over`, {}, 200);
    expect(await outcomes(), "the run ends with the take-over").toEqual(["discarded"]);
    expect((await activityOf(owner, run.conversationId))[0]).toMatchObject({
      reason: "A person handles the conversation",
      waitsFor: null,
    });
    expect(await read(), "people still decide").toMatchObject({ status: "pending" });
    expect(await conversation()).toMatchObject({ pendingActionCount: 1, openAttentionCount: 1 });
    await approve(200);
    await carryOut(app);
    expect(await read()).toMatchObject({ status: "executed", result: { value: { refunded: 30 } } });
    expect((await conversation()).summary, "what was asked comes first").toMatch(
      new RegExp(`^“I want my money back”\nCarried out: ${REFUND.name} \\{`),
    );
    expect(await saidIn(owner, run.conversationId)).toEqual([]);
    expect(await outcomes()).toEqual(["discarded"]);
  });

  test("is done also if the conversation is resolved meanwhile: its run ends then, and says nothing", async () => {
    await owner.post(`/api/conversations/${run.conversationId}/resolve`, {}, 200);
    expect((await activityOf(owner, run.conversationId))[0]).toMatchObject({
      outcome: "discarded",
      reason: "The conversation is resolved",
    });
    await reject(200, owner, "Too late");
    expect(await saidIn(owner, run.conversationId)).toEqual([]);
    expect(await conversation()).toMatchObject({ status: "resolved", pendingActionCount: 0 });
  });

  test("is told to the contact by the assistant again, if it has the conversation back", async () => {
    await owner.post(`/api/conversations/${run.conversationId}/take-over`, {}, 200);
    await owner.post(`/api/conversations/${run.conversationId}/release`, {}, 200);
    await approve(200);
    await carryOut(app);
    expect(await saidIn(owner, run.conversationId)).toEqual(["system: What you asked for has been done."]);
  });
});

describe("what nobody approves", () => {
  test("is rejected with a reason, the contact is told, and people handle the conversation", async () => {
    expect((await reject(200, owner, "Delivered long ago")).body).toMatchObject({
      status: "rejected",
      reason: "Delivered long ago",
    });
    expect(await conversation()).toMatchObject({
      handlingMode: "human",
      pendingActionCount: 0,
      summary: `“I want my money back”\n${REFUND.name}: A person rejected it: Delivered long ago`,
    });
    expect(await saidIn(owner, run.conversationId)).toEqual([expect.stringContaining("I could not do that for you")]);
    await approve(409);
    await carryOut(app);
    expect(server.calls).toEqual([]);
    expect(await app.app.get(ToolCalls).made(callerOf(desk), run)).toMatchObject([
      { outcome: { kind: "refused", reason: "A person decided against it" } },
    ]);
  });

  test("expires, with the same", async () => {
    await expire();
    expect(await approve(409)).toEqual({ error: "The action has expired" });
    await reject(409);
    await carryOut(app);
    expect(await read()).toMatchObject({ status: "expired", decidedBy: null });
    expect(await conversation()).toMatchObject({ handlingMode: "human", pendingActionCount: 0 });
    expect(await outcomes()).toEqual(["handed_off"]);
    expect((await itemsOf(owner, run.conversationId)).filter(({ status }) => status === "open")).toMatchObject([
      { type: "handoff_requested", reason: `${REFUND.name}: Nobody approved it in time` },
    ]);
    expect(await saidIn(owner, run.conversationId)).toEqual([expect.stringContaining("I could not do that for you")]);
    expect(server.calls).toEqual([]);
  });
});

test("what people decide is in the change feed", async () => {
  const { cursor } = (await owner.get("/api/changes?types=pending_action&limit=500", 200)).body;
  await approve(200);
  await carryOut(app);
  await settled(app.db);
  const { data } = (await owner.get(`/api/changes?types=pending_action&after=${cursor}`, 200)).body;
  expect(data.filter(({ resourceId }) => resourceId === action.id).at(-1)).toMatchObject({
    resourceType: "pending_action",
    resource: { status: "executed" },
  });
});

test("it is kept for 90 days after it is over", async () => {
  const { action: waiting } = await askForApproval(desk);
  await reject(200);
  const age = (id: string, days: number) =>
    app.db.query(
      `update pending_action set created_at = now() - make_interval(days => $2) + interval '1 minute' where id = $1`,
      [id, days],
    );
  await age(action.id, 90);
  await age(waiting.id, 91);
  expect(await app.app.get(DailyService).runNow()).toMatchObject({ pendingActions: 0 });
  await age(action.id, 91);
  expect(await app.app.get(DailyService).runNow()).toMatchObject({ pendingActions: 1 });
  await owner.get(`/api/pending-actions/${action.id}`, 404);
  expect(await read(waiting.id)).toMatchObject({ status: "pending" });
});

test("an erasure deletes it", async () => {
  const { contactId } = await conversation();
  await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
  await owner.get(`/api/pending-actions/${action.id}`, 404);
  expect(await app.db.query("select 1 from pending_action where id = $1", [action.id])).toEqual([]);
  expect(await app.db.query("select 1 from tool_call where run_id = $1", [run.id])).toEqual([]);
  await carryOut(app);
  expect(server.calls).toEqual([]);
});
