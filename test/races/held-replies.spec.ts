import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FeedService } from "../../src/feed/feed.service.js";
import { system } from "../../src/platform/caller/caller.js";
import { OutboxWorker } from "../../src/platform/outbox/outbox.worker.js";
import { eventsOfStep } from "../../src/webhooks/webhook-events.js";
import { type MailServer, startMailServer } from "../server/auth/mail-server.js";
import { deliver, provision } from "../server/channels/support.js";
import { start } from "../server/e2e/support.js";
import { settled } from "../server/feed/support.js";
import type { TestApp, TestTenant } from "../support/app.js";
import { type Client, fileForm } from "../support/client.js";
import { concurrently, on, startTwo, tally, type TwoNodes } from "./support.js";
import { eventually } from "../support/eventually.js";
import { awayFromMidnight } from "../support/clock.js";

// `holdSeconds`: a reply that can be taken back is either taken back or sent, never both and never neither.

let mail: MailServer;
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let channelId: string;
beforeAll(async () => {
  mail = await startMailServer();
  nodes = await startTwo({ OUTBOUND_ALLOW: [new URL(mail.url).host] });
  app = nodes.a;
  tenant = await app.tenant();
  owner = await tenant.owner();
  channelId = await mailbox(owner, tenant.defaults.workspaceId);
});
afterAll(async () => {
  await nodes.close();
  await mail.close();
});
beforeEach(async () => {
  await app.db.query("delete from outbox_message");
  mail.delivered.length = 0;
  mail.attempted.length = 0;
  mail.refuse = undefined;
});

async function mailbox(client: Client, workspaceId: string): Promise<string> {
  const { hostname: host, port } = new URL(mail.url);
  const body = {
    type: "email",
    name: "Support",
    address: "support@example.com",
    settings: { smtp: { host, port: Number(port), security: "none" } },
    credentials: { username: "support", password: "secret" },
  };
  const { id } = (await client.post(`/api/workspaces/${workspaceId}/channels`, body, 201)).body;
  await provision(app);
  return id;
}
const conversation = () =>
  start(tenant.live, tenant.defaults.workspaceId, {
    channelId,
    contact: { name: "Ada", emails: [`${randomUUID()}@example.com`] },
    message: { body: "Where is my order?" },
  });
const reply = async (id: string, body: string, more: object = {}, client: Client = owner): Promise<string> =>
  (await client.post(`/api/conversations/${id}/reply`, { body, holdSeconds: 60, ...more }, 200)).body.messageId;
const cancel = (messageId: string, client: Client = owner) => client.post(`/api/messages/${messageId}/cancel`);
const messages = async (id: string, client: Client = tenant.live) =>
  (await client.get(`/api/conversations/${id}/messages?limit=100`, 200)).body.data;
const read = async (id: string) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
const sent = (): string[] => mail.delivered.map(({ body }) => body.trim());
/** Lets the workers claim what is due by the clock. */
const tick = (node = app): Promise<void> => node.app.get(OutboxWorker).tick();
const endOfHold = (): Promise<unknown> =>
  app.db.query("update outbox_queue set due_at = now() - interval '1 second' where held");

