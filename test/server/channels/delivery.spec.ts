import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { raise, raiseAbout } from "../../../src/conversations/attention/raise.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { aTime, NOT_FOUND, start, UNKNOWN_ID } from "../e2e/support.js";
import { concurrently, startTwo, tablesWith, type TwoNodes } from "../../races/support.js";
import { PASSWORD, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { deliver, provision } from "./support.js";
import { eventually } from "../../support/eventually.js";

let mail: MailServer;
let slow: MailServer;
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let channelId: string;
beforeAll(async () => {
  [mail, slow] = [await startMailServer(), await startMailServer()];
  nodes = await startTwo({ OUTBOUND_ALLOW: [mail, slow].map(({ url }) => new URL(url).host), LOG_LEVEL: "error" });
  app = nodes.a;
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await nodes.close();
  await mail.close();
  await slow.close();
});
beforeEach(async () => {
  for (const server of [mail, slow]) {
    Object.assign(server, { refuse: undefined, hold: undefined, password: undefined });
    server.delivered.length = 0;
    server.attempted.length = 0;
  }
  channelId = await mailbox(mail);
});
afterEach(async () => {
  await app.db.query("delete from outbox_message");
  await app.db.query("delete from channel_due");
});

/** An active mailbox on the server. */
async function mailbox(
  { url }: MailServer,
  client = owner,
  workspaceId = tenant.defaults.workspaceId,
): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const { body } = await client.post(
    `/api/workspaces/${workspaceId}/channels`,
    {
      type: "email",
      name: "Support",
      address: "support@example.com",
      settings: { smtp: { host, port: Number(port), security: "none" }, fromName: "Example Ltd" },
      credentials: { username: "support", password: "secret" },
    },
    201,
  );
  await provision(app);
  return body.id;
}
const conversation = (of = channelId, email: string | undefined = `${randomUUID()}@example.com`) =>
  start(tenant.live, tenant.defaults.workspaceId, {
    channelId: of,
    subject: "A parcel",
    contact: { name: "Ada", emails: email ? [email] : [] },
  });
const reply = async (conversationId: string, body: string, client: Client = tenant.live): Promise<string> =>
  (await client.post(`/api/conversations/${conversationId}/reply`, { body }, 200)).body.messageId;
/** Of the replies, without the notes about those that came back. */
const statusOf = async (conversationId: string): Promise<string[]> =>
  (await tenant.live.get(`/api/conversations/${conversationId}/messages`, 200)).body.data
    .filter(({ authorType }) => authorType !== "system")
    .map(({ deliveryStatus }) => deliveryStatus);
const channel = async (id = channelId) => (await tenant.live.get(`/api/channels/${id}`, 200)).body;
const dead = async (client = owner) => (await client.get("/api/outbox", 200)).body.data;
const bodies = (server = mail): string[] => server.delivered.map(({ body }) => body.trim());

