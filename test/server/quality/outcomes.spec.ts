import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { DomainEvents } from "../../../src/platform/events/domain-events.js";
import { OutcomesCounted } from "../../../src/platform/outcomes/outcome-events.js";
import { sql } from "../../../src/platform/database/sql.js";
import { query } from "../../../src/platform/database/statements.js";
import { OUTCOMES } from "../../../src/platform/outcomes/outcomes.queries.js";
import { OutcomesService } from "../../../src/platform/outcomes/outcomes.service.js";
import { type Outcome, recordOutcomes } from "../../../src/platform/outcomes/record-outcomes.js";
import { newWorkspace } from "../e2e/support.js";
import { concurrently, startTwo, type TwoNodes } from "../../races/support.js";
import type { TestTenant } from "../../support/app.js";
import { runs } from "../../support/seed.js";
import { run } from "../../support/sql.js";
import { connect } from "../../support/database.js";

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
});
afterAll(() => nodes.close());

const fold = (n = 0): Promise<void> => (n % 2 ? nodes.b : nodes.a).app.get(OutcomesService).countAll();
const record = (outcomes: Outcome[]): Promise<void> =>
  tenant.transaction(tenant.tenantId, (tx) => recordOutcomes(tx, outcomes));
const fresh = async (): Promise<string> => (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;

type Count = [
  metric: string,
  entityType: string,
  entityId: string,
  scale: number,
  value: number,
  total: number,
  bad: number,
];
/** The stored counts. `seen` returns what a read returns. */
const counted = async (workspaceId: string): Promise<Count[]> =>
  (
    await nodes.a.db.query<{ row: Count }>(
      `select json_build_array(metric, entity_type, entity_id, scale, value, sum(total), sum(bad)) as row from outcome_count
  where workspace_id = $1 group by metric, entity_type, entity_id, scale, value order by metric, entity_type, entity_id, scale, value`,
      [workspaceId],
    )
  ).map(({ row }) => row);
const SEEN = query<{ workspaceId: string }, { row: Count }>()(
  "test.outcomesSeen",
  { unrestricted: "a test reads the whole tenant" },
  ({ workspaceId }) => sql`
    select json_build_array(metric, entity_type, entity_id, scale, value, sum(total), sum(bad)) as row
    from ${OUTCOMES} o where workspace_id = ${workspaceId}
    group by metric, entity_type, entity_id, scale, value
    order by metric, entity_type, entity_id, scale, value`,
);
const seen = async (workspaceId: string): Promise<Count[]> =>
  (await tenant.transaction(tenant.tenantId, (tx) => tx.query(SEEN, { workspaceId }))).map(({ row }) => row);

function plainly(outcomes: readonly Outcome[]): Count[] {
  const counts = new Map<string, Count>();
  for (const { metric, entityType, entityId, scale, value, bad } of outcomes) {
    const key = JSON.stringify([metric, entityType, entityId, scale, value]);
    const count = counts.get(key) ?? counts.set(key, [metric, entityType, entityId, scale, value, 0, 0]).get(key)!;
    count[5]++;
    count[6] += Number(bad);
  }
  return [...counts.values()].sort(
    (one, other) =>
      [0, 1, 2].map((n) => (one[n]! < other[n]! ? -1 : one[n]! > other[n]! ? 1 : 0)).find(Boolean) ??
      (one[3] - other[3] || one[4] - other[4]),
  );
}

const outcome = fc.record({
  metric: fc.constantFrom("answer", "csat", "csat_asked", "delivery", "handoff", "tool" as const),
  entityType: fc.constantFrom("workspace", "channel", "member", "agent", "kb_entry", "tool" as const),
  entityId: fc.constantFrom("a", "b", "c"),
  scale: fc.constantFrom(1, 5, 10),
  value: fc.nat(10),
  bad: fc.boolean(),
}) as fc.Arbitrary<Omit<Outcome, "workspaceId">>;

test("the counts equal a plain recount, and a read sees the same before and after counting", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(outcome, { maxLength: 20 }), { maxLength: 5 }),
      fc.array(fc.boolean()),
      async (batches, folds) => {
        const workspaceId = await fresh();
        const all: Outcome[] = [];
        for (const [n, batch] of batches.entries()) {
          const outcomes = batch.map((one) => ({ ...one, workspaceId }));
          await record(outcomes);
          all.push(...outcomes);
          expect(await seen(workspaceId)).toEqual(plainly(all));
          if (folds[n]) await fold(n);
        }
        await fold();
        expect(await counted(workspaceId)).toEqual(plainly(all));
        expect(await seen(workspaceId)).toEqual(plainly(all));
      },
    ),
    { numRuns: runs(10, 25) },
  );
});

