import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { system } from "../../../src/platform/caller/caller.js";
import { ConsumptionService } from "../../../src/conversations/consumption/consumption.service.js";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { sideOf, signIn } from "../contract/fixtures.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newAgent, newWorkspace, NOT_FOUND, start } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const fresh = async (): Promise<void> => {
  tenant = await app.tenant();
  owner = await tenant.owner();
  ({ workspaceId } = tenant.defaults);
};
const today = (): string => new Date().toISOString().slice(0, 10);
const counts = (inbound: number, outbound: number) => ({ inbound, outbound, total: inbound + outbound });
/** No language model is set up. */
const tokens = { input: 0, output: 0, total: 0 };
const consumption = async (client: Client, query = "") =>
  (await client.get(`/api/consumption?from=${today()}${query}`, 200)).body;

/** A conversation with this many messages in each direction, and a note. */
async function talk(inbound: number, outbound: number, place = workspaceId) {
  const conversation = await start(tenant.live, place);
  for (let n = 0; n < inbound; n++)
    await tenant.live.post(`/api/conversations/${conversation.id}/messages`, { body: "Hello" }, 201);
  for (let n = 0; n < outbound; n++)
    await tenant.live.post(`/api/conversations/${conversation.id}/reply`, { body: "Hello" }, 200, {
      headers: { "idempotency-key": `${conversation.id} ${n}`.replace(" ", "-") },
    });
  await tenant.live.post(`/api/conversations/${conversation.id}/notes`, { body: "Hello" }, 201);
  return conversation;
}

describe("consumption", () => {
  beforeAll(fresh);

  test("is exact when a message is answered, by day, workspace and conversation, without notes and repeats", async () => {
    const other = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    const { id } = await talk(3, 2);
    await talk(1, 0, other);
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 200, {
      headers: { "idempotency-key": `${id}-0` },
    });
    await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello", externalId: "x" }, 201);
    await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello", externalId: "x" }, 200);
    expect(await consumption(tenant.live)).toEqual({
      from: today(),
      to: today(),
      messages: counts(5, 2),
      tokens,
      days: [{ day: today(), messages: counts(5, 2), tokens }],
      workspaces: [
        { workspaceId, messages: counts(4, 2), tokens },
        { workspaceId: other, messages: counts(1, 0), tokens },
      ],
    });
    expect(await consumption(tenant.live, `&workspaceId=${other}`)).toMatchObject({
      messages: counts(1, 0),
      workspaces: [{ workspaceId: other }],
    });
    expect((await tenant.live.get(`/api/conversations/${id}/consumption`, 200)).body).toEqual({
      conversationId: id,
      messages: counts(4, 2),
      tokens,
      days: [{ day: today(), messages: counts(4, 2), tokens }],
    });
    expect(await consumption(tenant.test)).toMatchObject({ messages: counts(0, 0), workspaces: [] });
  });

  test("has every day of the range, and covers the current month by default; aggregating past days changes no number", async () => {
    const day = (n: number): string => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10);
    for (const slot of [1, 2, 3])
      await app.db.query(
        "insert into consumption (tenant_id, day, workspace_id, slot, inbound, outbound) values ($1, $2, $3, $4, 10, 1)",
        [tenant.tenantId, day(3), workspaceId, slot],
      );
    const read = async () => (await tenant.live.get(`/api/consumption?from=${day(4)}&to=${day(2)}`, 200)).body;
    const before = await read();
    expect(before).toMatchObject({
      messages: counts(30, 3),
      days: [
        { day: day(4), messages: counts(0, 0) },
        { day: day(3), messages: counts(30, 3) },
        { day: day(2), messages: counts(0, 0) },
      ],
    });
    for (let n = 0; n < 2; n++) await app.app.get(ConsumptionService).fold(system("sweep", tenant.tenantId, "live"));
    expect(await read()).toEqual(before);
    expect(
      await app.db.query("select slot, inbound, outbound from consumption where tenant_id = $1 and day = $2", [
        tenant.tenantId,
        day(3),
      ]),
    ).toEqual([{ slot: 0, inbound: 30, outbound: 3 }]);
    const month = (await tenant.live.get("/api/consumption", 200)).body;
    expect([month.from, month.to, month.days.length]).toEqual([
      `${today().slice(0, 8)}01`,
      today(),
      Number(today().slice(8)),
    ]);
  });

  test.each([
    "from=2026-02-30",
    "from=yesterday",
    "from=2026-01-02&to=2026-01-01",
    "from=2025-01-01&to=2026-01-02",
    "to=2026-1-1",
  ])("refuses %s", async (query) => {
    expect((await tenant.live.get(`/api/consumption?${query}`, 400)).body.error).toMatch(/^(from|to) /);
  });

  test("is readable by billing users and owners, also by workspace; billing users read nothing else of a workspace", async () => {
    const billing = await signIn(await sideOf(tenant), "billing");
    expect(await consumption(billing)).toEqual(await consumption(owner));
    expect(await consumption(billing, `&workspaceId=${workspaceId}`)).toEqual(
      await consumption(owner, `&workspaceId=${workspaceId}`),
    );
    const { id } = await start(tenant.live, workspaceId);
    for (const path of [`/api/conversations/${id}/consumption`, "/api/conversations", `/api/workspaces/${workspaceId}`])
      expect((await billing.get(path)).status).toBe(403);
  });

  test("of restricted keys and agents covers only their workspaces", async () => {
    const there = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    await talk(2, 0, there);
    for (const client of [
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId: there } }),
      await newAgent(owner, [there]),
    ]) {
      expect(await consumption(client)).toMatchObject({ messages: counts(2, 0), workspaces: [{ workspaceId: there }] });
      expect((await client.get(`/api/consumption?workspaceId=${workspaceId}`, 404)).body).toEqual(NOT_FOUND);
    }
    expect(await consumption(await newAgent(owner, []))).toMatchObject({ messages: counts(0, 0), workspaces: [] });
  });
});

describe("consumption stays counted", () => {
  beforeAll(fresh);

  test("after the person is erased", async () => {
    const { id, contactId } = await talk(2, 1);
    const before = await consumption(owner);
    const own = (await owner.get(`/api/conversations/${id}/consumption`, 200)).body;
    await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect(await consumption(owner)).toEqual(before);
    expect((await owner.get(`/api/conversations/${id}/consumption`, 200)).body).toEqual(own);
  });

  test("in the organisation's total after the workspace is deleted, while the workspace itself is omitted", async () => {
    const gone = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    await talk(4, 0, gone);
    const { messages, workspaces } = await consumption(owner);
    const agent = await newAgent(owner, [gone, workspaceId]);
    await owner.delete(`/api/workspaces/${gone}`, 200);
    const look = async () => {
      expect(await consumption(owner)).toMatchObject({
        messages,
        workspaces: workspaces.filter((one) => one.workspaceId !== gone),
      });
      expect((await consumption(agent)).messages.total).toBe(messages.total - 4);
      await owner.get(`/api/consumption?workspaceId=${gone}`, 404);
    };
    await look();
    await app.app.get(PurgeWorkspacesJob).run();
    await look();
  });
});

test("a hundred concurrent messages in one workspace are all counted", async () => {
  await fresh();
  const conversations = await Promise.all(Array.from({ length: 10 }, () => start(tenant.live, workspaceId)));
  await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      tenant.live.post(
        `/api/conversations/${conversations[n % 10]!.id}/${n % 2 ? "reply" : "messages"}`,
        { body: "Hello" },
        n % 2 ? 200 : 201,
      ),
    ),
  );
  expect((await consumption(owner)).messages).toEqual(counts(50, 50));
});
