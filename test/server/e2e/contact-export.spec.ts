import { afterAll, beforeAll, expect, test } from "vitest";
import { attach, askForNames, pendingAction, sideOf } from "../contract/fixtures.js";
import { raise } from "../../../src/conversations/attention/raise.js";
import { AttachmentStore } from "../../../src/conversations/attachments/attachment-store.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { OutboxService } from "../../../src/platform/outbox/outbox.service.js";
import { unzip } from "../../support/unzip.js";
import { aTime, anId, newAgent, newWorkspace, start, walk } from "./support.js";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const fetchExport = ({ token }: Client, id: string, headers = {}): Promise<Response> =>
  fetch(`${app.baseUrl}/api/contacts/${id}/export`, { headers: { authorization: `Bearer ${token}`, ...headers } });
async function exported(
  client: Client,
  id: string,
): Promise<{ body: Schemas["ContactExport"]; text: string; files: Record<string, Buffer> }> {
  const response = await fetchExport(client, id);
  expect([response.status, response.headers.get("content-type"), response.headers.get("content-disposition")]).toEqual([
    200,
    "application/zip",
    `attachment; filename="contact-${id}.zip"`,
  ]);
  const { "person.json": document, ...files } = await unzip(Buffer.from(await response.arrayBuffer()));
  const text = document!.toString();
  return { body: JSON.parse(text) as Schemas["ContactExport"], text, files };
}

test("a person's export contains all their API data, from every workspace and merged contact, and no data of others", async () => {
  const tenant = await app.tenant();
  const {
    live: key,
    defaults: { workspaceId, brandId },
  } = tenant;
  const owner = await tenant.owner();
  const side = await sideOf(tenant);
  const elsewhere = await newWorkspace(key, brandId);
  await askForNames(owner, elsewhere.id);
  const first = await start(key, workspaceId, {
    contact: { name: "Ada", emails: ["ada@example.com"], attributes: { plan: "gold" } },
    message: { body: "First" },
  });
  const second = await start(key, elsewhere.id, {
    contact: { name: "Ada", phones: ["+4930901820"] },
    message: { body: "Second" },
  });
  const stranger = await start(key, workspaceId, { contact: { name: "Charles" }, message: { body: "Not hers" } });
  await key.post(`/api/conversations/${first.id}/notes`, { body: "A note" }, 201);
  const attachment = await attach(side, first.id);
  for (const { id } of [first, second, stranger])
    await key.post(`/api/conversations/${id}/verification/questions`, {}, 200);
  await app.transaction(tenant.tenantId, (tx) =>
    raise(tx, {
      conversationId: second.id,
      type: "handoff_requested",
      severity: "high",
      reason: "She asks for a person",
    }),
  );
  await pendingAction(side, first.id);
  const named = (await owner.post("/api/cases", { workspaceId, title: "Hers", contactId: second.contactId }, 201)).body;
  const about = (
    await owner.post(
      "/api/cases",
      { workspaceId: elsewhere.id, title: "About her conversation", conversationIds: [second.id] },
      201,
    )
  ).body;
  await owner.post("/api/cases", { workspaceId, title: "Not hers", contactId: stranger.contactId }, 201);
  await key.post(`/api/contacts/${first.contactId}/merge`, { sourceContactId: second.contactId }, 200);

  const { body, text, files } = await exported(owner, first.contactId);
  const read = async <P extends string>(path: P) => (await owner.get(path, 200)).body;
  expect(body.contacts).toEqual([
    await read(`/api/contacts/${first.contactId}`),
    await read(`/api/contacts/${second.contactId}`),
  ]);
  expect(body.conversations).toEqual(
    await Promise.all(
      [first, second].map(async ({ id }) => ({
        ...(await read(`/api/conversations/${id}`)),
        messages: (await read(`/api/conversations/${id}/messages`)).data,
      })),
    ),
  );
  expect(body.conversations[0]!.messages.map((message) => message.body)).toEqual(["First", "A note", "See there"]);
  expect(body.conversations[0]!.messages[2]!.attachments).toHaveLength(1);
  expect(body.identityEvents).toEqual([
    ...(await read(`/api/conversations/${first.id}/identity-events`)).events,
    ...(await read(`/api/conversations/${second.id}/identity-events`)).events,
  ]);
  expect(body.attentionItems).toEqual((await read(`/api/attention-items?conversationId=${second.id}`)).data);
  expect(body.pendingActions).toEqual([
    expect.objectContaining({ conversationId: first.id, tool: "add_note", arguments: { body: "Call back" } }),
  ]);
  expect(body.pendingActions).toEqual((await read(`/api/pending-actions?conversationId=${first.id}`)).data);
  expect(body.cases).toEqual(
    await Promise.all(
      [named, about].map(async ({ id }) => ({
        ...(await read(`/api/cases/${id}`)),
        events: await walk(owner, `/api/cases/${id}/events`),
      })),
    ),
  );
  expect(Object.entries(files).map(([path, bytes]) => [path, bytes.toString()])).toEqual([
    [`attachments/${attachment}/note.txt`, "Hello"],
  ]);
  expect(text).not.toContain(stranger.id);
  expect(text).not.toContain("Not hers");
  // The merged contact is the same person.
  expect((await exported(owner, second.contactId)).text).toBe(text);
  const tag = (await fetchExport(owner, first.contactId)).headers.get("etag")!;
  expect((await fetchExport(owner, first.contactId, { "if-none-match": tag })).status).toBe(304);
});

