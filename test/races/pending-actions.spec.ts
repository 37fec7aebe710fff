import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  askForApproval,
  beginRun,
  call,
  carryOut,
  type Desk,
  openDesk,
  policy,
  REFUND,
  startToolServer,
  type ToolServer,
  VALID,
} from "../server/assistant/tools-support.js";
import { assist, outcomesOf, saidIn } from "../server/assistant/support.js";
import { newAgent } from "../server/e2e/support.js";
import type { Schemas } from "../support/api-types.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { concurrently, on, SOON_MS, startTwo, tally, type TwoNodes, until } from "./support.js";
import { runs } from "../support/seed.js";

// Of several decisions about an action one counts, and what was approved is done once, whoever does what at the same moment.

/** Of each kind. APPROVAL_RACES sets another number. */
const ROUNDS = Number(process.env.APPROVAL_RACES ?? runs(2, 12));

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
let server: ToolServer;
let desk: Desk;
beforeAll(async () => {
  server = await startToolServer();
  nodes = await startTwo({ OUTBOUND_ALLOW: [server.host] });
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await nodes.close();
  await server.close();
});
beforeEach(async () => {
  server.calls.length = 0;
  desk = await openDesk(nodes.a, tenant, owner, server);
  await policy(desk, "require_approval");
});

const node = (n: number) => (n % 2 ? nodes.b : nodes.a);
const approve = async (client: Client, { id, argumentsHash }: Schemas["PendingAction"], n: number): Promise<number> =>
  (await on(node(n), client).post(`/api/pending-actions/${id}/approve`, { argumentsHash })).status;
const reject = async (client: Client, { id }: Schemas["PendingAction"], n: number): Promise<number> =>
  (await on(node(n), client).post(`/api/pending-actions/${id}/reject`, {})).status;
const carryOutOnBoth = (): Promise<unknown> => Promise.all([carryOut(nodes.a), carryOut(nodes.b)]);
/** The action as it ended, and how often the tool was called for it. What one process ended, the other shows a moment later. */
const ended = async ({ id }: Schemas["PendingAction"]): Promise<[status: string, calls: number]> => {
  const [row] = await nodes.a.db.query<{ status: string }>("select status from pending_action where id = $1", [id]);
  const { status } = row!;
  await vi.waitFor(async () => {
    const { body } = await owner.get(`/api/pending-actions/${id}`, 200);
    const { pendingActionCount } = (await owner.get(`/api/conversations/${body.conversationId}`, 200)).body;
    expect([body.status, pendingActionCount]).toEqual([status, status === "pending" ? 1 : 0]);
  }, SOON_MS);
  return [status, server.calls.filter((one) => one.body.idempotencyKey === id).length];
};

test("of several approvers one counts, and the tool is called once", async () => {
  const colleague = await newAgent(owner, [desk.workspaceId]);
  for (let round = 0; round < ROUNDS; round++) {
    const { action } = await askForApproval(desk);
    const statuses = await concurrently(6, (n) => approve(n % 3 ? owner : colleague, action, n));
    expect(tally(statuses)).toEqual({ 200: 1, 409: 5 });
    await carryOutOnBoth();
    expect(await ended(action)).toEqual(["executed", 1]);
  }
});

test("of two who bring in a wish at the same moment, neither approves it", async () => {
  const agents = [await newAgent(owner, [desk.workspaceId]), await newAgent(owner, [desk.workspaceId])];
  for (let round = 0; round < ROUNDS; round++) {
    const { conversationId } = await beginRun(desk);
    await concurrently(4, (n) =>
      on(node(n), agents[n % 2]!).post(`/api/conversations/${conversationId}/messages`, { body: "Refund it" }, 201),
    );
    const [newest] = await nodes.a.db.query<{ id: string }>(
      `update assistant_run set started_at = now(), attempts = 1 where id = (
        select r.id from assistant_run r where r.conversation_id = $1 order by r.sequence desc limit 1
      ) returning id`,
      [conversationId],
    );
    const asked = await call(desk, { id: newest!.id, conversationId, agentId: desk.agentId });
    const { pendingActionId: id } = asked as { pendingActionId: string };
    const { body: action } = await owner.get(`/api/pending-actions/${id}`, 200);
    expect(await Promise.all(agents.map((agent, n) => approve(agent, action, n)))).toEqual([409, 409]);
    expect(await approve(owner, action, round)).toBe(200);
    await carryOutOnBoth();
  }
});

test("of an approval and a rejection one counts", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { action } = await askForApproval(desk);
    const [approved, rejected] = await Promise.all(
      round % 2
        ? [approve(owner, action, 0), reject(owner, action, 1)]
        : ([reject(owner, action, 1), approve(owner, action, 0)].reverse() as [Promise<number>, Promise<number>]),
    );
    expect([approved, rejected].sort()).toEqual([200, 409]);
    await carryOutOnBoth();
    expect(await ended(action)).toEqual(approved === 200 ? ["executed", 1] : ["rejected", 0]);
  }
});

test("of an approval and the expiry one counts", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { action } = await askForApproval(desk);
    const inMs = 5 + (round % 4) * 10;
    await nodes.a.db.query(
      `with due as (update pending_action_due set due_at = now() where action_id = $1)
      update pending_action set expires_at = now() + make_interval(secs => $2::float8 / 1000) where id = $1`,
      [action.id, inMs],
    );
    await new Promise((resolve) => setTimeout(resolve, (round % 3) * 10));
    const [status] = await Promise.all([approve(owner, action, round), carryOutOnBoth()]);
    // The action has expired by then, unless it was approved.
    await until(
      () =>
        nodes.a.db.query("select from pending_action where id = $1 and expires_at <= clock_timestamp()", [action.id]),
      "its time is over",
    );
    await nodes.a.db.query("update pending_action_due set due_at = now() where action_id = $1", [action.id]);
    await carryOutOnBoth();
    expect(await ended(action)).toEqual(status === 200 ? ["executed", 1] : ["expired", 0]);
  }
});

