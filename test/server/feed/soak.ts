import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { newTenant } from "../process/support.js";
import { type Process, startProcess } from "../../races/processes.js";
import { concurrently, until } from "../../races/support.js";
import type { Schemas } from "../../support/api-types.js";
import { Client } from "../../support/client.js";
import type { OwnPostgres } from "./own-postgres.js";
import { EventStream, settled } from "./support.js";

// Writers on several server processes. The processes and PostgreSQL are killed again and again. A reader of GET /api/changes
// and one of GET /api/events, who loses the connection at random, know nothing but what they read. At the end both must have
// what the database has.

export interface SoakOptions {
  /** Until so many rows of the feed were read. */
  changes: number;
  /** After this time the writers end, however many rows were read. */
  minutes: number;
  writers: number;
  processes: number;
  /** How often a process is killed, and how often PostgreSQL. */
  kills: number;
  postgresKills: number;
  log?: (line: string) => void;
}
export interface SoakReport {
  changes: number;
  requests: number;
  failedRequests: number;
  kills: number;
  postgresKills: number;
  streams: number;
  contacts: number;
  conversations: number;
  messages: number;
  seconds: number;
}

interface Answered {
  id: string;
  messageId?: string;
}

/** Most writes go to the newest conversations, so that they meet. */
const BUSY_CONVERSATIONS = 24;
const MAX_STREAM_MS = 3_000;
const MAX_PROBLEMS = 20;
/** Contacts in a file. */
const IMPORTED = 100;
const PAUSE_MS = 20;
const REQUEST_MS = 30_000;
const CATCH_UP_MS = 120_000;
const SESSION_MS = 5 * 60_000;
const READERS_AT_THE_END = 8;

/** The sequence that makes the same choices in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** What a resource says, whatever the order of its fields. The feed does not tell when a contact was seen last. */
function digest(resource: object): string {
  const ordered = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(ordered)
      : value !== null && typeof value === "object"
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([name]) => name !== "lastSeenAt")
              .sort(([one], [other]) => (one < other ? -1 : 1))
              .map(([name, inner]) => [name, ordered(inner)]),
          )
        : value;
  return createHash("md5")
    .update(JSON.stringify(ordered(resource)))
    .digest("base64");
}

