import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { httpLoad, post } from "../load.mjs";
import { converse, settle, wayTo } from "../several-servers.mjs";
import { apiOf } from "../tenant.mjs";

const DEAD_SECONDS = 60;
const CONNECTIONS = 8;
/** Between an answer and the next request of a connection. What is measured is how long an answer takes, not how many there can be. */
const PAUSE_MS = 20;
const CONVERSATIONS = 40;
/** How often somebody asks for the organisation whose server is down. */
const EVERY_MS = 50;
const PATIENCE_MS = 20_000;
const NAMES = ["control", "second"];

/** One process and two servers. One of them is away for a minute, and then the other. */
export default {
  name: "outage",
  what: `replies of an organisation while another one's server is down for ${DEAD_SECONDS} s, first an ordinary server and then control: their p99 against before`,
  against: "-",
  floor: "1.5 and 1.5",
  goal: "1 and 1",
  async measure({ admin, openDatabase, startServer, log }) {
    const databases = [];
    for (const name of NAMES) {
      await admin.query(`drop database if exists bench_outage_${name} with (force)`);
      const { client, url } = await openDatabase(`bench_outage_${name}`, { conversations: 0, events: 0 });
      databases.push({ name, client, url, way: await wayTo(url) });
    }
    const [control, second] = databases;
    for (const database of databases) database.tenant = await settle(database, control);
    const server = await startServer(control.way.url, undefined, { DATABASE_SERVERS: `second=${second.way.url}` });
    try {
      for (const { tenant } of databases)
        tenant.conversations = await converse(tenant, apiOf(server.port), CONVERSATIONS);
      const found = [];
      for (const [dead, working] of [
        [second, control],
        [control, second],
      ]) {
        const one = await outage(server.port, dead, working);
        log(one.note);
        found.push(one);
      }
      return {
        ratio: found.map(({ ratio }) => ratio.toFixed(2)).join(" and "),
        note: found.map(({ note }) => note).join(". "),
      };
    } finally {
      server.process.kill();
      await once(server.process, "exit");
      for (const { way, client } of databases) {
        way.close();
        await client.end();
      }
    }
  },
};

/** Takes away the server of one organisation while the other one works. */
async function outage(port, dead, { tenant: { key, conversations } }) {
  const load = async (seconds) => {
    const measured = await httpLoad({
      port,
      connections: CONNECTIONS,
      seconds,
      pause: PAUSE_MS,
      requests: conversations.map((id) => post(`/api/conversations/${id}/reply`, key, { body: "It left." })),
    });
    if (measured.other) throw new Error(`${measured.other} answers of the others were errors`);
    return measured;
  };
  const asked = new Watch(port, dead.tenant.key);
  await load(8);
  const before = await load(DEAD_SECONDS);
  dead.way.die();
  const died = performance.now();
  const during = await load(DEAD_SECONDS);
  await dead.way.revive();
  const revived = performance.now();
  const after = await load(10);
  await asked.stop();
  const said = (name, { rate, p50, p99 }) =>
    `${name} ${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;
  const seconds = (ms) => `${(ms / 1_000).toFixed(2)} s`;
  return {
    ratio: during.p99 / before.p99,
    note:
      `${dead.name} down: ${said("before", before)}; ${said("while", during)}; ${said("after", after)}; ` +
      `its own: the first 503 after ${seconds(asked.first(503, died) - died)}, the slowest takes ${seconds(asked.slowest(503, died))}, ` +
      `served again after ${seconds(asked.first(200, revived) - revived)}, other answers: ${asked.others()}`,
  };
}

/** Asks for a list again and again, and keeps what it was answered, when, and after how long. */
class Watch {
  answers = [];
  stopped = false;

  constructor(port, key) {
    this.running = this.run(`http://127.0.0.1:${port}/api/conversations?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
  }

  async run(url, options) {
    while (!this.stopped) {
      const began = performance.now();
      let status;
      try {
        const response = await fetch(url, { ...options, signal: AbortSignal.timeout(PATIENCE_MS) });
        await response.arrayBuffer();
        ({ status } = response);
      } catch (error) {
        status = error.message;
      }
      this.answers.push({ status, began, at: performance.now() });
      await sleep(EVERY_MS);
    }
  }

  async stop() {
    this.stopped = true;
    await this.running;
  }

  /** When this status was first answered to a request after `since`. */
  first(status, since) {
    return this.answers.find((one) => one.status === status && one.began >= since)?.at ?? NaN;
  }

  slowest(status, since) {
    return Math.max(
      ...this.answers.filter((one) => one.status === status && one.at >= since).map(({ began, at }) => at - began),
    );
  }

  others() {
    return this.answers.filter(({ status }) => status !== 200 && status !== 503).length;
  }
}