describe("a reply in a mailbox conversation", () => {
  test("is sent to the contact under the message's id, and shows its delivery status", async () => {
    const { id } = await conversation(channelId, "ada@example.com");
    const messageId = await reply(id, "It left this morning.");
    expect(await statusOf(id)).toEqual(["queued"]);
    await deliver(app);
    expect(mail.delivered).toEqual([
      {
        from: "support@example.com",
        to: ["ada@example.com"],
        body: expect.stringMatching(/^It left this morning\.\s*$/),
        headers: expect.objectContaining({
          from: "Example Ltd <support@example.com>",
          to: "ada@example.com",
          subject: "A parcel",
          "message-id": `<${messageId}@parley.example.com>`,
        }),
      },
    ]);
    expect(await statusOf(id)).toEqual(["sent"]);
    expect(await app.db.query("select id, status, sealed from outbox_message")).toEqual([
      { id: messageId, status: "sent", sealed: Buffer.alloc(0) },
    ]);
    await deliver(app);
    expect(mail.attempted).toHaveLength(1);
  });

  test("is also sent as the first message of an outbound conversation; notes and the contact's messages are not sent", async () => {
    const { contactId } = await conversation();
    const { body: composed } = await tenant.live.post(
      "/api/conversations/compose",
      { workspaceId: tenant.defaults.workspaceId, contactId, channelId, body: "Good news" },
      201,
    );
    await tenant.live.post(`/api/conversations/${composed.id}/notes`, { body: "A note" }, 201);
    await tenant.live.post(`/api/conversations/${composed.id}/messages`, { body: "Thanks" }, 201);
    await deliver(app);
    expect(bodies()).toEqual(["Good news"]);
    expect(await statusOf(composed.id)).toEqual(["sent", "delivered", "delivered"]);
  });

  test("is stored once, however it is repeated", async () => {
    const { id } = await conversation();
    const options = { headers: { "idempotency-key": randomUUID() } };
    for (let n = 0; n < 3; n++)
      await tenant.live.post(
        `/api/conversations/${id}/reply`,
        { body: "Once", clientMessageId: "one" },
        200,
        n ? options : {},
      );
    await deliver(app);
    expect(bodies()).toEqual(["Once"]);
  });

  test("is refused and not stored if it can never be sent", async () => {
    const { id } = await conversation(channelId, "");
    expect((await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 409)).body.error).toBe(
      "The contact has no email address that this could be sent to",
    );
    const { id: other } = await conversation();
    await tenant.live.patch(`/api/channels/${channelId}`, { enabled: false }, 200);
    expect((await tenant.live.post(`/api/conversations/${other}/reply`, { body: "Hello" }, 409)).body.error).toBe(
      "The channel is disabled: nothing leaves through it",
    );
    const { id: deleted, contactId } = await conversation();
    await tenant.live.delete(`/api/contacts/${contactId}`, 200);
    await tenant.live.post(`/api/conversations/${deleted}/reply`, { body: "Hello" }, 409);
    expect(await Promise.all([id, other, deleted].map(statusOf))).toEqual([[], [], []]);
  });

  test("on the test side is captured", async () => {
    const client = await tenant.owner("test");
    const of = await mailbox(mail, client, tenant.testDefaults.workspaceId);
    const { id } = await start(tenant.test, tenant.testDefaults.workspaceId, {
      channelId: of,
      subject: "A parcel",
      contact: { emails: ["grace@example.com"] },
    });
    const messageId = await reply(id, "Only a test", tenant.test);
    await deliver(app);
    expect(mail.attempted).toEqual([]);
    expect((await client.get("/api/captured-messages", 200)).body.data[0]).toEqual({
      id: messageId,
      channel: "email",
      to: "grace@example.com",
      subject: "A parcel",
      body: "Only a test",
      html: expect.stringContaining("Only a test</p>"),
      createdAt: aTime,
    });
    expect((await tenant.test.get(`/api/conversations/${id}/messages`, 200)).body.data[0]!.deliveryStatus).toBe("sent");
  });

  test("is erased with its contact while it waits", async () => {
    const { id, contactId } = await conversation(channelId, "needle-erased@example.com");
    await reply(id, "needle-erased");
    const { body } = await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect(body.erased.mails).toBe(1);
    expect(await tablesWith(app.db, "needle-erased")).toEqual({});
    await deliver(app);
    expect(mail.attempted).toEqual([]);
  });

  test("is erased with the contact that its own was merged into, even after delivery; the channel's own events stay", async () => {
    const [one, two] = [await conversation(), await conversation()];
    await reply(one.id, "To one");
    await deliver(app);
    await eventually(async () => expect(await statusOf(one.id)).toEqual(["sent"]));
    await reply(two.id, "To two");
    await app.transaction(tenant.tenantId, async (tx) => {
      await raiseAbout(tx, { channelId }, { type: "channel_error", severity: "high", reason: "It does not answer" });
      await raise(tx, {
        conversationId: two.id,
        type: "handoff_requested",
        severity: "high",
        reason: "Asks for a person",
      });
    });
    await tenant.live.post(`/api/contacts/${one.contactId}/merge`, { sourceContactId: two.contactId }, 200);
    const { body } = await owner.post(`/api/contacts/${one.contactId}/erasure`, undefined, 200);
    expect(body.erased).toMatchObject({ contacts: 2, conversations: 2, mails: 2, attentionItems: 1 });
    expect(await app.db.query("select 1 from outbox_message union all select 1 from outbox_queue")).toEqual([]);
    expect((await owner.get("/api/attention-items?type=channel_error", 200)).body.data).toMatchObject([
      { channelId, conversationId: null },
    ]);
  });

  test("on a channel without delivery is sent at once, and creates no row in the outbox", async () => {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId);
    await reply(id, "Hello");
    expect(await statusOf(id)).toEqual(["sent"]);
    expect(await app.db.query("select from outbox_message")).toEqual([]);
  });
});

