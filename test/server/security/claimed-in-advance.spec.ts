import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IncomingMessagesService } from "../../../src/channels/incoming-messages.service.js";
import { provider } from "../../../src/platform/caller/request-context.js";
import { Database } from "../../../src/platform/database/database.js";
import {
  beginRun,
  call,
  type Desk,
  LOOK_UP,
  openDesk,
  startToolServer,
  type ToolServer,
} from "../assistant/tools-support.js";
import { newWorkspace, start } from "../e2e/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { chatOf, IDENTITY_SECRET, Visitor } from "../webchat/support.js";

// Whoever reaches one workspace claims somebody's address or externalId, before that person writes to another workspace.

let server: ToolServer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
/** Where the person writes to. */
let home: string;
/** The workspace that the key is restricted to. */
let other: string;
let restricted: Client;

beforeAll(async () => {
  server = await startToolServer();
  app = await startApp({ OUTBOUND_ALLOW: [server.host] });
  tenant = await app.tenant();
  owner = await tenant.owner();
  home = tenant.defaults.workspaceId;
  other = (await newWorkspace(owner, tenant.defaults.brandId)).id;
  restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other } });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const address = (): string => `bo-${randomUUID()}@example.com`;

/** The contact whom a message reaches that a channel of the workspace has proven to come from this address. */
async function writerOf(workspaceId: string, email: string): Promise<string> {
  const { body: channels } = await tenant.live.get(`/api/workspaces/${workspaceId}/channels`, 200);
  const place = { id: channels.find(({ type }) => type === "webchat")!.id, workspaceId };
  const caller = provider("take in", { ...place, tenantId: tenant.tenantId, environment: "live" });
  const taken = await app.app.get(Database).transaction(caller, (tx) =>
    app.app.get(IncomingMessagesService).receive(tx, place, {
      from: { kind: "email", value: email },
      senderProof: "channel",
      conversationId: null,
      externalId: randomUUID(),
      body: "Hello",
    }),
  );
  return (await tenant.live.get(`/api/conversations/${taken!.conversationId}`, 200)).body.contactId;
}

describe("an address is its owner's in the workspaces of whoever gave it:", () => {
  const create = async (client: Client, emails: string[]): Promise<string> =>
    (await client.post("/api/contacts", { emails }, 201)).body.id;

  test.each<[string, (email: string) => Promise<string>]>([
    ["with a new contact", (email) => create(restricted, [email])],
    [
      "with a new conversation",
      async (email) =>
        (await start(restricted, other, { contact: { emails: [email] }, message: { body: "Hi" } })).contactId,
    ],
    [
      "with an import",
      async (email) => {
        const lines = new Blob([JSON.stringify({ emails: [email] })], { type: "application/x-ndjson" });
        return (await restricted.post("/api/contacts/import", lines, 200)).body.lines[0]!.contactId!;
      },
    ],
    [
      "with a change",
      async (email) => {
        const id = await create(restricted, []);
        await restricted.patch(`/api/contacts/${id}`, { emails: [email] }, 200);
        return id;
      },
    ],
  ])("a restricted caller gives it %s", async (_, claim) => {
    const email = address();
    const claimed = await claim(email);
    const writer = await writerOf(home, email);
    expect(writer).not.toBe(claimed);
    await restricted.get(`/api/contacts/${writer}`, 404);
    expect(await writerOf(home, email)).toBe(writer);
    expect(await writerOf(other, email)).toBe(claimed);
  });

  test("an address that a restricted caller adds to somebody's contact does not write for them elsewhere", async () => {
    const [hers, added] = [address(), address()];
    const ada = await create(tenant.live, [hers]);
    for (const workspaceId of [home, other])
      await start(tenant.live, workspaceId, { contactId: ada, message: { body: "Hello" } });
    await restricted.patch(`/api/contacts/${ada}`, { emails: [hers, added] }, 200);
    expect(await writerOf(home, added)).not.toBe(ada);
    expect(await writerOf(home, hers)).toBe(ada);
    expect(await writerOf(other, added)).toBe(ada);
    // Nobody vouches for an address by leaving it where it is.
    await tenant.live.patch(`/api/contacts/${ada}`, { emails: [hers, added, address()] }, 200);
    expect(await writerOf(home, added)).not.toBe(ada);
  });

  test("whoever reaches the whole tenant gives it everywhere", async () => {
    const email = address();
    const id = await create(tenant.live, [email]);
    expect(await writerOf(home, email)).toBe(id);
    expect(await writerOf(other, email)).toBe(id);
  });

  test("a merge vouches for no address, and keeps what somebody vouched for", async () => {
    const [first, second] = [address(), address()];
    const known = await create(tenant.live, [first]);
    const claimed = await create(restricted, [first, second]);
    await tenant.live.post(`/api/contacts/${claimed}/merge`, { sourceContactId: known }, 200);
    expect(await writerOf(home, first)).toBe(claimed);
    expect(await writerOf(home, second)).not.toBe(claimed);
  });
});

describe("an externalId", () => {
  const identity = (sub: string): Promise<string> =>
    new SignJWT({ sub })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(IDENTITY_SECRET));
  const visit = async (sub: string): Promise<string> => {
    const chat = await chatOf(tenant, undefined, IDENTITY_SECRET);
    const visitor = await Visitor.open(app.baseUrl, chat, await identity(sub));
    const body = randomUUID();
    await visitor.write(body, randomUUID(), 201);
    const { data } = (await tenant.live.get(`/api/conversations?workspaceId=${home}&limit=10`, 200)).body;
    return data.find(({ lastMessagePreview }) => lastMessagePreview === body)!.contactId;
  };

  test("that a restricted caller claims goes to the visitor whose site signs it in another workspace", async () => {
    const externalId = randomUUID();
    const { id: claimed } = (await restricted.post("/api/contacts", { name: "Bo", externalId }, 201)).body;
    const signed = await visit(externalId);
    expect(signed).not.toBe(claimed);
    await restricted.get(`/api/contacts/${signed}`, 404);
    expect((await restricted.get(`/api/contacts/${claimed}`, 200)).body).toMatchObject({
      name: "Bo",
      externalId: null,
    });
    expect((await tenant.live.get(`/api/contacts/${signed}`, 200)).body.externalId).toBe(externalId);
    expect(await visit(externalId)).toBe(signed);
  });

  test("that whoever reaches the whole tenant gave is the visitor's, also after a restricted caller repeats it", async () => {
    const externalId = randomUUID();
    const { id } = (await tenant.live.post("/api/contacts", { externalId }, 201)).body;
    await start(tenant.live, other, { contactId: id, message: { body: "Hello" } });
    await restricted.patch(`/api/contacts/${id}`, { externalId }, 200);
    expect(await visit(externalId)).toBe(id);
  });

  test("that a restricted caller claims is not what a tool of another workspace is told", async () => {
    const desk: Desk = await openDesk(app, tenant, owner, server);
    const externalId = randomUUID();
    const { id } = (await restricted.post("/api/contacts", { externalId }, 201)).body;
    const run = await beginRun(desk);
    const told = async (): Promise<unknown> => {
      await call(desk, run, LOOK_UP.name, { orderId: "#W1234567" });
      return server.calls.at(-1)!.body.contact.externalId;
    };
    expect(await told()).toMatch(/^customer-/);
    await app.db.query("update conversation set contact_id = $1 where id = $2", [id, run.conversationId]);
    expect(await told()).toBeNull();
  });
});
