import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { newWorkspace, start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { eventually } from "../../support/eventually.js";
import { runs } from "../../support/seed.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "./dovecot.js";
import { deliver, provision } from "./support.js";

const BOX = "support@example.com";
const SALES = "sales@example.com";
const ADA = "ada@customer.example";

let smtp: MailServer;
let imap: Dovecot;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let channelId: string;
let ticking: NodeJS.Timeout;

const sourceOf = (headers: Record<string, string>, body = "Hello"): { id: string; source: string } => {
  const all: Record<string, string> = {
    From: `Ada Lovelace <${ADA}>`,
    To: BOX,
    Subject: "My order",
    "Message-ID": `<${randomUUID()}@customer.example>`,
    Date: new Date().toUTCString(),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return { id: all["Message-ID"]!, source: `${lines.join("")}\r\n${body}\r\n` };
};
/** The conversations that a mail is in. */
const conversationsWith = async (externalId: string): Promise<string[]> =>
  (
    await app.db.query<{ id: string }>("select conversation_id as id from message where external_id = $1 order by 1", [
      externalId,
    ])
  ).map(({ id }) => id);
/** Delivers a mail, and waits for its conversation. */
async function arrives(headers: Record<string, string>, { body = "Hello", box = "support" } = {}): Promise<string> {
  const { id, source } = sourceOf(headers, body);
  imap.deliver(source, box);
  return eventually(async () => {
    const [found] = await conversationsWith(id);
    expect(found, headers.Subject).toBeTruthy();
    return found!;
  });
}
/** Waits until all mails of a mailbox so far have been read. */
const settled = (box: string): Promise<string> =>
  arrives({ From: `${randomUUID()}@example.org`, To: `${box}@example.com` }, { box });
const read = async (id: string) => (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
const messagesOf = async (id: string) =>
  (await tenant.live.get(`/api/conversations/${id}/messages?limit=100`, 200)).body.data;
async function reply(id: string, body: object = {}) {
  const { messageId } = (await tenant.live.post(`/api/conversations/${id}/reply`, { body: "It left.", ...body }, 200))
    .body;
  await deliver(app);
  const mail = smtp.delivered.find(({ headers }) => headers["message-id"] === `<${messageId}@parley.example.com>`)!;
  return { messageId, mail, messageIdHeader: `<${messageId}@parley.example.com>` };
}
/** What Outlook sends with an answer: the index, and five bytes more. */
const answered = (index: string): string =>
  Buffer.concat([Buffer.from(index, "base64"), Buffer.from([1, 2, 3, 4, 5])]).toString("base64");

async function mailbox(workspaceId: string, box: string): Promise<string> {
  const { hostname: host, port } = new URL(smtp.url);
  const { body } = await owner.post(
    `/api/workspaces/${workspaceId}/channels`,
    {
      type: "email",
      name: box,
      address: `${box}@example.com`,
      credentials: { username: box, password: PASSWORD },
      settings: {
        smtp: { host, port: Number(port), security: "none" },
        imap: { host: "127.0.0.1", port: imap.port, security: "none", authenticatedBy: "mx.example.com" },
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

describe.skipIf(!DOVECOT)(`the conversation of a mail${WITHOUT_DOVECOT}`, () => {
  beforeAll(async () => {
    smtp = await startMailServer();
    imap = await startDovecot();
    app = await startApp({ OUTBOUND_ALLOW: [new URL(smtp.url).host, `127.0.0.1:${imap.port}`], LOG_LEVEL: "error" });
    app.app.get(Mailboxes).everyMs.poll = 300;
    tenant = await app.tenant();
    owner = await tenant.owner();
    ticking = setInterval(() => void app.app.get(Mailboxes).tick(), 300);
    channelId = await mailbox(tenant.defaults.workspaceId, "support");
  });
  afterAll(async () => {
    clearInterval(ticking);
    await app?.close();
    await Promise.all([smtp?.close(), imap?.close()]);
  });
  beforeEach(() => {
    smtp.delivered.length = 0;
  });

  test("is found by Outlook's index, where the ids of the mails are lost and the subject has changed", async () => {
    const id = await arrives({ Subject: "With Outlook" });
    const { mail } = await reply(id);
    const index = answered(mail.headers["thread-index"]!);
    expect(await arrives({ Subject: "Another matter", "Thread-Index": index })).toBe(id);
  });

  test("is not found by the index of somebody else's, or by one that was made up", async () => {
    const id = await arrives({ Subject: "Ada's own" });
    const { mail } = await reply(id);
    const index = mail.headers["thread-index"]!;
    const strange = { From: "eve@example.net" };
    expect(await arrives({ ...strange, "Thread-Index": answered(index), "Thread-Topic": "Ada's own" })).not.toBe(id);
    // The conversation's id as it is, which a guest of the dashboard may know.
    const plain = Buffer.concat([Buffer.alloc(6, 1), Buffer.from(id.replaceAll("-", ""), "hex")]).toString("base64");
    for (const made of [plain, "A".repeat(30), "A".repeat(2_000), "%%%", ""])
      expect(
        await arrives({ "Thread-Index": made || " ", "Thread-Topic": "Ada's own", Subject: "Re: Ada's own" }),
      ).not.toBe(id);
  });

  test("is found by References alone, as phones send them", async () => {
    const id = await arrives({ Subject: "By phone" });
    const { messageIdHeader } = await reply(id);
    expect(await arrives({ Subject: "Sent from my phone", References: `<a@b.example> ${messageIdHeader}` })).toBe(id);
  });

  test("goes on in a new one that names it, two years after it was resolved, and is answered at the same address", async () => {
    const id = await arrives({ Subject: "Long ago", From: ADA });
    const { messageIdHeader } = await reply(id);
    const contactId = (await read(id)).contactId;
    await tenant.live.post(`/api/conversations/${id}/resolve`, { resolution: "answered" }, 200);
    await app.db.query("update conversation set resolved_at = now() - interval '2 years' where id = $1", [id]);
    const next = await arrives({ Subject: "Re: Long ago", "In-Reply-To": messageIdHeader });
    expect(await read(next)).toMatchObject({
      previousConversationId: id,
      contactId,
      subject: "Long ago",
      status: "open",
      metadata: { email: ADA },
    });
    expect((await read(id)).status).toBe("resolved");
    // And on it goes there.
    expect(await arrives({ Subject: "Re: Long ago", "In-Reply-To": messageIdHeader })).toBe(next);
  });

  describe("that two of our mailboxes get", () => {
    let salesId: string;
    let elsewhere: string;
    beforeAll(async () => {
      salesId = await mailbox(tenant.defaults.workspaceId, "sales");
    });

    test("is one conversation of the first, however close together they come, and answers to either find it", async () => {
      for (let n = 0; n < runs(3, 8); n++) {
        const { id: mailId, source } = sourceOf({
          Subject: `Both ${n}`,
          From: `${randomUUID()}@customer.example`,
          To: BOX,
          Cc: SALES,
        });
        imap.deliver(source, "support");
        imap.deliver(source, "sales");
        await eventually(async () => expect(await conversationsWith(mailId)).toHaveLength(1));
        await Promise.all([settled("support"), settled("sales")]);
        const [id] = await conversationsWith(mailId);
        const all = await messagesOf(id!);
        const { channelId: first } = await read(id!);
        expect([channelId, salesId]).toContain(first);
        expect(all.map(({ direction, body }) => [direction, body])).toEqual([
          ["inbound", "Hello"],
          ["internal", `The same mail came to ${first === channelId ? SALES : BOX}`],
        ]);
        if (n > 1) continue;
        // The next one reaches the other mailbox first, and then alone.
        const from = all[0]!.authentication!.from;
        const other = first === channelId ? { To: SALES, box: "sales" } : { To: BOX, box: "support" };
        expect(await arrives({ From: from, To: other.To, "In-Reply-To": mailId }, { box: other.box })).toBe(id);
        const { messageIdHeader } = await reply(id!);
        expect(
          await arrives({ From: from, To: `${BOX}, ${SALES}`, "In-Reply-To": messageIdHeader }, { box: other.box }),
        ).toBe(id);
        expect((await messagesOf(id!)).filter(({ direction }) => direction === "internal")).toHaveLength(1);
      }
    });

    test("is not kept out by a mail of somebody else with its Message-ID", async () => {
      const { id: mailId, source } = sourceOf({ Subject: "The real one", To: SALES, Cc: BOX });
      const forged = sourceOf({ "Message-ID": mailId, From: "eve@example.net", To: BOX, Cc: SALES, Subject: "Not it" });
      imap.deliver(forged.source, "support");
      await settled("support");
      imap.deliver(source, "sales");
      await eventually(async () => expect(await conversationsWith(mailId)).toHaveLength(2));
    });

    test("is not kept out by a mail in its sender's name that proves less", async () => {
      const proven = { "Authentication-Results": "mx.example.com; dmarc=pass" };
      const { id: mailId, source } = sourceOf({ ...proven, To: SALES, Cc: BOX }, "The real one");
      imap.deliver(sourceOf({ "Message-ID": mailId, To: BOX, Cc: SALES }, "Forged").source, "support");
      await settled("support");
      imap.deliver(source, "sales");
      const ids = await eventually(async () => {
        const found = await conversationsWith(mailId);
        expect(found).toHaveLength(2);
        return found;
      });
      const texts = (await Promise.all(ids.map(messagesOf))).flat().map(({ body }) => body);
      expect(texts.sort()).toEqual(["Forged", "The real one"]);
    });

    test("is not kept out of a conversation by a mail that another mailbox put there", async () => {
      const proven = { "Authentication-Results": "mx.example.com; dmarc=pass" };
      const from = `${randomUUID()}@customer.example`;
      const id = await arrives({ ...proven, From: from, To: SALES }, { box: "sales" });
      const externalId = (await messagesOf(id))[0]!.externalId!;
      const answer = { From: from, "In-Reply-To": externalId, "Message-ID": `<${randomUUID()}@customer.example>` };
      imap.deliver(sourceOf({ ...answer, To: SALES }, "Forged").source, "sales");
      await settled("sales");
      imap.deliver(sourceOf({ ...proven, ...answer, To: BOX, Cc: SALES }, "The real one").source, "support");
      await settled("support");
      expect((await messagesOf(id)).map(({ body }) => body)).toEqual(["Hello", "Forged", "The real one"]);
    });

    test("is one in each, with a link, if they are of different workspaces", async () => {
      await owner.patch(`/api/channels/${salesId}`, { enabled: false }, 200);
      ({ id: elsewhere } = await newWorkspace(tenant.live, tenant.defaults.brandId));
      await app.db.query("update channel set address = 'old@example.com' where id = $1", [salesId]);
      await mailbox(elsewhere, "sales");
      const mail = {
        Subject: "Two workspaces",
        To: BOX,
        Cc: SALES,
        "Message-ID": `<${randomUUID()}@customer.example>`,
      };
      const first = await arrives(mail);
      imap.deliver(sourceOf(mail).source, "sales");
      const second = await eventually(async () => {
        const found = (await conversationsWith(mail["Message-ID"])).find((id) => id !== first);
        expect(found).toBeTruthy();
        return found!;
      });
      expect((await messagesOf(second)).map(({ body }) => body)).toEqual([
        "Hello",
        expect.stringMatching(new RegExp(`^The same mail came to ${BOX}, which took it first: .*${first}$`)),
      ]);
      expect(await messagesOf(first)).toHaveLength(1);
    });

    test("is one in each workspace, though a mailbox of another one took it first", async () => {
      await mailbox(tenant.defaults.workspaceId, "help");
      const mail = {
        To: `${BOX}, help@example.com`,
        Cc: SALES,
        "Message-ID": `<${randomUUID()}@customer.example>`,
      };
      for (const [n, box] of ["sales", "support", "help"].entries()) {
        imap.deliver(sourceOf(mail).source, box);
        await settled(box);
        expect(await conversationsWith(mail["Message-ID"]), box).toHaveLength(Math.min(n + 1, 2));
      }
      const near = await arrives({ To: "help@example.com", "In-Reply-To": mail["Message-ID"] }, { box: "help" });
      expect((await read(near)).channelId).toBe(channelId);
    });

    test("is found by an answer to all of them, though a stranger sent its Message-ID to another one", async () => {
      const mailId = `<${randomUUID()}@customer.example>`;
      const others = { From: "eve@example.net", "Message-ID": mailId };
      imap.deliver(sourceOf({ ...others, To: "help@example.com" }).source, "help");
      await settled("help");
      imap.deliver(sourceOf({ "Message-ID": mailId, To: BOX }).source, "support");
      await settled("support");
      const [own] = await app.db.query<{ id: string }>(
        "select m.conversation_id as id from message m where external_id = $1 and authentication ->> 'from' = $2",
        [mailId, ADA],
      );
      for (const order of [`${BOX}, help@example.com`, `help@example.com, ${BOX}`])
        expect(await arrives({ To: order, "In-Reply-To": mailId })).toBe(own!.id);
      expect(await arrives({ To: `${BOX}, help@example.com`, "In-Reply-To": mailId }, { box: "help" })).toBe(own!.id);
    });
  });

  describe("of another system", () => {
    const from = `${randomUUID()}@customer.example`;
    const old = (n: number): string => `<${n}-${from}>`;
    /** An import of a thread: the contact's mail, and our answer as a note. */
    async function imported(): Promise<string> {
      const { id } = await start(tenant.live, tenant.defaults.workspaceId, {
        channelId,
        contact: { name: "Ada", emails: [{ value: from }] },
        subject: "From the old system",
        message: {
          body: "Where is it?",
          occurredAt: "2024-01-02T03:04:05Z",
          mail: { messageId: old(3), inReplyTo: old(2), references: [old(1), old(2)] },
        },
      });
      await tenant.live.post(`/api/conversations/${id}/notes`, { body: "It left.", mail: { messageId: old(4) } }, 201);
      return id;
    }

    test("is found by any mail that an import names, for its contact alone, and is answered in its thread", async () => {
      const id = await imported();
      expect((await messagesOf(id)).map(({ externalId }) => externalId)).toEqual([old(3), old(4)]);
      for (const n of [1, 2, 3, 4])
        expect(await arrives({ From: from, Subject: `Re: ${n}`, "In-Reply-To": old(n) }), String(n)).toBe(id);
      expect(await arrives({ From: "eve@example.net", "In-Reply-To": old(4) })).not.toBe(id);
      const { mail } = await reply(id);
      expect(mail.headers.references).toContain(old(3));
      // A mail that was only named comes in. One that was imported does not come in again.
      expect(await arrives({ From: from, "Message-ID": old(1), "In-Reply-To": old(3) })).toBe(id);
      imap.deliver(sourceOf({ From: from, "Message-ID": old(3) }).source);
      await settled("support");
      expect(await conversationsWith(old(3))).toEqual([id]);
    });

    test("refuses what is no Message-ID, a second id, and conversations that are not by mail", async () => {
      const id = await imported().catch(() => undefined);
      expect(id).toBeTruthy();
      const path = `/api/conversations/${id!}/messages`;
      for (const mail of [
        { messageId: "81" },
        { inReplyTo: "<a b@c>" },
        { references: ["<a@b>", "<>"] },
        { references: Array<string>(51).fill("<a@b>") },
      ])
        await tenant.live.post(path, { body: "x", mail }, 400);
      await tenant.live.post(path, { body: "x", externalId: "mine", mail: { messageId: "<a@b.example>" } }, 400);
      const { id: other } = await start(tenant.live, tenant.defaults.workspaceId);
      await tenant.live.post(
        `/api/conversations/${other}/messages`,
        { body: "x", mail: { messageId: "<a@b.example>" } },
        400,
      );
    });
  });
});
