import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SECRET_KEY } from "../support/app.js";
import type { Answer, Client } from "../support/client.js";
import { connect, freshDatabase, type TestDatabase } from "../support/database.js";
import { runs } from "../support/seed.js";
import {
  allowTimeForProcesses,
  cleanUp,
  mainIn,
  newFolder,
  newTenant,
  parleyIn,
  type PrintedTenant,
  ROOT,
  type Server,
  type Settings,
  startServer,
  until,
} from "../server/process/support.js";

allowTimeForProcesses();

// An upgrade under traffic, as docs/upgrading.md has it: `parley migrate` of the next version, then one process after the other is
// replaced. A later version takes away what no process needs any more. No request fails meanwhile.

const WRITERS = runs(4, 12);
/** Eight starts of a process, one after the other. */
const MAX_MS = 1_800_000;
/** The tables that requests meet all the time. */
const HOT = [
  "message",
  "conversation",
  "contact",
  "tenant",
  "workspace",
  "api_key",
  "member_session",
  "outbox_message",
  "resource_change",
];

let db: TestDatabase;
let tenant: PrintedTenant;
let settings: Settings;
beforeAll(async () => {
  db = await freshDatabase();
  tenant = await newTenant(db);
  settings = {
    DATABASE_URL: db.url,
    SECRET_KEY,
    LOG_LEVEL: "warn",
    HOST: "127.0.0.1",
    NODE_ENV: "production",
    RATE_LIMIT_PER_MINUTE: 1_000_000,
    // On a busy machine, a request may wait for long. None may be refused.
    DATABASE_WAIT_SECONDS: 120,
    ATTACHMENTS_DIR: newFolder(),
  };
});
afterAll(async () => {
  await cleanUp();
  await db.drop();
});

interface Migration {
  name: string;
  /** Whether it is one transaction. */
  isWhole: boolean;
  sql: string[];
}

/** The present build as a later version, with these migrations, and with functions of another text. */
function laterVersion(version: string, migrations: readonly Migration[]): string {
  const folder = newFolder();
  for (const name of fs.readdirSync(ROOT))
    if (!["dist", "package.json", ".data"].includes(name))
      fs.symlinkSync(path.join(ROOT, name), path.join(folder, name));
  const described = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as object;
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ ...described, version }));
  fs.cpSync(path.join(ROOT, "dist"), path.join(folder, "dist"), { recursive: true });
  const built = path.join(folder, "dist/src");
  for (const { name, isWhole, sql } of migrations)
    fs.appendFileSync(
      path.join(built, "platform/database/migrations/index.js"),
      `
MIGRATIONS.push(class {
  name = "${name}";
  ${isWhole ? "" : "transaction = false;"}
  async up(runner) { for (const sql of ${JSON.stringify(sql)}) await runner.query(sql); }
});
`,
    );
  for (const file of ["feed/feed-triggers.sql", "audit/audit-triggers.sql"])
    fs.appendFileSync(path.join(built, file), `\n-- Version ${version}.\n`);
  return folder;
}

/** Requests of all kinds, each to one of the processes that serve at the moment. */
class Traffic {
  readonly failed: string[] = [];
  readonly written = new Set<string>();
  private readonly conversations: string[] = [];
  private readonly seen = new Set<string>();
  private running = true;
  private rounds = 0;
  private readonly underWay = new Map<Server, number>();
  private work: Promise<unknown> = Promise.resolve();

  constructor(public serving: readonly Server[]) {}

  private async ask(work: (key: Client) => Promise<Answer<unknown>>): Promise<unknown> {
    const server = this.serving[this.rounds++ % this.serving.length]!;
    this.underWay.set(server, (this.underWay.get(server) ?? 0) + 1);
    try {
      const { status, text, body } = await work(server.client(tenant.apiKeys.live));
      if (status >= 200 && status < 300) return body;
      this.failed.push(`${status} ${text}`);
    } catch (error) {
      this.failed.push(String((error as Error).cause ?? error));
    } finally {
      this.underWay.set(server, this.underWay.get(server)! - 1);
    }
    return {};
  }

