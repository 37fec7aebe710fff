import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { system } from "../../../src/platform/caller/caller.js";
import type { Config } from "../../../src/platform/config/config.js";
import { Mailer } from "../../../src/platform/outbox/mailer.js";
import { OutboxService } from "../../../src/platform/outbox/outbox.service.js";
import { OutboxWorker } from "../../../src/platform/outbox/outbox.worker.js";
import { aTime, anId, withSettings } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { type MailServer, startMailServer } from "./mail-server.js";
import { eventually } from "../../support/eventually.js";

let mail: MailServer;
let app: TestApp;
/** A second process on the same database. */
let second: TestApp;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  mail = await startMailServer();
  const settings: Partial<Config> = {
    SMTP_URL: mail.url,
    PUBLIC_URL: "https://parley.example.com",
    MAIL_FROM: "Parley <desk@parley.example.com>",
    LOG_LEVEL: "error",
  };
  app = await startApp(settings);
  second = await startApp(settings, app.db);
  tenant = await app.tenant();
  owner = await tenant.owner();
});
afterAll(async () => {
  await second.close();
  await app.close();
  await mail.close();
});
beforeEach(() => {
  mail.delivered.length = 0;
  mail.attempted.length = 0;
});
afterEach(async () => {
  Object.assign(mail, { refuse: undefined, hold: undefined });
  await app.db.query("delete from outbox_message");
});

const tick = (node = app): Promise<void> => node.app.get(OutboxWorker).tick();
/** Works as a process with this SMTP_URL does. */
const withServer = (SMTP_URL: string | undefined, work: () => Promise<void>): Promise<void> =>
  withSettings(app, { SMTP_URL }, work, () => Object.assign(app.app.get(Mailer), { transport: undefined }));
const anEmail = (): string => `${randomUUID()}@example.com`;
async function invite(by = owner): Promise<string> {
  const email = anEmail();
  await by.post("/api/members", { email, name: "Grace", role: "agent" }, 201);
  return email;
}
interface Row {
  id: string;
  status: string;
  attempts: number;
  error: string | null;
  sentAt: Date | null;
  dueIn: number | null;
}
/** The messages and, while they wait, the seconds until they are due. */
const rows = (): Promise<Row[]> =>
  app.db
    .query<Row>(`select m.id, m.status, m.attempts, m.last_error as error, m.sent_at as "sentAt", extract(epoch from q.due_at - now())::float8 as "dueIn"
  from outbox_message m left join outbox_queue q on q.tenant_id = m.tenant_id and q.id = m.id order by m.created_at, m.id`);
const makeDue = (): Promise<unknown> => app.db.query("update outbox_queue set due_at = now() - interval '1 second'");

describe("a live invitation", () => {
  test("is delivered once, to the invited address, with a token that sets the password", async () => {
    const email = await invite();
    expect(await rows()).toMatchObject([{ status: "queued", attempts: 0, sentAt: null }]);
    await tick();
    const [{ id } = { id: "" }] = await rows();
    expect(mail.delivered).toEqual([
      {
        from: "desk@parley.example.com",
        to: [email],
        body: expect.stringMatching(/^Hello Grace,\s+you are invited to Parley/),
        headers: expect.objectContaining({
          from: "Parley <desk@parley.example.com>",
          to: email,
          subject: "Your invitation to Parley",
          "message-id": `<${id}@parley.parley.example.com>`,
          "content-type": expect.stringMatching(/^text\/plain; charset=utf-8/i),
        }),
      },
    ]);
    const token = /https:\/\/parley\.example\.com\/invitation#([\w-]+)/.exec(mail.delivered[0]!.body)![1]!;
    await app.client().post("/api/auth/password", { token, password: "a new password" }, 200);
    expect(await rows()).toEqual([
      { id, status: "sent", attempts: 1, error: null, sentAt: expect.any(Date), dueIn: null },
    ]);
    for (const node of [app, second, app]) await tick(node);
    expect(mail.attempted).toHaveLength(1);
  });

  test("is not sent if its change is refused: the change and its mail commit together", async () => {
    await owner.post("/api/members", { email: tenant.ownerEmail, name: "Twice", role: "agent" }, 409);
    await owner.post(
      "/api/members",
      { email: anEmail(), name: "Nowhere", role: "agent", workspaceIds: ["01890000-0000-7000-8000-000000000000"] },
      404,
    );
    await tick();
    expect([await rows(), mail.attempted]).toEqual([[], []]);
  });

  test("copies nothing from the invited name into its headers", async () => {
    const email = anEmail();
    await owner.post(
      "/api/members",
      { email, name: "Grace\r\nBcc: everybody@example.com\r\n\r\nGrüße 👋", role: "agent" },
      201,
    );
    await tick();
    expect(mail.delivered).toMatchObject([
      { to: [email], headers: { to: email }, body: expect.stringContaining("Grüße 👋") },
    ]);
    expect(mail.delivered[0]!.headers).not.toHaveProperty("bcc");
  });
});

