import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../server/auth/mail-server.js";
import type { Client } from "../support/client.js";
import { allowTimeForProcesses, until } from "../server/process/support.js";
import { type Killable, startKillable } from "../endurance/killable.js";

allowTimeForProcesses();

// kill -9 while replies are held: what was cancelled never leaves, and everything else leaves once.

const HOLD_SECONDS = 60;

let mail: MailServer;
let server: Killable;
let channelId: string;
beforeAll(async () => {
  mail = await startMailServer();
  server = await startKillable({ OUTBOUND_ALLOW: new URL(mail.url).host });
  const owner = await server.owner();
  const body = {
    type: "email",
    name: "Support",
    address: "support@example.com",
    settings: { smtp: { host: "127.0.0.1", port: mail.port, security: "none" } },
    credentials: { username: "support", password: "secret" },
  };
  channelId = (await owner.post(`/api/workspaces/${server.tenant.defaults.workspaceId}/channels`, body, 201)).body.id;
  await until(
    async () => (await key().get(`/api/channels/${channelId}`, 200)).body.status === "active",
    () => "the channel was active",
  );
});
afterAll(async () => {
  await server?.close();
  await mail?.close();
});
beforeEach(() => {
  mail.delivered.length = 0;
});

const key = (): Client => server.key();
const sent = (): string[] => mail.delivered.map(({ body }) => body.trim()).sort();
async function held(text: string): Promise<string> {
  const { body } = await key().post(
    "/api/conversations",
    { workspaceId: server.tenant.defaults.workspaceId, channelId, contact: { emails: [`${text}@example.com`] } },
    201,
  );
  const reply = { body: text, holdSeconds: HOLD_SECONDS };
  const { messageId } = (await key().post(`/api/conversations/${body.id}/reply`, reply, 200)).body;
  // However long a process takes to start: the tests end the holds.
  await server.db.query("update outbox_queue set due_at = now() + interval '1 hour' where id = $1", [messageId]);
  return messageId;
}
const endHolds = (): Promise<unknown> => server.db.query("update outbox_queue set due_at = now()");
const cancel = (id: string) => key().post(`/api/messages/${id}/cancel`);

test("of ten replies that are held when the process is killed, the four that are cancelled never leave, and six leave once", async () => {
  const names = Array.from({ length: 10 }, (_, n) => `held-${n}`);
  const ids = await Promise.all(names.map(held));
  for (const id of ids.slice(0, 2)) expect((await cancel(id)).status).toBe(200);
  await server.killAndStart();
  // The process that returned has no memory of its own of what is held.
  for (const id of ids.slice(2, 4)) expect((await cancel(id)).status).toBe(200);
  await endHolds();
  await until(
    async () => (await server.db.query("select from message where delivery_status = 'sent'")).length === 6,
    () => "the others were sent",
  );
  await server.killAndStart();
  // What the killed process left would be sent before what is written now.
  await held("marker");
  await endHolds();
  await until(
    async () => (await server.db.query("select from message where delivery_status = 'sent'")).length === 7,
    () => "the marker was sent",
  );
  expect(sent()).toEqual([...names.slice(4), "marker"]);
  const rows = await server.db.query<{ status: string; count: number }>(
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
  await endHolds();
  await until(
    () => mail.attempted.length === 1,
    () => "the attempt began",
  );
  await server.killAndStart();
  expect((await cancel(id)).status).toBe(409);
  // The lease of the killed process ends.
  await endHolds();
  mail.hold = undefined;
  release();
  await until(
    async () =>
      (await server.db.query("select from message where id = $1 and delivery_status = 'sent'", [id])).length === 1,
    () => "it was sent",
  );
  expect(new Set(mail.attempted).size).toBe(1);
});
