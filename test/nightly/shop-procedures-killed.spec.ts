import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { activityOf, ask, saidIn } from "../server/assistant/support.js";
import { startToolServer, type ToolServer } from "../server/assistant/tool-server.js";
import { start } from "../server/e2e/support.js";
import { allowTimeForProcesses, until } from "../server/process/support.js";
import type { Client } from "../support/client.js";
import { connect } from "../support/database.js";
import { closedPort } from "../support/ports.js";
import { type Killable, startKillable } from "../endurance/killable.js";

allowTimeForProcesses();

// kill -9 at each step of the ten procedures of demo/procedures.json: before each call and each reply is written, while a tool works,
// and before what it answered is kept. Each change is called once, and each message gets one reply, the same as without a kill, or people take over.

const { tools: TOOLS, procedures: PROCEDURES } = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, "../../demo/procedures.json"), "utf8"),
) as {
  tools: { name: string; effect: "read" | "write" }[];
  procedures: { name: string; steps: { type: string; tool?: string }[] }[];
};

const ZIP = "19122";
const PENDING = "#W1000001";
const DELIVERED = "#W2000002";
const ADDRESS = ["12 Elm Street", "yes", "Suite 4", "Austin", "TX", "USA", "78701", "Yes"];
/** What the contact writes, message by message, after they have proven who they are. */
const TALKS: Record<string, { opening: string; further: readonly string[] }> = {
  "Cancel a pending order": {
    opening: "I want to cancel my order.",
    further: [PENDING, "It was ordered by mistake.", "Yes"],
  },
  "Change the address of a pending order": {
    opening: "I need to change the shipping address.",
    further: [PENDING, ...ADDRESS],
  },
  "Change the payment of a pending order": {
    opening: "I would like to change the payment method.",
    further: [PENDING, "2", "Yes"],
  },
  "Change items of a pending order": {
    opening: "I want to change items in my order.",
    further: [PENDING, "1 and 2", "2", "2", "1", "Yes"],
  },
  "Return items of a delivered order": {
    opening: "I would like to return something.",
    further: [DELIVERED, "1 and 2", "1", "Yes"],
  },
  "Exchange items of a delivered order": {
    opening: "I want to exchange something.",
    further: [DELIVERED, "1 and 2", "2", "2", "1", "Yes"],
  },
  "Change my address": { opening: "Please update my default address.", further: ADDRESS },
  "Tell the state of an order": { opening: "I want to know the status of my order.", further: [PENDING] },
  "Tell what is stored about me": { opening: "Which payment methods do I have?", further: [] },
  "Tell what an item costs in another version": {
    opening: "What is the price of another version?",
    further: [PENDING, "1", "2"],
  },
};
const messagesIn = (name: string): readonly string[] => [TALKS[name]!.opening, ZIP, ...TALKS[name]!.further];

const item = (product: string, name: string, color: string) => {
  const id = `${product}00000${color === "red" ? 1 : 2}`;
  return { name, product_id: product, item_id: id, price: 10, options: { color } };
};
const order = (status: string) => ({
  status,
  items: [item("7001", "Lamp", "red"), item("7002", "Bag", "red")],
  address: { address1: "1 Main Street" },
  payment_history: [{ payment_method_id: "credit_card_1000001", amount: 20 }],
});
const product = (id: string, name: string) => {
  const versions = ["red", "blue"].map((color) => ({ ...item(id, name, color), available: true }));
  return { name, variants: Object.fromEntries(versions.map((version) => [version.item_id, version])) };
};
const card = (id: string, digits: string) => ({ id, source: "credit_card", brand: "visa", last_four: digits });
/** What the shop answers. */
function answerOf(tool: string, { order_id: orderId, product_id: productId }: Record<string, unknown>): object {
  switch (tool) {
    case "get_order_details":
      return order(orderId === PENDING ? "pending" : "delivered");
    case "get_product_details":
      return productId === "7001" ? product("7001", "Lamp") : product("7002", "Bag");
    case "get_user_details": {
      const methods = [card("credit_card_1000001", "1111"), card("credit_card_1000002", "2222")];
      return {
        address: { address1: "1 Main Street" },
        payment_methods: Object.fromEntries(methods.map((one) => [one.id, one])),
      };
    }
    default:
      return { done: true };
  }
}
const changes = (tool: string): boolean => TOOLS.find(({ name }) => name === tool)!.effect === "write";

let sql: Awaited<ReturnType<typeof connect>>;
let tools: ToolServer;
let server: Killable;
let agentId: string;
/** By conversation: what holds up its next call with this number. */
const held = new Map<string, { call: number; until: Promise<void> }>();
const callsOf = (id: string): string[] =>
  tools.calls.filter(({ body }) => body.conversation.id === id).map(({ body }) => body.tool);
