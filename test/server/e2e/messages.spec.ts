import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { ago, aTime, anId, DAY, HOUR, NOT_FOUND, set, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let keyId: string;
/** A new conversation for each test. */
let conversation: Schemas["Conversation"];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  keyId = (await tenant.live.get("/api/me", 200)).body.id;
});
afterAll(() => app.close());
beforeEach(async () => {
  conversation = await start(tenant.live, tenant.defaults.workspaceId, { subject: "A parcel" });
});

const path = <Rest extends string = "">(rest = "" as Rest, { id }: { id: string } = conversation) =>
  `/api/conversations/${id}${rest}` as const;
const read = async (one: { id: string } = conversation) => (await tenant.live.get(path("", one), 200)).body;
interface Sent {
  messages: Schemas["Message"];
  reply: Schemas["ReplySent"];
  notes: Schemas["Message"];
}
const send = async <Kind extends keyof Sent>(kind: Kind, body: object, status = kind === "reply" ? 200 : 201) =>
  (await tenant.live.post<Sent[Kind]>(path(`/${kind}`), body, status)).body;
const messages = (one: { id: string } = conversation) => walk(tenant.live, path("/messages", one));

describe("the message object", () => {
  const common = {
    bodyFormat: "text",
    attachments: [],
    htmlAvailable: false,
    externalId: null,
    clientMessageId: null,
    citations: [],
    mentions: [],
    heldUntil: null,
    confidence: null,
    authentication: null,
    senderProof: null,
    to: [],
    cc: [],
    bcc: [],
    authoredBy: null,
    redactedAt: null,
    occurredAt: aTime,
    createdAt: aTime,
  };

  test("has every field for inbound, outbound and note messages; absent values are null", async () => {
    const inbound = await send("messages", { body: "Hello" });
    const { messageId } = await send("reply", { body: "Hi" });
    const note = await send("notes", { body: "Nice" });
    const common3 = { ...common, conversationId: conversation.id };
    expect(inbound).toEqual({
      ...common3,
      id: anId,
      sequence: 1,
      direction: "inbound",
      authorType: "contact",
      authorId: conversation.contactId,
      body: "Hello",
      senderProof: "channel",
      authoredBy: { contactId: conversation.contactId, address: null },
      deliveryStatus: "delivered",
    });
    const reply = {
      ...common3,
      id: messageId,
      sequence: 2,
      direction: "outbound",
      authorType: "api",
      authorId: keyId,
      body: "Hi",
      deliveryStatus: "sent",
    };
    expect(note).toEqual({
      ...common3,
      id: anId,
      sequence: 3,
      direction: "internal",
      authorType: "api",
      authorId: keyId,
      body: "Nice",
      deliveryStatus: "delivered",
    });
    expect(await messages()).toEqual([inbound, reply, note]);
  });

  test("keeps the given values, character by character", async () => {
    const body = '  two spaces,\n\ttab, "quotes", \\n, ü, 👩‍🚀, \u2028, {"json": [1, null]}  ';
    await send("messages", { body, bodyFormat: "markdown", externalId: "m-1" });
    await send("reply", { body, bodyFormat: "markdown", clientMessageId: "r-1" });
    await send("notes", { body, externalId: "n-1" });
    expect(await messages()).toMatchObject([
      { body, bodyFormat: "markdown", externalId: "m-1", clientMessageId: null },
      { body, bodyFormat: "markdown", externalId: null, clientMessageId: "r-1" },
      { body, bodyFormat: "text", externalId: "n-1", clientMessageId: null },
    ]);
  });

  test("names the member as the author of a member's message", async () => {
    const owner = await tenant.owner();
    const { body: me } = await owner.get("/api/me", 200);
    await owner.post(path("/reply"), { body: "Hi" }, 200);
    await owner.post(path("/notes"), { body: "Nice" }, 201);
    expect(await messages()).toMatchObject([
      { authorType: "member", authorId: me.id },
      { authorType: "member", authorId: me.id },
    ]);
  });
});

