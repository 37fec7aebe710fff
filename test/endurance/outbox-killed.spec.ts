import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/platform/database/embedded/embedded.js";
import { SECRET_KEY } from "../support/app.js";
import type { Client } from "../support/client.js";
import { freePort } from "../support/ports.js";
import { SEED, runs } from "../support/seed.js";
import {
  allowTimeForProcesses,
  cleanUp,
  newFolder,
  newTenant,
  postgresOf,
  ROOT,
  type Server,
  startServer,
  until,
} from "../server/process/support.js";

allowTimeForProcesses();

// kill -9 of a worker, the receiver and the database, while messages are delivered to a receiver that fails at random.
// The default is a small run; OUTBOX_MESSAGES=10000 OUTBOX_KILLS=20 is the full one.

const MESSAGES = Number(process.env.OUTBOX_MESSAGES ?? runs(80, 160));
const KILLS = Number(process.env.OUTBOX_KILLS ?? 1);
const CONVERSATIONS = Math.min(200, MESSAGES / 8);
const CHANNELS = 4;
const FAILURES = 0.1;
const MAX_MS = MESSAGES > 1_000 ? 1_800_000 : 300_000;

let folder: string;
let db: EmbeddedPostgres;
let proxy: net.Server;
let receiverPort: number;
let receiver: ChildProcess;
let settings: Record<string, string | number>;
let worker: Server;
let steady: Server;
const log = (): string[] => fs.readFileSync(path.join(folder, "delivered.log"), "utf8").split("\n").filter(Boolean);

beforeAll(async () => {
  folder = newFolder();
  db = await startEmbeddedPostgres({ dataDir: folder, mode: "own" });
  // The database returns on another port, and the servers are configured with this one.
  proxy = net.createServer((client) => {
    const server = net.connect(db.port, "127.0.0.1");
    client.on("error", () => undefined).on("close", () => server.destroy());
    server.on("error", () => undefined).on("close", () => client.destroy());
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, "127.0.0.1", resolve);
  });
  receiverPort = await freePort();
  receiver = await startReceiver();
  const url = db.url().replace(`:${db.port}/`, `:${(proxy.address() as AddressInfo).port}/`);
  settings = {
    DATABASE_URL: url,
    SECRET_KEY,
    OUTBOUND_ALLOW: `127.0.0.1:${receiverPort}`,
    LOG_LEVEL: "error",
    HOST: "127.0.0.1",
    ATTACHMENTS_DIR: path.join(folder, "attachments"),
  };
  steady = await startServer(settings);
  worker = await startServer(settings);
});
afterAll(async () => {
  receiver?.kill("SIGKILL");
  await cleanUp();
  await db?.stop();
  proxy?.close();
});

async function startReceiver(): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    [
      `--random-seed=${SEED}`,
      "test/server/process/mail-receiver.mjs",
      String(receiverPort),
      path.join(folder, "delivered.log"),
      String(FAILURES),
    ],
    { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] },
  );
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", () => resolve());
    child.once("exit", () => reject(new Error("the receiver ended")));
  });
  return child;
}
const gone = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });

const KILL: Record<string, () => Promise<void>> = {
  worker: async () => {
    await worker.end("SIGKILL");
    // The small run ends the leases of the killed worker early; the running worker has just renewed its own.
    if (MESSAGES <= 1_000)
      await query(
        `update outbox_queue set due_at = now() where due_at between now() + interval '20 seconds' and now() + interval '57 seconds'`,
      );
    worker = await startServer(settings);
  },
  receiver: async () => {
    await gone(receiver);
    receiver = await startReceiver();
  },
  database: async () => {
    process.kill(postgresOf(folder), "SIGKILL");
    await db.stop().catch(() => undefined);
    db = await until(
      () => startEmbeddedPostgres({ dataDir: folder, mode: "own" }).catch(() => undefined),
      () => "the database was back",
    );
    // PostgreSQL also closes connections in the middle of a transaction: an unhandled error event would end the
    // process.
    for (const server of [steady, worker]) await server.client().get("/healthz", 200);
  },
};

/** Repeats a request that a kill may have interrupted. The clientMessageId makes it the same message. */
async function insist(work: () => Promise<{ status: number }>): Promise<void> {
  for (const deadline = Date.now() + MAX_MS; ;) {
    if (Date.now() > deadline) throw new Error(`the server does not come back: ${JSON.stringify(steady.output())}`);
    const answer = await work().catch(() => undefined);
    if (answer?.status === 200) return;
    if (answer && answer.status < 500 && answer.status !== 409) throw new Error(JSON.stringify(answer));
    await sleep(100);
  }
}

