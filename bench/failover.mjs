// node bench/failover.mjs [--rounds 20] [--patroni [--ttl 7] [--loop-wait 1] [--retry-timeout 3]]: kills the primary of a PostgreSQL with a
// synchronous standby, behind HAProxy and under load. It needs haproxy and a whole PostgreSQL (Debian: apt-get install haproxy
// postgresql); PG_BIN names the programs of another one. With --patroni, Patroni and etcd choose the next primary among three nodes (Debian: patroni,
// etcd-server).
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort, run, until, WebhookReceiver } from "./chaos/servers.mjs";
import { Pair, Patroni, startHaproxy } from "./failover/clusters.mjs";
import { Load } from "./failover/load.mjs";

const ROOT = path.join(import.meta.dirname, "..");
const PROCESSES = 2;
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    patroni: { type: "boolean", default: false },
    ttl: { type: "string", default: "7" },
    "loop-wait": { type: "string", default: "1" },
    "retry-timeout": { type: "string", default: "3" },
    /** With 1, the other standby may know more than the one that is promoted. It has to be rewound then before anything is acknowledged. */
    synchronous: { type: "string", default: "2" },
    /** How many minutes webhooks have at the end, at most: those that fail are tried again after one, and after 15. */
    drain: { type: "string", default: "17" },
    /** Leaves the folder with the logs. */
    keep: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-failover-"));
fs.chmodSync(folder, 0o755);
const log = (line) => console.error(`${new Date().toISOString().slice(11, 19)} ${line}`);

const script = (name, env, ...args) => [
  process.execPath,
  [path.join(ROOT, "dist/src", name), ...args],
  { env: { ...process.env, ...env }, cwd: folder },
];

async function startServer(env) {
  const child = spawn(...script("main.js", { ...env, PORT: "0" }));
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  // What it could not explain to a client. That the database is away is expected.
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text) => {
      for (const line of String(text).split("\n")) if (line.includes('"level":"error"')) log(line.slice(0, 500));
    });
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (text) => {
      const found = /Parley is ready at (\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
  child.once("exit", (code, signal) => log(`a process of Parley ended with ${code ?? signal}: ${said}`));
  return { child, address };
}

/** What became of the webhooks of these messages, once each of them has arrived or had the time to. */
async function webhooksOf(ids, events) {
  const missing = () => ids.filter((id) => !events.has(id));
  const began = performance.now();
  while (missing().length && performance.now() < began + Number(values.drain) * 60_000) await sleep(500);
  const seconds = Math.round((performance.now() - began) / 1_000);
  // One that is on its way a second time.
  await sleep(3_000);
  const times = ids.map((id) => [...(events.get(id) ?? new Map()).values()]);
  return {
    secondsUntilTheLast: seconds,
    missing: missing().length,
    twiceWithTheSameId: times.filter((all) => all.length === 1 && all[0] > 1).length,
    withSeveralIds: times.filter((all) => all.length > 1).length,
  };
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
const receiver = new WebhookReceiver();
const children = [];
const servers = [];
let cluster;
try {
  cluster = values.patroni
    ? await Patroni.create(folder, {
        ttl: Number(values.ttl),
        loop_wait: Number(values["loop-wait"]),
        retry_timeout: Number(values["retry-timeout"]),
        synchronous_node_count: Number(values.synchronous),
      })
    : await Pair.create(folder);
  log("the cluster runs");
  await cluster.primary.ask("create role parley login createrole password 'parley'");
  await cluster.primary.ask("create database parley owner parley");
  const haPort = await freePort();
  children.push(startHaproxy(folder, cluster, haPort));
  await until(() => fetch(`http://127.0.0.1:${cluster.primary.checkPort}`));
  await sleep(2_500);
  const receives = await receiver.start();
  const env = {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    DATABASE_URL: `postgres://parley:parley@127.0.0.1:${haPort}/parley`,
    SECRET_KEY: "a secret for the bench, at least 32 characters",
    LOG_LEVEL: "error",
    RATE_LIMIT_PER_MINUTE: "100000",
    OUTBOUND_ALLOW: `127.0.0.1:${receives}`,
    ATTACHMENTS_DIR: path.join(folder, "attachments"),
  };
  const made = ["tenant", "create", "--name", "Bench", "--owner-email", "owner@example.com", "--json"];
  const tenant = JSON.parse((await run(...script("cli/main.js", env, ...made))).stdout);
  for (let n = 0; n < PROCESSES; n++) {
    const server = await startServer(env);
    servers.push(server);
    children.push(server.child);
  }
  const load = new Load(
    servers.map(({ address }) => address),
    tenant,
  );
  await load.setUp(receives);
  load.start();
  const results = [];
  for (let round = 1; round <= rounds; round++) {
    await sleep(1_000 + Math.random() * 1_000);
    const before = await load.read("now");
    const { name } = cluster.primary;
    const killed = await cluster.cut();
    load.mark(killed);
    await cluster.elect();
    const elected = performance.now() - killed;
    await until(() => load.allBack);
    const cursor = await load.read(before.body.cursor);
    const result = {
      elected,
      back: load.back,
      allBack: load.allBack,
      longest: load.longest,
      cursor: cursor.status,
      feedGoesOn: await load.feedGoesOn(),
    };
    results.push(result);
    log(
      `round ${round}: ${name} killed, ${cluster.primary.name} elected after ${Math.round(elected)} ms, back after ${Math.round(load.back)} ms, ` +
        `each writer after ${Math.round(load.allBack)} ms, ${load.acknowledged.size} acknowledged, an old cursor is ${cursor.status}, the feed goes on: ${result.feedGoesOn}`,
    );
    await cluster.rejoin();
    log(`${name} is back as a standby`);
  }
  await load.stop();
  const found = await load.messages();
  const unique = new Set(found);
  const sorted = (name) => results.map((one) => Math.round(one[name])).sort((a, b) => a - b);
  const summary = (name) => {
    const all = sorted(name);
    return { median: all[all.length >> 1], worst: all.at(-1), all: results.map((one) => Math.round(one[name])) };
  };
  const acknowledged = [...load.acknowledged.keys()];
  const report = {
    rounds,
    electedMs: summary("elected"),
    backMs: summary("back"),
    eachWriterBackMs: summary("allBack"),
    longestWithoutAcknowledgementMs: sorted("longest").at(-1),
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((text) => !unique.has(text)).length,
    doubled: found.length - unique.size,
    answers: Object.fromEntries(load.answers),
    reads: Object.fromEntries(load.reads),
    wrongAnswers: load.wrong,
    cursorsThatAre410: results.filter(({ cursor }) => cursor === 410).length,
    feedsThatWentOn: results.filter(({ feedGoesOn }) => feedGoesOn).length,
    webhooks: await webhooksOf([...load.acknowledged.values()], receiver.events),
    restartsOfTheServers: servers.filter(({ child }) => child.exitCode !== null || child.signalCode !== null).length,
  };
  console.log(JSON.stringify(report, null, 1));
} finally {
  await cleanUp();
}
process.exit(0);

async function cleanUp() {
  for (const child of children) child.removeAllListeners("exit").kill("SIGKILL");
  await cluster?.stop();
  if (values.keep) log(`logs are in ${folder}`);
  else fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
