import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { provider } from "../../../src/platform/caller/request-context.js";
import {
  type IncomingMessage,
  IncomingMessagesService,
  type ReceivedMessage,
} from "../../../src/channels/incoming-messages.service.js";
import { Database } from "../../../src/platform/database/database.js";
import { concurrently, startTwo, type TwoNodes } from "../../races/support.js";
import type { TestTenant } from "../../support/app.js";

let nodes: TwoNodes;
let tenant: TestTenant;
let channelId: string;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  channelId = (await tenant.live.get(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, 200)).body.find(
    ({ type }) => type === "webchat",
  )!.id;
});
afterAll(() => nodes.close());

const place = (): { id: string; workspaceId: string } => ({ id: channelId, workspaceId: tenant.defaults.workspaceId });
const caller = () => provider("take in", { ...place(), tenantId: tenant.tenantId, environment: "live" });
const address = (): string => `${randomUUID()}@example.com`;
const from = (value: string, name = "Ada") => ({ kind: "email" as const, value, name });
const take = (
  incoming: Pick<IncomingMessage, "from"> & Partial<IncomingMessage>,
  node = nodes.a,
): Promise<ReceivedMessage | undefined> =>
  node.app
    .get(Database)
    .transaction(caller(), (tx) =>
      node.app
        .get(IncomingMessagesService)
        .receive(tx, place(), { externalId: randomUUID(), body: "Hello", senderProof: "channel", ...incoming }),
    );
const contactOf = async (conversationId: string): Promise<string> =>
  (await tenant.live.get(`/api/conversations/${conversationId}`, 200)).body.contactId;
const messagesOf = async (conversationId: string) =>
  (await tenant.live.get(`/api/conversations/${conversationId}/messages?limit=100`, 200)).body.data;
const contactsOf = async (value: string) =>
  (await tenant.live.get(`/api/contacts/search?q=${encodeURIComponent(value)}`, 200)).body.data;

