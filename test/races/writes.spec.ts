import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keyFor, type TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { REVIEWED } from "../support/reviewed.js";
import { concurrently, on, startTwo, tally, type TwoNodes } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
/** The tenant's key, alternating between the nodes. */
let clients: Client[];
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  clients = [tenant.live, on(nodes.b, tenant.live)];
});
afterAll(() => nodes.close());

const start = (body: object) => ({ workspaceId: tenant.defaults.workspaceId, ...body });
const conversation = async (): Promise<string> =>
  (await tenant.live.post("/api/conversations", start({ contact: {} }), 201)).body.id;
const messagesOf = async (id: string) =>
  (await tenant.live.get(`/api/conversations/${id}/messages?limit=100`, 200)).body.data;
const rows = async (table: string, where: string, value: string): Promise<number> =>
  (
    await nodes.a.db.query<{ count: number }>(
      `select count(*)::int as count from ${table} where tenant_id = $1 and ${where} = $2`,
      [tenant.tenantId, value],
    )
  )[0]!.count;

describe.each(REVIEWED)("twelve concurrent approvals and twelve rejections of one of the $kind", ({ kind, needed }) => {
  test("let exactly one win; the others get 409 and change nothing", async () => {
    const owner = await tenant.owner();
    const [approver, rejecter] = [await keyFor(owner), await keyFor(owner)];
    const { id } = (
      await owner.post(`/api/workspaces/${tenant.defaults.workspaceId}/${kind}`, { ...needed, status: "pending" }, 201)
    ).body;
    const node = (n: number) => (n % 4 < 2 ? nodes.a : nodes.b);
    const answers = await concurrently(24, async (n) => {
      const approves = n % 2 === 0;
      const sent = approves
        ? on(node(n), approver).post(`/api/${kind}/${id}/approve`)
        : on(node(n), rejecter).post(`/api/${kind}/${id}/reject`, { reason: `reason ${n}` });
      return { n, approves, status: (await sent).status };
    });
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 23 });
    const winner = answers.find(({ status }) => status === 200)!;
    const { body: entry } = await owner.get(`/api/${kind}/${id}`, 200);
    expect(entry).toMatchObject(
      winner.approves
        ? { status: "approved", reviewedBy: approver.id, rejectionReason: null }
        : { status: "rejected", reviewedBy: rejecter.id, rejectionReason: `reason ${winner.n}` },
    );

    await (winner.approves ? rejecter : approver).post(
      `/api/${kind}/${id}/${winner.approves ? "reject" : "approve"}`,
      winner.approves ? {} : undefined,
      409,
    );
    expect((await owner.get(`/api/${kind}/${id}`, 200)).body).toEqual(entry);
  });
});

describe("twelve concurrent rotations of a key", () => {
  test("without overlap create one successor, and the others get 409", async () => {
    const owner = await tenant.owner();
    const { id } = await keyFor(owner);
    const count = async (): Promise<number> => (await owner.get("/api/api-keys", 200)).body.length;
    const before = await count();
    const statuses = await concurrently(
      12,
      async (n) =>
        (await on(n % 2 ? nodes.a : nodes.b, owner).post(`/api/api-keys/${id}/rotate`, { overlapHours: 0 })).status,
    );
    expect(tally(statuses)).toEqual({ 201: 1, 409: 11 });
    expect(await count()).toBe(before + 1);
  });
});

