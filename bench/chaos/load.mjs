import { createHash, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/** As a client of the API has it. */
const PATIENCE_MS = 10_000;
const REPLIES_OF_A_CONVERSATION = 50;
/** What a client that keeps to docs/errors.md repeats. */
const PASSES = new Set([409, 429, 503, 507]);

/** Everything that clients do all night. What is not acknowledged is repeated, by the other process, with the same Idempotency-Key. */
export class Load {
  running = true;
  /** Text of a reply → its id. */
  replies = new Map();
  /** Text of a contact's message → its id. */
  inbound = new Map();
  /** Id of a file → its hash. */
  files = new Map();
  signIns = 0;
  /** Answers by lane and status. */
  answers = new Map();
  /** What no client should get. */
  wrong = new Map();
  /** When the last request began that was acknowledged, by lane and process. */
  good = new Map();
  fault = "before";

  constructor(addresses, tenant, channelId) {
    Object.assign(this, { addresses, tenant, channelId });
  }

  /** One request to one process. @returns undefined if it has to be repeated */
  async ask(lane, process, method, route, { body, key, token = this.tenant.apiKeys.live, form } = {}) {
    const began = performance.now();
    let status;
    let answer;
    try {
      const response = await fetch(this.addresses[process] + route, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body && { "content-type": "application/json" }),
          ...(key && { "idempotency-key": key }),
        },
        body: form?.() ?? (body && JSON.stringify(body)),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      status = response.status;
      answer = await response.json();
    } catch (error) {
      if (status >= 200 && status < 300) status = "answer lost";
      status ??= error.cause?.code ?? error.name;
    }
    count(this.answers, `${lane} ${status}`);
    if (status >= 200 && status < 300) {
      this.good.set(`${lane} ${process}`, began);
      return answer;
    }
    if (typeof status === "number" && !PASSES.has(status))
      count(
        this.wrong,
        `${status} ${method} ${route.replace(/[0-9a-f-]{36}|after=.*/g, "…")}: ${answer?.error} (${this.fault})`,
      );
    return undefined;
  }
  /** Until it is acknowledged, by whichever process. */
  async insist(lane, process, ...request) {
    for (let attempt = process; ; attempt++) {
      const answer = await this.ask(lane, attempt % this.addresses.length, ...request);
      if (answer) return answer;
      await sleep(100);
    }
  }

  start() {
    const each = (times, work) => Array.from({ length: times }, (_, n) => this.repeat(n, work));
    this.work = [
      ...each(4, (n) => this.reply(n)),
      ...each(2, (n) => this.receive(n)),
      ...each(2, (n) => this.upload(n)),
      ...each(2, (n) => this.signIn(n)),
    ];
    this.readers = this.addresses.map((_, process) => new Reader(this, process));
    this.reading = this.readers.map((reader) => reader.follow());
  }
  async repeat(n, work) {
    // Each takes the other process next, so that both have all kinds.
    for (let turn = n; this.running; turn++) {
      await work(turn);
      await sleep(200);
    }
  }
  async stop() {
    this.running = false;
    await Promise.all(this.work);
  }

  conversations = new Map();
  async reply(turn) {
    const lane = turn % 4;
    let one = this.conversations.get(lane);
    if (!one || one.left === 0) {
      const contact = { emails: [`${randomUUID()}@example.com`] };
      const body = { workspaceId: this.tenant.defaults.workspaceId, channelId: this.channelId, contact };
      const made = await this.insist("conversation", turn, "POST", "/api/conversations", { body, key: randomUUID() });
      this.conversations.set(lane, (one = { id: made.id, left: REPLIES_OF_A_CONVERSATION }));
    }
    one.left--;
    const text = `reply-${randomUUID()}`;
    const route = `/api/conversations/${one.id}/reply`;
    const { messageId } = await this.insist("reply", turn, "POST", route, { body: { body: text }, key: text });
    this.replies.set(text, messageId);
  }
  async receive(turn) {
    const text = `inbound-${randomUUID()}`;
    const body = { workspaceId: this.tenant.defaults.workspaceId, contact: { name: "Contact" }, externalId: text };
    const { id } = await this.insist("inbound", turn, "POST", "/api/conversations", { body, key: text });
    const route = `/api/conversations/${id}/messages`;
    const message = await this.insist("inbound", turn, "POST", route, { body: { body: text }, key: `${text}-1` });
    this.inbound.set(text, message.id);
  }
  async upload(turn) {
    const bytes = randomBytes(20_000 + (turn % 7) * 10_000);
    const form = () => {
      const made = new FormData();
      made.set("file", new Blob([bytes]), "file.bin");
      return made;
    };
    const key = randomUUID();
    const file = await this.insist("upload", turn, "POST", "/api/attachments", { form, key });
    const text = `inbound-${randomUUID()}`;
    const body = {
      workspaceId: this.tenant.defaults.workspaceId,
      contact: { name: "Contact" },
      externalId: text,
    };
    const { id } = await this.insist("inbound", turn, "POST", "/api/conversations", { body, key: text });
    const message = { body: text, attachmentIds: [file.id] };
    const route = `/api/conversations/${id}/messages`;
    this.inbound.set(text, (await this.insist("inbound", turn, "POST", route, { body: message, key: `${text}-1` })).id);
    this.files.set(file.id, createHash("sha256").update(bytes).digest("hex"));
  }
  async signIn(turn) {
    const { email, password } = this.tenant.owner;
    const body = { email, password, environment: "live" };
    const { accessToken } = await this.insist("sign-in", turn, "POST", "/api/auth/login", { body, token: "" });
    await this.ask("session", turn % this.addresses.length, "GET", "/api/conversations?limit=25", {
      token: accessToken,
    });
    this.signIns++;
    await sleep(2_000);
  }

  /** Whether all that was acknowledged is in the feed, once as `created`, and each conversation in its order. */
  feed() {
    const acknowledged = [...this.replies.values(), ...this.inbound.values()];
    return this.readers.map(({ created, disorder, restarts }) => ({
      rows: created.size,
      missing: acknowledged.filter((id) => !created.has(id)).length,
      repeated: [...created.values()].filter((times) => times > 1).length,
      disorder,
      restarts,
    }));
  }
}

/** Follows the feed of one process. */
class Reader {
  created = new Map();
  latest = new Map();
  disorder = 0;
  /** How often its cursor was not taken any more. */
  restarts = 0;

  constructor(load, process) {
    Object.assign(this, { load, process });
  }
  async follow() {
    const { load } = this;
    while (!this.cursor) {
      this.cursor = (await load.ask("feed", this.process, "GET", "/api/changes?after=now"))?.cursor;
      await sleep(50);
    }
    while (!this.ended) {
      const after = encodeURIComponent(this.cursor);
      const answer = await load.ask("feed", this.process, "GET", `/api/changes?types=message&limit=500&after=${after}`);
      if (answer) {
        for (const { type, resourceId, resource } of answer.data) {
          if (type !== "message.created") continue;
          const known = this.created.get(resourceId) ?? 0;
          this.created.set(resourceId, known + 1);
          if (known || !resource) continue;
          if (resource.sequence <= (this.latest.get(resource.conversationId) ?? 0)) this.disorder++;
          this.latest.set(resource.conversationId, resource.sequence);
        }
        this.cursor = answer.cursor;
      }
      if (!answer?.hasMore) await sleep(300);
    }
  }
}

const count = (map, key) => map.set(key, (map.get(key) ?? 0) + 1);
