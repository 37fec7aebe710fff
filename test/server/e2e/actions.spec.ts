import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import type { Schemas } from "../../support/api-types.js";
import { undisturbed } from "../../races/support.js";
import { keyFor, PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { document, resolved } from "../../support/contract.js";
import { ago, aTime, DAY, HOUR, newAgent, newWorkspace, NOT_FOUND, set, start, UNKNOWN_ID, walk } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let agent: Client & { id: string };
let keyId: string;
let workspaceId: string;
let conversation: Schemas["Conversation"];
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  ({ workspaceId } = tenant.defaults);
  agent = await newAgent(owner, [workspaceId]);
  keyId = (await tenant.live.get("/api/me", 200)).body.id;
});
afterAll(() => app.close());
beforeEach(async () => {
  conversation = await start(tenant.live, workspaceId, { message: { body: "Hello?" } });
});

const path = (rest = "", { id }: { id: string } = conversation) => `/api/conversations/${id}${rest}`;
const read = async ({ id }: { id: string } = conversation) =>
  (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
const act = (client: Client, action: string, body?: object, status = 200) =>
  client.post<{ error?: string }>(path(`/${action}`), body, status);
const member = async (role: string, workspaceIds: string[], password: string | undefined = PASSWORD): Promise<string> =>
  (
    await owner.post(
      "/api/members",
      { email: `${randomUUID()}@example.com`, name: role, role, workspaceIds, password },
      201,
    )
  ).body.id;

describe("resolving", () => {
  test("records when, by whom and how, and ends the waiting; nothing is unread", async () => {
    expect((await act(agent, "resolve", { resolution: "escalated" })).body).toEqual({ ok: true });
    const now = await read();
    expect(now).toMatchObject({
      status: "resolved",
      resolvedAt: now.lastActivityAt,
      resolvedBy: agent.id,
      resolution: "escalated",
      waitingSince: null,
      unreadCount: 0,
    });
  });

  test("by a key records the key, and no resolution unless one is given", async () => {
    await act(tenant.live, "resolve");
    expect(await read()).toMatchObject({ status: "resolved", resolvedBy: keyId, resolution: null });
  });

  test("again with another resolution changes nothing and invalidates no polled response", async () => {
    await act(agent, "resolve", { resolution: "spam" });
    await undisturbed([app], async () => {
      const { headers } = await tenant.live.get(path(), 200);
      await act(tenant.live, "resolve", { resolution: "answered" });
      await tenant.live.get(path(), 304, { headers: { "if-none-match": headers.get("etag")! } });
    });
  });

  test("accepts five resolutions", async () => {
    await act(agent, "resolve", { resolution: "done" }, 400);
    expect((await read()).status).toBe("open");
  });
});

describe("snoozing", () => {
  test("requires a time in the future", async () => {
    for (const until of [ago(1_000).toISOString(), "2001-01-01", "1970-01-01T00:00:00Z"]) {
      expect((await act(agent, "snooze", { until }, 400)).body).toEqual({ error: "until must be ahead of now" });
    }
    await act(agent, "snooze", {}, 400);
    expect(await read()).toEqual(conversation);
  });

  test("keeps the waiting and the unread count", async () => {
    await act(agent, "snooze", { until: "2099-01-01T00:00:00Z" });
    expect(await read()).toMatchObject({
      status: "snoozed",
      snoozedUntil: "2099-01-01T00:00:00.000Z",
      waitingSince: conversation.waitingSince,
      unreadCount: 1,
    });
  });
});

describe("the unread count", () => {
  test("counts the messages since the last reply or read", async () => {
    await tenant.live.post(path("/messages"), { body: "Anybody?" }, 201);
    expect((await read()).unreadCount).toBe(2);
    await act(agent, "read");
    const now = await read();
    expect(now).toMatchObject({ unreadCount: 0, waitingSince: conversation.waitingSince, firstReplyAt: null });
    expect(now.lastActivityAt > conversation.lastActivityAt).toBe(true);
    await act(agent, "read");
    expect(await read()).toEqual(now);
    await tenant.live.post(path("/messages"), { body: "Still there?" }, 201);
    expect((await read()).unreadCount).toBe(1);
  });

  test("is one after `unread`, and stays as it is if there is more", async () => {
    await act(agent, "read");
    await act(agent, "unread");
    const now = await read();
    expect(now).toMatchObject({ unreadCount: 1, waitingSince: conversation.waitingSince });
    await act(agent, "unread");
    expect(await read()).toEqual(now);
    await tenant.live.post(path("/messages"), { body: "Anybody?" }, 201);
    await act(agent, "unread");
    expect((await read()).unreadCount).toBe(2);
  });
});

describe("an assignee", () => {
  const actions = ["assign", "take-over"] as const;

  test.each(actions)(
    "can be an owner, an admin, or an agent of the workspace, available or not (%s)",
    async (action) => {
      for (const id of [
        (await owner.get("/api/me", 200)).body.id,
        await member("admin", []),
        await member("agent", [workspaceId]),
      ]) {
        await act(tenant.live, action, { memberId: id, ...(action === "take-over" && { force: true }) });
        expect((await read()).assigneeId).toBe(id);
      }
    },
  );

  test("must be able to reply in the workspace: otherwise 409 with an explanation, to whoever assigns or takes over", async () => {
    const elsewhere = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    const onTheOtherSide = (
      await (
        await tenant.owner("test")
      ).post(
        "/api/members",
        {
          email: `${randomUUID()}@example.com`,
          name: "T",
          role: "agent",
          workspaceIds: [tenant.testDefaults.workspaceId],
          password: PASSWORD,
        },
        201,
      )
    ).body.id;
    const cases = {
      "an agent of another workspace": await member("agent", [elsewhere]),
      "an agent of none": await member("agent", []),
      "an agent of the other side": onTheOtherSide,
      "an observer": await member("observer", [workspaceId]),
      billing: await member("billing", [workspaceId]),
    };
    const invited = (
      await owner.post(
        "/api/members",
        { email: `${randomUUID()}@example.com`, name: "New", role: "agent", workspaceIds: [workspaceId] },
        201,
      )
    ).body.id;
    for (const [who, memberId] of Object.entries({ ...cases, "one who was invited and never came": invited })) {
      for (const action of actions)
        for (const client of [tenant.live, agent])
          expect((await act(client, action, { memberId }, 409)).body.error, `${action} ${who}`).toMatch(
            /^The member does not work in this workspace/,
          );
    }
    expect(await read()).toEqual(conversation);
  });

  test.each(actions)(
    "must exist: 404 for a removed member, a member of another tenant, a key's id and an unknown id (%s)",
    async (action) => {
      const removed = await member("agent", [workspaceId]);
      await owner.delete(`/api/members/${removed}`, 200);
      const foreign = (await (await (await app.tenant()).owner()).get("/api/me", 200)).body.id;
      for (const memberId of [removed, foreign, keyId, UNKNOWN_ID])
        expect((await act(tenant.live, action, { memberId }, 404)).body).toEqual(NOT_FOUND);
      expect(await read()).toEqual(conversation);
    },
  );
});

describe("who can be given a conversation", () => {
  const emailOf = async (client: Client, id: string): Promise<string> =>
    (await client.get("/api/members", 200)).body.find((one) => one.id === id)!.email;

  test("is listed for keys and members: owners, admins and the workspace's agents who have come, by name", async () => {
    const place = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const able = [await member("admin", []), await member("agent", [place.id])];
    const others = [
      await member("agent", [workspaceId]),
      await member("observer", [place.id]),
      await member("agent", [place.id]),
    ];
    await owner.patch(`/api/members/${others[2]}`, { status: "deactivated" }, 200);
    const invitation = { name: "agent", role: "agent", workspaceIds: [place.id], email: `${randomUUID()}@example.com` };
    others.push((await owner.post("/api/members", invitation, 201)).body.id);
    const list = `/api/workspaces/${place.id}/assignees` as const;
    const reader = await keyFor(owner, { scopes: ["conversations:read"] });
    const found = await walk(reader, list, 2);
    expect(found.map(({ name }) => name)).toEqual(found.map(({ name }) => name).sort());
    const ids = found.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(able));
    expect(ids.filter((id) => others.includes(id))).toEqual([]);
    expect(found.find(({ id }) => id === able[1])).toEqual({ id: able[1], name: "agent", presence: "offline" });
    expect((await owner.get(`${list}?limit=100`, 200)).body.data).toEqual(found);
    for (const client of [agent, await keyFor(owner, { dataScope: { level: "workspace", workspaceId } })])
      expect((await client.get(list, 404)).body).toEqual(NOT_FOUND);
    await (await keyFor(owner, { scopes: ["conversations:write"] })).get(list, 403);
  });

  test("can be named by email in place of the id, and by exactly one of the two", async () => {
    const email = await emailOf(owner, agent.id);
    await act(tenant.live, "assign", { email: ` ${email.toUpperCase()}` });
    const assigned = await read();
    expect(assigned.assigneeId).toBe(agent.id);
    for (const body of [{}, { email, memberId: agent.id }])
      expect((await act(tenant.live, "assign", body, 400)).body).toEqual({ error: "Give either memberId or email" });
    for (const wrong of ["agent", null]) await act(tenant.live, "assign", { email: wrong }, 400);
    expect(await read()).toEqual(assigned);
  });

  test("and an email tells nobody who else is a member: a colleague elsewhere, one of another tenant and nobody have one answer", async () => {
    const assigned = await read();
    const elsewhere = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    const invitation = {
      name: "New",
      role: "agent",
      workspaceIds: [workspaceId],
      email: `${randomUUID()}@example.com`,
    };
    await owner.post("/api/members", invitation, 201);
    const foreign = await (await app.tenant()).owner();
    const emails = [
      `${randomUUID()}@example.com`,
      await emailOf(foreign, (await foreign.get("/api/me", 200)).body.id),
      await emailOf(owner, await member("agent", [elsewhere])),
      await emailOf(owner, await member("observer", [workspaceId])),
      invitation.email,
    ];
    const dataScope = { level: "workspace" as const, workspaceId };
    const key = await keyFor(owner, { scopes: ["conversations:write"], dataScope });
    const answers = [];
    for (const email of emails) {
      const { status, body, headers } = await act(key, "assign", { email }, 409);
      answers.push({ status, body, code: headers.get("x-error-code"), detail: headers.get("x-error-detail") });
    }
    for (const answer of answers)
      expect(answer).toEqual({
        status: 409,
        body: { error: expect.stringMatching(/^No member who can be given this .* GET .*\/assignees lists who can$/) },
        code: "conflict",
        detail: null,
      });
    // A conversation out of reach says nothing about emails either.
    const outside = await keyFor(owner, {
      scopes: ["conversations:write"],
      dataScope: { level: "workspace", workspaceId: elsewhere },
    });
    for (const email of [...emails, await emailOf(owner, agent.id)])
      expect((await act(outside, "assign", { email }, 404)).body).toEqual(NOT_FOUND);
    expect(await read()).toEqual(assigned);
  });
});

