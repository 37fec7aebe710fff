import { afterAll, beforeAll, expect, test } from "vitest";
import { RehearsalJob } from "../../src/learning/rehearsal/rehearsal.job.js";
import { makeTest } from "../server/learning/rehearsal-support.js";
import { newWorkspace } from "../server/e2e/support.js";
import type { TestTenant } from "../support/app.js";
import type { Client } from "../support/client.js";
import { startTwo, type TwoNodes } from "./support.js";

// Runs at once are each played once, and one whose process dies is played by another.

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
});
afterAll(() => nodes.close());

const tickBoth = () => Promise.all([nodes.a, nodes.b].map(({ app }) => app.get(RehearsalJob).tick()));
async function workspaceWithTest(): Promise<string> {
  const { id } = await newWorkspace(tenant.live, tenant.defaults.brandId);
  await makeTest(owner, id, { turns: [{ says: "Hello", expect: { outcome: "small_talk" } }] });
  return id;
}
const start = async (workspaceId: string): Promise<string> =>
  (await owner.post(`/api/workspaces/${workspaceId}/assistant-tests/run`, {}, 201)).body.id;
const stateOf = (id: string) =>
  nodes.a.db.query<{ status: string; attempts: number; due: number }>(
    `select r.status, r.attempts, (select count(*)::int from assistant_test_due d where d.run_id = r.id) as due
     from assistant_test_run r where r.id = $1`,
    [id],
  );

test("two starts at once are two runs, and each is played once", async () => {
  const workspaceId = await workspaceWithTest();
  const ids = await Promise.all([start(workspaceId), start(workspaceId)]);
  expect(new Set(ids).size).toBe(2);
  await tickBoth();
  await tickBoth();
  for (const id of ids) expect(await stateOf(id)).toEqual([{ status: "done", attempts: 1, due: 0 }]);
});

test("what a process that died has begun is played by another, and three times at most", async () => {
  const workspaceId = await workspaceWithTest();
  const id = await start(workspaceId);
  const died = (attempts: number) =>
    nodes.a.db.query(
      `with r as (update assistant_test_run set status = 'playing', attempts = $2 where id = $1)
       update assistant_test_due set due_at = now() - interval '1 second', lease = gen_random_uuid() where run_id = $1`,
      [id, attempts],
    );
  await died(1);
  await nodes.b.app.get(RehearsalJob).tick();
  expect(await stateOf(id)).toEqual([{ status: "done", attempts: 2, due: 0 }]);
  const again = await start(workspaceId);
  await nodes.a.db.query("update assistant_test_run set attempts = 3 where id = $1", [again]);
  await nodes.b.app.get(RehearsalJob).tick();
  expect((await owner.get(`/api/assistant-tests/runs/${again}`, 200)).body).toMatchObject({
    status: "failed",
    error: "Several processes have died of it",
  });
});

test("a workspace that is deleted meanwhile has no run", async () => {
  const workspaceId = await workspaceWithTest();
  const id = await start(workspaceId);
  await Promise.all([tickBoth(), owner.delete(`/api/workspaces/${workspaceId}`, 200)]);
  await owner.get(`/api/assistant-tests/runs/${id}`, 404);
});

test("a run that waits in a workspace that is deleted is not due again and again", async () => {
  const workspaceId = await workspaceWithTest();
  const id = await start(workspaceId);
  await owner.delete(`/api/workspaces/${workspaceId}`, 200);
  await tickBoth();
  // The rows of the workspace are deleted later.
  expect(await stateOf(id)).toEqual([{ status: "waiting", attempts: 0, due: 0 }]);
});
