import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { signatureHeaders } from "../../src/webhooks/signature.js";
import {
  calls,
  dataOf,
  replies,
  type Request,
  type ScriptedModel,
  startModel,
} from "../server/assistant/model-support.js";
import { startMailServer } from "../server/auth/mail-server.js";
import { PASSWORD as CALDAV_PASSWORD, RADICALE, startRadicale, WITHOUT_RADICALE } from "../server/calendar/radicale.js";
import { ics } from "../server/calendar/support.js";
import { byPostmark, mail } from "../server/channels/mail-webhook-support.js";
import { DOVECOT, PASSWORD as MAILBOX_PASSWORD, startDovecot, WITHOUT_DOVECOT } from "../server/channels/dovecot.js";
import {
  allowTimeForProcesses,
  cleanUp,
  type Credentials,
  credentials,
  newFolder,
  npmStart,
  ROOT,
  type Server,
  type Settings,
  startServer,
  untilAnswered,
} from "../server/process/support.js";
import { walk } from "../server/e2e/support.js";
import type { Schemas } from "../support/api-types.js";
import { freePort } from "../support/ports.js";
import type { Client } from "../support/client.js";
import { blocksOf, type Meanwhile, Reader } from "./reader.js";

allowTimeForProcesses();

// Goes through the guides as a reader does, in the order of docs/README.md: each in an empty folder, and all on the one demo that
// `npm start` makes. Commands and programs are run as they are printed, at their intervals, and what they print is compared. Ports
// are others than the printed ones, because several tests run on one machine.

const read = (page: string): string => fs.readFileSync(path.join(ROOT, page), "utf8");
const pageOf = (guide: string): string => `docs/guides/${guide}.md`;
const titleOf = (guide: string): string => /^# (.*)$/m.exec(read(pageOf(guide)))![1]!;
const LINKS = read("docs/README.md").matchAll(/\]\(guides\/([^\s)]+)\.md\)/g);
const ORDER = [...new Set([...LINKS].map(([, guide]) => guide!))];
/** What the integration of the guide says. */
const ANSWER = "Your order left our warehouse this morning.";

let settings: Settings;
let server: Server;
let printed: Credentials;
let live: Client;
let workspaceId: string;
let hookPort: number;
let toolPort: number;
let model: ScriptedModel;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  [hookPort, toolPort] = [await freePort(), await freePort()];
  model = await startModel();
  settings = { DATA_DIR: path.join(newFolder(), "data"), PORT: await freePort() };
  server = await startServer(settings, undefined, npmStart);
  printed = credentials(server);
  live = server.client(printed.live);
  workspaceId = (await live.get("/api/workspaces", 200)).body[0]!.id;
  await untilAnswered(live);
  env = {
    PATH: process.env.PATH,
    HOME: newFolder(),
    // What npm has fetched before.
    npm_config_cache: execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim(),
    PARLEY_URL: server.address,
    PARLEY_KEY: printed.live,
    EMAIL: printed.email,
    PASSWORD: printed.password,
  };
});
afterAll(async () => {
  model.close();
  // Only npm is a child of this process: killed, it would leave the server behind.
  await server.end("SIGTERM");
  await cleanUp();
});

/** Stops Parley and starts it again on the same data and port. What was set before stays. */
async function restart(more: Settings): Promise<void> {
  await server.end("SIGTERM");
  const allowed = [settings.OUTBOUND_ALLOW, more.OUTBOUND_ALLOW].filter(Boolean).join();
  Object.assign(settings, more, { OUTBOUND_ALLOW: allowed });
  server = await startServer(settings, undefined, npmStart);
}