describe("an inbound message", () => {
  test("counts as a message and as unread, starts the waiting, and moves the activity", async () => {
    const first = await send("messages", { body: "Hello" });
    expect(await read()).toMatchObject({
      messageCount: 1,
      unreadCount: 1,
      lastMessagePreview: "Hello",
      waitingSince: first.createdAt,
      lastActivityAt: first.createdAt,
      updatedAt: first.createdAt,
    });
    await set(app, "conversation", conversation.id, { waiting_since: "2025-01-01T00:00:00Z" });
    const second = await send("messages", { body: "Anybody?" });
    expect(await read()).toMatchObject({
      messageCount: 2,
      unreadCount: 2,
      lastMessagePreview: "Anybody?",
      waitingSince: "2025-01-01T00:00:00.000Z",
      lastActivityAt: second.createdAt,
      handlingMode: "assistant",
      assigneeId: null,
      firstReplyAt: null,
    });
  });

  test("is previewed by its first 200 characters", async () => {
    await send("messages", { body: `${"ü".repeat(199)}👩after` });
    expect((await read()).lastMessagePreview).toBe(`${"ü".repeat(199)}👩`);
  });

  const states = {
    pending: { status: "pending" },
    snoozed: { status: "snoozed", snoozed_until: new Date(Date.now() + DAY) },
    resolved: { status: "resolved", resolved_at: ago(HOUR), resolved_by: UNKNOWN_ID, resolution: "answered" },
    "resolved, for almost 7 days,": {
      status: "resolved",
      resolved_at: ago(7 * DAY - HOUR),
      resolved_by: UNKNOWN_ID,
      resolution: "spam",
    },
  };
  test.each(Object.entries(states))(
    "opens a conversation that is %s, and clears that state",
    async (_name, columns) => {
      await set(app, "conversation", conversation.id, columns);
      const { conversationId } = await send("messages", { body: "Hello again" });
      expect(conversationId).toBe(conversation.id);
      expect(await read()).toMatchObject({
        status: "open",
        snoozedUntil: null,
        resolvedAt: null,
        resolvedBy: null,
        resolution: null,
      });
    },
  );

  test("does not change who handles the conversation: a human stays a human", async () => {
    await set(app, "conversation", conversation.id, {
      status: "pending",
      handling_mode: "human",
      assignee_id: UNKNOWN_ID,
    });
    await send("messages", { body: "Hello" });
    expect(await read()).toMatchObject({ status: "open", handlingMode: "human", assigneeId: UNKNOWN_ID });
  });

  test("repeated with its externalId returns 200 with the existing message and changes nothing", async () => {
    const first = await send("messages", { body: "Hello", externalId: "m-1" });
    const before = await read();
    expect(
      await send(
        "messages",
        { body: "Other", externalId: "m-1", bodyFormat: "markdown", occurredAt: "2020-01-01T00:00:00Z" },
        200,
      ),
    ).toEqual(first);
    expect(await read()).toEqual(before);
    expect(await messages()).toEqual([first]);
  });

  test("is found by its externalId, in its conversation alone", async () => {
    const found = async (externalId: string, one = conversation) =>
      (await tenant.live.get(`${path("/messages", one)}?order=desc&externalId=${externalId}`, 200)).body;
    const first = await send("messages", { body: "Hello", externalId: "m-1" });
    await send("messages", { body: "Hello again", externalId: "m-2" });
    const other = await start(tenant.live, tenant.defaults.workspaceId);
    expect(await found("m-1")).toEqual({ data: [first] });
    expect(await found("m-3")).toEqual({ data: [] });
    expect(await found("m-1", other)).toEqual({ data: [] });
  });

  test("is found by its id, in its conversation alone, however many came after it", async () => {
    const first = await send("messages", { body: "Hello", externalId: "m-1" });
    for (let n = 0; n < 30; n++) await send("notes", { body: `Note ${n}` });
    const other = await start(tenant.live, tenant.defaults.workspaceId);
    const found = async (more = "", one = conversation, status = 200) =>
      (await tenant.live.get(`${path("/messages", one)}?limit=1&id=${first.id}${more}`, status)).body;
    expect(await found()).toEqual({ data: [first] });
    expect(await found("", other)).toEqual({ data: [] });
    expect(await found("&externalId=m-1", conversation, 400)).toEqual({ error: "Name the id or the externalId" });
  });

  test("can share its externalId with a message of another conversation, or have none", async () => {
    const first = await send("messages", { body: "Hello", externalId: "m-1" });
    const other = await start(tenant.live, tenant.defaults.workspaceId);
    expect(
      (await tenant.live.post(path("/messages", other), { body: "Hello", externalId: "m-1" }, 201)).body.id,
    ).not.toBe(first.id);
    await send("messages", { body: "Hello", externalId: null });
    await send("messages", { body: "Hello", externalId: null });
    expect(await messages()).toHaveLength(3);
  });

  test("to an unknown conversation returns 404", async () => {
    for (const kind of ["messages", "reply", "notes"])
      expect((await tenant.live.post(path(`/${kind}`, { id: UNKNOWN_ID }), { body: "Hello" }, 404)).body).toEqual(
        NOT_FOUND,
      );
    expect((await tenant.live.get(path("/messages", { id: UNKNOWN_ID }), 404)).body).toEqual(NOT_FOUND);
  });
});

