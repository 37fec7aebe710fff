// node bench/chaos.mjs [--minutes 5] [--seed 1] [--drain 17] [--only NAME,NAME]: two processes of Parley on a PostgreSQL behind PgBouncer, with
// attachments in S3, and everything around them fails in turn. It needs root, for a disk that can be full, a C compiler, pgbouncer and a
// whole PostgreSQL (Debian: apt-get install gcc libc6-dev pgbouncer postgresql); PG_BIN names the programs of another one.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import S3rver from "s3rver";
import { Load } from "./chaos/load.mjs";
import {
  cut,
  Disk,
  freePort,
  MailServer,
  Pooler,
  Postgres,
  run,
  Surroundings,
  until,
  WebhookReceiver,
} from "./chaos/servers.mjs";
import { Way } from "./chaos/way.mjs";

const ROOT = path.join(import.meta.dirname, "..");
const HOUR = 3_600;
/** What a supervisor waits before it starts a process again. */
const RESTART_MS = 2_000;
/** How long a fault lasts that ends by itself. */
const LASTS_MS = 12_000;
/** Longer than that is not "by itself". */
const LOST_MS = 180_000;
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    /** How long what waits has at the end, at most. */
    drain: { type: "string", default: "17" },
    only: { type: "string" },
  },
});
const minutes = Number(values.minutes);

const began = performance.now();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-chaos-"));
fs.chmodSync(folder, 0o755);
const log = (line) =>
  console.error(`${String(Math.round((performance.now() - began) / 1_000)).padStart(5)} s  ${line}`);