describe("the order within a conversation", () => {
  test("is kept by several workers, for many conversations at once", async () => {
    const ids = (await Promise.all(Array.from({ length: 6 }, () => conversation()))).map(({ id }) => id);
    for (let n = 0; n < 5; n++) for (const id of ids) await reply(id, `${id} ${n}`);
    await concurrently(6, (n) => (n % 2 ? nodes.a : nodes.b).app.get(OutboxWorker).tick());
    await deliver(app);
    await eventually(() => expect(mail.delivered).toHaveLength(30));
    for (const id of ids)
      expect(bodies().filter((body) => body.startsWith(id))).toEqual(Array.from({ length: 5 }, (_, n) => `${id} ${n}`));
    expect(new Set(mail.attempted).size).toBe(30);
  });

  test("is kept: a retry blocks later messages; a failed message lets the next one pass", async () => {
    const { id } = await conversation();
    for (const body of ["first", "second"]) await reply(id, body);
    mail.refuse = { code: 450, at: "content" };
    await deliver(app);
    expect(mail.attempted).toHaveLength(1);
    // Only the first is due: the second waits for it, even when it is due itself.
    await app.db.query(`update outbox_queue set due_at = now() + interval '1 hour' where position = 1`);
    await app.db.query(`update outbox_queue set due_at = now() - interval '1 second' where position = 2`);
    await app.app.get(OutboxWorker).tick();
    expect(mail.attempted).toHaveLength(1);
    await app.db.query("update outbox_message set attempts = 9 where position = 1");
    await deliver(app);
    expect(await statusOf(id)).toEqual(["failed", "queued"]);
    mail.refuse = undefined;
    await deliver(app);
    expect(bodies()).toEqual(["second"]);
    expect(await statusOf(id)).toEqual(["failed", "sent"]);
  });

  test("does not make one conversation wait for another, or one receiver for a slow one", async () => {
    const slowChannel = await mailbox(slow);
    let release = (): void => undefined;
    slow.hold = new Promise((resolve) => {
      release = resolve;
    });
    for (let n = 0; n < 12; n++) await reply((await conversation(slowChannel)).id, `slow ${n}`);
    for (let n = 0; n < 12; n++) await reply((await conversation()).id, `fast ${n}`);
    const work = deliver(app);
    try {
      await eventually(() => expect(mail.delivered).toHaveLength(12));
      expect(slow.attempted.length).toBeLessThan(10);
    } finally {
      release();
      await work;
    }
    expect(slow.delivered).toHaveLength(12);
  });
});

describe("a failed message", () => {
  async function aDeadOne(): Promise<{ id: string; messageId: string }> {
    const { id } = await conversation(channelId, "nobody@example.com");
    const messageId = await reply(id, "needle");
    mail.refuse = { code: 550, at: "recipient" };
    await deliver(app);
    mail.refuse = undefined;
    return { id, messageId };
  }

  test("is listed with the reason but without its text, and is sent again on request, once", async () => {
    const { id, messageId } = await aDeadOne();
    expect(await statusOf(id)).toEqual(["failed"]);
    expect(await dead()).toEqual([
      {
        id: messageId,
        channel: "email",
        channelId,
        conversationId: id,
        status: "dead",
        to: "nobody@example.com",
        subject: "A parcel",
        attempts: 1,
        lastError: expect.stringMatching(/does not take mail to this address: 550$/),
        createdAt: aTime,
        sentAt: null,
      },
    ]);
    await concurrently(5, () => owner.post(`/api/outbox/${messageId}/retry`, undefined, 200));
    expect(await dead()).toEqual([]);
    expect((await owner.get("/api/outbox?status=queued", 200)).body.data).toMatchObject([
      { id: messageId, attempts: 0 },
    ]);
    await deliver(app);
    expect(bodies()).toEqual(["needle"]);
    expect(await statusOf(id)).toEqual(["sent"]);
    expect((await owner.get("/api/outbox?status=sent", 200)).body.data).toMatchObject([
      { id: messageId, to: null, subject: null, sentAt: aTime },
    ]);
    expect((await owner.post(`/api/outbox/${messageId}/retry`, undefined, 409)).body.error).toBe("It was sent already");
    expect(
      (await owner.get("/api/audit-log?limit=100", 200)).body.data.filter(
        (entry) => entry.resourceType === "outboxMessage",
      ),
    ).toHaveLength(1);
  });

  test("is sent again by an agent within reach of the conversation, and by a key with the scope", async () => {
    const { id, messageId } = await aDeadOne();
    const member = async (name: string, role: "agent" | "observer", workspaceIds: string[]): Promise<Client> => {
      const email = `${name}-${tenant.ownerEmail}`;
      await owner.post("/api/members", { email, name, role, password: PASSWORD, workspaceIds }, 201);
      return app.client().login(email, PASSWORD);
    };
    const { body: elsewhere } = await tenant.live.post(
      "/api/workspaces",
      { name: "Elsewhere", brandId: tenant.defaults.brandId },
      201,
    );
    const path = `/api/messages/${messageId}/retry` as const;
    const stranger = await member("stranger", "agent", [elsewhere.id]);
    expect((await stranger.post(path, undefined, 404)).body).toEqual(NOT_FOUND);
    await (await member("observer", "observer", [tenant.defaults.workspaceId])).post(path, undefined, 403);
    expect(await dead()).toHaveLength(1);
    const agent = await member("agent", "agent", [tenant.defaults.workspaceId]);
    await concurrently(3, () => agent.post(path, undefined, 200));
    await tenant.live.post(path, undefined, 200);
    await deliver(app);
    expect(bodies()).toEqual(["needle"]);
    expect(await statusOf(id)).toEqual(["sent"]);
    expect((await agent.post(path, undefined, 409)).body.error).toBe("It was sent already");
    const { body: log } = await owner.get(`/api/audit-log?limit=100&resourceId=${messageId}`, 200);
    expect(log.data.filter(({ resourceType }) => resourceType === "outboxMessage")).toMatchObject([
      { action: "conversations.retryMessage", conversationId: id },
    ]);
    // A note never was in the outbox.
    const { body: note } = await agent.post(`/api/conversations/${id}/notes`, { body: "Bounced" }, 201);
    await agent.post(`/api/messages/${note.id}/retry`, undefined, 409);
  });

  test("is hidden from other tenants, the other side and keys", async () => {
    const { messageId } = await aDeadOne();
    for (const client of [await (await app.tenant()).owner(), await tenant.owner("test")]) {
      expect(await dead(client)).toEqual([]);
      expect((await client.post(`/api/outbox/${messageId}/retry`, undefined, 404)).body).toEqual(NOT_FOUND);
    }
    await owner.post(`/api/outbox/${UNKNOWN_ID}/retry`, undefined, 404);
    await tenant.live.get("/api/outbox", 403);
  });
});