describe("a conversation assigned to a colleague", () => {
  test("can be taken over without force after the colleague was removed or lost access to the workspace", async () => {
    const [removed, moved] = [await member("agent", [workspaceId]), await member("agent", [workspaceId])];
    for (const [id, leave] of [
      [removed, () => owner.delete(`/api/members/${removed}`, 200)],
      [moved, () => owner.patch(`/api/members/${moved}`, { workspaceIds: [] }, 200)],
    ] as const) {
      await act(tenant.live, "assign", { memberId: id });
      expect((await act(agent, "take-over", {}, 409)).body).toEqual({
        error: "A colleague has the conversation; give force to take it over",
      });
      await leave();
      await act(agent, "take-over");
      expect(await read()).toMatchObject({ handlingMode: "human", assigneeId: agent.id });
    }
  });
});

/** A value that the field of a request takes. */
function valueOf(schema: object): unknown {
  const { type, items, example, enum: values } = resolved(schema) as Record<string, unknown>;
  if (example !== undefined) return example;
  if (Array.isArray(values)) return values.at(-1) as unknown;
  if (type === "array") return [valueOf(items as object)];
  if (type === "string") return "something";
  throw new Error(`The field ${JSON.stringify(schema)} needs an example`);
}

describe("updating a conversation", () => {
  const change = (body: object, status = 200) => agent.patch(`/api/conversations/${conversation.id}`, body, status);

  test("changes only the given fields and returns the conversation", async () => {
    const given = {
      subject: " The parcel ",
      priority: "urgent",
      labels: ["vip", "late"],
      language: "de",
      summary: "Late",
      metadata: { shop: [1, null], deep: { a: null } },
    };
    const { body } = await change(given);
    expect(body).toEqual({
      ...conversation,
      ...given,
      subject: " The parcel ",
      lastActivityAt: aTime,
      updatedAt: body.lastActivityAt,
    });
    expect(body.lastActivityAt > conversation.lastActivityAt).toBe(true);
    expect(await read()).toEqual(body);
    for (const one of [
      { subject: null },
      { priority: "none" },
      { labels: ["late"] },
      { labels: [] },
      { language: null },
      { summary: null },
      { metadata: {} },
    ]) {
      const before = await read();
      const { body: after } = await change(one);
      expect(after).toEqual({
        ...before,
        ...one,
        lastActivityAt: after.lastActivityAt,
        updatedAt: after.lastActivityAt,
      });
    }
  });

  const fields = (document.components.schemas.UpdateConversation as { properties: Record<string, object> }).properties;
  test.each(Object.entries(fields))("changes %s alone", async (field, schema) => {
    const value = valueOf(schema);
    expect(value, `${field} has that value already`).not.toEqual(conversation[field as keyof typeof conversation]);
    const { body } = await change({ [field]: value });
    expect(body).toEqual({ ...conversation, [field]: value, lastActivityAt: aTime, updatedAt: aTime });
    expect(await read()).toEqual(body);
  });

  test("to its current values, or with no fields, changes nothing", async () => {
    const given = {
      subject: "S",
      priority: "low",
      labels: ["a", "b"],
      language: "en",
      summary: "T",
      metadata: { a: 1, b: 2 },
    };
    const { body } = await change(given);
    expect((await change({ ...given, metadata: { b: 2, a: 1 } })).body).toEqual(body);
    expect((await change({})).body).toEqual(body);
    await tenant.live.patch(path("", { id: UNKNOWN_ID }), {}, 404);
  });

  test("refuses invalid values and read-only fields", async () => {
    for (const body of [
      { subject: "" },
      { priority: "highest" },
      { priority: null },
      { labels: ["a", "a"] },
      { labels: null },
      { labels: [""] },
      { language: "deu" },
      { metadata: [] },
      { metadata: null },
      { summary: "x".repeat(5_001) },
      { status: "open" },
      { assigneeId: agent.id },
      { externalId: "x" },
    ])
      await change(body, 400);
    expect(await read()).toEqual(conversation);
  });

  test("a label filter finds conversations as soon as the label is added, and until it is removed", async () => {
    const labelled = async (label: string): Promise<string[]> =>
      (await walk(tenant.live, `/api/conversations?label=${label}`)).map(({ id }) => id);
    const label = randomUUID();
    await change({ labels: [label, "other"] });
    expect(await labelled(label)).toEqual([conversation.id]);
    const other = await start(tenant.live, workspaceId);
    await tenant.live.patch(path("", other), { labels: [label] }, 200);
    expect(await labelled(label)).toEqual([other.id, conversation.id]);
    // Activity in a conversation also moves it in the lists of its labels.
    await tenant.live.post(path("/reply"), { body: "Hello" }, 200);
    expect(await labelled(label)).toEqual([conversation.id, other.id]);
    await change({ labels: ["other"] });
    expect(await labelled(label)).toEqual([other.id]);
    await tenant.live.post(`/api/contacts/${other.contactId}/erasure`, undefined, 200);
    expect(await labelled(label)).toEqual([]);
    expect(await app.db.query("select 1 from conversation_label where conversation_id = $1", [other.id])).toEqual([]);
  });
});

