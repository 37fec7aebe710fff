import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebchatThreadService } from "../../../src/channels/webchat/webchat-thread.service.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { Client, fileForm } from "../../support/client.js";
import { type Chat, chatOf, IDENTITY_SECRET, sign, Visitor } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
let chat: Chat;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant("Shop");
  chat = await chatOf(tenant, {}, IDENTITY_SECRET);
});
afterAll(() => app.close());

const visitor = (identity?: string, at = chat): Promise<Visitor> => Visitor.open(app.baseUrl, at, identity);
/** The conversation with the newest message of this text. */
const conversationWith = async (text: string) =>
  (
    await app.db.query<{ id: string; contactId: string; senderProof: string }>(
      `select c.id, c.contact_id as "contactId", c.sender_proof as "senderProof" from conversation c join message m on m.conversation_id = c.id where m.body = $1`,
      [text],
    )
  )[0]!;
const answer = async (to: string, text: string): Promise<void> => {
  await tenant.live.post(`/api/conversations/${(await conversationWith(to)).id}/reply`, { body: text }, 200);
};

describe("a thread", () => {
  test("begins with the first message and not earlier; visitors see only their own, without notes", async () => {
    const before = await app.db.query("select count(*) from contact");
    const [ada, bob] = [await visitor(), await visitor()];
    expect(await ada.read()).toEqual([]);
    expect(await app.db.query("select count(*) from contact")).toEqual(before);
    await ada.write("ada one", undefined, 201);
    await bob.write("bob one", undefined, 201);
    await answer("ada one", "hello ada");
    await tenant.live.post(
      `/api/conversations/${(await conversationWith("ada one")).id}/notes`,
      { body: "a note on ada" },
      201,
    );
    expect(await ada.read()).toEqual(["ada one", "hello ada"]);
    expect(await bob.read()).toEqual(["bob one"]);
    expect((await conversationWith("ada one")).senderProof).toBe("none");
    const { body } = await ada.client.get(`${chat.path}/messages`, 200);
    expect(body.data[0]).toMatchObject({ direction: "outbound", author: "Shop", clientMessageId: null });
    expect(Object.keys(body.data[0]!).sort()).toEqual([
      "attachments",
      "author",
      "automated",
      "body",
      "bodyFormat",
      "choices",
      "clientMessageId",
      "createdAt",
      "direction",
      "id",
    ]);
  });

  test("has each message once, however often and concurrently it is sent", async () => {
    const ada = await visitor();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        ada.client.post(`${chat.path}/messages`, { body: "once", clientMessageId: "m-1" }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await ada.read()).toEqual(["once"]);
    // Another visitor's message may have the same id.
    const bob = await visitor();
    await bob.write("mine", "m-1", 201);
    expect(await bob.read()).toEqual(["mine"]);
  });

  test("continues after a week in a new conversation, and is still one thread", async () => {
    const ada = await visitor();
    await ada.write("last month", undefined, 201);
    const { id } = await conversationWith("last month");
    await tenant.live.post(`/api/conversations/${id}/resolve`, {}, 200);
    await app.db.query(`update conversation set resolved_at = now() - interval '8 days' where id = $1`, [id]);
    await ada.write("today", undefined, 201);
    const next = await conversationWith("today");
    expect(next.id).not.toBe(id);
    expect((await tenant.live.get(`/api/conversations/${next.id}`, 200)).body.previousConversationId).toBe(id);
    expect(await ada.read()).toEqual(["last month", "today"]);
  });

  test("is paged from the newest to the oldest, without gaps or duplicates", async () => {
    const ada = await visitor();
    for (let i = 1; i <= 7; i++) await ada.write(`page ${i}`, undefined, 201);
    const seen: string[] = [];
    for (let cursor = ""; ;) {
      const { body } = await ada.client.get(`${chat.path}/messages?limit=3${cursor}`, 200);
      seen.push(...body.data.map((message) => message.body));
      if (!body.nextCursor) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map((i) => `page ${i}`));
  });

  test("is streamed in parts, in whatever order its sequence numbers and its times are", async () => {
    const ada = await visitor();
    await ada.write("part 1", undefined, 201);
    const { id } = await conversationWith("part 1");
    const written = 250;
    await app.db.query(
      `insert into message select (jsonb_populate_record(m, jsonb_build_object('id', gen_random_uuid(), 'sequence', n,
         'body', 'part ' || n, 'external_id', null, 'created_at', m.created_at + make_interval(secs => n % 7)))).*
       from message m, generate_series(2, ${written}) n where m.conversation_id = $1 and m.sequence = 1`,
      [id],
    );
    await app.db.query("update conversation set last_sequence = $2 where id = $1", [id, written]);
    const threads = app.app.get(WebchatThreadService);
    const { newer } = threads;
    const parts: number[] = [];
    threads.newer = async (...given) => {
      const found = await newer.apply(threads, given);
      parts.push(found.length);
      return found;
    };
    try {
      // The position before the first message: whoever has a token can name it.
      const stream = await ada.listen("0");
      await stream.until(() => stream.texts.length === written);
      stream.close();
      const all = Array.from({ length: written }, (_, n) => `part ${n + 1}`);
      expect(stream.texts.toSorted()).toEqual(all.toSorted());
      expect(Math.max(...parts)).toBeLessThanOrEqual(100);
    } finally {
      threads.newer = newer;
    }
  });

  test("contains files, which only the visitor who uploaded them can attach", async () => {
    const [ada, bob] = [await visitor(), await visitor()];
    const { body: file } = await ada.client.post(`${chat.path}/attachments`, fileForm("what I see", "fault.txt"), 201);
    await bob.client.post(
      `${chat.path}/messages`,
      { body: "stolen", clientMessageId: "x", attachmentIds: [file.id] },
      404,
    );
    const { body: message } = await ada.client.post(
      `${chat.path}/messages`,
      { body: "look", clientMessageId: "x", attachmentIds: [file.id] },
      201,
    );
    expect(message.attachments).toMatchObject([{ id: file.id, fileName: "fault.txt" }]);
    const { pathname } = new URL(message.attachments[0]!.url);
    expect(await (await fetch(app.baseUrl + pathname)).text()).toBe("what I see");
    await ada.client.post(
      `${chat.path}/attachments`,
      fileForm("MZ\x90\0", "virus.exe", "application/octet-stream"),
      415,
    );
  });

  test("of a blocked contact stores no new messages, and does not show the block to the visitor", async () => {
    const ada = await visitor();
    await ada.write("before", undefined, 201);
    await tenant.live.patch(`/api/contacts/${(await conversationWith("before")).contactId}`, { blocked: true }, 200);
    const kept = await ada.write("after", "late", 201);
    expect(kept).toMatchObject({ body: "after", clientMessageId: "late", direction: "inbound" });
    expect(await app.db.query("select from message where body = $1", ["after"])).toEqual([]);
  });

  test("is erased with its contact, and so is the session", async () => {
    const ada = await visitor();
    await ada.write("forget me", undefined, 201);
    const stream = await ada.listen();
    const { contactId } = await conversationWith("forget me");
    const later = ada.as((await ada.refresh()).sessionToken);
    await (await tenant.owner()).post(`/api/contacts/${contactId}/erasure`, {}, 200);
    await stream.until(() => stream.ended);
    await later.client.get(`${chat.path}/messages`, 401);
    await later.refresh(401);
    expect(await app.db.query("select from webchat_session where contact_id = $1", [contactId])).toEqual([]);
  });
});

