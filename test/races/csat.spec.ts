import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { SendSurveysJob } from "../../src/quality/csat/survey/send-surveys.job.js";
import { CLAIM_SURVEYS } from "../../src/quality/csat/survey/send-surveys.queries.js";
import { system } from "../../src/platform/caller/caller.js";
import { Database } from "../../src/platform/database/database.js";
import { answer, asked, configure, type Conversation, resolve, talk } from "../server/csat/support.js";
import { newWorkspace } from "../server/e2e/support.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { runs } from "../support/seed.js";
import { concurrently, startTwo, tally, type TwoNodes, untilWaiting } from "./support.js";
import { connect } from "../support/database.js";

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
let key: Client;
let workspaceId: string;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
  key = tenant.live;
});
afterAll(() => nodes.close());
beforeEach(async () => {
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  await configure(owner, workspaceId, { askOncePerDays: 14 });
});

const tick = (n: number): Promise<void> => (n % 2 ? nodes.b : nodes.a).app.get(SendSurveysJob).tick();
const makeDue = (): Promise<unknown> => nodes.a.db.query(`update csat_due set due_at = now() - interval '1 second'`);
const surveys = (conversations: readonly Conversation[]) =>
  nodes.a.db.query("select * from csat_survey where conversation_id = any($1)", [conversations.map(({ id }) => id)]);
const announced = (conversations: readonly Conversation[]) =>
  nodes.a.db.query(`select 1 from message where conversation_id = any($1) and author_type = 'system'`, [
    conversations.map(({ id }) => id),
  ]);

test("only one survey is sent when several conversations of one contact are due concurrently on two nodes", async () => {
  for (let round = 0; round < runs(3, 8); round++) {
    const first = await talk(key, workspaceId);
    const conversations = [
      first,
      await talk(key, workspaceId, { contactId: first.contactId }),
      await talk(key, workspaceId, { contactId: first.contactId }),
    ];
    for (const conversation of conversations) await resolve(key, conversation);
    // The two nodes claim the conversations in a different order.
    await makeDue();
    const [one, two] = await Promise.all([claimOnly(nodes.a, 2), claimOnly(nodes.b, 2)]);
    await Promise.all([one(), two()]);
    expect(await surveys(conversations)).toHaveLength(1);
    expect(await announced(conversations)).toHaveLength(1);
  }
});

/** Claims `count` surveys as the job does. The returned function decides whether to send them. */
async function claimOnly(node: TwoNodes["a"], count: number): Promise<() => Promise<unknown>> {
  const db = node.app.get(Database);
  // More slots than rows, so what one node claims does not hold back the other.
  const claimed = await db.sweep(CLAIM_SURVEYS, { seconds: 60, limit: count, free: 1_000, tenants: [], held: [] });
  return async () => {
    for (const due of claimed)
      await db
        .transaction(system("csat", due.tenantId, due.environment), (tx) =>
          node.app.get(SendSurveysJob).decide(tx, due),
        )
        .catch(() => undefined);
    return claimed.length;
  };
}

test("one conversation gets one survey, however many nodes run the job", async () => {
  await configure(owner, workspaceId);
  const conversation = await talk(key, workspaceId);
  await resolve(key, conversation);
  await makeDue();
  await concurrently(6, tick);
  expect(await surveys([conversation])).toHaveLength(1);
});

test("a conversation that is claimed and then resolved again before the decision waits its full delay again", async () => {
  await configure(owner, workspaceId, { delayMinutes: 10 });
  const conversation = await talk(key, workspaceId);
  await resolve(key, conversation);
  await makeDue();
  const decide = await claimOnly(nodes.a, 100);
  await key.post(`${conversation.path}/reopen`, {}, 200);
  await resolve(key, conversation);
  await decide();
  expect(await surveys([conversation])).toEqual([]);
  expect(
    await nodes.a.db.query(
      `select 1 from csat_due where conversation_id = $1 and due_at > now() + interval '9 minutes'`,
      [conversation.id],
    ),
  ).toHaveLength(1);
});

