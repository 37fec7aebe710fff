import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { Homes } from "../../../src/platform/database/homes.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { WebhookDispatcher } from "../../../src/webhooks/dispatcher.job.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { eventually } from "../../support/eventually.js";
import { type FragileServer, fragileServer } from "../../support/servers.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "../channels/dovecot.js";
import { provision } from "../channels/support.js";
import { start } from "../e2e/support.js";
import { type Receiver, startReceiver } from "../webhooks/support.js";

// One of two servers is down: the jobs and mailboxes of the other's organisations go on.

let second: FragileServer;
let receiver: Receiver;
let smtp: MailServer;
let imap: Dovecot | undefined;
let app: TestApp;
/** Lives on control. */
let here: TestTenant;
/** Lives on the server that goes down. */
let there: TestTenant;
let working: NodeJS.Timeout;
beforeAll(async () => {
  [second, receiver, smtp] = await Promise.all([fragileServer("second"), startReceiver(), startMailServer()]);
  imap = DOVECOT ? await startDovecot() : undefined;
  const reached = [`127.0.0.1:${receiver.port}`, new URL(smtp.url).host, ...(imap ? [`127.0.0.1:${imap.port}`] : [])];
  app = await startApp({ DATABASE_SERVERS: [second.setting], OUTBOUND_ALLOW: reached });
  here = await app.tenant("Here");
  there = await app.tenant("There");
  expect(await app.app.get(Homes).nameOf(there.tenantId)).toBe("second");
  await Promise.all([told(here), told(there)]);
  app.app.get(Mailboxes).everyMs.poll = 300;
  // As in a process that runs jobs.
  working = setInterval(() => {
    void app.app.get(WebhookDispatcher).poll();
    void app.app.get(OutboxWorker).tick();
    void app.app.get(Mailboxes).tick();
  }, 200);
  if (imap) await mailbox(await here.owner(), imap);
});
afterAll(async () => {
  clearInterval(working);
  await app?.close();
  await Promise.all([second?.drop(), receiver?.close(), smtp?.close(), imap?.close()]);
});

async function told(tenant: TestTenant): Promise<void> {
  const owner = await tenant.owner();
  await owner.patch("/api/tenant", { webhooksPreview: true }, 200);
  const endpoint = { url: receiver.url(`/${tenant.tenantId}`), events: ["conversation.created"] };
  await owner.post("/api/webhook-endpoints", endpoint, 201);
}

async function mailbox(owner: Client, { port }: Dovecot): Promise<void> {
  const { hostname: host, port: smtpPort } = new URL(smtp.url);
  const channel = {
    type: "email",
    name: "Support",
    address: "support@example.com",
    credentials: { username: "support", password: PASSWORD },
    settings: {
      smtp: { host, port: Number(smtpPort), security: "none" },
      imap: { host: "127.0.0.1", port, security: "none", authenticatedBy: "mx.example.com" },
    },
  };
  const { body } = await owner.post(`/api/workspaces/${here.defaults.workspaceId}/channels`, channel, 201);
  await provision(app);
  await eventually(async () =>
    expect(await app.db.query("select 1 from mailbox where channel_id = $1", [body.id])).toHaveLength(1),
  );
}

/** A webhook tells of a new conversation: the feed was read, and the outbox was sent. */
async function jobsDoTheirWork(tenant: TestTenant): Promise<void> {
  const { id } = await start(tenant.live, tenant.defaults.workspaceId);
  await eventually(() =>
    expect(receiver.on(`/${tenant.tenantId}`).map(({ payload }) => payload.data.conversationId)).toContain(id),
  );
}

async function mailsArrive({ deliver }: Dovecot): Promise<void> {
  const id = `<${randomUUID()}@customer.example>`;
  const headers = { From: "Ada <ada@customer.example>", To: "support@example.com", Subject: "Hello", "Message-ID": id };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  deliver(`${lines.join("")}Date: ${new Date().toUTCString()}\r\n\r\nHello\r\n`, "support");
  await eventually(async () =>
    expect(await app.db.query("select 1 from message where external_id = $1", [id])).toHaveLength(1),
  );
}

test.each([
  ["refuses connections", () => second.die()],
  ["says nothing any more", () => second.hang()],
])(`a server %s: jobs and mailboxes of the others go on${WITHOUT_DOVECOT}`, async (_, fail) => {
  await jobsDoTheirWork(there);
  await fail();
  await eventually(() => there.live.get("/api/conversations", 503));
  for (let n = 0; n < 3; n++) {
    await jobsDoTheirWork(here);
    if (imap) await mailsArrive(imap);
    await there.live.get("/api/conversations", 503);
  }
  await second.revive();
  await eventually(() => there.live.get("/api/conversations", 200));
  await jobsDoTheirWork(there);
});