/** mulberry32 */
function randomFrom(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
const random = randomFrom(Number(values.seed));
function shuffled(list) {
  const left = [...list];
  return list.map(() => left.splice(Math.floor(random() * left.length), 1)[0]);
}

/** A process of Parley at an address that stays. Whatever ends it, it is started again, as systemd does. */
class Parley {
  /** How often it ended although nobody killed it. */
  ended = 0;
  errors = new Map();
  isWanted = true;

  constructor(name, settings, surroundings) {
    Object.assign(this, { name, settings, surroundings });
  }
  async start() {
    this.child = spawn(process.execPath, ["--enable-source-maps", path.join(ROOT, "dist/src/main.js")], {
      env: { ...process.env, ...this.settings, ...this.surroundings.env },
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    this.child.stderr.on("data", (text) => (said = (said + text).slice(-2_000)));
    // Nest writes errors to the second stream.
    for (const stream of [this.child.stdout, this.child.stderr]) {
      let rest = "";
      stream.setEncoding("utf8").on("data", (text) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        for (const line of lines) this.read(line);
      });
    }
    const { child } = this;
    child.once("exit", (code, signal) => {
      if (!this.isWanted) return;
      if (signal !== "SIGKILL") {
        this.ended++;
        log(`${this.name} ended by itself with ${code ?? signal}: ${said}`);
      }
      setTimeout(() => this.isWanted && this.start(), RESTART_MS);
    });
    await once(child, "spawn");
  }
  read(line) {
    if (!line.includes('"level":"error"')) return;
    const what = line
      .replace(/.*?"(?:msg|message)":"/, "")
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "…")
      .replace(/\\n.*/s, "")
      .slice(0, 200);
    const key = `${what} (${load?.fault})`;
    if (!this.errors.has(key)) log(`${this.name} logs: ${line.slice(0, 600)}`);
    this.errors.set(key, (this.errors.get(key) ?? 0) + 1);
  }
  kill() {
    this.child.kill("SIGKILL");
  }
}

const library = path.join(folder, "faults.so");
await run("cc", ["-O2", "-shared", "-fPIC", "-o", library, path.join(import.meta.dirname, "chaos/faults.c"), "-ldl"]);
const around = Object.fromEntries(
  ["postgres", "a", "b"].map((name) => [name, new Surroundings(path.join(folder, `${name}.faults`), library)]),
);
const disk = await Disk.mount(path.join(folder, "database"), 2_000);
const spool = await Disk.mount(path.join(folder, "spool"), 64);
const postgres = new Postgres(disk.folder, await freePort(), around.postgres);
const s3 = new S3rver({
  port: 0,
  address: "127.0.0.1",
  silent: true,
  directory: path.join(folder, "s3"),
  configureBuckets: [{ name: "parley-files" }],
});
const [mails, webhooks] = [new MailServer(), new WebhookReceiver()];
const ways = {};
const parleys = [];
let pooler;
let load;
try {
  await postgres.create();
  await postgres.ask("create role parley login createrole password 'parley'", [], "postgres");
  await postgres.ask("create database parley owner parley", [], "postgres");
  ways.s3 = await Way.to((await s3.run()).port);
  ways.mail = await Way.to(await mails.start());
  ways.webhooks = await Way.to(await webhooks.start());
  pooler = new Pooler(folder, postgres, await freePort(), ["parley_server"]);
  const settings = {
    NODE_ENV: "production",
    DATABASE_URL: postgres.url("parley"),
    DATABASE_APP_URL: postgres.url("parley_server", "parley", pooler.port),
    DATABASE_DIRECT_URL: `postgres://127.0.0.1:${postgres.port}/parley`,
    SECRET_KEY: "a secret for the bench, at least 32 characters",
    HOST: "127.0.0.1",
    LOG_LEVEL: "error",
    RATE_LIMIT_PER_MINUTE: "100000",
    OUTBOUND_ALLOW: `127.0.0.1:${ways.mail.port},127.0.0.1:${ways.webhooks.port}`,
    ATTACHMENTS_DIR: path.join(spool.folder, "files"),
    MIN_FREE_DISK_MB: "8",
    ATTACHMENT_STORE: "s3",
    S3_BUCKET: "parley-files",
    S3_ENDPOINT: `http://127.0.0.1:${ways.s3.port}`,
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: "S3RVER",
    S3_PATH_STYLE: "true",
  };
  const cli = (...args) =>
    run(process.execPath, [path.join(ROOT, "dist/src/cli/main.js"), ...args], {
      env: { ...process.env, ...settings, DATABASE_APP_URL: "", DATABASE_DIRECT_URL: "" },
      cwd: folder,
    });
  const tenant = JSON.parse(
    (await cli("tenant", "create", "--name", "Bench", "--owner-email", "owner@example.com", "--json")).stdout,
  );
  await postgres.ask("create role parley_server login in role parley_app password 'parley_server'");
  await pooler.start();
  for (const name of ["a", "b"]) {
    const one = new Parley(name, { ...settings, PORT: String(await freePort()) }, around[name]);
    parleys.push(one);
    await one.start();
  }
  const addresses = parleys.map(({ settings: { PORT } }) => `http://127.0.0.1:${PORT}`);
  for (const address of addresses) await until(async () => (await fetch(`${address}/readyz`)).status === 200);
  load = new Load(addresses, tenant);
  await setUp();
  load.start();
  await until(() => isBack(began));
  log("the load runs");
  const results = await chaos();
  await report(results);
} finally {
  if (load) load.running = false;
  for (const one of parleys) {
    one.isWanted = false;
    one.child?.kill("SIGKILL");
  }
  for (const way of Object.values(ways)) way.close();
  for (const child of [pooler?.process, postgres.process]) if (child) await cut(child);
  await s3.close().catch(() => undefined);
  await sleep(500);
  for (const one of [disk, spool]) await one.unmount();
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
process.exit(0);

/** The owner's mailbox, and the endpoint for webhooks. */
async function setUp() {
  const { email, password } = load.tenant.owner;
  const body = { email, password, environment: "live" };
  const { accessToken: token } = await load.insist("set up", 0, "POST", "/api/auth/login", { body, token: "" });
  const server = { host: "127.0.0.1", port: ways.mail.port, security: "none" };
  const channel = {
    type: "email",
    name: "Support",
    address: "support@example.com",
    settings: { smtp: server },
    credentials: { username: "u", password: "p" },
  };
  const route = `/api/workspaces/${load.tenant.defaults.workspaceId}/channels`;
  const { id } = await load.insist("set up", 0, "POST", route, { token, body: channel });
  load.channelId = id;
  await load.insist("set up", 0, "PATCH", "/api/tenant", { token, body: { webhooksPreview: true } });
  const endpoint = { url: `http://127.0.0.1:${ways.webhooks.port}/`, events: ["message.received", "message.sent"] };
  await load.insist("set up", 0, "POST", "/api/webhook-endpoints", { token, body: endpoint });
  await until(async () => (await load.ask("set up", 0, "GET", `/api/channels/${id}`))?.status === "active");
}

/** Whether everything that goes on has gone well in both processes since then. */
function isBack(since) {
  const kinds = ["reply", "inbound", "upload", "sign-in", "session", "feed"];
  const all = kinds.flatMap((kind) => parleys.map((_, n) => load.good.get(`${kind} ${n}`) ?? -Infinity));
  return Math.min(...all, mails.lastAt, webhooks.lastAt) > since;
}
function whatIsNot(since) {
  const late = ["reply", "inbound", "upload", "sign-in", "session", "feed"].flatMap((kind) =>
    parleys
      .filter((_, n) => !((load.good.get(`${kind} ${n}`) ?? -Infinity) > since))
      .map(({ name }) => `${kind} of ${name}`),
  );
  if (!(mails.lastAt > since)) late.push("mails");
  if (!(webhooks.lastAt > since)) late.push("webhooks");
  return late.join(", ");
}

async function chaos() {
  const either = () => parleys[Math.floor(random() * parleys.length)];
  const while_ = async (begin, end, ms = LASTS_MS) => {
    await begin();
    await sleep(ms);
    await end();
  };
  const clock = (name, hours) => () =>
    while_(
      () => around[name].set({ seconds: hours * HOUR }),
      () => around[name].set({}),
    );
  const blocked = (name, fault) => () =>
    while_(
      () => ways[name].block(fault),
      () => ways[name].open(),
    );
  const busy =
    "HTTP/1.1 503 Slow Down\r\nContent-Type: application/xml\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  /** Each returns when what it broke is whole again, or at once where only Parley has to mend it. */
  const faults = {
    "a process is killed": () => either().kill(),
    "a process stands still for 20 s": async () => {
      const { child } = either();
      await while_(
        () => child.kill("SIGSTOP"),
        () => child.kill("SIGCONT"),
        20_000,
      );
    },
    "PostgreSQL is killed": async () => {
      await cut(postgres.process);
      await sleep(1_000);
      await postgres.start();
    },
    "one process of PostgreSQL is killed": async () => {
      const [{ pid }] = await postgres.ask(
        "select pid from pg_stat_activity where usename = 'parley_server' order by random() limit 1",
      );
      process.kill(pid, "SIGKILL");
      await sleep(100);
      await until(() => postgres.ask("select 1"));
    },
    "the pooler is killed": async () => {
      await cut(pooler.process);
      await sleep(1_000);
      await pooler.start();
    },
    "the pooler stands still": () =>
      while_(
        () => pooler.process.kill("SIGSTOP"),
        () => pooler.process.kill("SIGCONT"),
      ),
    "PostgreSQL's disk is full": async () => {
      disk.fill();
      await sleep(LASTS_MS);
      disk.free();
      if (postgres.process.exitCode !== null) log("PostgreSQL had given up, and is started again");
      if (postgres.process.exitCode !== null) await postgres.start();
    },
    "the disk for uploads is full": () =>
      while_(
        () => spool.fill(),
        () => spool.free(),
      ),
    "PostgreSQL's disk takes 400 ms for each write": () =>
      while_(
        () => around.postgres.set({ microseconds: 400_000 }),
        () => around.postgres.set({}),
      ),
    "a process' clock is an hour ahead": clock("a", 1),
    "a process' clock is an hour behind": clock("b", -1),
    "PostgreSQL's clock is an hour ahead": clock("postgres", 1),
    "PostgreSQL's clock is an hour behind": clock("postgres", -1),
    "S3 answers 503": blocked("s3", { says: busy }),
    "S3 is silent": blocked("s3", "silence"),
    "S3 resets connections": blocked("s3", "reset"),
    "the mail server is down": blocked("mail", "refused"),
    "the mail server is silent": blocked("mail", "silence"),
    "the mail server answers 421": blocked("mail", { says: "421 4.3.2 Not now\r\n", first: true }),
    "the receiver of webhooks is down": blocked("webhooks", "refused"),
  };
  const only = values.only?.split(",");
  const chosen = Object.keys(faults).filter((name) => !only || only.some((part) => name.includes(part)));
  const results = [];
  const end = performance.now() + minutes * 60_000;
  for (let queue = []; performance.now() < end || queue.length;) {
    if (!queue.length) queue = shuffled(chosen);
    const name = queue.pop();
    await sleep(1_000 + random() * 3_000);
    load.fault = name;
    const hit = performance.now();
    await faults[name]();
    const whole = performance.now();
    let last;
    for (; !isBack(whole) && performance.now() < whole + LOST_MS; await sleep(50)) last = whatIsNot(whole);
    const back = isBack(whole) ? Math.round(performance.now() - whole) : undefined;
    results.push({ name, broken: Math.round(whole - hit), back, last });
    log(`${name}: ${back === undefined ? "NOT back" : `back ${back} ms after it was whole`}, at last ${last}`);
  }
  load.fault = "after";
  return results;
}

async function report(results) {
  await load.stop();
  log("the load has stopped");
  // What waits has its turn: webhooks are tried again after a minute, and after a quarter of an hour.
  const wanted = () => [...load.replies.keys()].map((text) => text.slice("reply-".length));
  const told = () => [...load.replies.values(), ...load.inbound.values()];
  const deadline = performance.now() + Number(values.drain) * 60_000;
  const isDone = () =>
    wanted().every((text) => mails.mails.has(text)) &&
    told().every((id) => webhooks.events.has(id)) &&
    load.feed().every(({ missing }) => missing === 0);
  while (!isDone() && performance.now() < deadline) {
    await sleep(2_000);
  }
  await sleep(3_000);
  for (const reader of load.readers) reader.ended = true;
  const rows = await postgres.ask(
    "select body, count(*)::int as n, min(id::text) as id from message where body ~ '^(reply|inbound)-' group by 1",
  );
  const stored = new Map(rows.map(({ body, n, id }) => [body, { n, id }]));
  const acknowledged = [...load.replies, ...load.inbound];
  const gaps = await postgres.ask(
    "select count(*)::int as n from (select conversation_id from message group by 1 having count(*) <> max(sequence) - min(sequence) + 1) g",
  );
  let damaged = 0;
  for (const [id, hash] of load.files) {
    const { url } = await load.insist("download", 0, "GET", `/api/attachments/${id}`);
    const bytes = Buffer.from(
      await (
        await fetch(new URL(url, load.addresses[0]).href.replace(/^https?:\/\/[^/]+/, load.addresses[0]))
      ).arrayBuffer(),
    );
    if (createHash("sha256").update(bytes).digest("hex") !== hash) damaged++;
  }
  const more = (ids) => [...ids.values()].reduce((sum, n) => sum + n, 0) - 1;
  const summary = (all) => ({
    repeatedWithTheSameId: [...all.values()].filter((ids) => ids.size === 1 && more(ids) > 0).length,
    withSeveralIds: [...all.values()].filter((ids) => ids.size > 1).length,
  });
  const byFault = Map.groupBy
    ? Map.groupBy(results, ({ name }) => name)
    : results.reduce((map, one) => map.set(one.name, [...(map.get(one.name) ?? []), one]), new Map());
  console.log(
    JSON.stringify(
      {
        minutes,
        seed: values.seed,
        seconds: Math.round((performance.now() - began) / 1_000),
        faults: results.length,
        backMsWorstFirst: Object.fromEntries(
          [...byFault]
            .map(([name, all]) => [name, all.map(({ back }) => back ?? Infinity).sort((a, b) => b - a)])
            .sort(([, [a]], [, [b]]) => b - a)
            .map(([name, all]) => [name, all.map((ms) => (ms === Infinity ? "not" : ms)).join(" ")]),
        ),
        acknowledged: acknowledged.length,
        lost: acknowledged.filter(([text]) => !stored.has(text)).length,
        withAnotherId: acknowledged.filter(
          ([text, id]) => stored.get(text) && stored.get(text).n === 1 && stored.get(text).id !== id,
        ).length,
        doubled: rows.filter(({ n }) => n > 1).length,
        conversationsWithGaps: gaps[0].n,
        files: load.files.size,
        damaged,
        signIns: load.signIns,
        mails: {
          sent: mails.mails.size,
          missing: wanted().filter((text) => !mails.mails.has(text)).length,
          ...summary(mails.mails),
        },
        webhooks: {
          events: webhooks.events.size,
          missing: told().filter((id) => !webhooks.events.has(id)).length,
          ...summary(webhooks.events),
        },
        feed: load.feed(),
        outbox: await postgres.ask(
          "select kind, status, count(*)::int as n, min(last_error) as error from outbox_message group by 1, 2 order by 1, 2",
        ),
        // Whatever still waits, and for how long.
        waiting: await postgres.ask(
          `select m.kind, m.conversation_id as conversation, q.position, m.attempts, q.held,
            extract(epoch from clock_timestamp() - m.created_at)::int as "secondsAgo",
            case when q.due_at < 'infinity' then extract(epoch from q.due_at - clock_timestamp())::int end as "dueIn",
            q.id is not null as "isQueued"
          from outbox_message m left join outbox_queue q on q.tenant_id = m.tenant_id and q.id = m.id
          where m.status = 'queued' order by m.conversation_id, q.position limit 100`,
        ),
        endedByThemselves: Object.fromEntries(parleys.map(({ name, ended }) => [name, ended])),
        wrongAnswers: Object.fromEntries(load.wrong),
        answers: Object.fromEntries([...load.answers].sort()),
        errors: Object.fromEntries(parleys.flatMap(({ errors }) => [...errors]).sort(([, a], [, b]) => b - a)),
      },
      null,
      1,
    ),
  );
}
