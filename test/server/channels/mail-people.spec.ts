import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MessagesService } from "../../../src/conversations/messages.service.js";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { MailParser } from "../../../src/channels/email/mail-parser.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { type NameServer, startNameServer } from "../security/name-server.js";
import { newWorkspace } from "../e2e/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { upload } from "../attachments/support.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "./dovecot.js";
import { deliver, provision } from "./support.js";
import { unzip } from "../../support/unzip.js";
import { eventually } from "../../support/eventually.js";

const BOX = "support@example.com";
const ADA = "ada@customer.example";
/** What the receiving server records of a mail that its domain vouches for. */
const PROVEN = { "Authentication-Results": "mx.example.com; dmarc=pass" };

let names: NameServer;
let smtp: MailServer;
let imap: Dovecot;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ticking: NodeJS.Timeout;

interface Arrived {
  conversationId: string;
  id: string;
  direction: string;
  body: string;
}
/** Delivers a mail and waits for what becomes of it. */
async function arrives(headers: Record<string, string>, body = "Hello", box = "support"): Promise<Arrived> {
  const all: Record<string, string> = {
    From: `Ada Lovelace <${ADA}>`,
    To: BOX,
    Subject: "My order",
    "Message-ID": `<${randomUUID()}@customer.example>`,
    Date: new Date().toUTCString(),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  imap.deliver(`${lines.join("")}\r\n${body}\r\n`, box);
  return eventually(async () => {
    const [found] = await app.db.query<Arrived>(
      `select conversation_id as "conversationId", id, direction, body from message where external_id = $1`,
      [all["Message-ID"]],
    );
    expect(found, all.Subject).toBeTruthy();
    return found!;
  });
}
const messagesOf = async (id: string) =>
  (await tenant.live.get(`/api/conversations/${id}/messages?limit=100`, 200)).body.data;
const peopleOf = async (id: string) => (await tenant.live.get(`/api/conversations/${id}/participants`, 200)).body;
const addressesOf = async (id: string): Promise<string[]> => (await peopleOf(id)).map(({ address }) => address).sort();

/** Replies, and returns the mail that left and its Message-ID. */
async function reply(id: string, body: object = {}) {
  const { messageId } = (await tenant.live.post(`/api/conversations/${id}/reply`, { body: "It left.", ...body }, 200))
    .body;
  await deliver(app);
  const mail = smtp.delivered.find(({ headers }) => headers["message-id"] === `<${messageId}@parley.example.com>`)!;
  return {
    messageId,
    mail,
    answers: { "In-Reply-To": `<${messageId}@parley.example.com>`, References: `<${messageId}@parley.example.com>` },
  };
}
/** The signed address that a mail asks answers to. */
const signedIn = ({ headers }: { headers: Record<string, string> }): string =>
  headers["reply-to"]!.replace(/[<>]/g, "");

/** A conversation of Ada with Grace in copy, which her domain vouches for. */
async function withGrace(more: Record<string, string> = {}) {
  const grace = `grace-${randomUUID()}@partner.example`;
  const { conversationId } = await arrives({
    ...PROVEN,
    Subject: randomUUID(),
    Cc: `Grace Hopper <${grace}>`,
    ...more,
  });
  return { id: conversationId, grace };
}

async function mailbox(workspaceId: string, box: string): Promise<string> {
  const { hostname: host, port } = new URL(smtp.url);
  const { body } = await owner.post(
    `/api/workspaces/${workspaceId}/channels`,
    {
      type: "email",
      name: "Support",
      address: `${box}@example.com`,
      credentials: { username: box, password: PASSWORD },
      settings: {
        smtp: { host, port: Number(port), security: "none" },
        imap: { host: "127.0.0.1", port: imap.port, security: "none", authenticatedBy: "mx.example.com" },
        plusAddressing: true,
      },
    },
    201,
  );
  await provision(app);
  await eventually(async () =>
    expect(await app.db.query("select 1 from mailbox where channel_id = $1", [body.id])).toHaveLength(1),
  );
  return body.id;
}

describe.skipIf(!DOVECOT)(`several people in one mail conversation${WITHOUT_DOVECOT}`, () => {
  beforeAll(async () => {
    names = await startNameServer(() => ({ texts: [], fails: false }));
    smtp = await startMailServer();
    imap = await startDovecot();
    app = await startApp({
      OUTBOUND_ALLOW: [new URL(smtp.url).host, `127.0.0.1:${imap.port}`],
      DNS_SERVERS: [`127.0.0.1:${names.port}`],
      LOG_LEVEL: "error",
    });
    app.app.get(Mailboxes).everyMs.poll = 300;
    tenant = await app.tenant();
    owner = await tenant.owner();
    ticking = setInterval(() => void app.app.get(Mailboxes).tick(), 300);
    await mailbox(tenant.defaults.workspaceId, "support");
  });
  afterAll(async () => {
    clearInterval(ticking);
    await app?.close();
    names?.close();
    await Promise.all([smtp?.close(), imap?.close()]);
  });
  beforeEach(() => {
    smtp.delivered.length = 0;
    smtp.unknown.clear();
  });

  test("who is in To and Cc of a proven mail takes part, and a reply goes to all of them in one transaction", async () => {
    const { conversationId: id } = await arrives({
      ...PROVEN,
      Subject: "Both of us",
      To: `Support <${BOX}>, Charles <charles@partner.example>`,
      Cc: `"Grace Hopper" <Grace@partner.example>, ${ADA}, support+x@example.com`,
    });
    expect(await peopleOf(id)).toMatchObject([
      { address: "charles@partner.example", name: "Charles", role: "to", addedBy: null, contactId: null },
      { address: "grace@partner.example", name: "Grace Hopper", role: "cc" },
    ]);
    expect((await messagesOf(id))[0]).toMatchObject({
      to: ["charles@partner.example"],
      cc: ["grace@partner.example"],
      authoredBy: { address: ADA },
      senderProof: "channel",
    });
    const { mail } = await reply(id);
    expect(mail.to.sort()).toEqual([ADA, "charles@partner.example", "grace@partner.example"]);
    expect(mail.headers).toMatchObject({ to: ADA, cc: "charles@partner.example, grace@partner.example" });
    expect(smtp.delivered).toHaveLength(1);
  });

  test("a reply goes to whom it names, with a subject of its own, and only our side sees who is in bcc", async () => {
    const { id, grace } = await withGrace();
    const hidden = `hidden-${randomUUID()}@partner.example`;
    const { mail, messageId } = await reply(id, {
      cc: ["NEW@partner.example", "new@partner.example", ADA],
      bcc: [hidden],
      subject: "Something else",
    });
    expect(mail.to.sort()).toEqual([ADA, hidden, "new@partner.example"].sort());
    expect(mail.headers).toMatchObject({ subject: "Something else", cc: `new@partner.example` });
    expect(mail.headers.references).toBeTruthy();
    expect(JSON.stringify(mail.headers)).not.toContain(hidden);
    const shown = (await messagesOf(id)).find((message) => message.id === messageId);
    expect(shown).toMatchObject({ to: [], cc: ["new@partner.example", ADA], bcc: [hidden] });
    expect(await addressesOf(id)).toEqual([ADA, grace, "new@partner.example"].sort());
    // To the contact alone.
    expect((await reply(id, { cc: [] })).mail.to).toEqual([ADA]);
  });

  test("recipients are for mail, are addresses, are no mailbox of ours, and are 50 at most", async () => {
    const { id } = await withGrace();
    const refused = async (body: object, at = id) =>
      (await tenant.live.post(`/api/conversations/${at}/reply`, { body: "Hello", ...body }, 400)).body.error;
    expect(await refused({ cc: ["nobody"] })).toBe("each value in cc must be an email address");
    expect(await refused({ cc: ['"a, b"@partner.example'] })).toContain("email address");
    expect(await refused({ cc: ["Support+x@Example.com"] })).toContain("is one of your own mailboxes");
    expect(await refused({ subject: "a\r\nBcc: eve@evil.example" })).toBe("subject must be one line");
    const many = Array.from({ length: 30 }, (_, at) => `p${at}@partner.example`);
    expect(await refused({ cc: many, bcc: many.map((address) => `x${address}`) })).toContain("at most 50");
    const { body: chat } = await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Ada" }, message: { body: "Hello" } },
      201,
    );
    expect(await refused({ cc: ["a@partner.example"] }, chat.id)).toContain("for conversations by mail");
    await tenant.live.post(`/api/conversations/${chat.id}/participants`, { address: "a@partner.example" }, 400);
  });

  test("a recipient whom the server refuses is told in a note, and the others get the mail", async () => {
    const { id, grace } = await withGrace();
    smtp.unknown.add(grace);
    const { mail } = await reply(id);
    expect(mail.to).toEqual([ADA]);
    expect((await messagesOf(id)).find(({ direction }) => direction === "internal")!.body).toBe(
      `The mail to ${grace} was refused: 550 No such person`,
    );
  });

  test("who was sent our mail answers in the conversation, which stays the contact's and proves nothing", async () => {
    await tenant.live.patch(`/api/workspaces/${tenant.defaults.workspaceId}`, { assistantEnabled: true }, 200);
    const { id, grace } = await withGrace();
    const { conversationId: released } = await arrives({ ...PROVEN, Subject: randomUUID(), Cc: grace });
    for (const one of [id, released]) await tenant.live.post(`/api/conversations/${one}/release`, {}, 200);
    const { mail, answers } = await reply(id, { keepAssistant: true });
    const before = (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
    const one = await arrives({ From: `Grace <${grace}>`, To: signedIn(mail), ...answers }, "I agree");
    expect(one.conversationId).toBe(id);
    const message = (await messagesOf(id)).at(-1)!;
    expect(message).toMatchObject({ body: "I agree", direction: "inbound", senderProof: "none" });
    expect(message.authoredBy!.address).toBe(grace);
    expect(message.authoredBy!.contactId).not.toBe(before.contactId);
    expect((await peopleOf(id))[0]!.contactId).toBe(message.authoredBy!.contactId);
    const after = (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
    expect(after).toMatchObject({
      contactId: before.contactId,
      status: "open",
      senderProof: "none",
      handlingMode: "human",
    });
    expect(after.waitingSince).not.toBeNull();
    expect(after.openAttentionCount).toBe(1);
    expect(await app.db.query("select 1 from assistant_run where message_id = $1", [message.id])).toEqual([]);
    // The same by the proof of their domain alone, as with a mailbox that has no signed addresses.
    const two = await arrives({ From: grace, ...PROVEN, ...answers }, "Still me");
    expect(two.conversationId).toBe(id);
    expect((await messagesOf(id)).at(-1)!.authoredBy).toEqual(message.authoredBy);
    // Who was named only in bcc is answered to, and gets nothing by it.
    const hidden = `hidden-${randomUUID()}@partner.example`;
    const secret = await reply(id, { bcc: [hidden] });
    expect((await arrives({ From: hidden, ...PROVEN, ...secret.answers })).conversationId).toBe(id);
    expect(await addressesOf(id)).toEqual([grace]);
  });

  test("a claim alone joins nothing: not a forged sender, a stolen id, or a signature for another message", async () => {
    const { id, grace } = await withGrace();
    const { id: other } = await withGrace({ Cc: grace });
    const [{ mail, answers }, elsewhere] = [await reply(id), await reply(other)];
    const strangers: Record<string, string>[] = [
      // The id of our mail, and the address of somebody in copy.
      { From: grace, ...answers },
      // A stranger with a proven domain of their own.
      { From: "eve@evil.example", ...PROVEN, ...answers },
      // A stranger to whom the mail was passed on.
      { From: "eve@evil.example", To: signedIn(mail), ...answers },
      { From: grace, To: signedIn(elsewhere.mail), ...answers },
      { From: grace, To: signedIn(mail).replace(/.@/, (end) => (end === "a@" ? "b@" : "a@")), ...answers },
      // The signed address without the id: which message it is for is not known.
      { From: grace, To: signedIn(mail) },
    ];
    for (const headers of strangers) {
      const arrived = await arrives({ Subject: randomUUID(), ...headers });
      expect([id, other], JSON.stringify(headers)).not.toContain(arrived.conversationId);
    }
    expect(await messagesOf(id)).toHaveLength(2);
    // A mail that its domain asks to refuse joins nothing, whatever it knows.
    const forged = { "Authentication-Results": "mx.example.com; dmarc=fail" };
    expect((await arrives({ From: grace, To: signedIn(mail), ...forged, ...answers })).conversationId).not.toBe(id);
    // The signature, and no more, is what was missing.
    expect((await arrives({ From: grace, To: signedIn(mail), ...answers })).conversationId).toBe(id);
  });

  test("a mail that nothing proves puts nobody in copy, and who was removed comes back only by our hand", async () => {
    const { conversationId: id } = await arrives({ Subject: randomUUID(), Cc: "eve@evil.example" });
    expect(await peopleOf(id)).toEqual([]);
    expect((await messagesOf(id))[0]).toMatchObject({ cc: ["eve@evil.example"], senderProof: "none" });
    expect((await reply(id)).mail.to).toEqual([ADA]);
    const { id: second, grace } = await withGrace();
    const { answers } = await reply(second);
    const participantId = (await peopleOf(second))[0]!.id;
    await tenant.live.delete(`/api/conversations/${second}/participants?participantId=${participantId}`, 200);
    // Of another conversation, as well as twice.
    await tenant.live.delete(`/api/conversations/${id}/participants?participantId=${participantId}`, 404);
    await tenant.live.delete(`/api/conversations/${second}/participants?participantId=${participantId}`, 404);
    await arrives({ ...PROVEN, ...answers, Cc: grace });
    expect(await peopleOf(second)).toEqual([]);
    await tenant.live.post(`/api/conversations/${second}/participants`, { address: grace }, 201);
    await tenant.live.post(`/api/conversations/${second}/participants`, { address: grace.toUpperCase() }, 200);
    expect(await addressesOf(second)).toEqual([grace]);
    await tenant.live.delete(`/api/conversations/${second}/participants`, 200);
    expect(await peopleOf(second)).toEqual([]);
  });

  test("a reply that is cancelled gives its recipients back, and whom it named for the first time leaves again", async () => {
    const { id, grace } = await withGrace();
    const { messageId } = (
      await owner.post(
        `/api/conversations/${id}/reply`,
        { body: "Oh", cc: ["wrong@partner.example"], bcc: ["b@partner.example"], subject: "Oh", holdSeconds: 60 },
        200,
      )
    ).body;
    expect((await owner.post(`/api/messages/${messageId}/cancel`, {}, 200)).body).toMatchObject({
      to: [],
      cc: ["wrong@partner.example"],
      bcc: ["b@partner.example"],
      subject: "Oh",
    });
    expect(await addressesOf(id)).toEqual([grace]);
  });

  test("a participant who is known in another workspace is a contact of its own here", async () => {
    const workspaceId = (await newWorkspace(owner, tenant.defaults.brandId)).id;
    const { id, grace } = await withGrace();
    const { body: hidden } = await owner.post("/api/contacts", { name: "Grace", emails: [grace] }, 201);
    await owner.post("/api/conversations", { workspaceId, contactId: hidden.id, message: { body: "Hello" } }, 201);
    const { answers } = await reply(id);
    await arrives({ From: grace, ...PROVEN, ...answers });
    const contactId = (await peopleOf(id))[0]!.contactId!;
    expect(contactId).not.toBe(hidden.id);
    const elsewhere = keyFor(owner, { dataScope: { level: "workspace", workspaceId } });
    await (await elsewhere).get(`/api/conversations/${id}/participants`, 404);
    await (await elsewhere).post(`/api/conversations/${id}/participants`, { address: "a@partner.example" }, 404);
    // What one workspace erases does not reach into another one by an address.
    expect(await addressesOf(id)).toEqual([grace]);
  });

  test("a mail that names 100,000 people keeps 50, says how many more there are, and is read like any other", async () => {
    // It takes seconds, and a busy machine more than the ten after which a mail is given up.
    const { pool } = app.app.get<unknown, { pool: { limits: { deadlineMs: number } } }>(MailParser);
    Object.assign(pool.limits, { deadlineMs: 150_000 });
    const crowd = (count: number): string =>
      Array.from({ length: count }, (_, at) => `p${at}@crowd.example`).join(",\r\n ");
    const some = await arrives({ ...PROVEN, Subject: "A crowd", Cc: crowd(5_000) });
    expect(some.body).toContain("The mail names 4950 more people: 50 are kept");
    expect(await peopleOf(some.conversationId)).toHaveLength(50);
    // So long a header proves nothing, so they are kept with the message, and nobody takes part.
    const all = await arrives({ ...PROVEN, Subject: "A larger crowd", Cc: crowd(100_000) });
    expect(all.body).toContain("The mail names 99950 more people: 50 are kept");
    expect((await messagesOf(all.conversationId))[0]!.cc).toHaveLength(50);
    expect(await peopleOf(all.conversationId)).toEqual([]);
  });

  test("a forwarded message comes back as a note, or into the conversation, by its signed address only", async () => {
    const { id } = await withGrace();
    const file = await upload(tenant.live, Buffer.from("A label"), "label.txt", "text/plain");
    const { messageId: sent } = await reply(id, { attachmentIds: [file.id], cc: [] });
    const forward = async (messageId: string, body: object) => {
      const { messageId: note } = (await owner.post(`/api/messages/${messageId}/forward`, body, 200)).body;
      await deliver(app);
      const mail = smtp.delivered.find(({ headers }) => headers["message-id"] === `<${note}@parley.example.com>`)!;
      const source = smtp.sources.find((one) => one.includes(`Message-ID: <${note}@parley.example.com>`))!;
      return { note, mail, source, answers: { "In-Reply-To": `<${note}@parley.example.com>` } };
    };
    const expert = `expert-${randomUUID()}@third.example`;
    const first = await forward(sent, { to: [expert], body: "Can you look?", attachments: true });
    expect(first.mail.to).toEqual([expert]);
    expect(first.mail.body).toContain("Can you look?");
    expect(first.mail.body).toContain("It left.");
    expect(first.source).toContain("label.txt");
    expect(first.mail.headers).not.toHaveProperty("references");
    expect((await forward(sent, { to: [expert], attachments: false })).source).not.toContain("label.txt");
    expect(await addressesOf(id)).not.toContain(expert);
    expect((await messagesOf(id)).find((message) => message.id === first.note)).toMatchObject({
      direction: "internal",
      body: "Can you look?",
      to: [expert],
    });
    // Only the signed address is believed.
    const claimed = await arrives({ From: expert, ...PROVEN, Subject: randomUUID(), ...first.answers });
    expect(claimed.conversationId).not.toBe(id);
    const note = await arrives(
      { From: "colleague@third.example", To: signedIn(first.mail), ...first.answers },
      "It is fine",
    );
    expect(note).toMatchObject({ conversationId: id, direction: "internal" });
    expect(note.body).toContain("Answer to a forwarded message from colleague@third.example");
    const ownerId = (await owner.get("/api/me", 200)).body.id;
    expect((await messagesOf(id)).at(-1)!.mentions).toEqual([ownerId]);
    const second = await forward(sent, { to: [expert], attachments: false, answers: "conversation" });
    const inside = await arrives({ From: expert, To: signedIn(second.mail), ...second.answers }, "Into it");
    expect(inside).toMatchObject({ conversationId: id, direction: "inbound" });
    // Neither the next reply nor what the contact gets has the third person in it.
    const { mail } = await reply(id, { quote: "all" });
    expect(mail.to).not.toContain(expert);
    expect(mail.body).toContain("> It left.");
    expect(mail.body).not.toContain("Into it");
    await owner.post(`/api/messages/${first.note}/forward`, { to: [expert], attachments: false }, 400);
  });

  test("a forwarded mail takes its files along, and not the mail as it came, which holds what its text leaves out", async () => {
    const { id } = await arrives(
      { Subject: randomUUID(), "MIME-Version": "1.0", "Content-Type": 'multipart/mixed; boundary="b"' },
      [
        "--b",
        "Content-Type: text/html",
        "",
        "<p>See the label</p>",
        "--b",
        'Content-Type: text/plain; name="label.txt"',
        'Content-Disposition: attachment; filename="label.txt"',
        "",
        "A label",
        "--b--",
      ].join("\r\n"),
    );
    const files = await app.db.query<{ name: string }>(
      "select file_name as name from attachment where message_id = $1 order by position",
      [id],
    );
    expect(files.map(({ name }) => name)).toEqual(["label.txt", "original.eml"]);
    const body = { to: ["expert@third.example"], attachments: true };
    const { messageId } = (await owner.post(`/api/messages/${id}/forward`, body, 200)).body;
    await deliver(app);
    const source = smtp.sources.find((one) => one.includes(`Message-ID: <${messageId}@parley.example.com>`))!;
    expect(source).toContain("label.txt");
    expect(source).not.toContain("original.eml");
  });

  test("who does not take part brings nobody else in: not the third person of a forward, and not who was in bcc", async () => {
    const { id, grace } = await withGrace();
    const { messageId: sent } = await reply(id);
    const expert = `expert-${randomUUID()}@third.example`;
    const forward = { to: [expert], attachments: false, answers: "conversation" };
    const { messageId: note } = (await owner.post(`/api/messages/${sent}/forward`, forward, 200)).body;
    await deliver(app);
    const signed = signedIn(
      smtp.delivered.find(({ headers }) => headers["message-id"] === `<${note}@parley.example.com>`)!,
    );
    const hidden = `hidden-${randomUUID()}@partner.example`;
    const { answers } = await reply(id, { bcc: [hidden] });
    for (const headers of [
      { From: expert, "In-Reply-To": `<${note}@parley.example.com>`, To: signed },
      { From: hidden, ...answers, To: BOX },
    ]) {
      const stranger = `${randomUUID()}@stranger.example`;
      const more = { To: `${headers.To}, to-${stranger}`, Cc: `cc-${stranger}`, Subject: randomUUID() };
      const one = await arrives({ ...PROVEN, ...headers, ...more });
      expect(one).toMatchObject({ conversationId: id, direction: "inbound" });
      expect((await messagesOf(id)).at(-1)).toMatchObject({ to: [`to-${stranger}`], cc: [`cc-${stranger}`] });
      expect(await addressesOf(id)).toEqual([grace]);
    }
    expect((await reply(id)).mail.to.sort()).toEqual([ADA, grace].sort());
    // Who takes part brings a colleague along.
    const colleague = `${randomUUID()}@partner.example`;
    await arrives({ ...PROVEN, From: grace, ...answers, Cc: colleague });
    expect(await addressesOf(id)).toEqual([colleague, grace].sort());
  });

  test("the erasure of a participant takes their address and their words out of the conversation of the other", async () => {
    const { id, grace } = await withGrace();
    const { answers, messageId } = await reply(id, { bcc: ["b@partner.example"] });
    await arrives({ From: `Grace <${grace}>`, ...PROVEN, ...answers }, "My secret is 4711");
    // A bounce, which a note tells about.
    imap.deliver(
      [
        "From: MAILER-DAEMON@partner.example",
        `To: ${BOX}`,
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "",
        "--b",
        "Content-Type: message/delivery-status",
        "",
        `Final-Recipient: rfc822; ${grace}`,
        "Action: failed",
        `Diagnostic-Code: smtp; 552 5.2.2 <${grace}> is full`,
        "",
        "--b",
        "Content-Type: text/rfc822-headers",
        "",
        `Message-ID: <${messageId}@parley.example.com>`,
        "--b--",
        "",
      ].join("\r\n"),
    );
    await eventually(async () =>
      expect((await messagesOf(id)).at(-1)!.body).toBe(
        `The mail to ${grace} was not delivered: the mailbox is full (552 5.2.2 <${grace}> is full)`,
      ),
    );
    const [{ tenantId } = { tenantId: "" }] = await app.db.query<{ tenantId: string }>(
      `select tenant_id as "tenantId" from conversation where id = $1`,
      [id],
    );
    const note = (body: string) =>
      app.transaction(tenantId, (tx) => app.app.get(MessagesService).noteWithin(tx, id, { body }));
    // The same address with something around it, and addresses of others that contain it.
    const hers = [`"${grace.toUpperCase()}"`, `Not delivered: <${grace}>.`, `_${grace}_ is full`, `(x, ${grace}...)`];
    const others = [`x${grace}`, `x.${grace}`, `${grace}.test`, `${grace}x`, `x+${grace}`];
    for (const body of hers) await note(body);
    await note(others.join(" "));
    // Without words of its own, the note of a forwarded message says whom it went to.
    await owner.post(`/api/messages/${messageId}/forward`, { to: [grace], attachments: false }, 200);
    await owner.post(`/api/messages/${messageId}/forward`, { to: ["c@partner.example"], attachments: false }, 200);
    const contactId = (await peopleOf(id))[0]!.contactId!;
    const answer = await fetch(`${app.baseUrl}/api/contacts/${contactId}/export`, {
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const { "person.json": document } = await unzip(Buffer.from(await answer.arrayBuffer()));
    expect(JSON.parse(document!.toString())).toMatchObject({
      participations: [{ conversationId: id, address: grace, messages: [{ body: "My secret is 4711" }] }],
    });
    await owner.post(`/api/contacts/${contactId}/erasure`, {}, 200);
    const left = await app.db.query(
      `select 1 from message where conversation_id = $1 and (recipients::text like $2 or body like '%4711%'
         or lower(body) like $2 and body not like 'x%' or authentication::text like $2)
       union all select 1 from conversation_participant where address = $3
       union all select 1 from attention_item where conversation_id = $1 and reason like $2
       union all select 1 from conversation where id = $1 and last_message_preview like '%4711%'`,
      [id, `%${grace}%`, grace],
    );
    expect(left).toEqual([]);
    // The contact and what they wrote stay, and what is about others.
    expect((await messagesOf(id)).map(({ body }) => body)).toEqual(
      expect.arrayContaining([others.join(" "), "Forwarded to c@partner.example"]),
    );
    expect((await messagesOf(id))[0]).toMatchObject({ body: "Hello", authoredBy: { address: ADA } });
    expect((await reply(id)).mail.to).toEqual([ADA]);
  });
});