test("it lists mail sent for the person, by address, conversation and merged contact, without its content or others' mail", async () => {
  const tenant = await app.tenant();
  const {
    live: key,
    defaults: { workspaceId },
  } = tenant;
  const owner = await tenant.owner();
  const { body: channel } = await owner.post(
    `/api/workspaces/${workspaceId}/channels`,
    {
      type: "email",
      name: "Mailbox",
      address: "support@example.com",
      settings: { smtp: { host: "smtp.invalid", port: 465 } },
      credentials: { username: "u", password: "p" },
    },
    201,
  );
  const begin = (email: string) =>
    start(key, workspaceId, { channelId: channel.id, subject: `For ${email}`, contact: { emails: [email] } });
  const conversations = [
    await begin("ada@example.com"),
    await begin("also@example.com"),
    await begin("charles@example.com"),
  ];
  const replies = [];
  for (const { id } of conversations)
    replies.push((await key.post(`/api/conversations/${id}/reply`, { body: "Dear reader" }, 200)).body.messageId);
  await app.transaction(tenant.tenantId, (tx) =>
    app.app.get(OutboxService).mail(tx, { to: "Also@example.com", subject: "Your link", body: "https://link.example" }),
  );
  await app.db.query(`update outbox_message set status = 'sent', sent_at = now(), sealed = '' where id = $1`, [
    replies[0],
  ]);
  await key.post(
    `/api/contacts/${conversations[0]!.contactId}/merge`,
    { sourceContactId: conversations[1]!.contactId },
    200,
  );
  const { body, text } = await exported(owner, conversations[0]!.contactId);
  const common = { attempts: 0, lastError: null, createdAt: aTime, sentAt: null };
  expect(body.mails).toEqual([
    {
      ...common,
      id: replies[0],
      channel: "email",
      channelId: channel.id,
      conversationId: conversations[0]!.id,
      status: "sent",
      to: null,
      subject: null,
      sentAt: aTime,
    },
    {
      ...common,
      id: replies[1],
      channel: "email",
      channelId: channel.id,
      conversationId: conversations[1]!.id,
      status: "queued",
      to: "also@example.com",
      subject: "For also@example.com",
    },
    {
      ...common,
      id: anId,
      channel: "email",
      channelId: null,
      conversationId: null,
      status: "queued",
      to: "Also@example.com",
      subject: "Your link",
    },
  ]);
  expect(text).not.toContain("https://link.example");
  expect(text).not.toContain(replies[2]);
});

test("an export with a missing file breaks off, so it cannot be mistaken for a complete one", async () => {
  const tenant = await app.tenant();
  const side = await sideOf(tenant);
  const { id, contactId } = await start(tenant.live, side.workspaceId);
  await app.app.get(AttachmentStore, { strict: false }).remove({ tenantId: side.tenantId, id: await attach(side, id) });
  await expect((async () => (await fetchExport(side.owner, contactId)).arrayBuffer())()).rejects.toThrow();
});

test("only owners and admins can export, and a deleted or erased person has no export", async () => {
  const tenant = await app.tenant();
  const owner = await tenant.owner();
  const [one, two] = [
    await start(tenant.live, tenant.defaults.workspaceId),
    await start(tenant.live, tenant.defaults.workspaceId),
  ];
  await tenant.live.get(`/api/contacts/${one.contactId}/export`, 403);
  await (await newAgent(owner, [tenant.defaults.workspaceId])).get(`/api/contacts/${one.contactId}/export`, 403);
  await tenant.live.delete(`/api/contacts/${one.contactId}`, 200);
  await tenant.live.post(`/api/contacts/${two.contactId}/erasure`, undefined, 200);
  for (const { contactId } of [one, two]) await owner.get(`/api/contacts/${contactId}/export`, 404);
});
