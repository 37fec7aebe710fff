import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ToolRun } from "../../src/assistant/tools/tool-calls.js";
import { start } from "../server/e2e/support.js";
import {
  beginRun,
  call,
  carryOut,
  type Desk,
  openDesk,
  policy,
  REFUND,
  startToolServer,
  type ToolServer,
} from "../server/assistant/tools-support.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { runs } from "../support/seed.js";
import { concurrently, startTwo, type TwoNodes } from "./support.js";

// A limit on what is done for a contact holds over all of their calls, also over those that are made at the same moment.

const ROUNDS = runs(3, 20);
const LIMIT = { field: "done.refund_order.sum.amount.24h", op: "gt", value: 5 };

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
  server.answers = {};
  desk = await openDesk(nodes.a, tenant, owner, server);
  await policy(desk, "allow", { priority: 50 });
});

const refund = (run: ToolRun, order: number, amount: number, node = nodes.a) =>
  call(desk, run, REFUND.name, { orderId: `#W${1_000_000 + order}`, amount }, false, node);
const refunded = (): number =>
  server.on("/refund").reduce((sum, { body }) => sum + (body.arguments.amount as number), 0);
/** The run of another conversation of the same contact. */
async function another({ contactId }: { contactId: string }): Promise<ToolRun> {
  const { id: conversationId } = await start(desk.key, desk.workspaceId, { contactId, message: { body: "Me again" } });
  const [run] = await desk.app.db.query<{ id: string }>(
    `update assistant_run set started_at = now(), attempts = 1 where conversation_id = $1 returning id`,
    [conversationId],
  );
  return { id: run!.id, conversationId, agentId: desk.agentId };
}

test("refunds of 2, 2.50 and 3 in one run do not pass a limit of 5, and what failed does not count", async () => {
  await policy(desk, "deny", { conditions: LIMIT });
  const run = await beginRun(desk);
  server.answers["/refund"] = () => ({ status: 422, body: { error: "no such order" } });
  await refund(run, 0, 4);
  server.answers = {};
  server.calls.length = 0;
  expect(await refund(run, 1, 2)).toMatchObject({ kind: "result" });
  expect(await refund(run, 2, 2.5)).toMatchObject({ kind: "result" });
  expect(await refund(run, 3, 3)).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("done.refund_order.sum.amount.24h is greater than 5") as string,
  });
  expect(refunded()).toBe(4.5);
  expect(await refund(await another(run), 4, 0.5), "and in another conversation").toMatchObject({ kind: "result" });
  expect(await refund(await another(run), 5, 0.5)).toMatchObject({ kind: "refused" });
  expect(await refund(await beginRun(desk), 6, 5), "another contact").toMatchObject({ kind: "result" });
});

test("sums that no number holds are beyond every limit", async () => {
  await policy(desk, "deny", { conditions: LIMIT });
  const run = await beginRun(desk);
  await refund(run, 1, 1);
  await refund(run, 2, 2);
  await desk.app.db.query(
    `update tool_call set arguments = arguments || '{"amount": 1.7e308}' where conversation_id = $1`,
    [run.conversationId],
  );
  expect(await refund(run, 3, 1)).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("is greater than 5") as string,
  });
});

test("a count ends with its period", async () => {
  await policy(desk, "deny", { conditions: { field: "done.refund_order.count.1h", op: "gt", value: 1 } });
  const run = await beginRun(desk);
  expect(await refund(run, 1, 1)).toMatchObject({ kind: "result" });
  expect(await refund(run, 2, 1)).toMatchObject({ kind: "refused" });
  await desk.app.db.query(`update tool_call set created_at = created_at - interval '61 minutes'`);
  expect(await refund(await another(run), 3, 1)).toMatchObject({ kind: "result" });
});

test("two conversations of a contact at the same moment do not pass it together, on two nodes", async () => {
  await policy(desk, "deny", { conditions: LIMIT });
  for (let round = 0; round < ROUNDS; round++) {
    server.calls.length = 0;
    const first = await beginRun(desk);
    const all = [first, await another(first)];
    await concurrently(6, (n) => refund(all[n % 2]!, n, 2.5, n % 3 ? nodes.b : nodes.a));
    expect(refunded(), `round ${round}`).toBe(5);
  }
});

test("what people approved counts as well, and two that are carried out at the same moment do not pass it together", async () => {
  await policy(desk, "require_approval", { priority: 60 });
  await policy(desk, "deny", { conditions: LIMIT });
  for (let round = 0; round < ROUNDS; round++) {
    server.calls.length = 0;
    const first = await beginRun(desk);
    const all = [first, await another(first)];
    for (const [n, run] of all.entries()) {
      const waits = await refund(run, n, 3);
      expect(waits).toMatchObject({ kind: "waits", for: "approval" });
      const path = `/api/conversations/${run.conversationId}/pending-actions`;
      const [action] = (await owner.get(path as "/api/conversations/{id}/pending-actions", 200)).body.data;
      await owner.post(`/api/pending-actions/${action!.id}/approve`, { argumentsHash: action!.argumentsHash }, 200);
    }
    await Promise.all([carryOut(nodes.a), carryOut(nodes.b)]);
    expect(refunded(), `round ${round}`).toBe(3);
  }
});