test("a conversation that is reopened, merged or erased during the decision gets its survey before that or never", async () => {
  const meanwhile: ((conversation: Conversation) => Promise<unknown>)[] = [
    ({ path }) => key.post(`${path}/reopen`, {}, 200),
    ({ contactId }) => owner.post(`/api/contacts/${contactId}/erasure`, {}),
    async ({ contactId }) =>
      key.post(`/api/contacts/${(await talk(key, workspaceId)).contactId}/merge`, { sourceContactId: contactId }, 200),
  ];
  for (const happens of meanwhile) {
    for (let round = 0; round < runs(1, 3); round++) {
      const conversation = await talk(key, workspaceId);
      await resolve(key, conversation);
      await makeDue();
      const decide = await claimOnly(nodes.a, 100);
      const [done] = await Promise.all([happens(conversation), decide()]);
      const rows = await surveys([conversation]);
      expect([rows.length, (await announced([conversation])).length]).toEqual([rows.length, rows.length]);
      // The next run finds no other survey to send.
      await tick(1);
      expect(await surveys([conversation])).toHaveLength(rows.length);
      expect(done).toBeTruthy();
    }
    const after = await talk(key, workspaceId);
    await resolve(key, after);
    await makeDue();
    const decide = await claimOnly(nodes.a, 100);
    await happens(after);
    await decide();
    expect(await surveys([after])).toEqual([]);
  }
});

test("reopening a conversation waits for the decision about its survey, which is then sent", async () => {
  const conversation = await talk(key, workspaceId);
  await resolve(key, conversation);
  await makeDue();
  const decide = await claimOnly(nodes.a, 100);
  const other = await connect(nodes.a.db.url);
  try {
    await other.query("begin");
    await other.query("select from contact where id = $1 for update", [conversation.contactId]);
    const decided = decide();
    await untilWaiting(nodes.a.db, 1);
    const reopened = key.post(`${conversation.path}/reopen`, {}, 200);
    await untilWaiting(nodes.a.db, 2);
    await other.query("commit");
    await Promise.all([decided, reopened]);
  } finally {
    await other.end();
  }
  expect([(await surveys([conversation])).length, (await announced([conversation])).length]).toEqual([1, 1]);
});

test("one of several concurrent answers on two nodes counts: once in the conversation, the counters and the attention items", async () => {
  await configure(owner, workspaceId, { lowScoreThreshold: 4 });
  const conversation = await asked(nodes.a, key, workspaceId);
  const pages = await concurrently(10, async (n) =>
    (await answer(n % 2 ? nodes.b : nodes.a, conversation.link, { score: String((n % 4) + 1) })).text(),
  );
  expect(tally(pages.map((page) => (page.includes("has been noted") ? "noted" : "known")))).toEqual({
    noted: 1,
    known: 9,
  });
  const [{ score }] = (await surveys([conversation])) as [{ score: number }];
  expect((await key.get(conversation.path, 200)).body.csatScore).toBe(score);
  const { total } = (await key.get(`/api/quality/csat?workspaceId=${workspaceId}`, 200)).body;
  expect(total).toMatchObject({ asked: 1, answered: 1, distribution: [{ score, scale: 5, count: 1 }] });
  const { data } = (await key.get(`/api/attention-items?workspaceId=${workspaceId}&type=csat_low`, 200)).body;
  expect(data).toMatchObject([{ occurrences: 1 }]);
});

test("an answer waits for an erasure in progress, and is then refused", async () => {
  const conversation = await asked(nodes.a, key, workspaceId);
  const other = await connect(nodes.a.db.url);
  try {
    await other.query("begin");
    // The erasure deletes the contact's addresses last.
    await other.query("select from contact_point where contact_id = $1 for update", [conversation.contactId]);
    const erased = owner.post(`/api/contacts/${conversation.contactId}/erasure`, {}, 200);
    await untilWaiting(nodes.a.db, 1);
    const answered = answer(nodes.b, conversation.link, { score: "5", comment: "I live at 5 Elm Street" });
    await untilWaiting(nodes.a.db, 2);
    await other.query("commit");
    await erased;
    expect((await answered).status).toBe(404);
  } finally {
    await other.end();
  }
  expect(await surveys([conversation])).toMatchObject([{ score: null, comment: null }]);
});

test("an erasure during an answer leaves no comment behind", async () => {
  for (let round = 0; round < runs(3, 5); round++) {
    const conversation = await asked(nodes.a, key, workspaceId);
    await Promise.all([
      owner.post(`/api/contacts/${conversation.contactId}/erasure`, {}),
      answer(nodes.b, conversation.link, { score: "5", comment: "I live at 5 Elm Street" }),
    ]);
    expect(await surveys([conversation])).toMatchObject([{ comment: null }]);
  }
});
