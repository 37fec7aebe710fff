import { randomUUID } from "node:crypto";
import ICAL from "ical.js";
import { simpleParser } from "mailparser";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upload } from "../attachments/support.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { deliver, provision } from "../channels/support.js";
import { newWorkspace, start } from "../e2e/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

let mail: MailServer;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let channelId: string;
function mailbox(name: string) {
  const { hostname: host, port } = new URL(mail.url);
  return {
    type: "email",
    name: "Support",
    address: `${name}@example.com`,
    settings: { smtp: { host, port: Number(port), security: "none" }, fromName: "Harbour Books" },
    credentials: { username: name, password: "secret" },
  };
}
beforeAll(async () => {
  mail = await startMailServer();
  app = await startApp({ OUTBOUND_ALLOW: [new URL(mail.url).host] });
  tenant = await app.tenant();
  owner = await tenant.owner();
  const url = `/api/workspaces/${tenant.defaults.workspaceId}/channels` as const;
  channelId = (await owner.post(url, mailbox("support"), 201)).body.id;
  await provision(app);
});
afterAll(async () => {
  await app.close();
  await mail.close();
});

const invitation = ({ method = "REQUEST", organizer = "ada@example.org" } = {}): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `METHOD:${method}`,
    "BEGIN:VEVENT",
    "UID:lunch@example.org",
    "DTSTAMP:20260301T080000Z",
    "DTSTART;TZID=Europe/Vienna:20260310T120000",
    "DTEND;TZID=Europe/Vienna:20260310T130000",
    "SUMMARY:Lunch",
    `ORGANIZER;CN=Ada:mailto:${organizer}`,
    "ATTENDEE;RSVP=TRUE:mailto:support@example.com",
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ].join("\r\n");

/** A message that came in with this file. */
async function arrived(
  ics: string,
  { workspaceId = tenant.defaults.workspaceId, ...more }: { workspaceId?: string; channelId?: string } = { channelId },
  name = "invite.ics",
  type = "text/calendar",
) {
  const { id: conversationId } = await start(tenant.live, workspaceId, {
    contact: { name: "Ada Lovelace", emails: [`${randomUUID()}@example.org`] },
    ...more,
  });
  const { id: fileId } = await upload(tenant.live, ics, name, type);
  const { body } = await tenant.live.post(
    `/api/conversations/${conversationId}/messages`,
    { body: "You are invited.", attachmentIds: [fileId] },
    201,
  );
  return { id: body.id, conversationId };
}
const answer = (id: string, given: string, status: 200 | 409 = 200, client = owner) =>
  client.post(`/api/messages/${id}/invitation`, { answer: given }, status as 200);
const read = async (id: string) => (await owner.get(`/api/messages/${id}/invitation`, 200)).body;
const notes = async (conversationId: string) =>
  (await owner.get(`/api/conversations/${conversationId}/messages`, 200)).body.data.filter(
    ({ direction }) => direction === "internal",
  );

test("an invitation is shown, and its answer reaches the organizer's calendar once", async () => {
  const { id, conversationId } = await arrived(invitation());
  expect(await read(id)).toMatchObject({
    method: "request",
    title: "Lunch",
    startsAt: "2026-03-10T11:00:00.000Z",
    timeZone: "Europe/Vienna",
    organizer: { name: "Ada", address: "ada@example.org" },
    answer: null,
    answerable: true,
  });
  const before = mail.sources.length;
  const { messageId } = (await answer(id, "accepted")).body;
  expect((await answer(id, "accepted")).body.messageId).toBe(messageId);
  await deliver(app);
  expect(mail.sources).toHaveLength(before + 1);
  expect(mail.delivered.at(-1)).toMatchObject({ from: "support@example.com", to: ["ada@example.org"] });
  // A stranger's file named the organizer. They get nothing that would open the conversation to them.
  expect(Object.keys(mail.delivered.at(-1)!.headers)).toContain("subject");
  for (const name of ["thread-index", "references", "in-reply-to"])
    expect(mail.delivered.at(-1)!.headers).not.toHaveProperty(name);
  const source = mail.sources.at(-1)!;
  expect(source).toMatch(/Content-Type: text\/calendar;[^]{0,60}method=REPLY/i);
  const { subject, text, attachments } = await simpleParser(source);
  expect([subject, text!.trim()]).toEqual(["Accepted: Lunch", "Accepted: Lunch"]);
  expect(attachments).toHaveLength(1);
  const event = new ICAL.Component(ICAL.parse(attachments[0]!.content.toString()) as unknown[]).getFirstSubcomponent(
    "vevent",
  )!;
  expect(event.getFirstPropertyValue("uid")).toBe("lunch@example.org");
  const guest = event.getFirstProperty("attendee")!;
  expect([guest.getFirstValue(), guest.getParameter("partstat"), guest.getParameter("cn")]).toEqual([
    "mailto:support@example.com",
    "ACCEPTED",
    "Harbour Books",
  ]);
  expect(await notes(conversationId)).toMatchObject([
    { id: messageId, body: "Accepted: Lunch", authorType: "member", to: ["ada@example.org"] },
  ]);
  expect(await read(id)).toMatchObject({ answer: "accepted" });
  // Plans change.
  await answer(id, "declined");
  await answer(id, "accepted");
  await deliver(app);
  expect(mail.delivered.slice(before + 1).map(({ headers }) => headers.subject)).toEqual([
    "Declined: Lunch",
    "Accepted: Lunch",
  ]);
});

