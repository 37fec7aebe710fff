// npm run bench -- [part …] [--quick] [--against DIR]: see README.md.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { clusterOf, cpuOf } from "./cpu.mjs";

const WARM_UP_SECONDS = 8;
const PARTS = [
  "list",
  "poll",
  "events",
  "messages",
  "reply",
  "inbound",
  "freshness",
  "feed",
  "crowd",
  "pages",
  "sweep",
  "start",
  "memory",
  "search",
  "kb",
  "contacts",
  "csat",
  "reports",
  "reads",
  "text",
  "assistant",
  "suggestions",
  "rehearsal",
  "bodies",
  "servers",
];
/** These only run if they are named: one installs packages that Parley has no use for, two take long, one needs Chromium. */
const ON_REQUEST = ["peers", "feed-soak", "dashboard", "outage"];
/** These can be compared with another build. */
const COMPARED = ["list", "poll", "events", "messages", "reply", "inbound"];
const SIZES = {
  own: { conversations: 0, events: 0 },
  quick: { conversations: 1_000_000, events: 2_000_000 },
  full: { conversations: 10_000_000, events: 20_000_000 },
};
const here = import.meta.dirname;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean" },
    profile: { type: "boolean" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    requests: { type: "string" },
    changes: { type: "string" },
    minutes: { type: "string" },
    against: { type: "string" },
  },
});
const names = positionals.length ? positionals : PARTS;
// These have data of their own.
const size = names.every((name) =>
  [
    "search",
    "feed",
    "feed-soak",
    "dashboard",
    "kb",
    "contacts",
    "sweep",
    "csat",
    "reports",
    "reads",
    "text",
    "assistant",
    "suggestions",
    "rehearsal",
    "bodies",
    "servers",
    "outage",
  ].includes(name),
)
  ? "own"
  : values.quick
    ? "quick"
    : "full";

function fail(message) {
  console.error(`bench: ${message}`);
  process.exit(1);
}
for (const name of names)
  if (![...PARTS, ...ON_REQUEST].includes(name))
    fail(`there is no part ${name}, only ${[...PARTS, ...ON_REQUEST].join(", ")}`);
if (values.against && names.some((name) => !COMPARED.includes(name)))
  fail(`only ${COMPARED.join(", ")} can be compared with another build`);
try {
  execFileSync("pgbench", ["--version"], { stdio: "ignore" });
} catch {
  fail("pgbench is needed (Debian: apt-get install postgresql-client postgresql-contrib)");
}
execFileSync(process.execPath, ["scripts/build.mjs", "--if-needed"], { cwd: path.join(here, ".."), stdio: "inherit" });

await import("reflect-metadata");
const { startEmbeddedPostgres } = await import("../dist/src/platform/database/embedded/embedded.js");
const { migrate } = await import("../dist/src/platform/database/migrations/migrate.js");
const { ownerOptions } = await import("../dist/src/platform/database/options.js");
const { ENTITIES } = await import("../dist/src/entities.js");
const { SQL_FILES } = await import("../dist/src/sql-files.js");

const { seed, seedKeys, SECRET_KEY } = await import("./seed.mjs");
const parts = await Promise.all(names.map(async (name) => (await import(`./parts/${name}.mjs`)).default));

const log = (line) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);
const postgres = await startEmbeddedPostgres({ dataDir: path.join(here, ".data"), mode: "own", log });
const admin = new pg.Client(postgres.url());
await admin.connect();
const { client, url } = await openDatabase(`bench_${size}`, SIZES[size]);
const other = values.against && (await openOther(path.resolve(values.against)));
/** For what is compared between sizes: the smaller one first. */
const databases = [{ client, conversations: SIZES[size].conversations }];
if (size === "full" && names.includes("pages"))
  databases.unshift({
    client: (await openDatabase("bench_quick", SIZES.quick)).client,
    conversations: SIZES.quick.conversations,
  });

