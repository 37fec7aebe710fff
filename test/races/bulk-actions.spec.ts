import { afterAll, beforeAll, expect, test } from "vitest";
import { BulkActionsJob } from "../../src/conversations/bulk/bulk-actions.job.js";
import { startApp, type TestApp, type TestTenant } from "../support/app.js";
import { allowTimeForProcesses } from "../server/process/support.js";
import { start } from "../server/e2e/support.js";
import { type Process, startProcess } from "./processes.js";
import { until } from "./support.js";
import { WHOLE } from "../support/sweep.js";

allowTimeForProcesses();

let nodes: TestApp[];
let tenant: TestTenant;
beforeAll(async () => {
  const first = await startApp();
  nodes = [first, await startApp({}, first.db)];
  tenant = await first.tenant();
});
afterAll(async () => {
  for (const node of nodes.reverse()) await node.close();
});

async function some(count: number): Promise<void> {
  const { id } = await start(tenant.live, tenant.defaults.workspaceId);
  await nodes[0]!.db.query(
    `insert into conversation (tenant_id, id, workspace_id, brand_id, channel_id, contact_id)
     select tenant_id, gen_random_uuid(), workspace_id, brand_id, channel_id, contact_id
     from conversation cross join generate_series(2, $2) where id = $1`,
    [id, count],
  );
}
const ask = async (add: string) =>
  (
    await tenant.live.post(
      "/api/bulk-actions",
      { filter: { status: ["open"] }, action: { type: "label", add: [add] } },
      201,
    )
  ).body;
const now = async (id: string) => (await tenant.live.get(`/api/bulk-actions/${id}`, 200)).body;
/** How often each conversation was changed since. */
const changes = async (since: Date): Promise<{ times: number; conversations: number }[]> =>
  nodes[0]!.db.query(
    `select times::int, count(*)::int as conversations from (
       select resource_id, count(*) as times from audit_entry
       where action = 'bulkActions.create' and resource_type = 'conversation' and at >= $1 group by 1
     ) e group by 1`,
    [since],
  );

test("two nodes on one action change each conversation once, also if a lease ends too early", async () => {
  await some(120);
  const since = new Date();
  const { id, total } = await ask("twice");
  let working = true;
  const claimable = (async () => {
    while (working) await nodes[0]!.db.query("update bulk_action_due set due_at = now()");
  })();
  await Promise.all(
    nodes.map(async ({ app }) => {
      while ((await now(id)).status === "running") await app.get(BulkActionsJob).tick();
    }),
  );
  working = false;
  await claimable;
  expect(await now(id)).toMatchObject({ status: "done", total, done: total, failed: 0 });
  expect(await changes(since)).toEqual([{ times: 1, conversations: total }]);
});

test.runIf(WHOLE)("kill -9 loses and repeats nothing: the next process goes on after the lease", async () => {
  await some(400);
  const since = new Date();
  let worker: Process = await startProcess(nodes[0]!.db);
  try {
    const { id, total } = await ask("killed");
    const begun = await until(async () => {
      const { done } = await now(id);
      return done > 0 ? done : undefined;
    }, "the action had begun");
    await worker.kill();
    const stopped = (await now(id)).done;
    expect(begun).toBeLessThan(total);
    expect(stopped).toBeLessThan(total);
    await nodes[0]!.db.query("update bulk_action_due set due_at = now()");
    worker = await startProcess(nodes[0]!.db);
    await until(async () => ((await now(id)).status === "done" ? true : undefined), "the action was done");
    expect(await now(id)).toMatchObject({ total, done: total, failed: 0 });
    expect(await changes(since)).toEqual([{ times: 1, conversations: total }]);
    // The last change ends the action. The worker takes it off the queue after that.
    await expect.poll(() => nodes[0]!.db.query("select from bulk_action_due")).toEqual([]);
  } finally {
    await worker.stop();
  }
});
