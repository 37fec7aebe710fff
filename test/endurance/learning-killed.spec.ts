import { afterAll, beforeAll, expect, test } from "vitest";
import { pendingIn } from "../server/learning/support.js";
import { newWorkspace, start } from "../server/e2e/support.js";
import { SECRET_KEY } from "../support/app.js";
import { freshDatabase, type TestDatabase, connect } from "../support/database.js";
import type { Client } from "../support/client.js";
import { everyNth } from "../support/sweep.js";
import {
  allowTimeForProcesses,
  build,
  cleanUp,
  newFolder,
  newTenant,
  type PrintedTenant,
  type Server,
  startServer,
  until,
} from "../server/process/support.js";

allowTimeForProcesses();

// kill -9 in every step of learning: what was resolved counts, once.

let db: TestDatabase;
let settings: Record<string, string | number>;
let made: PrintedTenant;
let server: Server;
beforeAll(async () => {
  await build();
  db = await freshDatabase();
  settings = { DATABASE_URL: db.url, SECRET_KEY, LOG_LEVEL: "error", HOST: "127.0.0.1", ATTACHMENTS_DIR: newFolder() };
  server = await startServer(settings);
  made = await newTenant(db);
});
afterAll(async () => {
  await cleanUp();
  await db?.drop();
});
const key = (): Client => server.client(made.apiKeys.live);

/** The assistant misses the question, and somebody answers it. */
async function answered(workspaceId: string): Promise<string> {
  const { id } = await start(key(), workspaceId, { message: { body: "Do you deliver to Iceland?" } });
  await until(
    async () => (await key().get(`/api/conversations/${id}`, 200)).body.handlingMode === "human",
    () => "the assistant hands over",
  );
  await key().post(`/api/conversations/${id}/reply`, { body: "We deliver to Iceland within 9 days." }, 200);
  return id;
}
const resolve = (id: string) => key().post(`/api/conversations/${id}/resolve`, {}, 200);

test("the proposal appears within ten seconds of the second resolution", async () => {
  const { id: workspaceId } = await newWorkspace(key(), made.defaults.brandId);
  for (const id of [await answered(workspaceId), await answered(workspaceId)]) await resolve(id);
  const began = Date.now();
  await until(
    async () => (await pendingIn(key(), workspaceId)).length > 0,
    () => "the proposal appears",
  );
  // Ten times as long, because the machine may be busy.
  expect(Date.now() - began).toBeLessThan(100_000);
});

/** The job waits where it first uses the table. */
test.each(everyNth(["assistant_step", "learning_evidence", "kb_posting", "kb_entry"], 4, 2))(
  "a process that is killed when it needs %s has learned all of it or nothing",
  async (table) => {
    const { id: workspaceId } = await newWorkspace(key(), made.defaults.brandId);
    const [first, second] = [await answered(workspaceId), await answered(workspaceId)];
    await resolve(first);
    await until(
      async () => (await evidence(first)) === 1,
      () => "the first is evidence",
    );
    const sql = await connect(db.url);
    await sql.query("begin");
    await sql.query(`lock table ${table} in access exclusive mode`);
    await resolve(second);
    await until(
      async () =>
        (
          await sql.query(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          )
        ).rowCount! > 0,
      () => "the job waits for the table",
    );
    await server.end("SIGKILL");
    await sql.query("rollback");
    server = await startServer(settings);
    // The lease of the killed process ends.
    await sql.query("update learning_due set due_at = now()");
    await until(
      async () => (await pendingIn(key(), workspaceId)).length > 0,
      () => "the proposal appears",
    );
    expect(await pendingIn(key(), workspaceId)).toMatchObject([{ evidenceCount: 2 }]);
    expect([await evidence(first), await evidence(second)]).toEqual([1, 1]);
    await sql.end();
  },
);

async function evidence(conversationId: string): Promise<number> {
  const sql = await connect(db.url);
  const { rowCount } = await sql.query("select from learning_evidence where conversation_id = $1", [conversationId]);
  await sql.end();
  return rowCount!;
}
