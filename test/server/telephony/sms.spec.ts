import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import webhooks from "twilio/lib/webhooks/webhooks.js";
import { start, UNKNOWN_ID } from "../e2e/support.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { concurrently, startTwo, tablesWith, tally, type TwoNodes } from "../../races/support.js";
import { deliver, provision } from "../channels/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { randomFrom, runs } from "../../support/seed.js";
import { dialogues } from "../identity/bank-dialogues.js";
import {
  CREDENTIALS,
  EMPTY,
  newPhone,
  newSid,
  OURS,
  type Provider,
  PUBLIC_URL,
  startProvider,
  tell,
  webhook,
} from "./provider.js";

let provider: Provider;
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let channelId: string;
beforeAll(async () => {
  provider = await startProvider();
  nodes = await startTwo({
    OUTBOUND_ALLOW: [provider.port, provider.cdnPort].map((port) => `127.0.0.1:${port}`),
    PUBLIC_URL,
    LOG_LEVEL: "error",
  });
  app = nodes.a;
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await nodes.close();
  await provider.close();
});
beforeEach(async () => {
  Object.assign(provider, { accountStatus: "active", mishap: () => undefined, fileFails: false });
  Object.assign(provider.number, { sms_url: "", capabilities: { sms: true, voice: true } });
  provider.sent.length = provider.requests.length = 0;
  await app.db.query("delete from outbox_message");
  await app.db.query("delete from channel_due");
  channelId = await sms();
});

const settings = (more: object = {}): object => ({ apiUrl: provider.url, ...more });
async function sms({
  client = owner,
  workspaceId = tenant.defaults.workspaceId,
  ...more
}: { client?: Client; workspaceId?: string; settings?: object; credentials?: object } = {}): Promise<string> {
  const { body } = await client.post(
    `/api/workspaces/${workspaceId}/channels`,
    { type: "sms", name: "Texts", address: OURS, settings: settings(), credentials: CREDENTIALS, ...more },
    201,
  );
  await provision(app);
  return body.id;
}
const text = (from: string, body: string, more: Record<string, string> = {}): Record<string, string> => ({
  MessageSid: newSid("SM"),
  AccountSid: CREDENTIALS.accountSid,
  From: from,
  To: OURS,
  Body: body,
  NumMedia: "0",
  ...more,
});
const bring = async (params: Record<string, string>, id = channelId, node = app): Promise<void> => {
  const { status, text: answer, headers } = await tell(node, webhook(id), params);
  expect([status, answer, headers.get("content-type")]).toEqual([200, EMPTY, "text/xml; charset=utf-8"]);
};
const conversationsOf = async (phone: string, client: Client = tenant.live) => {
  const { body } = await client.get(`/api/contacts/search?q=${encodeURIComponent(phone)}`, 200);
  return body.data.length ? (await client.get(`/api/conversations?contactId=${body.data[0]!.id}`, 200)).body.data : [];
};
const messagesOf = async (id: string, client: Client = tenant.live) =>
  (await client.get(`/api/conversations/${id}/messages`, 200)).body.data;
const bodiesOf = async (id: string): Promise<string[]> => (await messagesOf(id)).map(({ body }) => body);
async function talk(phone = newPhone()): Promise<{ id: string; phone: string }> {
  await bring(text(phone, "Where is it?"));
  return { id: (await conversationsOf(phone))[0]!.id, phone };
}
const reply = async (id: string, body: string): Promise<string> =>
  (await tenant.live.post(`/api/conversations/${id}/reply`, { body }, 200)).body.messageId;
const told = (messageId: string, status: string, more: Record<string, string> = {}, sid = newSid("SM")) =>
  tell(app, webhook(channelId, `?event=status&message=${messageId}`), {
    MessageSid: sid,
    MessageStatus: status,
    ...more,
  });

