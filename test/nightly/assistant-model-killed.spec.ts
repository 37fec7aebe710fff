import { afterAll, beforeAll, expect, test } from "vitest";
import { calls, replies, type Request, type ScriptedModel, startModel } from "../server/assistant/model-support.js";
import { activityOf, ENTRIES, outcomesOf, saidIn, teach } from "../server/assistant/support.js";
import { startToolServer, type ToolServer } from "../server/assistant/tool-server.js";
import { start } from "../server/e2e/support.js";
import { connect } from "../support/database.js";
import type { Client } from "../support/client.js";
import { allowTimeForProcesses, until } from "../server/process/support.js";
import { type Killable, startKillable } from "../endurance/killable.js";

allowTimeForProcesses();

// kill -9 in the steps of a run with a language model and tools: each contact gets a reply or a hand-over, once. Many conversations
// share a process, and two kills hit all of the steps.

/** What the contact of each conversation wants is the tool that the model calls for them. */
const TOOLS = {
  look: { effect: "read" },
  change_once: { effect: "write" },
  change_again: { effect: "write", idempotent: true },
  ask_people: { effect: "write" },
} as const;
type Wish = keyof typeof TOOLS | "nothing" | "ask_people 1" | "ask_people 2";

let sql: Awaited<ReturnType<typeof connect>>;
let model: ScriptedModel;
let tools: ToolServer;
let server: Killable;
beforeAll(async () => {
  [model, tools] = await Promise.all([startModel(), startToolServer()]);
  const { OUTBOUND_ALLOW, ...ofModel } = model.settings;
  server = await startKillable({
    OUTBOUND_ALLOW: [...OUTBOUND_ALLOW, tools.host].join(),
    ...(ofModel as Record<string, string>),
  });
  sql = await connect(server.db.url);
  const { workspaceId } = server.tenant.defaults;
  const owner = await server.owner();
  for (const [name, tool] of Object.entries(TOOLS)) {
    const schema = { type: "object", properties: {} };
    const body = { name, description: name, parameters: schema, url: tools.url(`/${name}`), ...tool };
    await owner.post(`/api/workspaces/${workspaceId}/tools`, body, 201);
  }
  const agent = { name: "Shop", instructions: "Help", workspaceIds: [workspaceId], tools: Object.keys(TOOLS) };
  await key().post("/api/agents", agent, 201);
  const rules = [
    { title: "People decide", rule: "Always", effect: "require_approval", tools: ["ask_people"] },
    { title: "For everybody", rule: "Always", effect: "allow", tools: ["change_once", "change_again"] },
  ];
  for (const rule of rules) await key().post(`/api/workspaces/${workspaceId}/policy-entries`, rule, 201);
  await teach(key(), workspaceId, [ENTRIES.refund]);
});
afterAll(async () => {
  await sql?.end();
  await server?.close();
  model.close();
  await tools.close();
});
const key = (): Client => server.key();

const hang = (): Promise<never> => new Promise(() => undefined);
const wishOf = ({ messages }: Request): Wish => /I wish for: (\w+(?: \d)?)/.exec(messages[1]!.content!)![1] as Wish;
const answer = (): object => replies({ text: ENTRIES.refund.answer });
/** Calls the tool that the contact wishes for, and answers once it is done. */
const serve = (request: Request): object => {
  const isDone =
    request.messages.some(({ role }) => role === "tool") || request.messages[1]!.content!.includes('"did"');
  const wish = wishOf(request);
  return isDone || wish === "nothing" ? answer() : calls([wish.split(" ")[0]!, {}]);
};
const asked = async (wish: Wish): Promise<string> =>
  (
    await start(key(), server.tenant.defaults.workspaceId, {
      message: { body: `${ENTRIES.refund.question} I wish for: ${wish}.` },
    })
  ).id;
/** Kills the process, starts another one, and ends the leases of the killed one. */
const killed = async (): Promise<void> => {
  await server.killAndStart(() => sql.query("rollback"));
  await sql.query("update assistant_due set due_at = now() where claimed");
  await sql.query(
    `update pending_action_due set due_at = now() where action_id in (select id from pending_action where status = 'approved')`,
  );
};
/** Does not ask on the connection with the transaction: there, the first answer would stay the answer. */
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
const countOf = (path: string): number => tools.on(path).length;
const told = `assistant: ${ENTRIES.refund.answer}`;

