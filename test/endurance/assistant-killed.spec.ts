import { afterAll, beforeAll, expect, test } from "vitest";
import { AssistantJob } from "../../src/assistant/assistant.job.js";
import { ENTRIES, messagesOf, outcomesOf, teach } from "../server/assistant/support.js";
import { start } from "../server/e2e/support.js";
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
