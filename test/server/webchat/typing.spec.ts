import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { TypingMembers } from "../../../src/channels/webchat/typing-members.js";
import { Changes, type Signal } from "../../../src/platform/database/changes.js";
import { aTime, newAgent, set } from "../e2e/support.js";
import { on, SOON_MS, startTwo, type TwoNodes, undisturbed, until } from "../../races/support.js";
import type { TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { type Chat, chatOf, type Listening, Visitor } from "./support.js";

// Both sides of a web chat see that the other one is typing, on two nodes.

let nodes: TwoNodes;
let tenant: TestTenant;
let chat: Chat;
let owner: Client;
let agent: Client;
let heard: Signal[] = [];
let serial = 0;
const open: Listening[] = [];
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  chat = await chatOf(tenant);
  owner = await tenant.owner();
  agent = await newAgent(owner, [chat.workspaceId]);
  nodes.b.app.get(Changes).onSignal((signal) => {
    if (signal.type === "typing") heard.push(signal);
  });
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
  heard = [];
});
afterAll(() => nodes.close());

async function hearing(visitor: Visitor, baseUrl?: string, lastEventId?: string): Promise<Listening> {
  const stream = await visitor.listen(lastEventId, baseUrl);
  open.push(stream);
  return stream;
}
/** A visitor who has written, with the conversation. */
async function writing(text: string): Promise<{ visitor: Visitor; id: string }> {
  const visitor = await Visitor.open(nodes.a.baseUrl, chat);
  await visitor.write(text, undefined, 201);
  const [row] = await nodes.a.db.query<{ id: string }>("select conversation_id as id from message where body = $1", [
    text,
  ]);
  return { visitor, id: row!.id };
}
const put = (member: Client, id: string, state: string) =>
  member.put(`/api/conversations/${id}/viewing`, { state }, 200);
/** A reply that reaches the streams after everything before it. */
async function settled(id: string, ...streams: Listening[]): Promise<void> {
  const body = `settled ${Math.random()}`;
  await tenant.live.post(`/api/conversations/${id}/reply`, { body }, 200);
  for (const stream of streams) await stream.until(() => stream.texts.includes(body));
}

test("a visitor sees on every node that somebody types a reply and stops, and not who", async () => {
  await undisturbed([nodes.a, nodes.b], async () => {
    const { visitor, id } = await writing(`hello ${++serial}`);
    const streams = [await hearing(visitor), await hearing(visitor, nodes.b.baseUrl)];
    await settled(id, ...streams);
    for (const state of ["viewing", "typing", "viewing", "left"]) await put(agent, id, state);
    for (const stream of streams) {
      await stream.until(() => stream.typing.length === 2, SOON_MS);
      expect(stream.typing).toEqual([
        { conversationId: id, typing: true, until: aTime },
        { conversationId: id, typing: false, until: null },
      ]);
      expect(stream.heard.filter(({ event }) => event === "typing").map((event) => event.id)).toEqual(["", ""]);
    }
    await settled(id, ...streams);
    for (const stream of streams) expect(stream.typing).toHaveLength(2);
  });
});

test("while one of two members still types, the visitor sees it", async () => {
  await undisturbed([nodes.a, nodes.b], async () => {
    const { visitor, id } = await writing(`anyone there ${++serial}?`);
    const stream = await hearing(visitor);
    await settled(id, stream);
    await put(agent, id, "typing");
    await put(on(nodes.b, owner), id, "typing");
    await stream.until(() => stream.typing.length === 2, SOON_MS);
    await put(agent, id, "left");
    await stream.until(() => stream.typing.length === 3, SOON_MS);
    await put(owner, id, "viewing");
    await stream.until(() => stream.typing.length === 4, SOON_MS);
    expect(stream.typing.map(({ typing }) => typing)).toEqual([true, true, true, false]);
  });
});