  async begin(): Promise<void> {
    const { workspaceId } = tenant.defaults;
    for (let n = 0; n < WRITERS; n++) {
      const contact = { name: `Contact ${n}`, emails: [`c${n}@example.com`] };
      const made = await this.ask((key) => key.post("/api/conversations", { workspaceId, contact }));
      this.conversations.push((made as { id: string }).id);
    }
    const { cursor } = (await this.ask((key) => key.get("/api/changes?after=now"))) as { cursor: string };
    this.work = Promise.all([...this.conversations.map((id) => this.write(id)), this.follow(cursor), this.look()]);
  }
  private async write(id: string): Promise<void> {
    while (this.running) {
      const text = randomUUID();
      await this.ask((key) =>
        key.post(`/api/conversations/${id}/reply`, { body: text }, undefined, { headers: { "idempotency-key": text } }),
      );
      this.written.add(text);
      const asked = randomUUID();
      await this.ask((key) => key.post(`/api/conversations/${id}/messages`, { body: asked }));
      this.written.add(asked);
      await sleep(20);
    }
  }
  private async follow(cursor: string): Promise<void> {
    for (let after = cursor; this.running || (this.seen.size < this.written.size && !this.failed.length);) {
      const query = `types=message.created&limit=500&after=${encodeURIComponent(after)}`;
      const answer = (await this.ask((key) => key.get(`/api/changes?${query}`))) as {
        data?: { resource: { body: string } }[];
        cursor?: string;
      };
      for (const { resource } of answer.data ?? []) this.seen.add(resource.body);
      after = answer.cursor ?? after;
      await sleep(50);
    }
  }
  private async look(): Promise<void> {
    const { email, password } = tenant.owner;
    while (this.running) {
      await this.ask((key) => key.get("/api/conversations?limit=25"));
      await this.ask((key) => key.get(`/api/conversations/${this.conversations[0]}/messages?limit=50`));
      await this.ask((key) => key.get("/api/contacts?limit=25"));
      await this.ask((key) => key.post("/api/conversations/search", { query: "contact" }));
      await this.ask((key) => key.as(undefined).post("/api/auth/login", { email, password, environment: "live" }));
      await sleep(50);
    }
  }
  /** Until each of the processes that serve has written more. */
  async goOn(): Promise<void> {
    const enough = this.written.size + 20 * this.serving.length;
    await until(
      () => this.written.size >= enough || this.failed.length > 0,
      () => "requests went on",
    );
  }
  /** Until nobody waits for an answer of this process any more. */
  async leave(server: Server): Promise<void> {
    this.serving = this.serving.filter((one) => one !== server);
    await until(
      () => this.underWay.get(server) === 0,
      () => "all requests were answered",
    );
  }
  async end(): Promise<void> {
    this.running = false;
    await this.work;
  }
}

test(
  "requests go on while the schema grows, both versions serve side by side, and what is not needed any more goes",
  async () => {
    const sql = await connect(db.url);
    const checksums = async (): Promise<unknown> =>
      (await sql.query("select name, checksum from schema_object order by 1")).rows;
    const [a, b] = await Promise.all([startServer(settings), startServer(settings)]);
    const traffic = new Traffic([a, b]);
    await traffic.begin();
    await traffic.goOn();

    // Expand. Somebody reads the tables for a while, as a report or a backup does, so the migrations have to wait.
    const next = laterVersion("99.1.0", [
      {
        name: "Grows9999000000000",
        isWhole: true,
        sql: HOT.map((table) => `alter table ${table} add column of_next text not null default 'x'`),
      },
      {
        name: "Indexes9999000000001",
        isWhole: false,
        sql: ["create index concurrently if not exists message_of_next on message (tenant_id, of_next)"],
      },
    ]);
    const report = await connect(db.url);
    await report.query(`begin; ${HOT.map((table) => `select from ${table} limit 1`).join("; ")}`);
    const migrated = parleyIn(next, ["migrate"], settings);
    const isWaiting = "select from pg_locks where not granted and mode = 'AccessExclusiveLock'";
    await until(
      async () => (await sql.query(isWaiting)).rowCount,
      () => "a migration waited",
    );
    await traffic.goOn();
    await report.query("commit");
    await report.end();
    expect(await migrated).toMatchObject({ code: 0, stderr: "" });
    await traffic.goOn();
    const made = await checksums();

    // One process of the version before is killed, and started again on the database of the next one.
    await traffic.leave(b);
    await b.end("SIGKILL");
    const again = await startServer(settings);
    expect(await checksums()).toEqual(made);
    traffic.serving = [a, again];
    await traffic.goOn();

    // One after the other. A balancer sends nothing more to a process before it stops.
    const replace = async (old: Server, folder: string): Promise<Server> => {
      const fresh = await startServer(settings, undefined, mainIn(folder));
      traffic.serving = [...traffic.serving.filter((one) => one !== old), fresh];
      await traffic.goOn();
      expect(await old.end("SIGTERM")).toMatchObject({ code: 0 });
      return fresh;
    };
    const c = await replace(a, next);
    const d = await replace(again, next);
    await traffic.goOn();

    // Contract, once no process of the version before is left.
    const last = laterVersion("99.2.0", [
      {
        name: "Indexes9999000000001",
        isWhole: false,
        sql: [],
      },
      {
        name: "Shrinks9999000000002",
        isWhole: true,
        // The functions of the audit log name the columns of their tables: they change with them, in one transaction.
        sql: [
          ...HOT.map((table) => `alter table ${table} drop column of_next`),
          fs.readFileSync(path.join(ROOT, "src/audit/audit-triggers.sql"), "utf8"),
        ],
      },
    ]);
    expect(await parleyIn(last, ["migrate"], settings)).toMatchObject({ code: 0, stderr: "" });
    await traffic.goOn();
    await replace(c, last);
    await replace(d, last);
    await traffic.goOn();
    await traffic.end();

    const warnings = [a, again, c, d].flatMap((server) =>
      Object.values(server.output())
        .join("\n")
        .split("\n")
        .filter((line) => /"level":"(?:warn|error)"/.test(line)),
    );
    expect(traffic.failed.length ? [...traffic.failed, ...warnings] : []).toEqual([]);
    const { rows } = await sql.query<{ body: string }>("select body from message");
    expect(rows.map(({ body }) => body).sort()).toEqual([...traffic.written].sort());
    expect(warnings.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    await sql.end();
  },
  MAX_MS,
);
