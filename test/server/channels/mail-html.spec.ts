import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { mailOf, takeMail } from "../../support/formatted-mail.js";
import { png } from "../attachments/support.js";
import { newWorkspace } from "../e2e/support.js";

// A mail is shown as its sender formatted it, and does nothing to whoever reads it.

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
let app: TestApp;
let tenant: TestTenant;
let channelId: string;
let server: http.Server;
let pictures: string;
const asked: string[] = [];

beforeAll(async () => {
  server = http.createServer(({ url = "" }, answer) => {
    asked.push(url);
    if (url.endsWith("large.png")) answer.end(png(30_000, 30_000));
    else answer.end(url.endsWith(".png") ? PNG : "<svg onload=alert(1)>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  pictures = `http://${host}`;
  app = await startApp({ OUTBOUND_ALLOW: [host] });
  tenant = await app.tenant();
  channelId = (await tenant.live.get(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, 200)).body[0]!.id;
});
afterAll(async () => {
  await app.close();
  server.close();
});

const take = async (html: string, source = mailOf(html)): Promise<string> =>
  (await takeMail(app, { tenantId: tenant.tenantId, id: channelId, workspaceId: tenant.defaults.workspaceId }, source))
    .messageId;

test("shows the formatting and the mail's own pictures, and nothing that runs", async () => {
  const id = await take(`<p style="color: red">Hi</p><img src="cid:logo" alt="Logo"><script>alert(1)</script>`);
  const { body } = await tenant.live.get(`/api/messages/${id}/html`, 200);
  expect(body).toEqual({
    html: `<div><p style="color: red">Hi</p><img alt="Logo" src="data:image/png;base64,${PNG.toString("base64")}"></div>`,
    picturesLeftOut: 0,
    isCut: false,
  });
});

test("loads pictures of other servers when somebody asks for them, and keeps those that are pictures", async () => {
  const id = await take(
    `<img src="${pictures}/chair.png"><img src="${pictures}/drawing.svg" alt="Drawing"><img src="${pictures}/t.png" width="1">`,
  );
  expect((await tenant.live.get(`/api/messages/${id}/html`, 200)).body.picturesLeftOut).toBe(2);
  expect(asked).toEqual([]);
  const { html, picturesLeftOut } = (await tenant.live.get(`/api/messages/${id}/html?pictures=true`, 200)).body;
  expect(asked.toSorted()).toEqual(["/chair.png", "/drawing.svg"]);
  expect(picturesLeftOut).toBe(1);
  expect(html).toContain(PNG.toString("base64"));
  expect(html).not.toMatch(/alert|127\.0\.0\.1/);
});

test("leaves out a picture of the mail, and of another server, that is too large for a browser", async () => {
  const large = png(30_000, 30_000).toString("base64");
  const cid = mailOf(`<img src="cid:logo" alt="Logo">`).replace(/^[A-Za-z0-9+/=\r\n]{60,}$/m, large);
  expect(cid).toContain(large);
  const { body } = await tenant.live.get(`/api/messages/${await take("", cid)}/html`, 200);
  expect(body.html).toBe(`<div><img alt="Logo"></div>`);
  const id = await take(`<img src="${pictures}/large.png" alt="Chair">`);
  const { html, picturesLeftOut } = (await tenant.live.get(`/api/messages/${id}/html?pictures=true`, 200)).body;
  expect(html).toContain(`<img alt="Chair">`);
  expect(html).not.toContain("base64");
  expect(picturesLeftOut).toBe(1);
});

test("a message says whether it has formatting, and gives the mail as it came", async () => {
  const id = await take("<b>Hi</b>");
  const { conversationId } = (
    await app.db.query<{ conversationId: string }>(
      `select conversation_id as "conversationId" from message where id = $1`,
      [id],
    )
  )[0]!;
  const [message] = (await tenant.live.get(`/api/conversations/${conversationId}/messages`, 200)).body.data;
  expect(message).toMatchObject({ id, htmlAvailable: true, attachments: [{ fileName: "original.eml" }] });
  const { url } = (await tenant.live.get(`/api/messages/${id}/original`, 200)).body;
  expect(await (await fetch(`${app.baseUrl}${new URL(url).pathname}`)).text()).toBe(mailOf("<b>Hi</b>"));
  const { id: note } = (await tenant.live.post(`/api/conversations/${conversationId}/notes`, { body: "Hi" }, 201)).body;
  await tenant.live.get(`/api/messages/${note}/html`, 404);
  await tenant.live.get(`/api/messages/${note}/original`, 404);
});

test("a mail that is too deep to be read is refused with a sentence, and holds up nobody", async () => {
  const id = await take("<div>".repeat(60_000));
  const { body } = await tenant.live.get(`/api/messages/${id}/html`, 409);
  expect(body.error).toMatch(/cannot be read/);
});

test("a tenant that reads many mails at once does not hold up another one", async () => {
  const other = await app.tenant();
  const { workspaceId } = other.defaults;
  const { id } = (await other.live.get(`/api/workspaces/${workspaceId}/channels`, 200)).body[0]!;
  const { messageId: theirs } = await takeMail(app, { tenantId: other.tenantId, id, workspaceId }, mailOf("<b>Hi</b>"));
  const slow = await take("<p>Much to clean</p>".repeat(6_000));
  const read: string[] = [];
  const readsOne = (client: typeof tenant.live, mail: string) =>
    client.get(`/api/messages/${mail}/html`, 200).then(() => read.push(mail));
  // Starting the second worker takes longer than any mail.
  await Promise.all([readsOne(tenant.live, slow), readsOne(other.live, theirs)]);
  read.length = 0;
  const many = Array.from({ length: 30 }, () => readsOne(tenant.live, slow));
  // Until then, all of them wait.
  await Promise.race(many);
  await readsOne(other.live, theirs);
  await Promise.all(many);
  // Some are read until theirs is asked for. In the order of asking, it would be the last.
  expect(read.indexOf(theirs)).toBeLessThan(25);
});

test("a caller of another workspace sees neither", async () => {
  const owner = await tenant.owner();
  const other = (await newWorkspace(owner, tenant.defaults.brandId)).id;
  const restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: other } });
  const id = await take("<b>Hi</b>");
  await restricted.get(`/api/messages/${id}/html`, 404);
  await restricted.get(`/api/messages/${id}/original`, 404);
  await tenant.test.get(`/api/messages/${id}/html`, 404);
});
