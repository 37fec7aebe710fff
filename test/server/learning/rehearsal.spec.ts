import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SessionVerifier } from "../../../src/auth/sessions/session.verifier.js";
import { KnowledgeModule } from "../../../src/knowledge/kb-entries/knowledge.module.js";
import { EntrySearchService } from "../../../src/knowledge/review/entry-search.service.js";
import { copyOf } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { ask, assist, ENTRIES, outcomesOf, saidIn, teach } from "../assistant/support.js";
import { newAgent, newWorkspace, start } from "../e2e/support.js";
import { makeTest, play, played, rehearsed } from "./rehearsal-support.js";

// Tests of the assistant, and rehearsals: what they say before a change is what happens after it, and they change nothing.

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let key: Client;
let workspaceId: string;
let tests: `/api/workspaces/${string}/assistant-tests`;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
  owner = await tenant.owner();
  key = tenant.live;
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ id: workspaceId } = await newWorkspace(key, tenant.defaults.brandId));
  tests = `/api/workspaces/${workspaceId}/assistant-tests`;
});

const PARCEL = { says: "Where is my parcel?", expect: { outcome: "answered" } };
const said = (says: string, expect: object = {}) => ({ says, expect });
/** What contacts write, one turn after the other. */
async function converse(turns: readonly string[]): Promise<string> {
  const [first, ...others] = turns;
  const { id } = await start(key, workspaceId, { contact: { name: "Ada" }, message: { body: first } });
  await assist(app);
  for (const turn of others) {
    await ask(key, id, turn);
    await assist(app);
  }
  return id;
}

describe("a test", () => {
  test("passes if what must happen does, turn by turn", async () => {
    const [parcel, refund] = await teach(key, workspaceId);
    await makeTest(owner, workspaceId, {
      turns: [
        said("Hello", { outcome: "small_talk" }),
        said("Where is my parcel?", { outcome: "answered", kbEntryIds: [parcel], contains: "TRACKING link" }),
        said("When do I get my refund?", { outcome: "answered", kbEntryIds: [refund] }),
        said("thanks", { outcome: "small_talk" }),
        said("I want to talk to a person", { outcome: "handed_off" }),
      ],
    });
    const run = await played(app, owner, workspaceId);
    expect(run).toMatchObject({ status: "done", kind: "tests", cause: "asked", error: null, conversations: null });
    expect(run.tests).toMatchObject([{ name: "A test", passed: true, reason: null, passedBefore: null }]);
    const { body } = await owner.get(tests, 200);
    expect(body[0]!.lastResult).toEqual(run.tests![0]);
  });

  test.each([
    [said("Where is my parcel?", { outcome: "handed_off" }), "outcome", /handed_off was expected.*answered/],
    [said("Do you sell bananas?", { outcome: "answered" }), "outcome", /handed_off \(No approved entry answers\)/],
    [said("Where is my parcel?", { contains: "tomorrow" }), "words", /“tomorrow”/],
    [said("Where is my parcel?", { tool: "get_parcel" }), "tool", /get_parcel/],
  ])("fails and says why: %j", async (turn, fault, reason) => {
    await teach(key, workspaceId);
    await makeTest(owner, workspaceId, { turns: [said("Hello"), turn] });
    const run = await played(app, owner, workspaceId);
    expect(run.tests).toMatchObject([
      { passed: false, turn: 2, fault, reason: expect.stringMatching(reason) as string },
    ]);
  });

  test("fails if another entry answers", async () => {
    const [, refund] = await teach(key, workspaceId);
    await makeTest(owner, workspaceId, { turns: [said("Where is my parcel?", { kbEntryIds: [refund] })] });
    expect((await played(app, owner, workspaceId)).tests).toMatchObject([
      { fault: "entry", reason: "Turn 1: another entry was expected than “Where is my parcel?”" },
    ]);
  });

  test("asks back about a later question, too, once it has answered, and once more about something else", async () => {
    await teach(key, workspaceId, [
      { question: "How do I cancel my order?", answer: "Press Cancel in the order." },
      { question: "How do I cancel my visit?", answer: "Press Cancel in your account." },
      { question: "Can I change the delivery address?", answer: "Until we send the parcel." },
    ]);
    await makeTest(owner, workspaceId, {
      turns: [
        said("How do I cancel?", { outcome: "clarified" }),
        said("the first", { outcome: "answered" }),
        said("cna i chagne teh deliveyr adress", { outcome: "clarified" }),
        said("how do i cancel", { outcome: "clarified" }),
        said("adress cna i chagne deliveyr", { outcome: "handed_off" }),
      ],
    });
    expect((await played(app, owner, workspaceId)).tests).toMatchObject([{ passed: true, reason: null }]);
  });

  test("fails at a turn that it does not come to", async () => {
    await makeTest(owner, workspaceId, { turns: [said("A person please"), said("Hello")] });
    expect((await played(app, owner, workspaceId)).tests).toMatchObject([{ turn: 2, fault: "not_reached" }]);
  });

  test("is saved from a conversation, without personal data, until people took over", async () => {
    const [parcel] = await teach(key, workspaceId);
    const { id } = await start(key, workspaceId, {
      contact: { name: "Ada Lovelace" },
      message: { body: "I am Ada Lovelace. Where is my parcel?" },
    });
    await assist(app);
    await ask(key, id, "Do you sell bananas?");
    await assist(app);
    await key.post(`/api/conversations/${id}/reply`, { body: "No." }, 200);
    await ask(key, id, "Pity.");
    const saved = await makeTest(owner, workspaceId, { conversationId: id });
    expect(saved.turns).toEqual([
      {
        says: expect.stringMatching(/^I am \[…\]. Where is my parcel\?$/) as string,
        expect: { outcome: "answered", kbEntryIds: [parcel], tool: null, contains: null },
      },
      {
        says: "Do you sell bananas?",
        expect: { outcome: "handed_off", kbEntryIds: [], tool: null, contains: null },
      },
    ]);
    expect((await played(app, owner, workspaceId)).tests).toMatchObject([{ passed: true }]);
    await key.post(`/api/contacts/${(await key.get(`/api/conversations/${id}`, 200)).body.contactId}/erasure`, {}, 200);
    expect((await owner.get(tests, 200)).body, "an erasure takes it along").toEqual([]);
  });

  test("is saved from a conversation whose message is cut in the middle of an emoji", async () => {
    const { id } = await start(key, workspaceId, {
      message: { body: `${"Where is it? ".repeat(200).slice(0, 1_999)}😀` },
    });
    const { turns } = await makeTest(owner, workspaceId, { conversationId: id });
    expect(turns).toHaveLength(1);
  });
});

