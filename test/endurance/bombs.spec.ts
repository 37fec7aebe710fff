import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import http from "node:http";
import { spawn } from "node:child_process";
import fs from "node:fs";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOVECOT, type Dovecot, PASSWORD, startDovecot, WITHOUT_DOVECOT } from "../server/channels/dovecot.js";
import { BODIES, CALENDARS, MAILS } from "../unit/fuzz/bombs.js";
import { type CalendarServer, startCalendarServer } from "../unit/fuzz/caldav.js";
import {
  allowTimeForProcesses,
  cleanUp,
  emptyDatabase,
  type EmptyDatabase,
  newFolder,
  newTenant,
  type PrintedTenant,
  type Server,
  startServer,
  until,
} from "../server/process/support.js";
import { SECRET_KEY } from "../support/app.js";
import type { Client } from "../support/client.js";
import { everyNth } from "../support/sweep.js";
import { connect } from "../support/database.js";

allowTimeForProcesses();

// Each bomb is sent to a server in a process of its own, by the way in that a stranger has. Throughout, /healthz must
// answer soon: nobody else notices. BOMBS_VERBOSE=1 prints how long it took: less than 100 ms on a quiet machine.

const MAILED = everyNth(Object.keys(MAILS), 3);
const SYNCED = everyNth(Object.keys(CALENDARS), 3);
const SENT = everyNth(Object.keys(BODIES), 3);
const UNREADABLE = "600 kB of spaces, quoted-printable";

/** Ten times what a quiet machine may need. What is not linear takes many seconds. */
const MAX_MS = 1_000;
const EVERY_MS = 20;
/** A busy machine delays an answer now and then. A parser that holds up the server does so each time. */
const ROUNDS = 3;

let db: EmptyDatabase;
let sql: pg.Client;
let server: Server;
let made: PrintedTenant;
let owner: Client;
let imap: Dovecot | undefined;
let caldav: CalendarServer;
/** An idle server in another process: what it takes longer than usual is the machine's doing. */
let idle: { url: string; end: () => void };

beforeAll(async () => {
  if (DOVECOT) imap = await startDovecot();
  caldav = await startCalendarServer();
  idle = await startIdle();
  db = await emptyDatabase();
  const settings = {
    DATABASE_URL: db.url,
    SECRET_KEY,
    OUTBOUND_ALLOW: [imap, caldav].flatMap((one) => (one ? [`127.0.0.1:${one.port}`] : [])).join(","),
    LOG_LEVEL: "error",
    HOST: "127.0.0.1",
    ATTACHMENTS_DIR: newFolder(),
  };
  server = await startServer(settings);
  made = await newTenant(db, "Bombed");
  owner = await server.client().login(made.owner.email, made.owner.password, "live");
  sql = await connect(db.url);
});
afterAll(async () => {
  await sql?.end();
  idle?.end();
  await cleanUp();
  await imap?.close();
  await caldav?.close();
  await db?.drop();
});

