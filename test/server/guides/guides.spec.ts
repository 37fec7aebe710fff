import { execFile, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../races/support.js";
import { startMailServer } from "../auth/mail-server.js";
import { DOVECOT, PASSWORD as MAILBOX_PASSWORD, startDovecot, WITHOUT_DOVECOT } from "../channels/dovecot.js";
import { CalendarSync } from "../../../src/calendar/sync/sync.job.js";
import { PASSWORD as CALDAV_PASSWORD, RADICALE, startRadicale, WITHOUT_RADICALE } from "../calendar/radicale.js";
import { assist } from "../assistant/support.js";
import { ics } from "../calendar/support.js";
import { deliver, provision } from "../channels/support.js";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import type { Schemas } from "../../support/api-types.js";
import { PASSWORD, startApp, type TestApp, type TestTenant } from "../../support/app.js";

// The code blocks of the guides, executed without changes.

const GUIDES = path.join(import.meta.dirname, "../../../docs/guides");
const blocks = (guide: string, language: string): string[] =>
  [
    ...fs
      .readFileSync(path.join(GUIDES, guide), "utf8")
      .matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms")),
  ].map(([, code]) => code!);

let app: TestApp;
let tenant: TestTenant;
let folder: string;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-guides-"));
});
afterAll(async () => {
  await app.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('"Build an integration in ten minutes" answers customers who ask for an order, once, resolves those conversations, and ignores others', async () => {
  const env = { ...process.env, PARLEY_URL: app.baseUrl, PARLEY_KEY: tenant.live.token };
  const file = path.join(folder, "integration.mjs");
  // The program with the SDK is run by test/server/sdk/package.spec.ts, which has the package installed.
  const own = blocks("build-an-integration.md", "js").filter((code) => !code.startsWith("// with-the-sdk.mjs"));
  fs.writeFileSync(file, own.join("\n"));
  const other = (
    await tenant.live.post(
      "/api/conversations",
      {
        workspaceId: tenant.defaults.workspaceId,
        contact: { name: "Grace" },
        message: { body: "My invoice is wrong" },
      },
      201,
    )
  ).body;

  const shell = blocks("build-an-integration.md", "sh").join("\n");
  const { stdout } = await promisify(execFile)("sh", ["-e", "-c", shell], { env });
  expect(stdout).toContain('"externalId":"ticket-1001"');
  const asked = (await tenant.live.get("/api/conversations?externalId=ticket-1001", 200)).body.data[0]!;

  // The assistant has been asked first, and passes on what it does not know.
  await assist(app);
  const passedOn = (await tenant.live.get(`/api/conversations/${asked.id}/messages`, 200)).body.data.at(-1)!;
  expect(passedOn).toMatchObject({ direction: "outbound", authorType: "system" });

  const run = async (id: string): Promise<void> => {
    let said = "";
    const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text) => {
        said += String(text);
      });
    await until(() => Promise.resolve(said === `answered ${id}\n`), `the integration has answered ${id} alone`);
    child.kill("SIGKILL");
  };
  await run(asked.id);

  // As if the process had been killed between its two steps.
  const half = (
    await tenant.live.post(
      "/api/conversations",
      { workspaceId: tenant.defaults.workspaceId, contact: { name: "Alan" }, message: { body: "And my order?" } },
      201,
    )
  ).body;
  await tenant.live.post(
    `/api/conversations/${half.id}/reply`,
    { body: "Your order left our warehouse this morning." },
    200,
  );
  await run(half.id);
  expect((await tenant.live.get(`/api/conversations/${half.id}`, 200)).body).toMatchObject({
    status: "resolved",
    messageCount: 2,
  });

  const { data } = (await tenant.live.get(`/api/conversations/${asked.id}/messages`, 200)).body;
  expect(data.map(({ direction, body }) => [direction, body])).toEqual([
    ["inbound", "Hello, where is my order?"],
    ["outbound", passedOn.body],
    ["outbound", "Your order left our warehouse this morning."],
  ]);
  expect((await tenant.live.get(`/api/conversations/${asked.id}`, 200)).body).toMatchObject({
    resolution: "answered",
    waitingSince: null,
  });
  expect((await tenant.live.get(`/api/conversations/${other.id}`, 200)).body).toMatchObject({
    status: "open",
    messageCount: 2,
  });
});