describe("a mail that the server refuses", () => {
  test.each(["recipient", "content"] as const)(
    "(at the %s) is retried with growing delays, and is delivered under its original Message-ID",
    async (at) => {
      const email = await invite();
      mail.refuse = { code: 450, at };
      for (const attempt of [1, 2, 3]) {
        await tick();
        const [row] = await rows();
        expect(row).toMatchObject({
          status: "queued",
          attempts: attempt,
          sentAt: null,
          error: expect.stringContaining("450"),
        });
        // The delay doubles with each attempt, plus or minus a quarter; part of it may have passed.
        expect(row!.dueIn).toBeLessThanOrEqual(2 ** attempt * 1.25);
        expect(row!.dueIn).toBeGreaterThan(2 ** attempt * 0.75 - 10);
        await app.db.query(`update outbox_queue set due_at = now() + interval '1 hour'`);
        await tick();
        expect((await rows())[0]!.attempts).toBe(attempt);
        await makeDue();
      }
      mail.refuse = undefined;
      await tick(second);
      expect(mail.delivered).toMatchObject([{ to: [email] }]);
      const [row] = await rows();
      expect(row).toMatchObject({ status: "sent", attempts: 4, error: null, dueIn: null });
      expect(mail.attempted).toEqual(
        Array.from({ length: at === "content" ? 4 : 1 }, () => `<${row!.id}@parley.parley.example.com>`),
      );
    },
  );

  test("fails for good after the tenth attempt, and is kept for inspection", async () => {
    await invite();
    mail.refuse = { code: 550, at: "recipient" };
    await app.db.query("update outbox_message set attempts = 8");
    await tick();
    expect(await rows()).toMatchObject([{ status: "queued", attempts: 9 }]);
    await makeDue();
    await tick();
    expect(await rows()).toMatchObject([
      { status: "dead", attempts: 10, error: expect.stringContaining("550"), dueIn: null },
    ]);
    mail.refuse = undefined;
    await tick();
    expect(mail.delivered).toEqual([]);
  });

  test("does not block other mails: those after it are delivered", async () => {
    const [first] = [await invite(), await invite()];
    await app.db.query(
      `update outbox_message set sealed = '\\x00' where id = (select id from outbox_message order by created_at, id limit 1)`,
    );
    await tick();
    expect(mail.delivered).toHaveLength(1);
    expect(mail.delivered[0]!.to).not.toEqual([first]);
    expect(await rows()).toMatchObject([{ status: "queued", attempts: 1 }, { status: "sent" }]);
  });

  test("also waits while no mail server can be reached", async () => {
    const email = await invite();
    await withServer("smtp://127.0.0.1:9?requireTLS=false", () => tick());
    expect(await rows()).toMatchObject([
      { status: "queued", attempts: 1, error: expect.stringMatching(/ECONNREFUSED/) },
    ]);
    await makeDue();
    await tick();
    expect(mail.delivered).toMatchObject([{ to: [email] }]);
  });
});

test("a mail does not leave over a connection without TLS, unless SMTP_URL says so", async () => {
  await invite();
  await withServer(`smtp://127.0.0.1:${mail.port}`, () => tick());
  expect(await rows()).toMatchObject([{ status: "queued", error: expect.stringMatching(/requireTLS=false$/) }]);
  expect(mail.attempted).toEqual([]);
});

