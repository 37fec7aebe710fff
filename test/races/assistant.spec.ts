import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../support/client.js";
import type { TestTenant } from "../support/app.js";
import { activityOf, ask, assist, ENTRIES, messagesOf, teach } from "../server/assistant/support.js";
import { start } from "../server/e2e/support.js";
import { AssistantJob } from "../../src/assistant/assistant.job.js";
import { runs } from "../support/seed.js";
import { concurrently, on, startTwo, type TwoNodes } from "./support.js";

// The assistant never talks over a person, and never says a thing twice, whoever does what at the same moment.

/** Of each kind. ASSISTANT_RACES=2500 is the full run: 10,000 of all. */
const ROUNDS = Number(process.env.ASSISTANT_RACES ?? runs(10, 50));
/** So many conversations are raced at a time. */
const AT_ONCE = 10;

let nodes: TwoNodes;
let tenant: TestTenant;
let clients: Client[];
let workspaceId: string;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  clients = [tenant.live, on(nodes.b, tenant.live)];
  ({ workspaceId } = tenant.defaults);
  await teach(tenant.live, workspaceId);
});
afterAll(() => nodes.close());

/** Both nodes carry out what is due, at the same time. */
const assistOnBoth = async (): Promise<void> => {
  await nodes.a.db.query(`update assistant_due set due_at = now() - interval '1 second' where not claimed`);
  await Promise.all([nodes.a, nodes.b].map(({ app }) => app.get(AssistantJob).tick()));
};
const asked = async (n: number): Promise<string> =>
  (await start(clients[n % 2]!, workspaceId, { message: { body: ENTRIES.parcel.question } })).id;

/** Races the runs of many conversations, round by round, against something that happens in each. */
async function race(happens: (client: Client, id: string, n: number) => Promise<unknown>): Promise<string[]> {
  const all: string[] = [];
  for (let round = 0; round < ROUNDS / AT_ONCE; round++) {
    const ids = await concurrently(AT_ONCE, asked);
    await Promise.all([
      assistOnBoth(),
      ...ids.map(async (id, n) => {
        // From at once to when the runs have ended on a quiet machine.
        await new Promise((resolve) => setTimeout(resolve, (round % 5) + n * 5));
        await happens(clients[n % 2]!, id, n);
      }),
    ]);
    await assist(nodes.a);
    all.push(...ids);
  }
  return all;
}

/** Every run has ended, and what it says about itself is what happened. */
async function checkRuns(id: string): Promise<void> {
  const [runs, messages] = [await activityOf(tenant.live, id), await messagesOf(tenant.live, id)];
  expect(runs.filter(({ outcome }) => outcome === null)).toEqual([]);
  const said = messages.filter(({ authorType }) => authorType === "assistant");
  expect(said.map(({ id: message }) => message)).toEqual(
    runs
      .filter(({ outcome }) => outcome === "answered")
      .map(({ steps }) => steps.at(-1)!.messageId)
      .reverse(),
  );
}

describe("a run that races", () => {
  test("with a take-over says nothing after it", async () => {
    for (const id of await race((client, conversation) =>
      client.post(`/api/conversations/${conversation}/take-over`, {}, 200),
    )) {
      await checkRuns(id);
      const entries = (await tenant.live.get(`/api/conversations/${id}`, 200)).body;
      expect(entries.handlingMode).toBe("human");
      const audit = await nodes.a.db.query<{ what: string }>(
        `select case when resource_type = 'message' then 'said' else 'taken' end as what from audit_entry
         where conversation_id = $1 and (resource_type = 'conversation' and fields @> '{handlingMode}'
           or resource_type = 'message' and change = 'created' and action like 'assistant%')
         order by at, id`,
        [id],
      );
      expect(["taken", "said,taken"]).toContain(audit.map(({ what }) => what).join());
    }
  });

  test("with a person's reply says nothing after it", async () => {
    const reply = (client: Client, id: string): Promise<unknown> =>
      client.post(`/api/conversations/${id}/reply`, { body: "I am on it", keepAssistant: true }, 200);
    for (const id of await race(reply)) {
      await checkRuns(id);
      const said = (await messagesOf(tenant.live, id)).map(({ authorType }) => authorType).join();
      expect(["contact,api", "contact,assistant,api"]).toContain(said);
    }
  });

  test("with more of the same burst answers the last message, and nothing twice", async () => {
    for (const id of await race((client, conversation) => ask(client, conversation, ENTRIES.refund.question))) {
      await checkRuns(id);
      const messages = await messagesOf(tenant.live, id);
      expect(messages.at(-1)).toMatchObject({ direction: "outbound" });
      const said = messages.filter(({ authorType }) => authorType === "assistant").map(({ body }) => body);
      expect(new Set(said).size).toBe(said.length);
      for (const [at, { authorType }] of messages.entries())
        if (authorType === "assistant")
          expect(messages[at - 1]!.direction, "it follows what it answers").toBe("inbound");
    }
  });

  test("with a resolution and a new message answers once what was asked anew", async () => {
    const reopen = async (client: Client, id: string): Promise<void> => {
      await client.post(`/api/conversations/${id}/resolve`, {}, 200);
      await ask(client, id, ENTRIES.refund.question);
    };
    for (const id of await race(reopen)) {
      await checkRuns(id);
      const said = (await messagesOf(tenant.live, id))
        .filter(({ authorType }) => authorType === "assistant")
        .map(({ body }) => body);
      expect([ENTRIES.refund.answer, `${ENTRIES.parcel.answer},${ENTRIES.refund.answer}`]).toContain(said.join());
    }
  });
});

test("a run that two processes carry out, because a lease ended too early, has its effect once", async () => {
  const ids = await concurrently(8, asked);
  const endLeases = setInterval(() => {
    // It may meet the two in the opposite order of rows, and is then refused as a deadlock.
    nodes.a.db.query(`update assistant_due set due_at = now() - interval '1 second'`).catch(() => undefined);
  }, 5);
  for (let n = 0; n < 3; n++) await assistOnBoth();
  clearInterval(endLeases);
  await assist(nodes.a);
  for (const id of ids) {
    await checkRuns(id);
    expect((await messagesOf(tenant.live, id)).map(({ direction }) => direction)).toEqual(["inbound", "outbound"]);
  }
});