test('"Teach it what you know" imports, reviews, searches, expires and corrects entries, and shows the rules of use', async () => {
  const teacher = await app.tenant();
  const env = { ...process.env, PARLEY_URL: app.baseUrl, PARLEY_KEY: teacher.live.token };
  await promisify(execFile)(
    "bash",
    ["-e", "-o", "pipefail", "-c", blocks("teach-it-what-you-know.md", "sh").join("\n")],
    { env, cwd: folder },
  );
  const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(folder, file), "utf8"));

  const report = read("report.json");
  expect(report).toMatchObject({
    imported: 4,
    failed: 1,
    errors: [{ line: 6, error: "answer is missing" }],
    similar: [{ line: 5, question: "How long does delivery take?", kind: "contradiction" }],
  });
  const first = (read("found.json") as Schemas["FoundKbEntryPage"]).data[0]!;
  expect(first.entry.question).toBe("How do I send something back?");
  const { data } = (await teacher.live.get(`/api/workspaces/${teacher.defaults.workspaceId}/kb-entries`, 200)).body;
  expect(data.map(({ question, status, version }) => [question, status, version]).sort()).toEqual([
    ["Do you deliver to Norway?", "approved", 2],
    ["How do I send something back?", "approved", 1],
    ["How do I send something back?", "archived", 1],
    ["How long does delivery take?", "approved", 1],
    ["Is there a winter sale?", "approved", 1],
    ["how long does delivery take", "rejected", 1],
  ]);
  const corrected = read("corrected.json") as Schemas["KbEntryCreated"];
  expect(corrected.similar).toMatchObject([{ kbEntryId: first.entry.id, kind: "contradiction" }]);
  const {
    body: {
      data: [now],
    },
  } = await teacher.live.get(
    `/api/workspaces/${teacher.defaults.workspaceId}/kb-entries/search?q=how+can+I+return+it`,
    200,
  );
  expect(now!.entry.id).toBe(corrected.id);

  expect(read("policies.json")).toMatchObject({ imported: 2, failed: 1, errors: [{ line: 4 }], similar: [] });
  expect(fs.readFileSync(path.join(folder, "effects.txt"), "utf8")).toBe("allow\nrequire_approval\n");
  expect(read("decision.json")).toMatchObject({
    effect: "deny",
    reason: 'No gift cards: order.paidWith is "gift-card"',
  });
});