export async function soak(db: OwnPostgres, options: SoakOptions): Promise<SoakReport> {
  const { log = () => undefined } = options;
  const began = Date.now();
  const problems: string[] = [];
  const problem = (text: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(text);
  };
  const settings = { RATE_LIMIT_PER_MINUTE: "1000000000" };
  const nodes: Process[] = [await startProcess(db, settings)];
  while (nodes.length < options.processes) nodes.push(await startProcess(db, settings));
  const { apiKeys, owner, defaults } = await newTenant(db, "Soak");
  const pick = random(7);
  const client = (token = apiKeys.live): Client => new Client(nodes[pick(nodes.length)]!.baseUrl, token);
  const limits = (): { signal: AbortSignal } => ({ signal: AbortSignal.timeout(REQUEST_MS) });
  let session: { client: Client; until: number } | undefined;
  /** The owner, whose access token lasts 15 minutes. */
  const signedIn = async (): Promise<Client> => {
    if (!session || Date.now() > session.until)
      session = { client: await client().login(owner.email, owner.password), until: Date.now() + SESSION_MS };
    return client(session.client.token);
  };
  let writing = true;
  // It begins before anything is written: what was before the first stream is told to nobody.
  let stream: EventStream | undefined = await EventStream.open(await signedIn(), undefined);

  // The writers.
  const conversations: string[] = [];
  const contacts: string[] = [];
  const acknowledged: string[] = [];
  let requests = 0;
  let failed = 0;
  const send = async (method: string, path: string, body?: object, key?: string): Promise<Answered | undefined> => {
    requests++;
    const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
    const answer = await client().send<Answered>(method, path, body, undefined, { ...limits(), headers });
    if (answer.status < 300) return answer.body;
    failed++;
    if (answer.status < 500 && ![404, 409].includes(answer.status))
      problem(`${method} ${path} answered ${answer.status} ${answer.text}`);
    if (answer.status >= 500) await sleep(PAUSE_MS);
    return undefined;
  };
  /** Asks again with the same key, as a client does, until there is an answer. */
  const sendUntilAnswered = async (path: string, body: object): Promise<Answered | undefined> => {
    const key = randomUUID();
    for (;;) {
      const answer = await send("POST", path, body, key).catch(() => undefined);
      if (answer || !writing) return answer;
      await sleep(PAUSE_MS);
    }
  };
  const importContacts = async (n: number): Promise<void> => {
    const lines = Array.from({ length: IMPORTED }, (_, line) => `contact ${n}.${line}\n`);
    const csv = new Blob(["name\n", ...lines], { type: "text/csv" });
    await client().post("/api/contacts/import", csv, 200, limits());
    requests++;
  };
  const write = async (n: number): Promise<void> => {
    const newest = Math.max(0, conversations.length - BUSY_CONVERSATIONS);
    const id = conversations[newest + pick(conversations.length - newest)];
    const path = `/api/conversations/${id}`;
    const step = id === undefined ? 0 : pick(100);
    if (step < 3) {
      const body = { workspaceId: defaults.workspaceId, externalId: `c${n}`, contact: { name: "Ada" } };
      const found = await send("POST", "/api/conversations", body);
      if (found) conversations.push(found.id);
    } else if (step < 5) {
      const found = await send("POST", "/api/contacts", { name: `contact ${n}` });
      if (found) contacts.push(found.id);
    } else if (step < 7 && contacts.length)
      await send("PATCH", `/api/contacts/${contacts[pick(contacts.length)]}`, { name: `name ${n}` });
    else if (step < 8 && contacts.length > 10)
      await send("DELETE", `/api/contacts/${contacts.splice(pick(contacts.length), 1)[0]}`);
    else if (step < 10) await importContacts(n);
    else if (step < 35) await send("POST", `${path}/messages`, { body: `in ${n}`, externalId: `m${n}` });
    else if (step < 55) await send("POST", `${path}/reply`, { body: `out ${n}` });
    else if (step < 70) {
      const reply = await sendUntilAnswered(`${path}/reply`, { body: `once ${n}` });
      if (reply) acknowledged.push(reply.messageId!);
    } else if (step < 80) await send("POST", `${path}/resolve`, {});
    else if (step < 90) await send("PATCH", path, { subject: `subject ${n}` });
    else await send("POST", `${path}/notes`, { body: `note ${n}` });
  };
  let next = 0;
  const writers = concurrently(options.writers, async () => {
    // What a kill interrupts has happened or has not: the readers must agree with the database.
    while (writing)
      await write(next++).catch(async () => {
        failed++;
        await sleep(PAUSE_MS);
      });
  });

  // The reader of the feed.
  const mirror = new Map<string, string>();
  const sequences = new Map<string, number>();
  let read = 0;
  let cursor: string | undefined;
  let at: [bigint, bigint] = [0n, 0n];
  const readChanges = async (): Promise<number> => {
    const after = cursor === undefined ? "" : `&after=${encodeURIComponent(cursor)}`;
    const path = `/api/changes?types=conversation,message,contact&limit=500${after}`;
    const { body } = await client().get<Schemas["Changes"]>(path, 200, limits());
    for (const { cursor: place, resourceId, resource, type } of body.data) {
      const [, transaction, position] = JSON.parse(Buffer.from(place.split(".", 1)[0]!, "base64url").toString()) as [
        string,
        string,
        string,
      ];
      const here: typeof at = [BigInt(transaction), BigInt(position)];
      if (here[0] < at[0] || (here[0] === at[0] && here[1] <= at[1]))
        problem(`the row at ${here.join(" ")} came after ${at.join(" ")}`);
      at = here;
      if (resource) mirror.set(resourceId, digest(resource));
      else mirror.delete(resourceId);
      if (type === "message.created") {
        const { conversationId, sequence } = resource as unknown as { conversationId: string; sequence: number };
        follows(sequences, conversationId, sequence, "GET /api/changes");
      }
    }
    cursor = body.cursor;
    read += body.data.length;
    return body.data.length;
  };
  const follows = (known: Map<string, number>, conversation: string, sequence: number, reader: string): void => {
    const before = known.get(conversation) ?? 0;
    if (sequence !== before + 1) problem(`${reader}: message ${sequence} of ${conversation} came after ${before}`);
    known.set(conversation, Math.max(sequence, before));
  };
  const follower = (async () => {
    while (writing)
      await readChanges().then(
        (rows) => (rows ? undefined : sleep(PAUSE_MS)),
        () => sleep(PAUSE_MS),
      );
  })();

  // The reader of the stream.
  const heardSequences = new Map<string, number>();
  const heardStates = new Map<string, { status: string; messageCount: number }>();
  let { lastId } = stream as { lastId: string | undefined };
  let streams = 1;
  const take = ({ heard }: EventStream): void => {
    for (const { type, data } of heard.splice(0)) {
      const id = data.conversationId as string;
      if (type === "message.created") follows(heardSequences, id, data.sequence as number, "GET /api/events");
      if (!type.startsWith("conversation.")) continue;
      const state = data as unknown as { status: string; messageCount: number };
      const before = heardStates.get(id);
      if (before && before.messageCount > state.messageCount)
        problem(`GET /api/events: ${id} had ${state.messageCount} messages after it had ${before.messageCount}`);
      heardStates.set(id, { status: state.status, messageCount: state.messageCount });
    }
  };
  const listener = (async () => {
    while (writing) {
      try {
        if (!stream) {
          stream = await EventStream.open(await signedIn(), lastId);
          streams++;
        }
        const until = Date.now() + pick(MAX_STREAM_MS);
        while (writing && !stream.ended && Date.now() < until) await sleep(10);
        stream.close();
        take(stream);
        ({ lastId } = stream);
      } catch {
        await sleep(PAUSE_MS);
      }
      stream = undefined;
    }
  })();

  // What is killed, and when.
  const total = options.kills + options.postgresKills;
  const endsAt = began + options.minutes * 60_000;
  const wereRead = async (changes: number): Promise<boolean> => {
    while (read < changes && Date.now() < endsAt) await sleep(PAUSE_MS);
    return read >= changes;
  };
  const killed = { kills: 0, postgresKills: 0 };
  for (let kill = 1; kill <= total; kill++) {
    if (!(await wereRead((options.changes * kill) / (total + 1)))) break;
    const isPostgres = Math.floor((options.postgresKills * kill) / total) > killed.postgresKills;
    log(`${read} changes: kill -9 of ${isPostgres ? "PostgreSQL" : "a process"}`);
    if (isPostgres) {
      killed.postgresKills++;
      await db.killAndStart();
    } else {
      killed.kills++;
      const index = kill % nodes.length;
      await nodes[index]!.kill();
      nodes[index] = await startProcess(db, settings);
    }
  }
  await wereRead(options.changes);
  writing = false;
  await Promise.all([writers, follower, listener]);
  log(`${read} changes: the writers have ended`);

  // The assistant answers and hands over for a moment longer. Then nothing writes, and the readers catch up.
  await until(
    async () => !(await db.query("select 1 from assistant_due limit 1")).length,
    "the assistant has ended all runs",
    CATCH_UP_MS,
  );
  await settled(db);
  while (await readChanges().catch(() => sleep(PAUSE_MS, 1)));
  const rows = await db.query<{ conversation: string; last: number }>(
    "select conversation_id as conversation, max(sequence) as last from message group by 1",
  );
  const messages = new Map(rows.map((row) => [row.conversation, row]));
  const wanted = await db.query<{ id: string; status: string; messageCount: number }>(
    `select id, status, message_count as "messageCount" from conversation`,
  );
  const untold = (): string[] =>
    wanted.flatMap(({ id, status, messageCount }) => {
      const [heard, sequence] = [heardStates.get(id), heardSequences.get(id)];
      const { last: end } = messages.get(id) ?? {};
      return heard?.status === status && heard.messageCount === messageCount && sequence === end
        ? []
        : [`${id} is ${status} with ${messageCount} and ${end}: heard ${JSON.stringify(heard)} and ${sequence}`];
    });
  for (const deadline = Date.now() + CATCH_UP_MS; untold().length && Date.now() < deadline;) {
    const stream = await EventStream.open(await signedIn(), lastId);
    while (!stream.ended && untold().length && Date.now() < deadline) {
      await sleep(PAUSE_MS);
      take(stream);
    }
    stream.close();
    take(stream);
    ({ lastId } = stream);
  }
  for (const text of untold()) problem(`GET /api/events: ${text}`);

  const shown = new Map<string, string>();
  const show = (resources: readonly { id: string }[]): void => {
    for (const resource of resources) shown.set(resource.id, digest(resource));
  };
  const showAll = async (list: string): Promise<void> => {
    let more = "";
    do {
      const path = `${list}?limit=100${more}`;
      const { body } = await client().get<{ data: { id: string }[]; nextCursor?: string }>(path, 200);
      show(body.data);
      more = body.nextCursor === undefined ? "" : `&cursor=${encodeURIComponent(body.nextCursor)}`;
    } while (more);
  };
  await showAll("/api/contacts");
  const contactCount = shown.size;
  const todo = wanted.map(({ id }) => `/api/conversations/${id}`);
  await concurrently(READERS_AT_THE_END, async () => {
    for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
      show([(await client().get<{ id: string }>(path, 200)).body]);
      await showAll(`${path}/messages`);
    }
  });
  for (const [id, text] of shown)
    if (mirror.get(id) !== text) problem(`${id} is ${mirror.has(id) ? "out of date" : "missing"} in the mirror`);
  for (const id of mirror.keys()) if (!shown.has(id)) problem(`${id} is in the mirror, but not in the database`);
  for (const id of acknowledged) if (!shown.has(id)) problem(`the acknowledged reply ${id} is lost`);
  const twice = await db.query("select body from message where body like 'once %' group by body having count(*) > 1");
  if (twice.length) problem(`${twice.length} replies with a key were written twice`);
  await Promise.all(nodes.map((one) => one.stop()));

  expect(problems).toEqual([]);
  expect(shown.size).toBeGreaterThan(Math.min(options.changes, read) / 10);
  expect(streams).toBeGreaterThan(3);
  return {
    changes: read,
    requests,
    failedRequests: failed,
    ...killed,
    streams,
    conversations: wanted.length,
    contacts: contactCount,
    messages: shown.size - wanted.length - contactCount,
    seconds: Math.round((Date.now() - began) / 1_000),
  };
}
