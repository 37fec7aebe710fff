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
    const requests = await this.requests();
    this.counted ??= await this.count(requests, context);
    return {
      ...(await httpLoad({
        port: this.port,
        connections: CONNECTIONS,
        seconds,
        requests,
        statuses: [304],
        awake: true,
      })),
      note: this.counted,
    };
  },
  /** What the server asks of the tables during two seconds of polls. */
  async count(requests, { queries }) {
    await sleep(COUNTED_LATE_MS);
    const before = await queries();
    const { count, other } = await httpLoad({
      port: this.port,
      connections: CONNECTIONS,
      seconds: 2,
      requests,
      statuses: [304],
    });
    await sleep(COUNTED_LATE_MS);
    return `${(await queries()) - before} scans of tables during ${count} polls, ${other} not 304`;
  },
  async requests() {
    // ETags hold for as long as nothing changes, and a minute at the most: fetched anew for each round.
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
