import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { IncomingMessagesService } from "../../../src/channels/incoming-messages.service.js";
import { provider } from "../../../src/platform/caller/request-context.js";
import { Database } from "../../../src/platform/database/database.js";
import {
  beginRun,
  call,
  type Desk,
  LOOK_UP,
  openDesk,
  policy,
  startToolServer,
  type ToolServer,
} from "../assistant/tools-support.js";
import { newWorkspace, start } from "../e2e/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { newForm, send } from "../widgets/support.js";

// An address that nobody proved widens nobody's reach, and acts for nobody.

let server: ToolServer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
/** Where Ada is known, and the other workspace, with a form and a key that is restricted to it. */
let home: string;
let other: string;
let form: { publicKey: string };
let restricted: Client;
let ada: { id: string; email: string };

beforeAll(async () => {
  server = await startToolServer();
  app = await startApp({ OUTBOUND_ALLOW: [server.host] });
  tenant = await app.tenant();
  owner = await tenant.owner();
  home = tenant.defaults.workspaceId;
  other = (await newWorkspace(owner, tenant.defaults.brandId)).id;
  form = await newForm(owner, other);
  restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other } });
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(async () => {
  const email = `ada-${randomUUID()}@example.com`;
  const contact = { name: "Ada", emails: [email], externalId: randomUUID() };
  const { contactId } = await start(tenant.live, home, { contact, message: { body: "Where is my parcel?" } });
  ada = { id: contactId, email };
});

const newest = async (workspaceId: string) =>
  (await tenant.live.get(`/api/conversations?workspaceId=${workspaceId}&limit=1`, 200)).body.data[0]!;
const withEmail = async (client: Client) =>
  (await client.get(`/api/contacts/search?q=${encodeURIComponent(ada.email)}`, 200)).body.data;

/** A message through a channel of the workspace that proved this address. */
async function taken(workspaceId: string, email: string) {
  const channels = (await tenant.live.get(`/api/workspaces/${workspaceId}/channels`, 200)).body;
  const place = { id: channels.find(({ type }) => type === "webchat")!.id, workspaceId };
  const caller = provider("take in", { ...place, tenantId: tenant.tenantId, environment: "live" });
  await app.app.get(Database).transaction(caller, (tx) =>
    app.app.get(IncomingMessagesService).receive(tx, place, {
      from: { kind: "email", value: email },
      senderProof: "channel",
      conversationId: null,
      externalId: randomUUID(),
      body: "Hello",
    }),
  );
  return newest(workspaceId);
}

describe("an address that anybody can type into a form", () => {
  test("opens no contact of another workspace; it is a new contact, which whoever reaches both can merge", async () => {
    await restricted.get(`/api/contacts/${ada.id}`, 404);
    await send(app.client(), form, { email: ada.email });
    await restricted.get(`/api/contacts/${ada.id}`, 404);
    const [seen, ...more] = await withEmail(restricted);
    expect(more).toEqual([]);
    expect(seen).toMatchObject({ externalId: null, emails: [{ value: ada.email, verifiedAt: null }] });
    expect(seen!.id).not.toBe(ada.id);
    const both = (await withEmail(tenant.live)).map(({ id }) => id);
    expect(both.toSorted()).toEqual([ada.id, seen!.id].toSorted());
    await restricted.post(`/api/contacts/${seen!.id}/merge`, { sourceContactId: ada.id }, 404);
    await tenant.live.post(`/api/contacts/${ada.id}/merge`, { sourceContactId: seen!.id }, 200);
  });

  test("finds the contact that the workspace knows already, and the conversation says that nothing proves it", async () => {
    await send(app.client(), form, { email: ada.email });
    const first = await newest(other);
    await send(app.client(), form, { email: ada.email });
    const second = await newest(other);
    expect(second.id).not.toBe(first.id);
    expect(second).toMatchObject({ contactId: first.contactId, senderProof: "none" });
    const [message] = (await tenant.live.get(`/api/conversations/${second.id}/messages`, 200)).body.data;
    expect(message).toMatchObject({ direction: "inbound", senderProof: "none" });
  });

  test("does not make the contact of whoever proves it later, elsewhere; in its own workspace it does", async () => {
    const email = `bo-${randomUUID()}@example.com`;
    await send(app.client(), form, { email });
    const typed = await newest(other);
    const elsewhere = await taken(home, email);
    expect(elsewhere.contactId).not.toBe(typed.contactId);
    await restricted.get(`/api/contacts/${elsewhere.contactId}`, 404);
    expect((await taken(home, email)).contactId).toBe(elsewhere.contactId);
    expect((await taken(other, email)).contactId).toBe(typed.contactId);
  });

  test("of somebody who is blocked in another workspace stores nothing", async () => {
    await tenant.live.patch(`/api/contacts/${ada.id}`, { blocked: true }, 200);
    const before = await newest(other);
    await send(app.client(), form, { email: ada.email });
    expect((await newest(other)).id).toBe(before.id);
  });
});