describe("concurrent messages to one conversation", () => {
  test("are numbered in order of arrival without gaps or duplicates, and counted exactly", async () => {
    const id = await conversation();
    const kinds = [
      ["messages", 201],
      ["reply", 200],
      ["notes", 201],
    ] as const;
    await concurrently(36, (n) =>
      clients[n % 2]!.post(`/api/conversations/${id}/${kinds[n % 3]![0]}`, { body: `body ${n}` }, kinds[n % 3]![1]),
    );
    const messages = await messagesOf(id);
    expect(messages.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 36 }, (_, n) => n + 1));
    expect(tally(messages.map(({ direction }) => direction))).toEqual({ inbound: 12, outbound: 12, internal: 12 });
    expect(new Set(messages.map(({ body }) => body)).size).toBe(36);
    const times = messages.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());

    const { body: now } = await tenant.live.get(`/api/conversations/${id}`, 200);
    const shown = messages.filter(({ direction }) => direction !== "internal");
    const sinceReply = shown.length - 1 - shown.findLastIndex(({ direction }) => direction === "outbound");
    expect(now).toMatchObject({
      messageCount: 24,
      unreadCount: sinceReply,
      lastMessagePreview: shown.at(-1)!.body,
      lastActivityAt: shown.at(-1)!.createdAt,
    });
  });

  test.each(["messages", "notes"])("with one externalId create one message (%s)", async (kind) => {
    const id = await conversation();
    const answers = await concurrently(16, (n) =>
      clients[n % 2]!.post(`/api/conversations/${id}/${kind}`, { body: `try ${n}`, externalId: "x" }),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 15, 201: 1 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await messagesOf(id)).toHaveLength(1);
  });

  test("with one clientMessageId create one reply", async () => {
    const id = await conversation();
    const answers = await concurrently(16, (n) =>
      clients[n % 2]!.post(`/api/conversations/${id}/reply`, { body: `try ${n}`, clientMessageId: "x" }),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 16 });
    expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(1);
    expect(await messagesOf(id)).toMatchObject([{ id: answers[0]!.body.messageId, clientMessageId: "x" }]);
    expect((await tenant.live.get(`/api/conversations/${id}`, 200)).body.messageCount).toBe(1);
  });

  test("start one successor of a conversation resolved long ago, and all belong to it", async () => {
    const id = await conversation();
    await nodes.a.db.query(
      `update conversation set status = 'resolved', resolved_at = now() - interval '8 days' where id = $1`,
      [id],
    );
    const answers = await concurrently(12, (n) =>
      clients[n % 2]!.post(`/api/conversations/${id}/messages`, { body: `again ${n}` }, 201),
    );
    const [successor, ...more] = new Set(answers.map(({ body }) => body.conversationId));
    expect([more, await rows("conversation", "previous_conversation_id", id)]).toEqual([[], 1]);
    expect((await messagesOf(successor!)).map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 12 }, (_, n) => n + 1),
    );
  });
});

describe("concurrent new conversations", () => {
  test("with one externalId create one conversation, one contact and one first message", async () => {
    const body = start({ externalId: "one", contact: { externalId: "one" }, message: { body: "Hello" } });
    const answers = await concurrently(16, (n) => clients[n % 2]!.post("/api/conversations", body));
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 15, 201: 1 });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect([await rows("conversation", "external_id", "one"), await rows("contact", "external_id", "one")]).toEqual([
      1, 1,
    ]);
    expect(await messagesOf(answers[0]!.body.id)).toHaveLength(1);
  });

  // An attempt can collide with two others: with one about the contact, then with another about the conversation. There are
  // few enough attempts that none waits for a connection, which would keep them apart.
  test.each([1, 2])(
    "with several externalIds, each repeated, for one new contact: each is created once and none is refused (round %i)",
    async (round) => {
      const answers = await concurrently(12, (n) =>
        clients[n % 2]!.post(
          "/api/conversations",
          start({ externalId: `many-${round}-${n % 3}`, contact: { externalId: `many-${round}` } }),
        ),
      );
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 9, 201: 3 });
      expect(await rows("contact", "external_id", `many-${round}`)).toBe(1);
    },
  );

  test("contacts created concurrently with one externalId are one contact, and the others get 409", async () => {
    const answers = await concurrently(16, (n) =>
      clients[n % 2]!.post("/api/contacts", { externalId: "same", emails: ["same@example.com"] }),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 1, 409: 15 });
    expect(await rows("contact_point", "value", "same@example.com")).toBe(1);
  });
});
