// node bench/failover.mjs [--rounds 20]: kills the primary of a PostgreSQL with a synchronous standby, behind HAProxy and under load. It
// needs haproxy and a whole PostgreSQL (Debian: apt-get install haproxy postgresql); PG_BIN names the programs of another one.
import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import pg from "pg";

/** Never in one go: HAProxy asks this process who takes changes. */
const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, "..");
const PG_BIN = process.env.PG_BIN ?? newestBin();
const WRITERS = 8;
const READERS = 4;
/** As in Patroni's smallest useful setting: a primary that is silent for so long is given up. */
const GIVEN_UP_MS = 2_000;
const LOOK_MS = 250;
const { values } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
const rounds = Number(values.rounds);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-failover-"));
fs.chmodSync(folder, 0o755);
/** PostgreSQL refuses to run as root. */
const user = process.getuid() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const log = (line) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

function newestBin() {
  const root = "/usr/lib/postgresql";
  const [newest] = fs.readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return path.join(root, newest, "bin");
}
async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
const program = (name, args) => run(path.join(PG_BIN, name), args, { ...user, cwd: "/" });

/** A server of PostgreSQL at an address that stays, whatever runs there. */
class Node {
  constructor(name, port, checkPort) {
    Object.assign(this, { name, port, checkPort, data: path.join(folder, name) });
    // HAProxy asks here who takes changes.
    this.check = http
      .createServer(async (_, response) => response.writeHead((await this.takesChanges()) ? 200 : 503).end())
      .listen(checkPort, "127.0.0.1");
  }
  url(database = "postgres", login = "postgres") {
    return `postgres://${login}:${login}@127.0.0.1:${this.port}/${database}`;
  }
  async ask(sql, patience = 30_000) {
    const client = new pg.Client({
      connectionString: this.url(),
      connectionTimeoutMillis: patience,
      query_timeout: patience,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      return (await client.query(sql)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
  takesChanges() {
    return this.ask("select not pg_is_in_recovery() as yes", 400).then(
      ([row]) => row.yes,
      () => false,
    );
  }
  start() {
    const settings = [
      `port=${this.port}`,
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=100",
    ];
    this.process = spawn(path.join(PG_BIN, "postgres"), ["-D", this.data, ...settings.flatMap((one) => ["-c", one])], {
      ...user,
      cwd: "/",
      stdio: "ignore",
    });
    return until(() => this.ask("select 1"));
  }
  async create() {
    const password = path.join(folder, "password");
    fs.writeFileSync(password, "postgres", { mode: 0o644 });
    fs.mkdirSync(this.data);
    if (user.uid) fs.chownSync(this.data, user.uid, user.gid);
    await program("initdb", [
      "-D",
      this.data,
      "-U",
      "postgres",
      "--auth=scram-sha-256",
      `--pwfile=${password}`,
      "-E",
      "UTF8",
      "--locale=C",
    ]);
    await this.start();
  }
  /** A standby of this one, without which the primary acknowledges nothing. */
  async follow(primary) {
    fs.rmSync(this.data, { recursive: true, force: true });
    fs.mkdirSync(this.data, { mode: 0o700 });
    if (user.uid) fs.chownSync(this.data, user.uid, user.gid);
    await program("pg_basebackup", ["-D", this.data, "-d", primary.url(), "-R", "-X", "stream", "-c", "fast"]);
    await this.start();
    await primary.ask("alter system set synchronous_standby_names = '*'");
    await primary.ask("select pg_reload_conf()");
    await until(async () => {
      const [row] = await primary.ask("select count(*)::int as n from pg_stat_replication where sync_state = 'sync'");
      return row.n === 1;
    });
  }
  /** Ends all of its processes at once, as a power cut does. @returns when */
  async cut() {
    const { stdout: children } = await run("ps", ["-o", "pid=", "--ppid", String(this.process.pid)]);
    const ended = once(this.process, "exit");
    const at = performance.now();
    for (const pid of [this.process.pid, ...children.trim().split(/\s+/).map(Number)])
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    await ended;
    return at;
  }
}

async function until(ask) {
  for (;;) {
    const answer = await ask().catch(() => false);
    if (answer) return answer;
    await sleep(50);
  }
}

function startHaproxy(nodes, port) {
  const file = path.join(folder, "haproxy.cfg");
  fs.writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk
  http-check expect status 200
  default-server inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: at, checkPort }) => `  server ${name} 127.0.0.1:${at} check port ${checkPort}`).join("\n")}
`,
  );
  return spawn("haproxy", ["-f", file], { stdio: "ignore" });
}

async function startServer(databaseUrl) {
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: "a secret for the bench, at least 32 characters",
    PORT: "0",
    LOG_LEVEL: "error",
    ATTACHMENTS_DIR: path.join(folder, "attachments"),
  };
  const node = (script, ...args) => [
    process.execPath,
    [path.join(ROOT, "dist/src", script), ...args],
    { env, cwd: folder },
  ];
  const made = ["tenant", "create", "--name", "Bench", "--owner-email", "owner@example.com", "--json"];
  const tenant = JSON.parse((await run(...node("cli/main.js", ...made))).stdout);
  const child = spawn(...node("main.js"));
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  // What it could not explain to a client. That the database is away is expected.
  child.stdout.on("data", (text) => {
    for (const line of String(text).split("\n")) if (line.includes('"level":"error"')) log(line.slice(0, 500));
  });
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      const found = /Parley is ready at (\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  return { child, address, tenant };
}

/** Repeats a request with the same Idempotency-Key until it is acknowledged, as a client should. */
class Load {
  acknowledged = new Set();
  answers = new Map();
  reads = new Map();
  lastAt = performance.now();
  /** The longest time without an acknowledgement since this was set to 0. */
  longest = 0;
  running = true;

  constructor({ address, tenant }, conversations) {
    this.request = async (method, route, body, headers = {}) => {
      const response = await fetch(address + route, {
        method,
        headers: {
          authorization: `Bearer ${tenant.apiKeys.live}`,
          ...(body && { "content-type": "application/json" }),
          ...headers,
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      return { status: response.status, body: await response.json().catch(() => ({})) };
    };
    this.conversations = conversations;
  }
  start() {
    this.writers = [
      ...this.conversations.map((id) => this.write(id)),
      ...Array.from({ length: READERS }, () => this.follow()),
    ];
  }
  /** Asks for the end of the feed all the time, whatever the database does. */
  async follow() {
    for (; this.running; await sleep(20)) {
      const status = await this.request("GET", "/api/changes?after=now").then(
        (answer) => answer.status,
        (error) => error.cause?.code ?? error.name,
      );
      this.reads.set(status, (this.reads.get(status) ?? 0) + 1);
    }
  }
  async write(conversation) {
    while (this.running) {
      const text = randomUUID();
      for (;;) {
        const began = performance.now();
        const status = await this.request(
          "POST",
          `/api/conversations/${conversation}/reply`,
          { body: text },
          { "idempotency-key": text },
        ).then(
          (answer) => answer.status,
          (error) => error.cause?.code ?? error.name,
        );
        this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
        if (status === 200) {
          const now = performance.now();
          this.longest = Math.max(this.longest, now - this.lastAt);
          this.lastAt = now;
          this.acknowledged.add(text);
          if (began > this.since && this.back === undefined) this.back = now - this.since;
          break;
        }
        await sleep(100);
      }
      await sleep(20);
    }
  }
  /** Looks for the first acknowledgement of a request that began after this. */
  mark(since) {
    Object.assign(this, { since, back: undefined, longest: 0 });
  }
  async stop() {
    this.running = false;
    await Promise.all(this.writers);
  }
  /** The feed behind a cursor, once the server answers. */
  read(after) {
    return until(async () => {
      const answer = await this.request("GET", `/api/changes?after=${encodeURIComponent(after)}`);
      return answer.status !== 503 && answer;
    });
  }
  /** What each conversation has. */
  async messages() {
    const found = [];
    for (const id of this.conversations)
      for (let cursor = ""; cursor !== undefined;) {
        const query = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
        const { status, body } = await this.request("GET", `/api/conversations/${id}/messages?${query}`);
        if (status !== 200) throw new Error(`messages: ${status}`);
        found.push(...body.data.map((message) => message.body));
        cursor = body.nextCursor;
      }
    return found;
  }
}

const nodes = [];
for (const name of ["a", "b"]) nodes.push(new Node(name, await freePort(), await freePort()));
const haPort = await freePort();
let [primary, standby] = nodes;
const children = [];
try {
  await primary.create();
  await primary.ask("create role parley login superuser password 'parley'");
  await primary.ask("create database parley owner parley");
  await standby.follow(primary);
  children.push(startHaproxy(nodes, haPort));
  await until(() => fetch(`http://127.0.0.1:${primary.checkPort}`));
  await sleep(1_000);
  const server = await startServer(`postgres://parley:parley@127.0.0.1:${haPort}/parley`);
  children.push(server.child);
  const load = new Load(server, []);
  for (let n = 0; n < WRITERS; n++) {
    const body = { workspaceId: server.tenant.defaults.workspaceId, contact: { name: `Contact ${n}` } };
    load.conversations.push((await load.request("POST", "/api/conversations", body)).body.id);
  }
  load.start();
  const results = [];
  for (let round = 1; round <= rounds; round++) {
    await sleep(1_000 + Math.random() * 1_000);
    const before = await load.read("now");
    load.mark(await primary.cut());
    // What a manager such as Patroni does: it gives the silent one up, and promotes the other.
    for (let heard = performance.now(); performance.now() < heard + GIVEN_UP_MS; await sleep(LOOK_MS))
      if (await primary.takesChanges()) heard = performance.now();
    await standby.ask("select pg_promote(false)");
    await until(() => Promise.resolve(load.back));
    const cursor = await load.read(before.body.cursor);
    results.push({ back: load.back, longest: load.longest, cursor: cursor.status });
    log(
      `round ${round}: back after ${Math.round(load.back)} ms, ${load.acknowledged.size} acknowledged, an old cursor is ${cursor.status}`,
    );
    [primary, standby] = [standby, primary];
    await standby.follow(primary);
  }
  await load.stop();
  const found = await load.messages();
  const unique = new Set(found);
  const sorted = (name) => results.map((one) => Math.round(one[name])).sort((a, b) => a - b);
  const back = sorted("back");
  console.log(
    JSON.stringify(
      {
        rounds,
        backMs: { median: back[back.length >> 1], worst: back.at(-1) },
        longestWithoutAcknowledgementMs: sorted("longest").at(-1),
        acknowledged: load.acknowledged.size,
        lost: [...load.acknowledged].filter((text) => !unique.has(text)).length,
        doubled: found.length - unique.size,
        answers: Object.fromEntries(load.answers),
        reads: Object.fromEntries(load.reads),
        cursorsThatAre410: results.filter(({ cursor }) => cursor === 410).length,
        restartsOfTheServer: server.child.exitCode === null ? 0 : 1,
      },
      null,
      1,
    ),
  );
} finally {
  for (const child of children) child.kill("SIGKILL");
  for (const { process: child, check } of nodes) {
    child?.kill("SIGQUIT");
    check.close();
    check.closeAllConnections();
  }
  await sleep(500);
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
process.exit(0);