describe("a rehearsal", () => {
  const CONVERSATIONS = [
    ["Where is my parcel?"],
    ["Hello", "Where is my parcel?", "When do I get my refund?"],
    ["When do I get my refund?", "Do you deliver to Iceland?"],
    ["Do you deliver to Iceland?"],
    ["Do you sell bananas?"],
    ["How do I change the card that I pay with?", "thanks"],
    ["How do I cancel?", "the order"],
    ["Where is my parcel?", "Where is my parcel?"],
  ];
  const ICELAND = { question: "Do you deliver to Iceland?", answer: "Within 9 days." };

  test.each([
    ["a new entry", () => ({ entries: [ICELAND] }), () => teach(key, workspaceId, [ICELAND])],
    [
      "an entry that says something else",
      (ids: string[]) => ({ entries: [{ kbEntryId: ids[0], question: "How is the weather?", answer: "Fine." }] }),
      async (ids: string[]) => {
        await key.post(`/api/kb-entries/${ids[0]!}/archive`, {}, 200);
        await teach(key, workspaceId, [{ question: "How is the weather?", answer: "Fine." }]);
      },
    ],
    [
      "an entry that waits",
      (ids: string[]) => ({ entries: [{ kbEntryId: ids.at(-1) }] }),
      (ids: string[]) => key.post(`/api/kb-entries/${ids.at(-1)!}/approve`, {}, 200),
    ],
    [
      "an entry that ends",
      (ids: string[]) => ({ entries: [{ kbEntryId: ids[1], ends: true }] }),
      (ids: string[]) => key.post(`/api/kb-entries/${ids[1]!}/archive`, {}, 200),
    ],
    [
      "other thresholds",
      () => ({ settings: { answerConfidence: 0.2, margin: 0, clarifyConfidence: 0.05 } }),
      () =>
        owner.put(
          `/api/workspaces/${workspaceId}/assistant`,
          { answerConfidence: 0.2, margin: 0, clarifyConfidence: 0.05 },
          200,
        ),
    ],
    [
      "a procedure",
      () => ({ procedures: [PROCEDURE] }),
      () =>
        owner.post(
          `/api/workspaces/${workspaceId}/procedures`,
          { ...PROCEDURE, name: "Cancel", status: "active" },
          201,
        ),
    ],
  ] as const)("says of %s what happens then", async (_, draftOf, change) => {
    const ids = await teach(key, workspaceId, [
      ...Object.values(ENTRIES),
      { question: "How do I cancel my order?", answer: "Press Cancel in the order." },
      { question: "How do I cancel my subscription?", answer: "Press Cancel in your account." },
      { ...ICELAND, status: "pending" },
    ]);
    const before = await outcomes();
    await makeTest(owner, workspaceId, {
      turns: [PARCEL, said("Do you deliver to Iceland?", { outcome: "handed_off" })],
    });
    const run = await rehearsed(app, owner, workspaceId, draftOf(ids));
    expect(run).toMatchObject({ status: "done", error: null, kind: "rehearsal" });
    expect(run.conversations).toMatchObject({ found: CONVERSATIONS.length, played: CONVERSATIONS.length });
    const { body } = await owner.get(`/api/assistant-tests/runs/${run.id}/conversations?limit=100`, 200);
    await change(ids);
    const after = await outcomes();
    const changed = before.filter(({ did }, i) => did !== after[i]!.did).map(({ id }) => id);
    expect(changed.length).toBeGreaterThan(0);
    expect(body.data.map(({ conversationId }) => conversationId).sort()).toEqual(changed.sort());
    expect(run.conversations!.changed).toBe(changed.length);
    expect(run.conversations!.changes.reduce((sum, { count }) => sum + count, 0)).toBe(changed.length);
    const [then] = (await played(app, owner, workspaceId)).tests!;
    expect(then).toMatchObject({ passed: run.tests![0]!.passed, fault: run.tests![0]!.fault });
    expect(run.tests![0]!.passedBefore).toBe(true);
  });
  const PROCEDURE = {
    startsWith: { entries: [], phrases: ["deliver to iceland"] },
    steps: [
      { id: "number", type: "ask", text: "Which order?", slot: { kind: "pattern", pattern: "#W0000" } },
      { id: "done", type: "say", text: "{number} goes to Iceland." },
    ],
  };
  /** Of new conversations with these turns. */
  async function outcomes(): Promise<{ id: string; did: string }[]> {
    const all: { id: string; did: string }[] = [];
    for (const turns of CONVERSATIONS) {
      const id = await converse(turns);
      all.push({ id, did: JSON.stringify([await outcomesOf(key, id), await saidIn(key, id)]) });
    }
    return all;
  }

  test("says which turn changes, from what to what, and what the contact wrote", async () => {
    await teach(key, workspaceId);
    const id = await converse(["Where is my parcel?", "Do you deliver to Iceland?"]);
    const run = await rehearsed(app, owner, workspaceId, { entries: [ICELAND] });
    expect(run.conversations).toMatchObject({
      changed: 1,
      changes: [{ from: "handed_off", to: "answered", count: 1 }],
    });
    const { body } = await owner.get(`/api/assistant-tests/runs/${run.id}/conversations`, 200);
    expect(body.data).toMatchObject([
      {
        conversationId: id,
        turn: 2,
        says: "Do you deliver to Iceland?",
        before: { outcome: "handed_off", reason: expect.any(String) as string },
        after: { outcome: "answered", says: "Within 9 days.", entries: [{ question: ICELAND.question }] },
      },
    ]);
  });

  test("of nothing that changes changes nothing", async () => {
    await teach(key, workspaceId);
    await converse(["Where is my parcel?"]);
    expect((await rehearsed(app, owner, workspaceId, {})).conversations).toMatchObject({ played: 1, changed: 0 });
  });

  test("leaves out what contacts wrote after people did", async () => {
    const id = await converse(["Do you sell bananas?"]);
    await key.post(`/api/conversations/${id}/reply`, { body: "No." }, 200);
    await ask(key, id, "Do you deliver to Iceland?");
    expect((await rehearsed(app, owner, workspaceId, { entries: [ICELAND] })).conversations).toMatchObject({
      played: 1,
      changed: 0,
    });
  });

  test("fails with a reason if what the draft names is gone by then", async () => {
    const [parcel] = await teach(key, workspaceId);
    const draft = { entries: [{ kbEntryId: parcel, ends: true }] };
    const { body } = await owner.post(`/api/workspaces/${workspaceId}/assistant-rehearsal`, { draft }, 201);
    await key.delete(`/api/kb-entries/${parcel!}`, 200);
    await play(app);
    expect((await owner.get(`/api/assistant-tests/runs/${body.id}`, 200)).body).toMatchObject({
      status: "failed",
      tests: null,
      error: expect.stringContaining("not in the workspace") as string,
    });
    await owner.post(`/api/workspaces/${workspaceId}/assistant-rehearsal`, { draft }, 404);
  });
});