describe("a reply that is held", () => {
  test("shows until when, leaves no earlier, and then leaves", async () => {
    const { id } = await conversation();
    const before = Date.now();
    await reply(id, "On its way");
    const [, held] = await messages(id);
    expect(held).toMatchObject({ direction: "outbound", deliveryStatus: "held", body: "On its way" });
    expect(Date.parse(held!.heldUntil!) - before).toBeGreaterThan(59_000);
    expect(Date.parse(held!.heldUntil!) - Date.now()).toBeLessThanOrEqual(60_000);
    await tick();
    expect(sent()).toEqual([]);
    await endOfHold();
    await tick();
    await eventually(() => expect(sent()).toEqual(["On its way"]));
    expect((await messages(id))[1]).toMatchObject({ deliveryStatus: "sent", heldUntil: null });
  });

  test("that is cancelled never leaves, gives its text and files back, and stays as an internal message", async () => {
    const { id } = await conversation();
    const file = (await owner.post("/api/attachments", fileForm("Hello"), 201)).body.id;
    const messageId = await reply(id, "**Sorry**", { bodyFormat: "markdown", attachmentIds: [file] });
    const { status, body } = await cancel(messageId);
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        conversationId: id,
        body: "**Sorry**",
        bodyFormat: "markdown",
        attachments: [expect.objectContaining({ id: file })],
        to: [],
        cc: [],
        bcc: [],
        subject: null,
      },
    ]);
    await deliver(app);
    expect(mail.attempted).toEqual([]);
    expect(await messages(id)).toMatchObject([
      { sequence: 1, direction: "inbound" },
      { sequence: 2, direction: "internal", deliveryStatus: "cancelled", heldUntil: null, attachments: [] },
    ]);
    expect((await cancel(messageId)).status).toBe(409);
    const again = await reply(id, "Sorry", { attachmentIds: [file] });
    expect(await messages(id)).toMatchObject([{}, {}, { id: again, sequence: 3, attachments: [{ id: file }] }]);
  });

  test("leaves the conversation, once cancelled, as if it had never been written; whoever took it keeps it", async () => {
    const { id } = await conversation();
    const before = await read(id);
    const messageId = await reply(id, "Too early");
    expect(await read(id)).toMatchObject({ waitingSince: null, unreadCount: 0, messageCount: 2 });
    await cancel(messageId);
    const { lastActivityAt: _, updatedAt: __, ...after } = await read(id);
    expect(after).toEqual({
      ...before,
      handlingMode: "human",
      assigneeId: (await owner.get("/api/me", 200)).body.id,
      lastActivityAt: undefined,
      updatedAt: undefined,
    });
    // Somebody who had read everything before can still answer.
    await reply(id, "Now", { ifLastSequence: 1, holdSeconds: 0 });
  });

  test.each([
    ["pending", {}],
    ["snooze", { snoozeUntil: "2099-01-01T00:00:00.000Z" }],
    ["resolve", {}],
  ])(
    "with then: %s opens the conversation again, once cancelled, and the contact waits as before",
    async (then, more) => {
      const { id, waitingSince, summary } = await conversation();
      const messageId = await reply(id, "Done", { then, ...more });
      expect((await read(id)).status).not.toBe("open");
      expect((await cancel(messageId)).status).toBe(200);
      expect(await read(id)).toMatchObject({
        status: "open",
        waitingSince,
        unreadCount: 1,
        snoozedUntil: null,
        resolvedAt: null,
        resolvedBy: null,
        summary,
      });
      await reply(id, "Now it is done", { then: "resolve" });
      expect((await read(id)).summary).toBe("“Where is my order?” → “Now it is done”");
    },
  );

  test("leaves a conversation resolved that was resolved before it", async () => {
    const { id } = await conversation();
    await owner.post(`/api/conversations/${id}/resolve`, { resolution: "duplicate" }, 200);
    const messageId = await reply(id, "By the way", { then: "resolve" });
    expect((await cancel(messageId)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: "resolved", resolution: "duplicate" });
  });

  test("does not move a conversation that was moved since", async () => {
    const { id } = await conversation();
    const messageId = await reply(id, "Which colour?", { then: "pending" });
    await owner.post(`/api/conversations/${id}/resolve`, { resolution: "duplicate" }, 200);
    expect((await cancel(messageId)).status).toBe(200);
    expect(await read(id)).toMatchObject({ status: "resolved", resolution: "duplicate", waitingSince: null });
  });

  test("restores waiting and unread as they are after what else happened", async () => {
    const { id } = await conversation();
    const { waitingSince } = await read(id);
    const first = await reply(id, "One");
    await tenant.live.post(`/api/conversations/${id}/messages`, { body: "Hello?" }, 201);
    await cancel(first);
    expect(await read(id)).toMatchObject({
      waitingSince,
      unreadCount: 2,
      messageCount: 2,
      lastMessagePreview: "Hello?",
    });
    const [second, third] = [await reply(id, "Two"), await reply(id, "Three")];
    await cancel(second);
    expect(await read(id)).toMatchObject({ waitingSince: null, unreadCount: 0, lastMessagePreview: "Three" });
    await cancel(third);
    expect(await read(id)).toMatchObject({
      waitingSince,
      unreadCount: 2,
      firstReplyAt: null,
      lastMessagePreview: "Hello?",
    });
    const fourth = await reply(id, "Four");
    await owner.post(`/api/conversations/${id}/resolve`, {}, 200);
    await cancel(fourth);
    expect(await read(id)).toMatchObject({ status: "resolved", waitingSince: null, unreadCount: 0 });
  });

  test("keeps its place: a reply after it waits, and leaves when the first one was cancelled", async () => {
    const { id } = await conversation();
    const first = await reply(id, "One");
    await reply(id, "Two", { holdSeconds: 0 });
    await tick();
    expect(sent()).toEqual([]);
    await cancel(first);
    await tick();
    await eventually(() => expect(sent()).toEqual(["Two"]));
  });

  test("is held as long as was said, whatever becomes of the messages before it", async () => {
    const { id } = await conversation();
    mail.refuse = { code: 451, at: "content" };
    await reply(id, "One", { holdSeconds: 0 });
    const before = Date.now();
    await reply(id, "Two");
    await tick();
    const [queued] = await app.db.query<{ due: number }>(
      "select extract(epoch from due_at)::float8 * 1000 as due from outbox_queue where held",
    );
    expect(queued!.due).toBeGreaterThanOrEqual(before + 60_000);
  });

  test("counts as consumption only if it leaves", async () => {
    await awayFromMidnight();
    const of = async (id: string) => (await tenant.live.get(`/api/conversations/${id}/consumption`, 200)).body.messages;
    const total = async () => (await owner.get("/api/consumption", 200)).body.messages.outbound;
    const { id } = await conversation();
    const before = await total();
    await cancel(await reply(id, "No"));
    expect([await total(), await of(id)]).toEqual([before, expect.objectContaining({ inbound: 1, outbound: 0 })]);
  });

  test("is `message.sent` for webhooks when it leaves, and never if it was cancelled", async () => {
    const feed = app.app.get(FeedService);
    const caller = system("webhooks", tenant.tenantId, "live");
    // The tests before it have sent messages.
    await settled(app.db);
    const { end, epoch } = await feed.end(caller);
    const told = async (): Promise<string[]> => {
      await settled(app.db);
      const { rows } = await feed.steps(caller, end, ["message"], 500);
      return rows.flatMap((step) =>
        eventsOfStep(tenant.tenantId, epoch, step, "").map(({ type, data }) => `${type} ${String(data.messageId)}`),
      );
    };
    const { id } = await conversation();
    const [taken, kept] = [await reply(id, "Taken back"), await reply(id, "Kept")];
    await cancel(taken);
    expect((await told()).filter((one) => one.startsWith("message.sent"))).toEqual([]);
    await endOfHold();
    await tick();
    await eventually(() => expect(sent()).toEqual(["Kept"]));
    expect((await told()).filter((one) => one.startsWith("message.sent"))).toEqual([`message.sent ${kept}`]);
  });

  test("is for mail and SMS: on other channels it is 400, and nothing is written", async () => {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    const { error } = (await owner.post(`/api/conversations/${id}/reply`, { body: "x", holdSeconds: 10 }, 400)).body;
    expect(error).toBe("holdSeconds is for channels that send, mail and SMS. Leave it out here");
    await owner.post(`/api/conversations/${id}/reply`, { body: "x", holdSeconds: 61 }, 400);
    expect(await messages(id)).toEqual([]);
    await owner.post(`/api/conversations/${id}/reply`, { body: "x", holdSeconds: 0 }, 200);
  });

  test("works on the test side, where nothing leaves: it is captured when the time is over", async () => {
    const sandbox = await tenant.owner("test");
    const of = await mailbox(sandbox, tenant.testDefaults.workspaceId);
    const contact = { emails: ["grace@example.com"] };
    const { id } = await start(tenant.test, tenant.testDefaults.workspaceId, { channelId: of, contact });
    const captured = async () => (await sandbox.get("/api/captured-messages", 200)).body.data.map(({ body }) => body);
    const [taken, kept] = [await reply(id, "Taken back", {}, sandbox), await reply(id, "Kept", {}, sandbox)];
    expect(await captured()).toEqual([]);
    expect((await cancel(taken, sandbox)).status).toBe(200);
    await endOfHold();
    await tick();
    expect(await captured()).toEqual(["Kept"]);
    expect((await messages(id, tenant.test)).map(({ deliveryStatus }) => deliveryStatus)).toEqual([
      "cancelled",
      "sent",
    ]);
    expect((await cancel(kept, sandbox)).status).toBe(409);
    expect(mail.attempted).toEqual([]);
  });

  test("is erased with its contact: nothing leaves, and it can no longer be cancelled", async () => {
    const { id, contactId } = await conversation();
    const messageId = await reply(id, "needle");
    await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect((await cancel(messageId)).status).toBe(409);
    await deliver(app);
    expect(mail.attempted).toEqual([]);
  });
});

