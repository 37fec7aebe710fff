import { afterAll, beforeAll, expect, test } from "vitest";
import { keyFor, type TestTenant } from "../support/app.js";
import type { Answer } from "../support/client.js";
import { runs } from "../support/seed.js";
import { concurrently, on, startTwo, tally, type TwoNodes, until } from "./support.js";
import { connect } from "../support/database.js";

let nodes: TwoNodes;
let tenant: TestTenant;
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
});
afterAll(() => nodes.close());

const node = (n: number) => on(n % 2 ? nodes.b : nodes.a, tenant.live);
const create = async (body: object = {}): Promise<string> =>
  (
    await tenant.live.post(
      "/api/agents",
      { name: "A", instructions: "Zero", workspaceIds: [tenant.defaults.workspaceId], ...body },
      201,
    )
  ).body.id;

test("twelve concurrent instruction changes on two nodes create each version once, and the newest takes effect", async () => {
  const id = await create();
  expect(
    tally(
      (
        await concurrently(12, (n) => node(n).put(`/api/agents/${id}/instructions`, { instructions: `Version ${n}` }))
      ).map(({ status }) => status),
    ),
  ).toEqual({ 200: 12 });
  const versions = (await tenant.live.get(`/api/agents/${id}/instructions/versions`, 200)).body.data;
  expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 13 }, (_, n) => 13 - n));
  expect(new Set(versions.map(({ instructions }) => instructions)).size).toBe(13);
  expect((await tenant.live.get(`/api/agents/${id}`, 200)).body).toMatchObject({
    instructions: versions[0]!.instructions,
    instructionsVersion: 13,
  });
});

test("concurrent changes of tools and guardrails never leave a guardrail for a tool that the agent does not have", async () => {
  for (let round = 0; round < runs(4, 10); round++) {
    const id = await create({ tools: ["a", "b"] });
    await concurrently(2, (n) =>
      node(n + round).patch(
        `/api/agents/${id}`,
        n ? { tools: ["b"] } : { guardrails: [{ name: "G", effect: "deny", tools: ["a"] }] },
      ),
    );
    const { tools, guardrails } = (await tenant.live.get(`/api/agents/${id}`, 200)).body;
    expect([
      [["a", "b"], 1],
      [["b"], 0],
    ]).toContainEqual([tools, guardrails.length]);
  }
});

test("a key cannot change an agent that leaves the key's data scope while the key waits for its lock", async () => {
  const owner = await tenant.owner();
  const there = (await tenant.live.post("/api/workspaces", { name: "There", brandId: tenant.defaults.brandId }, 201))
    .body.id;
  const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId } });
  const id = await create();
  const other = await connect(nodes.a.db.url);
  try {
    await other.query("begin");
    await other.query(`select set_config('app.tenant_id', $1, true)`, [tenant.tenantId]);
    await other.query("select from agent where id = $1 for update", [id]);
    await other.query("insert into agent_workspace (tenant_id, agent_id, workspace_id) values ($1, $2, $3)", [
      tenant.tenantId,
      id,
      there,
    ]);
    const attempt = key.patch(`/api/agents/${id}`, { name: "Mine" });
    await until(
      () =>
        nodes.a.db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%"agent"%for update%'`,
        ),
      "the key waits",
    );
    await other.query("commit");
    expect((await attempt).status).toBe(409);
  } finally {
    await other.end();
  }
  expect((await tenant.live.get(`/api/agents/${id}`, 200)).body.name).toBe("A");
});

test("concurrent deletes and updates delete the agent with all its rows", async () => {
  let changed = 0;
  // In a round the deletion may come first. Some change has to come before one.
  for (let round = 0; round < runs(2, 5) || (changed === 0 && round < 100); round++) {
    const id = await create();
    const answers = await concurrently<Answer>(12, (n) =>
      n % 3 === 2
        ? node(n).delete(`/api/agents/${id}`)
        : n % 3 === 1
          ? node(n).put(`/api/agents/${id}/instructions`, { instructions: `Version ${n}` })
          : node(n).patch(`/api/agents/${id}`, { workspaceIds: [tenant.defaults.workspaceId] }),
    );
    expect(answers.filter(({ status }, n) => n % 3 === 2 && status === 200)).toHaveLength(1);
    for (const { status } of answers) expect([200, 404]).toContain(status);
    changed += answers.filter(({ status }, n) => n % 3 !== 2 && status === 200).length;
    for (const table of ["agent_instructions", "agent_workspace"])
      expect(await nodes.a.db.query(`select from ${table} where agent_id = $1`, [id])).toEqual([]);
  }
  expect(changed).toBeGreaterThan(0);
});