test("a conversation is proven as well as the weakest of its messages, whatever order they come in", async () => {
  const channelId = (await tenant.live.get(`/api/workspaces/${other}/channels`, 200)).body.find(
    ({ type }) => type === "webchat",
  )!.id;
  const place = { id: channelId, workspaceId: other };
  const caller = provider("take in", { ...place, tenantId: tenant.tenantId, environment: "live" });
  const take = (senderProof: "none" | "channel" | "signed", conversationId: string | null) =>
    app.app.get(Database).transaction(caller, (tx) =>
      app.app.get(IncomingMessagesService).receive(tx, place, {
        from: { contactId: ada.id },
        senderProof,
        conversationId,
        externalId: randomUUID(),
        body: "Hello",
      }),
    );
  const { conversationId } = (await take("signed", null))!;
  const proof = async () => (await tenant.live.get(`/api/conversations/${conversationId}`, 200)).body.senderProof;
  const seen = [await proof()];
  for (const next of ["signed", "channel", "signed", "none", "signed"] as const) {
    await take(next, conversationId);
    seen.push(await proof());
  }
  expect(seen).toEqual(["signed", "signed", "channel", "channel", "none", "none"]);
  await tenant.live.post(`/api/conversations/${conversationId}/notes`, { body: "Forged?" }, 201);
  const { data } = (await tenant.live.get(`/api/conversations/${conversationId}/messages?order=desc`, 200)).body;
  expect(data[0]).toMatchObject({ direction: "internal", senderProof: null });
});

test("a conversation that an API key brings in is proven by its channel, and one that you begin by nothing yet", async () => {
  const { id } = await start(tenant.live, home, { contactId: ada.id, message: { body: "Hello" } });
  const composed = await tenant.live.post(
    "/api/conversations/compose",
    { workspaceId: home, contactId: ada.id, body: "Your parcel has arrived" },
    201,
  );
  expect((await tenant.live.get(`/api/conversations/${id}`, 200)).body.senderProof).toBe("channel");
  expect(composed.body.senderProof).toBeNull();
});

describe("who authenticates senders is decided by nobody who is restricted to a workspace:", () => {
  const IMAP = { host: "imap.example.com", port: 993 };
  const SMTP = { host: "smtp.example.com", port: 465 };
  const CREDENTIALS = { username: "help", password: "secret" };
  const TELEPHONY = { accountSid: "AC1", authToken: "secret" };
  const create = async (body: object): Promise<string> =>
    (await owner.post(`/api/workspaces/${other}/channels`, { name: "New", ...body }, 201)).body.id;

  test.each([
    ["sms", { address: "+4930901820", credentials: TELEPHONY }],
    ["voice", { address: "+4930901821", credentials: TELEPHONY }],
    ["webchat", { credentials: { identitySecret: "0123456789abcdef0123456789abcdef" } }],
    ["email", { address: "a@example.com", settings: { smtp: SMTP, imap: IMAP } }],
  ])("a channel of type %s", async (type, body) => {
    const { credentials = CREDENTIALS, ...rest } = body as { credentials?: object };
    const id = await create({ type, ...rest });
    await restricted.put(`/api/channels/${id}/credentials`, { credentials }, 403);
    await restricted.patch(`/api/channels/${id}`, { name: "Another name" }, 200);
    await owner.put(`/api/channels/${id}/credentials`, { credentials }, 200);
    if (!("address" in rest)) return;
    const address = type === "email" ? "personnel@example.com" : "+4930901899";
    await restricted.patch(`/api/channels/${id}`, { address }, 403);
    await restricted.patch(`/api/channels/${id}`, { address: rest.address }, 200);
    await owner.patch(`/api/channels/${id}`, { address }, 200);
  });

  test.each([
    ["sends", { smtp: SMTP }, 200],
    ["receives", { smtp: SMTP, imap: IMAP }, 403],
  ] as const)("which mailbox an application opens that %s by itself", async (_, servers, status) => {
    const signIn = { provider: "microsoft", grant: "client_credentials", clientId: "parley", tenant: "example.com" };
    const credentials = { clientSecret: "secret" };
    const id = await create({
      type: "email",
      address: "c@example.com",
      settings: { ...servers, signIn },
      credentials,
    });
    const address = "personnel@example.com";
    await restricted.patch(`/api/channels/${id}`, { address }, status);
    // Its secret is for the mailbox that whoever stored it named.
    expect((await owner.patch(`/api/channels/${id}`, { address }, 200)).body).toMatchObject({
      address,
      hasCredentials: false,
    });
    await restricted.put(`/api/channels/${id}/credentials`, { credentials }, status);
  });

  test("a mailbox that mails are read from, and the server whose word about them counts", async () => {
    const id = await create({ type: "email", address: "b@example.com", settings: { smtp: SMTP } });
    await restricted.put(`/api/channels/${id}/credentials`, { credentials: CREDENTIALS }, 200);
    const set = (client: Client, imap: object | null, status: number) =>
      client.patch(`/api/channels/${id}`, { settings: { smtp: SMTP, imap } }, status);
    await set(restricted, IMAP, 403);
    await set(owner, IMAP, 200);
    await set(restricted, { ...IMAP, authenticatedBy: "mx.example.com" }, 403);
    await set(restricted, null, 403);
    await set(restricted, IMAP, 200);
  });

  test("a server to send by, where another one would cost the mailbox credentials that they cannot store again", async () => {
    const settings = { smtp: SMTP, imap: IMAP };
    const credentials = { ...CREDENTIALS, username: "d" };
    const id = await create({ type: "email", address: "d@example.com", settings, credentials });
    const another = { settings: { ...settings, smtp: { ...SMTP, host: "smtp.example.org" } } };
    await restricted.patch(`/api/channels/${id}`, another, 403);
    expect((await owner.get(`/api/channels/${id}`, 200)).body).toMatchObject({ hasCredentials: true, settings });
    await restricted.patch(`/api/channels/${id}`, { settings: { ...settings, fromName: "Help" } }, 200);
    await owner.patch(`/api/channels/${id}`, another, 200);
    // Nothing is left to lose.
    await restricted.patch(`/api/channels/${id}`, { settings }, 200);
  });
});

