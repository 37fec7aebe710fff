import { once } from "node:events";
import { httpLoad, post } from "../load.mjs";
import { converse, settle, wayTo } from "../several-servers.mjs";
import { apiOf } from "../tenant.mjs";

/** Of an answer from a server, beside what the statement takes. */
const LATENCY_MS = 5;
const POOL = 2;
const CONVERSATIONS = 40;
/** Of the callers of each server's organisation. */
const CONNECTIONS = 8;
const NAMES = ["control", "second", "third"];
/**
 * Without an `Idempotency-Key`, so that each is a reply of its own. Reads say less: an answer is shared for a moment, and then the process
 * is what they wait for.
 */
const repliesOf = ({ key, conversations }) =>
  conversations.map((id) => post(`/api/conversations/${id}/reply`, key, { body: "It left." }));

/** One process, and organisations on one, two and three servers, each of which answers late and has few connections. */
export default {
  name: "servers",
  what: `replies of organisations on two and on three servers, each ${LATENCY_MS} ms away, ${POOL} connections to each, against one server`,
  against: "-",
  floor: "1.9 and 2.8",
  goal: "2 and 3",
  async measure({ admin, openDatabase, startServer, rounds, seconds, log }) {
    const databases = [];
    for (const name of NAMES) {
      await admin.query(`drop database if exists bench_servers_${name} with (force)`);
      const { client, url } = await openDatabase(`bench_servers_${name}`, { conversations: 0, events: 0 });
      databases.push({ name, client, url, way: await wayTo(url, LATENCY_MS) });
    }
    const [control, ...further] = databases;
    // Before the server starts: the command that makes a tenant holds this process up, and with it the way to each server.
    for (const database of databases) database.tenant = await settle(database, control);
    const server = await startServer(control.way.url, undefined, {
      DATABASE_SERVERS: further.map(({ name, way }) => `${name}=${way.url}`).join(","),
      DATABASE_POOL_SIZE: String(POOL),
      DATABASE_WAIT_SECONDS: "60",
    });
    try {
      for (const { tenant } of databases)
        tenant.conversations = await converse(tenant, apiOf(server.port), CONVERSATIONS);
      const found = [];
      // The first round warms it up.
      for (let round = 0; round <= rounds; round++) {
        found[round] = [];
        for (const [n] of NAMES.entries()) {
          // Each server's organisation has callers of its own: nobody waits for an answer of another server before the next request.
          const loads = await Promise.all(
            databases
              .slice(0, n + 1)
              .map(({ tenant }) =>
                httpLoad({ port: server.port, connections: CONNECTIONS, seconds, requests: repliesOf(tenant) }),
              ),
          );
          const others = loads.reduce((sum, { other }) => sum + other, 0);
          const unexpected = loads.flatMap((load) => load.unexpected ?? []);
          if (others) throw new Error(`${others} unexpected answers: ${unexpected.join(", ")}`);
          const rate = loads.reduce((sum, load) => sum + load.rate, 0);
          const slowest = (percentile) => Math.max(...loads.map((load) => load[percentile]));
          found[round][n] = { rate, p50: slowest("p50"), p99: slowest("p99") };
          log(`servers ${round}: replies on ${n + 1}: ${rate.toFixed(0)}/s`);
        }
      }
      const median = (of) =>
        found
          .slice(1)
          .map(of)
          .sort((a, b) => a - b)[rounds >> 1];
      const all = (of) => NAMES.map((_, n) => median((round) => of(round, n)).toFixed(0)).join(", ");
      return {
        ratio: [1, 2].map((n) => median((round) => round[n].rate / round[0].rate).toFixed(2)).join(" and "),
        note: `${all((round, n) => round[n].rate)}/s, p50 ${all((round, n) => round[n].p50)} ms, p99 ${all((round, n) => round[n].p99)} ms`,
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
