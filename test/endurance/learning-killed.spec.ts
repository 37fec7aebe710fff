import { afterAll, beforeAll, expect, test } from "vitest";
import { pendingIn } from "../server/learning/support.js";
import { newWorkspace, start } from "../server/e2e/support.js";
import { connect } from "../support/database.js";
import { everyNth } from "../support/sweep.js";
import { allowTimeForProcesses, until } from "../server/process/support.js";
import { type Killable, startKillable } from "./killable.js";

allowTimeForProcesses();

// kill -9 at the beginning and at the end of learning, which is one transaction: what was resolved counts, once.

let server: Killable;
beforeAll(async () => {
  server = await startKillable();
});
afterAll(() => server?.close());

/** The assistant misses the question, and somebody answers it. */
async function answered(workspaceId: string): Promise<string> {
  const { id } = await start(server.key(), workspaceId, { message: { body: "Do you deliver to Iceland?" } });
  await until(
    async () => (await server.key().get(`/api/conversations/${id}`, 200)).body.handlingMode === "human",
    () => "the assistant hands over",
  );
  await server.key().post(`/api/conversations/${id}/reply`, { body: "We deliver to Iceland within 9 days." }, 200);
  return id;
}
const resolve = (id: string) => server.key().post(`/api/conversations/${id}/resolve`, {}, 200);

test("the proposal appears within ten seconds of the second resolution", async () => {
  const { id: workspaceId } = await newWorkspace(server.key(), server.tenant.defaults.brandId);
  for (const id of [await answered(workspaceId), await answered(workspaceId)]) await resolve(id);
  const began = Date.now();
  await until(
    async () => (await pendingIn(server.key(), workspaceId)).length > 0,
    () => "the proposal appears",
  );
  // Ten times as long, because the machine may be busy.
  expect(Date.now() - began).toBeLessThan(100_000);
});

/** Where the job waits. The lock lets the others read, if the job is to wait where it writes. */
const STEPS = {
  "reads what the assistant did": "assistant_step in access exclusive mode",
  "writes the proposal, after the evidence": "kb_entry in share mode",
};

test.each(everyNth(Object.entries(STEPS), 2, 1))(
  "a process that is killed when it %s has learned all of it or nothing",
  async (_, lock) => {
    const { id: workspaceId } = await newWorkspace(server.key(), server.tenant.defaults.brandId);
    const [first, second] = [await answered(workspaceId), await answered(workspaceId)];
    await resolve(first);
    await until(
      async () => (await evidence(first)) === 1,
      () => "the first is evidence",
    );
    const sql = await connect(server.db.url);
    try {
      await sql.query("begin");
      await sql.query(`lock table ${lock}`);
      await resolve(second);
      await until(
        async () =>
          // Not on the connection with the transaction: there, the first answer would stay the answer.
          (
            await server.db.query(
              "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
            )
          ).length > 0,
        () => "the job waits for the table",
      );
      await server.killAndStart(() => sql.query("rollback"));
      // The lease of the killed process ends.
      await sql.query("update learning_due set due_at = now()");
      await until(
        async () => (await pendingIn(server.key(), workspaceId)).length > 0,
        () => "the proposal appears",
      );
      expect(await pendingIn(server.key(), workspaceId)).toMatchObject([{ evidenceCount: 2 }]);
      expect([await evidence(first), await evidence(second)]).toEqual([1, 1]);
    } finally {
      await sql.end();
    }
  },
);

const evidence = async (conversationId: string): Promise<number> =>
  (await server.db.query("select from learning_evidence where conversation_id = $1", [conversationId])).length;