test("of two who answer at the same time, one does", async () => {
  const { id, conversationId } = await arrived(invitation());
  const answers = await Promise.all(
    ["accepted", "declined", "accepted", "tentative"].map((given) =>
      owner.post(`/api/messages/${id}/invitation`, { answer: given }),
    ),
  );
  for (const { status } of answers) expect([200, 409]).toContain(status);
  // Whoever began after another had answered has changed that answer.
  const written = await notes(conversationId);
  const told = new Set(
    answers.flatMap(({ status, body }) => (status === 200 ? [(body as { messageId: string }).messageId] : [])),
  );
  expect(written.map(({ id: note }) => note).toSorted()).toEqual([...told].toSorted());
  const before = mail.sources.length;
  await deliver(app);
  expect(mail.sources).toHaveLength(before + written.length);
  for (const [index, { body }] of written.entries()) expect(body).not.toBe(written[index - 1]?.body);
});

test("only an invitation of somebody else that came into a mailbox can be answered", async () => {
  for (const { id } of [
    await arrived(invitation({ method: "CANCEL" })),
    await arrived(invitation({ organizer: "support@example.com" })),
    await arrived(invitation(), {}),
  ]) {
    expect(await read(id)).toMatchObject({ answerable: false });
    await answer(id, "accepted", 409);
  }
});

test("an archived workspace sends neither an answer nor a forwarded message, and says so again what it sent before", async () => {
  const { id: workspaceId } = await newWorkspace(owner, tenant.defaults.brandId);
  const { id: box } = (await owner.post(`/api/workspaces/${workspaceId}/channels`, mailbox("archive"), 201)).body;
  await provision(app);
  const { id } = await arrived(invitation(), { channelId: box, workspaceId });
  const { messageId } = (await answer(id, "accepted")).body;
  await deliver(app);
  const before = mail.sources.length;
  await owner.patch(`/api/workspaces/${workspaceId}`, { status: "archived" }, 200);
  expect((await answer(id, "accepted")).body.messageId).toBe(messageId);
  await answer(id, "declined", 409);
  await owner.post(`/api/messages/${id}/forward`, { to: ["third@example.org"], attachments: false }, 409);
  await deliver(app);
  expect(mail.sources).toHaveLength(before);
  expect(await read(id)).toMatchObject({ answer: "accepted" });
});

test("what is no calendar file, or one that cannot be read, is said so", async () => {
  const { id: other } = await arrived("Hello", { channelId }, "note.txt", "text/plain");
  await owner.get(`/api/messages/${other}/invitation`, 404);
  const { id: broken } = await arrived("BEGIN:VCALENDAR\r\nnonsense");
  expect((await owner.get<{ error: string }>(`/api/messages/${broken}/invitation`, 409)).body.error).toMatch(
    /cannot be read/,
  );
  const { id: large } = await arrived(invitation().padEnd(300_000, "\r\n"));
  expect((await owner.get<{ error: string }>(`/api/messages/${large}/invitation`, 409)).body.error).toMatch(/256 kB/);
  // Some programs send it as any file.
  const { id: named } = await arrived(invitation(), { channelId }, "Invite.ICS", "application/octet-stream");
  expect(await read(named)).toMatchObject({ title: "Lunch" });
});

test("whoever does not see the conversation sees no invitation", async () => {
  const { id } = await arrived(invitation());
  const { id: workspaceId } = await newWorkspace(owner, tenant.defaults.brandId);
  const restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId } });
  await restricted.get(`/api/messages/${id}/invitation`, 404);
});
