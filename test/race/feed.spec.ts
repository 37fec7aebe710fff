import { afterAll, beforeAll, expect, test } from "vitest";
import { EventStream, settled } from "../feed/support.js";
import { allowTimeForProcesses } from "../process/support.js";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import type { Schemas } from "../support/api-types.js";
import { Client } from "../support/client.js";
import { concurrently } from "./support.js";
import { type Process, startProcess } from "./processes.js";

allowTimeForProcesses();

// Writers on two server processes that are killed repeatedly. A reader of GET /api/changes and one of GET /api/events, who
// loses the connection at random, know nothing else. For a long run: FEED_WRITES=100000 npx vitest run --configLoader runner test/race/feed.spec.ts

const WRITES = Number(process.env.FEED_WRITES ?? 500);
const WRITERS = 8;
const KILLS = Math.max(3, Math.floor(WRITES / 5_000));

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

/** The sequence that makes the same choices in each run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test(
  "both readers have exactly what the database has: nothing is missing, doubled or out of order",
  async () => {
    const nodes: [Process, Process] = [await startProcess(app.db), await startProcess(app.db)];
    const owner = await tenant.owner();
    const pick = random(7);
    const node = (): string => nodes[pick(2)]!.baseUrl;
    let writing = true;

    // The writers.
    const conversations: string[] = [];
    let written = 0;
    const write = async (n: number): Promise<void> => {
      const client = new Client(node(), tenant.live.token);
      const id = conversations[pick(conversations.length)];
      const step = id === undefined ? 0 : pick(10);
      if (step === 0) {
        const body = { workspaceId: tenant.defaults.workspaceId, externalId: `c${n}`, contact: { name: "Ada" } };
        const { status, body: made } = await client.post("/api/conversations", body);
        if (status === 201) conversations.push((made as { id: string }).id);
      } else if (step < 4)
        await client.post(`/api/conversations/${id}/messages`, { body: `in ${n}`, externalId: `m${n}` });
      else if (step < 7) await client.post(`/api/conversations/${id}/reply`, { body: `out ${n}` });
      else if (step === 7) await client.post(`/api/conversations/${id}/resolve`, {});
      else if (step === 8) await client.patch(`/api/conversations/${id}`, { subject: `subject ${n}` });
      else await client.post(`/api/conversations/${id}/notes`, { body: `note ${n}` });
    };
    const writers = concurrently(WRITERS, async () => {
      // What a kill interrupts has happened or has not: the readers must agree with the database.
      while (written < WRITES) await write(written++).catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
    });
    const killer = (async () => {
      for (let kill = 1; kill <= KILLS; kill++) {
        while (written < (WRITES * kill) / (KILLS + 1)) await new Promise((resolve) => setTimeout(resolve, 20));
        await nodes[kill % 2]!.kill();
        nodes[kill % 2] = await startProcess(app.db);
      }
    })();

    // The reader of the feed.
    const mirror = new Map<string, unknown>();
    const cursors: string[] = [];
    let cursor: string | undefined;
    const readChanges = async (): Promise<number> => {
      const query = `types=conversation,message&limit=100${cursor === undefined ? "" : `&after=${encodeURIComponent(cursor)}`}`;
      const { body } = await new Client(node(), tenant.live.token).get<Schemas["ChangesDto"]>(
        `/api/changes?${query}`,
        200,
      );
      for (const change of body.data) {
        cursors.push(change.cursor);
        mirror.set(change.resourceId, change.resource);
      }
      cursor = body.cursor;
      return body.data.length;
    };
    const follower = (async () => {
      while (writing) await readChanges().catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
    })();

    // The reader of the stream.
    const created: { conversationId: string; sequence: number }[] = [];
    const statuses = new Map<string, unknown>();
    let lastId: string | undefined;
    let connections = 0;
    const take = ({ heard }: EventStream): void => {
      for (const { type, data } of heard.splice(0)) {
        if (type === "message.created") created.push(data as (typeof created)[number]);
        if (type.startsWith("conversation.")) statuses.set(data.conversationId as string, data.status);
      }
    };
    const listener = (async () => {
      while (writing) {
        try {
          const stream = await EventStream.open(new Client(node(), owner.token), lastId);
          connections++;
          const until = Date.now() + pick(1_500);
          while (writing && !stream.ended && Date.now() < until)
            await new Promise((resolve) => setTimeout(resolve, 10));
          stream.close();
          take(stream);
          ({ lastId } = stream);
        } catch {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    })();

    await writers;
    await killer;
    writing = false;
    await Promise.all([follower, listener]);
    await settled(app.db);
    while (await readChanges());
    const last = await EventStream.open(new Client(node(), owner.token), lastId);
    const rows = await app.db.query<{ id: string; conversation: string; sequence: number }>(
      "select id, conversation_id as conversation, sequence from message order by conversation_id, sequence",
    );
    await last.until(
      () => created.length + last.types.filter((type) => type === "message.created").length >= rows.length,
    );
    take(last);
    last.close();

    // The feed: each row once, in order, and the copy is what the API shows.
    expect(new Set(cursors).size).toBe(cursors.length);
    for (const { id } of rows) expect(mirror.has(id)).toBe(true);
    expect(conversations.length).toBeGreaterThan(WRITES / 50);
    for (const id of conversations) {
      const { body } = await new Client(node(), tenant.live.token).get(`/api/conversations/${id}`, 200);
      expect(mirror.get(id)).toEqual(body);
      expect(statuses.get(id), "the last status that the stream told").toBe(body.status);
    }
    // The stream: each message once, those of a conversation in order.
    expect(connections).toBeGreaterThan(3);
    const order = (one: { conversationId: string }, other: { conversationId: string }): number =>
      one.conversationId < other.conversationId ? -1 : one.conversationId > other.conversationId ? 1 : 0;
    expect(created.map(({ conversationId, sequence }) => ({ conversationId, sequence })).sort(order)).toEqual(
      rows.map(({ conversation, sequence }) => ({ conversationId: conversation, sequence })),
    );
    await Promise.all(nodes.map((one) => one.stop()));
  },
  600_000 + WRITES * 50,
);