/** The changes that were called, with all that they say but whom they are about. */
const changesOf = (id: string): unknown[] =>
  tools.calls.flatMap(
    ({
      body: {
        conversation,
        tool,
        arguments: { user_id: _, ...args },
      },
    }) => (conversation.id === id && changes(tool) ? [{ tool, args }] : []),
  );

beforeAll(async () => {
  tools = await startToolServer();
  for (const { name } of TOOLS)
    tools.answers[`/${name}`] = async ({ body }) => {
      const hold = held.get(body.conversation.id);
      if (hold && callsOf(body.conversation.id).length === hold.call) await hold.until;
      return { body: answerOf(name, body.arguments) };
    };
  server = await startKillable({
    OUTBOUND_ALLOW: tools.host,
    // All ten are under way at a time: a process with a language model takes so many. This one is never there, and nobody asks it.
    ASSISTANT_URL: `http://127.0.0.1:${await closedPort()}/v1`,
    ASSISTANT_MODEL: "none",
    DATABASE_POOL_SIZE: 40,
    // Nothing is given up while the test prepares the kill.
    ASSISTANT_CHAT_SECONDS: "120",
  });
  sql = await connect(server.db.url);
  const at = `/api/workspaces/${server.tenant.defaults.workspaceId}` as const;
  const owner = await server.owner();
  for (const tool of TOOLS)
    await owner.post(`${at}/tools`, { ...tool, url: tools.url(`/${tool.name}`), timeoutSeconds: 30 }, 201);
  const names = TOOLS.map(({ name }) => name);
  const questions = [{ key: "zip", prompt: "What is your zip code?", attribute: "zip" }];
  const sources = [{ name: "shop", type: "contact_attributes", questions }];
  await owner.put(`${at}/verification-sources`, { sources }, 200);
  await owner.put(`${at}/identity-settings`, { requiredCorrectAnswers: 1 }, 200);
  const rule = {
    title: "Identity",
    rule: "Who they are",
    effect: "allow",
    requiredAssuranceLevel: "identified",
  } as const;
  await key().post(`${at}/policy-entries`, { ...rule, tools: names }, 201);
  const agent = {
    name: "Shop",
    instructions: "Help",
    workspaceIds: [server.tenant.defaults.workspaceId],
    tools: names,
  };
  ({ id: agentId } = (await key().post("/api/agents", agent, 201)).body);
  for (const procedure of PROCEDURES)
    await owner.post(`${at}/procedures`, { ...procedure, agentId, status: "active" }, 201);
});
afterAll(async () => {
  await sql?.end();
  await server?.close();
  await tools.close();
});
const key = (): Client => server.key();

async function begin(name: string): Promise<string> {
  const contact = { name: "Ada", externalId: `${name} ${serial++}`, attributes: { zip: ZIP } };
  const { id: contactId } = (await key().post("/api/contacts", contact, 201)).body;
  const message = { body: messagesIn(name)[0]! };
  return (await start(key(), server.tenant.defaults.workspaceId, { contactId, message })).id;
}
let serial = 0;

const hurry = (): Promise<unknown> =>
  sql.query("update assistant_due set due_at = now() where not claimed and due_at > now()");
/** Until nothing is left to do. */
const settled = (): Promise<unknown> =>
  until(
    async () => {
      await hurry();
      return (await sql.query("select from assistant_run where outcome is null and waits_for is null")).rowCount === 0;
    },
    () => "all have been answered",
  );
/** Until so many statements of the process wait to write how far a procedure is. */
const blocked = (count: number): Promise<unknown> =>
  until(
    async () => {
      await server.db.query("update assistant_due set due_at = now() where not claimed and due_at > now()");
      const { length } = await server.db.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%procedure_run%'",
      );
      return length >= count;
    },
    () => `${count} wait`,
  );
const lock = async (): Promise<void> => {
  await sql.query("begin");
  await sql.query("lock table procedure_run in share mode");
};
/** Kills the process, starts another one, ends the leases of the killed one, and waits until all has been answered. */
async function killed(): Promise<void> {
  await server.killAndStart(() => sql.query("rollback"));
  held.clear();
  await sql.query("update assistant_due set due_at = now() where claimed");
  await settled();
}

/** A procedure as it is played without a kill: what was said, and which tools were called in which message. */
interface Played {
  said: string[];
  calls: string[][];
  changes: unknown[];
}
const plain = new Map<string, Played>();

async function playPlainly(): Promise<void> {
  const talks = await Promise.all(
    Object.keys(TALKS).map(async (name) => ({ name, id: await begin(name), calls: [] as string[][] })),
  );
  for (let n = 0; n < Math.max(...talks.map(({ name }) => messagesIn(name).length)); n++) {
    const open = talks.filter(({ name }) => n < messagesIn(name).length);
    if (n > 0) for (const { name, id } of open) await ask(key(), id, messagesIn(name)[n]!);
    await settled();
    for (const { id, calls } of open) calls.push(callsOf(id).slice(calls.flat().length));
  }
  for (const { name, id, calls } of talks)
    plain.set(name, { said: await saidIn(key(), id), calls, changes: changesOf(id) });
}

