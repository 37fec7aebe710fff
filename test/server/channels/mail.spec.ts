import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { Metrics } from "../../../src/platform/metrics/metrics.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { startTwo, tablesWith, type TwoNodes } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "./dovecot.js";
import { download, upload } from "../attachments/support.js";
import { deliver, provision } from "./support.js";
import { eventually } from "../../support/eventually.js";

let smtp: MailServer;
let imap: Dovecot;
let plain: Dovecot;
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let channelId: string;
let ticking: NodeJS.Timeout;

/** Mailboxes that the processes share. */
const MANY = Array.from({ length: 9 }, (_, n) => `box${n}`);
/** A mail as a server delivers it. */
function mail(headers: Record<string, string>, body = "Hello"): string {
  const all = {
    From: "Ada Lovelace <ada@example.org>",
    To: "support@example.com",
    Subject: "My order",
    "Message-ID": `<${randomUUID()}@example.org>`,
    Date: new Date().toUTCString(),
    "Return-Path": "<ada@example.org>",
    ...headers,
  };
  return `${Object.entries(all)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n${body.replace(/\n/g, "\r\n")}\r\n`;
}
const send = (headers: Record<string, string> = {}, body?: string, server = imap): void =>
  server.deliver(mail(headers, body));
const conversations = async (client = tenant.live) =>
  (await client.get(`/api/conversations?workspaceId=${tenant.defaults.workspaceId}&limit=100`, 200)).body.data.filter(
    (one) => one.channelId === channelId,
  );
const messages = async (id: string) =>
  (await tenant.live.get(`/api/conversations/${id}/messages?limit=100`, 200)).body.data;
/** Asks the database, because a mail takes a second to come in, and the API's answers cost ten times as much. */
const conversationIdOf = (subject: string): Promise<string> =>
  eventually(async () => {
    const [found] = await app.db.query<{ id: string }>(
      "select id from conversation where channel_id = $1 and subject = $2",
      [channelId, subject],
    );
    expect(found, subject).toBeTruthy();
    return found!.id;
  });
const conversationOf = async (subject: string) =>
  (await tenant.live.get(`/api/conversations/${await conversationIdOf(subject)}`, 200)).body;
/** The conversation's messages, as soon as there are so many. */
async function messagesUntil(id: string, count: number) {
  await eventually(async () =>
    expect(await app.db.query("select from message where conversation_id = $1", [id])).toHaveLength(count),
  );
  return messages(id);
}
/** What the jobs of both processes do by themselves. */
const look = () => Promise.all([nodes.a, nodes.b].map((node) => node.app.get(Mailboxes).tick()));
function startTicking(): void {
  clearInterval(ticking);
  ticking = setInterval(() => void look(), 500);
}
/** Also waits for those that are looking. */
async function stopTicking(): Promise<void> {
  clearInterval(ticking);
  await look();
}
/** Waits until all mails delivered so far have been read: delivers another one and waits for it. */
async function settled(server = imap): Promise<void> {
  const subject = `last ${randomUUID()}`;
  send({ From: `${randomUUID()}@example.org`, Subject: subject }, undefined, server);
  await conversationIdOf(subject);
}
/** Those that have come in by mail since then, oldest first, without those of `settled()`. */
const mailedSince = (moment: string) =>
  app.db.query<{ id: string; body: string }>(
    `select c.id, m.body from conversation c join message m on m.conversation_id = c.id
     where c.channel_id = $1 and c.created_at > $2 and coalesce(c.subject, '') not like 'last %' order by c.created_at, c.id`,
    [channelId, moment],
  );
const now = async (): Promise<string> =>
  (await app.db.query<{ now: string }>("select clock_timestamp()::text as now"))[0]!.now;
async function connected(
  server = imap,
  client = owner,
  workspaceId = tenant.defaults.workspaceId,
  username = "support",
): Promise<string> {
  const { hostname: host, port } = new URL(smtp.url);
  const { body } = await client.post(
    `/api/workspaces/${workspaceId}/channels`,
    {
      type: "email",
      name: "Support",
      address: `${username}@example.com`,
      credentials: { username, password: PASSWORD },
      settings: {
        smtp: { host, port: Number(port), security: "none" },
        imap: { host: "127.0.0.1", port: server.port, security: "none" },
      },
    },
    201,
  );
  return body.id;
}
async function mailbox(...args: Parameters<typeof connected>): Promise<string> {
  const id = await connected(...args);
  await provision(app);
  return id;
}
/** Whether a process reads the mailbox. */
const held = (id: string): Promise<unknown[]> =>
  app.db.query("select 1 from mailbox_lease where channel_id = $1 and holder is not null", [id]);