describe("a token", () => {
  test("must have a valid signature: one that was made up, changed, or issued by another chat is refused", async () => {
    const ada = await visitor();
    const other = await chatOf(await app.tenant("Other"));
    for (const token of [
      "x",
      `${ada.token}x`,
      ada.token.slice(0, -2),
      ada.token.replace(/^./, (c) => (c === "A" ? "B" : "A")),
      tenant.keys!.live,
    ]) {
      await ada.as(token).client.get(`${chat.path}/messages`, 401);
      await ada.as(token).refresh(401);
    }
    await ada.client.get(`${other.path}/messages`, 401);
    await ada.client.post(`${other.path}/sessions`, {}, 401);
    await new Client(app.baseUrl).get(`${chat.path}/messages`, 401);
    await new Client(app.baseUrl).get(`${chat.path}/messages?access_token=${ada.token}`, 400);
  });

  test("returns the next one; once that is in use, the replaced one is invalid, and using it again ends the session", async () => {
    const ada = await visitor();
    await ada.write("rotating", undefined, 201);
    const second = ada.as((await ada.refresh()).sessionToken);
    expect(await second.read()).toEqual(["rotating"]);
    await app.db.query(
      `update webchat_session set rotated_at = rotated_at - interval '2 minutes', confirmed_at = confirmed_at - interval '2 minutes'`,
    );
    await ada.client.get(`${chat.path}/messages`, 401);
    await ada.refresh(401);
    // The reuse shows that a token was copied, so both are refused.
    await second.client.get(`${chat.path}/messages`, 401);
    await second.refresh(401);
  });

  test("used by two tabs concurrently gives both the same next one, and both stay signed in", async () => {
    const ada = await visitor();
    await ada.write("two tabs", undefined, 201);
    const tokens = (await Promise.all(Array.from({ length: 6 }, () => ada.refresh()))).map(
      ({ sessionToken }) => sessionToken,
    );
    expect(new Set(tokens.map((token) => Buffer.from(token, "base64url").readUInt32BE(48)))).toEqual(new Set([2]));
    for (const token of tokens) expect(await ada.as(token).read()).toEqual(["two tabs"]);
    // The slower tab, still within the minute.
    expect(await ada.as((await ada.refresh()).sessionToken).read()).toEqual(["two tabs"]);
  });

  test("whose response was lost still returns the next one, days later", async () => {
    const ada = await visitor();
    await ada.write("lost answer", undefined, 201);
    await ada.refresh();
    await app.db.query(`update webchat_session set rotated_at = rotated_at - interval '5 days'`);
    expect(await ada.as((await ada.refresh()).sessionToken).read()).toEqual(["lost answer"]);
  });

  test("older than 30 days is refused", async () => {
    const ada = await visitor();
    await ada.write("long ago", undefined, 201);
    await app.db.query(
      `update webchat_session set rotated_at = now() - interval '31 days' where id in (select id from webchat_session order by created_at desc limit 1)`,
    );
    await ada.refresh(401);
  });

  test("is not stored in the database", async () => {
    const ada = await visitor();
    await ada.write("secrets", undefined, 201);
    const [row] = await app.db.query<{ text: string }>("select string_agg(s::text, '') as text from webchat_session s");
    expect(row!.text).not.toContain(ada.token.slice(-40));
  });
});

