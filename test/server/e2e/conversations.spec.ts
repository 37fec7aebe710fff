import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { aTime, anId, NOT_FOUND, newWorkspace, set, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let workspaceId: string;
let brandId: string;
let channels: Record<string, string>;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  ({ workspaceId, brandId } = tenant.defaults);
  channels = await channelsOf(workspaceId);
});
afterAll(() => app.close());

/** The ids of a workspace's channels, by type. */
async function channelsOf(id: string): Promise<Record<string, string>> {
  const { body } = await tenant.live.get(`/api/workspaces/${id}/channels`, 200);
  return Object.fromEntries(body.map((channel) => [channel.type, channel.id]));
}
const read = async (id: string) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
const post = (body: object, status?: number) =>
  tenant.live.post("/api/conversations", { workspaceId, ...body }, status);
const contacts = () => walk(tenant.live, "/api/contacts");

test("a conversation is created once for an externalId, and a repeat returns 200 with the same one", async () => {
  const body = {
    workspaceId: tenant.defaults.workspaceId,
    externalId: "c-1",
    contact: { externalId: "p-1", name: "Ada" },
    message: { body: "Hello" },
  };
  const first = await tenant.live.post("/api/conversations", body, 201);
  const again = await tenant.live.post("/api/conversations", { ...body, subject: "other" }, 200);
  expect(again.body).toEqual(first.body);
  expect(first.body).toMatchObject({
    status: "open",
    handlingMode: "assistant",
    messageCount: 1,
    unreadCount: 1,
    lastMessagePreview: "Hello",
  });
});

describe("the conversation object", () => {
  test("has every field; absent values are null, and times are UTC with milliseconds", async () => {
    const made = await start(tenant.live, workspaceId);
    expect(made).toEqual({
      id: anId,
      workspaceId,
      brandId,
      channelId: channels.api,
      channelType: "api",
      contactId: anId,
      accountId: null,
      externalId: null,
      subject: null,
      status: "open",
      handlingMode: "assistant",
      assigneeId: null,
      priority: "none",
      labels: [],
      language: null,
      summary: null,
      messageCount: 0,
      unreadCount: 0,
      lastMessagePreview: null,
      lastActivityAt: aTime,
      waitingSince: null,
      firstReplyAt: null,
      snoozedUntil: null,
      resolvedAt: null,
      resolvedBy: null,
      resolution: null,
      assuranceLevel: "none",
      senderProof: null,
      csatScore: null,
      pendingActionCount: 0,
      openAttentionCount: 0,
      previousConversationId: null,
      metadata: {},
      createdAt: aTime,
      updatedAt: aTime,
    });
    expect(await read(made.id)).toEqual(made);
    expect((await tenant.live.get("/api/conversations?limit=1", 200)).body.data).toEqual([made]);
  });

  test("returns each value in its field", async () => {
    const previous = await start(tenant.live, workspaceId);
    const { id } = await start(tenant.live, workspaceId, {
      externalId: "full",
      subject: " Where is it? ",
      metadata: { source: "shop", nested: { list: [1, null, "ü"] } },
    });
    const columns = {
      status: "resolved",
      handling_mode: "human",
      assignee_id: UNKNOWN_ID,
      priority: "urgent",
      labels: ["vip", "late"],
      language: "de",
      summary: "A parcel",
      message_count: 4,
      unread_count: 3,
      last_message_preview: "Preview",
      last_activity_at: "2025-01-02T03:04:05.006Z",
      waiting_since: "2025-01-02T03:04:05.007Z",
      first_reply_at: "2025-01-02T03:04:05.008Z",
      snoozed_until: "2025-01-02T03:04:05.009Z",
      resolved_at: "2025-01-02T03:04:05.010Z",
      resolved_by: UNKNOWN_ID,
      resolution: "answered",
      assurance_level: "high-assurance",
      csat_score: 4,
      pending_action_count: 1,
      open_attention_count: 2,
      previous_conversation_id: previous.id,
      created_at: "2025-01-02T03:04:05.000Z",
      updated_at: "2025-01-02T03:04:05.100Z",
    };
    await set(app, "conversation", id, columns);
    expect(await read(id)).toMatchObject({
      externalId: "full",
      subject: " Where is it? ",
      metadata: { source: "shop", nested: { list: [1, null, "ü"] } },
      ...Object.fromEntries(
        Object.entries(columns).map(([name, value]) => [
          name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
          value,
        ]),
      ),
    });
  });
});

