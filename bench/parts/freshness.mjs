import { randomUUID } from "node:crypto";
import { get, httpLoad } from "../load.mjs";
import { id, KIND, rawKey, WORKSPACES } from "../seed.mjs";

const CONNECTIONS = 32;
/** Keeps about half of two cores busy. */
const PAUSE_MS = 200;
const SECONDS = 30;

/** A reply through one process, and how long a poller of another one goes on getting 304. */
export default {
  name: "freshness",
  what: "a change on one process is seen by the next poll on another, both under load (ms, p99)",
  against: "-",
  floor: "≤ 30",
  goal: "≤ 10",
  async measure({ server, startServer, client, sizes }) {
    const other = await startServer();
    try {
      const { rows } = await client.query(
        `select n, (hashint4(n) & 2147483647) % ${WORKSPACES} + 1 as w from (select (hashint4(g + 3) & 2147483647) % ${sizes.conversations} + 1 as n from generate_series(1, 2000) g) s`,
      );
      const lists = Array.from({ length: WORKSPACES }, (_, n) =>
        get("/api/conversations?limit=25", rawKey("w", n + 1)),
      );
      const loads = [server, other].map(({ port }) =>
        httpLoad({ port, connections: CONNECTIONS, seconds: SECONDS + 1, requests: lists, pause: PAUSE_MS }),
      );
      const until = performance.now() + SECONDS * 1_000;
      const ages = [];
      for (let i = 0; performance.now() < until; i = (i + 1) % rows.length)
        ages.push(await this.age(server, other, rows[i]));
      const [a, b] = await Promise.all(loads);
      ages.sort((x, y) => x - y);
      const at = (share) => ages[Math.min(ages.length - 1, Math.floor(ages.length * share))];
      return {
        ratio: Number(at(0.99).toFixed(1)),
        p50: Number(at(0.5).toFixed(1)),
        p99: Number(at(0.99).toFixed(1)),
        note: `${ages.length} changes; beside them ${Math.round(a.rate + b.rate)} lists a second`,
      };
    } finally {
      other.process.kill();
    }
  },
  /** Milliseconds from the answer to the change to the beginning of the first poll that shows it. */
  async age(writer, reader, { n, w }) {
    const authorization = `Bearer ${rawKey("w", w)}`;
    const poll = async (etag) => {
      const began = performance.now();
      const response = await fetch(`http://127.0.0.1:${reader.port}/api/conversations?limit=25`, {
        headers: { authorization, ...(etag ? { "if-none-match": etag } : {}) },
      });
      await response.arrayBuffer();
      return { began, status: response.status, etag: response.headers.get("etag") };
    };
    const { etag } = await poll();
    const response = await fetch(
      `http://127.0.0.1:${writer.port}/api/conversations/${id(KIND.conversation, n)}/reply`,
      {
        method: "POST",
        headers: { authorization, "content-type": "application/json", "idempotency-key": randomUUID() },
        body: '{"body":"Seen?"}',
      },
    );
    if (response.status !== 200) throw new Error(`reply answered ${response.status}`);
    await response.arrayBuffer();
    const committed = performance.now();
    // Polls begin one after the other every half millisecond, whether or not those before have been answered.
    let seen = Infinity;
    const open = new Set();
    while (seen === Infinity && performance.now() - committed < 5_000) {
      const one = poll(etag)
        .then(({ began, status }) => {
          if (status === 200) seen = Math.min(seen, began);
        })
        .finally(() => open.delete(one));
      open.add(one);
      if (open.size >= 8) await Promise.race(open);
      else await new Promise((resolve) => setTimeout(resolve, 0.5));
    }
    await Promise.all(open);
    return Math.max(0, seen - committed);
  },
};
