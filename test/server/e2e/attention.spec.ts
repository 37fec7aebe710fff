import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { raise } from "../../../src/conversations/attention/raise.js";
import type { Schemas } from "../../support/api-types.js";
import { undisturbed } from "../../races/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  ({ workspaceId } = tenant.defaults);
});
afterAll(() => app.close());

type Attention = Parameters<typeof raise>[1];
const demand = (conversationId: string, attention: Partial<Attention> = {}): Promise<void> =>
  app.transaction(tenant.tenantId, (tx) =>
    raise(tx, { conversationId, type: "kb_gap", severity: "medium", reason: "Nothing found", ...attention }),
  );
type Item = Schemas["AttentionItem"] & { conversationId: string };
const itemsOf = async (conversationId: string, query = "") =>
  walk<Item>(tenant.live, `/api/attention-items?conversationId=${conversationId}${query}`);
/** Creates an item in a new conversation. */
async function fresh(attention: Partial<Attention> = {}, of = workspaceId) {
  const { id } = await start(tenant.live, of);
  await demand(id, attention);
  return (await itemsOf(id))[0]!;
}
const read = async (id: string) => (await tenant.live.get(`/api/attention-items/${id}`, 200)).body;
const conversation = async (id: string) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
const resolve = async (id: string, client = tenant.live): Promise<unknown> =>
  (await client.post(`/api/attention-items/${id}/resolve`, undefined, 200)).body;