describe("two workers", () => {
  test("deliver twenty mails concurrently, each exactly once", async () => {
    const emails = await Promise.all(Array.from({ length: 20 }, () => invite()));
    await Promise.all([tick(), tick(second), tick(), tick(second)]);
    await Promise.all([tick(), tick(second)]);
    expect(mail.delivered.flatMap(({ to }) => to).sort()).toEqual([...emails].sort());
    expect(new Set(mail.attempted).size).toBe(20);
    expect((await rows()).filter(({ status, attempts }) => status !== "sent" || attempts !== 1)).toEqual([]);
  });

  /** One worker has leased these mails, and the server does not answer yet. */
  async function whileHeld(count: number, taken: number, work: () => Promise<void>): Promise<void> {
    for (let n = 0; n < count; n++) await invite();
    let release = (): void => undefined;
    mail.hold = new Promise((resolve) => {
      release = resolve;
    });
    const first = tick();
    await eventually(() => expect(mail.attempted).toHaveLength(taken));
    try {
      await work();
    } finally {
      release();
      await first;
    }
  }

  test("leave each other's leased messages alone for the whole lease", async () => {
    await whileHeld(3, 3, async () => {
      await tick(second);
      expect(mail.attempted).toHaveLength(3);
      for (const { dueIn } of await rows()) expect(dueIn).toBeGreaterThan(30);
    });
    expect(mail.delivered).toHaveLength(3);
    expect(new Set(mail.attempted).size).toBe(3);
  });

  test("lease no more messages for one receiver than they send concurrently; the other worker can take the rest", async () => {
    await whileHeld(8, 5, async () => {
      mail.hold = undefined;
      await tick(second);
      expect(mail.delivered).toHaveLength(3);
    });
    expect(mail.delivered).toHaveLength(8);
    expect(new Set(mail.attempted).size).toBe(8);
  });

  test("take over the messages of a dead worker when its lease expires", async () => {
    const email = await invite();
    // The state that a worker leaves if it is killed after it leased the message.
    await app.db.query(`update outbox_queue set due_at = now() + interval '60 seconds'`);
    await tick(second);
    expect(mail.delivered).toEqual([]);
    await app.db.query(`update outbox_queue set due_at = due_at - interval '61 seconds'`);
    await tick(second);
    expect(mail.delivered).toMatchObject([{ to: [email] }]);
  });
});

describe("mail that must not be sent", () => {
  test("waits, encrypted, while no mail server is configured; the operator can read it, and it is sent once there is a server", async () => {
    await withServer(undefined, async () => {
      const email = await invite();
      await tick();
      expect(await rows()).toMatchObject([{ status: "queued", attempts: 0 }]);
      const { data } = (
        await app.app.get(OutboxService).contents(system("test", tenant.tenantId, "live"), "queued", {})
      ).parse();
      expect(data).toEqual([
        {
          id: anId,
          channel: "email",
          to: email,
          subject: "Your invitation to Parley",
          body: expect.stringContaining("/invitation#"),
          html: null,
          createdAt: aTime,
        },
      ]);
      expect((await owner.get("/api/captured-messages")).status).toBe(404);
    });
    await tick();
    expect(mail.delivered).toHaveLength(1);
  });

  test("is mail of the test side: it is captured and never sent, not even from the queue by hand", async () => {
    const onTest = await tenant.owner("test");
    const email = await invite(onTest);
    await tick();
    expect(mail.attempted).toEqual([]);
    expect(await rows()).toMatchObject([{ status: "captured", attempts: 0, dueIn: null }]);
    expect((await onTest.get("/api/captured-messages", 200)).body.data).toMatchObject([{ to: email }]);
    await app.db.query("insert into outbox_queue (tenant_id, id) select tenant_id, id from outbox_message");
    await tick();
    expect(mail.attempted).toEqual([]);
  });

  test("is not accepted for a kind that nobody registered, which would never be sent", async () => {
    const kind = {
      name: "unregistered",
      available: true,
      show: ({ to }: { to: string }) => ({ to, subject: "", body: "" }),
      prepare: () => Promise.resolve(undefined),
    };
    const entry = { id: randomUUID(), channel: "email", channelId: null, conversationId: null, position: null };
    const add = (): Promise<unknown> =>
      app.transaction(tenant.tenantId, (tx) =>
        app.app.get(OutboxService).add(tx, kind, entry, { to: "ada@example.com" }),
      );
    await expect(add()).rejects.toThrow("the outbox has no kind called unregistered");
    expect(await rows()).toEqual([]);
  });
});