describe("starting an outbound conversation", () => {
  const compose = (client: Client, body: object = {}, status = 201) =>
    client.post(
      "/api/conversations/compose",
      { workspaceId, contactId: conversation.contactId, body: "Good news", ...body },
      status,
    );

  test("by a member creates a conversation with a message to the contact, assigned to the member", async () => {
    const { body: channels } = await tenant.live.get(`/api/workspaces/${workspaceId}/channels`, 200);
    const { body: made } = await compose(agent, { subject: "A parcel", bodyFormat: "markdown" });
    expect(made).toMatchObject({
      workspaceId,
      contactId: conversation.contactId,
      channelId: channels.find(({ type }) => type === "api")!.id,
      subject: "A parcel",
      status: "open",
      handlingMode: "human",
      assigneeId: agent.id,
      messageCount: 1,
      unreadCount: 0,
      waitingSince: null,
      firstReplyAt: made.lastActivityAt,
      lastMessagePreview: "Good news",
      previousConversationId: null,
      metadata: {},
    });
    expect(made.id).not.toBe(conversation.id);
    expect(await walk(tenant.live, path("/messages", made))).toMatchObject([
      {
        sequence: 1,
        direction: "outbound",
        authorType: "member",
        authorId: agent.id,
        body: "Good news",
        bodyFormat: "markdown",
        deliveryStatus: "sent",
      },
    ]);
  });

  test("by a key leaves it unassigned, and may name another channel", async () => {
    const { body: channels } = await tenant.live.get(`/api/workspaces/${workspaceId}/channels`, 200);
    const channelId = channels.find(({ type }) => type === "webchat")!.id;
    expect((await compose(tenant.live, { channelId })).body).toMatchObject({
      channelId,
      channelType: "webchat",
      handlingMode: "human",
      assigneeId: null,
    });
  });

  test("requires a contact that the caller can see, and otherwise writes nothing", async () => {
    const other = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other.id } });
    const before = (await walk(tenant.live, "/api/conversations")).length;
    await compose(key, { workspaceId: other.id }, 404);
    await compose(tenant.live, { contactId: UNKNOWN_ID }, 404);
    await compose(tenant.live, { channelId: UNKNOWN_ID }, 404);
    await compose(tenant.live, { body: "" }, 400);
    expect(await walk(tenant.live, "/api/conversations")).toHaveLength(before);
  });

  test("is refused for an erased person", async () => {
    await tenant.live.post(`/api/contacts/${conversation.contactId}/erasure`, undefined, 200);
    await compose(tenant.live, {}, 404);
  });
});

