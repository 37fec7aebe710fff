// What Parley runs on, and what it talks to: PostgreSQL, a pooler, a mail server, a receiver of webhooks.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { SMTPServer } from "smtp-server";

export const run = promisify(execFile);
/** PostgreSQL and PgBouncer refuse to run as root. */
export const NOBODY = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
export const PG_BIN = process.env.PG_BIN ?? newestBin();

function newestBin() {
  const root = "/usr/lib/postgresql";
  const [newest] = fs.readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return path.join(root, newest, "bin");
}
export async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
export async function until(ask) {
  for (;;) {
    const answer = await Promise.resolve()
      .then(ask)
      .catch(() => false);
    if (answer) return answer;
    await sleep(50);
  }
}
/** Ends a process and its children at once, as a power cut does. */
export async function cut(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { stdout: children } = await run("ps", ["-o", "pid=", "--ppid", String(child.pid)]).catch(() => ({
    stdout: "",
  }));
  const ended = once(child, "exit");
  for (const pid of [child.pid, ...children.trim().split(/\s+/).filter(Boolean).map(Number)])
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  await ended;
}

/** A folder on a file system of its own, which can be filled. */
export class Disk {
  constructor(folder) {
    this.folder = folder;
    this.filling = path.join(folder, "filling");
  }
  static async mount(folder, megabytes) {
    fs.mkdirSync(folder);
    await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0777`, "chaos", folder]);
    return new Disk(folder);
  }
  fill() {
    const file = fs.openSync(this.filling, "w");
    const piece = Buffer.alloc(1024 * 1024);
    try {
      for (;;) fs.writeSync(file, piece);
    } catch (error) {
      if (error.code !== "ENOSPC") throw error;
    } finally {
      fs.closeSync(file);
    }
  }
  free() {
    fs.rmSync(this.filling, { force: true });
  }
  unmount() {
    return run("umount", ["-l", this.folder]);
  }
}

/** What `faults.c` reads: the clock of a process, and how slow its disk is. */
export class Surroundings {
  constructor(file, library) {
    this.env = library ? { CHAOS: file, LD_PRELOAD: library } : {};
    this.file = file;
    fs.writeFileSync(file, Buffer.alloc(16), { mode: 0o644 });
  }
  set({ seconds = 0, microseconds = 0 }) {
    const values = Buffer.alloc(16);
    values.writeBigInt64LE(BigInt(seconds));
    values.writeBigInt64LE(BigInt(microseconds), 8);
    const file = fs.openSync(this.file, "r+");
    fs.writeSync(file, values, 0, 16, 0);
    fs.closeSync(file);
  }
}

export class Postgres {
  constructor(folder, port, surroundings) {
    Object.assign(this, { data: path.join(folder, "cluster"), folder, port, surroundings });
  }
  url(login = "postgres", database = "parley", port = this.port) {
    return `postgres://${login}:${login}@127.0.0.1:${port}/${database}`;
  }
  async ask(sql, values = [], database = "parley") {
    const client = new pg.Client({ connectionString: this.url("postgres", database), connectionTimeoutMillis: 10_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query(sql, values)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  async create() {
    const password = path.join(this.folder, "password");
    fs.writeFileSync(password, "postgres", { mode: 0o644 });
    fs.mkdirSync(this.data, { mode: 0o700 });
    if (NOBODY.uid) fs.chownSync(this.data, NOBODY.uid, NOBODY.gid);
    const args = [
      "-D",
      this.data,
      "-U",
      "postgres",
      "--auth=scram-sha-256",
      `--pwfile=${password}`,
      "-E",
      "UTF8",
      "--locale=C",
    ];
    await run(path.join(PG_BIN, "initdb"), args, { ...NOBODY, cwd: "/" });
    await this.start();
  }
  async start() {
    const settings = [
      `port=${this.port}`,
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=100",
      "max_wal_size=128MB",
      "min_wal_size=32MB",
      "wal_recycle=off",
    ];
    const log = fs.openSync(path.join(this.folder, "..", "postgres.log"), "a");
    this.process = spawn(path.join(PG_BIN, "postgres"), ["-D", this.data, ...settings.flatMap((one) => ["-c", one])], {
      ...NOBODY,
      cwd: "/",
      env: { ...process.env, ...this.surroundings.env },
      stdio: ["ignore", log, log],
    });
    fs.closeSync(log);
    await until(async () => {
      // What a supervisor does with one that gave up, as on a full disk.
      if (this.process.exitCode !== null) return true;
      return this.ask("select 1", [], "postgres");
    });
    if (this.process.exitCode !== null) {
      await sleep(500);
      await this.start();
    }
  }
}

export class Pooler {
  constructor(folder, postgres, port, logins) {
    this.port = port;
    const users = path.join(folder, "users.txt");
    fs.writeFileSync(users, logins.map((login) => `"${login}" "${login}"\n`).join(""), { mode: 0o644 });
    this.file = path.join(folder, "pgbouncer.ini");
    fs.writeFileSync(
      this.file,
      `[databases]
* = host=127.0.0.1 port=${postgres.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = session
default_pool_size = 20
`,
      { mode: 0o644 },
    );
  }
  async start() {
    this.process = spawn("pgbouncer", ["-q", this.file], { ...NOBODY, cwd: "/", stdio: "ignore" });
    await until(
      () =>
        new Promise((resolve) => {
          const socket = net.connect(this.port, "127.0.0.1");
          socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
          socket.once("connect", () => socket.destroy());
        }),
    );
  }
}

/** Counts mails by the text that the load wrote, and by their Message-ID. */
export class MailServer {
  /** Text → Message-ID → how often. */
  mails = new Map();
  lastAt = -Infinity;
  async start() {
    this.server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      disableReverseLookup: true,
      onAuth: ({ username }, _, done) => done(null, { user: username }),
      onData: async (stream, _, done) => {
        const chunks = [];
        try {
          for await (const chunk of stream) chunks.push(chunk);
        } catch (error) {
          // The sender was killed in the middle of a mail.
          done(error);
          return;
        }
        const raw = Buffer.concat(chunks).toString();
        const [, id] = /^message-id: *(\S+)/im.exec(raw) ?? [];
        const [, text] = /reply-([0-9a-f-]{36})/.exec(raw) ?? [];
        const ids = this.mails.get(text) ?? new Map();
        this.mails.set(text, ids.set(id, (ids.get(id) ?? 0) + 1));
        this.lastAt = performance.now();
        done();
      },
    });
    this.server.on("error", () => undefined);
    this.server.listen(0, "127.0.0.1");
    await once(this.server.server, "listening");
    return this.server.server.address().port;
  }
}

/** Counts webhooks by the message that they tell of, and by the id of the event. */
export class WebhookReceiver {
  /** Id of the message → id of the event → how often. */
  events = new Map();
  lastAt = -Infinity;
  async start() {
    this.server = http
      .createServer(async (request, response) => {
        const chunks = [];
        try {
          for await (const chunk of request) chunks.push(chunk);
        } catch {
          return;
        }
        const { data } = JSON.parse(Buffer.concat(chunks).toString());
        const ids = this.events.get(data.messageId) ?? new Map();
        const id = request.headers["webhook-id"];
        this.events.set(data.messageId, ids.set(id, (ids.get(id) ?? 0) + 1));
        this.lastAt = performance.now();
        response.writeHead(204).end();
      })
      .listen(0, "127.0.0.1");
    await once(this.server, "listening");
    return this.server.address().port;
  }
}