/** Goes through one guide. The reader stays where the guide ended. */
async function follow(guide: string, more: NodeJS.ProcessEnv = {}, meanwhile?: Meanwhile): Promise<Reader> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-guide-"));
  const reader = new Reader(folder, { ...env, ...more });
  onTestFinished(async () => {
    await reader.end();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  await reader.follow(read(pageOf(guide)), meanwhile);
  return reader;
}

const start = async (body: string): Promise<string> =>
  (await live.post("/api/conversations", { workspaceId, contact: { name: "Grace" }, message: { body } }, 201)).body.id;
/** As if the program of the guide had been killed between its two steps. */
async function halfAnswered(): Promise<string> {
  const id = await start("And my order?");
  await live.post(`/api/conversations/${id}/reply`, { body: ANSWER }, 200);
  return id;
}
/** The address of something that a guide prints with another port. */
const local = (port: number | string): string => `127.0.0.1:${port}`;

/** By the name of its file: what a guide guarantees, how a reader finds out, and whether something is not there for it. */
const WALKS: Record<string, [string, (guide: string) => Promise<void>, isLeftOut?: boolean]> = {
  "sign-in-with-microsoft": ["names the buttons and fields of the dashboard", namesTexts],
  "sign-in-with-google": ["names the buttons and fields of the dashboard", namesTexts],
  "a-day-at-the-desk": [
    "signs in as printed, and names everything as the dashboard does",
    async (guide) => {
      await server.client().login(printed.email, printed.password, "live");
      namesWhatIsThere(guide);
    },
  ],

  "build-an-integration": [
    "answers customers who ask for an order, once, resolves those conversations, and ignores others, with and without the SDK",
    async (guide) => {
      const [pack, install] = blocksOf(read("sdk/README.md")).filter(({ language }) => language === "sh");
      const [other, half] = [await start("My invoice is wrong"), await halfAnswered()];
      let earlier = "";
      const asked = async (externalId: string): Promise<Schemas["Conversation"]> =>
        (await live.get(`/api/conversations?externalId=${externalId}`, 200)).body.data[0]!;
      const reader = await follow(
        guide,
        {},
        {
          "// with-the-sdk.mjs": async ({ heard, type, stop }) => {
            const both = [half, (await asked("ticket-1001")).id];
            await expect
              .poll(() => heard().trim().split("\n").sort())
              .toEqual(both.map((id) => `answered ${id}`).sort());
            await stop();
            earlier = await start("Last week I asked for my order");
            await promisify(execFile)("bash", ["-e", "-c", pack!.code], { cwd: ROOT, env });
            await type(install!.code);
          },
          "ask 1002": ({ has }) => expect.poll(() => has("cursor.txt")).toBe(true),
        },
      );
      await expect.poll(reader.heard).toBe(`answered ${(await asked("ticket-1002")).id}\n`);
      // The program stores its position behind what it has processed, and goes on there. While it runs, it would answer.
      await reader.stop();
      const another = await halfAnswered();
      await reader.run("node with-the-sdk.mjs\n");
      await expect.poll(reader.heard).toBe(`answered ${another}\n`);

      for (const [id, answers] of [
        [half, 1],
        [another, 1],
        [(await asked("ticket-1001")).id, 1],
        [(await asked("ticket-1002")).id, 1],
        [other, 0],
        [earlier, 0],
      ] as const) {
        const { status } = (await live.get(`/api/conversations/${id}`, 200)).body;
        const { data } = (await live.get(`/api/conversations/${id}/messages`, 200)).body;
        expect([status, data.filter(({ body }) => body === ANSWER).length]).toEqual([
          answers ? "resolved" : "open",
          answers,
        ]);
      }
    },
  ],

  webhooks: [
    "makes an endpoint, and its receiver takes each signed event once and refuses what is forged, as the library does",
    async (guide) => {
      const [, allowed] = /`(OUTBOUND_ALLOW=127\.0\.0\.1:8090)`/.exec(read(pageOf(guide)))!;
      const reader = await follow(
        guide,
        { HOOK_URL: `http://${local(hookPort)}/`, PORT: String(hookPort) },
        { "HOOK_URL=${": () => restart({ OUTBOUND_ALLOW: allowed!.split("=")[1]!.replace("8090", String(hookPort)) }) },
      );
      const { id, secret } = reader.read<{ id: string; secret: string }>("endpoint.json");
      const at = Math.floor(Date.now() / 1_000);
      const forged = { "x-service-signature": `t=${at},v1=${"0".repeat(64)}`, "webhook-id": "1" };
      const refused = await fetch(`http://${local(hookPort)}/`, { method: "POST", headers: forged, body: "{}" });
      expect(refused.status).toBe(401);

      const all = `webhook.test ${id}\nmessage.received ${await start("Hello")}\n`;
      await expect.poll(reader.heard).toBe(all);
      const owner = await server.client().login(printed.email, printed.password, "live");
      const { data } = (await owner.get(`/api/webhook-endpoints/${id}/deliveries`, 200)).body;
      await owner.post(`/api/webhook-deliveries/${data[0]!.id}/redeliver`, undefined, 200);
      const statuses = async (): Promise<unknown> =>
        (await owner.get(`/api/webhook-endpoints/${id}/deliveries`, 200)).body.data[0]!.attempts.map(
          ({ responseStatus }) => responseStatus,
        );
      await expect.poll(statuses).toEqual([204, 204]);
      expect(reader.heard(), "the second time it is known").toBe(all);

      const signed = signatureHeaders("an-id", at, '{"a":1}', [secret]);
      const verify = (body: string): Promise<string> =>
        reader.type(`node --input-type=module -e '
          import { verified } from "./with-a-library.mjs";
          try { console.log(verified(...JSON.parse(process.argv[1]))) } catch ({ name }) { console.log(name) }' '${JSON.stringify([secret, signed, body])}'`);
      expect(await verify('{"a":1}')).toBe("{ a: 1 }");
      expect(await verify('{"a":2}')).toBe("WebhookVerificationError");
    },
  ],

  "connect-a-mailbox": [
    `imports a customer's mail, and replies in its thread${WITHOUT_DOVECOT}`,
    async (guide) => {
      const [imap, smtp] = [await startDovecot(), await startMailServer()];
      onTestFinished(() => Promise.all([imap.close(), smtp.close()]).then(() => undefined));
      const smtpPort = new URL(smtp.url).port;
      await restart({ OUTBOUND_ALLOW: `${local(imap.port)},${local(smtpPort)}` });
      await follow(
        guide,
        {
          MAILBOX_PASSWORD,
          MAIL_SECURITY: "none",
          IMAP_HOST: "127.0.0.1",
          IMAP_PORT: String(imap.port),
          SMTP_HOST: "127.0.0.1",
          SMTP_PORT: smtpPort,
        },
        {
          "> conversation.json": () => {
            imap.deliver(
              "From: Ada <ada@example.org>\r\nTo: support@example.com\r\nSubject: My order\r\nMessage-ID: <one@example.org>\r\n\r\nWhere is my order?\r\n",
            );
            return Promise.resolve();
          },
        },
      );
      await expect
        .poll(() => smtp.delivered[0]?.headers)
        .toMatchObject({
          to: "ada@example.org",
          subject: "Re: My order",
          "in-reply-to": "<one@example.org>",
          from: "Example Ltd <support@example.com>",
        });
    },
    !DOVECOT,
  ],

  "receive-mail-without-imap": [
    "makes a channel whose mails Postmark sends, and says when the last one came",
    async (guide) => {
      const smtp = await startMailServer();
      onTestFinished(() => smtp.close());
      const { port } = new URL(smtp.url);
      await restart({ OUTBOUND_ALLOW: local(port) });
      await follow(
        guide,
        { SERVER_TOKEN: "a-token", MAIL_SECURITY: "none", SMTP_HOST: "127.0.0.1", SMTP_PORT: port },
        {
          "tested.json": async (reader) => {
            const { webhookPath } = reader.read<Schemas["Channel"]>("channel.json");
            const secret = (await reader.type('echo "$WEBHOOK_SECRET"')).trim();
            const raw = mail("My parcel", { from: "grace@example.org" });
            expect(await byPostmark(server.address + webhookPath!, raw, { secret })).toMatchObject({ status: 200 });
          },
        },
      );
      await expect
        .poll(async () => (await live.get("/api/conversations?limit=10", 200)).body.data.map(({ subject }) => subject))
        .toContain("My parcel");
    },
  ],

  "put-the-chat-on-your-page": [
    "returns the script tag, sets colours and pages, writes and reads as a visitor, and signs visitors",
    async (guide) => {
      const reader = await follow(guide);
      const [, key] = /data-key="(wc_[\w-]+)"/.exec(await reader.type("cat line.html"))!;
      expect(reader.read("settings.json")).toMatchObject({
        type: "webchat",
        address: key,
        settings: { colour: "#0f766e", requireIdentity: false, allowedOrigins: ["http://localhost:8080"] },
      });
      expect(reader.read("credentials.json")).toMatchObject({ hasCredentials: true });
      const identity = await reader.type(
        `node --input-type=module -e 'import { identityOf } from "./identity.mjs"; console.log(identityOf({ id: "customer-7", name: "Ada" }, process.argv[1]))' "$SECRET"`,
      );
      const { body } = await server.client().post(`/api/public/webchat/${key!}/sessions`, { identity }, 200);
      expect(body).toMatchObject({ signed: true, title: "Harbour Books" });
    },
  ],

  "let-the-assistant-answer": [
    "goes from help pages to an answer in the chat, and from the first entry to an approved refund",
    async (guide) => {
      namesWhatIsThere(guide);
      await fromHelpPages(read(pageOf(guide)));
      const modelPort = new URL(model.settings.ASSISTANT_URL!).port;
      const ini = blocksOf(read(pageOf(guide))).find(({ language }) => language === "ini")!.code;
      const named = [...ini.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]): [string, string] => [
        name!,
        value!.replaceAll(":11434", `:${modelPort}`).replaceAll(":8080", `:${toolPort}`),
      ]);
      model.script((request: Request) => refunds(request));
      const reader = await follow(
        guide,
        { TOOL_URL: `http://${local(toolPort)}/`, PORT: String(toolPort) },
        {
          "TOOL_URL=${": () => restart(Object.fromEntries(named)),
        },
      );
      expect(reader.read("action.json")).toMatchObject({ status: "pending", tool: "refund_order" });
    },
  ],

  "teach-it-what-you-know": [
    "imports, reviews, searches, expires and corrects entries, and shows the rules of use",
    async (guide) => {
      const howToReturn = `/api/workspaces/${workspaceId}/kb-entries/search?q=how+can+I+return+it` as const;
      const reader = await follow(
        guide,
        {},
        {
          // A reader is slower than what reads the meaning of new entries.
          "how can I return it": () =>
            expect.poll(async () => (await live.get(howToReturn, 200)).body.data[0]!.confidence).toBeGreaterThan(0.9),
        },
      );
      const old = reader.read<Schemas["FoundKbEntryPage"]>("found.json").data[0]!.entry;
      const corrected = reader.read<Schemas["KbEntryCreated"]>("corrected.json");
      expect(corrected.similar).toMatchObject([{ kbEntryId: old.id, kind: "contradiction" }]);
      const entries = await walk(live, `/api/workspaces/${workspaceId}/kb-entries`);
      expect(
        entries
          .filter(({ question }) => /norway|send something back|how long does delivery|winter sale/i.test(question))
          .map(({ question, status, version }) => [question, status, version])
          .sort(),
      ).toEqual([
        ["Do you deliver to Norway?", "approved", 2],
        ["How do I send something back?", "approved", 1],
        ["How do I send something back?", "archived", 1],
        ["How long does delivery take?", "approved", 1],
        ["Is there a winter sale?", "approved", 1],
        ["how long does delivery take", "rejected", 1],
      ]);
      expect((await live.get(howToReturn, 200)).body.data[0]!.entry.id).toBe(corrected.id);
    },
  ],

  "connect-a-calendar": [
    `finds the calendar, reads its busy times, and writes a booking to it${WITHOUT_RADICALE}`,
    async (guide) => {
      const radicale = await startRadicale();
      onTestFinished(() => radicale.close());
      const place = await radicale.calendar("work");
      const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10).replaceAll("-", "");
      const lunch = ics("lunch", [`DTSTART:${day}T120000Z`, "DURATION:PT1H"]);
      await radicale.send("PUT", `${place}lunch.ics`, lunch, { "content-type": "text/calendar" });
      await restart({ OUTBOUND_ALLOW: local(radicale.port) });
      await follow(guide, { CALDAV_URL: radicale.url, CALDAV_USER: "desk", CALDAV_PASSWORD });
      expect((await radicale.events(place)).map((event) => event.ics).join()).toContain(
        "SUMMARY:Fitting\\, Ada Lovelace",
      );
    },
    !RADICALE,
  ],
};