describe("a signed visitor", () => {
  test("is the contact with that externalId, and sees the same thread on every device", async () => {
    const { body: known } = await tenant.live.post(
      "/api/contacts",
      { externalId: "customer-1", name: "Ada Known" },
      201,
    );
    const phone = await visitor(await sign({ sub: "customer-1", name: "Somebody else" }));
    await phone.write("from my phone", undefined, 201);
    const laptop = await visitor(await sign({ sub: "customer-1" }));
    expect(await laptop.read()).toEqual(["from my phone"]);
    expect(await conversationWith("from my phone")).toMatchObject({ contactId: known.id, senderProof: "signed" });
    expect((await tenant.live.get(`/api/contacts/${known.id}`, 200)).body.name).toBe("Ada Known");
    // Another person in the same browser, or an unsigned visitor, sees nothing of it.
    expect(await (await visitor(await sign({ sub: "customer-2" }))).read()).toEqual([]);
    expect(await (await visitor()).read()).toEqual([]);
  });

  test("without a contact gets exactly one, also for concurrent requests, with an unverified address", async () => {
    const jwt = await sign({ sub: "new-1", name: "Grace", email: "Grace@Example.com" });
    await Promise.all(Array.from({ length: 6 }, () => visitor(jwt)));
    const { body } = await tenant.live.get("/api/contacts?externalId=new-1", 200);
    expect(body.data).toMatchObject([{ name: "Grace", emails: [{ value: "grace@example.com", verifiedAt: null }] }]);
  });

  test("needs a fresh HS256 signature with this chat's secret", async () => {
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from(JSON.stringify({ sub: "x", exp: 9_999_999_999 })).toString("base64url")}.`;
    const [head, , signature] = (await sign({ sub: "x" })).split(".");
    const changed = [
      head,
      Buffer.from(JSON.stringify({ sub: "admin", exp: Math.floor(Date.now() / 1000) + 60 })).toString("base64url"),
      signature,
    ].join(".");
    const bad = [
      unsigned,
      changed,
      "x",
      "a.b.c",
      await sign({ sub: "x" }, { secret: "another secret that is long enough here" }),
      await sign({ sub: "x" }, { alg: "HS512" }),
      await sign({ sub: "x" }, { alg: "HS384" }),
      await sign({ sub: "x" }, { expires: "-1m" }),
      await sign({ sub: "x" }, { expires: null }),
      await sign({ sub: "x" }, { expires: "2h" }),
      await sign({}),
      await sign({ sub: "" }),
      await sign({ sub: " " }),
      await sign({ sub: "x".repeat(256) }),
      await sign({ sub: "x", email: "nobody" }),
      await sign({ sub: "x", name: ["a"] }),
    ];
    for (const identity of bad) await new Client(app.baseUrl).post(`${chat.path}/sessions`, { identity }, 401);
    const withoutSecret = await chatOf(await app.tenant("No secret"));
    await new Client(app.baseUrl).post(`${withoutSecret.path}/sessions`, { identity: await sign({ sub: "x" }) }, 401);
  });

  test("needs a new signature after a day", async () => {
    const ada = await visitor(await sign({ sub: "customer-9" }));
    const second = await ada.refresh();
    expect(second.signed).toBe(true);
    await app.db.query(`update webchat_session set created_at = now() - interval '25 hours'`);
    await ada.as(second.sessionToken).refresh(401);
  });

  test("is required if the chat is configured so", async () => {
    const strict = await app.tenant("Strict");
    const early = await Visitor.open(app.baseUrl, await chatOf(strict, {}));
    const at = await chatOf(strict, { requireIdentity: true });
    // This includes visitors from before the setting.
    await early.write("Hello", undefined, 401);
    const { body } = await strict.live.post(`/api/channels/${at.channelId}/test`, {}, 200);
    expect(body.lastTest).toMatchObject({ ok: false, message: expect.stringContaining("identitySecret") });
    await strict.live.put(
      `/api/channels/${at.channelId}/credentials`,
      { credentials: { identitySecret: IDENTITY_SECRET } },
      200,
    );
    await new Client(app.baseUrl).post(`${at.path}/sessions`, {}, 401);
    await Visitor.open(app.baseUrl, at, await sign({ sub: "a" }));
  });

  test("is signed with a secret that a restricted key cannot store: it would name contacts out of the key's reach", async () => {
    const { workspaceId, brandId } = tenant.defaults;
    for (const dataScope of [
      { level: "workspace", workspaceId },
      { level: "brand", brandId },
    ]) {
      const restricted = await keyFor(await tenant.owner(), { dataScope });
      await restricted.put(
        `/api/channels/${chat.channelId}/credentials`,
        { credentials: { identitySecret: IDENTITY_SECRET.toUpperCase() } },
        403,
      );
    }
    await visitor(await sign({ sub: "still-the-old-secret" }));
  });
});

describe("a chat", () => {
  test("works on the pages it lists, and can be disabled; an unknown key is 404", async () => {
    const other = await app.tenant("Pages");
    const at = await chatOf(other, { allowedOrigins: ["https://shop.example"], colour: "#ff0000", greeting: "Hi!" });
    const open = (origin?: string, status = 200) =>
      new Client(app.baseUrl).post(`${at.path}/sessions`, {}, status, { headers: origin ? { origin } : {} });
    expect((await open("https://shop.example")).body).toMatchObject({
      title: "Pages",
      greeting: "Hi!",
      colour: "#ff0000",
      language: "en",
      position: "end",
      signed: false,
      started: false,
    });
    await open("https://evil.example", 403);
    await new Client(app.baseUrl).post(`${at.path}/sessions`, undefined, 200);
    await other.live.patch(`/api/channels/${at.channelId}`, { enabled: false }, 200);
    await open(undefined, 409);
    for (const key of ["x", "wc_", `wc_${"A".repeat(43)}`, at.publicKey.slice(0, -3)])
      await new Client(app.baseUrl).post(`/api/public/webchat/${key}/sessions`, {}, 404);
  });

  test("allows preflights from any origin, and lets the page read the responses", async () => {
    const preflight = await fetch(`${app.baseUrl}${chat.path}/messages`, {
      method: "OPTIONS",
      headers: {
        origin: "https://shop.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("https://shop.example");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
    const refused = await fetch(`${app.baseUrl}${chat.path}/messages`, { headers: { origin: "https://shop.example" } });
    expect(refused.headers.get("access-control-allow-origin")).toBe("https://shop.example");
  });

  test("of an archived workspace can be read but not written to", async () => {
    const old = await app.tenant("Old");
    const at = await chatOf(old);
    const ada = await visitor(undefined, at);
    await ada.write("while it lasted", undefined, 201);
    await old.live.patch(`/api/workspaces/${at.workspaceId}`, { status: "archived" }, 200);
    await ada.write("too late", undefined, 409);
    expect(await ada.read()).toEqual(["while it lasted"]);
  });

  test("refuses unknown and invalid settings", async () => {
    for (const settings of [
      { colour: "red" },
      { allowedOrigins: ["shop.example"] },
      { allowedOrigins: ["https://shop.example/page"] },
      { position: "top" },
      { publicKey: "mine" },
      { title: "" },
    ])
      await tenant.live.patch(`/api/channels/${chat.channelId}`, { settings }, 400);
    await tenant.live.put(
      `/api/channels/${chat.channelId}/credentials`,
      { credentials: { identitySecret: "short" } },
      400,
    );
  });

  test("limits the rate of messages: 429 with the seconds to wait", async () => {
    const ada = await visitor();
    const statuses: number[] = [];
    for (let i = 0; i < 25; i++)
      statuses.push(
        (await ada.client.post(`${chat.path}/messages`, { body: `flood ${i}`, clientMessageId: randomUUID() })).status,
      );
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(201));
    expect(statuses.slice(20)).toEqual(Array(5).fill(429));
  });
});
