import http from "node:http";
import type { Socket } from "node:net";
import { Logger } from "@nestjs/common";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { SessionVerifier } from "../../../src/auth/sessions/session.verifier.js";
import { FeedService } from "../../../src/feed/feed.service.js";
import { Changes } from "../../../src/platform/database/changes.js";
import { raise } from "../../../src/conversations/attention/raise.js";
import { ConversationEntity } from "../../../src/conversations/conversation.entity.js";
import { newWorkspace, start } from "../e2e/support.js";
import { PASSWORD, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { on, SOON_MS, startTwo, type TwoNodes, until } from "../../races/support.js";
import { EventStream, follow, settled, unheld } from "./support.js";

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
const open: EventStream[] = [];
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});
afterAll(() => nodes?.close());

/** Without an id, a stream begins behind everything that was written before, also if another file's transaction held it back. */
async function listen(client: Client = owner, lastEventId?: string, query?: string): Promise<EventStream> {
  if (lastEventId === undefined) await settled(nodes.a.db);
  const stream = await EventStream.open(client, lastEventId, query);
  open.push(stream);
  return stream;
}
let serial = 0;
/** A member who is signed in, and assigned to these workspaces. */
async function member(role: string, workspaceIds: string[]): Promise<Client & { id: string }> {
  const email = `${role}-${++serial}-events@example.com`;
  const { body } = await owner.post("/api/members", { email, name: role, role, workspaceIds, password: PASSWORD }, 201);
  return Object.assign(await nodes.a.client().login(email, PASSWORD), { id: body.id });
}
/** Everybody hears of presence, at once: it is not in the feed. A signal can get lost. */
const presence = (stream: EventStream): Promise<unknown> =>
  until(async () => {
    const everywhere = { tenantId: tenant.tenantId, workspaceId: null };
    nodes.a.app.get(Changes).signal({ ...everywhere, type: "presence.changed", data: {} });
    return stream.types.includes("presence.changed");
  }, "presence is heard");
/** A test of events that belong to one transaction, or of their number. */
const wholly = (name: string, work: () => Promise<void>): void => test(name, () => unheld(work));
const write = (text: string, workspaceId = tenant.defaults.workspaceId, client = tenant.live) =>
  start(client, workspaceId, { message: { body: text } });