const some = (workspaceId: string, count: number): Outcome[] =>
  Array.from({ length: count }, (_, n) => ({
    workspaceId,
    metric: "tool",
    entityType: "tool",
    entityId: `t${n % 7}`,
    scale: 1,
    value: Number(n % 3 === 0),
    bad: n % 3 === 0,
  }));

test("counted twenty times concurrently on two nodes while more arrive, each outcome counts once", async () => {
  const workspaceId = await fresh();
  const outcomes = some(workspaceId, 21_000);
  await record(outcomes.slice(0, 20_000));
  await Promise.all([
    ...Array.from({ length: 20 }, (_, n) => fold(n)),
    ...Array.from({ length: 20 }, (_, n) => record(outcomes.slice(20_000 + n * 50, 20_050 + n * 50))),
  ]);
  await fold();
  expect(await counted(workspaceId)).toEqual(plainly(outcomes));
  expect(await nodes.a.db.query("select from outcome where workspace_id = $1", [workspaceId])).toEqual([]);
});

test("an interrupted count loses nothing and counts nothing twice", async () => {
  const workspaceId = await fresh();
  const outcomes = some(workspaceId, 500);
  await record(outcomes);
  let cut = true;
  // In the middle of the counting transaction, after the deletion and the sums.
  nodes.a.app.get(DomainEvents).handle(OutcomesCounted, async (tx, { touched }) => {
    if (cut && touched.some((one) => one.workspaceId === workspaceId))
      await run(tx, "select pg_terminate_backend(pg_backend_pid())");
  });
  await expect(fold()).rejects.toThrow();
  expect(await counted(workspaceId)).toEqual([]);
  expect(await seen(workspaceId)).toEqual(plainly(outcomes));
  cut = false;
  await concurrently(4, fold);
  expect(await counted(workspaceId)).toEqual(plainly(outcomes));
});

test("an outcome of a transaction that is rolled back does not count", async () => {
  const workspaceId = await fresh();
  await expect(
    tenant.transaction(tenant.tenantId, async (tx) => {
      await recordOutcomes(tx, some(workspaceId, 10));
      throw new Error("undone");
    }),
  ).rejects.toThrow("undone");
  await fold();
  expect(await seen(workspaceId)).toEqual([]);
});

test("outcomes are counted while a long transaction is open, and those of the long transaction afterwards", async () => {
  const workspaceId = await fresh();
  const slow = await connect(nodes.a.db.url);
  try {
    await slow.query("begin");
    await slow.query(
      `insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad) values ($1, $2, 'tool', 'tool', 't0', 1, 1, true)`,
      [tenant.tenantId, workspaceId],
    );
    await record(some(workspaceId, 3).slice(1));
    await fold();
    expect(await counted(workspaceId)).toEqual(plainly(some(workspaceId, 3).slice(1)));
    await slow.query("commit");
  } finally {
    await slow.end();
  }
  await fold();
  expect(await counted(workspaceId)).toEqual(plainly(some(workspaceId, 3)));
});

test("a deleted workspace leaves no outcomes, counted or not", async () => {
  const workspaceId = await fresh();
  await record(some(workspaceId, 10));
  await fold();
  await record(some(workspaceId, 10));
  await tenant.live.delete(`/api/workspaces/${workspaceId}`, 200);
  await nodes.a.app.get(PurgeWorkspacesJob).run();
  for (const table of ["outcome", "outcome_count"])
    expect(await nodes.a.db.query(`select from ${table} where workspace_id = $1`, [workspaceId])).toEqual([]);
});
