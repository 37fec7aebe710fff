import { randomUUID } from "node:crypto";
import { simpleParser } from "mailparser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ALL_OF_CONTEXT, GET_CONTEXT } from "../../../src/assistant/context/context.queries.js";
import { MessagesService } from "../../../src/conversations/messages.service.js";
import { upload } from "../attachments/support.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { assist, teach } from "../assistant/support.js";
import { start } from "../e2e/support.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Schemas } from "../../support/api-types.js";
import type { Client } from "../../support/client.js";
import { unzip } from "../../support/unzip.js";
import { deliver, provision } from "./support.js";

let mail: MailServer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let channelId: string;
const settings = (more: object = {}) => {
  const { hostname: host, port } = new URL(mail.url);
  return { smtp: { host, port: Number(port), security: "none" }, ...more };
};
const mailbox = async (client: Client, workspaceId: string, more: object = {}): Promise<string> => {
  const body = {
    type: "email",
    name: "Support",
    address: "support@example.com",
    settings: settings(more),
    credentials: { username: "support", password: "secret" },
  };
  return (await client.post(`/api/workspaces/${workspaceId}/channels`, body, 201)).body.id;
};
beforeAll(async () => {
  mail = await startMailServer();
  app = await startApp({ OUTBOUND_ALLOW: [new URL(mail.url).host] });
  tenant = await app.tenant();
  owner = await tenant.owner();
  channelId = await mailbox(owner, tenant.defaults.workspaceId);
  await provision(app);
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const conversation = (language = "en") =>
  start(tenant.live, tenant.defaults.workspaceId, {
    channelId,
    subject: "A parcel",
    contact: { name: "Ada Lovelace", emails: [`${randomUUID()}@example.org`], language },
  });
const reply = async (id: string, body: object, client = owner): Promise<string> =>
  (await client.post(`/api/conversations/${id}/reply`, body, 200)).body.messageId;
/** The mail that leaves now. */
async function sent() {
  const before = mail.sources.length;
  await deliver(app);
  expect(mail.sources).toHaveLength(before + 1);
  return simpleParser(mail.sources[before]!, { skipTextLinks: true, keepCidLinks: true });
}

test("a reply in Markdown leaves without its marks and as HTML, in the contact's language", async () => {
  const { id } = await conversation("de");
  await reply(id, { body: "**Hallo**, [hier](https://example.com/a) <b>", bodyFormat: "markdown" });
  const { text, html, headers } = await sent();
  expect(headers.get("content-type")).toMatchObject({ value: "multipart/alternative" });
  expect(headers.has("auto-submitted")).toBe(false);
  expect(text!.trim()).toBe("Hallo, hier (https://example.com/a) <b>");
  expect(html).toContain('<html lang="de" dir="ltr">');
  expect(html).toContain('<strong>Hallo</strong>, <a href="https://example.com/a">hier</a> &lt;b&gt;');
});

test("a member's signature wins over the mailbox's, the footer follows, and none of them is in the message", async () => {
  const url = `/api/channels/${channelId}/signature`;
  expect((await tenant.live.get(url, 200)).body).toEqual({ body: null });
  await owner.put(url, { body: "**{{brand.name}}** support\n{{member.name}}" }, 200);
  expect((await owner.put("/api/me/signature", { body: "{{nobody}}" }, 400)).body.error).toContain("not a variable");
  const workspace = `/api/workspaces/${tenant.defaults.workspaceId}` as const;
  await owner.patch(workspace, { mailFooter: "Example Ltd", mailLogoUrl: "https://example.com/logo.png" }, 200);
  const { id } = await conversation();
  const brand = (await tenant.live.get(workspace, 200)).body.brandName;

  await reply(id, { body: "From a program" }, tenant.live);
  // Nobody is its member, so the line about one is missing.
  expect((await sent()).text!.trim()).toBe(`From a program\n\n-- \n${brand} support\n\nExample Ltd`);
  await owner.put("/api/me/signature", { body: "*{{member.name}}*" }, 200);
  const messageId = await reply(id, { body: "From a person" });
  const { text, html } = await sent();
  expect(text!.trim()).toBe("From a person\n\n-- \nOwner\n\nExample Ltd");
  expect(html).toContain("<em>Owner</em>");
  expect(html).toContain(`<img src="https://example.com/logo.png" alt="${brand}"`);
  const { data } = (await tenant.live.get(`/api/conversations/${id}/messages?id=${messageId}`, 200)).body;
  expect(data[0]!.body).toBe("From a person");
  expect((await owner.get(`/api/conversations/${id}/mail-frame`, 200)).body).toMatchObject({
    signature: "*Owner*",
    footer: "Example Ltd",
    quoted: [],
  });

  await owner.put(url, { body: null }, 200);
  await owner.put("/api/me/signature", { body: null }, 200);
  await owner.patch(workspace, { mailFooter: null, mailLogoUrl: null }, 200);
});

test("the workspace's logo is below a mail by its whole address, unless mails have another one", async () => {
  const workspace = `/api/workspaces/${tenant.defaults.workspaceId}` as const;
  const image = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGM4IScHRAwQCgAfJgQRoo8irwAAAABJRU5ErkJggg==";
  const { logoUrl } = (await owner.put(`${workspace}/logo`, { image }, 200)).body;
  const { id } = await conversation();
  await reply(id, { body: "With it" });
  expect((await sent()).html).toContain(`<img src="${new URL(logoUrl!, app.config.publicUrl).href}"`);
  await owner.patch(workspace, { mailLogoUrl: "https://example.com/logo.png" }, 200);
  await reply(id, { body: "With another" });
  expect((await sent()).html).toContain('<img src="https://example.com/logo.png"');
  await owner.patch(workspace, { mailLogoUrl: null }, 200);
  await owner.delete(`${workspace}/logo`, 200);
  await reply(id, { body: "Without" });
  expect((await sent()).html).not.toContain("<img");
});

test("a reply quotes the contact's last message, all of the conversation, or nothing, as it says or as the mailbox has it", async () => {
  const { id } = await conversation();
  const write = (body: string) => tenant.live.post(`/api/conversations/${id}/messages`, { body }, 201);
  await write("Where is it?");
  await reply(id, { body: "We **look**.", bodyFormat: "markdown" });
  await sent();
  await tenant.live.post(`/api/conversations/${id}/notes`, { body: "A secret note" }, 201);
  await write("Any news?\nPlease");
  const heading = String.raw`On \d+ \w+ \d{4}, \d\d:\d\d, `;

  await reply(id, { body: "Nothing", quote: "none" });
  expect((await sent()).text!.trim()).toBe("Nothing");
  await reply(id, { body: "Yes", quote: "last" });
  const last = await sent();
  expect(last.text!.trim()).toMatch(new RegExp(`^Yes\n\n${heading}Ada Lovelace wrote:\n> Any news\\?\n> Please$`));
  expect(last.html).toMatch(/<blockquote type="cite"[^>]*>\s*<p[^>]*>Any news\?<br>/);

  await owner.patch(`/api/channels/${channelId}`, { settings: settings({ quote: "all" }) }, 200);
  await provision(app);
  expect((await owner.get(`/api/conversations/${id}/mail-frame`, 200)).body.quoted).toHaveLength(5);
  await reply(id, { body: "All" });
  const all = (await sent()).text!;
  expect(all).toMatch(
    new RegExp(`\n> ${heading}.+ wrote:\n> We look\\.\n>\n> ${heading}Ada Lovelace wrote:\n> Where is it\\?`),
  );
  expect(all).not.toContain("secret");
  await owner.patch(`/api/channels/${channelId}`, { settings: settings() }, 200);
  await provision(app);
});

test("what was written to somebody else is neither quoted to the contact nor read by the assistant", async () => {
  const ada = `${randomUUID()}@example.org`;
  const lawyer = "lawyer@example.org";
  const { id } = await start(tenant.live, tenant.defaults.workspaceId, {
    channelId,
    contact: { name: "Ada", emails: [ada] },
  });
  await tenant.live.post(`/api/conversations/${id}/messages`, { body: "From Ada" }, 201);
  await owner.patch(`/api/channels/${channelId}`, { settings: settings({ quote: "all" }) }, 200);
  await provision(app);
  await reply(id, { body: "In confidence", to: [lawyer] });
  // The mailbox's own way of quoting is for the contact.
  expect((await sent()).text!.trim()).toBe("In confidence");
  await reply(id, { body: "Asked for", to: [lawyer], quote: "last" });
  expect((await sent()).text).toContain("> From Ada");
  for (const [body, more] of Object.entries({
    "In copy": { to: [lawyer], cc: [ada] },
    "To both": { to: [ada, lawyer] },
  })) {
    await reply(id, { body, ...more });
    await sent();
  }
  const quoted = (await owner.get(`/api/conversations/${id}/mail-frame`, 200)).body.quoted.map(({ body }) => body);
  expect(quoted.slice(0, 3)).toEqual(["To both", "In copy", "From Ada"]);
  await reply(id, { body: "To Ada" }, tenant.live);
  const { text } = await sent();
  expect(text).toContain("> From Ada");
  expect(text).not.toMatch(/In confidence|Asked for/);
  const [{ tenantId } = { tenantId: "" }] = await app.db.query<{ tenantId: string }>(
    `select tenant_id as "tenantId" from conversation where id = $1`,
    [id],
  );
  const [context] = await app.transaction(tenantId, (tx) =>
    tx.query(GET_CONTEXT, { conversationId: id, ...ALL_OF_CONTEXT }),
  );
  expect(context!.messages.map(({ body }) => body).slice(-4)).toEqual(["From Ada", "In copy", "To both", "To Ada"]);
  await owner.patch(`/api/channels/${channelId}`, { settings: settings() }, 200);
  await provision(app);
});

test("the export of a contact does not say who was in bcc, except for their own address", async () => {
  const ada = `${randomUUID()}@example.org`;
  const { id, contactId } = await start(tenant.live, tenant.defaults.workspaceId, {
    channelId,
    contact: { name: "Ada", emails: [ada] },
  });
  await reply(id, { body: "Seen", cc: ["open@example.org"], bcc: ["hidden@example.org"] });
  await sent();
  await reply(id, { body: "To her", to: ["other@example.org"], bcc: [ada, "hidden@example.org"] });
  await sent();
  const answer = await fetch(`${app.baseUrl}/api/contacts/${contactId}/export`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  const document = (await unzip(Buffer.from(await answer.arrayBuffer())))["person.json"]!.toString();
  expect(document).not.toContain("hidden@example.org");
  const [conversation] = (JSON.parse(document) as Schemas["ContactExport"]).conversations;
  expect(conversation!.messages.slice(-2)).toMatchObject([
    { body: "Seen", cc: ["open@example.org"], bcc: [] },
    { body: "To her", bcc: [ada] },
  ]);
});

test("only mails that no person wrote say that a program did", async () => {
  const { id } = await conversation();
  await reply(id, { body: "For the assistant", keepAssistant: true }, tenant.live);
  expect((await sent()).headers.get("auto-submitted")).toBe("auto-replied");
  const code = { id: randomUUID(), body: "Your code is 1" };
  const [{ tenantId } = { tenantId: "" }] = await app.db.query<{ tenantId: string }>(
    `select tenant_id as "tenantId" from conversation where id = $1`,
    [id],
  );
  await app.transaction(tenantId, (tx) => app.app.get(MessagesService).announceWithin(tx, id, code));
  expect((await sent()).headers.get("auto-submitted")).toBe("auto-generated");
});

test("a picture in the text is in the mail at its place, and a file that does not fit is a link that opens it", async () => {
  const { id } = await conversation();
  const dot = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const picture = (await upload(owner, dot, "dot.png")).id;
  await reply(id, { body: `Look: ![a dot](cid:${picture})`, bodyFormat: "markdown", attachmentIds: [picture] });
  const { html, text, attachments } = await sent();
  expect(html).toContain(`<img src="cid:${picture}@parley" alt="a dot" width="1"`);
  expect(text!.trim()).toBe("Look: [a dot]");
  expect(attachments).toMatchObject([{ cid: `${picture}@parley`, contentDisposition: "inline", content: dot }]);

  await owner.patch(`/api/channels/${channelId}`, { settings: settings({ maxMessageMb: 1 }) }, 200);
  await provision(app);
  const large = Buffer.alloc(800_000, "large ");
  const file = (await upload(owner, large, "large.txt")).id;
  await reply(id, { body: "See the file", attachmentIds: [file] });
  const linked = await sent();
  expect(linked.attachments).toEqual([]);
  const url = /- large\.txt \((\S+)\)/.exec(linked.text!)![1]!;
  expect(linked.html).toContain(`<a href="${url}">large.txt</a>`);
  const response = await fetch(app.baseUrl + new URL(url).pathname);
  expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);
});

test("the test side shows both parts of what it would have sent", async () => {
  const testOwner = await tenant.owner("test");
  const { workspaceId } = tenant.testDefaults;
  const testChannel = await mailbox(testOwner, workspaceId, { quote: "last" });
  await provision(app);
  const { id } = await start(tenant.test, workspaceId, {
    channelId: testChannel,
    contact: { name: "Ada", emails: ["ada@example.org"] },
  });
  await tenant.test.post(`/api/conversations/${id}/messages`, { body: "Where is it?" }, 201);
  await reply(id, { body: "**Here**", bodyFormat: "markdown" }, tenant.test);
  const { data } = (await testOwner.get("/api/captured-messages", 200)).body;
  expect(data[0]).toMatchObject({
    to: "ada@example.org",
    body: expect.stringMatching(/^Here\n\nOn .*, Ada wrote:\n> Where is it\?$/),
    html: expect.stringContaining("<strong>Here</strong>"),
  });
});

test("what the assistant answers leaves as formatted text, as its entry is written", async () => {
  await teach(tenant.live, tenant.defaults.workspaceId, [
    { question: "Do you deliver to islands?", answer: "We **do**:\n\n- [by ship](https://example.com/ship)" },
  ]);
  await start(tenant.live, tenant.defaults.workspaceId, {
    channelId,
    contact: { name: "Ada", emails: [`${randomUUID()}@example.org`] },
    message: { body: "Do you deliver to islands?" },
  });
  await assist(app);
  const { text, html } = await sent();
  expect(text).toMatch(/^We do:\n\n- by ship \(https:\/\/example.com\/ship\)\n\n— Automated assistant/);
  expect(html).toMatch(/We <strong>do<\/strong>:.*<li[^>]*>.*<a href="https:\/\/example.com\/ship"[^>]*>by ship<\/a>/s);
});

test("whoever is removed leaves no signature behind", async () => {
  const email = `${randomUUID()}@example.com`;
  const { id } = (await owner.post("/api/members", { email, name: "Bob", role: "agent", password: PASSWORD }, 201))
    .body;
  const bob = await app.client().login(email, PASSWORD);
  await bob.put("/api/me/signature", { body: "Bob" }, 200);
  const kept = () => app.db.query("select 1 from member_preferences where signature = 'Bob'");
  expect(await kept()).toHaveLength(1);
  await owner.delete(`/api/members/${id}`, 200);
  expect(await kept()).toEqual([]);
});