/** The dashboard has each name that the guide prints in bold letters. */
function namesWhatIsThere(guide: string): void {
  const texts = fs
    .readdirSync(path.join(ROOT, "web/src/i18n/en"))
    .flatMap((file) => read(`web/src/i18n/en/${file}`).match(/"(?:[^"\\\n]|\\.)*"/g)!)
    .map((text) => text.slice(1, -1).replaceAll("{{count}}", "1"));
  const named = [...read(pageOf(guide)).matchAll(/\*\*([A-Z].*?)\*\*/g)].flatMap(([, name]) => name!.split(" > "));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !name.endsWith("?") && !texts.includes(name))).toEqual([]);
}

/** The steps in the dashboard, by the API: the page and the questions of the guide lead to what it promises. */
async function fromHelpPages(markdown: string): Promise<void> {
  const page = blocksOf(markdown).find(({ language }) => language === "html")!.code;
  const site = http.createServer((request, response) => {
    if (request.url !== "/help/") return response.writeHead(404).end();
    response.writeHead(200, { "content-type": "text/html" }).end(page);
  });
  const port = await freePort();
  await once(site.listen(port, "127.0.0.1"), "listening");
  onTestFinished(() => void site.close());
  const [, url] = /use the address `(.*?)`/.exec(markdown)!;
  const source = { kind: "website" as const, url: url!.replace("8081", String(port)) };

  let owner = await server.client().login(printed.email, printed.password, "live");
  const [brand] = (await owner.get("/api/brands", 200)).body;
  const { id } = (await owner.post("/api/workspaces", { name: "Help", brandId: brand!.id }, 201)).body;
  await owner.post(`/api/workspaces/${id}/sources`, source, 400);
  const [, allowed] = /`OUTBOUND_ALLOW=(localhost:8081)`/.exec(markdown)!;
  await restart({ OUTBOUND_ALLOW: allowed!.replace("8081", String(port)) });
  owner = await server.client().login(printed.email, printed.password, "live");
  await owner.post(`/api/workspaces/${id}/sources`, source, 201);
  const pending = async (): Promise<Schemas["KbEntry"][]> =>
    (await owner.get(`/api/workspaces/${id}/kb-entries/pending`, 200)).body;
  await expect.poll(async () => (await pending()).length).toBe(page.match(/<p>/g)!.length);

  const ways = [.../these ways: (.*)$/m.exec(markdown)![1]!.matchAll(/`(.*?)`/g)].map(([, way]) => way!);
  for (const entry of await pending()) {
    if (entry.question.includes("send something back"))
      await owner.patch(`/api/kb-entries/${entry.id}`, { alternateQuestions: ways }, 200);
    const isWelcome = entry.answer.startsWith("Welcome");
    await owner.post(`/api/kb-entries/${entry.id}/${isWelcome ? "reject" : "approve"}`, {}, 200);
  }

  const rows = [...markdown.matchAll(/^\| (\S.*?) +\| (answer|hand over to people) +\| (.*?) *\|$/gm)];
  expect(rows).toHaveLength(3);
  for (const [, says, must, contains] of rows) {
    const expected =
      must === "answer" ? { outcome: "answered" as const, contains: contains! } : { outcome: "handed_off" as const };
    const test = { name: says!, turns: [{ says: says!, expect: expected }] };
    await owner.post(`/api/workspaces/${id}/assistant-tests`, test, 201);
  }
  // The meaning of the new entries is read in the background.
  const failing = async (rehearsal = false): Promise<unknown> => {
    const draft = { draft: { settings: { answerConfidence: 0.8 } } };
    const asked = rehearsal
      ? await owner.post(`/api/workspaces/${id}/assistant-rehearsal`, draft, 201)
      : await owner.post(`/api/workspaces/${id}/assistant-tests/run`, {}, 201);
    const run = async (): Promise<Schemas["AssistantTestRun"]> =>
      (await owner.get(`/api/assistant-tests/runs/${asked.body.id}`, 200)).body;
    await expect.poll(async () => (await run()).status).toBe("done");
    return (await run()).tests!.filter(({ passed }) => !passed).map(({ name }) => name);
  };
  await expect.poll(() => failing()).toEqual([]);
  expect(await failing(true)).toEqual([]);

  const channels = (await owner.get(`/api/workspaces/${id}/channels`, 200)).body;
  const chat = `/api/public/webchat/${channels.find(({ type }) => type === "webchat")!.address!}` as const;
  const visitor = (await server.client().post(`${chat}/sessions`, {}, 200)).body.sessionToken;
  await server.client(visitor).post(`${chat}/messages`, { body: rows[0]![1]!, clientMessageId: "one" }, 201);
  const conversation = async (): Promise<Schemas["Conversation"]> =>
    (await owner.get(`/api/conversations?workspaceId=${id}`, 200)).body.data[0]!;
  await expect.poll(async () => (await conversation()).lastMessagePreview).toContain(rows[0]![3]);
  const { data } = (await owner.get(`/api/conversations/${(await conversation()).id}/messages`, 200)).body;
  const cited = data.find(({ direction }) => direction === "outbound")!.citations[0]!.kbEntryId;
  expect((await owner.get(`/api/kb-entries/${cited}`, 200)).body.readFrom).toMatchObject({ url: source.url });
}

