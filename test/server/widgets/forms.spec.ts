import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { simpleParser } from "mailparser";
import { upload } from "../attachments/support.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { deliver, provision } from "../channels/support.js";
import { aTime, newWorkspace, withSettings } from "../e2e/support.js";
import { tablesWith } from "../../races/support.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { lookAt, newForm, send } from "./support.js";
import { eventually } from "../../support/eventually.js";

let mail: MailServer;
let ours: MailServer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let visitor: Client;
/** Each test has its own workspace with a form. */
let workspaceId: string;
let form: Schemas["ContactFormWidget"];
beforeAll(async () => {
  [mail, ours] = [await startMailServer(), await startMailServer()];
  app = await startApp({
    TRUSTED_PROXIES: ["127.0.0.1"],
    OUTBOUND_ALLOW: [new URL(mail.url).host],
    SMTP_URL: ours.url,
    MAIL_FROM: "Parley <no-reply@example.com>",
  });
  tenant = await app.tenant();
  owner = await tenant.owner();
  visitor = app.client();
});
afterAll(async () => {
  await app.close();
  await mail.close();
  await ours.close();
});
beforeEach(async () => {
  workspaceId = (await newWorkspace(owner, tenant.defaults.brandId)).id;
  form = await newForm(owner, workspaceId, { settings: { fields: { phone: "optional" } } });
  for (const server of [mail, ours]) server.delivered.length = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const conversations = async (client: Client = tenant.live, of = workspaceId) =>
  (await client.get(`/api/conversations?workspaceId=${of}&limit=100`, 200)).body.data;
const messages = async (id: string) => (await tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data;
/** The request of a person who took their time. */
async function write(body: object, visit = {}): Promise<number> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 60_000 });
  const { start } = (await lookAt(visitor, form)).body;
  vi.useRealTimers();
  const { status, body: answer } = await send(visitor, form, { start, ...body }, visit);
  if (status === 201) expect(answer).toEqual({ ok: true });
  return status;
}

describe("a submitted form", () => {
  test("creates a conversation in the workspace's form channel with the sender, and shows its page", async () => {
    expect(await write({ email: " Grace@Example.com ", name: "Grace", phone: "030 901820", subject: "A parcel" })).toBe(
      201,
    );
    const [conversation, ...more] = await conversations();
    expect(more).toEqual([]);
    expect(conversation).toMatchObject({
      channelType: "contact_form",
      subject: "A parcel",
      status: "open",
      labels: [],
      messageCount: 1,
      unreadCount: 1,
      assuranceLevel: "none",
    });
    expect(conversation!.metadata).toEqual({
      contactForm: {
        widgetId: form.id,
        widget: "Form",
        name: "Grace",
        email: "grace@example.com",
        phone: "030 901820",
      },
    });
    expect((await tenant.live.get(`/api/contacts/${conversation!.contactId}`, 200)).body).toMatchObject({
      name: "Grace",
      emails: [{ value: "grace@example.com", verifiedAt: null }],
      phones: [],
    });
    expect(await messages(conversation!.id)).toMatchObject([
      { direction: "inbound", authorType: "contact", authorId: conversation!.contactId, body: "Where is my parcel?" },
    ]);
    const {
      body: { data },
    } = await owner.get(`/api/audit-log?resourceId=${conversation!.id}`, 200);
    expect(data).toMatchObject([
      { action: "publicWidgets.submitContactForm", change: "created", actor: { kind: "visitor", id: form.id } },
    ]);
  });

  test("creates a separate conversation, even for a known address: a sender cannot write into another's conversation or change their contact", async () => {
    const { body: theirs } = await tenant.live.post(
      "/api/conversations",
      {
        workspaceId,
        contact: { name: "Ada", emails: ["known@example.com"] },
        message: { body: "Mine" },
      },
      201,
    );
    for (let n = 0; n < 2; n++) expect(await write({ email: "known@example.com", name: "Mallory" })).toBe(201);
    const begun = (await conversations()).filter(({ id }) => id !== theirs.id);
    expect(begun.map(({ contactId, messageCount }) => [contactId, messageCount])).toEqual([
      [theirs.contactId, 1],
      [theirs.contactId, 1],
    ]);
    expect(await messages(theirs.id)).toHaveLength(1);
    expect((await tenant.live.get(`/api/contacts/${theirs.contactId}`, 200)).body).toMatchObject({
      name: "Ada",
      emails: [{ value: "known@example.com", verifiedAt: null }],
    });
  });

  test("is stored once if it is sent again with the same submissionId; another form's is separate", async () => {
    const other = await newForm(owner, workspaceId);
    for (let n = 0; n < 3; n++) expect(await write({ submissionId: "one" })).toBe(201);
    expect((await send(visitor, other, { submissionId: "one" })).status).toBe(201);
    expect(await conversations()).toHaveLength(2);
    expect(
      (await owner.get(`/api/workspaces/${workspaceId}/channels`, 200)).body.filter(
        ({ type }) => type === "contact_form",
      ),
    ).toHaveLength(1);
  });

  test("must have the required fields; consent is stored with its time", async () => {
    form = await newForm(owner, workspaceId, {
      settings: { fields: { phone: "required", subject: "required", name: "hidden" }, consent: "You may keep it." },
    });
    const refused = async (body: object): Promise<string | undefined> => (await send(visitor, form, body)).body.error;
    expect(await refused({})).toBe("phone must be given; subject must be given");
    expect(await refused({ phone: "0301", subject: "S" })).toBe("consent must be given");
    expect(await refused({ phone: "0301", subject: "S", consent: true, email: "nobody" })).toBe(
      "email must be an email",
    );
    expect(await refused({ message: "" })).toMatch(/^message must be longer/);
    expect(await conversations()).toEqual([]);
    expect(await write({ phone: "0301", subject: "S", consent: true, name: undefined })).toBe(201);
    expect((await conversations())[0]!.metadata.contactForm).toMatchObject({
      consent: "You may keep it.",
      consentedAt: aTime,
    });
  });

  test("belongs to the test side if it was sent there", async () => {
    const client = await tenant.owner("test");
    form = await newForm(client, tenant.testDefaults.workspaceId);
    expect(await write({})).toBe(201);
    const { id } = (await conversations(tenant.test, tenant.testDefaults.workspaceId))[0]!;
    await tenant.test.post(`/api/conversations/${id}/reply`, { body: "Only a test" }, 200);
    expect((await client.get("/api/captured-messages", 200)).body.data[0]).toMatchObject({
      channel: "contact_form",
      to: "ada@example.com",
      body: "Only a test",
    });
  });

  test("from a blocked contact gets the usual response, but is not stored", async () => {
    await write({ email: "blocked@example.com" });
    const { contactId } = (await conversations())[0]!;
    await tenant.live.patch(`/api/contacts/${contactId}`, { blocked: true }, 200);
    expect(await write({ email: "blocked@example.com" })).toBe(201);
    expect(await conversations()).toHaveLength(1);
  });

  test("is erased with its sender, completely", async () => {
    await write({
      email: "needle-erased@example.com",
      name: "needle-erased",
      phone: "needle-erased",
      subject: "needle-erased",
      message: "needle-erased",
    });
    const { contactId } = (await conversations())[0]!;
    await owner.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    expect(await tablesWith(app.db, "needle-erased")).toEqual({});
  });
});

