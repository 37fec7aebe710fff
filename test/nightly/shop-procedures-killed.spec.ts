import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
// before what it answered is kept, and before the contact is told. Each change is called once, and each message gets one reply, the same as
// without a kill, or people take over. The same where nothing may be done: what was refused is not done after a kill either.

const { tools: TOOLS, procedures: PROCEDURES } = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, "../../demo/procedures.json"), "utf8"),
) as {
  tools: { name: string; effect: "read" | "write" }[];
  procedures: { name: string; steps: { id: string; type: string; tool?: string }[] }[];
};

const ZIP = "19122";
const PENDING = "#W1000001";
const DELIVERED = "#W2000002";
/** The payment method of each order, another one, and a gift card with less than an order costs. */
const [PAID_WITH, OTHER_CARD, GIFT_CARD] = ["1", "2", "3"];
const ADDRESS = ["12 Elm Street", "yes", "Suite 4", "Austin", "TX", "USA", "78701", "Yes"];
const changes = (tool: string): boolean => TOOLS.find(({ name }) => name === tool)!.effect === "write";

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
    further: [PENDING, OTHER_CARD, "Yes"],
  },
  "Change items of a pending order": {
    opening: "I want to change items in my order.",
    further: [PENDING, "1 and 2", "2", "2", "1", "Yes"],
  },
  "Return items of a delivered order": {
    opening: "I would like to return something.",
    further: [DELIVERED, "1 and 2", PAID_WITH, "Yes"],
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

/** What policies say about a contact who is barred from something. */
const BARRED = {
  looks: ["deny", "read"],
  changes: ["deny", "write"],
  "all changes": ["escalate", "write"],
  "unasked changes": ["require_approval", "write"],
} as const;
interface Talk {
  name: string;
  procedure: string;
  messages: readonly string[];
  barred?: keyof typeof BARRED;
  /** The shop refuses this. */
  fails?: string;
  /** A colleague decides against it in the end. */
  rejected?: boolean;
  /** What the contact is told in the end. */
  ends: RegExp;
}
const WANTED = Object.entries(TALKS).map(([name, { opening, further }]): Talk => ({
  name,
  procedure: name,
  messages: [opening, ZIP, ...further],
  ends: / is cancelled|goes to the new|paid with .* now|are changed|is requested|is changed|It has: |methods are |costs /,
}));
const PEOPLE = /colleague/;
const STOPPED = /I have stopped/;

/** Each way in which a procedure does nothing of what the contact wants. Messages after its end are not written. */
function refusalsOf({ procedure, messages }: Talk): Talk[] {
  const { steps } = PROCEDURES.find(({ name }) => name === procedure)!;
  const has = (id: string): boolean => steps.some((step) => step.id === id);
  const [opening, zip, first = ""] = messages as [string, string, string?];
  const begun = [opening, zip, first];
  const last = messages.slice(0, -1);
  const called = steps.flatMap(({ tool }) => tool ?? []);
  const change = called.find(changes);
  const [orders, asks, profile] = [has("order"), first !== "", called.includes("get_user_details")];
  const isChange = change !== undefined;
  const refusals: [boolean, string, RegExp, Partial<Talk>][] = [
    [true, "the proof is wrong", PEOPLE, { messages: [opening, "00000", "00000", "00000"] }],
    [asks, "never mind", STOPPED, { messages: [opening, zip, "Never mind."] }],
    [asks, "no answer", PEOPLE, { messages: [opening, zip, "Hmm", "Hmm", "Hmm"] }],
    [
      has("not_allowed"),
      "another state",
      /Only /,
      { messages: [opening, zip, first === PENDING ? DELIVERED : PENDING] },
    ],
    [orders, "no such order", STOPPED, { messages: [...begun, "Never mind."], fails: "get_order_details" }],
    [orders, "a policy denies the look", STOPPED, { messages: [...begun, "Never mind."], barred: "looks" }],
    [!orders && profile, "a policy denies the look", PEOPLE, { barred: "looks" }],
    [profile, "no profile", PEOPLE, { fails: "get_user_details" }],
    [called.includes("get_product_details"), "no product", PEOPLE, { fails: "get_product_details" }],
    [isChange, "no, and no", STOPPED, { messages: [...last, "No", "No"] }],
    [isChange, "no, and never mind", STOPPED, { messages: [...last, "No", "Never mind."] }],
    [isChange, "a policy denies it", PEOPLE, { barred: "changes" }],
    [isChange, "a policy gives it to people", PEOPLE, { barred: "all changes" }],
    [isChange, "a colleague decides against it", PEOPLE, { barred: "unasked changes", rejected: true }],
    [isChange, "the shop refuses it", PEOPLE, { fails: change! }],
    [has("other_reason"), "another reason", /cannot cancel/, { messages: [...begun, "Another reason"] }],
    [has("same_payment"), "the same payment", STOPPED, { messages: [...begun, PAID_WITH, "Never mind."] }],
    [has("too_little"), "too little on a gift card", STOPPED, { messages: [...begun, GIFT_CARD, "Never mind."] }],
    [has("other_refund"), "a refund elsewhere", STOPPED, { messages: [...begun, "1", OTHER_CARD, "Never mind."] }],
  ];
  return refusals.flatMap(([there, way, ends, talk]) =>
    there ? [{ name: `${procedure}: ${way}`, procedure, messages, ends, ...talk }] : [],
  );
}
const REFUSALS = WANTED.flatMap(refusalsOf);

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
const giftCard = { id: "gift_card_x_1000003", source: "gift_card", balance: 5 };
/** What the shop answers. */
function answerOf(tool: string, { order_id: orderId, product_id: productId }: Record<string, unknown>): object {
  switch (tool) {
    case "get_order_details":
      return order(orderId === PENDING ? "pending" : "delivered");
    case "get_product_details":
      return productId === "7001" ? product("7001", "Lamp") : product("7002", "Bag");
    case "get_user_details": {
      const methods = [card("credit_card_1000001", "1111"), card("credit_card_1000002", "2222"), giftCard];
      return {
        address: { address1: "1 Main Street" },
        payment_methods: Object.fromEntries(methods.map((one) => [one.id, one])),
      };
    }
    default:
      return { done: true };
  }
}

let sql: Awaited<ReturnType<typeof connect>>;
let tools: ToolServer;
let server: Killable;
let agentId: string;
/** By the contact. */
const talks = new Map<string, Talk>();
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
      if (talks.get(body.contact.externalId!)!.fails === name) return { status: 409, body: { error: "No" } };
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
  await sql.query(WAITS_TO_TELL);
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
  for (const [barred, [effect, of]] of Object.entries(BARRED)) {
    const conditions = { field: "contact.attributes.barred", op: "eq", value: barred };
    const about = TOOLS.filter((tool) => tool.effect === of).map(({ name }) => name);
    await key().post(`${at}/policy-entries`, { title: barred, rule: barred, effect, conditions, tools: about }, 201);
  }
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

async function begin(talk: Talk): Promise<string> {
  const externalId = String(talks.size + 1);
  talks.set(externalId, talk);
  const contact = { name: "Ada", externalId, attributes: { zip: ZIP, barred: talk.barred ?? "nothing" } };
  const { id: contactId } = (await key().post("/api/contacts", contact, 201)).body;
  const message = { body: talk.messages[0]! };
  return (await start(key(), server.tenant.defaults.workspaceId, { contactId, message })).id;
}

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
/** Until so many statements of the process wait for what the test holds. */
const blocked = (count: number): Promise<unknown> =>
  until(
    async () => {
      await server.db.query("update assistant_due set due_at = now() where not claimed and due_at > now()");
      const { length } = await server.db.query(
        `select from pg_locks l
        where not l.granted and l.database = (select oid from pg_database where datname = current_database())
          and (l.relation = 'procedure_run'::regclass or l.locktype = 'advisory' and l.objid = $1)`,
        [TELLING],
      );
      return length >= count;
    },
    () => `${count} wait`,
  );
/** Who says something to a contact shares this lock. */
const TELLING = 4_711;
const WAITS_TO_TELL = `
  create function waits_to_tell() returns trigger language plpgsql as $$
  begin
    perform pg_advisory_xact_lock_shared(${TELLING});
    return new;
  end $$;
  create trigger waits_to_tell before insert on message
    for each row when (new.direction = 'outbound') execute function waits_to_tell();`;
const lock = async (kind: Kind): Promise<void> => {
  await sql.query("begin");
  if (kind === "told") await sql.query("select pg_advisory_xact_lock($1)", [TELLING]);
  else await sql.query("lock table procedure_run in share mode");
};
/** Kills the process, starts another one, ends the leases of the killed one, and waits until all has been answered. */
async function killed(): Promise<void> {
  await server.killAndStart(() => sql.query("rollback"));
  held.clear();
  await sql.query("update assistant_due set due_at = now() where claimed");
  await settled();
}

/** What is kept of a conversation besides what was said and called: each of it once. */
const keptOf = async (id: string): Promise<unknown> =>
  (
    await sql.query(
      `select c.handling_mode as mode,
        array(select o.ending from procedure_run o where o.conversation_id = c.id order by o.started_at) as endings,
        array(select i.type || ' ' || i.occurrences from attention_item i where i.conversation_id = c.id order by 1) as items,
        array(select a.status from pending_action a where a.conversation_id = c.id) as actions
      from conversation c where c.id = $1`,
      [id],
    )
  ).rows[0];
const isOpen = async (id: string): Promise<boolean> =>
  (await sql.query("select from procedure_run where conversation_id = $1 and ended_at is null", [id])).rowCount! > 0;
/** How many calls were decided about. */
const decidedIn = async (id: string): Promise<number> => {
  const tables = ["tool_call", "pending_action"].map(
    (table) => `select from ${table} where conversation_id = $1 and tool <> 'ask_verification'`,
  );
  return (await sql.query(tables.join(" union all "), [id])).rowCount!;
};
async function reject(id: string): Promise<void> {
  const owner = await server.owner();
  for (const action of (await owner.get(`/api/conversations/${id}/pending-actions`, 200)).body.data)
    await owner.post(`/api/pending-actions/${action.id}/reject`, {}, 200);
}

/** A talk as it is played without a kill: what was said, and in each message which tools were called and how many calls were decided about. */
interface Played {
  said: string[];
  calls: string[][];
  decided: number[];
  changes: unknown[];
  kept: unknown;
  /** Where it is another conversation than that in which all is done. */
  from: number;
}
const plain = new Map<string, Played>();

async function playPlainly(all: readonly Talk[]): Promise<void> {
  const begun = await Promise.all(
    all.map(async (talk) => ({ talk, id: await begin(talk), calls: [] as string[][], decided: [] as number[] })),
  );
  let open = begun;
  for (let n = 0; open.length; n++) {
    if (n > 0) await Promise.all(open.map(({ talk, id }) => ask(key(), id, talk.messages[n]!)));
    await settled();
    for (const { id, calls, decided } of open) {
      calls.push(callsOf(id).slice(calls.flat().length));
      decided.push((await decidedIn(id)) - decided.reduce((sum, count) => sum + count, 0));
    }
    const going: typeof open = [];
    for (const one of open)
      if (n + 1 < one.talk.messages.length && (await isOpen(one.id))) going.push(one);
      else one.talk.messages = one.talk.messages.slice(0, n + 1);
    open = going;
  }
  for (const { talk, id } of begun) if (talk.rejected) await reject(id);
  await settled();
  for (const { talk, id, ...of } of begun) {
    const said = await saidIn(key(), id);
    const wanted = plain.get(talk.procedure);
    const messages = WANTED.find(({ name }) => name === talk.procedure)!.messages;
    const from = wanted
      ? talk.messages.findIndex(
          (message, n) =>
            message !== messages[n] ||
            said[n] !== wanted.said[n] ||
            of.calls[n]!.join() !== wanted.calls[n]!.join() ||
            of.decided[n] !== wanted.decided[n],
        )
      : 0;
    plain.set(talk.name, { ...of, said, changes: changesOf(id), kept: await keptOf(id), from });
  }
}

/** Where it is killed: at which message, and at which call of it, or before the reply. */
interface Point {
  talk: Talk;
  message: number;
  call?: number;
}
const KINDS = ["before", "during", "after", "told"] as const;
type Kind = (typeof KINDS)[number];
/** Where a message has no call, how far the procedure is and the reply are written in one transaction. */
function pointsOf(talk: Talk, kind: Kind): Point[] {
  const { calls, decided, from } = plain.get(talk.name)!;
  return calls.flatMap((made, message): Point[] => {
    if (message < from) return [];
    if (kind === "during" || kind === "after") return made.map((_, call) => ({ talk, message, call }));
    const isFew = kind === (WANTED.includes(talk) ? "told" : "before");
    return isFew && !decided[message] ? [] : [{ talk, message }];
  });
}

/** Plays each to where it is killed, kills the process, and plays it to its end. */
async function killAt(kind: Kind, points: readonly Point[]): Promise<void> {
  const isHeld = kind === "during" || kind === "after";
  const all = await Promise.all(
    points.map(async (point) => ({ ...point, id: point.message === 0 && !isHeld ? "" : await begin(point.talk) })),
  );
  const most = Math.max(...all.map(({ message }) => message));
  for (let n = 0; n < most; n++) {
    const early = n > 0 ? all.filter(({ message }) => n < message) : [];
    await Promise.all(early.map(({ talk, id }) => ask(key(), id, talk.messages[n]!)));
    await settled();
  }
  let go!: () => void;
  const free = new Promise<void>((resolve) => (go = resolve));
  const counted = all.map(({ id }) => callsOf(id).length);
  for (const [n, { id, call }] of all.entries())
    if (call !== undefined) held.set(id, { call: counted[n]! + call + 1, until: free });
  if (!isHeld) await lock(kind);
  await Promise.all(
    all.map(async (one) => {
      if (one.message === 0) one.id ||= await begin(one.talk);
      else await ask(key(), one.id, one.talk.messages[one.message]!);
    }),
  );
  if (isHeld)
    await until(
      async () => {
        await hurry();
        return all.every(({ id, call }, n) => callsOf(id).length === counted[n]! + call! + 1);
      },
      () => "all tools are at work",
    );
  if (kind === "after") {
    await lock(kind);
    go();
  }
  if (kind !== "during") await blocked(all.length);
  await killed();
  go();
  const isLost = ({ talk, message, call }: Point): boolean =>
    kind === "during" && changes(plain.get(talk.name)!.calls[message]![call!]!);
  for (let n = 1; n < Math.max(...all.map(({ talk }) => talk.messages.length)); n++) {
    const late = all.filter((one) => n > one.message && n < one.talk.messages.length && !isLost(one));
    await Promise.all(late.map(({ talk, id }) => ask(key(), id, talk.messages[n]!)));
    await settled();
  }
  for (const { talk, id } of all) if (talk.rejected) await reject(id);
  await settled();
  for (const one of all) await expectRight(kind, one, isLost(one));
}

/** The fields of an answer that was read from the record come in another order. */
const inOrder = (text: string): string =>
  text.includes("It has: ") || text.includes("Your payment methods are ")
    ? text
        .split(/[\s,.;]+/)
        .toSorted()
        .join(" ")
    : text;

async function expectRight(kind: Kind, { talk, message, call, id }: Point & { id: string }, isLost: boolean) {
  const { said, calls, changes: made, kept } = plain.get(talk.name)!;
  const where = `${talk.name}, ${kind} ${call === undefined ? "" : `call ${call} of `}message ${message}`;
  const now = await saidIn(key(), id);
  const reasons = (await activityOf(key(), id)).flatMap(({ reason }) => reason ?? []);
  expect.soft(changesOf(id), `${where}: each change once, as without a kill`).toEqual(made);
  if (isLost) {
    expect.soft(now.slice(0, -1), where).toEqual(said.slice(0, message));
    expect.soft(now.at(-1), where).toMatch(/^system: .*colleague/s);
    expect.soft(reasons.join("\n"), where).toContain("It is not known whether it was carried out");
    return;
  }
  expect.soft(now.map(inOrder), `${where}: ${reasons.join("\n")}`).toEqual(said.map(inOrder));
  expect.soft(await keptOf(id), where).toEqual(kept);
  // What only looks something up is looked up again where its answer was lost.
  expect.soft(callsOf(id).length, where).toBe(calls.flat().length + (kind === "during" ? 1 : 0));
}

test("the ten procedures, played without a kill", async () => {
  await playPlainly(WANTED);
  expect(WANTED.map(({ name }) => name).toSorted()).toEqual(PROCEDURES.map(({ name }) => name).toSorted());
  for (const { name, messages, ends } of WANTED) {
    const { said, calls } = plain.get(name)!;
    expect(said.length, name).toBe(messages.length);
    expect(said.at(-1), name).toMatch(ends);
    const wanted = new Set(PROCEDURES.find((one) => one.name === name)!.steps.flatMap(({ tool }) => tool ?? []));
    expect(new Set(calls.flat()), name).toEqual(wanted);
  }
});

test("each way in which they refuse, played without a kill: nothing is done", async () => {
  await playPlainly(REFUSALS);
  for (const { name, messages, ends, rejected, fails } of REFUSALS) {
    const { said, changes: made, from } = plain.get(name)!;
    expect(said.at(-1), name).toMatch(ends);
    expect(said.length, `${name}: ${said.join("\n")}`).toBe(messages.length + Number(rejected ?? false));
    expect(made.length, name).toBe(fails !== undefined && changes(fails) ? 1 : 0);
    expect(from, name).toBeGreaterThan(0);
  }
});

/** So many wait at a time: the first of them must still wait when the last one comes, and a statement may take 15 seconds. */
const AT_ONCE = 10;
describe.each([
  ["nothing may be done", REFUSALS],
  ["what is wanted is done", WANTED],
])("where %s", (_, talksOfIt) => {
  test.each(KINDS)(
    "killed %s",
    async (kind) => {
      const points = talksOfIt.flatMap((talk) => pointsOf(talk, kind));
      // All points of one round are at the same message, so that none waits while others are played on.
      for (let n = 0; n <= Math.max(...points.map(({ message }) => message)); n++)
        for (let some = points.filter(({ message }) => message === n); some.length; some = some.slice(AT_ONCE))
          await killAt(kind, some.slice(0, AT_ONCE));
    },
    3_600_000,
  );
});