const empty = async (): Promise<string> => (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;

describe("an attention item", () => {
  test("has every field, is counted in its conversation and moves the conversation's activity", async () => {
    const { id: conversationId, lastActivityAt } = await start(tenant.live, workspaceId);
    await demand(conversationId, { type: "identity_locked", severity: "high", reason: "Three wrong answers" });
    const [item, ...more] = (await itemsOf(conversationId)) as [Item, ...Item[]];
    expect(item).toEqual({
      id: anId,
      workspaceId,
      conversationId,
      channelId: null,
      assistantTestId: null,
      calendarConnectionId: null,
      circuitBreakerId: null,
      type: "identity_locked",
      severity: "high",
      reason: "Three wrong answers",
      status: "open",
      occurrences: 1,
      assigneeId: null,
      resolvedBy: null,
      resolvedAt: null,
      createdAt: aTime,
    });
    expect(more).toEqual([]);
    expect(await read(item.id)).toEqual(item);
    expect(await conversation(conversationId)).toMatchObject({
      openAttentionCount: 1,
      lastActivityAt: item.createdAt,
      updatedAt: item.createdAt,
    });
    expect(item.createdAt > lastActivityAt).toBe(true);
  });

  test("with the same cause raises the count of the open item, and changes nothing else in the conversation", async () => {
    const item = await fresh();
    const before = await conversation(item.conversationId);
    await demand(item.conversationId, { severity: "urgent", reason: "Again" });
    await demand(item.conversationId);
    expect(await itemsOf(item.conversationId)).toEqual([{ ...item, occurrences: 3 }]);
    expect(await conversation(item.conversationId)).toEqual(before);
  });

  test("with another cause, or in another conversation, is a separate item", async () => {
    const item = await fresh();
    await demand(item.conversationId, { type: "csat_low" });
    expect((await itemsOf(item.conversationId)).map(({ type, occurrences }) => [type, occurrences])).toEqual([
      ["csat_low", 1],
      ["kb_gap", 1],
    ]);
    expect((await conversation(item.conversationId)).openAttentionCount).toBe(2);
    expect((await fresh()).id).not.toBe(item.id);
    expect(await read(item.id)).toEqual(item);
  });

  test("shows the conversation's assignee", async () => {
    const item = await fresh();
    const agent = await newAgent(await tenant.owner(), [workspaceId]);
    await agent.post(`/api/conversations/${item.conversationId}/reply`, { body: "I am on it." }, 200);
    expect((await read(item.id)).assigneeId).toBe(agent.id);
  });

  test("is not raised if its transaction is rolled back or its conversation does not exist", async () => {
    const { id } = await start(tenant.live, workspaceId);
    await expect(
      app.transaction(tenant.tenantId, async (tx) => {
        await raise(tx, { conversationId: id, type: "kb_gap", severity: "low", reason: "Nothing found" });
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    expect(await itemsOf(id)).toEqual([]);
    expect((await conversation(id)).openAttentionCount).toBe(0);
    const other = await app.tenant();
    for (const unknown of [UNKNOWN_ID, (await start(other.live, other.defaults.workspaceId)).id])
      await expect(demand(unknown)).rejects.toThrow("Not found");
  });
});

describe("resolving an attention item", () => {
  test("records who and when, lowers the conversation's count and moves its activity", async () => {
    const item = await fresh();
    await demand(item.conversationId, { type: "csat_low" });
    const owner = await tenant.owner();
    const { body: me } = await owner.get("/api/me", 200);
    expect(await resolve(item.id, owner)).toEqual({ ok: true });
    const resolved = await read(item.id);
    expect(resolved).toEqual({ ...item, status: "resolved", resolvedBy: me.id, resolvedAt: aTime });
    expect(await conversation(item.conversationId)).toMatchObject({
      openAttentionCount: 1,
      lastActivityAt: resolved.resolvedAt,
      updatedAt: resolved.resolvedAt,
    });
  });

  test("a second time, by any caller, returns {ok: true} and changes nothing", async () => {
    const item = await fresh();
    await resolve(item.id);
    const before = [await read(item.id), await conversation(item.conversationId)];
    for (const client of [tenant.live, await tenant.owner()])
      expect(await resolve(item.id, client)).toEqual({ ok: true });
    expect([await read(item.id), await conversation(item.conversationId)]).toEqual(before);
  });

  test("makes the next occurrence of the same cause a new item", async () => {
    const item = await fresh();
    await demand(item.conversationId);
    await resolve(item.id);
    await demand(item.conversationId, { reason: "Once more" });
    expect(await itemsOf(item.conversationId)).toMatchObject([
      { reason: "Once more", status: "open", occurrences: 1 },
      { id: item.id, status: "resolved", occurrences: 2 },
    ]);
    expect((await conversation(item.conversationId)).openAttentionCount).toBe(1);
  });

  test("is allowed to agents in their workspaces", async () => {
    const owner = await tenant.owner();
    const agent = await newAgent(owner, [workspaceId]);
    const item = await fresh();
    const stranger = await newAgent(owner, [await empty()]);
    expect((await stranger.post(`/api/attention-items/${item.id}/resolve`, undefined, 404)).body).toEqual(NOT_FOUND);
    expect((await read(item.id)).status).toBe("open");
    expect(await resolve(item.id, agent)).toEqual({ ok: true });
    expect(await read(item.id)).toMatchObject({ status: "resolved", resolvedBy: agent.id });
  });
});

describe("the list", () => {
  test("is newest first, supports all filters in combination, and is complete at every page size", async () => {
    const here = await empty();
    const items: Item[] = [];
    for (let n = 0; n < 9; n++) items.unshift(await fresh({ type: n % 3 ? "kb_gap" : "low_confidence" }, here));
    await demand(items[0]!.conversationId, { type: "approval_required" });
    items.unshift((await itemsOf(items[0]!.conversationId))[0]!);
    for (const n of [2, 5, 6]) await resolve(items[n]!.id);
    const all = await Promise.all(items.map(({ id }) => read(id)));
    const filters: [string, (item: Schemas["AttentionItem"]) => boolean][] = [
      ["", () => true],
      ["&status=open", ({ status }) => status === "open"],
      ["&status=resolved", ({ status }) => status === "resolved"],
      ["&type=kb_gap", ({ type }) => type === "kb_gap"],
      ["&type=kb_gap&status=resolved", ({ type, status }) => type === "kb_gap" && status === "resolved"],
      [
        `&conversationId=${items[0]!.conversationId}`,
        ({ conversationId }) => conversationId === items[0]!.conversationId,
      ],
      [
        `&conversationId=${items[0]!.conversationId}&type=approval_required&status=open`,
        ({ id }) => id === items[0]!.id,
      ],
      ["&type=guardrail_block", () => false],
    ];
    for (const [filter, wanted] of filters) {
      for (const limit of filter ? [4] : [1, 4, 100])
        expect([
          filter,
          limit,
          await walk(tenant.live, `/api/attention-items?workspaceId=${here}${filter}`, limit),
        ]).toEqual([filter, limit, all.filter(wanted)]);
    }
  });

  test("shows restricted keys and agents only the items of their workspaces", async () => {
    const owner = await tenant.owner();
    const there = await newWorkspace(tenant.live, (await owner.post("/api/brands", { name: "Other" }, 201)).body.id);
    const [inside, outside] = [await fresh({}, there.id), await fresh()];
    const callers: Client[] = [
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId: there.id } }),
      await keyFor(owner, { dataScope: { level: "brand", brandId: there.brandId } }),
      await newAgent(owner, [there.id]),
    ];
    for (const client of callers) {
      for (const query of ["", "?status=open", `?workspaceId=${there.id}`])
        expect(await walk(client, `/api/attention-items${query}`)).toEqual([inside]);
      expect(await walk(client, `/api/attention-items?conversationId=${outside.conversationId}`)).toEqual([]);
      expect((await client.get(`/api/attention-items?workspaceId=${workspaceId}`, 404)).body).toEqual(NOT_FOUND);
      expect((await client.get(`/api/attention-items/${outside.id}`, 404)).body).toEqual(NOT_FOUND);
    }
    const agentOfNone = await newAgent(owner, []);
    expect(await walk(agentOfNone, "/api/attention-items")).toEqual([]);
  });

  test("omits items of a deleted workspace, which cannot be read or resolved", async () => {
    const gone = await empty();
    const item = await fresh({}, gone);
    await tenant.live.delete(`/api/workspaces/${gone}`, 200);
    expect((await walk(tenant.live, "/api/attention-items")).map(({ id }) => id)).not.toContain(item.id);
    for (const path of [`?workspaceId=${gone}`, `/${item.id}`])
      expect((await tenant.live.get(`/api/attention-items${path}`, 404)).body).toEqual(NOT_FOUND);
    expect((await tenant.live.post(`/api/attention-items/${item.id}/resolve`, undefined, 404)).body).toEqual(NOT_FOUND);
  });

  test("returns 304 until an item is raised, counted or resolved", async () => {
    const poll = async (etag?: string) =>
      tenant.live.get("/api/attention-items?status=open", undefined, {
        headers: etag ? { "if-none-match": etag } : {},
      });
    await undisturbed([app], async () => {
      const item = await fresh();
      for (const change of [
        () => demand(item.conversationId, { type: "csat_low" }),
        () => demand(item.conversationId),
        () => resolve(item.id),
      ]) {
        const etag = (await poll()).headers.get("etag")!;
        expect((await poll(etag)).status).toBe(304);
        await change();
        expect((await poll(etag)).status).toBe(200);
      }
    });
  });
});