const server = await startServer();
const queries = async () =>
  Number(
    (await client.query(`select coalesce(sum(seq_scan + coalesce(idx_scan, 0)), 0) as n from pg_stat_user_tables`))
      .rows[0].n,
  );
const context = {
  server,
  startServer,
  postgres,
  admin,
  openDatabase,
  client,
  url,
  databases,
  sizes: SIZES[size],
  quick: Boolean(values.quick),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  requests: values.requests && Number(values.requests),
  changes: values.changes && Number(values.changes),
  minutes: values.minutes && Number(values.minutes),
  queries,
  log,
};
const cluster = await clusterOf(admin);
const rows = [];
const sections = [];
try {
  for (const part of parts) {
    if (part.measure) {
      const { details, ...measured } = await part.measure(context);
      rows.push({
        part: part.name,
        what: part.what,
        against: part.against,
        floor: part.floor,
        goal: part.goal,
        ...measured,
      });
      if (details) sections.push(`## ${part.name}\n\n${details}`);
      log(`${part.name}: ${measured.ratio} ${measured.note}`);
      continue;
    }
    await part.prepare(context);
    const otherPart = other && { ...part };
    await otherPart?.prepare({ ...context, ...other });
    const measureOurs = (seconds) => withProcessorTime(() => part.ours(seconds, context), seconds, server);
    const measureBaseline = (seconds) =>
      otherPart
        ? withProcessorTime(() => otherPart.ours(seconds, { ...context, ...other }), seconds, other.server)
        : withProcessorTime(() => part.baseline(seconds, context), seconds);
    // Until node has compiled what is used often: a server of the first seconds takes twice the time.
    await measureOurs(WARM_UP_SECONDS);
    await measureBaseline(otherPart ? WARM_UP_SECONDS : 1);
    const rounds = [];
    for (let round = 1; round <= Number(values.rounds); round++) {
      // In turn, because the round that comes first finds the caches as the other left them.
      const first = round % 2 ? await measureOurs(Number(values.seconds)) : undefined;
      const baseline = await measureBaseline(Number(values.seconds));
      const ours = first ?? (await measureOurs(Number(values.seconds)));
      rounds.push({ ours, baseline, ratio: ours.rate / baseline.rate });
      log(
        `${part.name} ${round}: ${ours.rate.toFixed(0)}/s against ${baseline.rate.toFixed(0)}/s = ${(ours.rate / baseline.rate).toFixed(2)}${ours.other ? `, ${ours.other} unexpected answers` : ""}`,
      );
    }
    part.close?.();
    otherPart?.close?.();
    const median = (of) => rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
    const µs = (side) =>
      ["server", "PostgreSQL"]
        .filter((name) => side(rounds[0])[name] !== undefined)
        .map((name) => `${name} ${Math.round(median((r) => side(r)[name]))}`)
        .join(", ");
    rows.push({
      part: part.name,
      what: part.what,
      ours: Math.round(median((r) => r.ours.rate)),
      baseline: Math.round(median((r) => r.baseline.rate)),
      against: other ? "the other build" : part.against,
      ratio: Number(median((r) => r.ratio).toFixed(2)),
      floor: other ? 0.95 : part.floor,
      goal: other ? 1 : part.goal,
      p50: Number(median((r) => r.ours.p50).toFixed(1)),
      p99: Number(median((r) => r.ours.p99).toFixed(1)),
      note: [rounds.at(-1).ours.note, `µs a request: ${µs((r) => r.ours)}; against ${µs((r) => r.baseline)}`]
        .filter(Boolean)
        .join("; "),
    });
  }
} catch (error) {
  // Here, before the connections that a failed part left open are cut off and drown it out.
  console.error(error);
  process.exitCode = 1;
} finally {
  server.process.kill();
  other?.server.process.kill();
  await other?.client.end();
  for (const database of databases) await database.client.end();
  await admin.end();
  await postgres.stop();
}
if (!process.exitCode) report();