describe("a stream", () => {
  wholly("on another node sends what happens in the order of the feed, thin: ids and states, no text", async () => {
    const stream = await listen(on(nodes.b, owner));
    const { id } = await write("A secret that no event holds");
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Neither this" }, 200);
    await tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
    await stream.until(() => stream.heard.some(({ data }) => data.status === "resolved"));
    expect(stream.types).toEqual([
      "conversation.created",
      "channel.message_received",
      "message.created",
      "message.created",
      "conversation.updated",
      "conversation.updated",
    ]);
    expect(stream.heard.at(-1)!.data).toEqual({
      conversationId: id,
      workspaceId: tenant.defaults.workspaceId,
      status: "resolved",
      previousStatus: "open",
      handlingMode: "human",
      assigneeId: null,
      priority: "none",
      messageCount: 2,
    });
    const received = stream.heard.find(({ type }) => type === "channel.message_received")!;
    expect(received.data).toEqual({
      conversationId: id,
      workspaceId: tenant.defaults.workspaceId,
      messageId: expect.any(String),
      sequence: 1,
      direction: "inbound",
      deliveryStatus: "delivered",
    });
    expect(JSON.stringify(stream.heard)).not.toMatch(/secret|Neither/);
    // Two events of one row: only the last has an id, so that a reader who resumes gets both or neither.
    expect(received.id).toBeUndefined();
  });

  wholly("carries the resource and the contact, as the API shows them, beside streams that want neither", async () => {
    const thin = await listen();
    const stream = await listen(on(nodes.b, owner), undefined, "?include=resource,contact");
    const beside = await listen(on(nodes.b, owner), undefined, "?include=resource");
    const { id, contactId } = await write("Where is my order?");
    await tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
    const isDone = ({ heard }: EventStream) => heard.some(({ data }) => data.status === "resolved");
    for (const one of [thin, stream, beside]) await one.until(() => isDone(one));
    const { body: conversation } = await owner.get(`/api/conversations/${id}`, 200);
    const { body: contact } = await owner.get(`/api/contacts/${contactId}`, 200);
    const { body: messages } = await owner.get(`/api/conversations/${id}/messages`, 200);
    expect(stream.types).toEqual(thin.types);
    expect(stream.heard.at(-1)!.data).toMatchObject({ resource: conversation, contact });
    expect(stream.heard.find(({ type }) => type === "message.created")!.data).toMatchObject({
      resource: messages.data[0],
    });
    for (const { type, data } of stream.heard) expect("contact" in data, type).toBe(type.startsWith("conversation."));
    expect(beside.heard.at(-1)!.data).toMatchObject({ resource: conversation });
    expect(beside.heard.some(({ data }) => "contact" in data)).toBe(false);
    expect(thin.heard.some(({ data }) => "contact" in data || "resource" in data)).toBe(false);
    // Missed ones, too, as the resource is now: nothing that was erased.
    const [first] = stream.heard;
    await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    const again = await listen(owner, first!.id, "?include=resource,contact");
    await again.until(() => isDone(again));
    expect(JSON.stringify(again.heard)).not.toContain("Where is my order?");
    await owner.get("/api/events?include=everything", 400);
  });

  test("resumes with the last id, on another node, without a gap or a repeat", async () => {
    const first = await listen();
    const { id } = await write("one");
    await first.until(() => first.types.includes("message.created"));
    first.close();
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "two" }, 200);
    const second = await listen(on(nodes.b, owner), first.lastId);
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "three" }, 200);
    const sequences = (): unknown[] =>
      second.heard.filter(({ type }) => type === "message.created").map(({ data }) => data.sequence);
    await second.until(() => sequences().length >= 2);
    await write("marker");
    await second.until(() => sequences().length >= 3);
    expect(sequences()).toEqual([2, 3, 1]);
  });

  test("takes a cursor of GET /api/changes, and its ids are such cursors", async () => {
    await settled(nodes.a.db);
    const { cursor } = await follow(owner);
    const { id } = await write("hello");
    const stream = await listen(owner, cursor);
    await stream.until(() => stream.types.includes("message.created"));
    const created = stream.heard.find(({ type }) => type === "conversation.created")!;
    expect(created.data.conversationId).toBe(id);
    await settled(nodes.a.db);
    const { changes } = await follow(owner, created.id);
    expect(changes.map(({ type }) => type)).toContain("message.created");
    expect(changes.map(({ type }) => type)).not.toContain("conversation.created");
    await expect(listen(owner, "nonsense")).rejects.toThrow("400");
    const other = await nodes.a.tenant();
    await expect(listen(await other.owner(), cursor)).rejects.toThrow("400");
  });

  test("sends nothing of another tenant or side", async () => {
    const other = await nodes.a.tenant();
    const stream = await listen();
    await write("theirs", other.defaults.workspaceId, other.live);
    await write("on the test side", tenant.testDefaults.workspaceId, tenant.test);
    const { id } = await write("ours");
    await stream.until(() => stream.types.includes("message.created"));
    expect(new Set(stream.heard.map(({ data }) => data.conversationId))).toEqual(new Set([id]));
  });

  test("is for sessions of those who read conversations: no key, no billing", async () => {
    await expect(listen(tenant.live)).rejects.toThrow("403");
    await expect(listen(await member("billing", []))).rejects.toThrow("403");
    await expect(listen(nodes.a.client())).rejects.toThrow("401");
  });
});

describe("an agent's stream", () => {
  test("has the assigned workspaces only, and within a second nothing more of one that is taken away", async () => {
    const other = await newWorkspace(tenant.live, tenant.defaults.brandId);
    const agent = await member("agent", [tenant.defaults.workspaceId]);
    const stream = await listen(on(nodes.b, agent));
    await write("not assigned", other.id);
    const mine = await write("assigned");
    await stream.until(() => stream.types.includes("message.created"));
    expect(new Set(stream.heard.map(({ data }) => data.conversationId))).toEqual(new Set([mine.id]));
    await owner.patch(`/api/members/${agent.id}`, { workspaceIds: [other.id] }, 200);
    // Once the process of the stream has heard of it, nothing leaves before the rights have been checked anew.
    await until(
      async () => (await on(nodes.b, agent).get(`/api/workspaces/${tenant.defaults.workspaceId}`)).status === 404,
      "the other node has heard that it is taken away",
      SOON_MS,
    );
    stream.heard.length = 0;
    await write("taken away");
    const theirs = await write("given", other.id);
    await stream.until(() => stream.types.includes("message.created"));
    expect(new Set(stream.heard.map(({ data }) => data.conversationId))).toEqual(new Set([theirs.id]));
  });

  test("ends soon when the session ends, or the member is deactivated", async () => {
    const [leaving, removed] = [await member("agent", []), await member("agent", [])];
    const streams = [await listen(on(nodes.b, leaving)), await listen(on(nodes.b, removed))];
    await leaving.post("/api/auth/logout", undefined, 200);
    await owner.delete(`/api/members/${removed.id}`, 200);
    await until(() => Promise.resolve(streams.every(({ ended }) => ended)), "both streams end", SOON_MS);
  });
});