test("nobody sees it in another's conversation, also not with a Last-Event-ID that names it", async () => {
  const { visitor, id } = await writing("mine");
  const stream = await hearing(visitor);
  const other = await writing("theirs");
  await settled(id, stream);
  // The id of the owner's stream is that of their thread.
  const nosy = await hearing(other.visitor, undefined, stream.lastId);
  await settled(other.id, nosy);
  await put(agent, id, "typing");
  await put(agent, id, "left");
  await stream.until(() => stream.typing.length === 2);
  await settled(other.id, nosy);
  expect(nosy.typing).toEqual([]);
});

test("every process hears that a visitor types and stops, until when, and nothing is stored", async () => {
  await undisturbed([nodes.a, nodes.b], async () => {
    heard = [];
    const { visitor, id } = await writing(`wait ${++serial}`);
    const before = await nodes.a.db.query("select count(*) from message");
    const etag = (await agent.get("/api/conversations", 200)).headers.get("etag")!;
    await visitor.type(true, 200);
    await visitor.type(false, 200);
    await until(async () => heard.length === 2, "the other node heard it", SOON_MS);
    const { workspaceId } = chat;
    const signal = (end: unknown): Signal => ({
      tenantId: tenant.tenantId,
      workspaceId,
      type: "typing",
      data: { conversationId: id, workspaceId, by: "contact", until: end },
    });
    expect(heard).toEqual([signal(aTime), signal(null)]);
    expect(await nodes.a.db.query("select count(*) from message")).toEqual(before);
    expect((await agent.get("/api/conversations", undefined, { headers: { "if-none-match": etag } })).status).toBe(304);
  });
});

test("a visitor who has not written, or is blocked, types unseen and is answered alike", async () => {
  await undisturbed([nodes.a, nodes.b], async () => {
    heard = [];
    const visitor = await Visitor.open(nodes.a.baseUrl, chat);
    const { visitor: blocked, id } = await writing(`spam ${++serial}`);
    const { contactId } = (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
    await tenant.live.patch(`/api/contacts/${contactId}`, { blocked: true }, 200);
    const { visitor: seen, id: expected } = await writing(`not spam ${serial}`);
    const answers = [await visitor.type(true, 200), await blocked.type(true, 200), await seen.type(true, 200)];
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await until(async () => heard.length, "the other node heard it", SOON_MS);
    expect(heard).toMatchObject([{ data: { conversationId: expected } }]);
  });
});

test("typing needs the session's token and a boolean, is refused in an archived workspace, and has a limit", async () => {
  const { visitor } = await writing("a lot");
  await new Visitor(visitor.client.as(undefined), chat).type(true, 401);
  await new Visitor(visitor.client.as("nonsense"), chat).type(true, 401);
  for (const typing of ["true", 1, null, undefined]) await visitor.client.post(`${chat.path}/typing`, { typing }, 400);
  const statuses: number[] = [];
  for (let n = 0; n < 31; n++) statuses.push((await visitor.type(n % 2 === 0)).status);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(200));
  expect(statuses[30]).toBe(429);
  const other = await nodes.a.tenant();
  const archived = await chatOf(other);
  const late = await Visitor.open(nodes.a.baseUrl, archived);
  await set(nodes.a, "workspace", archived.workspaceId, { status: "archived" });
  await late.type(true, 409);
});

test("a lease that has run out does not keep the sign alive", () => {
  const members = new TypingMembers();
  const change = { conversationId: "c", workspaceId: "w", until: "2030-01-01T00:00:00.000Z" };
  const now = performance.now;
  expect(members.note({ ...change, memberId: "a", state: "typing" })).toMatchObject({ typing: true });
  try {
    performance.now = () => now.call(performance) + 21_000;
    members.note({ ...change, memberId: "b", state: "typing" });
    expect(members.note({ ...change, memberId: "b", state: "left", until: null })).toMatchObject({ typing: false });
  } finally {
    performance.now = now;
  }
});
