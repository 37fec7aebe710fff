import { createHash, randomUUID } from "node:crypto";
import { execFile } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ReplyAddresses } from "../../../src/channels/email/reply-addresses.js";
import { AWS } from "../../../src/channels/email/webhooks/aws.js";
import { MailWebhooksService } from "../../../src/channels/email/webhooks/mail-webhooks.service.js";
import { concurrently, startTwo, tally, type TwoNodes } from "../../races/support.js";
import { keyFor, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { longestTurn } from "../../support/cost.js";
import { eventually } from "../../support/eventually.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { newFolder } from "../process/support.js";
import { type NameServer, startNameServer } from "../security/name-server.js";
import {
  ADDRESS,
  type Aws,
  basic,
  byMailgun,
  byPostmark,
  bySns,
  mail,
  post,
  postmarkBody,
  received,
  S3_KEYS,
  SECRET,
  signature,
  SIGNING_KEY,
  sns,
  startAws,
  TOPIC,
} from "./mail-webhook-support.js";
import { deliver, provision } from "./support.js";

let smtp: MailServer;
let aws: Aws;
let names: NameServer;
let nodes: TwoNodes;
let app: TestApp;
let tenant: TestTenant;
let owner: Client;

const LOGIN = { username: "support", password: "secret" };
const INBOUND = {
  postmark: [{ provider: "postmark" }, { webhookSecret: SECRET }],
  mailgun: [{ provider: "mailgun" }, { signingKey: SIGNING_KEY }],
  ses: [{ provider: "ses", topicArn: TOPIC, bucket: "mails" }, S3_KEYS],
} as const;
const sending = (): object => ({ smtp: { host: "127.0.0.1", port: smtp.port, security: "none" } });
async function channel(
  provider: keyof typeof INBOUND,
  { settings = {}, by = owner, workspaceId = tenant.defaults.workspaceId, address = ADDRESS } = {},
): Promise<{ id: string; url: string }> {
  const [inbound, credentials] = INBOUND[provider];
  const body = {
    type: "email",
    name: `By ${provider}`,
    address,
    settings: { ...sending(), inbound: { ...inbound, ...settings } },
    credentials: { ...LOGIN, ...credentials },
  };
  const made = (await by.post(`/api/workspaces/${workspaceId}/channels`, body, 201)).body;
  await provision(app);
  return { id: made.id, url: app.baseUrl + made.webhookPath! };
}
const tested = async (id: string) => (await owner.post(`/api/channels/${id}/test`, undefined, 200)).body.lastTest;
const messages = (channelId: string): Promise<{ body: string; subject: string; conversationId: string }[]> =>
  app.db.query(
    `select m.body, c.subject, c.id as "conversationId" from message m
     join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
     where c.channel_id = $1 and m.direction = 'inbound' order by m.created_at`,
    [channelId],
  );
const subjects = async (channelId: string): Promise<string[]> =>
  (await messages(channelId)).map(({ subject }) => subject);
const openItems = async (channelId: string) =>
  (await owner.get("/api/attention-items?status=open&limit=100", 200)).body.data.filter(
    (item) => item.channelId === channelId,
  );
const unauthorised = { status: 401, text: JSON.stringify({ error: "Unauthorized" }) };

beforeAll(async () => {
  smtp = await startMailServer();
  aws = await startAws();
  // Another partition, on loopback.
  AWS["aws-test"] = () => aws.url;
  names = await startNameServer((name) => ({ silent: name.endsWith(".silent.example") }));
  nodes = await startTwo({
    DNS_SERVERS: [`127.0.0.1:${names.port}`],
    OUTBOUND_ALLOW: [`127.0.0.1:${smtp.port}`, aws.host],
    TRUSTED_PROXIES: ["127.0.0.1"],
  });
  app = nodes.a;
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await nodes?.close();
  names?.close();
  await Promise.all([smtp?.close(), aws?.close()]);
  delete AWS["aws-test"];
});

describe("a channel whose mails come by webhook", () => {
  test.each([
    [
      { inbound: { provider: "postmark" }, imap: { host: "imap.example.com", port: 993 } },
      "inbound cannot be set beside imap",
    ],
    [
      { inbound: { provider: "postmark" }, signIn: { provider: "google", clientId: "x" } },
      "inbound cannot be set beside signIn",
    ],
    [{ inbound: { provider: "sendgrid" } }, "provider must be one of"],
    [{ inbound: { provider: "ses" } }, "topicArn must be the ARN of an SNS topic"],
    [{ inbound: { provider: "ses", topicArn: "arn:aws:sqs:eu-central-1:123456789012:mails" } }, "topicArn must be"],
    [{ inbound: { provider: "ses", topicArn: "arn:evil:sns:eu-central-1:123456789012:mails" } }, "topicArn must be"],
    [{ inbound: { provider: "mailgun", topicArn: TOPIC } }, "topicArn is for the provider ses"],
    [{ inbound: { provider: "ses", topicArn: TOPIC, bucket: "a/../b" } }, "bucket must be"],
    [{ inbound: { provider: "ses", topicArn: TOPIC, bucketRegion: "evil.example" } }, "bucketRegion must be"],
  ])("is refused with %j", async (settings, why) => {
    const { body } = await owner.post<{ error: string }>(
      `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
      { type: "email", name: "x", address: ADDRESS, settings: { ...sending(), ...settings } },
      400,
    );
    expect(body.error).toContain(why);
  });

  test("has a path that its provider calls, shows no secret, and is read by nobody", async () => {
    const { id } = await channel("postmark");
    const { text, body } = await owner.get(`/api/channels/${id}`, 200);
    expect(body).toMatchObject({
      status: "active",
      hasCredentials: true,
      webhookPath: `/api/webhooks/mail/${id}/mime`,
    });
    expect(text).not.toContain(SECRET);
    expect(await app.db.query("select 1 from mailbox_lease where channel_id = $1", [id])).toEqual([]);
  });

  test.each(["postmark", "mailgun", "ses"] as const)(
    "its test says what to set at %s while nothing has come",
    async (provider) => {
      const { id } = await channel(provider);
      expect(await tested(id)).toMatchObject({
        ok: false,
        message: expect.stringMatching(
          /^Signed in to send\. Nothing has come from (Postmark|Mailgun|Amazon SES) yet: /,
        ),
      });
    },
  );

  test("is set up by callers that reach the whole organisation, and loses its credentials with its provider", async () => {
    const { id } = await channel("postmark");
    const { workspaceId } = tenant.defaults;
    const restricted = await keyFor(owner, { dataScope: { level: "workspace", workspaceId } });
    const to = (inbound: object | null, more: object = {}) => ({ settings: { ...sending(), inbound, ...more } });
    await restricted.patch(`/api/channels/${id}`, to({ provider: "mailgun" }), 403);
    await restricted.patch(`/api/channels/${id}`, to(null), 403);
    await restricted.patch(`/api/channels/${id}`, { address: "other@example.com" }, 403);
    await restricted.put(
      `/api/channels/${id}/credentials`,
      { credentials: { ...LOGIN, webhookSecret: `${SECRET}2` } },
      403,
    );
    await restricted.patch(`/api/channels/${id}`, to({ provider: "postmark" }, { fromName: "Example" }), 200);
    // A mailbox that is read may not be switched to a webhook either.
    const imap = {
      type: "email",
      name: "IMAP",
      address: ADDRESS,
      settings: { ...sending(), imap: { host: "imap.example.com", port: 993 } },
    };
    const { body: read } = await owner.post(`/api/workspaces/${workspaceId}/channels`, imap, 201);
    await restricted.patch(`/api/channels/${read.id}`, to({ provider: "postmark" }), 403);
    const ses = await channel("ses");
    await restricted.patch(
      `/api/channels/${ses.id}`,
      to({ provider: "ses", topicArn: `${TOPIC}2`, bucket: "mails" }),
      403,
    );
    expect(
      (await owner.patch(`/api/channels/${ses.id}`, to({ provider: "ses", topicArn: TOPIC, bucket: "others" }), 200))
        .body,
    ).toMatchObject({ hasCredentials: false });
    expect((await owner.patch(`/api/channels/${id}`, to({ provider: "mailgun" }), 200)).body).toMatchObject({
      hasCredentials: false,
    });
  });

  test("takes nothing while it is disabled", async () => {
    const { id, url } = await channel("postmark");
    await owner.patch(`/api/channels/${id}`, { enabled: false }, 200);
    expect(await byPostmark(url, mail("Too late"))).toMatchObject({ status: 409 });
    expect(await subjects(id)).toEqual([]);
  });
});

describe("Postmark", () => {
  test("brings a mail once, however often it sends it", async () => {
    const { id, url } = await channel("postmark");
    const raw = mail("Grüße ✓", { headers: "Content-Type: text/plain; charset=utf-8\r\n", body: "Wo ist sie? 🙂" });
    for (let n = 0; n < 3; n++) expect(await byPostmark(url, raw)).toMatchObject({ status: 200, text: '{"ok":true}' });
    expect(await messages(id)).toMatchObject([{ body: "Wo ist sie? 🙂" }]);
    expect(await tested(id)).toMatchObject({
      ok: true,
      message: expect.stringMatching(/^Signed in to send; Postmark last sent a mail at /),
    });
  });

  test("is refused with another password, none, or for another channel, all alike and before its body", async () => {
    const { id, url } = await channel("postmark");
    const unknown = url.replace(id, randomUUID());
    const voice = url.replace(
      id,
      (await owner.get(`/api/workspaces/${tenant.defaults.workspaceId}/channels`, 200)).body[0]!.id,
    );
    for (const [to, headers] of [
      [unknown, { authorization: basic(SECRET) }],
      [voice, { authorization: basic(SECRET) }],
      [url, { authorization: basic(`${SECRET}x`) }],
      [url, { authorization: `Bearer ${SECRET}` }],
      [url, {}],
    ] as [string, Record<string, string>][]) {
      const began = performance.now();
      expect(
        await post(to, { "content-type": "application/json", ...headers }, postmarkBody(mail("Forged"))),
      ).toMatchObject(unauthorised);
      expect(performance.now() - began).toBeGreaterThan(45);
    }
    // Only the headers: nobody waits for 40 MB.
    expect(await answerTo(url, `Content-Length: 40000000\r\nAuthorization: ${basic("wrong")}\r\n`)).toMatch(
      /^HTTP\/1\.1 401 /,
    );
    expect(await subjects(id)).toEqual([]);
  });

  test("says that the raw mail is missing, in the channel's test and an attention item, until one comes", async () => {
    const { id, url } = await channel("postmark");
    const why =
      "Postmark sent a mail without RawEmail: turn on “Include raw email content in JSON payload” for the inbound stream";
    expect(await byPostmark(url, undefined)).toMatchObject({ status: 400, text: JSON.stringify({ error: why }) });
    expect(await tested(id)).toMatchObject({ ok: false, message: expect.stringContaining(why) });
    expect((await owner.get(`/api/channels/${id}`, 200)).body).toMatchObject({
      status: "active",
      provisioning: { lastError: why },
    });
    expect(await openItems(id)).toMatchObject([{ type: "channel_error", reason: `By postmark: ${why}` }]);
    expect(await byPostmark(url, mail("Whole"))).toMatchObject({ status: 200 });
    expect(await tested(id)).toMatchObject({ ok: true });
    expect((await owner.get(`/api/channels/${id}`, 200)).body).toMatchObject({ provisioning: { lastError: null } });
    expect(await openItems(id)).toEqual([]);
  });

  test.each([
    ["not JSON", "hello"],
    ["a list", "[1]"],
    ["an object that does not end", postmarkBody(mail("Cut")).slice(0, -5)],
    ["an escape that does not exist", '{"RawEmail":"a\\x"}'],
    ["nothing", ""],
  ])("is told that a body is wrong: %s", async (_, body) => {
    const { url } = await channel("postmark");
    expect(await post(url, { "content-type": "application/json", authorization: basic(SECRET) }, body)).toMatchObject({
      status: 400,
    });
  });

  test("brings what the envelope alone is addressed to: a signed address in bcc leads to its conversation", async () => {
    const { id, url } = await channel("postmark", { address: "boxes@example.com" });
    const colleague = `${randomUUID()}@example.org`;
    const contact = await mailFrom(url, "Several of us");
    const { conversationId } = (await messages(id))[0]!;
    const { messageId } = (
      await owner.post(`/api/conversations/${conversationId}/reply`, { body: "It left.", cc: [colleague] }, 200)
    ).body;
    await deliver(app);
    const signed = app.app
      .get(ReplyAddresses)
      .of("boxes@example.com", { tenantId: tenant.tenantId, conversationId, messageId: messageId })!;
    const answer = (subject: string) =>
      mail(subject, {
        from: colleague,
        headers: `In-Reply-To: <${messageId}@parley.example.com>\r\n`,
        body: subject,
      }).replace(ADDRESS, contact);
    expect(await byPostmark(url, answer("By bcc"), { recipient: signed })).toMatchObject({ status: 200 });
    expect(await byPostmark(url, answer("Elsewhere"), { recipient: "boxes@example.com" })).toMatchObject({
      status: 200,
    });
    const found = await messages(id);
    expect(found.find(({ body }) => body === "By bcc")!.conversationId).toBe(conversationId);
    expect(found.find(({ body }) => body === "Elsewhere")!.conversationId).not.toBe(conversationId);
  });

  test("brings a mail that ended the process twice without having it parsed", async () => {
    const { id, url } = await channel("postmark");
    const raw = mail("Deadly");
    await app.db.query(`insert into mail_delivery (tenant_id, channel_id, content, attempts) values ($1, $2, $3, 2)`, [
      tenant.tenantId,
      id,
      `sha256:${createHash("sha256").update(raw).digest("hex")}`,
    ]);
    expect(await byPostmark(url, raw)).toMatchObject({ status: 200 });
    expect(await messages(id)).toMatchObject([{ body: expect.stringContaining("could not be read") }]);
  });

  test("brings a mail of another sender with the same Message-ID, and not the same mail with other headers", async () => {
    const { id, url } = await channel("postmark");
    const known = { id: randomUUID(), from: "ada@example.org" };
    for (const raw of [
      mail("First", known),
      `Received: by mx.example.com\r\n${mail("First", known)}`,
      mail("Second", { ...known, from: "eve@example.net" }),
    ])
      expect(await byPostmark(url, raw)).toMatchObject({ status: 200 });
    expect(await subjects(id)).toEqual(["First", "Second"]);
  });

  test("brings one mail ten times at once to two processes, and it is one message", async () => {
    const { id, url } = await channel("postmark");
    const [raw, other] = [mail("Ten at once"), mail("As often")];
    const to = (n: number): string => url.replace(app.baseUrl, nodes[n % 2 ? "b" : "a"].baseUrl);
    const answers = await concurrently(20, (n) => byPostmark(to(n), n < 10 ? raw : `X-Copy: ${n}\r\n${other}`));
    // A repeat may come before the first one is stored: it is one more attempt, and waits.
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 20 });
    expect((await subjects(id)).sort()).toEqual(["As often", "Ten at once"]);
  });

  test("answers 200 only once the mail is stored: until then it comes again", async () => {
    const { id, url } = await channel("postmark");
    await app.db.query("alter table received_message rename to received_message_away");
    let status: number;
    try {
      ({ status } = await byPostmark(url, mail("Not yet", { id: "not-yet" })));
    } finally {
      await app.db.query("alter table received_message_away rename to received_message");
    }
    expect(status).toBeGreaterThanOrEqual(500);
    expect(await subjects(id)).toEqual([]);
    expect(await byPostmark(url, mail("Not yet", { id: "not-yet" }))).toMatchObject({ status: 200 });
    expect(await subjects(id)).toEqual(["Not yet"]);
  });
});

/** Writes a mail from somebody new. @returns their address */
async function mailFrom(url: string, subject: string): Promise<string> {
  const from = `${randomUUID()}@example.org`;
  expect(await byPostmark(url, mail(subject, { from }))).toMatchObject({ status: 200 });
  return from;
}

describe("what is large, slow or written to hurt", () => {
  const MB = 1_048_576;
  const ROUNDS = 3;
  /** A mail with a file, and as JSON: there the files are a second time. These have so many MB. */
  const large = (subject: string, mb: number): string => {
    const file = Buffer.alloc(4 * MB, "parley")
      .toString("base64")
      .replace(/.{76}/g, "$&\r\n");
    const raw = mail(subject, {
      headers: "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n",
      body: `--b\r\n\r\nHere it is\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n--b--`,
    });
    return JSON.stringify({ Attachments: [{ Name: "a.pdf", Content: "QUJD".repeat((mb * MB) / 4) }], RawEmail: raw });
  };
  const headers = { "content-type": "application/json", authorization: basic(SECRET) };

  test.skipIf(process.platform !== "linux")(
    "takes 70 MB of JSON, a million keys and deep nesting without holding up others",
    async () => {
      const { id, url } = await channel("postmark");
      // Loads what reads mails, which takes 100 ms once.
      await byPostmark(url, mail("First"));
      const bodies = [
        () => large("Large", 60),
        () =>
          `{${Array.from({ length: 1_000_000 }, (_, n) => `"k${n}":${n}`).join()},"RawEmail":${JSON.stringify(mail("Many keys"))}}`,
        () => `{"a":${"[".repeat(5_000_000)}${"]".repeat(5_000_000)},"RawEmail":${JSON.stringify(mail("Deep"))}}`,
      ];
      const sizes: number[] = [];
      for (const make of bodies) {
        const file = path.join(newFolder(), "body.json");
        fs.writeFileSync(file, make());
        sizes.push(fs.statSync(file).size);
        for (let round = 1; ; round++) {
          const longest = longestTurn();
          const status = await postFile(url, file);
          const ms = longest();
          expect(status).toBe(200);
          if (ms < 100) break;
          // The mail is in, so the next round measures only its arrival.
          expect(round, `held up the server for ${Math.round(ms)} ms`).toBeLessThan(ROUNDS);
        }
        fs.rmSync(file);
      }
      expect(sizes[0]).toBeGreaterThan(60 * MB);
      expect((await subjects(id)).sort()).toEqual(["Deep", "First", "Large", "Many keys"]);
    },
  );

  test("refuses more than a mail may have", async () => {
    const { url } = await channel("postmark");
    expect(await answerTo(url, `Content-Length: ${110 * MB}\r\nAuthorization: ${basic(SECRET)}\r\n`)).toMatch(
      /^HTTP\/1\.1 413 /,
    );
    const raw = "a".repeat(41 * MB);
    expect(await post(url, headers, JSON.stringify({ RawEmail: raw }))).toMatchObject({ status: 413 });
    const mailgun = await channel("mailgun");
    expect(await byMailgun(mailgun.url, raw)).toMatchObject({ status: 413 });
    const ses = await channel("ses");
    expect(await bySns(ses.url, sns(aws, { Message: "a".repeat(2 * MB) }))).toMatchObject({ status: 413 });
  });

  test("does not wait for a body that comes slowly", async () => {
    const { url } = await channel("postmark");
    const server = app.app.getHttpServer();
    const service = app.app.get(MailWebhooksService);
    const [{ requestTimeout }, { bodyMs }] = [server, service];
    server.requestTimeout = service.bodyMs = 500;
    const { socket, answer } = opened(url, `Content-Length: 1000\r\nAuthorization: ${basic(SECRET)}\r\n`);
    const dripping = setInterval(() => socket.write(" "), 100);
    try {
      expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      clearInterval(dripping);
      socket.destroy();
      server.requestTimeout = requestTimeout;
      service.bodyMs = bodyMs;
    }
  });

  test("lets one tenant hold a part of the memory, and says 503 beyond it", async () => {
    const [own, others] = [await channel("postmark"), await app.tenant()];
    const by = await others.owner();
    const other = await channel("postmark", { by, workspaceId: others.defaults.workspaceId });
    const head = `Content-Length: ${40 * MB}\r\nAuthorization: ${basic(SECRET)}\r\n`;
    const open = [opened(own.url, head), opened(own.url, head)];
    try {
      // One of them has room, and the other one waits for it in vain.
      expect(await Promise.race(open.map(({ answer }) => answer))).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: \d/i);
      expect(await byPostmark(other.url, mail("Of another tenant"))).toMatchObject({ status: 200 });
    } finally {
      for (const { socket } of open) socket.destroy();
    }
    expect(await byPostmark(own.url, mail("Again"))).toMatchObject({ status: 200 });
  });

  test("keeps no mail waiting for the name servers of other mails, which answer nothing", async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => app.tenant()));
    const channels: { id: string; url: string }[] = [];
    for (const one of others)
      channels.push(await channel("postmark", { by: await one.owner(), workspaceId: one.defaults.workspaceId }));
    const last = channels.at(-1)!;
    const silent = channels.slice(0, -1).flatMap(({ url }) => Array.from({ length: 2 }, () => url));
    const waiting = silent.map((url, n) => byPostmark(url, mail("Slow", { from: `eve@e${n}.silent.example` })));
    await eventually(() =>
      expect([...names.asked.keys()].filter((name) => name.includes("silent.example")).length).toBeGreaterThanOrEqual(
        4,
      ),
    );
    const fast = byPostmark(last.url, mail("Fast")).then(() => "fast");
    expect(await Promise.race([fast, ...waiting.map((one) => one.then(() => "slow"))])).toBe("fast");
    expect(tally((await Promise.all(waiting)).map(({ status }) => status))).toEqual({ 200: silent.length });
  });

  test("lets a stranger hold no room of a channel whose provider signs in the body", async () => {
    const { id, url } = await channel("mailgun");
    // Nobody may hold as much as half of the room.
    const open = Array.from({ length: 66 }, () =>
      opened(url, `Content-Length: ${MB}\r\nX-Forwarded-For: 203.0.113.7\r\n`, "multipart/form-data; boundary=x"),
    );
    try {
      expect(await Promise.race(open.map(({ answer }) => answer))).toMatch(/^HTTP\/1\.1 503 /);
      const headers = { "x-forwarded-for": "198.51.100.1" };
      expect(await byMailgun(url, mail("Of the provider"), { headers })).toMatchObject({ status: 200 });
    } finally {
      for (const { socket } of open) socket.destroy();
    }
    expect(await subjects(id)).toEqual(["Of the provider"]);
  });

  test("holds no more large mails of a bucket at once than there is room for, and brings each of them", async () => {
    const { id, url } = await channel("ses");
    const names = ["1", "2", "3"].map((n) => `large/${n}`);
    for (const name of names)
      aws.objects.set(`mails/${name}`, Buffer.from(mail(name, { body: "Large. ".repeat(1.3 * MB) })));
    const ask = (objectKey: string) =>
      bySns(url, sns(aws, { Message: received({ type: "S3", bucketName: "mails", objectKey }) }));
    // S3 keeps the rest of each back until one mail is told to come again, or all of them are held.
    const held: (() => void)[] = [];
    const release = (): void => {
      for (const end of held.splice(0)) end();
    };
    let isOpen = false;
    let most = 0;
    aws.held = (end) => {
      most = Math.max(most, held.push(end));
      if (isOpen || held.length === names.length) release();
    };
    const service = app.app.get(MailWebhooksService);
    const { elsewhereMs } = service;
    service.elsewhereMs = 1_000;
    const answers = await Promise.all(
      names.map((name) =>
        ask(name).then((answer) => {
          isOpen = true;
          release();
          return answer;
        }),
      ),
    );
    service.elsewhereMs = elsewhereMs;
    aws.held = (end) => end();
    expect(most).toBe(1);
    expect(answers.map(({ status }) => status)).toContain(503);
    for (const name of names) expect(await ask(name)).toMatchObject({ status: 200 });
    expect((await subjects(id)).sort()).toEqual(names);
  });
});

/** Posts a file from another process, so that only the server is measured. */
async function postFile(url: string, file: string): Promise<number> {
  const script = `
    const [url, authorization, file] = process.argv.slice(1);
    const headers = { authorization, "content-type": "application/json", "content-length": fs.statSync(file).size };
    const request = http.request(url, { method: "POST", headers }, (answer) => {
      console.log(answer.statusCode);
      process.exit();
    });
    fs.createReadStream(file).pipe(request);`;
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script, url, basic(SECRET), file]);
  return Number(stdout);
}

/** Sends a request whose body does not come. */
function opened(url: string, head: string, type = "application/json"): { socket: net.Socket; answer: Promise<string> } {
  const { hostname, port, pathname } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const answer = new Promise<string>((resolve, reject) => {
    socket.setEncoding("utf8").once("data", resolve).once("error", reject);
  });
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nContent-Type: ${type}\r\n${head}\r\n`);
  return { socket, answer };
}
async function answerTo(url: string, head: string): Promise<string> {
  const { socket, answer } = opened(url, head);
  return answer.finally(() => socket.destroy());
}

describe("Mailgun", () => {
  test.each(["multipart", "file", "form"] as const)("brings the bytes of a mail (%s)", async (as) => {
    const { id, url } = await channel("mailgun");
    // Latin-1, which is not UTF-8.
    const raw = Buffer.from(
      mail("In Latin-1", {
        headers: "Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n",
        body: "100 % schöne + Grüße & mehr=",
      }),
      "latin1",
    );
    for (let n = 0; n < 2; n++) expect(await byMailgun(url, raw, { as })).toMatchObject({ status: 200 });
    expect(await messages(id)).toMatchObject([{ body: "100 % schöne + Grüße & mehr=" }]);
    expect(await tested(id)).toMatchObject({ ok: true });
  });

  test("is refused without its signature, with another key's, or with an old one", async () => {
    const { id, url } = await channel("mailgun");
    const unknown = url.replace(id, randomUUID());
    const good = signature();
    for (const [to, signed] of [
      [unknown, good],
      [url, { ...good, signature: "" }],
      [url, { ...good, signature: good.signature.replace(/^./, (one) => (one === "0" ? "1" : "0")) }],
      [url, { ...good, token: `${good.token}0` }],
      [url, { ...good, timestamp: String(Number(good.timestamp) + 1) }],
      // The same text is signed.
      [url, { ...good, timestamp: good.timestamp + good.token[0]!, token: good.token.slice(1) }],
      [url, signature({ key: "another key" })],
      [url, signature({ ageSeconds: 12 * 3_600 + 60 })],
      [url, signature({ ageSeconds: -600 })],
      // No token of Mailgun's has a control character.
      [url, signature({ token: "a\0b" })],
    ] as const) {
      const began = performance.now();
      expect(await byMailgun(to, mail("Forged"), { signed })).toMatchObject(unauthorised);
      expect(performance.now() - began).toBeGreaterThan(45);
    }
    expect(await subjects(id)).toEqual([]);
    expect(await byMailgun(url, mail("Hours later"), { signed: signature({ ageSeconds: 8 * 3_600 }) })).toMatchObject({
      status: 200,
    });
  });

  test("cannot be replayed with another mail: a signature goes with the mail that it came with, on all processes", async () => {
    const { id, url } = await channel("mailgun");
    const signed = signature();
    const raw = mail("Its own");
    expect(await byMailgun(url, raw, { signed })).toMatchObject({ status: 200 });
    expect(await byMailgun(url.replace(app.baseUrl, nodes.b.baseUrl), mail("Another"), { signed })).toMatchObject(
      unauthorised,
    );
    // The answer was lost.
    expect(await byMailgun(url, raw, { signed })).toMatchObject({ status: 200 });
    expect(await subjects(id)).toEqual(["Its own"]);
    const raced = signature();
    const answers = await concurrently(8, (n) =>
      byMailgun(url.replace(app.baseUrl, nodes[n % 2 ? "b" : "a"].baseUrl), mail(`Raced ${n}`), { signed: raced }),
    );
    expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 401: 7 });
    expect(await subjects(id)).toHaveLength(2);
  });

  test("says what is wrong with a body", async () => {
    const { id, url } = await channel("mailgun");
    expect(await byMailgun(url, "")).toMatchObject({
      status: 400,
      text: expect.stringContaining("has to end in /mime"),
    });
    expect(await tested(id)).toMatchObject({ ok: false, message: expect.stringContaining("has to end in /mime") });
    expect(await post(url, { "content-type": "application/json" }, "{}")).toMatchObject({ status: 415 });
    expect(await post(url, { "content-type": "multipart/form-data; boundary=x" }, "--x\r\nnothing")).toMatchObject({
      status: 400,
    });
    const { timestamp, token, signature: right } = signature();
    const twice = `timestamp=${timestamp}&token=${token}&signature=${right}&token=${token}&body-mime=a`;
    expect(await post(url, { "content-type": "application/x-www-form-urlencoded" }, twice)).toMatchObject({
      status: 400,
    });
  });
});

describe("Amazon SES", () => {
  const base64 = (raw: string): string => Buffer.from(raw).toString("base64");
  const notification = (raw: string) => ({ Message: received({ type: "SNS", encoding: "BASE64" }, base64(raw)) });

  test("subscribes, and brings mails that SNS has signed, in both versions and both encodings", async () => {
    const { id, url } = await channel("ses");
    const Token = randomUUID();
    const confirmation = {
      Type: "SubscriptionConfirmation",
      Token,
      Message: "You have chosen to subscribe",
      SubscribeURL: "https://evil.example/?Action=ConfirmSubscription",
    };
    expect(await bySns(url, sns(aws, confirmation))).toMatchObject({ status: 200 });
    expect(aws.confirmed).toEqual([Token]);
    const utf8 = mail("UTF-8");
    for (const message of [
      sns(aws, notification(mail("Base64")), "1"),
      sns(aws, { Message: received({ type: "SNS", encoding: "UTF8" }, utf8) }, "2"),
      sns(aws, { Message: received({ type: "SNS", encoding: "UTF8" }, utf8) }, "2"),
    ])
      expect(await bySns(url, message)).toMatchObject({ status: 200 });
    expect(await subjects(id)).toEqual(["Base64", "UTF-8"]);
    // SES says once that it may publish.
    expect(
      await bySns(url, sns(aws, { Message: JSON.stringify({ notificationType: "AmazonSnsSubscriptionSucceeded" }) })),
    ).toMatchObject({ status: 200 });
    expect(await tested(id)).toMatchObject({ ok: true });
    expect(aws.asked.filter((path) => path.endsWith(".pem"))).toHaveLength(1);
  });

  test("is refused if SNS has not signed it for the topic of the channel", async () => {
    const { id, url } = await channel("ses");
    const good = sns(aws, notification(mail("Forged")));
    const asked = aws.asked.length;
    const other = sns(aws, { ...notification(mail("Of another topic")), TopicArn: `${TOPIC}2` });
    const region = "https://sns.eu-central-1.amazonaws.com";
    const at = (SigningCertURL: string) => sns(aws, { ...notification(mail("Elsewhere")), SigningCertURL });
    for (const [to, message, topic] of [
      [url.replace(id, randomUUID()), good],
      [url, { ...good, Signature: "" }],
      [url, { ...good, Signature: base64("nothing") }],
      [url, { ...good, Message: received({ type: "SNS" }, mail("Changed")) }],
      [url, { ...good, SignatureVersion: "3" }],
      [url, { ...good, SignatureVersion: "1" }],
      [url, { ...good, Type: "SubscriptionConfirmation", Token: "x", SubscribeURL: aws.url }],
      [url, other],
      [url, other, TOPIC],
      [
        url,
        sns(aws, { ...notification(mail("Yesterday")), Timestamp: new Date(Date.now() - 86_500_000).toISOString() }),
      ],
      [
        url,
        sns(aws, { ...notification(mail("Tomorrow")), Timestamp: new Date(Date.now() + 86_400_000).toISOString() }),
      ],
      [url, sns(aws, { ...notification(mail("Never")), Timestamp: "now" })],
      [url, at(`${region}.evil.example/SimpleNotificationService-0123456789abcdef.pem`)],
      [url, at(`${region}/SimpleNotificationService-0123456789abcdef.pem`)],
      [url, at(`${aws.url}/evil.pem`)],
      [url, at(`${aws.url}/SimpleNotificationService-0123456789abcdef.pem?x=/`)],
      [url, at("http://127.0.0.1:1/SimpleNotificationService-0123456789abcdef.pem")],
      [url, at("not an address")],
    ] as [string, Record<string, string>, string?][])
      expect(await bySns(to, message, topic), JSON.stringify(message).slice(0, 300)).toMatchObject(unauthorised);
    expect(await post(url, { "content-type": "text/plain" }, JSON.stringify(good))).toMatchObject(unauthorised);
    expect(await subjects(id)).toEqual([]);
    // Nothing was fetched but the certificate that SNS has, which may be known by now.
    expect(aws.asked.slice(asked).filter((path) => !path.endsWith("cdef0123456789abcdef.pem"))).toEqual([]);
  });

  test("comes in although a stranger names certificates that do not exist, on a process that knows none", async () => {
    const { id, url } = await channel("ses");
    const there = url.replace(app.baseUrl, nodes.b.baseUrl);
    const from = (address: string, message: Record<string, string>) =>
      bySns(there, message, TOPIC, { "x-forwarded-for": address });
    const named = (n: number) => ({
      ...sns(aws, notification(mail("Forged"))),
      SigningCertURL: `${aws.url}/SimpleNotificationService-${String(n).padStart(16, "0")}.pem`,
    });
    const statuses = [];
    for (let n = 0; n < 12; n++) statuses.push((await from("203.0.113.7", named(n))).status);
    expect(tally(statuses)).toEqual({ 401: 10, 503: 2 });
    for (const subject of ["First", "Second"])
      expect(await from("198.51.100.1", sns(aws, notification(mail(subject))))).toMatchObject({ status: 200 });
    expect(await subjects(id)).toEqual(["First", "Second"]);
  });

  test("brings a mail from the channel's bucket, and from no other", async () => {
    const { id, url } = await channel("ses");
    const s3 = (bucketName: string, objectKey: string) =>
      bySns(url, sns(aws, { Message: received({ type: "S3", bucketName, objectKey }) }));
    aws.objects.set("mails/in/d6iitobk75ur44p8kdnnp7g2n800 +", Buffer.from(mail("In S3")));
    aws.objects.set("secrets/a", Buffer.from(mail("Secret")));
    for (let n = 0; n < 2; n++)
      expect(await s3("mails", "in/d6iitobk75ur44p8kdnnp7g2n800 +")).toMatchObject({ status: 200 });
    expect(await s3("secrets", "a")).toMatchObject({
      status: 503,
      text: expect.stringContaining("in the bucket secrets: enter it"),
    });
    expect(await tested(id)).toMatchObject({ ok: false, message: expect.stringContaining("in the bucket secrets") });
    // The name of an object is a path, and leads to no other bucket.
    for (const key of ["../secrets/a", "./../secrets/a", "in/../../secrets/a", "in/\ud800", ""])
      expect(await s3("mails", key), key).toMatchObject({ status: 400, text: expect.stringContaining("no object of") });
    expect(await s3("a\0b", "a")).toMatchObject({ status: 400 });
    expect(await s3("mails", "missing")).toMatchObject({ status: 503 });
    expect(await tested(id)).toMatchObject({
      ok: false,
      message: expect.stringContaining("cannot be read from the bucket mails"),
    });
    expect(await subjects(id)).toEqual(["In S3"]);
  });

  test("says what to set if a notification has no mail, or what is no mail", async () => {
    const { url } = await channel("ses");
    for (const [message, why] of [
      [received({ type: "Lambda" }), "give the receipt rule an SNS action or an S3 action"],
      [received({ type: "SNS" }, "broken @@@"), "whose content is no mail"],
      ["hello", "something else than received mails"],
    ])
      expect(await bySns(url, sns(aws, { Message: message! }))).toMatchObject({
        status: 400,
        text: expect.stringContaining(why!),
      });
    const without = await channel("ses", { settings: { bucket: null } });
    expect(
      await bySns(without.url, sns(aws, { Message: received({ type: "S3", bucketName: "mails", objectKey: "a" }) })),
    ).toMatchObject({
      status: 503,
      text: expect.stringContaining("enter it in the channel's settings"),
    });
  });
});