describe("a reply", () => {
  async function mailbox(): Promise<string> {
    const { hostname: host, port } = new URL(mail.url);
    const { body } = await owner.post(
      `/api/workspaces/${workspaceId}/channels`,
      {
        type: "email",
        name: "Support",
        address: "support@example.com",
        settings: { smtp: { host, port: Number(port), security: "none" } },
        credentials: { username: "support", password: "secret" },
      },
      201,
    );
    await provision(app);
    return body.id;
  }
  const reply = async (body: string): Promise<string> => {
    const { id } = (await conversations())[0]!;
    await tenant.live.post(`/api/conversations/${id}/reply`, { body }, 200);
    return id;
  };
  const statuses = async (id: string): Promise<string[]> =>
    (await messages(id)).slice(1).map(({ deliveryStatus }) => deliveryStatus);

  test("is sent from the workspace's mailbox to the address in the form, even if the contact has several", async () => {
    const address = `${randomUUID()}@example.com`;
    await tenant.live.post("/api/contacts", { name: "Ada", emails: ["first@example.com", address] }, 201);
    const channelId = await mailbox();
    await write({ email: address, subject: "A parcel" });
    const id = await reply("It left this morning.");
    await deliver(app);
    await eventually(() =>
      expect(mail.delivered).toMatchObject([
        { from: "support@example.com", to: [address], headers: { subject: "A parcel" } },
      ]),
    );
    await eventually(async () => expect(await statuses(id)).toEqual(["sent"]));
    expect(ours.delivered).toEqual([]);
    expect(
      await app.db.query("select channel, channel_id from outbox_message where conversation_id = $1", [id]),
    ).toEqual([{ channel: "email", channel_id: channelId }]);
  });

  test("is sent from the service's own address if there is no mailbox, or it is disabled", async () => {
    await owner.patch(`/api/channels/${await mailbox()}`, { enabled: false }, 200);
    await write({ email: "ada@example.com" });
    const id = await reply("Hello");
    await deliver(app);
    await eventually(() =>
      expect(ours.delivered).toMatchObject([{ from: "no-reply@example.com", to: ["ada@example.com"] }]),
    );
    await eventually(async () => expect(await statuses(id)).toEqual(["sent"]));
    expect(mail.delivered).toEqual([]);
  });

  test("from the service's own address has its files behind links", async () => {
    await write({ email: "ada@example.com" });
    const { id: conversationId } = (await conversations())[0]!;
    const { id } = await upload(tenant.live, "The label", "label.txt", "text/plain");
    await tenant.live.post(
      `/api/conversations/${conversationId}/reply`,
      { body: "Here it is", attachmentIds: [id] },
      200,
    );
    await deliver(app);
    await eventually(() => expect(ours.delivered).toHaveLength(1));
    const { text } = await simpleParser(ours.sources.at(-1)!, { skipTextLinks: true });
    expect(text).toContain("label.txt");
    const link = new URL(/https?:\/\/[^\s)]+/.exec(text!)![0]);
    expect(await (await fetch(app.baseUrl + link.pathname + link.search)).text()).toBe("The label");
  });

  test("is refused if it cannot be sent, and the channel's test says so", async () => {
    await write({});
    const { id, channelId } = (await conversations())[0]!;
    const lastTest = async () =>
      (await tenant.live.post(`/api/channels/${channelId}/test`, undefined, 200)).body.lastTest;
    const bare = { SMTP_URL: undefined };
    await withSettings(app, bare, async () => {
      expect((await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 409)).body.error).toMatch(
        /connect a mailbox to the workspace, or set SMTP_URL/,
      );
      expect(await lastTest()).toMatchObject({ ok: false, message: expect.stringMatching(/there is no way/) });
    });
    expect(await lastTest()).toMatchObject({ ok: true, message: expect.stringMatching(/the service's own address/) });
    await mailbox();
    expect(await withSettings(app, bare, lastTest)).toMatchObject({
      ok: true,
      message: "Messages come in, and answers leave from support@example.com",
    });
    expect(await messages(id)).toHaveLength(1);
  });
});

describe("likely spam", () => {
  const suspicions = async () =>
    ((await conversations())[0]!.metadata.contactForm as { suspicions?: string[] }).suspicions;

  test("in the hidden field gets the usual response, and is stored as resolved spam", async () => {
    expect(await write({ website: "https://spam.example" })).toBe(201);
    const [conversation] = await conversations();
    expect(conversation).toMatchObject({
      status: "resolved",
      resolution: "spam",
      labels: ["suspected-spam"],
      unreadCount: 0,
      waitingSince: null,
      messageCount: 1,
    });
    expect(await suspicions()).toEqual(["honeypot"]);
    expect(
      (await tenant.live.get(`/api/conversations?workspaceId=${workspaceId}&label=suspected-spam`, 200)).body.data,
    ).toHaveLength(1);
  });

  test.each([
    ["without a start", async () => send(visitor, form, {}), ["no start"]],
    [
      "with a start that was made up",
      async () => send(visitor, form, { start: `${(Date.now() - 60_000).toString(36)}.${"A".repeat(43)}` }),
      ["no start"],
    ],
    [
      "with the start of another form",
      async () => send(visitor, form, { start: (await lookAt(visitor, await newForm(owner, workspaceId))).body.start }),
      ["no start"],
    ],
    [
      "in no time",
      async () => {
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
        return send(visitor, form, { start: (await lookAt(visitor, form)).body.start });
      },
      ["too fast"],
    ],
    ["that is a link", async () => write({ message: "Look: https://spam.example/buy?now=1" }), ["links only"]],
  ] as [string, () => Promise<unknown>, string[]][])("%s is stored as open, with a label", async (_, work, found) => {
    await work();
    expect(await suspicions()).toEqual(found);
    expect((await conversations())[0]).toMatchObject({ status: "open", labels: ["suspected-spam"], unreadCount: 1 });
  });

  test("sent repeatedly under different addresses is labelled from the fourth time on", async () => {
    for (let n = 0; n < 5; n++)
      await write(
        { email: `${randomUUID()}@example.com`, message: `Dear friend no. ${n}, I have a wonderful offer for you!` },
        { ip: `203.0.113.${n}` },
      );
    expect((await conversations()).map(({ labels }) => labels.length).reverse()).toEqual([0, 0, 0, 1, 1]);
    expect(await tablesWith(app.db, "dearfriend")).toEqual({});
  });

  test("does not include a person's text with one link", async () => {
    await write({ message: "My order https://shop.example/orders/1 has not come, where is it?" });
    expect((await conversations())[0]).toMatchObject({
      labels: [],
      metadata: { contactForm: expect.not.objectContaining({ suspicions: expect.anything() }) },
    });
  });
});