test("a run writes nothing but what came of it, and sends nothing", async () => {
  const [parcel] = await teach(key, workspaceId);
  await makeTest(owner, workspaceId, { turns: [PARCEL, said("Do you sell bananas?")] });
  await converse(["Where is my parcel?", "Do you sell bananas?"]);
  await app.db.query("delete from assistant_test_due");
  const started = await owner.post(
    `/api/workspaces/${workspaceId}/assistant-rehearsal`,
    {
      draft: {
        entries: [
          { kbEntryId: parcel, ends: true },
          { question: "Bananas?", answer: "Yes." },
        ],
      },
    },
    201,
  );
  // How often the assistant found an entry, and when a member was seen, is written seconds later.
  const noted = () =>
    Promise.all([
      // Another instance searches the policies.
      app.app.select(KnowledgeModule).get(EntrySearchService, { strict: true }).noted(),
      app.app.get(SessionVerifier).noteSeen(),
    ]);
  await noted();
  const before = await copyOf(app.db);
  await play(app);
  await noted();
  const after = await copyOf(app.db);
  const changed = Object.keys(after).filter((table) => after[table] !== before[table] && table !== "api_key_lookup");
  expect(changed.sort()).toEqual(["assistant_test_change", "assistant_test_due", "assistant_test_run"]);
  expect((await owner.get(`/api/assistant-tests/runs/${started.body.id}`, 200)).body.conversations!.changed).toBe(1);
});