describe("an incoming message", () => {
  test("creates a contact and a conversation the first time, and later ones join that conversation", async () => {
    const sender = from(address());
    const first = await take({ from: sender, subject: "A parcel" });
    const second = await take({ from: sender, body: "And another thing" });
    expect(second).toMatchObject({ conversationId: first!.conversationId, created: true });
    expect(
      (await messagesOf(first!.conversationId)).map(({ body, direction, authorType }) => [body, direction, authorType]),
    ).toEqual([
      ["Hello", "inbound", "contact"],
      ["And another thing", "inbound", "contact"],
    ]);
    const {
      body: { subject, contactId },
    } = await tenant.live.get(`/api/conversations/${first!.conversationId}`, 200);
    expect(subject).toBe("A parcel");
    expect((await tenant.live.get(`/api/contacts/${contactId}`, 200)).body).toMatchObject({
      name: "Ada",
      emails: [{ value: sender.value, verifiedAt: null }],
    });
    expect((await take({ from: sender, conversationId: null }))!.conversationId).not.toBe(first!.conversationId);
  });

  test("is stored once, however often and on however many processes it arrives", async () => {
    const [sender, externalId] = [from(address()), randomUUID()];
    const taken = await concurrently(20, (n) =>
      take({ from: sender, externalId, conversationId: null }, n % 2 ? nodes.a : nodes.b),
    );
    expect(new Set(taken.map((one) => `${one!.conversationId} ${one!.messageId}`)).size).toBe(1);
    expect(taken.filter((one) => one!.created)).toHaveLength(1);
    expect(await messagesOf(taken[0]!.conversationId)).toHaveLength(1);
    expect(await contactsOf(sender.value)).toHaveLength(1);
  });

  test("sent concurrently with others of one sender shares one contact and one conversation, in order and without gaps", async () => {
    const sender = from(address());
    const taken = await concurrently(20, (n) => take({ from: sender, body: `${n}` }, n % 2 ? nodes.a : nodes.b));
    expect(new Set(taken.map((one) => one!.conversationId)).size).toBe(1);
    const messages = await messagesOf(taken[0]!.conversationId);
    expect(messages.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
    expect(new Set(messages.map(({ body }) => body)).size).toBe(20);
    expect(await contactsOf(sender.value)).toHaveLength(1);
  });

  test("belongs to the contact with the verified address, else to the first one with the address, never to a deleted one", async () => {
    const value = address();
    const [older, prover] = [
      (await tenant.live.post("/api/contacts", { emails: [value] }, 201)).body.id,
      (await tenant.live.post("/api/contacts", { emails: [value] }, 201)).body.id,
    ];
    expect(await contactOf((await take({ from: from(value) }))!.conversationId)).toBe(older);
    await nodes.a.db.query(`update contact_point set verified_at = now() where contact_id = $1`, [prover]);
    expect(await contactOf((await take({ from: from(value) }))!.conversationId)).toBe(prover);
    await tenant.live.delete(`/api/contacts/${prover}`, 200);
    expect(await contactOf((await take({ from: from(value) }))!.conversationId)).toBe(older);
    await tenant.live.delete(`/api/contacts/${older}`, 200);
    expect([older, prover]).not.toContain(await contactOf((await take({ from: from(value) }))!.conversationId));
  });

  test("belongs to the surviving contact if its sender was merged", async () => {
    const merged = (await tenant.live.post("/api/contacts", { emails: [address()] }, 201)).body.id;
    const survivor = (await tenant.live.post("/api/contacts", { name: "Ada" }, 201)).body.id;
    await tenant.live.post(`/api/contacts/${survivor}/merge`, { sourceContactId: merged }, 200);
    expect(await contactOf((await take({ from: { contactId: merged } }))!.conversationId)).toBe(survivor);
  });

  test("from a blocked sender is not stored", async () => {
    const value = address();
    const contactId = await contactOf((await take({ from: from(value) }))!.conversationId);
    await tenant.live.patch(`/api/contacts/${contactId}`, { blocked: true }, 200);
    const count = async (): Promise<unknown> =>
      (
        await nodes.a.db.query(
          `select (select count(*) from message) as messages, (select count(*) from received_message) as received, (select count(*) from conversation) as conversations`,
        )
      )[0];
    const before = await count();
    expect(await take({ from: from(value) })).toBeUndefined();
    expect(await take({ from: from(value), conversationId: null })).toBeUndefined();
    expect(await count()).toEqual(before);
  });

  test("does not return after an erasure, and its sender becomes a new contact", async () => {
    const [value, externalId] = [address(), randomUUID()];
    const first = await take({ from: from(value), externalId });
    const contactId = await contactOf(first!.conversationId);
    await (await tenant.owner()).post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect(await take({ from: from(value), externalId })).toMatchObject({ created: false });
    expect(await contactsOf(value)).toEqual([]);
    const later = await take({ from: from(value) });
    expect(later!.conversationId).not.toBe(first!.conversationId);
    expect(await contactOf(later!.conversationId)).not.toBe(contactId);
  });

  test("long after the conversation was resolved begins a follow-up conversation", async () => {
    const sender = from(address());
    const { conversationId } = (await take({ from: sender }))!;
    await tenant.live.post(`/api/conversations/${conversationId}/resolve`, {}, 200);
    await nodes.a.db.query(`update conversation set resolved_at = now() - interval '8 days' where id = $1`, [
      conversationId,
    ]);
    const externalId = randomUUID();
    const later = (await take({ from: sender, externalId }))!;
    expect((await tenant.live.get(`/api/conversations/${later.conversationId}`, 200)).body.previousConversationId).toBe(
      conversationId,
    );
    expect(await take({ from: sender, externalId })).toEqual({ ...later, created: false });
  });

  test("is refused if the workspace is archived, or the conversation belongs to another workspace", async () => {
    const {
      body: { id: other },
    } = await tenant.live.post(
      "/api/workspaces",
      { name: "Other", brandId: tenant.defaults.brandId, primaryLanguage: "en" },
      201,
    );
    const {
      body: { id: elsewhere },
    } = await tenant.live.post("/api/conversations", { workspaceId: other, contact: { name: "Eve" } }, 201);
    await expect(take({ from: from(address()), conversationId: elsewhere })).rejects.toThrow("Not found");
    await tenant.live.patch(`/api/workspaces/${tenant.defaults.workspaceId}`, { status: "archived" }, 200);
    try {
      await expect(take({ from: from(address()) })).rejects.toThrow(/archived/);
    } finally {
      await tenant.live.patch(`/api/workspaces/${tenant.defaults.workspaceId}`, { status: "inactive" }, 200);
    }
  });
});
