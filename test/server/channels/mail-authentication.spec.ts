import { generateKeyPairSync, randomUUID } from "node:crypto";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { MailAuthentication } from "../../../src/channels/email/mail-authentication.js";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { type NameServer, startNameServer } from "../security/name-server.js";
import { newWorkspace, start } from "../e2e/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "./dovecot.js";
import { deliver, provision } from "./support.js";
import { eventually } from "../../support/eventually.js";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const KEY = `v=DKIM1; k=rsa; p=${publicKey.replace(/-----[^-]+-----|\s/g, "")}`;
const TEXTS: Record<string, string> = {
  "_dmarc.bank.example": "v=DMARC1; p=reject",
  "_dmarc.strict.example": "v=DMARC1; p=quarantine; adkim=s",
  "_dmarc.watching.example": "v=DMARC1; p=none",
  ...Object.fromEntries(
    ["bank.example", "mail.strict.example", "strict.example", "shop.example", "evil.example", "mail.bank.example"].map(
      (domain) => [`one._domainkey.${domain}`, KEY],
    ),
  ),
};

/** A name whose own servers are gone: the DNS says that it cannot say. */
const GONE = "one._domainkey.gone.bank.example";
const answer = (name: string) => ({ texts: TEXTS[name] ? [TEXTS[name]] : [], fails: name === GONE });

let names: NameServer;
let smtp: MailServer;
let imap: Dovecot;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let ticking: NodeJS.Timeout;

interface Written {
  headers?: Record<string, string>;
  body?: string;
}
function mail(from: string, { headers = {}, body = "Hello" }: Written = {}): string {
  const all = {
    From: from,
    To: "support@example.com",
    Subject: randomUUID(),
    "Message-ID": `<${randomUUID()}@x>`,
    Date: new Date().toUTCString(),
    ...headers,
  };
  return `${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n${body}\r\n`;
}
async function signed(text: string, domain: string, more: object = {}): Promise<string> {
  const { signatures } = await dkimSign(Buffer.from(text), {
    canonicalization: "relaxed/relaxed",
    signatureData: [{ signingDomain: domain, selector: "one", privateKey, algorithm: "rsa-sha256" }],
    // Otherwise mailauth asks the clock twice, and what it writes may be a second later than what it signs.
    signTime: new Date(),
    ...more,
  } as Parameters<typeof dkimSign>[1]);
  return signatures + text;
}

