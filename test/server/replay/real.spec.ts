import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiClient } from "../../../src/replay/client.js";
import { readLines } from "../../../src/replay/lines.js";
import { firstActiveWorkspace, replay, type ReplayOptions, type ReplaySummary } from "../../../src/replay/replay.js";
import type { Schemas } from "../../support/api-types.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Answer, Client } from "../../support/client.js";

// Plays the demo's dialogues into the real application. The expected result is computed from the file itself, not by
// the replay's own parser.

interface Turn {
  i: number;
  from: "customer" | "operator" | "system";
  text?: string;
  at?: number | null;
  action?: unknown;
  api?: unknown;
  constraints?: unknown;
  item?: unknown;
}
interface Dialogue {
  id: number;
  domains: string[];
  tasks: string[];
  happy: boolean;
  turns: Turn[];
}

const FILE = new URL("../../../demo/star-excerpt.ndjson", import.meta.url);
const dialogues = fs
  .readFileSync(FILE, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Dialogue);
const turns = dialogues.flatMap((dialogue) => dialogue.turns);
const count = (...kinds: Turn["from"][]): number => turns.filter(({ from }) => kinds.includes(from)).length;

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

async function play({ live }: TestTenant, options: Partial<ReplayOptions> = {}): Promise<ReplaySummary> {
  const client = new ApiClient({ baseUrl: app.baseUrl, key: live.token! });
  return replay({
    lines: await readLines(fileURLToPath(FILE)),
    client,
    workspaceId: await firstActiveWorkspace(client),
    ...options,
  });
}