describe("cancelling and sending at once", () => {
  test("either cancels or sends each reply, on two processes", async () => {
    const clients = [owner, on(nodes.b, owner)];
    const texts = new Map<string, string>();
    const conversations = new Map<string, string>();
    for (let n = 0; n < 10; n++) {
      const { id } = await conversation();
      const messageId = await reply(id, `reply ${n}`);
      texts.set(messageId, `reply ${n}`);
      conversations.set(messageId, id);
    }
    await endOfHold();
    const ids = [...texts.keys()];
    const [statuses] = await Promise.all([
      concurrently(ids.length, async (n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 8));
        return (await cancel(ids[n]!, clients[n % 2])).status;
      }),
      tick(nodes.a),
      tick(nodes.b),
    ]);
    const counts = tally(statuses);
    expect((counts[200] ?? 0) + (counts[409] ?? 0), JSON.stringify(counts)).toBe(10);
    const gone = ids.filter((_, n) => statuses[n] === 409).map((id) => texts.get(id)!);
    await eventually(async () => {
      await tick(nodes.a);
      expect(sent().sort()).toEqual(gone.sort());
    });
    for (const [n, id] of ids.entries()) {
      const [, message] = await messages(conversations.get(id)!);
      expect(message!.deliveryStatus).toBe(statuses[n] === 200 ? "cancelled" : "sent");
    }
  });

  test("ten at once cancel once", async () => {
    const { id } = await conversation();
    const messageId = await reply(id, "Once");
    const before = (await read(id)).messageCount;
    const clients = [owner, on(nodes.b, owner)];
    const statuses = await concurrently(10, async (n) => (await cancel(messageId, clients[n % 2])).status);
    expect(tally(statuses)).toEqual({ 200: 1, 409: 9 });
    expect((await read(id)).messageCount).toBe(before - 1);
  });

  test("a message that a worker has begun to send is 409, and says so", async () => {
    const { id } = await conversation();
    const messageId = await reply(id, "Begun");
    let release!: () => void;
    mail.hold = new Promise((resolve) => (release = resolve));
    await endOfHold();
    const sending = tick();
    await eventually(() => expect(mail.attempted).toHaveLength(1));
    expect((await messages(id))[1]).toMatchObject({ deliveryStatus: "queued", heldUntil: null });
    const { status, body } = await cancel(messageId);
    expect([status, body]).toEqual([
      409,
      { error: "Only a reply that is held can be cancelled: this message has left, or is leaving" },
    ]);
    release();
    mail.hold = undefined;
    await sending;
    expect(sent()).toEqual(["Begun"]);
  });

  test("a note, a message of the contact and a sent reply cannot be cancelled", async () => {
    const { id } = await conversation();
    await owner.post(`/api/conversations/${id}/notes`, { body: "A note" }, 201);
    await reply(id, "Sent", { holdSeconds: 0 });
    for (const message of await messages(id)) expect((await cancel(message.id)).status).toBe(409);
    expect((await cancel(randomUUID())).status).toBe(404);
  });
});
