import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import {
  type Conversation,
  ConflictError,
  CursorExpiredError,
  ForbiddenError,
  InvalidError,
  List,
  NotFoundError,
  Parley,
  UnauthenticatedError,
  WebhookVerificationError,
} from "../../../sdk/src/index.js";
import { OPERATIONS } from "../../../sdk/src/generated/operations.js";
import { EventStreams } from "../../../src/feed/event-streams.js";
import { FeedService } from "../../../src/feed/feed.service.js";
import { signatureHeaders } from "../../../src/webhooks/signature.js";
import { undisturbed } from "../../races/support.js";
import { settled } from "../feed/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";

// Against the real application. How it behaves when servers and networks fail is in failures.spec.ts.

let app: TestApp;
let tenant: TestTenant;
let parley: Parley;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  parley = new Parley({ baseUrl: app.baseUrl, apiKey: tenant.live.token! });
});
afterAll(async () => {
  // fetch leaves connections open that it never used, and a server that closes waits for those a minute.
  app.app.getHttpServer().closeAllConnections();
  await app.close();
});

const start = (client: Parley, body: string): Promise<Conversation> =>
  client.conversations.start({
    workspaceId: tenant.defaults.workspaceId,
    contact: { name: "Ada" },
    message: { body },
  });
const member = (): Parley => {
  let token: string | undefined;
  const client: Parley = new Parley({
    baseUrl: app.baseUrl,
    getToken: async (refused) => {
      if (token === undefined || refused === token) {
        const session = await client.auth.login({ email: tenant.ownerEmail, password: PASSWORD });
        token = "accessToken" in session ? session.accessToken : undefined;
      }
      return token!;
    },
  });
  return client;
};

test("every operation of the contract has a method, but for streams", () => {
  const groups = parley as unknown as Record<string, Record<string, unknown>>;
  for (const id of Object.keys(OPERATIONS)) {
    const [group, method] = id.split(".") as [string, string];
    expect(groups[group]![method], id).toBeTypeOf("function");
  }
});

test("a list is its first page when awaited, all items when iterated, and its pages", async () => {
  const made = [];
  for (let i = 0; i < 5; i++) made.push((await start(parley, `Message ${i}`)).id);
  const list = parley.conversations.list({ status: ["open"], limit: 2 });
  expect(list).toBeInstanceOf(List);
  const page = await list;
  expect(page.data).toHaveLength(2);
  expect(page.nextCursor).toBeTypeOf("string");

  const all: string[] = [];
  for await (const conversation of list) {
    expectTypeOf(conversation).toEqualTypeOf<Conversation>();
    all.push(conversation.id);
  }
  expect(all).toEqual([...made].reverse());

  const sizes: number[] = [];
  for await (const { data } of parley.conversations.list({ limit: 2 }).pages()) sizes.push(data.length);
  expect(sizes).toEqual([2, 2, 1]);

  const next = await parley.conversations.list({ status: ["open"], limit: 2, cursor: page.nextCursor });
  expect(next.data.map(({ id }) => id)).toEqual(all.slice(2, 4));

  const workspaces: string[] = [];
  for await (const { id } of parley.workspaces.list()) workspaces.push(id);
  expect(workspaces).toEqual([tenant.defaults.workspaceId]);
  expect((await parley.workspaces.list())[0]!.id).toBe(tenant.defaults.workspaceId);
});

test("a list that is searched with a POST has pages, too", async () => {
  const found: string[] = [];
  for await (const { conversation } of parley.conversations.search({ query: "Message", limit: 2 }))
    found.push(conversation.id);
  expect(new Set(found).size).toBe(5);
});

test("a list that is never awaited sends nothing, and a failed one is caught as a promise is", async () => {
  const wrong = new Parley({ baseUrl: app.baseUrl, apiKey: "svc_live_v1_wrong" });
  wrong.conversations.list();
  let ended = false;
  const caught = await wrong.conversations
    .list()
    .finally(() => {
      ended = true;
    })
    .catch((error: unknown) => error);
  expect(caught).toBeInstanceOf(UnauthenticatedError);
  expect(ended).toBe(true);
});

test("a reply with the same Idempotency-Key happens once", async () => {
  const { id } = await start(parley, "Where is my order?");
  const options = { idempotencyKey: "order-1" };
  const first = await parley.conversations.reply(id, { body: "On its way." }, options);
  expect(await parley.conversations.reply(id, { body: "On its way." }, options)).toEqual(first);
  await parley.conversations.reply(id, { body: "On its way." });
  expect((await parley.conversations.get(id)).messageCount).toBe(3);
  await expect(parley.conversations.reply(id, { body: "Other" }, options)).rejects.toMatchObject({ status: 422 });
});

test("failures are errors that you can branch on, with the sentence and the request id", async () => {
  const { id } = await start(parley, "Hello");
  await expect(parley.conversations.get("01a2064a-6dc2-715b-bac0-1839970bcd3c")).rejects.toThrow(NotFoundError);
  await expect(parley.conversations.reply(id, { body: "x".repeat(1e6) })).rejects.toThrow(InvalidError);
  await expect(parley.members.list()).rejects.toThrow(ForbiddenError);
  await parley.conversations.start({
    workspaceId: tenant.defaults.workspaceId,
    contact: { name: "Grace", externalId: "grace" },
  });
  await expect(parley.contacts.create({ name: "Grace", externalId: "grace" })).rejects.toThrow(ConflictError);
  const error: unknown = await parley.conversations.list({ limit: 1_000 }).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(InvalidError);
  expect(error).toMatchObject({
    message: expect.stringContaining("limit"),
    requestId: expect.any(String),
    attempts: 1,
  });
});

