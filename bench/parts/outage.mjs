import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { httpLoad, post } from "../load.mjs";
import { converse, settle, wayTo } from "../several-servers.mjs";
import { apiOf } from "../tenant.mjs";

const DEAD_SECONDS = 60;
const CONNECTIONS = 8;
const CONVERSATIONS = 40;
/** How often somebody asks for the organisation whose server is down. */
const EVERY_MS = 50;
const NAMES = ["control", "second"];

/** One process and two servers, and one of them is away for a minute. */
export default {
  name: "outage",
  what: `replies of an organisation while another one's server is down for ${DEAD_SECONDS} s: their p99 against before`,
  against: "-",
  floor: "1.5",
  goal: "1",
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
      const api = apiOf(server.port);
      const { key } = control.tenant;
      const conversations = await converse(control.tenant, api, CONVERSATIONS);
      await converse(second.tenant, api, 1);
      const load = async (seconds) => {
        const measured = await httpLoad({
          port: server.port,
          connections: CONNECTIONS,
          seconds,
          requests: conversations.map((id) =>
            post(`/api/conversations/${id}/reply`, key, { body: "It left." }, { "Idempotency-Key": randomUUID() }),
          ),
        });
        if (measured.other) throw new Error(`${measured.other} answers of the others were errors`);
        return measured;
      };
      const asked = new Watch(server.port, second.tenant.key);
      await load(8);
      const before = await load(DEAD_SECONDS);
      second.way.die();
      const died = performance.now();
      const during = await load(DEAD_SECONDS);
      await second.way.revive();
      const revived = performance.now();
      const after = await load(10);
      await asked.stop();
      const firstRefused = asked.first(503, died) - died;
      const firstServed = asked.first(200, revived) - revived;
      const slowest = asked.slowest(503, died);
      const said = (name, { rate, p50, p99 }) =>
        `${name} ${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;
      const note = [said("before", before), said("while", during), said("after", after)].join("; ");
      log(note);
      return {
        ratio: (during.p99 / before.p99).toFixed(2),
        note: `${note}; its own: the first 503 after ${firstRefused.toFixed(0)} ms, the slowest takes ${slowest.toFixed(0)} ms, served again after ${firstServed.toFixed(0)} ms, other answers: ${asked.others()}`,
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
      const response = await fetch(url, options);
      await response.arrayBuffer();
      this.answers.push({ status: response.status, began, at: performance.now() });
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
