import { afterAll, beforeAll, expect, test } from "vitest";
import type { AttentionType } from "../../src/conversations/attention/attention-item.entity.js";
import { raise } from "../../src/conversations/attention/raise.js";
import type { TestTenant } from "../support/app.js";
import { concurrently, databaseWithDeadlocks, on, startTwo, tally, type TwoNodes } from "./support.js";
import { run } from "../support/sql.js";

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo({}, await databaseWithDeadlocks());
  tenant = await nodes.a.tenant();
});
afterAll(() => nodes.close());

const conversation = async (): Promise<string> =>
  (await tenant.live.post("/api/conversations", { workspaceId: tenant.defaults.workspaceId, contact: {} }, 201)).body
    .id;
const node = (n: number) => (n % 2 ? nodes.b : nodes.a);
const demand = (conversationId: string, n: number, type: AttentionType = "kb_gap"): Promise<void> =>
  node(n).transaction(tenant.tenantId, (tx) =>
    raise(tx, { conversationId, type, severity: "low", reason: `occurrence ${n}` }),
  );
const itemsOf = async (id: string) =>
  (await tenant.live.get(`/api/attention-items?conversationId=${id}&limit=100`, 200)).body.data;
const countOf = async (id: string): Promise<number> =>
  (await tenant.live.get(`/api/conversations/${id}`, 200)).body.openAttentionCount;
const resolve = (id: string, n: number) => on(node(n), tenant.live).post(`/api/attention-items/${id}/resolve`);

test("raising the same cause twenty times concurrently on two nodes makes one item with twenty occurrences, counted once", async () => {
  const id = await conversation();
  await concurrently(20, (n) => demand(id, n));
  expect(await itemsOf(id)).toMatchObject([{ occurrences: 20, status: "open" }]);
  expect(await countOf(id)).toBe(1);
});

test("raising two causes concurrently, ten times each, makes two items", async () => {
  const id = await conversation();
  await concurrently(20, (n) => demand(id, n, n < 10 ? "kb_gap" : "csat_low"));
  expect((await itemsOf(id)).map(({ type, occurrences }) => [type, occurrences]).sort()).toEqual([
    ["csat_low", 10],
    ["kb_gap", 10],
  ]);
  expect(await countOf(id)).toBe(2);
});

test("resolving an item twenty times concurrently lowers the count once, for one caller", async () => {
  const id = await conversation();
  await demand(id, 0);
  await demand(id, 0, "csat_low");
  const [, item] = await itemsOf(id);
  expect(tally((await concurrently(20, (n) => resolve(item!.id, n))).map(({ status }) => status))).toEqual({ 200: 20 });
  expect(await countOf(id)).toBe(1);
});

test("concurrent raises, resolves and messages never deadlock, lose no occurrence, and keep the count equal to the open items", async () => {
  const id = await conversation();
  await demand(id, 0);
  const statuses = await concurrently(45, async (n) => {
    if (n % 3 === 0) return demand(id, n).then(() => 200);
    if (n % 3 === 1)
      return (await on(node(n), tenant.live).post(`/api/conversations/${id}/reply`, { body: `${n}` })).status;
    return (await resolve((await itemsOf(id))[0]!.id, n)).status;
  });
  expect(tally(statuses)).toEqual({ 200: 45 });
  const items = await itemsOf(id);
  expect(items.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(16);
  expect(items.filter(({ status }) => status === "open").length).toBeLessThanOrEqual(1);
  expect(await countOf(id)).toBe(items.filter(({ status }) => status === "open").length);
});

test("raising an item while holding the conversation's lock does not deadlock with resolving one", async () => {
  const id = await conversation();
  await demand(id, 0);
  const [item] = await itemsOf(id);
  await concurrently<unknown>(12, (n) =>
    n % 2
      ? resolve(item!.id, n)
      : nodes.a.transaction(tenant.tenantId, async (tx) => {
          await run(tx, "select from conversation where tenant_id = :tenant and id = :id for update", { id });
          await raise(tx, { conversationId: id, type: "kb_gap", severity: "low", reason: "While it is held" });
        }),
  );
  expect(await countOf(id)).toBe((await itemsOf(id)).filter(({ status }) => status === "open").length);
});

test("what asks for a person ends with the conversation, whichever comes first, and a gap in the knowledge outlasts it", async () => {
  const id = await conversation();
  const act = (action: string, n: number) => on(node(n), tenant.live).post(`/api/conversations/${id}/${action}`);
  await demand(id, 0);
  for (let round = 0; round < 5; round++) {
    await act("reopen", round);
    await concurrently<unknown>(8, (n) => (n === 4 ? act("resolve", n) : demand(id, n, "handoff_requested")));
    expect((await tenant.live.get(`/api/conversations/${id}`, 200)).body.status).toBe("resolved");
    const items = await itemsOf(id);
    expect(items.filter(({ status }) => status === "open").map(({ type }) => type)).toEqual(["kb_gap"]);
    expect(await countOf(id)).toBe(1);
  }
  const ended = (await itemsOf(id)).filter(({ type }) => type === "handoff_requested");
  expect(ended.length).toBeGreaterThan(0);
  for (const item of ended) expect(item).toMatchObject({ status: "resolved", resolvedBy: null });
});
