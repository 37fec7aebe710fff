import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { get, httpLoad } from "../load.mjs";
import { rawKey, WORKSPACES } from "../seed.mjs";

const CONNECTIONS = 32;
/** Idle connections of PostgreSQL report what they did after ten seconds. */
const COUNTED_LATE_MS = 11_000;
const PATH = "/api/conversations?limit=25";

/** The same, asked again with the ETag of an answer that still holds. */
export default {
  name: "poll",
  what: "unchanged poll (304), 300 workspaces’ keys",
  against: "a bare node http server",
  floor: 0.35,
  goal: 0.5,
  async prepare({ server }) {
    this.port = server.port;
    this.keys = Array.from({ length: WORKSPACES }, (_, n) => rawKey("w", n + 1));
    this.bare = http.createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
    await new Promise((resolve) => this.bare.once("listening", resolve));
  },
  async ours(seconds, context) {
    this.counted ??= await this.count(context);
    return { ...(await this.poll(seconds)), note: this.counted };
  },
  /** ETags end once a minute, and this load does not take the new ones, as a client would. Such a round is repeated. */
  async poll(seconds, wait = () => Promise.resolve()) {
    for (;;) {
      const requests = await this.requests();
      await wait();
      const load = { port: this.port, connections: CONNECTIONS, seconds, requests, statuses: [304], awake: true };
      const polled = await httpLoad(load);
      if (!polled.other) return polled;
    }
  },
  /** What the server asks of the tables during two seconds of polls. */
  async count({ queries }) {
    let before;
    const { count } = await this.poll(2, async () => {
      await sleep(COUNTED_LATE_MS);
      before = await queries();
    });
    await sleep(COUNTED_LATE_MS);
    return `${(await queries()) - before} scans of tables during ${count} polls`;
  },
  async requests() {
    const requests = [];
    for (const key of this.keys) {
      const response = await fetch(`http://127.0.0.1:${this.port}${PATH}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      await response.arrayBuffer();
      requests.push(get(PATH, key, { "If-None-Match": response.headers.get("etag") }));
    }
    return requests;
  },
  baseline(seconds) {
    return httpLoad({
      port: this.bare.address().port,
      connections: CONNECTIONS,
      seconds,
      requests: [get("/", "x")],
      awake: true,
    });
  },
  close() {
    this.bare.close();
  },
};