describe("the contact of a new conversation", () => {
  test("can be an existing one, by contactId", async () => {
    const { body: contact } = await tenant.live.post("/api/contacts", { name: "Grace" }, 201);
    expect((await start(tenant.live, workspaceId, { contactId: contact.id })).contactId).toBe(contact.id);
  });

  test("can be created from the fields in contact", async () => {
    const given = {
      externalId: "p-new",
      name: "Alan",
      emails: ["Alan@Example.com"],
      phones: ["+49 30 901820"],
      language: "en",
      labels: ["vip"],
      attributes: { plan: "gold" },
    };
    const { contactId } = await start(tenant.live, workspaceId, { contact: given });
    expect((await tenant.live.get(`/api/contacts/${contactId}`, 200)).body).toMatchObject({
      ...given,
      emails: [{ value: "alan@example.com", verifiedAt: null }],
      phones: [{ value: "+4930901820", verifiedAt: null }],
    });
  });

  test("is the existing one with the externalId, which stays unchanged", async () => {
    const { body: known } = await tenant.live.post(
      "/api/contacts",
      { externalId: "p-known", name: "Before", emails: ["before@example.com"] },
      201,
    );
    const { contactId } = await start(tenant.live, workspaceId, {
      contact: { externalId: "p-known", name: "After", emails: ["after@example.com"], labels: ["new"] },
    });
    expect(contactId).toBe(known.id);
    expect((await tenant.live.get(`/api/contacts/${contactId}`, 200)).body).toEqual(known);
  });

  test("is never matched by email or phone alone", async () => {
    const contact = { name: "Twin", emails: ["twin@example.com"], phones: ["+4930901820"] };
    const one = await start(tenant.live, workspaceId, { contact });
    const two = await start(tenant.live, workspaceId, { contact });
    expect(two.contactId).not.toBe(one.contactId);
  });

  test("must be given in exactly one of the two ways", async () => {
    const { contactId } = await start(tenant.live, workspaceId);
    const error = "Exactly one of contactId and contact must be given";
    expect((await post({}, 400)).body).toEqual({ error });
    expect((await post({ contactId, contact: { name: "Ada" } }, 400)).body).toEqual({ error });
  });

  test("must exist: an unknown contactId returns 404", async () => {
    expect((await post({ contactId: UNKNOWN_ID }, 404)).body).toEqual(NOT_FOUND);
  });

  test("must be visible to a key of one workspace", async () => {
    const other = await newWorkspace(tenant.live, brandId);
    const key = await keyFor(await tenant.owner(), { dataScope: { level: "workspace", workspaceId: other.id } });
    const elsewhere = await start(tenant.live, workspaceId);
    expect(
      (await key.post("/api/conversations", { workspaceId: other.id, contactId: elsewhere.contactId }, 404)).body,
    ).toEqual(NOT_FOUND);
    const here = await start(tenant.live, other.id);
    await start(key, other.id, { contactId: here.contactId });
  });
});

describe("the channel of a new conversation", () => {
  test("is the API channel by default", async () => {
    expect(await start(tenant.live, workspaceId)).toMatchObject({ channelId: channels.api, channelType: "api" });
    expect(await start(tenant.live, workspaceId, { channelId: channels.webchat })).toMatchObject({
      channelId: channels.webchat,
      channelType: "webchat",
    });
  });

  test("must belong to the workspace; otherwise 404, and nothing is written", async () => {
    const elsewhere = await channelsOf((await newWorkspace(tenant.live, brandId)).id);
    const before = (await contacts()).length;
    for (const channelId of [elsewhere.api, UNKNOWN_ID]) {
      expect(
        (await post({ channelId, externalId: "no-channel", contact: { externalId: "no-channel" } }, 404)).body,
      ).toEqual(NOT_FOUND);
    }
    expect(await contacts()).toHaveLength(before);
    expect((await tenant.live.get("/api/conversations?externalId=no-channel", 200)).body).toEqual({ data: [] });
  });
});

describe("the externalId of a conversation", () => {
  test("makes a repeat return the existing conversation, byte for byte, whatever else the repeat contains", async () => {
    const { body: made, text } = await post(
      { externalId: "once", contact: { externalId: "p-once" }, message: { body: "Hello", externalId: "m-1" } },
      201,
    );
    const before = await contacts();
    const again = await post(
      {
        externalId: "once",
        contact: { externalId: "p-other" },
        channelId: channels.webchat,
        subject: "Other",
        metadata: { other: true },
        message: { body: "Second" },
      },
      200,
    );
    expect(again.text).toBe(text);
    expect(await contacts()).toEqual(before);
    expect(await walk(tenant.live, `/api/conversations/${made.id}/messages`)).toHaveLength(1);
  });

  test("is unique per workspace, not per tenant", async () => {
    const other = await newWorkspace(tenant.live, brandId);
    const here = await start(tenant.live, workspaceId, { externalId: "shared" });
    const there = await start(tenant.live, other.id, { externalId: "shared" });
    expect(there.id).not.toBe(here.id);
  });

  test("is not set if it is null", async () => {
    const [one, two] = [
      await start(tenant.live, workspaceId, { externalId: null }),
      await start(tenant.live, workspaceId, { externalId: null }),
    ];
    expect(two.id).not.toBe(one.id);
  });
});

