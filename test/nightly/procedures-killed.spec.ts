import { afterAll, beforeAll, expect, test } from "vitest";
import { activityOf, outcomesOf, saidIn } from "../server/assistant/support.js";
import { startToolServer, type ToolServer } from "../server/assistant/tool-server.js";
import { start } from "../server/e2e/support.js";
import { allowTimeForProcesses, until } from "../server/process/support.js";
import type { Client } from "../support/client.js";
import { connect } from "../support/database.js";
import { type Killable, startKillable } from "../endurance/killable.js";

allowTimeForProcesses();

// kill -9 at each step of a procedure: what changes something is called once, and each contact gets one reply, with all that is said in it, or a hand-over.

const TOOLS = {
  look: { effect: "read" },
  first: { effect: "write" },
  second: { effect: "write" },
  last: { effect: "write" },
  lost: { effect: "write" },
  again: { effect: "write", idempotent: true },
} as const;
type Tool = keyof typeof TOOLS;
/** The tools of each procedure, in their order. It begins with "please" and its name. A tenant has two calls at a time. */
const PROCEDURES = {
  looking: ["look", "first"],
  between: ["first", "second"],
  telling: ["last"],
  losing: ["lost"],
  repeating: ["again"],
} as const satisfies Record<string, readonly Tool[]>;
type Name = keyof typeof PROCEDURES;
const NAMES = Object.keys(PROCEDURES) as Name[];
/** What is said before each call, and at the end. */
const told = (name: Name): string =>
  `assistant: ${[...PROCEDURES[name].map((tool) => `Now ${tool}.`), `${name} is done.`].join("\n\n")}`;

let sql: Awaited<ReturnType<typeof connect>>;
let tools: ToolServer;
let server: Killable;
beforeAll(async () => {
  tools = await startToolServer();
  // Nothing is given up while the test prepares the kill.
  server = await startKillable({ OUTBOUND_ALLOW: tools.host, ASSISTANT_CHAT_SECONDS: "60" });
  sql = await connect(server.db.url);
  const { workspaceId } = server.tenant.defaults;
  const at = `/api/workspaces/${workspaceId}` as const;
  const owner = await server.owner();
  const parameters = { type: "object", properties: {} };
  for (const [name, tool] of Object.entries(TOOLS))
    await owner.post(
      `${at}/tools`,
      { name, description: name, parameters, url: tools.url(`/${name}`), timeoutSeconds: 30, ...tool },
      201,
    );
  const agent = { name: "Shop", instructions: "Help", workspaceIds: [workspaceId], tools: Object.keys(TOOLS) };
  await key().post("/api/agents", agent, 201);
  const rule = { title: "For everybody", rule: "Always", effect: "allow", tools: Object.keys(TOOLS) } as const;
  await key().post(`${at}/policy-entries`, rule, 201);
  for (const name of NAMES) {
    const calls = PROCEDURES[name].flatMap((tool) => [
      { id: `now_${tool}`, type: "say" as const, text: `Now ${tool}.` },
      { id: tool, type: "call" as const, tool, arguments: {} },
    ]);
    const steps = [...calls, { id: "done", type: "say" as const, text: `${name} is done.` }];
    const startsWith = { entries: [], phrases: [`please ${name}`] };
    await owner.post(`${at}/procedures`, { name, status: "active", startsWith, steps }, 201);
  }
});
afterAll(async () => {
  await sql?.end();
  await server?.close();
  await tools.close();
});
const key = (): Client => server.key();
const asked = async (name: Name): Promise<string> =>
  (await start(key(), server.tenant.defaults.workspaceId, { message: { body: `please ${name}` } })).id;
const countOf = (tool: Tool): number => tools.on(`/${tool}`).length;
const blocked = (statement: string): Promise<unknown> =>
  until(
    async () =>
      (
        await server.db.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1",
          [statement],
        )
      ).length > 0,
    () => `it waits: ${statement}`,
  );

/** Kills the process, starts another one, ends the leases of the killed one, and waits until all runs have ended. */
async function killed(): Promise<void> {
  await server.killAndStart(() => sql.query("rollback"));
  await sql.query("update assistant_due set due_at = now() where claimed");
  await until(
    async () => (await sql.query("select from assistant_run where outcome is null")).rowCount === 0,
    () => "all have ended",
  );
}
const hang = (): Promise<never> => new Promise(() => undefined);

async function askedAll<One extends Name>(names: readonly One[]): Promise<Record<One, string>> {
  const pairs = await Promise.all(names.map(async (name) => [name, await asked(name)] as const));
  await until(
    () => tools.calls.length === names.length,
    () => "all are under way",
  );
  return Object.fromEntries(pairs) as Record<One, string>;
}
async function expectTold(name: Name, id: string): Promise<void> {
  const [{ reason } = { reason: null }] = await activityOf(key(), id);
  expect(await saidIn(key(), id), `${name}: ${reason}`).toEqual([told(name)]);
  expect(await outcomesOf(key(), id)).toEqual(["answered"]);
}

test("a process that is killed while a look and a change work", async () => {
  tools.calls.length = 0;
  for (const tool of ["look", "lost"] as const) tools.answers[`/${tool}`] = hang;
  const ids = await askedAll(["looking", "losing"]);
  tools.answers = {};
  await killed();
  await expectTold("looking", ids.looking);
  expect([countOf("look"), countOf("first")], "it looks again, and goes on").toEqual([2, 1]);
  expect(countOf("lost"), "once, though nobody knows what came of it").toBe(1);
  expect(await outcomesOf(key(), ids.losing)).toEqual(["handed_off"]);
  expect((await activityOf(key(), ids.losing))[0]!.reason).toContain(
    "lost: It is not known whether it was carried out",
  );
});

test("a process that is killed while a change works that the tool takes as the same call", async () => {
  tools.calls.length = 0;
  tools.answers["/again"] = hang;
  const ids = await askedAll(["repeating"]);
  tools.answers = {};
  await killed();
  await expectTold("repeating", ids.repeating);
  const keys = new Set(tools.on("/again").map(({ body }) => body.idempotencyKey));
  expect([countOf("again"), keys.size], "as the same call").toEqual([2, 1]);
});

test("a process that is killed between two calls, and before the contact is told", async () => {
  tools.calls.length = 0;
  let mayAnswer!: () => void;
  const free = new Promise<void>((resolve) => (mayAnswer = resolve));
  const later = async () => {
    await free;
    return { body: { ok: true } };
  };
  for (const tool of ["first", "last"] as const) tools.answers[`/${tool}`] = later;
  const ids = await askedAll(["between", "telling"]);
  // What comes next is to keep how far the one is, and to tell the other.
  await sql.query("begin");
  await sql.query("lock table procedure_run, message in access exclusive mode");
  mayAnswer();
  await blocked("%procedure_run%");
  await blocked("%message%");
  tools.answers = {};
  await killed();
  await expectTold("between", ids.between);
  expect([countOf("first"), countOf("second")], "each once").toEqual([1, 1]);
  await expectTold("telling", ids.telling);
  expect(countOf("last"), "once, though it was not told").toBe(1);
  expect((await sql.query("select from procedure_run where ended_at is null")).rowCount).toBe(0);
});
