import fs from "node:fs";
import { randomUUID } from "node:crypto";
import { get, httpLoad, post } from "../load.mjs";
import { id, KIND, rawKey, WORKSPACES } from "../seed.mjs";

const CONNECTIONS = 32;

/** The resident set of one server process through very many requests of every kind. */
export default {
  name: "memory",
  what: "resident memory after mixed requests (MB)",
  against: "-",
  floor: "≤ 220, no growth over the last half",
  goal: "≤ 180",
  async measure({ startServer, client, sizes, quick, requests: wanted, log }) {
    const total = wanted ?? (quick ? 100_000 : 1_000_000);
    const server = await startServer();
    const { rows } = await client.query(
      `select n, (hashint4(n) & 2147483647) % ${WORKSPACES} + 1 as w from (select (hashint4(g + 23) & 2147483647) % ${sizes.conversations} + 1 as n from generate_series(1, 5000) g) s`,
    );
    const samples = [];
    const sample = () =>
      samples.push(
        Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${server.process.pid}/status`, "utf8"))[1]) / 1_024,
      );
    const timer = setInterval(sample, 1_000);
    let [done, other] = [0, 0];
    try {
      while (done < total) {
        const requests = rows.flatMap(({ n, w }) => {
          const [key, conversation] = [rawKey("t", Math.ceil(w / 6)), `/api/conversations/${id(KIND.conversation, n)}`];
          return [
            get("/api/conversations?limit=25", rawKey("w", w)),
            get(`/api/conversations?limit=25&status=open`, rawKey("b", Math.ceil(w / 3))),
            get("/api/conversations?limit=25", key, { "If-None-Match": '"stale"' }),
            get(conversation, key),
            get(`${conversation}/messages`, key),
            get(`${conversation}/identity-events`, key),
            get(`${conversation}/messages?order=desc`, key),
            get("/api/me", key),
            post(
              `${conversation}/reply`,
              key,
              { body: "It left our warehouse this morning." },
              { "Idempotency-Key": randomUUID() },
            ),
          ];
        });
        const result = await httpLoad({ port: server.port, connections: CONNECTIONS, seconds: 10, requests });
        done += result.count;
        other += result.other;
        log(`memory: ${done} of ${total} requests, ${samples.at(-1)?.toFixed(0)} MB`);
      }
    } finally {
      clearInterval(timer);
      server.process.kill();
    }
    const mean = (from, to) => {
      const some = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to));
      return some.reduce((a, b) => a + b, 0) / some.length;
    };
    return {
      ratio: Math.round(samples.at(-1)),
      note: `${done} requests, ${other} not 200; mean of the third quarter ${mean(0.5, 0.75).toFixed(0)} MB, of the last ${mean(0.75, 1).toFixed(0)} MB, most ${Math.max(...samples).toFixed(0)} MB`,
    };
  },
};
