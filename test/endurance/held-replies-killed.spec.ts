import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../server/auth/mail-server.js";
import { SECRET_KEY } from "../support/app.js";
import { freshDatabase, type TestDatabase, connect } from "../support/database.js";
import type { Client } from "../support/client.js";
import {
  allowTimeForProcesses,
  build,
  cleanUp,
  newFolder,
  newTenant,
  type PrintedTenant,
  type Server,
  startServer,
  until,
} from "../server/process/support.js";

allowTimeForProcesses();

// kill -9 while replies are held: what was cancelled never leaves, and everything else leaves once.

const HOLD_SECONDS = 4;

let mail: MailServer;
let db: TestDatabase;
let settings: Record<string, string | number>;
let made: PrintedTenant;
let channelId: string;
let server: Server;
beforeAll(async () => {
  await build();
  mail = await startMailServer();
  db = await freshDatabase();
  settings = {
    DATABASE_URL: db.url,
    SECRET_KEY,
    OUTBOUND_ALLOW: new URL(mail.url).host,
    LOG_LEVEL: "error",
    HOST: "127.0.0.1",
    ATTACHMENTS_DIR: newFolder(),
  };
  server = await startServer(settings);
  made = await newTenant(db);
  const owner: Client = await server.client().login(made.owner.email, made.owner.password, "live");
  const body = {
    type: "email",
    name: "Support",
    address: "support@example.com",
    settings: { smtp: { host: "127.0.0.1", port: mail.port, security: "none" } },
    credentials: { username: "support", password: "secret" },
  };
  channelId = (await owner.post(`/api/workspaces/${made.defaults.workspaceId}/channels`, body, 201)).body.id;
  await until(
    async () => (await key().get(`/api/channels/${channelId}`, 200)).body.status === "active",
    () => "the channel was active",
  );
});
afterAll(async () => {
  await cleanUp();
  await db?.drop();
  await mail?.close();
});
beforeEach(() => {
  mail.delivered.length = 0;
});

const key = (): Client => server.client(made.apiKeys.live);
const sent = (): string[] => mail.delivered.map(({ body }) => body.trim()).sort();
async function killAndStart(): Promise<void> {
  await server.end("SIGKILL");
  server = await startServer(settings);
}
async function held(text: string): Promise<string> {
  const { body } = await key().post(
    "/api/conversations",
    { workspaceId: made.defaults.workspaceId, channelId, contact: { emails: [`${text}@example.com`] } },
    201,
  );
  const reply = { body: text, holdSeconds: HOLD_SECONDS };
  return (await key().post(`/api/conversations/${body.id}/reply`, reply, 200)).body.messageId;
}
const cancel = (id: string) => key().post(`/api/messages/${id}/cancel`);

test("of ten replies that are held when the process is killed, the four that are cancelled never leave, and six leave once", async () => {
  const names = Array.from({ length: 10 }, (_, n) => `held-${n}`);
  const ids = await Promise.all(names.map(held));
  for (const id of ids.slice(0, 2)) expect((await cancel(id)).status).toBe(200);
  await killAndStart();
  // The process that returned has no memory of its own of what is held.
  for (const id of ids.slice(2, 4)) expect((await cancel(id)).status).toBe(200);
  const sql = await connect(db.url);
  await until(
    async () => (await sql.query("select from message where delivery_status = 'sent'")).rowCount === 6,
    () => "the others were sent",
  );
  await killAndStart();
  // What the killed process left would be sent before what is written now.
  await held("marker");
  await until(
    async () => (await sql.query("select from message where delivery_status = 'sent'")).rowCount === 7,
    () => "the marker was sent",
  );
  expect(sent()).toEqual([...names.slice(4), "marker"]);
  const { rows } = await sql.query<{ status: string; count: number }>(
    "select delivery_status as status, count(*)::int as count from message group by 1 order by 1",
  );
  expect(rows).toEqual([
    { status: "cancelled", count: 4 },
    { status: "sent", count: 7 },
  ]);
});

test("a reply that was being sent when the process was killed is sent again under its own Message-ID, and cannot be cancelled", async () => {
  mail.attempted.length = 0;
  let release!: () => void;
  mail.hold = new Promise((resolve) => {
    release = resolve;
  });
  const id = await held("cut-off");
  await until(
    () => mail.attempted.length === 1,
    () => "the attempt began",
  );
  await killAndStart();
  expect((await cancel(id)).status).toBe(409);
  const sql = await connect(db.url);
  await sql.query("update outbox_queue set due_at = now()");
  mail.hold = undefined;
  release();
  await until(
    async () =>
      (await sql.query("select from message where id = $1 and delivery_status = 'sent'", [id])).rowCount === 1,
    () => "it was sent",
  );
  expect(new Set(mail.attempted).size).toBe(1);
});