describe("in an archived workspace", () => {
  test("messages are refused, but conversations can still be organized", async () => {
    const archived = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    conversation = await start(tenant.live, archived, { message: { body: "Hello?" } });
    await set(app, "workspace", archived, { status: "archived" });
    const { contactId } = conversation;
    expect(
      (await tenant.live.post("/api/conversations/compose", { workspaceId: archived, contactId, body: "Hello" }, 409))
        .body.error,
    ).toMatch(/archived/);
    const memberId = (await owner.get("/api/me", 200)).body.id;
    for (const [action, body] of [
      ["assign", { memberId }],
      ["take-over", { memberId }],
      ["read"],
      ["snooze", { until: "2099-01-01" }],
      ["unassign"],
      ["release"],
      ["resolve"],
    ] as const)
      await act(tenant.live, action, body);
    await tenant.live.patch(path(), { labels: ["moved"] }, 200);
    expect(await read()).toMatchObject({ status: "resolved", labels: ["moved"], unreadCount: 0 });
  });
});

test("a conversation of an erased contact is read-only: every change returns 409", async () => {
  await tenant.live.post(`/api/contacts/${conversation.contactId}/erasure`, undefined, 200);
  const before = await read();
  for (const [action, body] of [
    ["reopen"],
    ["take-over", { memberId: agent.id }],
    ["assign", { memberId: agent.id }],
  ] as const)
    await act(tenant.live, action, body, 409);
  await act(tenant.live, "snooze", { until: "2099-01-01" }, 409);
  await tenant.live.patch(path(), { priority: "high" }, 409);
  for (const action of ["resolve", "unassign", "read", "release"]) await act(tenant.live, action);
  expect(await read()).toEqual(before);
});