describe("a message more than 7 days after the resolution", () => {
  const late = {
    status: "resolved",
    resolved_at: ago(7 * DAY + HOUR),
    resolved_by: UNKNOWN_ID,
    resolution: "answered",
  };
  const conversations = () => walk(tenant.live, `/api/conversations?contactId=${conversation.contactId}`);

  test("starts a new conversation that continues the old one, which stays unchanged", async () => {
    const { body: channels } = await tenant.live.get(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, 200);
    const channelId = channels.find(({ type }) => type === "webchat")!.id;
    conversation = await start(tenant.live, tenant.defaults.workspaceId, {
      subject: "A parcel",
      channelId,
      externalId: "old",
      message: { body: "First" },
    });
    await set(app, "conversation", conversation.id, late);
    const before = await read();
    const message = await send("messages", { body: "Hello again" });
    expect(message.conversationId).not.toBe(conversation.id);
    const { workspaceId, brandId, contactId } = conversation;
    expect(await read({ id: message.conversationId })).toMatchObject({
      workspaceId,
      brandId,
      channelId,
      channelType: "webchat",
      contactId,
      subject: "A parcel",
      previousConversationId: conversation.id,
      externalId: null,
      status: "open",
      handlingMode: "assistant",
      assigneeId: null,
      messageCount: 1,
      unreadCount: 1,
      waitingSince: message.createdAt,
      lastMessagePreview: "Hello again",
    });
    expect(await messages({ id: message.conversationId })).toEqual([message]);
    expect(await read()).toEqual(before);
  });

  test("starts it once: later messages join it, and a repeat returns the existing message", async () => {
    await set(app, "conversation", conversation.id, late);
    const first = await send("messages", { body: "Hello", externalId: "m-1" });
    const second = await send("messages", { body: "Again", externalId: "m-2" });
    expect(second).toMatchObject({ conversationId: first.conversationId, sequence: 2 });
    expect(await send("messages", { body: "Hello", externalId: "m-1" }, 200)).toEqual(first);
    expect(await conversations()).toHaveLength(2);
  });

  test("opens the successor if it was resolved meanwhile", async () => {
    await set(app, "conversation", conversation.id, late);
    const { conversationId } = await send("messages", { body: "Hello" });
    await set(app, "conversation", conversationId, { ...late, resolved_at: ago(HOUR) });
    expect((await send("messages", { body: "Again" })).conversationId).toBe(conversationId);
    expect((await read({ id: conversationId })).status).toBe("open");
  });

  test("starts a third conversation if the second was resolved long ago as well", async () => {
    await set(app, "conversation", conversation.id, late);
    const { conversationId: second } = await send("messages", { body: "Hello" });
    await set(app, "conversation", second, late);
    const { conversationId: third } = await send("messages", { body: "Again" });
    expect((await read({ id: third })).previousConversationId).toBe(second);
    expect((await tenant.live.post(path("/messages", { id: second }), { body: "More" }, 201)).body.conversationId).toBe(
      third,
    );
    expect(await conversations()).toHaveLength(3);
  });

  test("is recognized as a repeat in every conversation of the chain, in any state", async () => {
    const original = await send("messages", { body: "Hello", externalId: "m-0" });
    await set(app, "conversation", conversation.id, late);
    const first = await send("messages", { body: "Hello", externalId: "m-1" });
    await set(app, "conversation", first.conversationId, late);
    expect(await send("messages", { body: "Hello", externalId: "m-0" }, 200)).toEqual(original);
    expect(await send("messages", { body: "Hello", externalId: "m-1" }, 200)).toEqual(first);
    expect(await conversations()).toHaveLength(2);
  });

  test("starts no successor if it is a reply or a note: they stay in the conversation they are sent to", async () => {
    await set(app, "conversation", conversation.id, late);
    await send("reply", { body: "By the way" });
    await send("notes", { body: "Reminded" });
    expect(await messages()).toHaveLength(2);
    expect(await conversations()).toHaveLength(1);
  });
});