const messageIdOf = (text: string): string => /^Message-ID: (.*)\r$/m.exec(text)![1]!;
/** Delivers a mail, unless it was, and returns its conversation, its contact and its message. */
async function arrives(text: string, delivers = true) {
  if (delivers) imap.deliver(text);
  const id = await eventually(async () => {
    const [found] = await app.db.query<{ id: string }>(
      "select conversation_id as id from message where external_id = $1",
      [messageIdOf(text)],
    );
    if (!found) throw new Error("the mail has not come in yet");
    return found.id;
  });
  const conversation = (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
  const messages = (await tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data;
  return {
    conversation,
    message: messages.find(({ externalId }) => text.includes(externalId!))!,
    contact: (await tenant.live.get(`/api/contacts/${conversation.contactId}`, 200)).body,
  };
}

describe.skipIf(!DOVECOT)(`a mail${WITHOUT_DOVECOT}`, () => {
  beforeAll(async () => {
    names = await startNameServer(answer);
    smtp = await startMailServer();
    imap = await startDovecot();
    app = await startApp({
      OUTBOUND_ALLOW: [new URL(smtp.url).host, `127.0.0.1:${imap.port}`],
      DNS_SERVERS: [`127.0.0.1:${names.port}`],
      LOG_LEVEL: "error",
    });
    tenant = await app.tenant();
    owner = await tenant.owner();
    ticking = setInterval(() => void app.app.get(Mailboxes).tick(), 500);
    const { hostname: host, port } = new URL(smtp.url);
    const { body } = await owner.post(
      `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
      {
        type: "email",
        name: "Support",
        address: "support@example.com",
        credentials: { username: "support", password: PASSWORD },
        settings: {
          smtp: { host, port: Number(port), security: "none" },
          imap: { host: "127.0.0.1", port: imap.port, security: "none", authenticatedBy: "MX.example.com" },
        },
      },
      201,
    );
    await provision(app);
    await eventually(async () =>
      expect(await app.db.query("select 1 from mailbox where channel_id = $1", [body.id])).toHaveLength(1),
    );
  });
  afterAll(async () => {
    clearInterval(ticking);
    await app?.close();
    names?.close();
    await Promise.all([smtp?.close(), imap?.close()]);
  });

  test("that its domain signed passes, and joins the conversation that it answers", async () => {
    const first = await arrives(await signed(mail("Ada <ada@bank.example>"), "bank.example"));
    expect(first.message.authentication).toEqual({
      result: "pass",
      spf: null,
      dkim: "pass",
      dmarc: "pass",
      checkedBy: "parley",
      from: "ada@bank.example",
    });
    expect(first.contact).toMatchObject({ name: "Ada", emails: [{ value: "ada@bank.example" }] });
    const answer = mail("ada@bank.example", { headers: { "In-Reply-To": first.message.externalId! } });
    // A subdomain may sign, unless the domain says otherwise.
    const second = await arrives(await signed(answer, "mail.bank.example"));
    expect(second.message.authentication).toMatchObject({ result: "pass" });
    expect(second.conversation.id).toBe(first.conversation.id);
  });

  test("that is forged joins neither a conversation nor a contact, and a reply goes to the address that it gives", async () => {
    const real = await arrives(await signed(mail("Bob <bob@bank.example>"), "bank.example"));
    const text = mail("Bob <bob@bank.example>", { headers: { "In-Reply-To": real.message.externalId! } });
    const forged = await arrives(text);
    expect(forged.message.authentication).toMatchObject({ result: "fail", dkim: "none", dmarc: "fail" });
    expect(forged.conversation.id).not.toBe(real.conversation.id);
    expect(forged.contact).toMatchObject({ emails: [] });
    expect(forged.contact.id).not.toBe(real.contact.id);
    // It is taken once.
    imap.deliver(text);
    const again = await arrives(
      mail("Bob <bob@bank.example>", { headers: { "In-Reply-To": forged.message.externalId! } }),
    );
    expect(again.contact.id).not.toBe(forged.contact.id);
    expect(
      await app.db.query("select 1 from message where external_id = $1", [forged.message.externalId]),
    ).toHaveLength(1);
    await tenant.live.post(`/api/conversations/${forged.conversation.id}/reply`, { body: "Is it you?" }, 200);
    await deliver(app);
    const sent = smtp.delivered.at(-1)!;
    expect(sent.to).toEqual(["bob@bank.example"]);
    // The answer of the real one goes to the real one's contact.
    const answer = mail("bob@bank.example", { headers: { "In-Reply-To": sent.headers["message-id"] as string } });
    const answered = await arrives(await signed(answer, "bank.example"));
    expect(answered.contact.id).toBe(real.contact.id);
    expect(answered.conversation.id).not.toBe(forged.conversation.id);
    await tenant.live.post(`/api/contacts/${forged.contact.id}/erasure`, undefined, 200);
    expect(
      await app.db.query("select authentication from message where conversation_id = $1", [forged.conversation.id]),
    ).toEqual([{ authentication: null }, { authentication: null }]);
  });

  /** The texts of the messages from this address, oldest first. */
  const textsFrom = async (address: string): Promise<string[]> =>
    (
      await app.db.query<{ body: string }>(
        "select body from message where authentication ->> 'from' = $1 order by created_at, id",
        [address],
      )
    ).map(({ body }) => body);
  /** Waits until all mails so far have been read. */
  const settled = () => arrives(mail(`${randomUUID()}@unknown.example`));

  test.each(["fail", "eve", "note"])(
    "that is proven comes in once, though somebody else sent its Message-ID before: %s",
    async (way) => {
      const from = `${randomUUID()}@bank.example`;
      const first = await arrives(await signed(mail(from, { body: "First" }), "bank.example"));
      const headers = { "Message-ID": `<${randomUUID()}@bank.example>`, "In-Reply-To": first.message.externalId! };
      if (way === "fail") imap.deliver(mail(from, { headers, body: "Forged" }));
      if (way === "eve") imap.deliver(mail("eve@unknown.example", { headers, body: "Forged" }));
      // Proven, and an automatic reply: for example one that a program of the same domain can be made to send.
      if (way === "note")
        imap.deliver(
          await signed(mail(from, { headers: { ...headers, "Auto-Submitted": "auto-replied" } }), "bank.example"),
        );
      await settled();
      const real = await signed(mail(from, { headers, body: "The real one" }), "bank.example");
      imap.deliver(real);
      imap.deliver(real);
      // What proves less says nothing new.
      imap.deliver(mail(from, { headers, body: "Less" }));
      await settled();
      const texts = await textsFrom(from);
      expect(texts.filter((text) => text === "The real one")).toHaveLength(1);
      const messages = (await tenant.live.get(`/api/conversations/${first.conversation.id}/messages`, 200)).body.data;
      expect(messages.filter(({ direction }) => direction === "inbound").map(({ body }) => body)).toEqual([
        "First",
        "The real one",
      ]);
    },
  );

  const FORGERIES: [what: string, text: () => string | Promise<string>][] = [
    [
      "that was changed after it was signed",
      async () => (await signed(mail("eve@bank.example"), "bank.example")).replace("Hello", "Pay"),
    ],
    [
      "with text after what was signed",
      async () =>
        (await signed(mail("eve@bank.example"), "bank.example", {
          signatureData: [
            { signingDomain: "bank.example", selector: "one", privateKey, algorithm: "rsa-sha256", maxBodyLength: 5 },
          ],
        })) + "Pay\r\n",
    ],
    [
      "with a signature by SHA-1, which RFC 8301 forbids",
      () =>
        signed(mail("eve@bank.example"), "bank.example", {
          signatureData: [{ signingDomain: "bank.example", selector: "one", privateKey, algorithm: "rsa-sha1" }],
        }),
    ],
    ["whose signer has no name servers any more", () => signed(mail("eve@bank.example"), "gone.bank.example")],
    ["that another domain signed", () => signed(mail("eve@bank.example"), "evil.example")],
    [
      "whose From is not signed",
      () => signed(mail("eve@bank.example"), "bank.example", { headerList: "Subject:Date" }),
    ],
    [
      "with a second From on top",
      async () => `From: eve@bank.example\r\n${await signed(mail("other@bank.example"), "bank.example")}`,
    ],
    [
      "that a subdomain signed where only the domain itself may",
      () => signed(mail("eve@strict.example"), "mail.strict.example"),
    ],
    [
      "with a Reply-To of somebody else at the domain that signed it",
      () => signed(mail("eve@bank.example", { headers: { "Reply-To": "victim@bank.example" } }), "bank.example"),
    ],
    [
      "with a Reply-To at another domain",
      () => signed(mail("eve@evil.example", { headers: { "Reply-To": "victim@bank.example" } }), "evil.example"),
    ],
    [
      "that a trusted server has refused, whatever else is recorded",
      async () =>
        `Authentication-Results: mx.example.com; spf=pass; dmarc=fail (p=NONE) header.from=shop.example\r\n` +
        `Authentication-Results: mx.example.com; dmarc=pass\r\n${await signed(mail("eve@shop.example"), "shop.example")}`,
    ],
    [
      "with results that came with it, below those of another server",
      () =>
        `Authentication-Results: other.example.com; dmarc=none\r\n` +
        mail("eve@bank.example", { headers: { "Authentication-Results": "mx.example.com; dmarc=pass" } }),
    ],
    [
      "that a trusted server lets pass, but as another sender's",
      () =>
        mail("eve@bank.example", {
          headers: { "Authentication-Results": "mx.example.com; dmarc=pass header.from=evil.example" },
        }),
    ],
    [
      "that a trusted server lets pass, with a From in which programs find different addresses",
      () =>
        mail("<eve@evil.example<victim@bank.example>>", {
          headers: { "Authentication-Results": "mx.example.com; dmarc=pass" },
        }),
    ],
    [
      "that its domain signed, with such a From",
      () => signed(mail("<victim@bank.example>eve@bank.example"), "bank.example"),
    ],
    ...[
      "Message-ID: <another@bank.example>",
      "Subject: Pay",
      "Cc: mallory@evil.example",
      "Content-Type: text/html",
    ].map((added): [string, () => Promise<string>] => [
      `that its domain signed, and to which somebody added ${added}`,
      async () => {
        const headers = { Cc: "grace@bank.example", "Content-Type": "text/plain" };
        return `${added.replace("another", randomUUID())}\r\n${await signed(mail("eve@bank.example", { headers }), "bank.example")}`;
      },
    ]),
    [
      "with a hundred signatures",
      async () =>
        Array.from(
          { length: 100 },
          (_, n) => `DKIM-Signature: v=1; a=rsa-sha256; d=bank.example; s=one; l=${n}; h=from; bh=a; b=a\r\n`,
        ).join("") + (await signed(mail("eve@bank.example"), "evil.example")),
    ],
  ];
  test("that is forged in any known way fails", async () => {
    const outcomes = FORGERIES.map(async ([what, text]) => {
      const { message, contact } = await arrives(await text());
      return [what, message.authentication?.result, message.senderProof, contact.emails];
    });
    expect(await Promise.all(outcomes)).toEqual(FORGERIES.map(([what]) => [what, "fail", "none", []]));
  });

  const UNSIGNED: [what: string, from: string, headers: Record<string, string>, result: string][] = [
    ["of a domain that asks for nothing", "asks-nothing@unknown.example", {}, "none"],
    ["of a domain that only watches", "watched@watching.example", {}, "none"],
    [
      "that a trusted server lets pass",
      "let-through@bank.example",
      { "Authentication-Results": 'MX.example.com 1; spf=pass (a (b) ";") smtp.mailfrom=x; dkim=none; dmarc=pass' },
      "pass",
    ],
    [
      "that a trusted server lets pass, and names the organisation of",
      "let-through@mail.bank.example",
      { "Authentication-Results": "mx.example.com; dmarc=pass header.from=Bank.example" },
      "pass",
    ],
  ];
  test("is put down to its sender if the domain asks for nothing or only watches, or a trusted server lets it pass", async () => {
    const outcomes = UNSIGNED.map(async ([what, from, headers]) => {
      const { message, contact } = await arrives(mail(from, { headers }));
      return [what, message.authentication?.result, contact.emails.map(({ value }) => value)];
    });
    expect(await Promise.all(outcomes)).toEqual(UNSIGNED.map(([what, from, , result]) => [what, result, [from]]));
  });

  test("that nothing proves opens no contact of another workspace: it is a new contact, and a key of the mailbox's workspace sees only that one", async () => {
    const home = (await newWorkspace(owner, tenant.defaults.brandId)).id;
    const dataScope = { level: "workspace" as const, workspaceId: tenant.defaults.workspaceId };
    const restricted = await keyFor(owner, { dataScope });
    for (const domain of ["unknown.example", "watching.example"]) {
      const email = `ada-${randomUUID()}@${domain}`;
      const known = { name: "Ada", emails: [email], externalId: randomUUID() };
      const { contactId } = await start(tenant.live, home, {
        contact: known,
        message: { body: "Where is my parcel?" },
      });
      await app.db.query("update contact_point set verified_at = now() where contact_id = $1", [contactId]);
      const { conversation, message, contact } = await arrives(mail(`Ada <${email}>`));
      expect(contact).toMatchObject({ externalId: null, emails: [{ value: email, verifiedAt: null }] });
      expect(contact.id).not.toBe(contactId);
      expect([conversation.senderProof, message.senderProof, message.authentication?.result]).toEqual([
        "none",
        "none",
        "none",
      ]);
      await restricted.get(`/api/contacts/${contactId}`, 404);
      const found = await restricted.get(`/api/contacts/search?q=${encodeURIComponent(email)}`, 200);
      expect(found.body.data.map(({ id }) => id)).toEqual([contact.id]);
      expect((await tenant.live.get(`/api/conversations?contactId=${contactId}`, 200)).body.data).toHaveLength(1);
    }
    // A mail that its domain signed is put down to the contact, wherever that is.
    const email = `ada-${randomUUID()}@shop.example`;
    const known = { name: "Ada", emails: [email] };
    const { contactId } = await start(tenant.live, home, { contact: known, message: { body: "Hello" } });
    const { conversation } = await arrives(await signed(mail(email), "shop.example"));
    expect(conversation).toMatchObject({ contactId, senderProof: "channel" });
  });

  test("of a domain without a policy passes if that domain signed it", async () => {
    const { message } = await arrives(await signed(mail("zoe@shop.example"), "shop.example"));
    expect(message.authentication).toMatchObject({ result: "pass", dkim: "pass", dmarc: "none" });
  });

  describe("while the name servers answer nothing", () => {
    /** Stops them for the work, and waits until the mail was tried. */
    async function inOutage(text: string, then: (tried: () => number) => Promise<void>): Promise<void> {
      const tries = vi.spyOn(app.app.get(MailAuthentication), "of");
      const { port } = names;
      names.close();
      try {
        imap.deliver(text);
        await then(() => tries.mock.settledResults.filter(({ type }) => type !== "incomplete").length);
      } finally {
        tries.mockRestore();
        names = await startNameServer(answer, port);
      }
    }
    const isStored = async (text: string): Promise<boolean> =>
      (await app.db.query("select 1 from message where external_id = $1", [messageIdOf(text)])).length > 0;

    test("waits in its mailbox, and is proven once they answer", async () => {
      await arrives(mail(`${randomUUID()}@unknown.example`));
      const text = await signed(mail("Kim <kim@bank.example>"), "bank.example");
      await inOutage(text, async (tried) => {
        await eventually(() => expect(tried()).toBeGreaterThan(1), 60_000);
        expect(await isStored(text)).toBe(false);
      });
      const { message } = await arrives(text, false);
      expect(message.authentication).toMatchObject({ result: "pass" });
    });

    test("comes in without a proof after an hour of that", async () => {
      const text = await signed(mail("kim@bank.example"), "bank.example");
      Object.assign(app.app.get(MailAuthentication), { heardAt: performance.now() - 3_600_001 });
      await inOutage(text, async () => {
        const { message, contact } = await arrives(text, false);
        expect(message.authentication?.result).toBe("none");
        expect(contact.emails).toMatchObject([{ value: "kim@bank.example" }]);
      });
    });
  });

  test("that is forged is not taken in if its address is blocked", async () => {
    const { contact } = await arrives(await signed(mail("bad@bank.example"), "bank.example"));
    await tenant.live.patch(`/api/contacts/${contact.id}`, { blocked: true }, 200);
    const text = mail("bad@bank.example");
    imap.deliver(text);
    await arrives(mail(`${randomUUID()}@unknown.example`));
    expect(await app.db.query("select 1 from message where external_id = $1", [messageIdOf(text)])).toEqual([]);
  });

  describe("among more than 60 within an hour", () => {
    const flood = async (make: () => string): Promise<void> => {
      for (let n = 0; n < 61; n++) imap.deliver(make());
      await settled();
    };
    const notesIn = async (id: string) =>
      (await tenant.live.get(`/api/conversations/${id}/messages?limit=100`, 200)).body.data.filter(
        ({ direction }) => direction === "internal",
      );
    const alertsOf = async (id: string) =>
      (await tenant.live.get(`/api/attention-items?conversationId=${id}&type=channel_error`, 200)).body.data;

    test("that nothing proves is a note, with one attention item, and what the domain signed is a message all the same", async () => {
      const from = `${randomUUID()}@shop.example`;
      await flood(() => mail(from));
      const { conversation: noted } = await arrives(mail(from));
      expect(await notesIn(noted.id)).toHaveLength(2);
      expect(await alertsOf(noted.id)).toMatchObject([
        { severity: "medium", status: "open", occurrences: 1, reason: expect.stringContaining("More than 60 mails") },
      ]);
      const { message } = await arrives(await signed(mail(from, { body: "It is me" }), "shop.example"));
      expect(message).toMatchObject({ direction: "inbound", body: "It is me", senderProof: "channel" });
    });

    test("is still a note after hundreds of notes in the conversation", async () => {
      const from = `${randomUUID()}@unknown.example`;
      const { conversation, message } = await arrives(mail(from));
      const answer = () => mail(from, { headers: { "In-Reply-To": message.externalId! } });
      await flood(answer);
      // As many as would move the mails beyond what was looked at.
      await app.db.query(
        `insert into message (tenant_id, id, conversation_id, sequence, direction, author_type, body, delivery_status, occurred_at)
         select tenant_id, gen_random_uuid(), id, last_sequence + n, 'internal', 'system', 'A note', 'delivered', now()
         from conversation, generate_series(1, 300) n where id = $1`,
        [conversation.id],
      );
      await app.db.query("update conversation set last_sequence = last_sequence + 300 where id = $1", [
        conversation.id,
      ]);
      const text = answer();
      await arrives(text);
      expect(await app.db.query("select direction from message where external_id = $1", [messageIdOf(text)])).toEqual([
        { direction: "internal" },
      ]);
    });

    test("that is forged is kept, though a contact of these mails is blocked", async () => {
      await flood(() => mail("eve@bank.example"));
      const { conversation, contact } = await arrives(mail("eve@bank.example"));
      expect(await notesIn(conversation.id)).not.toEqual([]);
      await tenant.live.patch(`/api/contacts/${contact.id}`, { blocked: true }, 200);
      const { conversation: next, message } = await arrives(mail("other@bank.example"));
      expect(next.id).not.toBe(conversation.id);
      expect(message).toMatchObject({ direction: "internal" });
    });
  });
});