/** What the provider's own pages are called stands before "In Parley". */
function namesTexts(guide: string): Promise<void> {
  const texts = read("web/src/i18n/en/channels.ts");
  for (const name of ["Continue with", "Sign-in", "Microsoft 365", "Google Workspace or Gmail"])
    expect(texts).toContain(name);
  const page = read(pageOf(guide));
  expect(page).toContain(`/api/public/channels/sign-in/callback`);
  for (const [, name] of page.matchAll(/\*\*(Continue with \w+|The application signs in by itself)\*\*/g))
    expect(texts).toContain(`"${name}"`);
  return Promise.resolve();
}

/** A model that asks for the refund that the customer wants, and then says what the tool has answered. */
function refunds(request: Request): object {
  const { conversation, calls: made = [] } = dataOf(request) as ReturnType<typeof dataOf> & {
    calls?: { id: string; answer: { message: string } }[];
  };
  if (made[0]) return replies({ text: made[0].answer.message, citations: [made[0].id] });
  const [, amount, orderId] = /(\d+) euros .* (#W\d+)/.exec(conversation.at(-1)!.text) ?? [];
  return orderId
    ? calls(["refund_order", { orderId, amount: Number(amount) }])
    : calls(["hand_off", { reason: "It is no refund" }]);
}

test("the index has every guide", () => {
  const guides = fs.readdirSync(path.join(ROOT, "docs/guides")).map((file) => path.basename(file, ".md"));
  expect(ORDER.toSorted()).toEqual(guides.sort());
});

for (const guide of ORDER) {
  const [guarantee, walkThrough, isLeftOut = false] = WALKS[guide]!;
  test.skipIf(isLeftOut)(`"${titleOf(guide)}" ${guarantee}`, () => walkThrough(guide));
}