/** @returns what `measure` does, and the microseconds of processor time that a request took in the server and in PostgreSQL */
async function withProcessorTime(measure, seconds, { process: { pid } } = { process: {} }) {
  const used = () => ({ ...(pid && { server: cpuOf(pid) }), PostgreSQL: cluster() });
  const before = used();
  const result = await measure();
  const after = used();
  for (const [name, time] of Object.entries(after)) result[name] = (time - before[name]) / (result.rate * seconds);
  return result;
}

/** The database with its rows, made if it is not there; `prepare` completes the rows of a new one. */
async function openDatabase(
  name,
  sizes,
  prepare,
  migrateIt = (to) => migrate(to, ownerOptions(to, ENTITIES), SQL_FILES),
) {
  if (!(await admin.query("select from pg_database where datname = $1", [name])).rowCount)
    await admin.query(`create database ${name}`);
  const url = postgres.url(name);
  await migrateIt(url);
  const client = new pg.Client(url);
  await client.connect();
  await seed(client, sizes, log, prepare);
  await seedKeys(client);
  return { client, url };
}

/** Another checkout's build, on a database of its own with the same rows. */
async function openOther(cwd) {
  const cli = path.join(cwd, "dist/src/cli/main.js");
  const { client, url } = await openDatabase(`bench_${size}_against`, SIZES[size], undefined, (to) =>
    execFileSync(process.execPath, [cli, "migrate"], { cwd, env: { ...process.env, DATABASE_URL: to } }),
  );
  return { client, url, server: await startServer(url, cwd) };
}

async function startServer(database = url, cwd = path.join(here, ".."), settings = {}) {
  const child = spawn(
    process.execPath,
    [
      ...(values.profile ? ["--cpu-prof", "--cpu-prof-dir", path.join(here, ".data/profiles")] : []),
      "dist/src/main.js",
    ],
    {
      cwd,
      stdio: ["ignore", "pipe", "inherit"],
      env: {
        ...process.env,
        DATABASE_URL: database,
        PORT: "0",
        HOST: "127.0.0.1",
        NODE_ENV: "production",
        SECRET_KEY,
        RATE_LIMIT_PER_MINUTE: "1000000000",
        ...settings,
      },
    },
  );
  const port = await new Promise((resolve, reject) => {
    // Read to the end: a server whose log nobody takes any more ends with it.
    child.stdout.on("data", (chunk) => {
      const ready = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(String(chunk));
      if (ready) resolve(Number(ready[1]));
    });
    child.once("exit", () => reject(new Error("the server did not start")));
  });
  return { process: child, port };
}

function report() {
  const machine = `${os.cpus().length} × ${os.cpus()[0].model}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}, PostgreSQL 18 (embedded), ${SIZES[size].conversations.toLocaleString("en")} conversations, ${SIZES[size].events.toLocaleString("en")} identity events`;
  const table = [
    "| part | ours /s | baseline /s | result | floor | goal | p50 ms | p99 ms | |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows.map(
      (r) =>
        `| ${r.what}${r.against === "-" ? "" : `, against ${r.against}`} | ${r.ours ?? ""} | ${r.baseline ?? ""} | **${r.ratio}** | ${r.floor} | ${r.goal} | ${r.p50 ?? ""} | ${r.p99 ?? ""} | ${r.note} |`,
    ),
  ].join("\n");
  console.log([table, ...sections, machine].join("\n\n"));
  const file = path.join(
    here,
    "results",
    `${new Date().toISOString().slice(0, 10)}-${size}${positionals.length ? `-${positionals.join("-")}` : ""}${other ? "-against" : ""}.md`,
  );
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(
    file,
    `# ${size} run, ${new Date().toISOString().slice(0, 10)}\n\n${machine}; medians of ${values.rounds} interleaved rounds of ${values.seconds} s.\n\n${[table, ...sections].join("\n\n")}\n`,
  );
}