describe("after a change", () => {
  const due = () =>
    app.db.query<{ seconds: number }>(
      `select round(extract(epoch from d.due_at - r.created_at))::int as seconds from assistant_test_due d
       join assistant_test_run r on (r.tenant_id, r.id) = (d.tenant_id, d.run_id) where r.workspace_id = $1`,
      [workspaceId],
    );
  const items = async () =>
    (await key.get(`/api/attention-items?workspaceId=${workspaceId}&limit=100`, 200)).body.data.filter(
      ({ type }) => type === "assistant_test_failed",
    );

  test("tests run by themselves, what fails newly needs somebody, and that ends with its cause", async () => {
    const [parcel] = await teach(key, workspaceId);
    expect(await due(), "without tests").toEqual([]);
    const { id } = await makeTest(owner, workspaceId, { turns: [PARCEL] });
    await played(app, owner, workspaceId);
    await teach(key, workspaceId, [{ question: "Do you sell bananas?", answer: "Yes." }]);
    await key.post(`/api/kb-entries/${parcel!}/archive`, {}, 200);
    expect(await due(), "two changes are one run").toEqual([{ seconds: 30 }]);
    await play(app);
    expect(await items()).toMatchObject([
      {
        assistantTestId: id,
        status: "open",
        reason: expect.stringContaining("“A test” fails after a change") as string,
      },
    ]);
    await teach(key, workspaceId, [ENTRIES.parcel]);
    await play(app);
    expect(await items()).toMatchObject([{ assistantTestId: id, status: "resolved" }]);
  });

  test.each([
    ["settings", () => owner.put(`/api/workspaces/${workspaceId}/assistant`, { answerConfidence: 0.95 }, 200)],
    [
      "an agent",
      () =>
        key.post(
          "/api/agents",
          { name: "Shop", role: "assistant", status: "active", workspaceIds: [workspaceId], instructions: "Help" },
          201,
        ),
    ],
  ])("of %s", async (_, change) => {
    await makeTest(owner, workspaceId, { turns: [PARCEL] });
    await change();
    expect(await due()).toHaveLength(1);
  });
});

describe("who may", () => {
  test("another workspace, side or tenant has none of it", async () => {
    const { id } = await makeTest(owner, workspaceId, { turns: [PARCEL] });
    const run = await played(app, owner, workspaceId);
    const { id: elsewhere } = await newWorkspace(key, tenant.defaults.brandId);
    const agent = await newAgent(owner, [elsewhere]);
    const stranger = await (await app.tenant()).owner();
    for (const client of [agent, stranger, await tenant.owner("test")])
      for (const path of [
        tests,
        `/api/assistant-tests/${id}`,
        `/api/assistant-tests/runs/${run.id}`,
        `/api/assistant-tests/runs/${run.id}/conversations`,
      ] as const)
        await client.get(path as typeof tests, 404);
  });

  test("of too many runs at once the last are refused", async () => {
    const answers = await Promise.all(Array.from({ length: 13 }, () => owner.post(`${tests}/run`, {})));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(201), 409, 409, 409]);
    await play(app);
    await owner.post(`${tests}/run`, {}, 201);
  });
});