describe("who hears what", () => {
  const WHO: [role: string, assigned: boolean, hears: boolean][] = [
    ["owner", false, true],
    ["admin", false, true],
    ["agent", true, true],
    ["agent", false, false],
    ["observer", true, true],
    ["observer", false, false],
  ];
  test.each(WHO)("%s, assigned to the workspace: %s, hears of it: %s", async (role, assigned, hears) => {
    const stream = await listen(on(nodes.b, await member(role, assigned ? [tenant.defaults.workspaceId] : [])));
    // Beside it, one that hears everything.
    const all = await listen(on(nodes.b, owner));
    const { id, contactId } = await write("hello");
    await tenant.live.patch(`/api/contacts/${contactId}`, { name: "Ada" }, 200);
    await nodes.a.transaction(tenant.tenantId, (tx) =>
      raise(tx, { conversationId: id, type: "kb_gap", severity: "low", reason: "Nothing found" }),
    );
    const place = `/api/workspaces/${tenant.defaults.workspaceId}` as const;
    await tenant.live.post(`${place}/kb-entries`, { question: `Why ${id}?`, answer: "So.", status: "pending" }, 201);
    await tenant.live.post(
      `${place}/policy-entries`,
      { title: id, rule: "No", effect: "deny", status: "pending" },
      201,
    );
    const ALL = [
      "attention_item.created",
      "channel.message_received",
      "contact.updated",
      "conversation.created",
      "kb_entry.created",
      "message.created",
      "policy_entry.created",
    ];
    const heardBy = ({ types }: EventStream) => [...new Set(types)].filter((type) => ALL.includes(type)).sort();
    await all.until(() => heardBy(all).length === ALL.length);
    if (hears) await stream.until(() => heardBy(stream).length === ALL.length);
    // Everybody hears of presence, so whoever has heard of nothing else by then does not.
    await presence(stream);
    expect(heardBy(stream)).toEqual(hears ? ALL : []);
  });
});

test("a transaction that holds the feed back delays a stream, and loses nothing", async () => {
  const stream = await listen();
  const { id } = await write("first");
  await stream.until(() => stream.types.includes("message.created"));
  const resolved = () => stream.heard.filter(({ data }) => data.status === "resolved");
  const looked = vi.spyOn(nodes.a.app.get(FeedService), "occurrences");
  let during: unknown;
  await nodes.a
    .transaction(tenant.tenantId, async (tx) => {
      await tx.query({
        kind: "query",
        name: "test.xid",
        text: "select pg_current_xact_id() where $1::text is null",
        slots: [null],
        reach: { unrestricted: "a test" },
      });
      await tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
      looked.mockClear();
      await until(async () => {
        const found = await Promise.all(
          looked.mock.results.map(({ value }) => value as ReturnType<FeedService["occurrences"]>),
        );
        return found.some(({ unsettled }) => unsettled);
      }, "the stream's process has read the feed since, and knows that rows are held back");
      // What it read was sent before this signal, which nothing holds back.
      await presence(stream);
      during = resolved();
    })
    .finally(() => looked.mockRestore());
  await stream.until(() => resolved().length > 0);
  expect(during).toEqual([]);
  await write("marker");
  await stream.until(() => stream.types.filter((type) => type === "message.created").length > 1);
  expect(resolved().map(({ data }) => data.conversationId)).toEqual([id]);
});

wholly(
  "a transaction that changes the status and then something else is one event, with the status before it",
  async () => {
    const stream = await listen();
    const { id } = await write("first");
    await stream.until(() => stream.types.includes("message.created"));
    stream.heard.length = 0;
    await nodes.a.transaction(tenant.tenantId, async (tx) => {
      await tx.update(ConversationEntity, { id }, { status: "pending" });
      await tx.update(ConversationEntity, { id }, { priority: "high" });
    });
    await stream.until(() => stream.heard.length > 0);
    expect(stream.heard.map(({ data }) => [data.status, data.previousStatus])).toEqual([["pending", "open"]]);
  },
);

test("a step of verification is an event with ids alone", async () => {
  const { id } = await write("It is me.");
  const stream = await listen();
  // No source of questions is attached.
  await tenant.live.post(`/api/conversations/${id}/verification/questions`, {}, 409);
  await stream.until(() => stream.types.includes("identity_event.created"));
  expect(stream.heard.find(({ type }) => type === "identity_event.created")!.data).toEqual({
    conversationId: id,
    workspaceId: tenant.defaults.workspaceId,
    identityEventId: expect.any(String),
  });
});