describe("a channel whose receiver is down", () => {
  const failing = (minutes: number): Promise<unknown> =>
    app.db.query(`update channel set failing_since = now() - make_interval(mins => $2) where id = $1`, [
      channelId,
      minutes,
    ]);
  const items = async () =>
    (await tenant.live.get("/api/attention-items?limit=100", 200)).body.data.filter(
      (item) => item.channelId === channelId,
    );

  test("is retried after a short outage; after five minutes it is in error, keeps its messages, and recovers by itself", async () => {
    const { id } = await conversation();
    await reply(id, "first");
    const { port } = new URL(mail.url);
    const away = await app.db.query<{ settings: unknown }>("select settings from channel where id = $1", [channelId]);
    await app.db.query(`update channel set settings = jsonb_set(settings, '{smtp,port}', '9') where id = $1`, [
      channelId,
    ]);
    await deliver(app);
    expect(await channel()).toMatchObject({
      status: "active",
      provisioning: { lastError: expect.stringMatching(/is unknown, or not on the public internet/) },
    });
    expect(await items()).toEqual([]);
    await failing(6);
    await deliver(app);
    expect(await channel()).toMatchObject({ status: "error", provisioning: { attempts: 1, nextRetryAt: aTime } });
    expect(await items()).toMatchObject([{ type: "channel_error", status: "open", conversationId: null }]);
    await reply(id, "second");
    await deliver(app);
    const [{ attempts }] = (await app.db.query<{ attempts: number }>(
      "select max(attempts)::int as attempts from outbox_message",
    )) as [{ attempts: number }];
    await deliver(app);
    expect(
      await app.db.query("select max(attempts)::int as attempts from outbox_message"),
      "nobody tries in vain",
    ).toEqual([{ attempts }]);
    expect(await statusOf(id)).toEqual(["queued", "queued"]);
    await app.db.query(`update channel set settings = $2 where id = $1`, [channelId, away[0]!.settings]);
    expect(port).toBeTruthy();
    await provision(app);
    expect(await channel()).toMatchObject({ status: "active", provisioning: { attempts: 0, lastError: null } });
    await deliver(app);
    await deliver(app);
    expect(bodies()).toEqual(["first", "second"]);
    expect(await items()).toMatchObject([{ status: "resolved" }]);
  });

  test("is in error at once if the password is refused", async () => {
    await reply((await conversation()).id, "first");
    mail.password = "another";
    await deliver(app);
    expect(await channel()).toMatchObject({
      status: "error",
      provisioning: { lastError: expect.stringMatching(/refused the user name or the password/), nextRetryAt: null },
    });
    expect(await items()).toHaveLength(1);
    await tenant.live.put(
      `/api/channels/${channelId}/credentials`,
      { credentials: { username: "support", password: "another" } },
      200,
    );
    await provision(app);
    await deliver(app);
    expect(bodies()).toEqual(["first"]);
  });

  test("also keeps its messages while it is disabled", async () => {
    const { id } = await conversation();
    await reply(id, "first");
    await tenant.live.patch(`/api/channels/${channelId}`, { enabled: false }, 200);
    await deliver(app);
    expect([mail.attempted, await statusOf(id)]).toEqual([[], ["queued"]]);
    await tenant.live.patch(`/api/channels/${channelId}`, { enabled: true }, 200);
    await provision(app);
    await deliver(app);
    expect(bodies()).toEqual(["first"]);
  });
});
