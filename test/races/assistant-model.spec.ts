import { afterAll, beforeAll, expect, test } from "vitest";
import { AssistantJob } from "../../src/assistant/assistant.job.js";
import { calls, replies, type Request, type ScriptedModel, startModel } from "../server/assistant/model-support.js";
import { activityOf, ask, assist, ENTRIES, messagesOf, teach } from "../server/assistant/support.js";
import {
  carryOut,
  openDesk,
  policy,
  REFUND,
  startToolServer,
  type ToolServer,
  VALID,
} from "../server/assistant/tools-support.js";
import { newWorkspace, start } from "../server/e2e/support.js";
import { randomFrom, runs } from "../support/seed.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { concurrently, on, startTwo, type TwoNodes } from "./support.js";
import { awayFromMidnight } from "../support/clock.js";

// A language model takes its time. Whatever happens meanwhile, nothing is said after it, and nothing twice.

/** Of each kind, at least. ASSISTANT_RACES=2500 is the full run. */
const ROUNDS = Number(process.env.ASSISTANT_RACES ?? runs(10, 40));
/** So many at most, until what happens came before an answer and after one. */
const MAX_ROUNDS = Math.max(ROUNDS, 400);
const AT_ONCE = 10;
/** The model thinks so long, at random, in milliseconds. */
const THINKS = 80;
/** The first time it happens so late, at random. Then within what the runs took the last time, which a busy machine makes longer. */
const HAPPENS = 400;

const random = randomFrom();

let model: ScriptedModel;
let tools: ToolServer;
let nodes: TwoNodes;
let tenant: TestTenant;
let clients: Client[];
let workspaceId: string;
const think = (): void =>
  model.script(async () => {
    await sleep(random() * THINKS);
    return replies({ text: ENTRIES.parcel.answer });
  });
beforeAll(async () => {
  [model, tools] = await Promise.all([startModel(), startToolServer()]);
  const OUTBOUND_ALLOW = [...model.settings.OUTBOUND_ALLOW, tools.host];
  nodes = await startTwo({ ...model.settings, OUTBOUND_ALLOW, ASSISTANT_RUN_TOKENS: 50_000_000 });
  tenant = await nodes.a.tenant();
  clients = [tenant.live, on(nodes.b, tenant.live)];
  ({ workspaceId } = tenant.defaults);
  await teach(tenant.live, workspaceId, [ENTRIES.parcel]);
  think();
});
afterAll(async () => {
  await nodes.close();
  model.close();
  await tools.close();
});

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

const assistOnBoth = async (): Promise<void> => {
  await nodes.a.db.query(`update assistant_due set due_at = now() - interval '1 second' where not claimed`);
  await Promise.all([nodes.a, nodes.b].map(({ app }) => app.get(AssistantJob).tick()));
};

/** Races the runs of many conversations against something that happens in each, until it ended in so many ways. @returns the authors, in order */
async function race(happens: (client: Client, id: string) => Promise<unknown>, ends = 1): Promise<string[]> {
  const said: string[] = [];
  let took = HAPPENS;
  while (said.length < ROUNDS || (new Set(said).size < ends && said.length < MAX_ROUNDS)) {
    const ids = await concurrently(
      AT_ONCE,
      async (n) => (await start(clients[n % 2]!, workspaceId, { message: { body: ENTRIES.parcel.question } })).id,
    );
    const began = Date.now();
    const within = took;
    await Promise.all([
      assistOnBoth().then(() => (took = Date.now() - began)),
      ...ids.map(async (id, n) => {
        await sleep(random() * within);
        await happens(clients[n % 2]!, id);
      }),
    ]);
    await assist(nodes.a);
    for (const id of ids) {
      const runs = await activityOf(tenant.live, id);
      expect(runs.filter(({ outcome }) => outcome === null || outcome === "failed")).toEqual([]);
      const messages = await messagesOf(tenant.live, id);
      const answers = messages.filter(({ authorType }) => authorType === "assistant").length;
      expect(runs.filter(({ outcome }) => outcome === "answered").length).toBe(answers);
      said.push(messages.map(({ authorType }) => authorType).join());
    }
  }
  return said;
}

test("a take-over while the model thinks: nothing is said after it", async () => {
  const said = await race(async (client, id) => {
    await client.post(`/api/conversations/${id}/take-over`, {}, 200);
    await client.post(`/api/conversations/${id}/reply`, { body: "I am on it" }, 200);
  }, 2);
  for (const authors of said) expect(["contact,api", "contact,assistant,api"]).toContain(authors);
  expect(new Set(said).size, "it was a race").toBe(2);
});

