import { afterAll, beforeAll, expect, test } from "vitest";
import { AssistantJob } from "../../src/assistant/assistant.job.js";
import { ask, ENTRIES, messagesOf, outcomesOf, saidIn, teach } from "../server/assistant/support.js";
import { newWorkspace, start } from "../server/e2e/support.js";
import { startApp } from "../support/app.js";
import { connect, type TestDatabase } from "../support/database.js";
import type { Client } from "../support/client.js";
import { everyNth } from "../support/sweep.js";
import { allowTimeForProcesses, until } from "../server/process/support.js";
import { type Killable, startKillable } from "./killable.js";

allowTimeForProcesses();

// kill -9 in each transaction of a run, and between them: each contact gets a reply or a hand-over, once.

let db: TestDatabase;
let server: Killable;
beforeAll(async () => {
  server = await startKillable();
  ({ db } = server);
  await teach(key(), server.tenant.defaults.workspaceId);
  // No run begins before the test says so: it would be over before the table is locked.
  await db.query(`create function never() returns trigger language plpgsql as
    $$ begin new.due_at = now() + interval '1 day'; return new; end $$`);
  await db.query("create trigger never before insert on assistant_due for each row execute function never()");
});
afterAll(() => server?.close());
const key = (): Client => server.key();
const letRunsBegin = () => db.query("update assistant_due set due_at = now() where not claimed");
const asked = async (body: string): Promise<string> =>
  (await start(key(), server.tenant.defaults.workspaceId, { message: { body } })).id;

/** The server's connections that wait for a lock. Not asked in a transaction: there, the first answer would stay the answer. */
const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Where a run waits. The lock lets the others read, if the run is to wait where it writes. */
const STEPS = {
  "begins a run": "assistant_run in access exclusive mode",
  "looks for entries": "kb_posting in access exclusive mode",
  "records what it did, after it has written the reply or raised an item": "assistant_step in share mode",
};

test.each(everyNth(Object.entries(STEPS), 3, 1))("a process that is killed while it %s", async (_, lock) => {
  const ids = [await asked(ENTRIES.parcel.question), await asked("Do you sell bananas?")];
  const sql = await connect(db.url);
  try {
    await sql.query("begin");
    await sql.query(`lock table ${lock}`);
    await letRunsBegin();
    await until(
      async () => (await db.query(WAITING)).length > 0,
      () => "a run waits for the table",
    );
    await server.killAndStart(() => sql.query("rollback"));
  } finally {
    await sql.end();
  }
  // The lease of the killed process ends.
  await db.query("update assistant_due set due_at = now() where claimed");
  await until(
    async () => (await db.query("select from assistant_run where outcome is null")).length === 0,
    () => "the runs ended",
  );
  // Nothing is left that could answer again.
  await until(
    async () => (await db.query("select from assistant_due")).length === 0,
    () => "no run is due",
  );
  expect(await Promise.all(ids.map((id) => outcomesOf(key(), id)))).toEqual([["answered"], ["handed_off"]]);
  for (const id of ids)
    expect((await messagesOf(key(), id)).map(({ direction }) => direction)).toEqual(["inbound", "outbound"]);
});