describe("the first message", () => {
  test("is created with the conversation, from the contact, and starts the waiting", async () => {
    const made = await start(tenant.live, workspaceId, {
      message: { body: "Hello", bodyFormat: "markdown", externalId: "m-1", occurredAt: "2020-05-13T13:27:26Z" },
    });
    expect(made).toMatchObject({
      messageCount: 1,
      unreadCount: 1,
      lastMessagePreview: "Hello",
      waitingSince: made.lastActivityAt,
      firstReplyAt: null,
    });
    expect(await walk(tenant.live, `/api/conversations/${made.id}/messages`)).toMatchObject([
      {
        sequence: 1,
        direction: "inbound",
        authorType: "contact",
        authorId: made.contactId,
        body: "Hello",
        bodyFormat: "markdown",
        externalId: "m-1",
        occurredAt: "2020-05-13T13:27:26.000Z",
      },
    ]);
  });
});

describe("the workspace of a new conversation", () => {
  test("must exist: an unknown or deleted one returns 404", async () => {
    const gone = await newWorkspace(tenant.live, brandId);
    await tenant.live.delete(`/api/workspaces/${gone.id}`, 200);
    for (const id of [UNKNOWN_ID, gone.id])
      expect((await post({ workspaceId: id, contact: {} }, 404)).body).toEqual(NOT_FOUND);
  });

  test("can be inactive: that disables only its assistant", async () => {
    const quiet = await newWorkspace(tenant.live, brandId);
    await set(app, "workspace", quiet.id, { status: "inactive" });
    const { id } = await start(tenant.live, quiet.id, { message: { body: "Hello" } });
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 200);
  });
});

describe("an archived workspace", () => {
  let archived: string;
  let conversation: Schemas["Conversation"];
  const path = (rest = "") => `/api/conversations/${conversation.id}${rest}`;
  beforeAll(async () => {
    archived = (await newWorkspace(tenant.live, brandId)).id;
    conversation = await start(tenant.live, archived, {
      externalId: "kept",
      message: { body: "Hello", externalId: "m-1" },
    });
    await tenant.live.post(path("/reply"), { body: "Yes?", clientMessageId: "r-1" }, 200);
    conversation = await read(conversation.id);
    await set(app, "workspace", archived, { status: "archived" });
  });

  test("refuses new conversations, inbound messages and replies with 409, and writes nothing", async () => {
    const before = (await contacts()).length;
    const error = "The workspace is archived: it can be read, not written to";
    expect((await post({ workspaceId: archived, contact: { externalId: "too-late" } }, 409)).body).toEqual({ error });
    expect((await tenant.live.post(path("/messages"), { body: "More" }, 409)).body).toEqual({ error });
    expect((await tenant.live.post(path("/reply"), { body: "More" }, 409)).body).toEqual({ error });
    expect(await contacts()).toHaveLength(before);
    expect(await read(conversation.id)).toEqual(conversation);
  });

  test("returns the earlier response to a repeated request", async () => {
    expect((await post({ workspaceId: archived, externalId: "kept", contact: {} }, 200)).body).toEqual(conversation);
    const [inbound, reply] = (await tenant.live.get(`/api/conversations/${conversation.id}/messages`, 200)).body.data;
    expect((await tenant.live.post(path("/messages"), { body: "Hello", externalId: "m-1" }, 200)).body).toEqual(
      inbound,
    );
    expect((await tenant.live.post(path("/reply"), { body: "Yes?", clientMessageId: "r-1" }, 200)).body).toEqual({
      ok: true,
      messageId: reply!.id,
    });
  });

  test("accepts notes and can be read", async () => {
    const { body: note } = await tenant.live.post(path("/notes"), { body: "Closed because of the move" }, 201);
    expect(
      (await tenant.live.get(`/api/conversations/${conversation.id}/messages?order=desc&limit=1`, 200)).body.data,
    ).toEqual([note]);
    expect((await tenant.live.get(`/api/conversations?workspaceId=${archived}`, 200)).body).toEqual({
      data: [conversation],
    });
    expect((await tenant.live.get(`/api/workspaces/${archived}`, 200)).body.status).toBe("archived");
    await tenant.live.get(path("/identity-events"), 200);
  });
});