test("a client that leaves while its rights are being checked gets no stream, and no error is logged", async () => {
  const verifier = nodes.b.app.get(SessionVerifier);
  const verify = verifier.verify.bind(verifier);
  const logged = vi.spyOn(Logger.prototype, "error");
  const server = nodes.b.app.getHttpServer();
  let asked = false;
  const closed = new Promise<void>((resolve) => {
    server.once("connection", (socket: Socket) => socket.once("close", () => resolve()));
  });
  verifier.verify = async (...args) => {
    const verified = await verify(...args);
    asked = true;
    await closed;
    return verified;
  };
  try {
    const headers = { authorization: `Bearer ${owner.token}` };
    const request = http.get(`${nodes.b.baseUrl}/api/events`, { agent: false, headers }).on("error", () => undefined);
    await until(async () => asked, "the rights are being checked");
    request.destroy();
    await closed;
    // The request goes on. One that comes after it takes the same way to its end.
    await listen(on(nodes.b, owner));
    expect(logged.mock.calls).toEqual([]);
  } finally {
    verifier.verify = verify;
    logged.mockRestore();
  }
});

test("no signal is sent while rights are being checked, however long that takes", async () => {
  const agent = await member("agent", [tenant.defaults.workspaceId]);
  const { id } = await write("hello");
  const stream = await listen(on(nodes.b, agent));
  const place = { tenantId: tenant.tenantId, workspaceId: tenant.defaults.workspaceId };
  const verifier = nodes.b.app.get(SessionVerifier);
  const verify = verifier.verify.bind(verifier);
  const changes = nodes.b.app.get(Changes);
  let [asked, told] = [false, false];
  const signals = new Set<string>();
  changes.onChange((_, workspaceId) => void (told ||= workspaceId === null));
  changes.onSignal(({ type }) => void signals.add(type));
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  verifier.verify = async (...args) => {
    asked = true;
    await held;
    return verify(...args);
  };
  try {
    await owner.patch(`/api/members/${agent.id}`, { workspaceIds: [] }, 200);
    await until(async () => asked && told, "the rights are being checked");
    // The process of the stream passes a signal on when it hears it, or never.
    await until(async () => {
      nodes.a.app.get(Changes).signal({ ...place, type: "viewing.changed", data: { conversationId: id } });
      nodes.a.app.get(Changes).signal({ ...place, workspaceId: null, type: "presence.changed", data: { n: 1 } });
      return signals.has("viewing.changed") && signals.has("presence.changed");
    }, "the other process has heard both signals");
    // And each of them that was sent: none comes after this one.
    await until(async () => {
      nodes.a.app.get(Changes).signal({ ...place, workspaceId: null, type: "marker", data: {} });
      return signals.has("marker");
    }, "the other process has heard the marker");
  } finally {
    verifier.verify = verify;
    release();
  }
  // Once the check has ended, signals are sent again: to those who may hear them now.
  let n = 1;
  await until(async () => {
    nodes.a.app.get(Changes).signal({ ...place, type: "viewing.changed", data: { conversationId: id } });
    nodes.a.app.get(Changes).signal({ ...place, workspaceId: null, type: "presence.changed", data: { n: ++n } });
    return stream.types.includes("presence.changed");
  }, "signals are sent again");
  expect(stream.types).not.toContain("viewing.changed");
  expect(stream.heard.filter(({ data }) => data.n === 1)).toEqual([]);
});

test("a signal reaches those who may hear of the conversation, without an id", async () => {
  const agent = await member("agent", [tenant.defaults.workspaceId]);
  const stranger = await member("agent", []);
  const { id } = await write("hello");
  const [hears, deaf] = [await listen(on(nodes.b, agent)), await listen(on(nodes.b, stranger))];
  const data = { conversationId: id, memberId: agent.id, state: "typing" };
  const place = { tenantId: tenant.tenantId, workspaceId: tenant.defaults.workspaceId };
  const { app } = nodes.a;
  await until(async () => {
    app.get(Changes).signal({ ...place, type: "viewing.changed", data });
    return hears.types.includes("viewing.changed");
  }, "the agent hears the signal");
  expect(hears.heard.at(-1)).toEqual({
    id: undefined,
    type: "viewing.changed",
    data,
  });
  await until(async () => {
    app.get(Changes).signal({ ...place, workspaceId: null, type: "presence.changed", data: {} });
    return deaf.types.includes("presence.changed");
  }, "the stranger hears of presence");
  expect(new Set(deaf.types)).toEqual(new Set(["presence.changed"]));
});