/** Where it is killed: at which message, and at which call of it, or before the reply. */
interface Point {
  name: string;
  message: number;
  call?: number;
}
const pointsOf = (name: string, kind: Kind): Point[] =>
  plain.get(name)!.calls.flatMap((calls, message): Point[] => {
    if (kind === "before") return [{ name, message }];
    return calls.map((_, call) => ({ name, message, call }));
  });
type Kind = "before" | "during" | "after";

/** Plays each to where it is killed, kills the process, and plays it to its end. */
async function killAt(kind: Kind, points: readonly Point[]): Promise<void> {
  const talks = await Promise.all(
    points.map(async (point) => {
      if (point.message === 0 && kind === "before") return { ...point, id: "" };
      return { ...point, id: await begin(point.name) };
    }),
  );
  const most = Math.max(...talks.map(({ message }) => message));
  for (let n = 0; n < most; n++) {
    if (n > 0) for (const { name, id, message } of talks) if (n < message) await ask(key(), id, messagesIn(name)[n]!);
    await settled();
  }
  let go!: () => void;
  const free = new Promise<void>((resolve) => (go = resolve));
  const counted = talks.map(({ id }) => callsOf(id).length);
  for (const [n, { id, call }] of talks.entries())
    if (call !== undefined) held.set(id, { call: counted[n]! + call + 1, until: free });
  if (kind === "before") await lock();
  for (const talk of talks) {
    if (talk.message === 0) talk.id ||= await begin(talk.name);
    else await ask(key(), talk.id, messagesIn(talk.name)[talk.message]!);
  }
  if (kind !== "before")
    await until(
      async () => {
        await hurry();
        return talks.every(({ id, call }, n) => callsOf(id).length === counted[n]! + call! + 1);
      },
      () => "all tools are at work",
    );
  if (kind === "after") {
    await lock();
    go();
  }
  if (kind !== "during") await blocked(talks.length);
  await killed();
  go();
  for (let n = 1; n < Math.max(...talks.map(({ name }) => messagesIn(name).length)); n++) {
    for (const { name, id, message, call } of talks) {
      const isOver = kind === "during" && changes(plain.get(name)!.calls[message]![call!]!);
      if (n > message && n < messagesIn(name).length && !isOver) await ask(key(), id, messagesIn(name)[n]!);
    }
    await settled();
  }
  for (const talk of talks) await expectRight(kind, talk);
}

/** The fields of an answer that was read from the record come in another order. */
const inOrder = (text: string): string =>
  text.includes("It has: ") || text.includes("Your payment methods are ")
    ? text
        .split(/[\s,.;]+/)
        .toSorted()
        .join(" ")
    : text;

async function expectRight(kind: Kind, { name, message, call, id }: Point & { id: string }): Promise<void> {
  const { said, calls, changes: made } = plain.get(name)!;
  const where = `${name}, ${kind} ${call === undefined ? "" : `call ${call} of `}message ${message}`;
  const now = await saidIn(key(), id);
  const reasons = (await activityOf(key(), id)).flatMap(({ reason }) => reason ?? []);
  expect(changesOf(id), `${where}: each change once, as without a kill`).toEqual(made);
  if (kind === "during" && changes(calls[message]![call!]!)) {
    expect(now.slice(0, -1), where).toEqual(said.slice(0, message));
    expect(now.at(-1), where).toMatch(/^system: .*colleague/s);
    expect(reasons.join("\n"), where).toContain("It is not known whether it was carried out");
    return;
  }
  expect(now.map(inOrder), `${where}: ${reasons.join("\n")}`).toEqual(said.map(inOrder));
  // What only looks something up is looked up again where its answer was lost.
  expect(callsOf(id).length, where).toBe(calls.flat().length + (kind === "during" ? 1 : 0));
}

test("the ten procedures, played without a kill", async () => {
  await playPlainly();
  expect([...plain.keys()].toSorted()).toEqual(PROCEDURES.map(({ name }) => name).toSorted());
  for (const [name, { said, calls }] of plain) {
    expect(said.length, name).toBe(messagesIn(name).length);
    const wanted = new Set(PROCEDURES.find((one) => one.name === name)!.steps.flatMap(({ tool }) => tool ?? []));
    expect(new Set(calls.flat()), name).toEqual(wanted);
  }
});

test.each(["before", "during", "after"] as const)(
  "killed %s",
  async (kind) => {
    const points = [...plain.keys()].map((name) => pointsOf(name, kind));
    const rounds = Math.max(...points.map(({ length }) => length));
    for (let n = 0; n < rounds; n++)
      await killAt(
        kind,
        points.flatMap((of) => of[n] ?? []),
      );
  },
  3_600_000,
);