test("of an approval and a take-over both count: it is done once, the run is over, and the assistant says nothing", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { run, action } = await askForApproval(desk);
    await nodes.a.db.query("update assistant_run set waits_for = 'approval' where id = $1", [run.id]);
    const takeOver = on(node(round + 1), owner).post(`/api/conversations/${run.conversationId}/take-over`, {});
    const approved = approve(owner, action, round);
    const early = round % 3 ? carryOutOnBoth() : undefined;
    expect([(await takeOver).status, await approved]).toEqual([200, 200]);
    await early;
    await carryOutOnBoth();
    expect(await ended(action)).toEqual(["executed", 1]);
    await Promise.all([assist(nodes.a), assist(nodes.b)]);
    expect(await outcomesOf(owner, run.conversationId)).toEqual(["discarded"]);
    expect(await saidIn(owner, run.conversationId)).toEqual([]);
    const { handlingMode, summary } = (await owner.get(`/api/conversations/${run.conversationId}`, 200)).body;
    expect(handlingMode).toBe("human");
    // If it was done first, whoever took over finds it on the card.
    if (!early) expect(summary).toContain("Carried out: ");
  }
});

test("a change of the tool, the policies or the arguments during an approval never has something done that nobody saw", async () => {
  let serial = 0;
  const changes = [
    () => owner.patch(`/api/tools/${desk.toolId}`, { description: `Changed ${++serial}` }, 200),
    () => policy(desk, "deny", { priority: 500, conditions: { field: "amount", op: "gt", value: 1_000 } }),
  ];
  for (let round = 0; round < ROUNDS; round++) {
    const { action } = await askForApproval(desk);
    const [status] = await Promise.all([approve(owner, action, round), changes[round % 2]!(), carryOutOnBoth()]);
    await carryOutOnBoth();
    const [end, calls] = await ended(action);
    if (status === 200) expect([`executed 1`, `failed 0`]).toContain(`${end} ${calls}`);
    else expect([end, calls]).toEqual(["pending", 0]);
  }
});

test("arguments that change after the approval are not carried out, in whatever moment they change", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { action } = await askForApproval(desk);
    expect(await approve(owner, action, round)).toBe(200);
    await Promise.all([
      carryOutOnBoth(),
      nodes.a.db.query(`update pending_action set arguments = arguments || '{"amount": 9999}' where id = $1`, [
        action.id,
      ]),
    ]);
    await carryOutOnBoth();
    for (const { body } of server.calls.filter((one) => one.body.idempotencyKey === action.id))
      expect(body.arguments).toEqual(action.arguments);
  }
});

test("two processes that work on the same run make its call once", async () => {
  const free = await openDesk(nodes.a, tenant, owner, server);
  await policy(free, "allow");
  for (let round = 0; round < ROUNDS; round++) {
    const run = await beginRun(free);
    const before = server.calls.length;
    const outcomes = await concurrently(6, (n) => call(free, run, REFUND.name, VALID, false, node(n)));
    expect(server.calls.length - before).toBe(1);
    expect(outcomes.filter(({ kind }) => kind === "result").length).toBeGreaterThan(0);
    for (const outcome of outcomes) expect(["result", "escalated"]).toContain(outcome.kind);
  }
});

test("two processes that ask for the same in a conversation ask once", async () => {
  const run = await beginRun(desk);
  const outcomes = await concurrently(8, (n) => call(desk, run, REFUND.name, VALID, false, node(n)));
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  expect((await owner.get(`/api/conversations/${run.conversationId}`, 200)).body.pendingActionCount).toBe(1);
});

test("two processes that work on the same run ask the customer one question", async () => {
  const proven = await openDesk(nodes.a, tenant, owner, server);
  const questions = ["a", "b", "c"].map((attribute) => ({
    key: attribute,
    prompt: `What is ${attribute}?`,
    attribute,
  }));
  const sources = [{ name: "crm", type: "contact_attributes", questions }];
  await owner.put(`/api/workspaces/${proven.workspaceId}/verification-sources`, { sources }, 200);
  await policy(proven, "allow", { requiredAssuranceLevel: "identified" });
  for (let round = 0; round < ROUNDS; round++) {
    const run = await beginRun(proven, { attributes: { a: "1", b: "2", c: "3" } });
    const outcomes = await concurrently(6, (n) => call(proven, run, REFUND.name, VALID, false, node(n)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: "waits", for: "verification" });
    expect(await saidIn(proven.key, run.conversationId)).toHaveLength(1);
    const { events } = (await owner.get(`/api/conversations/${run.conversationId}/identity-events`, 200)).body;
    expect(events.map(({ eventType }) => eventType)).toEqual(["kbv_question_asked"]);
  }
});

test("of approvals at once, the one that makes 20 proposes one policy", async () => {
  const colleague = await newAgent(owner, [desk.workspaceId]);
  const actions: Schemas["PendingAction"][] = [];
  for (let n = 0; n < 22; n++) actions.push((await askForApproval(desk, { ...VALID, amount: n + 1 })).action);
  const statuses = await concurrently(22, (n) => approve(n % 3 ? owner : colleague, actions[n]!, n));
  expect(tally(statuses)).toEqual({ 200: 22 });
  const { body: proposed } = await owner.get(`/api/workspaces/${desk.workspaceId}/policy-entries/pending`, 200);
  expect(proposed).toMatchObject([{ effect: "allow", tools: [REFUND.name], source: "learning" }]);
  await carryOutOnBoth();
});