/** All items of a list, read page by page. */
async function walk<T>(client: Client, path: string, limit: number): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined;) {
    const { body }: Answer<{ data: T[]; nextCursor?: string }> = await client.get<{ data: T[]; nextCursor?: string }>(
      `${path}?limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      200,
    );
    items.push(...body.data);
    cursor = body.nextCursor;
  }
  return items;
}

/** The expected message of a turn. */
function expectedMessage(turn: Turn, index: number): object {
  const common = { sequence: index + 1, bodyFormat: "text" };
  // The keys are in the order of the text, because the comparison is exact.
  const note = JSON.stringify({
    action: turn.action ?? null,
    api: turn.api ?? null,
    constraints: turn.constraints ?? null,
    item: turn.item ?? null,
  });
  switch (turn.from) {
    case "customer":
      return {
        ...common,
        direction: "inbound",
        authorType: "contact",
        body: turn.text,
        externalId: String(turn.i),
        clientMessageId: null,
        ...(turn.at == null ? {} : { occurredAt: new Date(turn.at * 1000).toISOString() }),
      };
    case "operator":
      return {
        ...common,
        direction: "outbound",
        authorType: "api",
        body: turn.text,
        externalId: null,
        clientMessageId: String(turn.i),
      };
    case "system":
      return {
        ...common,
        direction: "internal",
        authorType: "api",
        body: note,
        externalId: String(turn.i),
        clientMessageId: null,
      };
  }
}

/** Every played turn is there once, in order, and there is nothing else. */
async function expectExactly(played: Dialogue[], { live }: TestTenant, limit = 100): Promise<void> {
  const conversations = await walk<Schemas["Conversation"]>(live, "/api/conversations", limit);
  expect(conversations.map(({ externalId }) => externalId).toSorted()).toEqual(
    played.map(({ id }) => `star-${id}`).toSorted(),
  );
  const contacts = new Map(
    (await walk<Schemas["Contact"]>(live, "/api/contacts", limit)).map((contact) => [contact.id, contact]),
  );
  expect(contacts.size).toBe(played.length);
  for (const { id, domains, tasks, happy, turns } of played) {
    const conversation = conversations.find(({ externalId }) => externalId === `star-${id}`);
    const spoken = turns.filter(({ from }) => from !== "system");
    expect(conversation).toMatchObject({
      metadata: { domains, tasks, happy },
      messageCount: spoken.length,
      lastMessagePreview: spoken.at(-1)!.text!.slice(0, 200),
      status: "open",
      handlingMode: "human",
    });
    expect(contacts.get(conversation!.contactId)).toMatchObject({ externalId: `star-customer-${id}` });
    expect(await walk(live, `/api/conversations/${conversation!.id}/messages`, limit)).toMatchObject(
      turns.map(expectedMessage),
    );
  }
}

/** The tables' rows, including ids and times. */
async function dump({ tenantId }: TestTenant): Promise<Record<string, unknown[]>> {
  const tables = ["conversation", "message", "contact", "contact_point"];
  return Object.fromEntries(
    await Promise.all(
      tables.map(async (table): Promise<[string, unknown[]]> => [
        table,
        await app.db.query(`select to_jsonb(t) as row from ${table} t where tenant_id = $1 order by id`, [tenantId]),
      ]),
    ),
  );
}

const totals = ({ messages: { customer, operator, system } }: ReplaySummary) => ({
  sent: customer.sent + operator.sent + system.sent,
  skipped: customer.skipped + operator.skipped + system.skipped,
});

describe("the demo's dialogues in the real application", () => {
  let tenant: TestTenant;
  let summary: ReplaySummary;
  beforeAll(async () => {
    tenant = await app.tenant();
    summary = await play(tenant);
  });

  it("are 24, with messages of all three kinds, some without a time", () => {
    expect(dialogues).toHaveLength(24);
    expect([count("customer"), count("operator"), count("system")].every((number) => number > 50)).toBe(true);
    expect(turns.some(({ at }) => at == null)).toBe(true);
  });

  it("have the same counts as in the file", async () => {
    expect(summary).toMatchObject({
      dialogues: 24,
      conversations: { created: 24, existing: 0 },
      stopped: false,
      messages: {
        customer: { sent: count("customer"), skipped: 0 },
        operator: { sent: count("operator"), skipped: 0 },
        system: { sent: count("system"), skipped: 0 },
      },
    });
    const rows = await app.db.query(
      `select (select count(*)::int from conversation where tenant_id = $1) as conversations, (select count(*)::int from message where tenant_id = $1) as messages,
      (select count(*)::int from contact where tenant_id = $1) as contacts, (select sum(message_count)::int from conversation where tenant_id = $1) as counted`,
      [tenant.tenantId],
    );
    expect(rows).toEqual([
      { conversations: 24, messages: turns.length, contacts: 24, counted: count("customer", "operator") },
    ]);
  });

  it.each([7, 100])("equal the file exactly, in order and text, when read by pages of %d", (limit) =>
    expectExactly(dialogues, tenant, limit),
  );

  it("do not change when they are played again", async () => {
    const before = await dump(tenant);
    expect(before.message).toHaveLength(turns.length);
    const again = await play(tenant);
    expect(again).toMatchObject({ dialogues: 24, conversations: { created: 0, existing: 24 } });
    expect(totals(again)).toEqual({ sent: 0, skipped: turns.length });
    expect(await dump(tenant)).toEqual(before);
  });

  it("do not change when single messages are sent again, as after lost responses", async () => {
    const before = await dump(tenant);
    const [conversation] = await walk<Schemas["Conversation"]>(tenant.live, "/api/conversations", 100);
    const { turns } = dialogues.find(({ id }) => conversation!.externalId === `star-${id}`)!;
    const paths = { customer: "messages", operator: "reply", system: "notes" };
    for (const { i, from } of turns) {
      const id = { [from === "operator" ? "clientMessageId" : "externalId"]: String(i) };
      await tenant.live.post(
        `/api/conversations/${conversation!.id}/${paths[from]}`,
        { body: "sent again", ...id },
        200,
      );
    }
    expect(await dump(tenant)).toEqual(before);
  });
});

describe("the first dialogues", () => {
  const few = dialogues.slice(0, 3);
  const messages = few.reduce((sum, dialogue) => sum + dialogue.turns.length, 0);
  const idsOf = (rows: unknown[]): string[] => rows.map((row) => (row as { row: { id: string } }).row.id);

  // After the first request, within the first dialogues, and near the end.
  it.each([1, 20, 50])(
    "stopped after %d requests, match the summary, and the next replay completes them identically",
    async (requests) => {
      const tenant = await app.tenant();
      const stop = new AbortController();
      let seen = 0;
      const first = await play(tenant, {
        limit: few.length,
        concurrency: 3,
        signal: stop.signal,
        onProgress: () => {
          if (++seen >= requests) stop.abort();
        },
      });
      expect(first.stopped).toBe(true);
      const half = await dump(tenant);
      expect(half.conversation).toHaveLength(first.conversations.created);
      expect(half.message).toHaveLength(totals(first).sent);
      expect(totals(first).sent).toBeLessThan(messages);

      const second = await play(tenant, { limit: few.length });
      expect(second).toMatchObject({ dialogues: few.length, stopped: false });
      expect(totals(second)).toEqual({ sent: messages - totals(first).sent, skipped: totals(first).sent });
      await expectExactly(few, tenant);
      // The earlier rows are unchanged.
      expect(idsOf((await dump(tenant)).message!)).toEqual(expect.arrayContaining(idsOf(half.message!)));
    },
  );

  it("are stored once if two clients play them concurrently", async () => {
    const tenant = await app.tenant();
    await Promise.all([play(tenant, { limit: few.length }), play(tenant, { limit: few.length })]);
    await expectExactly(few, tenant);
  });
});