test("a process that is killed while the model thinks, while tools work, when runs begin to wait, and when they go on", async () => {
  const wishes: Wish[] = ["nothing", "look", "change_once", "change_again", "ask_people 1", "ask_people 2"];

  // The model thinks about one, tools work for three, and two are about to wait.
  for (const name of ["look", "change_once", "change_again"]) tools.answers[`/${name}`] = hang;
  const thinking = new Set<Wish>();
  let mayAsk!: () => void;
  const locked = new Promise<void>((resolve) => (mayAsk = resolve));
  model.script(async (request: Request) => {
    const wish = wishOf(request);
    thinking.add(wish);
    if (wish === "nothing") return hang();
    // The contact is told that somebody has to approve it: that is written when the run begins to wait.
    if (wish.startsWith("ask_people")) await locked;
    return serve(request);
  });
  const ids = Object.fromEntries(
    await Promise.all(wishes.map(async (wish) => [wish, await asked(wish)] as const)),
  ) as Record<Wish, string>;
  await until(
    () => thinking.size === wishes.length && tools.calls.length === 3,
    () => "all are under way",
  );
  await sql.query("begin");
  await sql.query("lock table message in access exclusive mode");
  mayAsk();
  await blocked("%message%");
  tools.answers = {};
  for (const name of Object.keys(TOOLS)) tools.answers[`/${name}`] = () => ({ body: { did: name } });
  model.script(serve);
  await killed();
  await until(
    async () =>
      (await sql.query("select from assistant_run where outcome is null and waits_for is distinct from 'approval'"))
        .rowCount === 0,
    () => "all have ended or wait",
  );
  const outcomes = async (wish: Wish): Promise<unknown[]> => outcomesOf(key(), ids[wish]);
  expect(await saidIn(key(), ids.nothing)).toEqual([told]);
  expect([await saidIn(key(), ids.look), countOf("/look")]).toEqual([[told], 2]);
  const looks = await sql.query(
    "select outcome is not null as ended from tool_call where tool = 'look' order by ended",
  );
  expect(looks.rows, "each look is on record").toEqual([{ ended: false }, { ended: true }]);
  expect([await outcomes("change_once"), countOf("/change_once")]).toEqual([["handed_off"], 1]);
  expect(await saidIn(key(), ids.change_once)).toHaveLength(1);
  const [once] = await activityOf(key(), ids.change_once);
  expect(once!.reason).toContain("change_once: It is not known whether it was carried out");
  const { summary } = (await key().get(`/api/conversations/${ids.change_once}`, 200)).body;
  expect(summary).toContain("It is not known whether this was carried out: change_once");
  expect([await saidIn(key(), ids.change_again), countOf("/change_again")]).toEqual([[told], 2]);
  expect(new Set(tools.on("/change_again").map(({ body }) => body.idempotencyKey)).size).toBe(1);
  for (const wish of ["ask_people 1", "ask_people 2"] as const) {
    expect(await outcomes(wish)).toEqual([null]);
    expect(await saidIn(key(), ids[wish])).toHaveLength(1);
  }
  expect((await sql.query("select from pending_action")).rowCount).toBe(2);

  // One goes on, and the model thinks about it; the tool has answered for the other, whose run is put back into the queue.
  let mayAnswer!: () => void;
  const free = new Promise<void>((resolve) => (mayAnswer = resolve));
  const isSecond = (id: string): boolean => id === ids["ask_people 2"];
  tools.answers["/ask_people"] = async ({ body }) => {
    if (isSecond(body.conversation.id)) await free;
    return { body: { did: "ask_people" } };
  };
  model.script(hang);
  const owner = await server.owner();
  const actionOf = async (wish: Wish) =>
    (await key().get(`/api/conversations/${ids[wish]}/pending-actions`, 200)).body.data[0]!;
  const approve = async (wish: Wish): Promise<unknown> => {
    const { id, argumentsHash } = await actionOf(wish);
    return owner.post(`/api/pending-actions/${id}/approve`, { argumentsHash }, 200);
  };
  await approve("ask_people 1");
  await until(
    () => model.requests.length === 1,
    () => "the model thinks about the one",
  );
  await approve("ask_people 2");
  await until(
    () => countOf("/ask_people") === 2,
    () => "the tool works for the other",
  );
  await sql.query("begin");
  await sql.query("lock table assistant_due in access exclusive mode");
  mayAnswer();
  await blocked("%insert into assistant_due%");
  model.script(serve);
  await killed();
  await until(
    async () => (await sql.query("select from assistant_run where outcome is null")).rowCount === 0,
    () => "all have ended",
  );
  expect((await saidIn(key(), ids["ask_people 1"])).slice(1)).toEqual([told]);
  expect(await outcomes("ask_people 1")).toEqual(["answered"]);
  expect((await saidIn(key(), ids["ask_people 2"])).slice(1)).toHaveLength(1);
  expect(await outcomes("ask_people 2")).toEqual(["handed_off"]);
  expect((await key().get(`/api/pending-actions/${(await actionOf("ask_people 2")).id}`, 200)).body).toMatchObject({
    status: "failed",
    result: { code: "unknown" },
  });
  expect(countOf("/ask_people"), "each was called once").toBe(2);
  expect((await sql.query("select from assistant_due")).rowCount).toBe(0);
});