test.skipIf(!DOVECOT)(
  `"Connect a mailbox" imports a customer's mail, and replies in its thread${WITHOUT_DOVECOT}`,
  async () => {
    const [imap, smtp] = [await startDovecot(), await startMailServer()];
    const smtpPort = new URL(smtp.url).port;
    const connected = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${imap.port}`, `127.0.0.1:${smtpPort}`] });
    let ticking: NodeJS.Timeout | undefined;
    try {
      const owner = await connected.tenant();
      // The work that the server's jobs do by themselves.
      ticking = setInterval(() => {
        void provision(connected).then(() => connected.app.get(Mailboxes).tick());
      }, 300);
      const env = {
        ...process.env,
        PARLEY_URL: connected.baseUrl,
        EMAIL: owner.ownerEmail,
        PASSWORD,
        MAILBOX_PASSWORD,
        MAIL_SECURITY: "none",
        IMAP_HOST: "127.0.0.1",
        IMAP_PORT: String(imap.port),
        SMTP_HOST: "127.0.0.1",
        SMTP_PORT: smtpPort,
      };
      const shell = promisify(execFile)(
        "bash",
        ["-e", "-o", "pipefail", "-c", blocks("connect-a-mailbox.md", "sh").join("\n")],
        { env, cwd: folder },
      );
      await until(
        async () => connected.db.query("select 1 from mailbox where validity is not null"),
        "the mailbox is read",
        25_000,
      );
      imap.deliver(
        "From: Ada <ada@example.org>\r\nTo: support@example.com\r\nSubject: My order\r\nMessage-ID: <one@example.org>\r\n\r\nWhere is it?\r\n",
      );
      const { stdout } = await shell;
      expect(stdout).toBe("Signed in to send and to receive; the inbox holds 0 mails\nWhere is it?\n");
      await deliver(connected);
      await until(() => Promise.resolve(smtp.delivered), "the reply has left");
      expect(smtp.delivered[0]!.headers).toMatchObject({
        to: "ada@example.org",
        subject: "Re: My order",
        "in-reply-to": "<one@example.org>",
        from: "Example Ltd <support@example.com>",
      });
    } finally {
      clearInterval(ticking);
      await connected.close();
      await Promise.all([imap.close(), smtp.close()]);
    }
  },
  60_000,
);

test.skipIf(!RADICALE)(
  `"Connect a calendar" finds the calendar, reads its busy times, and writes a booking to it${WITHOUT_RADICALE}`,
  async () => {
    const server = await startRadicale();
    const place = await server.calendar("work");
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
    await server.send(
      "PUT",
      `${place}lunch.ics`,
      ics("lunch", [`DTSTART:${day.replaceAll("-", "")}T120000Z`, "DURATION:PT1H"]),
      { "content-type": "text/calendar" },
    );
    const connected = await startApp({ OUTBOUND_ALLOW: [`127.0.0.1:${server.port}`] });
    const ticking = setInterval(() => void connected.app.get(CalendarSync).tick(), 200);
    try {
      const { ownerEmail } = await connected.tenant();
      const env = {
        ...process.env,
        PARLEY_URL: connected.baseUrl,
        EMAIL: ownerEmail,
        PASSWORD,
        CALDAV_URL: server.url,
        CALDAV_USER: "desk",
        CALDAV_PASSWORD,
      };
      const { stdout } = await promisify(execFile)(
        "bash",
        ["-e", "-o", "pipefail", "-c", blocks("connect-a-calendar.md", "sh").join("\n")],
        { env, cwd: folder },
      );
      expect(stdout).toBe(
        `It works\n[{"startsAt":"${day}T12:00:00.000Z","endsAt":"${day}T13:00:00.000Z"}]\nFitting, Ada Lovelace: synced\n`,
      );
      expect((await server.events(place)).map((event) => event.ics).join()).toContain(
        "SUMMARY:Fitting\\, Ada Lovelace",
      );
    } finally {
      clearInterval(ticking);
      await connected.close();
      await server.close();
    }
  },
  60_000,
);

test('"Put the chat on your page" returns the script tag, sets colours and pages, writes and reads as a visitor, and signs visitors', async () => {
  const shop = await app.tenant();
  const env = { ...process.env, PARLEY_URL: app.baseUrl, PARLEY_KEY: shop.live.token };
  const at = fs.mkdtempSync(path.join(folder, "chat-"));
  fs.writeFileSync(path.join(at, "identity.mjs"), blocks("put-the-chat-on-your-page.md", "js").join("\n"));
  const { stdout } = await promisify(execFile)(
    "bash",
    [
      "-e",
      "-o",
      "pipefail",
      "-c",
      `${blocks("put-the-chat-on-your-page.md", "sh").join("\n")}\nnode --input-type=module -e 'import { identityOf } from "./identity.mjs"; console.log("jwt " + identityOf({ id: "customer-7", name: "Ada" }, process.argv[1]))' "$SECRET"`,
    ],
    { env, cwd: at },
  );
  const read = (file: string): unknown => JSON.parse(fs.readFileSync(path.join(at, file), "utf8"));
  const key = /data-key="(wc_[\w-]+)"/.exec(fs.readFileSync(path.join(at, "line.html"), "utf8"))![1]!;
  expect(read("settings.json")).toMatchObject({
    type: "webchat",
    address: key,
    settings: { colour: "#0f766e", requireIdentity: false, allowedOrigins: ["http://localhost:8080"] },
  });
  expect(
    (read("thread.json") as { data: Schemas["WebchatMessage"][] }).data.map(({ direction, body }) => [direction, body]),
  ).toEqual([
    ["outbound", "Aye, two of them."],
    ["inbound", "Do you have Moby-Dick?"],
  ]);
  expect(read("credentials.json")).toMatchObject({ hasCredentials: true });
  const { body } = await app
    .client()
    .post(`/api/public/webchat/${key}/sessions`, { identity: /jwt (\S+)/.exec(stdout)![1] }, 200);
  expect(body).toMatchObject({ signed: true, title: "Harbour Books" });
});