/** A workspace with tools, in which contacts can prove who they are. */
const newDesk = async (): Promise<Desk> => {
  const desk = await openDesk(app, tenant, owner, server);
  const source = {
    name: "crm",
    type: "contact_attributes",
    questions: [{ key: "postcode", prompt: "What is your postcode?", attribute: "postcode" }],
  };
  await owner.put(`/api/workspaces/${desk.workspaceId}/verification-sources`, { sources: [source] }, 200);
  return desk;
};
const beginOfKnown = (desk: Desk) => beginRun(desk, { attributes: { postcode: "8001" } });

describe("for somebody whom nothing proves, the assistant", () => {
  let desk: Desk;
  beforeAll(async () => {
    desk = await newDesk();
  });
  beforeEach(() => {
    server.calls.length = 0;
  });
  /** Ada's conversation and its open run, as if a form had brought her message in. */
  const unproven = async () => {
    const run = await beginOfKnown(desk);
    await app.db.query("update conversation set sender_proof = 'none' where id = $1", [run.conversationId]);
    return run;
  };
  const VERIFY = { kind: "waits", for: "verification", pendingActionId: null };

  test("fills no value of the contact in, and asks for a proof instead", async () => {
    await policy(desk, "allow");
    const run = await unproven();
    expect(await call(desk, run)).toMatchObject(VERIFY);
    expect(server.calls).toEqual([]);
    expect(await call(desk, await beginRun(desk))).toMatchObject({ kind: "result" });
  });

  test("tells a tool nothing of the contact", async () => {
    await call(desk, await unproven(), LOOK_UP.name, { orderId: "#W1234567" });
    const { contact, conversation } = server.calls.at(-1)!.body;
    expect(contact).toEqual({ id: contact.id, externalId: null, name: null, emails: [], phones: [] });
    expect(conversation).toMatchObject({ senderProof: "none", assuranceLevel: "none" });
  });
});

test("a write tool that no policy is about needs a contact who is identified", async () => {
  const desk = await newDesk();
  server.calls.length = 0;
  expect(await call(desk, await beginOfKnown(desk))).toMatchObject({ kind: "waits", for: "verification" });
  expect(server.calls).toEqual([]);
  await policy(desk, "allow");
  expect(await call(desk, await beginRun(desk))).toMatchObject({ kind: "result" });
});

describe("a restricted key removes a contact", () => {
  test("only if it reaches all workspaces in which the contact appears", async () => {
    await start(tenant.live, other, { contactId: ada.id, message: { body: "Here, too" } });
    const refused = await restricted.post(`/api/contacts/${ada.id}/erasure`, undefined, 409);
    expect(refused.body).toEqual({ error: expect.stringContaining("workspaces that you do not reach") });
    await restricted.delete(`/api/contacts/${ada.id}`, 409);
    await tenant.live.get(`/api/contacts/${ada.id}`, 200);
    await tenant.live.post(`/api/contacts/${ada.id}/erasure`, undefined, 200);
  });

  test("of its own workspace", async () => {
    const { contactId } = await start(restricted, other, { contact: { name: "Bo" }, message: { body: "Hello" } });
    await restricted.post(`/api/contacts/${contactId}/erasure`, undefined, 200);
    const { contactId: next } = await start(restricted, other, { contact: { name: "Bo" }, message: { body: "Hello" } });
    await restricted.delete(`/api/contacts/${next}`, 200);
  });
});
