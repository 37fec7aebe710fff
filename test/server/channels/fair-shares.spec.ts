import { randomUUID } from "node:crypto";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CalendarSync } from "../../../src/calendar/sync/sync.job.js";
import { Mailboxes } from "../../../src/channels/email/mailboxes.js";
import { ProvisioningJob } from "../../../src/channels/provisioning.job.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { type MailServer, startMailServer } from "../auth/mail-server.js";
import { start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "./dovecot.js";
import { type SlowImap, startSlowImap } from "./slow-imap.js";
import { provision } from "./support.js";
import { eventually } from "../../support/eventually.js";

// A tenant whose servers are slow, and another one whose are not.

let app: TestApp;
let mail: MailServer;
let silent: net.Server;
const sockets = new Set<net.Socket>();
let silentHttp: http.Server;
/** Attempts with a silent server that were given up. The other tenant waits for none of them, and there are more of them than slots. */
let givenUp = 0;
let refusing: http.Server;
let dovecot: Dovecot | undefined;
let slowImaps: SlowImap[];
let slow: TestTenant;
let quick: TestTenant;

/** Hangs up whatever waits for the silent server, also later attempts, until the work ends and nothing waits any more. */
async function hangUp(...work: Promise<unknown>[]): Promise<void> {
  const timer = setInterval(() => silent.emit("close"), 50);
  await Promise.all(work).finally(() => clearInterval(timer));
  await eventually(() => expect([...sockets].every(({ closed }) => closed)).toBe(true));
}
/**
 * Does the work again if an attempt with a silent server was given up meanwhile, as on a machine that stood still for so long. Who has to
 * wait for a slot waits for that each time.
 */
async function beforeOthersGiveUp(work: () => Promise<{ end: () => Promise<void> }>): Promise<void> {
  for (let round = 1; ; round++) {
    const before = givenUp;
    const { end } = await work();
    const after = givenUp;
    await end();
    if (after === before) return;
    expect(round, "it waited for an attempt that was given up, each time").toBeLessThan(4);
  }
}
const portOf = (server: net.Server): number => (server.address() as AddressInfo).port;
const listening = async <Server extends net.Server>(server: Server): Promise<Server> => {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return server;
};

beforeAll(async () => {
  mail = await startMailServer();
  const giveUp = () => givenUp++;
  silent = await listening(
    net.createServer((socket) => sockets.add(socket.on("error", () => undefined).on("close", giveUp))),
  );
  silentHttp = await listening(http.createServer(({ socket }) => void socket.on("close", giveUp)));
  refusing = await listening(http.createServer((_, response) => void response.writeHead(401).end()));
  silent.on("close", () => sockets.forEach((socket) => socket.destroy()));
  dovecot = DOVECOT ? await startDovecot() : undefined;
  // Half of them say that they have a large mail.
  slowImaps = await Promise.all(Array.from({ length: 8 }, (_, n) => startSlowImap(n % 2 ? 100_000 : 40 * 1_048_576)));
  const ports = [silent, silentHttp, refusing].map(portOf).concat(slowImaps.map(({ port }) => port));
  app = await startApp({
    OUTBOUND_ALLOW: [new URL(mail.url).host, ...ports.concat(dovecot?.port ?? []).map((port) => `127.0.0.1:${port}`)],
    LOG_LEVEL: "error",
  });
  [slow, quick] = [await app.tenant(), await app.tenant()];
});
afterAll(async () => {
  silentHttp?.closeAllConnections();
  silent?.close();
  silentHttp?.close();
  refusing?.close();
  await Promise.all(slowImaps?.map((imap) => imap.close()) ?? []);
  await app?.close();
  await Promise.all([mail?.close(), dovecot?.close()]);
});

const smtpOf = (port: number) => ({ host: "127.0.0.1", port, security: "none" });
async function mailbox(owner: Client, tenant: TestTenant, settings: object): Promise<string> {
  const { body } = await owner.post(
    `/api/workspaces/${tenant.defaults.workspaceId}/channels`,
    {
      type: "email",
      name: "Support",
      address: "support@example.com",
      credentials: { username: "support", password: PASSWORD },
      settings,
    },
    201,
  );
  return body.id;
}

describe.skipIf(!DOVECOT)(`mail${WITHOUT_DOVECOT}`, () => {
  test("comes in while eight servers of others send theirs a byte at a time, and those are given up", async () => {
    const smtp = smtpOf(Number(new URL(mail.url).port));
    const ticking = setInterval(() => void app.app.get(Mailboxes).tick(), 500);
    const imapOf = (port: number) => ({ host: "127.0.0.1", port, security: "none" });
    try {
      const owners = await Promise.all(
        slowImaps.map(async ({ port }) => {
          const tenant = await app.tenant();
          const owner = await tenant.owner();
          return mailbox(owner, tenant, { smtp, imap: imapOf(port) });
        }),
      );
      const owner = await quick.owner();
      const channelId = await mailbox(owner, quick, { smtp, imap: imapOf(dovecot!.port) });
      await provision(app);
      await eventually(() => expect(slowImaps.every(({ fetches }) => fetches > 0)).toBe(true));
      await eventually(async () =>
        expect(await app.db.query("select 1 from mailbox where channel_id = $1", [channelId])).toHaveLength(1),
      );
      dovecot!.deliver(
        `From: ada@example.org\r\nSubject: Ordinary\r\nMessage-ID: <${randomUUID()}@x>\r\n\r\nHello\r\n`,
      );
      await eventually(async () =>
        expect(
          (await quick.live.get(`/api/conversations?workspaceId=${quick.defaults.workspaceId}`, 200)).body.data,
        ).toEqual([expect.objectContaining({ subject: "Ordinary" })]),
      );
      expect(slowImaps.every(({ ended }) => ended === 0)).toBe(true);
      // However steadily a server sends, a mail has its time.
      Object.assign(app.app.get(Mailboxes).patience, { answerMs: 500, bytesPerMs: 1_000_000 });
      await app.db.query(
        "update mailbox_lease set held_until = now() - interval '1 hour', holder = null where channel_id = any($1)",
        [owners],
      );
      await eventually(() => expect(slowImaps.every(({ ended }) => ended > 1)).toBe(true));
      await eventually(async () =>
        expect(await app.db.query("select last_error from channel where id = $1", [owners[0]])).toEqual([
          { last_error: expect.stringMatching(/did not answer in time$/) },
        ]),
      );
    } finally {
      clearInterval(ticking);
    }
  });
});

test("a message leaves while another tenant has more messages to slow servers than there are slots", async () => {
  const [slowOwner, quickOwner] = [await slow.owner(), await quick.owner()];
  const channels = await Promise.all(
    Array.from({ length: 10 }, () => mailbox(slowOwner, slow, { smtp: smtpOf(portOf(silent)) })),
  );
  const channelId = await mailbox(quickOwner, quick, { smtp: smtpOf(Number(new URL(mail.url).port)) });
  await app.db.query("delete from channel_due; update channel set status = 'active' where type = 'email'");
  const write = async (tenant: TestTenant, channel: string): Promise<void> => {
    const { id } = await start(tenant.live, tenant.defaults.workspaceId, {
      channelId: channel,
      contact: { name: "Ada", emails: [`${randomUUID()}@example.com`] },
    });
    await tenant.live.post(`/api/conversations/${id}/reply`, { body: "Hello" }, 200);
  };
  // A channel gets five of the forty slots at most.
  for (const channel of channels) await Promise.all(Array.from({ length: 5 }, () => write(slow, channel)));
  // Older ones, more than anybody looks through.
  await app.db.query(
    `with filler as (
       insert into outbox_message (tenant_id, id, kind, channel, status, sealed, channel_id)
       select m.tenant_id, gen_random_uuid(), m.kind, m.channel, 'queued', m.sealed, m.channel_id
       from outbox_message m, generate_series(1, 160) where m.tenant_id = $1 returning *
     ) insert into outbox_queue (tenant_id, id, kind, channel_id, receiver, due_at)
     select tenant_id, id, kind, channel_id, channel_id::text, now() - interval '1 minute' from filler`,
    [slow.tenantId],
  );
  await app.db.query("update outbox_queue set due_at = now() - interval '1 hour' where conversation_id is not null");
  const worker = app.app.get(OutboxWorker);
  const first = worker.tick();
  await eventually(async () =>
    expect(
      (await app.db.query("select 1 from outbox_queue where due_at > now() and tenant_id = $1", [slow.tenantId]))
        .length,
    ).toBeGreaterThan(10),
  );
  await write(quick, channelId);
  const second = worker.tick();
  // So many attempts with slow servers would take half an hour.
  await eventually(() => expect(mail.delivered).toHaveLength(1));
  await app.db.query("delete from outbox_message");
  await hangUp(first, second);
});

test("a channel is made ready while another tenant has more channels on slow servers than there are slots", async () => {
  const [slowOwner, quickOwner] = [await slow.owner(), await quick.owner()];
  const job = app.app.get(ProvisioningJob);
  await beforeOthersGiveUp(async () => {
    const id = await mailbox(quickOwner, quick, { smtp: smtpOf(Number(new URL(mail.url).port)) });
    await app.db.query("update channel_due set due_at = now() + interval '1 hour'");
    // There are twenty slots.
    for (let n = 0; n < 30; n++) await mailbox(slowOwner, slow, { smtp: smtpOf(portOf(silent)) });
    const first = job.tick();
    await app.db.query("update channel_due set due_at = now() where channel_id = $1", [id]);
    const second = job.tick();
    await eventually(async () => expect((await quick.live.get(`/api/channels/${id}`, 200)).body.status).toBe("active"));
    return {
      end: async () => {
        await app.db.query("delete from channel_due");
        await hangUp(first, second);
      },
    };
  });
});

test("a calendar is read while another tenant has more calendars on slow servers than there are slots", async () => {
  const connect = async (owner: Client, tenant: TestTenant, port: number): Promise<string> =>
    (
      await owner.post(
        "/api/calendar/connections",
        {
          workspaceId: tenant.defaults.workspaceId,
          serverUrl: `http://127.0.0.1:${port}/`,
          username: randomUUID(),
          password: PASSWORD,
        },
        201,
      )
    ).body.id;
  const [slowOwner, quickOwner] = [await slow.owner(), await quick.owner()];
  const job = app.app.get(CalendarSync);
  await beforeOthersGiveUp(async () => {
    const id = await connect(quickOwner, quick, portOf(refusing));
    await app.db.query("update calendar_due set due_at = now() + interval '1 hour'");
    // There are twelve slots.
    for (let n = 0; n < 18; n++) await connect(slowOwner, slow, portOf(silentHttp));
    const first = job.tick();
    await app.db.query("update calendar_due set due_at = now() where connection_id = $1", [id]);
    const second = job.tick();
    await eventually(async () =>
      expect((await quickOwner.get(`/api/calendar/connections/${id}`, 200)).body.status).toBe("expired"),
    );
    return {
      end: async () => {
        await app.db.query("delete from calendar_due");
        silentHttp.closeAllConnections();
        await Promise.all([first, second]);
      },
    };
  });
});
