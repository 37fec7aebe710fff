import { afterAll, beforeAll, expect, test } from "vitest";
import { NEXT_NUMBER } from "../../src/conversations/cases/cases.queries.js";
import type { TestApp, TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { runs } from "../support/seed.js";
import { concurrently, on, startTwo, tally, type TwoNodes } from "./support.js";

let two: TwoNodes;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  two = await startTwo();
  tenant = await two.a.tenant();
  owner = await tenant.owner();
});
afterAll(() => two.close());
const node = (n: number): TestApp => [two.a, two.b][n % 2]!;
const newWorkspace = async (): Promise<string> =>
  (await owner.post("/api/workspaces", { name: "Race", brandId: tenant.defaults.brandId }, 201)).body.id;

test("thirty concurrent cases on two nodes get the numbers 1 to 30, even if other creations are rolled back", async () => {
  const workspaceId = await newWorkspace();
  const numbers = await concurrently(45, async (n) => {
    if (n % 3 < 2)
      return (await on(node(n), owner).post("/api/cases", { workspaceId, title: `${n}` }, 201)).body.number;
    await node(n)
      .transaction(tenant.tenantId, async (tx) => {
        await tx.query(NEXT_NUMBER, { workspaceId });
        throw new Error("undone");
      })
      .catch(() => undefined);
    return 0;
  });
  expect(numbers.filter((number) => number > 0).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 30 }, (_, n) => n + 1),
  );
});

test("twenty concurrent status changes record events that lead from one status to the next", async () => {
  const {
    body: { id },
  } = await owner.post("/api/cases", { workspaceId: tenant.defaults.workspaceId, title: "x" }, 201);
  const statuses = ["in_progress", "waiting_on_customer", "resolved"];
  const answers = await concurrently(20, (n) =>
    on(node(n), owner).patch(`/api/cases/${id}`, { status: statuses[n % 3] }),
  );
  expect(
    Object.keys(tally(answers.map(({ status }) => status))).filter((status) => !["200", "409"].includes(status)),
  ).toEqual([]);
  const events = (await owner.get(`/api/cases/${id}/events?limit=100`, 200)).body.data.slice(1);
  expect(events.length).toBeGreaterThan(1);
  expect(events.map(({ from }) => from)).toEqual(["submitted", ...events.slice(0, -1).map(({ to }) => to)]);
  expect((await owner.get(`/api/cases/${id}`, 200)).body.status).toBe(events.at(-1)!.to);
});

test("concurrent links and unlinks of conversations end with the last change, and the events match it", async () => {
  const { workspaceId } = tenant.defaults;
  const conversations = await concurrently(
    4,
    async () => (await tenant.live.post("/api/conversations", { workspaceId, contact: {} }, 201)).body.id,
  );
  const {
    body: { id },
  } = await owner.post("/api/cases", { workspaceId, title: "x" }, 201);
  // Each makes four events at most, so that all fit on one page.
  await concurrently(16, (n) =>
    on(node(n), owner).patch(
      `/api/cases/${id}`,
      { conversationIds: [conversations[n % 4], conversations[(n + 1) % 4]] },
      200,
    ),
  );
  const links = new Set<string>();
  for (const { type, from, to } of (await owner.get(`/api/cases/${id}/events?limit=100`, 200)).body.data.slice(1)) {
    if (type === "conversation_linked") expect(links.has(to as string), "linked twice").toBe(false);
    if (type === "conversation_linked") links.add(to as string);
    else expect(links.delete(from as string), "unlinked before it was linked").toBe(true);
  }
  const { conversationIds } = (await owner.get(`/api/cases/${id}`, 200)).body;
  expect(conversationIds).toHaveLength(2);
  expect([...links].sort()).toEqual([...conversationIds].sort());
});

test("a case opened for a person during their erasure keeps none of their data", async () => {
  let opened = 0;
  // In a round the erasure may come first. Some case has to come before one.
  for (let round = 0; round < runs(4, 8) || (opened === 0 && round < 100); round++) {
    const {
      body: { id: conversationId, contactId },
    } = await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" } },
      201,
    );
    const open = (client: Client, about: object) =>
      client.post("/api/cases", { workspaceId: tenant.defaults.workspaceId, title: "Of Ada", ...about });
    const named = () => two.a.db.query(`select 1 from support_case where title = 'Of Ada'`);
    expect((await open(owner, { contactId })).status).toBe(201);
    expect(await named()).toHaveLength(1);
    const statuses = await concurrently(6, async (n) =>
      n === 3
        ? (await on(node(n), owner).post(`/api/contacts/${contactId}/erasure`)).status
        : (await open(on(node(n), owner), n % 2 ? { contactId } : { conversationIds: [conversationId] })).status,
    );
    expect(statuses.splice(3, 1)).toEqual([200]);
    expect(statuses.filter((status) => ![201, 404, 409].includes(status))).toEqual([]);
    opened += statuses.filter((status) => status === 201).length;
    expect(await named()).toEqual([]);
  }
  expect(opened).toBeGreaterThan(0);
});