test("request calls any operation, with its status and headers; an unchanged list is a 304", async () => {
  await undisturbed([app], async () => {
    const first = await parley.request("conversations.list", { query: { limit: 1 } });
    expect(first).toMatchObject({ status: 200, requestId: expect.any(String), data: { data: [{}] } });
    const again = await parley.request("conversations.list", {
      query: { limit: 1 },
      headers: { "if-none-match": first.headers.get("etag")! },
    });
    expect(again).toMatchObject({ status: 304, data: undefined });
    const { data } = await parley.request("conversations.get", { path: { id: first.data.data[0]!.id } });
    expect(data.id).toBe(first.data.data[0]!.id);
  });
});

test("a filter that is null is none", async () => {
  // As a program in JavaScript may have it.
  const none = null as unknown as undefined;
  await start(parley, "Hello");
  const { data } = await parley.conversations.list({ limit: 1, label: none });
  expect(data).toHaveLength(1);
});

test("files go up and come down, and an import takes text of its own type", async () => {
  const form = new FormData();
  form.set("file", new File(["hello"], "note.txt", { type: "text/plain" }));
  const { id } = await parley.attachments.upload(form);
  const { id: conversation } = await start(parley, "With a file");
  await parley.conversations.reply(conversation, { body: "Here", attachmentIds: [id] });
  const { url } = await parley.attachments.get(id);
  const file = await parley.attachments.download(new URL(url, app.baseUrl).pathname.split("/").at(-1)!);
  expect(await file.text()).toBe("hello");
  const report = await parley.contacts.import("name,emails\nAda,ada@example.com\n");
  expect(report).toMatchObject({ imported: 1 });
  const { id: contact } = (await parley.contacts.search({ q: "ada@example.com" })).data[0]!;
  const archive = await member().contacts.export(contact);
  expect(archive.type).toBe("application/zip");
  expect(archive.size).toBeGreaterThan(100);
});

test("changes are followed from a cursor, and a program that starts again continues behind it", async () => {
  const { id } = await start(parley, "Follow me");
  let cursor: string | undefined;
  for await (const change of parley.changes.follow({ types: "conversation", intervalMs: 50 })) {
    cursor = change.cursor;
    if (change.resourceId === id) break;
  }
  const resolved = async (): Promise<boolean> => {
    for await (const { resourceId, type, resource } of parley.changes.follow({ after: cursor, intervalMs: 50 }))
      if (resourceId === id && type === "conversation.updated" && resource?.status === "resolved") return true;
    return false;
  };
  const waiting = resolved();
  await parley.conversations.resolve(id, { resolution: "answered" });
  expect(await waiting).toBe(true);
});

test("a position before a restored database is an error that says what to do", async () => {
  const { cursor } = await parley.changes.list({ limit: 1 });
  const feed = app.app.get(FeedService);
  expect(feed.open(tenant.tenantId, cursor).epoch).toBeTypeOf("string");
  const restored = feed.minter(tenant.tenantId, "another")(["1", "1"]);
  await expect(parley.changes.follow({ after: restored }).next()).rejects.toThrow(CursorExpiredError);
});

test("a member hears events, and continues behind the last one", async () => {
  const client = member();
  // Otherwise it hears of the conversations of the tests before it, too.
  await settled(app.db);
  const events = client.events.stream();
  expect((await events.next()).value).toMatchObject({ type: "ready", id: expect.any(String) });
  const { id } = await start(parley, "Listen");
  let last: string | undefined;
  for await (const event of events) {
    last = event.id;
    if (event.type === "conversation.created") {
      expect(event.data).toMatchObject({ conversationId: id, workspaceId: tenant.defaults.workspaceId });
      break;
    }
  }
  await parley.conversations.resolve(id, { resolution: "answered" });
  for await (const event of client.events.stream({ lastEventId: last }))
    if (event.type === "conversation.updated" && event.data.status === "resolved") break;
  const { open } = app.app.get<unknown, { open: { count: number } }>(EventStreams);
  await expect.poll(() => open.count).toBe(0);
  await expect(parley.events.stream().next(), "a key hears none").rejects.toThrow(ForbiddenError);
});

test("webhooks are verified as they are signed, from headers of any kind", () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const body = '{"id":"1","type":"message.received","data":{}}';
  const now = Math.floor(Date.now() / 1_000);
  const headers = signatureHeaders("an-id", now, body, [secret]);
  for (const form of [headers, new Headers(headers)])
    for (const text of [body, Buffer.from(body)])
      expect(Parley.webhooks.verify(text, form, secret)).toMatchObject({ type: "message.received" });
  for (const [text, at, key] of [
    [`${body} `, now, secret],
    [body, now - 400, secret],
    [body, now, `whsec_${Buffer.alloc(32, 8).toString("base64")}`],
  ] as const) {
    const signed = signatureHeaders("an-id", at, body, [secret]);
    expect(() => Parley.webhooks.verify(text, signed, key)).toThrow(WebhookVerificationError);
  }
  expect(() => Parley.webhooks.verify(body, {}, secret)).toThrow(WebhookVerificationError);
});