test("deleting a workspace deletes its labels and snoozes", async () => {
  const gone = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
  conversation = await start(tenant.live, gone);
  await tenant.live.patch(path(), { labels: ["vip"] }, 200);
  await act(tenant.live, "snooze", { until: "2099-01-01" });
  const left = () =>
    app.db.query<{ table: string }>(
      `select 'label' as table from conversation_label where conversation_id = $1 union all select 'snooze' from snooze_due where conversation_id = $1
    union all select 'conversation' from conversation where id = $1 order by 1`,
      [conversation.id],
    );
  expect((await left()).map(({ table }) => table)).toEqual(["conversation", "label", "snooze"]);
  await tenant.live.delete(`/api/workspaces/${gone}`, 200);
  await app.app.get(PurgeWorkspacesJob).run();
  expect(await left()).toEqual([]);
});

describe("seven days after a conversation was resolved", () => {
  const DAYS = 7 * DAY;
  const resolvedBefore = async (ms: number): Promise<void> => {
    await act(agent, "resolve");
    await app.db.query(`update conversation set resolved_at = now() - make_interval(secs => $2) where id = $1`, [
      conversation.id,
      ms / 1_000,
    ]);
  };
  const write = async () =>
    read({
      id: (await tenant.live.post(`/api/conversations/${conversation.id}/messages`, { body: "Hello again" }, 201)).body
        .conversationId,
    });

  test.each([
    ["a minute short of it", DAYS - 60_000, true],
    ["one second past it", DAYS + 1_000, false],
  ])("%s, a message reopens the conversation or starts a new one", async (_, ms, same) => {
    await resolvedBefore(ms);
    const now = await write();
    expect(now).toMatchObject({
      status: "open",
      resolvedAt: null,
      previousConversationId: same ? null : conversation.id,
    });
    expect(now.id === conversation.id).toBe(same);
    if (!same) expect((await read()).status).toBe("resolved");
  });

  test("it can still be reopened by hand and then continues", async () => {
    await resolvedBefore(DAYS + HOUR);
    await act(agent, "reopen");
    expect(await write()).toMatchObject({ id: conversation.id, messageCount: 2 });
  });

  test("resolving it again restarts the seven days", async () => {
    await resolvedBefore(DAYS + HOUR);
    await act(agent, "reopen");
    await act(agent, "resolve");
    expect((await write()).id).toBe(conversation.id);
  });

  test("each successor belongs to one chain, however long it becomes", async () => {
    await resolvedBefore(DAYS + HOUR);
    const first = conversation;
    const second = await write();
    conversation = second;
    await resolvedBefore(DAYS + HOUR);
    conversation = first;
    const third = await write();
    expect([second.previousConversationId, third.previousConversationId]).toEqual([first.id, second.id]);
  });
});