async function query<Row>(sql: string): Promise<Row[]> {
  for (;;) {
    const client = new pg.Client({ connectionString: db.url() });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query(sql)).rows as Row[];
    } catch {
      await sleep(200);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

test(
  `all of ${MESSAGES} messages arrive, in the order of their conversations, and repeated deliveries have the same id`,
  async () => {
    const made = await newTenant({ url: db.url() });
    const key: Client = steady.client(made.apiKeys.live);
    const owner = await steady.client().login(made.owner.email, made.owner.password, "live");
    const { workspaceId } = made.defaults;
    const channels: string[] = [];
    for (let n = 0; n < CHANNELS; n++) {
      const body = {
        type: "email",
        name: `Mailbox ${n}`,
        address: `box-${n}@example.com`,
        settings: { smtp: { host: "127.0.0.1", port: receiverPort, security: "none" } },
        credentials: { username: "u", password: "p" },
      };
      channels.push((await owner.post(`/api/workspaces/${workspaceId}/channels`, body, 201)).body.id);
    }
    for (const id of channels)
      await until(
        async () => (await key.get(`/api/channels/${id}`, 200)).body.status === "active",
        () => "the channel was active",
      );
    const conversations: string[] = [];
    for (let n = 0; n < CONVERSATIONS; n++)
      conversations.push(
        (
          await key.post(
            "/api/conversations",
            { workspaceId, channelId: channels[n % CHANNELS], contact: { emails: [`c${n}@example.com`] } },
            201,
          )
        ).body.id,
      );

    const began = Date.now();
    let writing = true;
    const each = MESSAGES / CONVERSATIONS;
    const write = Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        for (let n = 0; n < each; n++) {
          for (let c = lane; c < CONVERSATIONS; c += 8)
            await insist(() =>
              key.post(`/api/conversations/${conversations[c]}/reply`, {
                body: `${conversations[c]} ${n}`,
                clientMessageId: `m${n}`,
              }),
            );
        }
      }),
    ).finally(() => {
      writing = false;
    });
    // Kills each process equally often, as long as there is something to write or to send.
    const killed: Record<string, number> = { worker: 0, receiver: 0, database: 0 };
    for (let round = 0; round < KILLS; round++) {
      for (const [what, kill] of Object.entries(KILL)) {
        // After a share of the work is done, so that the kills are spread over the whole run.
        const share = (MESSAGES * 0.9 * (round * 3 + Object.keys(KILL).indexOf(what))) / (KILLS * 3);
        const deadline = Date.now() + 20_000;
        while (log().length < share && Date.now() < deadline) await sleep(50);
        await kill();
        killed[what]!++;
      }
    }
    await write;
    expect(writing).toBe(false);
    const deadline = Date.now() + MAX_MS;
    const delivered = (): string[] => log().filter((line) => line.startsWith("delivered"));
    while (delivered().length < MESSAGES && Date.now() < deadline) await sleep(500);
    const statuses = async (): Promise<Record<string, number>> =>
      Object.fromEntries(
        (
          await query<{ status: string; count: number }>(
            "select status, count(*)::int as count from outbox_message where conversation_id is not null group by 1",
          )
        ).map(({ status, count }) => [status, count]),
      );
    while ((await statuses()).queued && Date.now() < deadline) await sleep(1_000);
    const seconds = Math.round((Date.now() - began) / 1_000);

    const lines = log().map((line) => line.split(" ") as [string, string, string, string]);
    const arrived = lines.filter(([kind]) => kind === "delivered");
    const repeats = lines.filter(([kind]) => kind === "repeat");
    process.stdout.write(
      `${JSON.stringify({ messages: MESSAGES, killed, seconds, arrived: arrived.length, repeats: repeats.length })}\n`,
    );
    expect(await statuses()).toEqual({ sent: MESSAGES });
    expect(new Set(arrived.map(([, id]) => id)).size).toBe(MESSAGES);
    expect(
      new Set(arrived.map(([, , conversation, n]) => `${conversation} ${n}`)).size,
      "one id for each message",
    ).toBe(MESSAGES);
    for (const conversation of conversations)
      expect(arrived.filter(([, , of]) => of === conversation).map(([, , , n]) => Number(n))).toEqual(
        Array.from({ length: each }, (_, n) => n),
      );
    const first = new Map(arrived.map(([, id, conversation, n]) => [id, `${conversation} ${n}`]));
    for (const [, id, conversation, n] of repeats) expect(first.get(id)).toBe(`${conversation} ${n}`);
    expect(
      (
        await query<{ count: number }>(
          `select count(*)::int as count from message where direction = 'outbound' and delivery_status = 'sent'`,
        )
      )[0]!.count,
    ).toBe(MESSAGES);
  },
  2 * MAX_MS,
);