let polled: Promise<string> | undefined;
/** Does the work with the mailbox of the server without IDLE. */
async function inThePolledMailbox(work: () => Promise<void>): Promise<void> {
  const before = channelId;
  channelId = await (polled ??= mailbox(plain));
  try {
    await eventually(async () => expect(await held(channelId)).toHaveLength(1));
    await work();
  } finally {
    channelId = before;
  }
}
const status = async (id = channelId) => (await tenant.live.get(`/api/channels/${id}`, 200)).body;

describe.skipIf(!DOVECOT)(`a mailbox${WITHOUT_DOVECOT}`, () => {
  beforeAll(async () => {
    smtp = await startMailServer();
    [imap, plain] = [await startDovecot({ boxes: ["support", "sales", ...MANY] }), await startDovecot({ idle: false })];
    nodes = await startTwo({
      OUTBOUND_ALLOW: [new URL(smtp.url).host, `127.0.0.1:${imap.port}`, `127.0.0.1:${plain.port}`],
      LOG_LEVEL: "error",
    });
    app = nodes.a;
    for (const node of [nodes.a, nodes.b]) node.app.get(Mailboxes).everyMs.poll = 300;
    tenant = await app.tenant();
    owner = await tenant.owner();
    startTicking();
    send({ Subject: "from before" });
    channelId = await mailbox();
    await eventually(async () => expect(await held(channelId)).toHaveLength(1));
  });
  afterAll(async () => {
    clearInterval(ticking);
    await nodes?.close();
    await Promise.all([smtp?.close(), imap?.close(), plain?.close()]);
  });
  beforeEach(() => {
    smtp.delivered.length = 0;
  });

  test("is looked into when mail comes, as the lag at /metrics shows", async () => {
    /** Of the process that reads it; the other one shows 0. */
    const lag = async (): Promise<number> => {
      const texts = await Promise.all([nodes.a, nodes.b].map((node) => node.app.get(Metrics).text()));
      return Math.max(...texts.map((text) => Number(/^parley_mailbox_lag_seconds (.+)$/m.exec(text)![1])));
    };
    await settled();
    const lookedBefore = await vi.waitFor(
      async () => {
        const seconds = await lag();
        expect(seconds).toBeGreaterThan(1);
        return performance.now() - 1_000 * seconds;
      },
      { timeout: 100_000, interval: 500 },
    );
    await settled();
    await eventually(async () =>
      expect(performance.now() - 1_000 * (await lag())).toBeGreaterThan(lookedBefore + 1_000),
    );
  });

  test("is imported from the moment of its connection, and is not changed", async () => {
    send({ Subject: "the first one" }, "Where is it?\n\n-- \nAda");
    const { id, contactId } = await conversationOf("the first one");
    expect(await messages(id)).toMatchObject([
      {
        direction: "inbound",
        authorType: "contact",
        authorId: contactId,
        body: "Where is it?",
        externalId: expect.stringMatching(/^<.*@example\.org>$/),
      },
    ]);
    expect((await tenant.live.get(`/api/contacts/${contactId}`, 200)).body).toMatchObject({
      name: "Ada Lovelace",
      emails: [{ value: "ada@example.org" }],
    });
    expect((await conversations()).map(({ subject }) => subject)).not.toContain("from before");
    expect(imap.inbox().seen).toBe(0);
  });

  test("is imported from the moment at which the channel is active, also before anybody reads the mailbox", async () => {
    await stopTicking();
    const before = channelId;
    try {
      imap.deliver(mail({ Subject: "from before the channel", To: "sales@example.com" }), "sales");
      channelId = await mailbox(imap, owner, tenant.defaults.workspaceId, "sales");
      imap.deliver(mail({ Subject: "in between", To: "sales@example.com" }), "sales");
      expect(await held(channelId)).toEqual([]);
      startTicking();
      await conversationOf("in between");
      expect((await conversations()).map(({ subject }) => subject)).toEqual(["in between"]);
    } finally {
      await owner.patch(`/api/channels/${channelId}`, { enabled: false }, 200);
      channelId = before;
      startTicking();
    }
  });

  test("exchanges a whole thread, in both directions", async () => {
    const [first, second] = [`<${randomUUID()}@example.org>`, `<${randomUUID()}@example.org>`];
    send({ Subject: "The whole way", "Message-ID": first }, "Where is it?");
    const { id } = await conversationOf("The whole way");
    const file = await upload(tenant.live, Buffer.from("A label"), "label.txt", "text/plain");
    const messageId = (
      await tenant.live.post(`/api/conversations/${id}/reply`, { body: "It left.", attachmentIds: [file.id] }, 200)
    ).body.messageId;
    await deliver(app);
    expect(smtp.delivered).toHaveLength(1);
    const { headers, to } = smtp.delivered[0]!;
    expect(to).toEqual(["ada@example.org"]);
    expect(headers).toMatchObject({
      subject: "Re: The whole way",
      "in-reply-to": first,
      references: first,
      "message-id": `<${messageId}@parley.example.com>`,
      "x-loop": "support@example.com",
    });
    expect(headers).not.toHaveProperty("auto-submitted");
    expect(smtp.sources[0]).toContain("filename=label.txt");
    send(
      {
        Subject: "Re: The whole way",
        "Message-ID": second,
        "In-Reply-To": `<${messageId}@parley.example.com>`,
        References: `${first} <${messageId}@parley.example.com>`,
      },
      `Thanks!\n\nOn Tue, Nov 18, 2025 at 10:12, Support <support@example.com> wrote:\n> It left.`,
    );
    expect((await messagesUntil(id, 3))[2]).toMatchObject({
      direction: "inbound",
      body: "Thanks!",
      attachments: [{ fileName: "original.eml", contentType: "message/rfc822" }],
    });
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "You are welcome." }, 200);
    await deliver(app);
    expect(smtp.delivered[1]!.headers).toMatchObject({
      "in-reply-to": second,
      references: `${first} <${messageId}@parley.example.com> ${second}`,
    });
    // By the References header alone, newest first.
    send({ Subject: "Another subject", References: `<unknown@example.org> ${first}` }, "Once more");
    expect((await messagesUntil(id, 5)).map(({ body }) => body)).toContain("Once more");
    expect((await conversations()).filter(({ subject }) => subject === "Another subject")).toEqual([]);
  });

  test("keeps strangers out of a conversation, whatever a mail refers to, and starts a new one if a mail refers to nothing", async () => {
    const first = `<${randomUUID()}@example.org>`;
    send({ Subject: "Ada's own", "Message-ID": first });
    const { id } = await conversationOf("Ada's own");
    const messageId = (await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Hello Ada" }, 200)).body
      .messageId;
    send({
      From: "eve@example.net",
      Subject: "Re: Ada's own",
      "In-Reply-To": `<${messageId}@parley.example.com>`,
      References: first,
    });
    const { id: another } = await conversationOf("Re: Ada's own");
    expect(another).not.toBe(id);
    expect(await messages(id)).toHaveLength(2);
    send({ Subject: "A new matter" });
    expect((await conversationOf("A new matter")).id).not.toBe(id);
  });

  test("decodes names, Reply-To, other alphabets and international domains, and stores addresses in lower case", async () => {
    send(
      {
        From: "=?utf-8?B?SsO8cmdlbiBNw7xsbGVy?= <Juergen@XN--MLLER-KVA.example>",
        Subject: "=?iso-8859-1?Q?Gr=FC=DFe?=",
        "Content-Type": "text/plain; charset=iso-8859-1",
        "Content-Transfer-Encoding": "quoted-printable",
      },
      "sch=F6n",
    );
    const one = await conversationOf("Grüße");
    expect((await messages(one.id))[0]!.body).toBe("schön");
    expect((await tenant.live.get(`/api/contacts/${one.contactId}`, 200)).body).toMatchObject({
      name: "Jürgen Müller",
      emails: [{ value: "juergen@müller.example" }],
    });
    send({
      From: "Shop <noreply@shop.example>",
      "Reply-To": '"Grace Hopper" <Grace@Example.org>',
      Subject: "By the form",
    });
    const { contactId } = await conversationOf("By the form");
    expect((await tenant.live.get(`/api/contacts/${contactId}`, 200)).body).toMatchObject({
      name: "Grace Hopper",
      emails: [{ value: "grace@example.org" }],
    });
  });

  test("imports attachments, inline images and HTML, and notes what was refused", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const part = (head: string, body: string): string => `--x\n${head}\n\n${body}\n`;
    send(
      { Subject: "With files", "MIME-Version": "1.0", "Content-Type": "multipart/mixed; boundary=x" },
      [
        part("Content-Type: text/html; charset=utf-8", '<p>Look at <b>this</b>:</p><img src="cid:one">'),
        part(
          'Content-Type: image/png\nContent-ID: <one>\nContent-Disposition: inline; filename="dot.png"\nContent-Transfer-Encoding: base64',
          png,
        ),
        part('Content-Type: text/plain; name="a.txt"\nContent-Disposition: attachment; filename="a.txt"', "A text"),
        part('Content-Type: application/octet-stream\nContent-Disposition: attachment; filename="virus.exe"', "MZ"),
      ]
        .join("")
        .concat("--x--\n"),
    );
    const { id } = await conversationOf("With files");
    const { body, attachments } = (await messages(id))[0]!;
    expect(body).toMatch(/^Look at this:/);
    expect(body).toContain("[virus.exe: Executable files are not accepted]");
    expect(attachments.map(({ fileName, contentType }) => [fileName, contentType])).toEqual([
      ["dot.png", "image/png"],
      ["a.txt", "text/plain"],
    ]);
    expect((await (await download(app, tenant.live, attachments[1]!.id)).text()).trim()).toBe("A text");
  });

  test("imports nothing twice, and nothing older, after the server has renumbered it", async () => {
    send({ Subject: "Before the move" });
    await conversationOf("Before the move");
    await imap.kill();
    imap.renumber();
    send({ Subject: "During the move" });
    await imap.start();
    await conversationOf("During the move");
    await settled();
    const subjects = (await conversations()).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject === "Before the move")).toHaveLength(1);
  });

  test("a mail that came tomorrow, and is gone by then, hides none after the server has renumbered it", async () => {
    imap.deliver(mail({ Subject: "From tomorrow" }), "support", new Date(Date.now() + 86_400_000));
    await conversationOf("From tomorrow");
    await imap.kill();
    imap.empty();
    imap.renumber();
    send({ Subject: "From today" });
    send({ Subject: "Also from today" });
    await imap.start();
    await conversationOf("From today");
    await conversationOf("Also from today");
  });

  const BROKEN: [string, () => string | Buffer, RegExp][] = [
    ["no head at all", () => "just words", /./],
    ["nothing", () => "\r\n", /names no sender/],
    // Dovecot hands a NUL out as the byte 80, which is the euro of Windows-1252.
    ["NUL bytes", () => mail({ Subject: "nul\0l" }, "a\0b"), /^a[\ufffd€]?b/],
    ["a boundary that never comes", () => mail({ "Content-Type": "multipart/mixed; boundary=never" }, "lost"), /./],
    [
      "an unknown charset and encoding",
      () => mail({ "Content-Type": "text/plain; charset=klingon", "Content-Transfer-Encoding": "x-what" }, "qapla"),
      /qapla/,
    ],
    ["no sender", () => mail({ From: "", "Return-Path": "" }, "who am I"), /who am I\n\n\[The mail names no sender\]/],
    ["a very long text", () => mail({}, "long ".repeat(40_000)), /The text goes on in original\.eml/],
    [
      "a lone surrogate",
      () => mail({ "Content-Type": "application/json; charset=utf-16", Subject: "=?utf-8?B?7aCA?=" }, "{}"),
      /./,
    ],
    [
      "40 MB and more",
      () => mail({ "Content-Type": "text/plain" }, `The beginning\n${"x".repeat(76).concat("\n").repeat(600_000)}`),
      /more than 40 MB are not taken in/,
    ],
  ];
  test("imports the readable parts of every broken mail, and continues with the next mail", async () => {
    const before = await now();
    for (const [, make] of BROKEN) imap.deliver(make());
    await settled();
    const made = await mailedSince(before);
    expect(made).toHaveLength(BROKEN.length);
    // They come in as they were delivered.
    for (const [n, [what, , expected]] of BROKEN.entries()) expect(made[n]!.body, what).toMatch(expected);
  });

  test.each([
    [1, "is parsed", /^It does no harm/],
    [2, "comes in without being parsed, as a whole", /could not be read/],
  ])("a mail whose parsing ended the process %d times %s", async (attempts, _, expected) => {
    // As the process leaves it that dies while it parses the next mail.
    await app.db.query("update mailbox set reading_uid = last_uid + 1, reading_attempts = $2 where channel_id = $1", [
      channelId,
      attempts,
    ]);
    const before = await now();
    send({ Subject: `After ${attempts}` }, "It does no harm");
    await settled();
    const [made] = await mailedSince(before);
    expect((await messages(made!.id))[0]).toMatchObject({
      body: expect.stringMatching(expected),
      attachments: attempts === 1 ? [] : [expect.objectContaining({ fileName: "original.eml" })],
    });
  });

  test("imports each mail once, including duplicates and mails without a Message-ID", async () => {
    const twice = mail({ Subject: "Twice" });
    imap.deliver(twice);
    imap.deliver(twice);
    const nameless = mail({ Subject: "Nameless", "Message-ID": "" });
    imap.deliver(nameless);
    imap.deliver(nameless);
    // What a broken program writes into each of its mails.
    for (const n of [1, 2]) send({ Subject: `Nameless ${n}`, "Message-ID": "<>" });
    await settled();
    expect(
      (await conversations())
        .map(({ subject }) => subject)
        .filter((subject) => /Twice|Nameless/.test(subject!))
        .sort(),
    ).toEqual(["Nameless", "Nameless 1", "Nameless 2", "Twice"]);
  });

  test("stores nothing from blocked contacts", async () => {
    send({ From: "mallory@example.net", Subject: "Let me in" });
    const { contactId } = await conversationOf("Let me in");
    await tenant.live.patch(`/api/contacts/${contactId}`, { blocked: true }, 200);
    send({ From: "mallory@example.net", Subject: "needle-blocked" }, "needle-blocked\n\n-- \nneedle-blocked");
    await settled();
    expect(await tablesWith(app.db, "needle-blocked")).toEqual({});
    expect(await app.db.query("select 1 from attachment where message_id is null")).toEqual([]);
  });

  describe("that receives automatic mail", () => {
    /** So many conversations of one message each that was answered by mail. */
    async function sent(count = 1): Promise<{ id: string; messageId: string }[]> {
      const subjects = Array.from({ length: count }, () => `A parcel ${randomUUID()}`);
      for (const subject of subjects) send({ Subject: subject });
      const answered = subjects.map(async (subject) => {
        const id = await conversationIdOf(subject);
        const { body } = await tenant.live.post(`/api/conversations/${id}/reply`, { body: "It left." }, 200);
        return { id, messageId: body.messageId };
      });
      const all = await Promise.all(answered);
      await deliver(app);
      return all;
    }
    const attentionOf = async (id: string) =>
      (await tenant.live.get("/api/attention-items?type=channel_error&limit=100", 200)).body.data.filter(
        ({ conversationId }) => conversationId === id,
      );
    const dsn = (messageId: string, action: string, code: string, recipient = "ada@example.org"): string =>
      mail(
        {
          From: "Mail Delivery System <MAILER-DAEMON@mx.example.org>",
          Subject: "Undelivered",
          "Return-Path": "<>",
          "Content-Type": "multipart/report; report-type=delivery-status; boundary=b",
          "Auto-Submitted": "auto-replied",
        },
        `--b
Content-Type: text/plain

Sorry.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; ${recipient}
Action: ${action}
Status: ${code}
Diagnostic-Code: smtp; 550 ${code} no such user

--b
Content-Type: message/rfc822

References: <${randomUUID()}@parley>
Message-ID: <${messageId}@parley.example.com>
Subject: Re: x

It left.
--b--
`,
      );

    test("marks the message as failed after a bounce, and starts no conversation", async () => {
      const [{ id, messageId }] = (await sent()) as [{ id: string; messageId: string }];
      const before = await now();
      imap.deliver(dsn(messageId, "delayed", "4.4.1"));
      await settled();
      expect((await messages(id))[1]).toMatchObject({ deliveryStatus: "sent" });
      for (let n = 0; n < 2; n++) imap.deliver(dsn(messageId, "failed", "5.1.1"));
      imap.deliver(dsn(randomUUID(), "failed", "5.1.1"));
      await settled();
      const all = await messages(id);
      expect(all[1]).toMatchObject({ deliveryStatus: "failed" });
      expect(all.slice(2)).toMatchObject([
        {
          direction: "internal",
          authorType: "system",
          body: "The mail to ada@example.org was not delivered: there is no such address (550 5.1.1 no such user)",
        },
      ]);
      expect(await attentionOf(id)).toMatchObject([
        {
          type: "channel_error",
          severity: "high",
          occurrences: 1,
          reason: "A mail was not delivered: there is no such address",
        },
      ]);
      expect(await mailedSince(before)).toEqual([]);
    });

    test("notes the bounce of a forwarded message and of a copy, and leaves what reached the contact as it is", async () => {
      const [{ id, messageId }] = (await sent()) as [{ id: string; messageId: string }];
      const { body: forwarded } = await tenant.live.post(
        `/api/messages/${messageId}/forward`,
        { to: ["carrier@example.net"], attachments: false },
        200,
      );
      const { body: copied } = await tenant.live.post(
        `/api/conversations/${id}/reply`,
        { body: "Both of you", cc: ["grace@example.net"] },
        200,
      );
      await deliver(app);
      for (let n = 0; n < 2; n++) {
        imap.deliver(dsn(forwarded.messageId, "failed", "5.2.2", "carrier@example.net"));
        imap.deliver(dsn(copied.messageId, "failed", "5.1.10", "grace@example.net"));
      }
      await settled();
      const all = await messages(id);
      expect(all.map(({ deliveryStatus }) => deliveryStatus)).not.toContain("failed");
      expect(all.filter(({ authorType }) => authorType === "system").map(({ body }) => body)).toEqual([
        "The forwarded mail to carrier@example.net was not delivered: the mailbox is full (550 5.2.2 no such user)",
        "The mail to grace@example.net was not delivered: this address takes no mail (550 5.1.10 no such user)",
      ]);
      expect(await attentionOf(id)).toMatchObject([{ type: "channel_error", occurrences: 2 }]);
    });

    describe("from whoever knows the Message-ID", () => {
      /** A reply with others in copy. */
      async function copied(cc: readonly string[]): Promise<{ id: string; messageId: string }> {
        const [{ id }] = (await sent()) as [{ id: string; messageId: string }];
        const { body } = await tenant.live.post(`/api/conversations/${id}/reply`, { body: "All of you", cc }, 200);
        await deliver(app);
        return { id, messageId: body.messageId };
      }
      const statusOf = async (id: string, messageId: string) =>
        (await messages(id)).find((one) => one.id === messageId)!.deliveryStatus;
      const notes = async (id: string): Promise<string[]> =>
        (await messages(id)).filter(({ authorType }) => authorType === "system").map(({ body }) => body);

      test("reports about addresses that were not written to make one note without them, and no failure", async () => {
        const { id, messageId } = await copied(["grace@example.net"]);
        for (let n = 0; n < 5; n++) imap.deliver(dsn(messageId, "failed", "5.1.1", `needle-${n}@example.net`));
        await settled();
        expect(await notes(id)).toEqual([
          "The mail was not delivered: there is no such address (550 5.1.1 no such user)",
        ]);
        expect(await statusOf(id, messageId)).toBe("sent");
        expect(await attentionOf(id)).toMatchObject([{ occurrences: 1 }]);
        const { body: forwarded } = await tenant.live.post(
          `/api/messages/${messageId}/forward`,
          { to: ["carrier@example.net"], attachments: false },
          200,
        );
        await deliver(app);
        for (let n = 0; n < 5; n++)
          imap.deliver(dsn(forwarded.messageId, "failed", "5.1.1", `needle-${n}@example.net`));
        await settled();
        expect((await notes(id)).slice(1)).toEqual([
          "The forwarded mail was not delivered: there is no such address (550 5.1.1 no such user)",
        ]);
      });

      test("at most ten are noted for those in copy, and the contact's own still is", async () => {
        const cc = Array.from({ length: 12 }, (_, n) => `grace-${n}@example.net`);
        const { id, messageId } = await copied(cc);
        for (const one of cc) imap.deliver(dsn(messageId, "failed", "5.1.1", one));
        imap.deliver(dsn(messageId, "failed", "5.1.1"));
        await settled();
        const all = await notes(id);
        expect(all.filter((text) => text.includes("grace-"))).toHaveLength(10);
        expect(all.at(-1)).toContain("The mail to ada@example.org was not delivered");
        expect(await statusOf(id, messageId)).toBe("failed");
      });

      test.each([
        ["delivered", "2.0.0"],
        ["displayed", ""],
      ])("that a copy was %s says nothing about the contact, and hides no bounce", async (action, code) => {
        const { id, messageId } = await copied(["grace@example.net"]);
        const report = (recipient: string): string =>
          dsn(messageId, action, code, recipient).replace(
            "Action: displayed",
            "Disposition: manual-action/MDN-sent-manually; displayed",
          );
        imap.deliver(report("grace@example.net"));
        await settled();
        expect(await statusOf(id, messageId)).toBe("sent");
        imap.deliver(report("ada@example.org"));
        imap.deliver(dsn(messageId, "failed", "5.1.1"));
        await settled();
        expect(await statusOf(id, messageId)).toBe(action === "displayed" ? "read" : "delivered");
        expect(await notes(id)).toEqual([expect.stringContaining("The mail to ada@example.org was not delivered")]);
        expect(await attentionOf(id)).toMatchObject([{ occurrences: 1 }]);
      });
    });

    test("says what the mail server of the mailbox did not take, and asks for attention", async () => {
      smtp.unknown.add("ada@example.org");
      try {
        const [{ id }] = (await sent()) as [{ id: string; messageId: string }];
        const [, reply, note] = await messagesUntil(id, 3);
        expect(reply).toMatchObject({ deliveryStatus: "failed" });
        expect(note).toMatchObject({
          direction: "internal",
          body: expect.stringMatching(/^The mail was not delivered: .* does not take mail to this address: 550$/),
        });
        expect(await attentionOf(id)).toMatchObject([{ type: "channel_error" }]);
      } finally {
        smtp.unknown.clear();
      }
    });

    test("marks the message as delivered after a delivery report", async () => {
      const [{ id, messageId }] = (await sent()) as [{ id: string; messageId: string }];
      imap.deliver(dsn(messageId, "delivered", "2.0.0"));
      await eventually(async () => expect((await messages(id))[1]).toMatchObject({ deliveryStatus: "delivered" }));
    });

    test("keeps an automatic reply as a note, whatever shows that it is one, and reopens nothing", async () => {
      const signs: Record<string, Record<string, string>> = {
        "Auto-Submitted: auto-replied": { "Auto-Submitted": "auto-replied" },
        "an empty sender": { "Return-Path": "<>" },
        "X-Autoreply": { "X-Autoreply": "yes" },
        "Precedence: auto_reply": { Precedence: "auto_reply" },
        "Exchange's headers": { "X-Auto-Response-Suppress": "All", "Auto-Submitted": "auto-generated" },
        "its subject": { Subject: "Automatische Antwort: Bestellung" },
      };
      const all = await sent(Object.keys(signs).length);
      for (const { id } of all)
        await tenant.live.post(`/api/conversations/${id}/resolve`, { resolution: "answered" }, 200);
      for (const [n, headers] of Object.values(signs).entries()) {
        const subject = `Out until Monday ${randomUUID()}`;
        send(
          { "In-Reply-To": `<${all[n]!.messageId}@parley.example.com>`, Subject: subject, ...headers },
          "I am away.",
        );
      }
      for (const [n, sign] of Object.keys(signs).entries()) {
        const { id } = all[n]!;
        expect((await messagesUntil(id, 3))[2], sign).toMatchObject({
          direction: "internal",
          body: "Automatic reply from ada@example.org:\n\nI am away.",
        });
        expect((await tenant.live.get(`/api/conversations/${id}`, 200)).body, sign).toMatchObject({
          status: "resolved",
          waitingSince: null,
        });
      }
    });

    test("starts no conversation for an unrelated automatic reply or its own mail, but does for a shop's order mail", async () => {
      const before = await now();
      send({ "Auto-Submitted": "auto-replied", Subject: "Away" });
      send({ From: "Support <support@example.com>", Subject: "From ourselves" });
      send({ "X-Loop": "support@example.com", Subject: "In a circle" });
      send({ From: "shop@example.net", "Auto-Submitted": "auto-generated", Subject: "Order 4711" });
      expect(await conversationOf("Order 4711")).toMatchObject({
        metadata: { email: "shop@example.net", automatic: true },
      });
      // Only its subject sounds like one.
      send({ Subject: "Afwezigheid van mijn dochter" });
      expect(await conversationOf("Afwezigheid van mijn dochter")).toMatchObject({ metadata: { automatic: true } });
      await settled();
      expect(await mailedSince(before)).toHaveLength(2);
    });

    test("ends a mail loop, whatever the headers say", async () => {
      const from = `${randomUUID()}@example.org`;
      for (let n = 0; n < 63; n++) send({ From: from, Subject: `Loop ${n}` });
      await settled();
      const [notes] = await app.db.query<{ count: number }>(
        `select count(*)::int as count from message where body like 'More than 60 mails within an hour from ' || $1 || '%' and direction = 'internal'`,
        [from],
      );
      expect(notes!.count).toBe(3);
      expect(
        (
          await tenant.live.get(`/api/conversations?workspaceId=${tenant.defaults.workspaceId}&limit=100`, 200)
        ).body.data.filter((one) => /^Loop/.test(one.subject!)),
      ).toHaveLength(60);
    });

    test("marks automatic messages", async () => {
      const [{ id }] = (await sent()) as [{ id: string; messageId: string }];
      await tenant.live.post(`/api/conversations/${id}/release`, undefined, 200).catch(() => undefined);
      await app.db.query(`update conversation set handling_mode = 'assistant' where id = $1`, [id]);
      await tenant.live.post(`/api/conversations/${id}/reply`, { body: "By itself", keepAssistant: true }, 200);
      await deliver(app);
      expect(smtp.delivered.at(-1)!.headers).toMatchObject({ "auto-submitted": "auto-replied" });
    });
  });

  test("on a server without IDLE is polled at the configured interval", async () => {
    await inThePolledMailbox(async () => {
      for (let n = 0; n < 3; n++) {
        send({ Subject: `Polled ${n}` }, undefined, plain);
        await conversationIdOf(`Polled ${n}`);
      }
    });
  });

  test("is released at once when it is disabled, and later continues where it stopped", async () => {
    const connections = (): Promise<{ holder: string | null }[]> =>
      app.db.query<{ holder: string | null }>("select holder from mailbox_lease where channel_id = $1", [channelId]);
    await tenant.live.patch(`/api/channels/${channelId}`, { enabled: false }, 200);
    expect(await connections()).toEqual([]);
    send({ Subject: "While it was off" });
    // Another mailbox of the server gets its mail meanwhile.
    await inThePolledMailbox(() => settled(plain));
    expect((await conversations()).map(({ subject }) => subject)).not.toContain("While it was off");
    await tenant.live.patch(`/api/channels/${channelId}`, { enabled: true }, 200);
    await provision(app);
    await conversationOf("While it was off");
    await tenant.live
      .patch(`/api/workspaces/${tenant.defaults.workspaceId}`, { status: "archived" }, 200)
      .catch(() => owner.patch(`/api/workspaces/${tenant.defaults.workspaceId}`, { status: "archived" }, 200));
    expect(await connections()).toEqual([]);
    await owner.patch(`/api/workspaces/${tenant.defaults.workspaceId}`, { status: "inactive" }, 200);
    expect(await connections()).toHaveLength(1);
    await owner.patch(`/api/workspaces/${tenant.defaults.workspaceId}`, { status: "active" }, 200);
    await settled();
  });

  test("with a refused password is in error at once, and works again with a new one; the password is stored nowhere in plain text", async () => {
    await imap.password("another-needle");
    imap.killConnections();
    await eventually(async () =>
      expect(await status()).toMatchObject({
        status: "error",
        provisioning: {
          lastError: expect.stringMatching(/receiving .* refused the user name or the password$/),
          nextRetryAt: null,
        },
      }),
    );
    // Mails that were not delivered ask for attention, too.
    const { data: items } = (await tenant.live.get("/api/attention-items?type=channel_error&status=open", 200)).body;
    expect(items.filter((item) => item.channelId === channelId)).toHaveLength(1);
    await tenant.live.put(
      `/api/channels/${channelId}/credentials`,
      { credentials: { username: "support", password: "another-needle" } },
      200,
    );
    await provision(app);
    send({ Subject: "With another password" });
    await conversationOf("With another password");
    for (const needle of [PASSWORD, "another-needle"]) expect(await tablesWith(app.db, needle)).toEqual({});
    await imap.password(PASSWORD);
    await tenant.live.put(
      `/api/channels/${channelId}/credentials`,
      { credentials: { username: "support", password: PASSWORD } },
      200,
    );
    await provision(app);
  });

  test("that is unreachable raises an attention item after five minutes, and recovers by itself", async () => {
    await imap.kill();
    await eventually(async () =>
      expect(await status()).toMatchObject({
        status: "active",
        provisioning: { lastError: expect.stringMatching(/nothing listens on the port$/) },
      }),
    );
    await app.db.query(`update mailbox set failing_since = now() - interval '6 minutes' where channel_id = $1`, [
      channelId,
    ]);
    await eventually(async () =>
      expect(await status()).toMatchObject({ status: "error", provisioning: { attempts: 1 } }),
    );
    send({ Subject: "While nobody looked" });
    await imap.start();
    await provision(app);
    await conversationOf("While nobody looked");
    expect(await status()).toMatchObject({ status: "active", provisioning: { lastError: null } });
  });

  test(
    "is read by one process at a time, and mailboxes are shared evenly, also with a process that starts later",
    { timeout: 90_000 },
    async () => {
      clearInterval(ticking);
      await app.db.query("delete from mailbox_lease");
      for (const node of [nodes.a, nodes.b]) await node.app.get(Mailboxes).tick();
      const ids = await Promise.all(MANY.map((name) => connected(imap, owner, tenant.defaults.workspaceId, name)));
      await provision(app);
      const counts = async (): Promise<number[]> =>
        (
          await app.db.query<{ count: number }>(
            "select count(*)::int as count from mailbox_lease where held_until > now() and holder is not null group by holder order by 1",
          )
        ).map(({ count }) => count);
      await eventually(async () => {
        await nodes.a.app.get(Mailboxes).tick();
        expect(await counts()).toEqual([9]);
      });
      const third = await startApp({ OUTBOUND_ALLOW: app.config.OUTBOUND_ALLOW, LOG_LEVEL: "error" }, app.db);
      await eventually(async () => {
        for (const node of [nodes.a, nodes.b, third]) await node.app.get(Mailboxes).tick();
        expect(await counts()).toEqual([3, 3, 3]);
        // A mailbox is released when its lease has expired, however slow the server is.
      }, 40_000);
      await third.close();
      await eventually(async () => {
        for (const node of [nodes.a, nodes.b]) await node.app.get(Mailboxes).tick();
        const now = await counts();
        expect(now.reduce((sum, count) => sum + count, 0)).toBe(9);
        expect(now).toHaveLength(2);
      });
      for (const id of ids) await tenant.live.patch(`/api/channels/${id}`, { enabled: false }, 200);
    },
  );

  test("on the test side is never opened", async () => {
    const client = await tenant.owner("test");
    const id = await mailbox(imap, client, tenant.testDefaults.workspaceId);
    expect((await tenant.test.get(`/api/channels/${id}`, 200)).body).toMatchObject({ status: "active" });
    expect(await app.db.query("select 1 from mailbox_lease where channel_id = $1", [id])).toEqual([]);
  });
});
