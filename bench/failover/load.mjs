import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../chaos/servers.mjs";

const WRITERS = 8;
const READERS = 4;

/** Repeats a request with the same Idempotency-Key until it is acknowledged, as a client should. */
export class Load {
  /** Text of a reply → the id of its message. */
  acknowledged = new Map();
  answers = new Map();
  reads = new Map();
  /** What no client should get: 5xx other than 503, with the time of day. */
  wrong = [];
  lastAt = performance.now();
  /** The longest time without an acknowledgement since this was set to 0. */
  longest = 0;
  running = true;
  conversations = [];

  /** @param addresses of the processes */
  constructor(addresses, tenant) {
    Object.assign(this, { addresses, tenant });
  }
  /** Asks the process of that number, counted round. */
  async request(turn, method, route, { body, key, token = this.tenant.apiKeys.live } = {}) {
    const response = await fetch(this.addresses[turn % this.addresses.length] + route, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { "content-type": "application/json" }),
        ...(key && { "idempotency-key": key }),
      },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = { status: response.status, body: await response.json().catch(() => ({})) };
    if (answer.status >= 500 && answer.status !== 503)
      this.wrong.push(
        `${new Date().toISOString()} ${answer.status} ${method} ${route.replace(/[0-9a-f-]{36}/g, "…")}: ${JSON.stringify(answer.body)}`,
      );
    return answer;
  }
  /** @param receiver the port of whoever hears of each reply by webhook */
  async setUp(receiver) {
    const { email, password } = this.tenant.owner;
    const login = { email, password, environment: "live" };
    const { accessToken: token } = (await this.request(0, "POST", "/api/auth/login", { body: login, token: undefined }))
      .body;
    await this.request(0, "PATCH", "/api/tenant", { token, body: { webhooksPreview: true } });
    const endpoint = { url: `http://127.0.0.1:${receiver}/`, events: ["message.sent"] };
    const made = await this.request(0, "POST", "/api/webhook-endpoints", { token, body: endpoint });
    if (made.status !== 201) throw new Error(`the endpoint for webhooks: ${JSON.stringify(made)}`);
    for (let n = 0; n < WRITERS; n++) {
      const body = { workspaceId: this.tenant.defaults.workspaceId, contact: { name: `Contact ${n}` } };
      this.conversations.push((await this.request(n, "POST", "/api/conversations", { body })).body.id);
    }
  }
  start() {
    this.work = [
      ...this.conversations.map((id, n) => this.write(id, n)),
      ...Array.from({ length: READERS }, (_, n) => this.follow(n)),
    ];
  }
  /** Asks for the end of the feed all the time, whatever the database does. */
  async follow(n) {
    for (; this.running; await sleep(20)) {
      const status = await this.request(n, "GET", "/api/changes?after=now").then(
        (answer) => answer.status,
        (error) => error.cause?.code ?? error.name,
      );
      this.reads.set(status, (this.reads.get(status) ?? 0) + 1);
    }
  }
  async write(conversation, n) {
    while (this.running) {
      const text = randomUUID();
      // By the other process next, as behind a load balancer.
      for (let turn = n; ; turn++) {
        const began = performance.now();
        const { status, body } = await this.request(turn, "POST", `/api/conversations/${conversation}/reply`, {
          body: { body: text },
          key: text,
        }).catch((error) => ({ status: error.cause?.code ?? error.name }));
        this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
        if (status === 200) {
          const now = performance.now();
          this.longest = Math.max(this.longest, now - this.lastAt);
          this.lastAt = now;
          this.acknowledged.set(text, body.messageId);
          if (began > this.since) {
            this.back ??= now - this.since;
            this.waiting.delete(n);
            if (!this.waiting.size) this.allBack ??= now - this.since;
          }
          break;
        }
        await sleep(100);
      }
      await sleep(20);
    }
  }
  /** Looks for the first acknowledgement of a request that began after this, and for the first one of each writer. */
  mark(since) {
    const waiting = new Set(this.conversations.keys());
    Object.assign(this, { since, waiting, back: undefined, allBack: undefined, longest: 0 });
  }
  async stop() {
    this.running = false;
    await Promise.all(this.work);
  }
  /** The feed behind a cursor, once the server answers. */
  read(after) {
    return until(async () => {
      const answer = await this.request(0, "GET", `/api/changes?types=message&after=${encodeURIComponent(after)}`);
      return answer.status !== 503 && answer;
    });
  }
  /** Whether a cursor of now leads to replies that are written after it. */
  async feedGoesOn() {
    const { status, body } = await this.read("now");
    if (status !== 200) return false;
    const deadline = performance.now() + 10_000;
    while (performance.now() < deadline) {
      const answer = await this.read(body.cursor);
      if (answer.status !== 200) return false;
      if (answer.body.data.some(({ type }) => type === "message.created")) return true;
      await sleep(50);
    }
    return false;
  }
  /** What each conversation has. */
  async messages() {
    const found = [];
    for (const id of this.conversations)
      for (let cursor = ""; cursor !== undefined;) {
        const query = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
        const { status, body } = await this.request(0, "GET", `/api/conversations/${id}/messages?${query}`);
        if (status !== 200) throw new Error(`messages: ${status}`);
        found.push(...body.data.map((message) => message.body));
        cursor = body.nextCursor;
      }
    return found;
  }
}