test("more of the burst while the model thinks: the last message is answered", async () => {
  const said = await race((client, id) => ask(client, id, "Is it in the mail?"));
  for (const authors of said)
    expect(["contact,contact,assistant", "contact,assistant,contact,assistant"]).toContain(authors);
});

test("runs side by side stop when the workspace's tokens for the day are gone, each after one request at the most", async () => {
  await awayFromMidnight();
  const RUNS = 10;
  const EACH = 400_000;
  const OF_DAY = 5_000_000;
  let n = 0;
  // A run alone would take eight requests, and all of them six times what there is.
  model.script(async () => {
    await sleep(random() * THINKS);
    return { ...calls(["search_knowledge", { query: `parcel ${++n}` }]), usage: usageOf(EACH) };
  });
  const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  const agent = { name: "Searcher", instructions: "Search", workspaceIds: [id], tools: ["search_knowledge"] };
  await tenant.live.post("/api/agents", agent, 201);
  const ids = await concurrently(
    RUNS,
    async (k) => (await start(clients[k % 2]!, id, { message: { body: ENTRIES.parcel.question } })).id,
  );
  await assistOnBoth();
  const runs = await Promise.all(ids.map(async (one) => (await activityOf(tenant.live, one))[0]!));
  const requests = runs.map(({ steps }) => steps.filter(({ type }) => type === "model").length);
  const spent = EACH * requests.reduce((sum, one) => sum + one, 0);
  expect(spent).toBeGreaterThanOrEqual(OF_DAY);
  expect(spent).toBeLessThan(OF_DAY + RUNS * EACH);
  for (const { outcome, reason } of runs)
    expect([outcome, reason]).toEqual(["handed_off", "The workspace's tokens for today are used up"]);
  think();
});
const usageOf = (tokens: number): object => ({ prompt_tokens: tokens - 1, completion_tokens: 1 });

test("the same request again while its action is approved and carried out: each action is done once, and every run ends", async () => {
  const owner = await tenant.owner();
  const desk = await openDesk(nodes.a, tenant, owner, tools);
  await policy(desk, "require_approval");
  await teach(tenant.live, desk.workspaceId, [ENTRIES.parcel]);
  tools.answers["/refund"] = () => ({ body: { refunded: 30 } });
  model.script(async ({ messages }: Request) => {
    await sleep(random() * THINKS);
    const isDone = messages[1]!.content!.includes('"refunded"');
    return isDone ? replies({ text: ENTRIES.parcel.answer }) : calls([REFUND.name, VALID]);
  });
  const ids = await concurrently(AT_ONCE, async (n) => {
    const contact = { name: "Ada", externalId: `racer-${n}` };
    return (await start(clients[n % 2]!, desk.workspaceId, { contact, message: { body: ENTRIES.parcel.question } })).id;
  });
  const actionsOf = async (id: string) => (await owner.get(`/api/conversations/${id}/pending-actions`, 200)).body.data;
  const approve = async (id: string, n: number): Promise<void> => {
    for (const { id: actionId, argumentsHash, status } of await actionsOf(id))
      if (status === "pending")
        await on(n % 2 ? nodes.b : nodes.a, owner).post(`/api/pending-actions/${actionId}/approve`, { argumentsHash });
    await carryOut(n % 2 ? nodes.b : nodes.a);
  };
  await assistOnBoth();
  for (const id of ids) await ask(tenant.live, id, "Please hurry");
  await Promise.all([
    assistOnBoth(),
    ...ids.map(async (id, n) => {
      await sleep(random() * HAPPENS);
      await approve(id, n);
    }),
  ]);
  // A run that had read the calls before the action was done may have asked for another one.
  for (let n = 0; n < 3; n++) {
    for (const id of ids) await approve(id, n);
    await assist(nodes.a);
  }
  for (const id of ids) {
    const outcomes = (await activityOf(tenant.live, id)).map(({ outcome }) => outcome);
    expect(outcomes, id).not.toContain(null);
    expect((await messagesOf(tenant.live, id)).at(-1)!.direction).toBe("outbound");
    for (const { id: actionId, status } of await actionsOf(id))
      expect([status, tools.calls.filter(({ body }) => body.idempotencyKey === actionId).length]).toEqual([
        "executed",
        1,
      ]);
  }
  think();
});