describe("an incoming text message", () => {
  test("starts or continues the conversation of the number's contact; sent twice, on any node, it is one message", async () => {
    const phone = newPhone();
    const [first, second] = [text(phone, "Where is it? 🚚"), text(phone, "Hello?")];
    await concurrently(6, (n) => bring(first, channelId, n % 2 ? nodes.a : nodes.b));
    await bring(second);
    await bring(first);
    const conversations = await conversationsOf(phone);
    expect(conversations).toMatchObject([
      { channelId, channelType: "sms", senderProof: "channel", messageCount: 2, metadata: { phone } },
    ]);
    expect(await messagesOf(conversations[0]!.id)).toMatchObject([
      { body: "Where is it? 🚚", direction: "inbound", externalId: first.MessageSid },
      { body: "Hello?" },
    ]);
  });

  test("does not raise the identity level by its number: it is not a call", async () => {
    const { id } = await talk();
    expect((await tenant.live.get(`/api/conversations/${id}/identity-events`, 200)).body.events).toEqual([]);
  });

  test("without a valid signature is 401 and stores nothing", async () => {
    const phone = newPhone();
    const params = text(phone, "needle-unsigned");
    const other = await sms({ credentials: { ...CREDENTIALS, authToken: "c".repeat(32) } });
    for (const attempt of [
      tell(app, webhook(channelId), params, { token: "x" }),
      tell(app, webhook(channelId), params, { headers: { "x-twilio-signature": "" } }),
      tell(app, webhook(channelId), params, { base: "https://elsewhere.example.com" }),
      tell(app, webhook(other), params),
      app.client().post(webhook(channelId), params),
      tell(app, webhook(channelId), params, {
        headers: {
          "x-twilio-signature": webhooks.getExpectedTwilioSignature(
            CREDENTIALS.authToken,
            PUBLIC_URL + webhook(channelId),
            { ...params, Body: "another" },
          ),
        },
      }),
    ])
      expect((await attempt).status).toBe(401);
    expect(await tablesWith(app.db, "needle-unsigned")).toEqual({});
  });

  test("without a valid signature is answered alike, and as slowly, whether there is such a channel or not", async () => {
    const params = text(newPhone(), "Hello");
    const at = `/api/workspaces/${tenant.defaults.workspaceId}/channels` as const;
    const form = (await owner.post(at, { type: "contact_form", name: "Form" }, 201)).body.id;
    const chat = (await owner.get(at, 200)).body.find(({ type }) => type === "webchat")!.id;
    const disabled = await sms();
    await owner.patch(`/api/channels/${disabled}`, { enabled: false }, 200);
    const { body: gone } = await owner.post("/api/workspaces", { name: "Gone", brandId: tenant.defaults.brandId }, 201);
    const deleted = await sms({ workspaceId: gone.id });
    await owner.delete(`/api/workspaces/${gone.id}`, 200);
    const answers = [];
    for (const id of [channelId, UNKNOWN_ID, form, chat, disabled, deleted])
      for (const token of ["x", ...(id === channelId || id === disabled ? [] : [CREDENTIALS.authToken])]) {
        const began = performance.now();
        const { status, text: answer, headers } = await tell(app, webhook(id), params, { token });
        const fast = performance.now() - began < 49;
        const { date: _, "x-request-id": __, ...rest } = Object.fromEntries(headers);
        answers.push({ status, answer, rest, fast });
      }
    expect(answers[0]).toMatchObject({ status: 401, answer: '{"error":"Unauthorized"}', fast: false });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test("with a body that the signature does not cover is 401 and stores nothing, and 415 if it is neither a form nor JSON", async () => {
    const signed = (params: Record<string, string>) => {
      const path = webhook(channelId);
      return webhooks.getExpectedTwilioSignature(CREDENTIALS.authToken, PUBLIC_URL + path, params);
    };
    const post = async (body: string, type: string, params: Record<string, string>): Promise<number> => {
      const headers = { "content-type": type, "x-twilio-signature": signed(params) };
      return (await app.client().post(webhook(channelId), body, undefined, { headers })).status;
    };
    const FORM = "application/x-www-form-urlencoded";
    const params = text(newPhone(), "needle-uncovered");
    const form = new URLSearchParams(params).toString();
    const cut = `${form}${"&x=y".repeat(5_000)}`;
    const many = { ...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`x${n}`, "y"])), ...params };
    const types = ["multipart/form-data; boundary=x", "text/plain", "application/xml", "application/octet-stream"];
    expect({
      "JSON, if only the address is signed": await post(JSON.stringify(params), "application/json", {}),
      "a text that comes twice": await post(`${form}&Body=needle-uncovered`, FORM, params),
      "a sender that comes twice": await post(`${form}&From=%2B4915199999999`, FORM, params),
      "a field more often than fields are read": await post(cut, FORM, Object.fromEntries(new URLSearchParams(cut))),
      "more fields than are read": await post(new URLSearchParams(many).toString(), FORM, many),
      types: await Promise.all(types.map((type) => post(form, type, {}))),
    }).toEqual({
      "JSON, if only the address is signed": 401,
      "a text that comes twice": 401,
      "a sender that comes twice": 401,
      "a field more often than fields are read": 401,
      "more fields than are read": 401,
      types: types.map(() => 415),
    });
    expect(await tablesWith(app.db, "needle-uncovered")).toEqual({});
    expect(await post(form, FORM, params)).toBe(200);
  });

  test("signed by its hash, as JSON, is accepted", async () => {
    const phone = newPhone();
    const body = JSON.stringify(text(phone, "Hello"));
    const path = webhook(channelId, `?bodySHA256=${webhooks.getExpectedBodyHash(body)}`);
    const headers = {
      "content-type": "application/json",
      "x-twilio-signature": webhooks.getExpectedTwilioSignature(CREDENTIALS.authToken, PUBLIC_URL + path, {}),
    };
    expect((await app.client().post(path, body, undefined, { headers })).status).toBe(200);
    expect((await app.client().post(path, body.replace("Hello", "Other"), undefined, { headers })).status).toBe(401);
    expect(await conversationsOf(phone)).toHaveLength(1);
  });

  test("from a blocked sender is accepted, but nothing is stored or fetched", async () => {
    const { id, phone } = await talk();
    const { contactId } = (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
    await tenant.live.patch(`/api/contacts/${contactId}`, { blocked: true }, 200);
    provider.requests.length = 0;
    await bring(
      text(phone, "needle-blocked", { NumMedia: "1", MediaUrl0: `${provider.url}/x`, MediaContentType0: "image/png" }),
    );
    expect(await tablesWith(app.db, "needle-blocked")).toEqual({});
    expect(provider.requests).toEqual([]);
  });

  test("from a short code or a name belongs to a contact of that name, who cannot be answered", async () => {
    const from = `CODE${randomUUID().slice(0, 6)}`;
    for (const body of ["Your parcel", "has arrived"]) await bring(text(from, body));
    const {
      body: {
        data: [contact],
      },
    } = await tenant.live.get(`/api/contacts?externalId=${encodeURIComponent(`sms:${from}`)}`, 200);
    expect(contact).toMatchObject({ name: from, phones: [] });
    const { id } = (await tenant.live.get(`/api/conversations?contactId=${contact!.id}`, 200)).body.data[0]!;
    expect(await bodiesOf(id)).toEqual(["Your parcel", "has arrived"]);
    expect((await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Thanks" }, 409)).body.error).toBe(
      "The contact has no phone number that this could be sent to",
    );
  });

  test("keeps its pictures; the token is sent to the provider's own server only; a missing file is noted with its URL", async () => {
    const phone = newPhone();
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    provider.files
      .set("/media/1", { type: "image/png", bytes: png })
      .set("/media/2", { type: "text/x-sh", bytes: Buffer.from("#!/bin/sh") });
    const media = {
      NumMedia: "2",
      MediaUrl0: `${provider.url}/media/1`,
      MediaContentType0: "image/png",
      MediaUrl1: `${provider.url}/media/3`,
      MediaContentType1: "image/jpeg",
    };
    await bring(text(phone, "", media));
    const { id } = (await conversationsOf(phone))[0]!;
    const [message] = await messagesOf(id);
    expect(message!.attachments).toMatchObject([
      { fileName: "mms-1.png", contentType: "image/png", size: png.length, width: 1, height: 1 },
    ]);
    expect(message!.body).toMatch(
      new RegExp(
        `^\\[A message without words\\]\\n\\n\\[image/jpeg: the file could not be fetched \\(.*\\)\\. It is kept at 127\\.0\\.0\\.1: ${provider.url}/media/3\\]$`,
      ),
    );
    await bring(
      text(phone, "Run", { NumMedia: "1", MediaUrl0: `${provider.url}/media/2`, MediaContentType0: "text/plain" }),
    );
    expect((await messagesOf(id))[1]).toMatchObject({
      attachments: [],
      body: expect.stringMatching(
        /^Run\n\n\[text\/plain: the file could not be fetched \(Executable files are not accepted\)/,
      ),
    });
    provider.fileFails = true;
    await bring(text(phone, "Look", { ...media, NumMedia: "1" }));
    expect((await messagesOf(id))[2]).toMatchObject({
      attachments: [],
      body: expect.stringMatching(
        /^Look\n\n\[image\/png: the file could not be fetched \(The server answered with status 503\)/,
      ),
    });
  });

  test("that says STOP or START is shown with its meaning", async () => {
    const { id, phone } = await talk();
    for (const word of ["Stop ", "START", "yes"]) await bring(text(phone, word));
    await bring(text(phone, "ARRET", { OptOutType: "STOP" }));
    expect((await messagesOf(id)).slice(1).map(({ direction, body }) => `${direction} ${body}`)).toEqual([
      "inbound Stop ",
      "internal The contact has opted out: 127.0.0.1 delivers nothing more to them until they write START",
      "inbound START",
      "internal The contact has opted in again: what you write reaches them",
      "inbound yes",
      "inbound ARRET",
      expect.stringMatching(/^internal The contact has opted out/),
    ]);
  });

  test("keeps all characters that PostgreSQL can store", async () => {
    const phone = newPhone();
    await bring(text(phone, 'a\0b & <c> "d" ü'));
    expect(await bodiesOf((await conversationsOf(phone))[0]!.id)).toEqual(['ab & <c> "d" ü']);
  });

  test("is erased with its contact", async () => {
    const phone = newPhone();
    await bring(text(phone, "needle-erasure"));
    const { contactId } = (await conversationsOf(phone))[0]!;
    await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect([await tablesWith(app.db, "needle-erasure"), await tablesWith(app.db, phone)]).toEqual([{}, {}]);
  });

  test("is refused with an explanation if the channel is disabled", async () => {
    await tenant.live.patch(`/api/channels/${channelId}`, { enabled: false }, 200);
    expect((await tell(app, webhook(channelId), text(newPhone(), "Hello"))).status).toBe(409);
  });
});

describe("behind a proxy", () => {
  test("the signed URL is taken from a trusted proxy's headers only; PUBLIC_URL and publicUrl take precedence", async () => {
    const params = (): Record<string, string> => text(newPhone(), "Hello");
    const forwarded = {
      headers: { "x-forwarded-proto": "https", "x-forwarded-host": "proxied.example.com" },
      base: "https://proxied.example.com",
    };
    const common = { OUTBOUND_ALLOW: [`127.0.0.1:${provider.port}`], LOG_LEVEL: "error" as const };
    const [behind, open] = [
      await startApp({ ...common, TRUSTED_PROXIES: ["127.0.0.1"] }, app.db),
      await startApp(common, app.db),
    ];
    try {
      expect((await tell(behind, webhook(channelId), params(), forwarded)).status).toBe(200);
      expect((await tell(open, webhook(channelId), params(), forwarded)).status).toBe(401);
      expect((await tell(open, webhook(channelId), params(), { base: open.baseUrl })).status).toBe(200);
      expect((await tell(app, webhook(channelId), params(), forwarded)).status).toBe(401);
      const own = await sms({ settings: settings({ publicUrl: "https://own.example.com/parley/" }) });
      expect((await tell(app, webhook(own), params(), { base: "https://own.example.com/parley" })).status).toBe(200);
      expect((await tell(app, webhook(own), params())).status).toBe(401);
    } finally {
      await behind.close();
      await open.close();
    }
  });
});

describe("a reply", () => {
  test("is sent to the number that the contact last wrote from, with a status callback", async () => {
    const { id, phone } = await talk();
    const { contactId } = (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
    await tenant.live.patch(`/api/contacts/${contactId}`, { phones: ["+4930123456", phone] }, 200);
    const messageId = await reply(id, "It left this morning 🚚");
    await deliver(app);
    expect(provider.sent).toMatchObject([
      {
        to: phone,
        from: OURS,
        body: "It left this morning 🚚",
        callback: `${PUBLIC_URL}${webhook(channelId)}?event=status&message=${messageId}`,
      },
    ]);
    expect((await messagesOf(id))[1]).toMatchObject({ id: messageId, deliveryStatus: "sent" });
    await tenant.live.patch(`/api/contacts/${contactId}`, { phones: ["+4930123456"] }, 200);
    await reply(id, "And arrived");
    await deliver(app);
    expect(provider.sent[1]).toMatchObject({ to: "+4930123456" });
  });

  test("in Markdown, as the dashboard sends all of them, says what people wrote in real conversations", async () => {
    const { id } = await talk();
    const real = [
      ...dialogues.slice(0, 12).flatMap(({ answers }) => answers.slice(0, 1).map(([, , words]) => words)),
      // Of STAR, too. Here the marks are meant.
      "yes, can you help me book a resrevation at Lucca for today *Friday* at 3 pm ",
    ];
    expect(real.length).toBeGreaterThan(5);
    for (const body of real)
      await tenant.live.post(`/api/conversations/${id}/reply`, { body, bodyFormat: "markdown" }, 200);
    for (let n = 0; n < real.length; n++) await deliver(app);
    const inOneLine = (body: string): string => body.replace(/\s+/g, " ").trim();
    expect(provider.sent.map(({ body }) => inOneLine(body))).toEqual(
      real.map((body) => inOneLine(body).replace("*Friday*", "Friday")),
    );
  });

  test("is sent through the messaging service if one is configured", async () => {
    const messagingServiceSid = `MG${"d".repeat(32)}`;
    const other = await sms({ settings: settings({ messagingServiceSid }) });
    let form = new URLSearchParams();
    provider.mishap = (given) => {
      form = given;
      return undefined;
    };
    const { id } = await start(tenant.live, tenant.defaults.workspaceId, {
      channelId: other,
      contact: { phones: [newPhone()] },
    });
    await reply(id, "Hello");
    await deliver(app);
    expect([form.get("MessagingServiceSid"), form.get("From")]).toEqual([messagingServiceSid, null]);
  });

  test("that is too long, or has a file, is refused when it is written", async () => {
    const { id } = await talk();
    expect(
      (await tenant.live.post(`/api/conversations/${id}/reply`, { body: "x".repeat(1_601) }, 409)).body.error,
    ).toBe("An SMS holds at most 1,600 characters; this has 1,601");
    await reply(id, "x".repeat(1_600));
    const form = new FormData();
    form.set("file", new File(["x"], "x.txt"));
    const attachment = (await tenant.live.post("/api/attachments", form, 201)).body.id;
    expect(
      (await tenant.live.post(`/api/conversations/${id}/reply`, { body: "x", attachmentIds: [attachment] }, 409)).body
        .error,
    ).toBe("An SMS holds no files: send a link instead");
  });

  test("to a contact who opted out fails at once, and the conversation shows the reason", async () => {
    const { id, phone } = await talk();
    provider.optedOut.add(phone);
    await reply(id, "Hello");
    await deliver(app);
    expect((await messagesOf(id)).slice(1)).toMatchObject([
      { body: "Hello", deliveryStatus: "failed" },
      {
        direction: "internal",
        authorType: "system",
        authorId: null,
        body: "Not sent: the contact has opted out with STOP, and gets nothing until they write START (21610)",
      },
    ]);
  });

  test("whose response was lost is not sent again: it is found, and not confused with another of the same text", async () => {
    const { id, phone } = await talk();
    await reply(id, "Yes");
    await deliver(app);
    const second = await reply(id, "Yes");
    provider.mishap = () => "taken, and the answer is lost";
    await deliver(app);
    expect((await messagesOf(id)).at(-1)).toMatchObject({ deliveryStatus: "queued" });
    provider.mishap = () => undefined;
    await deliver(app);
    expect(provider.sent.filter(({ to }) => to === phone)).toHaveLength(2);
    const [known] = await app.db.query<{ reference: string }>("select reference from outbox_message where id = $1", [
      second,
    ]);
    expect(known!.reference).toBe(provider.sent[1]!.sid);
    const third = await reply(id, "Yes");
    provider.mishap = () => "lost on the way";
    await deliver(app);
    provider.mishap = () => undefined;
    await deliver(app);
    expect(provider.sent.map(({ callback }) => callback!.split("message=")[1])).toEqual([
      expect.any(String),
      second,
      third,
    ]);
    expect(
      (await messagesOf(id))
        .filter(({ direction }) => direction === "outbound")
        .map(({ deliveryStatus }) => deliveryStatus),
    ).toEqual(["sent", "sent", "sent"]);
  });

  test("whose response was lost is identified by its first status report", async () => {
    const { id } = await talk();
    const messageId = await reply(id, "Hello");
    provider.mishap = () => "taken, and the answer is lost";
    await deliver(app);
    await told(messageId, "sent", {}, provider.sent[0]!.sid);
    expect((await messagesOf(id))[1]).toMatchObject({ deliveryStatus: "sent" });
    provider.requests.length = 0;
    await deliver(app);
    expect(provider.requests).toEqual([]);
  });

  test("that the provider rate-limits is sent later, at the time that the provider gives", async () => {
    const { id } = await talk();
    await reply(id, "Hello");
    provider.mishap = () => ({ status: 429, code: 20429, retryAfter: 120 });
    await deliver(app);
    const [{ seconds }] = (await app.db.query<{ seconds: number }>(
      "select extract(epoch from due_at - now())::float8 as seconds from outbox_queue",
    )) as [{ seconds: number }];
    expect(seconds).toBeGreaterThan(60);
    expect((await tenant.live.get(`/api/channels/${channelId}`, 200)).body.status).toBe("active");
  });
});

describe("a status report", () => {
  test("never takes a status back, in whatever order reports come", async () => {
    const reports: [statuses: string[], becomes: string][] = [
      [["queued", "sent", "delivered"], "delivered"],
      [["delivered", "sent", "queued"], "delivered"],
      [["read", "delivered", "sent"], "read"],
      [["sent", "undelivered", "sent"], "failed"],
      [["delivered", "undelivered"], "delivered"],
      [["failed", "sending"], "failed"],
      [["undelivered", "delivered"], "delivered"],
      [["accepted", "scheduled", "something new"], "sent"],
    ];
    const replies: { id: string; messageId: string }[] = [];
    for (const [n] of reports.entries()) {
      const { id } = await talk();
      replies.push({ id, messageId: await reply(id, `Hello ${n}`) });
    }
    await deliver(app);
    const outcomes = reports.map(async ([statuses], n) => {
      const { id, messageId } = replies[n]!;
      const { sid } = provider.sent.find(({ body }) => body === `Hello ${n}`)!;
      for (const status of statuses) expect((await told(messageId, status, {}, sid)).text).toBe(EMPTY);
      return [statuses, (await messagesOf(id))[1]!.deliveryStatus];
    });
    expect(await Promise.all(outcomes)).toEqual(reports);
  });

  test("of a failure is explained in the conversation, once", async () => {
    const { id } = await talk();
    const messageId = await reply(id, "Hello");
    await deliver(app);
    for (let n = 0; n < 2; n++) await told(messageId, "undelivered", { ErrorCode: "30003" }, provider.sent.at(-1)!.sid);
    expect((await bodiesOf(id)).slice(2)).toEqual([
      "Not delivered: the phone is switched off or cannot be reached (30003)",
    ]);
  });

  test("about another channel's message, or an incoming one, is ignored", async () => {
    const { id } = await talk();
    const { id: inbound } = (await messagesOf(id))[0]!;
    const elsewhere = await start(tenant.live, tenant.defaults.workspaceId);
    const foreign = await reply(elsewhere.id, "Hello");
    for (const messageId of [foreign, inbound, UNKNOWN_ID]) expect((await told(messageId, "failed")).status).toBe(200);
    expect((await messagesOf(elsewhere.id))[0]).toMatchObject({ deliveryStatus: "sent" });
  });
});

describe("the channel", () => {
  test("sets the number's webhooks to Parley, unless they were set to another URL", async () => {
    expect(provider.number.sms_url).toBe(`${PUBLIC_URL}${webhook(channelId)}#rc=5&rp=all`);
    const { body } = await tenant.live.post(`/api/channels/${channelId}/test`, undefined, 200);
    expect(body.lastTest).toMatchObject({
      ok: true,
      message: `127.0.0.1 lets us in, and ${OURS} can send SMS; SMS that come in are sent to us`,
    });
    provider.number.sms_url = "https://crm.example.com/sms";
    const other = await sms();
    expect(provider.number.sms_url).toBe("https://crm.example.com/sms");
    expect((await tenant.live.get(`/api/channels/${other}`, 200)).body).toMatchObject({
      status: "error",
      provisioning: {
        lastError: `127.0.0.1 sends SMS for ${OURS} to crm.example.com: set its webhook to ${PUBLIC_URL}${webhook(other)}`,
      },
    });
  });

  test.each<[string, () => void, object, RegExp]>([
    [
      "a token that is refused",
      () => undefined,
      { credentials: { ...CREDENTIALS, authToken: "wrong" } },
      /^127\.0\.0\.1 refused the account SID or the auth token$/,
    ],
    [
      "an account that is suspended",
      () => {
        provider.accountStatus = "suspended";
      },
      {},
      /^The account at 127\.0\.0\.1 is suspended$/,
    ],
    ["a number that is not the account's", () => undefined, { address: "+4930901821" }, /has no number \+4930901821$/],
    [
      "a number without SMS",
      () => {
        provider.number.capabilities.sms = false;
      },
      {},
      /cannot send SMS$/,
    ],
    [
      "a server that is not there",
      () => undefined,
      { settings: { apiUrl: "https://api.invalid" } },
      /^api\.invalid is unknown, or not on the public internet$/,
    ],
    [
      "a server that is not public",
      () => undefined,
      { settings: { apiUrl: "https://127.0.0.1:1" } },
      /is unknown, or not on the public internet$/,
    ],
  ])("reports what is wrong with %s", async (_, change, more, sentence) => {
    change();
    const {
      body: { id },
    } = await owner.post(
      `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
      { type: "sms", name: "Texts", address: OURS, settings: settings(), credentials: CREDENTIALS, ...more },
      201,
    );
    const { body } = await tenant.live.post(`/api/channels/${id}/test`, undefined, 200);
    expect(body.lastTest).toMatchObject({ ok: false, message: expect.stringMatching(sentence) });
  });

  test("is refused if it is invalid, with the field and the reason", async () => {
    const invalid: [more: object, sentence: RegExp][] = [
      [{ address: "030 901820" }, /address must be a phone number in E.164/],
      [{ settings: { apiUrl: "ftp://x" } }, /settings\.apiUrl/],
      [{ settings: { messagingServiceSid: "x" } }, /settings\.messagingServiceSid/],
      [{ credentials: { accountSid: "a/b", authToken: "x" } }, /credentials\.accountSid/],
      [{ credentials: { accountSid: "AC1" } }, /credentials\.authToken/],
      [{ type: "voice", settings: { forwardTo: "112" } }, /settings\.forwardTo/],
    ];
    for (const [more, sentence] of invalid) {
      const body = { type: "sms", name: "Texts", address: OURS, ...more };
      const path = `/api/workspaces/${tenant.defaults.workspaceId}/channels` as const;
      expect((await owner.post(path, body, 400)).body.error).toMatch(sentence);
    }
  });

  test("loses its credentials if they would be sent to another server", async () => {
    const { body } = await tenant.live.patch(
      `/api/channels/${channelId}`,
      { settings: { apiUrl: "https://api.twilio.com" } },
      200,
    );
    expect(body).toMatchObject({ hasCredentials: false });
  });

  test("never reveals its credentials", async () => {
    await talk();
    expect(await tablesWith(app.db, CREDENTIALS.authToken)).toEqual({});
  });
});

describe("on the test side", () => {
  test("webhooks work, but nothing is fetched or sent", async () => {
    const client = await tenant.owner("test");
    const id = await sms({ client, workspaceId: tenant.testDefaults.workspaceId });
    provider.requests.length = 0;
    const phone = newPhone();
    await bring(
      text(phone, "Hello", { NumMedia: "1", MediaUrl0: `${provider.url}/media/1`, MediaContentType0: "image/png" }),
      id,
    );
    const [conversation] = await conversationsOf(phone, tenant.test);
    expect((await messagesOf(conversation!.id, tenant.test))[0]!.body).toBe(
      "Hello\n\n[image/png: on the test side files are not fetched]",
    );
    await tenant.test.post(`/api/conversations/${conversation!.id}/reply`, { body: "Only a test" }, 200);
    await deliver(app);
    expect((await client.get("/api/captured-messages", 200)).body.data[0]).toMatchObject({
      channel: "sms",
      to: phone,
      body: "Only a test",
    });
    expect(provider.requests).toEqual([]);
  });
});

test("each message arrives exactly once through a provider that fails at random", async () => {
  const outcomes: (() => ReturnType<Provider["mishap"]>)[] = [
    () => ({ status: 500, code: 20500 }),
    () => ({ status: 503, code: 20503 }),
    () => ({ status: 429, code: 20429, retryAfter: 1 }),
    () => "taken, and the answer is lost",
    () => "lost on the way",
  ];
  const random = randomFrom();
  let attempts = 0;
  // One of the requests hangs until it times out.
  provider.mishap = () =>
    ++attempts === 3
      ? "says nothing"
      : random() < 0.4
        ? outcomes[Math.floor(random() * outcomes.length)]!()
        : undefined;
  const ids: string[] = [];
  for (let n = 0; n < runs(4, 8); n++) {
    const { id } = await talk();
    for (const body of ["Yes", "No", "Yes", "Yes", `${n}`]) ids.push(await reply(id, body));
  }
  const waiting = async (): Promise<number> =>
    (await app.db.query("select from outbox_message where status = $1", ["queued"])).length;
  for (let round = 0; round < 60 && (await waiting()); round++) {
    // Repeats as often as needed. Only before both workers start: making leased messages due would send them twice.
    await app.db.query(
      `update outbox_message set attempts = 0; update channel set failing_since = null; update outbox_queue set due_at = now() - interval '1 second' where due_at < 'infinity'`,
    );
    await Promise.all([app, nodes.b].map((node) => node.app.get(OutboxWorker).tick()));
  }
  expect(
    tally((await app.db.query<{ status: string }>("select status from outbox_message")).map(({ status }) => status)),
  ).toEqual({ sent: ids.length });
  expect(provider.sent.map(({ callback }) => callback!.split("message=")[1]).sort()).toEqual([...ids].sort());
});