describe("a note", () => {
  test("has its place in the sequence, and does not change the conversation's fields", async () => {
    await send("messages", { body: "Hello" });
    await set(app, "conversation", conversation.id, { status: "snoozed", snoozed_until: new Date(Date.now() + DAY) });
    const before = await read();
    expect(await send("notes", { body: "Nice" })).toMatchObject({ sequence: 2, direction: "internal" });
    expect(await read()).toEqual(before);
    await send("messages", { body: "Still there?" });
    expect((await messages()).map(({ sequence, direction }) => `${sequence} ${direction}`)).toEqual([
      "1 inbound",
      "2 internal",
      "3 inbound",
    ]);
  });

  test("repeated with its externalId returns 200 with the existing note", async () => {
    const first = await send("notes", { body: "Nice", externalId: "n-1" });
    expect(await send("notes", { body: "Other", externalId: "n-1" }, 200)).toEqual(first);
    expect(await messages()).toEqual([first]);
  });
});

describe("the list of messages", () => {
  test("is sorted by arrival, whatever time the sender claims; the claimed time is kept", async () => {
    const claims = ["2024-05-01T12:00:00+02:00", "2001-01-01T00:00:00Z", "2030-12-31T23:59:59.999Z"];
    for (const occurredAt of claims) await send("messages", { body: occurredAt, occurredAt });
    const sent = await send("messages", { body: "now" });
    const all = await messages();
    expect(all.map(({ body }) => body)).toEqual([...claims, "now"]);
    expect(all.map(({ occurredAt }) => occurredAt)).toEqual([
      "2024-05-01T10:00:00.000Z",
      "2001-01-01T00:00:00.000Z",
      "2030-12-31T23:59:59.999Z",
      aTime,
    ]);
    // Without a claimed time, a message was sent when it arrived.
    expect([all[2]!.createdAt, sent.occurredAt, sent.createdAt]).toEqual(
      [all[2]!.createdAt, sent.occurredAt, sent.createdAt].sort(),
    );
    expect(all.map(({ createdAt }) => createdAt)).toEqual(all.map(({ createdAt }) => createdAt).sort());
    expect((await read()).lastActivityAt).toBe(sent.createdAt);
  });

  test("is oldest first, or newest first with order=desc, and complete at every page size", async () => {
    for (let n = 0; n < 9; n++) await send((["messages", "reply", "notes"] as const)[n % 3]!, { body: `turn ${n}` });
    const bodies = Array.from({ length: 9 }, (_, n) => `turn ${n}`);
    const { body: page } = await tenant.live.get(path("/messages"), 200);
    expect(page.data.map(({ body, sequence }) => [body, sequence])).toEqual(bodies.map((body, n) => [body, n + 1]));
    expect(page).not.toHaveProperty("nextCursor");
    for (const limit of [1, 4, 9, 100]) {
      expect(await walk(tenant.live, path("/messages"), limit)).toEqual(page.data);
      expect(await walk(tenant.live, path("/messages?order=asc"), limit)).toEqual(page.data);
      expect(await walk(tenant.live, path("/messages?order=desc"), limit)).toEqual(page.data.toReversed());
    }
  });
});
