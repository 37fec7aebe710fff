import { randomUUID } from "node:crypto";
import fs from "node:fs";
import { httpLoad, post } from "../load.mjs";
import { listen, percentiles } from "../streams.mjs";
import { apiOf, makeTenant } from "../tenant.mjs";

const CONVERSATIONS = 2_000;
const CONNECTIONS = 32;
const ROUNDS = 5;
/** Keeps about half of two cores busy. */
const HALF_LOAD_PAUSE_MS = 150;
const LATENCY_SECONDS = 20;
const MEMBERS = 500;
const STREAMS_EACH = 10;
const BROADCASTS = 20;
/** The tables that a reply writes to and whose changes go into the feed. */
const TABLES = ["conversation", "message"];
const PASSWORD = "correct horse battery staple";

/** What the feed costs a reply, how soon a change is on a stream of another process, and what many streams take. */
export default {
  name: "feed",
  what: "replies with the change feed, against the same without its triggers",
  against: "-",
  floor: "≥ 0.85",
  goal: "≥ 0.95",
  async measure({ server, startServer, client, url, log }) {
    Object.assign(process.env, { EVENT_STREAMS_PER_ADDRESS: "10000", EVENT_STREAMS_PER_TENANT: "10000" });
    const tenant = makeTenant(url, "Feed");
    const api = apiOf(server.port);
    const { body: session } = await api("POST", "/api/auth/login", undefined, {
      email: tenant.email,
      password: tenant.password,
    });
    const owner = session.accessToken;
    const conversations = [];
    for (let n = 0; n < CONVERSATIONS; n++) {
      const { body } = await api("POST", "/api/conversations", tenant.key, {
        workspaceId: tenant.workspaceId,
        contact: { name: "Ada" },
      });
      conversations.push(body.id);
    }
    const cost = await this.cost(server, client, tenant, conversations, log);
    const other = await startServer();
    try {
      const latency = await this.latency(server, other, owner, tenant, conversations);
      const crowd = await this.crowd(other, owner, server, tenant, conversations, log);
      const sizes = await client.query(
        "select pg_table_size('resource_change') / greatest(count(*), 1) as bytes, pg_indexes_size('resource_change') / greatest(count(*), 1) as index from resource_change",
      );
      return {
        ratio: Number(cost.ratio.toFixed(2)),
        ours: Math.round(cost.on),
        baseline: Math.round(cost.off),
        note: `a row takes ${sizes.rows[0].bytes} bytes and ${sizes.rows[0].index} in its index`,
        details: `| | p50 ms | p99 ms | |
|---|---|---|---|
| a reply's answer to its event on a stream of another process, both under half load | ${latency.p50} | ${latency.p99} | ${latency.note} |
| a reply's answer to its event on the last of ${MEMBERS * STREAMS_EACH} streams of one process | ${crowd.p50} | ${crowd.p99} | ${crowd.note} |`,
      };
    } finally {
      other.process.kill();
    }
  },

  /** In turn with and without the triggers of the feed. */
  async cost(server, client, tenant, conversations, log) {
    const rounds = [];
    const load = () =>
      httpLoad({
        port: server.port,
        connections: CONNECTIONS,
        seconds: 5,
        requests: Array.from({ length: 20_000 }, () =>
          post(
            `/api/conversations/${conversations[Math.floor(Math.random() * conversations.length)]}/reply`,
            tenant.key,
            { body: "It left our warehouse this morning." },
            { "Idempotency-Key": randomUUID() },
          ),
        ),
      });
    const turn = async (state) => {
      for (const table of TABLES)
        for (const trigger of ["feed_insert", "feed_update"])
          await client.query(`alter table ${table} ${state} trigger ${trigger}`);
    };
    await load();
    for (let round = 1; round <= ROUNDS; round++) {
      const first = round % 2 ? "enable" : "disable";
      await turn(first);
      const one = await load();
      await turn(first === "enable" ? "disable" : "enable");
      const two = await load();
      const [on, off] = first === "enable" ? [one, two] : [two, one];
      rounds.push({ on: on.rate, off: off.rate, ratio: on.rate / off.rate });
      log(
        `feed ${round}: ${on.rate.toFixed(0)}/s against ${off.rate.toFixed(0)}/s = ${(on.rate / off.rate).toFixed(2)}`,
      );
    }
    await turn("enable");
    const median = (of) => rounds.map(of).sort((a, b) => a - b)[Math.floor(rounds.length / 2)];
    return { on: median((r) => r.on), off: median((r) => r.off), ratio: median((r) => r.ratio) };
  },

  async latency(server, other, owner, tenant, conversations) {
    const stream = await listen(other.port, owner);
    const list = Array.from({ length: 200 }, () =>
      post(`/api/conversations/${conversations[Math.floor(Math.random() * conversations.length)]}/notes`, tenant.key, {
        body: "x",
      }),
    );
    const loads = [server, other].map(({ port }) =>
      httpLoad({ port, connections: 16, seconds: LATENCY_SECONDS + 1, requests: list, pause: HALF_LOAD_PAUSE_MS }),
    );
    const took = [];
    const until = performance.now() + LATENCY_SECONDS * 1_000;
    for (let n = 0; performance.now() < until; n++)
      took.push(await replyToEvent(server.port, tenant, conversations[n % conversations.length], [stream]));
    const rates = await Promise.all(loads);
    stream.close();
    return {
      ...percentiles(took),
      note: `${took.length} replies, beside them ${Math.round(rates[0].rate + rates[1].rate)} notes a second`,
    };
  },

  async crowd(reader, owner, server, tenant, conversations, log) {
    const members = [];
    const api = apiOf(reader.port);
    for (let n = 0; n < MEMBERS; n++) {
      const email = `stream-${n}-${randomUUID()}@example.com`;
      await api("POST", "/api/members", owner, {
        email,
        name: `Member ${n}`,
        role: "admin",
        workspaceIds: [],
        password: PASSWORD,
      });
      members.push((await api("POST", "/api/auth/login", undefined, { email, password: PASSWORD })).body.accessToken);
    }
    const before = residentOf(reader.process.pid);
    const streams = [];
    for (const token of members)
      streams.push(...(await Promise.all(Array.from({ length: STREAMS_EACH }, () => listen(reader.port, token)))));
    log(`feed: ${streams.length} streams are open`);
    await new Promise((resolve) => setTimeout(resolve, 16_000));
    const each = (residentOf(reader.process.pid) - before) / streams.length;
    const took = [];
    for (let n = 0; n < BROADCASTS; n++) took.push(await replyToEvent(server.port, tenant, conversations[n], streams));
    for (const stream of streams) stream.close();
    return { ...percentiles(took), note: `${(each / 1024).toFixed(1)} kB of memory each` };
  },
};

const residentOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))[1]) * 1_024;

/** Milliseconds from the answer of a reply to its event on the last of the streams. */
async function replyToEvent(port, tenant, conversation, streams) {
  const waiting = Promise.all(streams.map((stream) => stream.next(conversation)));
  await apiOf(port)("POST", `/api/conversations/${conversation}/reply`, tenant.key, { body: "On its way." });
  const answered = performance.now();
  const heard = await waiting;
  return Math.max(0, Math.max(...heard) - answered);
}