async function startIdle(): Promise<{ url: string; end: () => void }> {
  const child = spawn(
    process.execPath,
    [
      "-e",
      // It never closes an idle connection, because a request that is on its way would be reset.
      `const s = require("http").createServer({ keepAliveTimeout: 0 }, (q, a) => a.end("{}")).listen(0, "127.0.0.1", () => console.log(s.address().port))`,
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const port = await new Promise<string>((resolve) =>
    child.stdout.once("data", (text: Buffer) => resolve(text.toString().trim())),
  );
  return { url: `http://127.0.0.1:${port}/`, end: () => child.kill() };
}

/** How long the server's main thread has run on a processor, in milliseconds. NaN where the system does not say. */
function worked(): number {
  try {
    const thread = `/proc/${server.pid}/task/${server.pid}/schedstat`;
    return Number(fs.readFileSync(thread, "utf8").split(" ", 1)[0]) / 1e6;
  } catch {
    return NaN;
  }
}

const numberOr = (otherwise: number, n: number): number => (Number.isNaN(n) ? otherwise : n);

const agent = new http.Agent({ keepAlive: true });
/** How long the answer took, and how long the server's main thread worked meanwhile. */
interface Took {
  ms: number;
  workMs: number;
}
const ask = (url: string): Promise<Took> =>
  new Promise((resolve, reject) => {
    const [began, workedBefore] = [performance.now(), worked()];
    http
      .get(url, { agent }, (answer) => {
        answer.resume().once("end", () => {
          if (answer.statusCode === 200)
            resolve({ ms: performance.now() - began, workMs: numberOr(Infinity, worked() - workedBefore) });
          else reject(new Error(`status ${answer.statusCode}`));
        });
      })
      .once("error", reject);
  });

/** How many answers of the idle server around the same time count. */
const AROUND = 5;

/**
 * Works, and asks for /healthz throughout.
 * @returns how long its slowest answer was held up: by how much it was slower than the idle server's, and no more than the
 * main thread worked meanwhile. The rest of the time it waited for a processor.
 */
async function slowest(work: () => Promise<void>): Promise<number> {
  let done = false;
  // The server closes connections that were idle for a minute.
  agent.destroy();
  const asked: { ours: Promise<Took>; theirs: Promise<Took> }[] = [];
  const asking = (async () => {
    while (!done) {
      // Not one after the other: a request that hangs must not hide how long the next would have hung.
      const both = { ours: ask(`${server.address}/healthz`), theirs: ask(idle.url) };
      for (const one of Object.values(both)) one.catch(() => undefined);
      asked.push(both);
      await sleep(EVERY_MS);
    }
  })();
  try {
    await work();
  } finally {
    done = true;
    await asking;
  }
  const [ours, theirs] = await Promise.all([
    Promise.all(asked.map((one) => one.ours)),
    Promise.all(asked.map((one) => one.theirs)),
  ]);
  return Math.max(
    ...ours.map(({ ms, workMs }, at) => {
      const around = theirs.slice(Math.max(at - AROUND, 0), at + AROUND);
      return Math.min(workMs, ms - Math.max(...around.map((one) => one.ms)));
    }),
  );
}

async function assertUnnoticed(work: () => Promise<void>): Promise<void> {
  const rounds: number[] = [];
  while (rounds.length < ROUNDS) {
    rounds.push(await slowest(work));
    if (process.env.BOMBS_VERBOSE)
      process.stdout.write(`${expect.getState().currentTestName}: ${rounds.map(Math.round).join(", ")} ms\n`);
    if (rounds.at(-1)! < MAX_MS) return;
  }
  expect.fail(`/healthz took ${rounds.map(Math.round).join(", ")} ms`);
}

describe.skipIf(!DOVECOT)(`a mail${WITHOUT_DOVECOT}`, () => {
  beforeAll(async () => {
    for (const user of ["support", "sales"]) {
      const address = { host: "127.0.0.1", port: imap!.port, security: "none" };
      await owner.post(
        `/api/workspaces/${made.defaults.workspaceId}/channels`,
        {
          type: "email",
          name: user,
          address: `${user}@example.com`,
          settings: { smtp: address, imap: address },
          credentials: { username: user, password: PASSWORD },
        },
        201,
      );
    }
    // There is no server for sending here.
    await sql.query("update channel set status = 'active'");
    await sql.query("delete from channel_due");
    await until(
      async () => (await sql.query("select 1 from mailbox where validity is not null")).rowCount === 2,
      () => "the mailboxes were opened",
    );
  });

  const arrived = async (body: string): Promise<boolean> =>
    (await sql.query("select 1 from message where body = $1", [body])).rowCount === 1;

  test.each(MAILED)("of %s holds up nobody, and the mail behind it arrives", async (name) => {
    await assertUnnoticed(async () => {
      const id = randomUUID();
      imap!.deliver(MAILS[name]!(id));
      imap!.deliver(`From: ada@example.org\r\nMessage-ID: <after-${id}@example.org>\r\n\r\nBehind ${id}`);
      await until(
        () => arrived(`Behind ${id}`),
        () => "the mail behind it arrived",
      );
    });
  });

  test.runIf(MAILED.includes(UNREADABLE))(
    "that takes too long to parse comes in as unreadable, whole, after two attempts",
    async () => {
      const { rows } = await sql.query<{ body: string; files: string[]; sizes: string[] }>(
        `select m.body, array(select a.file_name from attachment a where a.message_id = m.id) as files,
        array(select a.size::text from attachment a where a.message_id = m.id) as sizes
      from message m where m.body like '%could not be read%'`,
      );
      const whole = Buffer.byteLength(MAILS[UNREADABLE]!(randomUUID()));
      expect(rows).toContainEqual({
        body: "[The mail could not be read]",
        files: ["original.eml"],
        sizes: [String(whole)],
      });
    },
  );
});

describe("a calendar", () => {
  let connectionId: string;
  beforeAll(async () => {
    ({
      body: { id: connectionId },
    } = await owner.post(
      "/api/calendar/connections",
      {
        workspaceId: made.defaults.workspaceId,
        serverUrl: `http://127.0.0.1:${caldav.port}/`,
        username: "desk",
        password: PASSWORD,
      },
      201,
    ));
    await synced();
  });

  async function synced(): Promise<void> {
    const { rows } = await sql.query<{ now: string }>("select clock_timestamp()::text as now");
    await sql.query("update calendar_due set due_at = now() - interval '1 second' where connection_id = $1", [
      connectionId,
    ]);
    await until(
      async () =>
        (
          await sql.query("select 1 from calendar_connection where id = $1 and last_synced_at > $2::timestamptz", [
            connectionId,
            rows[0]!.now,
          ])
        ).rowCount === 1,
      () => "the calendar was synced",
    );
  }

  test.each(SYNCED)("with %s holds up nobody, and the events beside it are read", async (name) => {
    await assertUnnoticed(async () => {
      const uid = randomUUID();
      caldav.events.set(`${uid}.ics`, CALENDARS[name]!(uid));
      const start = new Date(Date.now() + 86_400_000).toISOString().replace(/[-:]|\.\d+/g, "");
      caldav.events.set(
        `after-${uid}.ics`,
        `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:after-${uid}\r\nDTSTART:${start}\r\nDURATION:PT1H\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
      );
      const before = (await sql.query("select 1 from calendar_event where readable")).rowCount!;
      await synced();
      expect((await sql.query("select 1 from calendar_event where readable")).rowCount).toBeGreaterThan(before);
    });
  });

  test("counts the events that it could not read, and stays connected", async () => {
    const { body } = await owner.get(`/api/calendar/connections/${connectionId}/calendars`, 200);
    expect(body.find(({ name }) => name === "Bombed")).toMatchObject({ unreadableEvents: expect.any(Number) });
    expect((await sql.query("select 1 from calendar where unreadable_events > 0")).rowCount).toBe(1);
    expect((await owner.get(`/api/calendar/connections/${connectionId}`, 200)).body).toMatchObject({
      status: "connected",
      lastError: null,
    });
  });
});

describe("a request", () => {
  let places: string[];
  beforeAll(async () => {
    const { body: form } = await owner.post<{ publicKey: string }>(
      `/api/workspaces/${made.defaults.workspaceId}/contact-form-widgets`,
      { name: "Form" },
      201,
    );
    places = [`/api/public/contact-form-widgets/${form.publicKey}/submissions`, "/api/auth/login", "/api/contacts"];
  });

  const post = (place: string, body: string, headers: Record<string, string> = {}): Promise<number> =>
    fetch(server.address + place, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${made.apiKeys.live}`, ...headers },
      body,
    }).then(async (answer) => {
      await answer.text();
      return answer.status;
    });

  test.each(SENT)("with %s is answered, and holds up nobody", async (name) => {
    await assertUnnoticed(async () => {
      for (const place of places) expect(await post(place, BODIES[name]!)).toBeLessThan(500);
    });
  });

  test.each([
    ["newlines", "\n"],
    ["words", "a-"],
    ["half a link", "a."],
    ["slashes", "a/"],
    ["quotes", "> "],
  ])("with the longest message of %s is answered, and holds up nobody", async (_name, unit) => {
    await assertUnnoticed(async () => {
      const text = (length: number): string => `x${unit.repeat(length / unit.length - 1)}x`;
      for (const [place, body] of [
        [places[0]!, { name: "Ada", email: "ada@example.org", message: text(10_000) }],
        ["/api/auth/login", { email: text(100_000), password: text(100_000) }],
        [
          "/api/conversations",
          { workspaceId: made.defaults.workspaceId, contact: {}, subject: text(500), body: text(99_000) },
        ],
      ] as const)
        expect(await post(place, JSON.stringify(body))).toBeLessThan(500);
    });
  });

  test("with the longest headers and search holds up nobody", async () => {
    await assertUnnoticed(async () => {
      const long = "a, ".repeat(4_000);
      for (const name of [
        "x-forwarded-for",
        "authorization",
        "cookie",
        "origin",
        "accept-language",
        "user-agent",
        "content-type",
        "if-none-match",
        "idempotency-key",
      ])
        expect(await post("/api/contacts", "{}", { [name]: long })).toBeLessThan(500);
      for (const q of ["a ".repeat(3_000), '"'.repeat(6_000), "-a or ".repeat(1_000), "%20".repeat(2_000)]) {
        const answer = await fetch(`${server.address}/api/search?q=${encodeURIComponent(q)}`, {
          headers: { authorization: `Bearer ${made.apiKeys.live}` },
        });
        await answer.text();
        expect(answer.status).toBeLessThan(500);
      }
    });
  });
});