test("a process that is killed after it compared an answer: nothing is asked again, and no answer is read as anything else", async () => {
  const { id: workspaceId } = await newWorkspace(key(), server.tenant.defaults.brandId);
  const at = `/api/workspaces/${workspaceId}` as const;
  const owner = await server.owner();
  const questions = ["zip", "postcode"].map((name) => ({ key: name, prompt: `Your ${name}?`, attribute: "zip" }));
  const sources = [{ name: "crm", type: "contact_attributes", questions }];
  await owner.put(`${at}/verification-sources`, { sources }, 200);
  await owner.put(`${at}/identity-settings`, { requiredCorrectAnswers: 2 }, 200);
  const agent = { name: "Desk", instructions: "Help", workspaceIds: [workspaceId], tools: [] };
  const { id: agentId } = (await key().post("/api/agents", agent, 201)).body;
  const steps = [
    { id: "sure", type: "confirm", text: "Shall I open it?" },
    { id: "who", type: "require_level", level: "identified" },
    { id: "file", type: "say", text: "Your file is open." },
  ];
  const startsWith = { entries: [], phrases: ["see my file"] };
  await owner.post(`${at}/procedures`, { name: "File", agentId, status: "active", startsWith, steps }, 201);
  const SAID = [
    /^assistant: Shall I/,
    /^system: Before I go on, /,
    /^system: Thank you. One more/,
    /^assistant: Your file/,
  ];
  const expectSaid = async (id: string, count: number): Promise<void> =>
    expect(await saidIn(key(), id)).toEqual(SAID.slice(0, count).map((text): unknown => expect.stringMatching(text)));
  const begin = async (name: string): Promise<string> => {
    const contact = { name, externalId: name, attributes: { zip: "19122" } };
    return (await start(key(), workspaceId, { contact, message: { body: "I want to see my file" } })).id;
  };
  const carriedOut = async (): Promise<void> => {
    await letRunsBegin();
    await until(
      async () =>
        (await db.query("select from assistant_run where outcome is null and waits_for is null")).length === 0,
      () => "the runs ended, or wait",
    );
  };

  const [impatient, proven] = [await begin("Ada"), await begin("Grace")];
  await carriedOut();
  for (const id of [impatient, proven]) await ask(key(), id, "Yes");
  await carriedOut();
  await ask(key(), proven, "19122");
  await carriedOut();
  for (const id of [impatient, proven]) await ask(key(), id, "19122");
  const sql = await connect(db.url);
  try {
    await sql.query("begin");
    await sql.query("lock table message in share mode");
    await letRunsBegin();
    await until(
      async () => (await db.query(WAITING)).length === 2,
      () => "both have compared, and wait to say something",
    );
    await server.killAndStart(() => sql.query("rollback"));
  } finally {
    await sql.end();
  }
  await ask(key(), impatient, "Elm Street, I mean");
  await db.query("update assistant_due set claimed = false");
  await carriedOut();
  await expectSaid(impatient, 3);
  await expectSaid(proven, 4);

  await ask(key(), impatient, "I want to speak to a person");
  await carriedOut();
  const { handlingMode, summary } = (await key().get(`/api/conversations/${impatient}`, 200)).body;
  expect(handlingMode).toBe("human");
  expect(summary).toContain("see my file");
  expect(summary, "an answer is for the comparison alone").not.toContain("Elm Street");
});

test("a run that three processes died of is handed over", async () => {
  const id = await asked(ENTRIES.parcel.question);
  await db.query("update assistant_run set attempts = 3 where conversation_id = $1", [id]);
  await letRunsBegin();
  await until(
    async () => (await outcomesOf(key(), id))[0] !== null,
    () => "the run ended",
  );
  expect(await outcomesOf(key(), id)).toEqual(["failed"]);
  expect((await key().get(`/api/conversations/${id}`, 200)).body).toMatchObject({ handlingMode: "human" });
});

test("a process wakes when a run is due, and does not wait until it looks for due runs", async () => {
  const app = await startApp();
  try {
    const { live, defaults } = await app.tenant();
    await teach(live, defaults.workspaceId);
    // It looks for due runs this once, because jobs do not run by themselves here.
    await app.app.get(AssistantJob).poll();
    const { id } = await start(live, defaults.workspaceId, { message: { body: ENTRIES.refund.question } });
    await until(
      async () => (await messagesOf(live, id)).length === 2,
      () => "the reply came",
    );
    const [question, reply] = await messagesOf(live, id);
    expect(Date.parse(reply!.createdAt) - Date.parse(question!.createdAt)).toBeGreaterThanOrEqual(1_500);
  } finally {
    await app.close();
  }
});
