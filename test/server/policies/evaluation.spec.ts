import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bind } from "../../../src/platform/database/sql.js";
import { RULES_FOR } from "../../../src/knowledge/policies/policy-entries.queries.js";
import { snapshot } from "../contract/fixtures.js";
import { newAgent, newWorkspace, NOT_FOUND } from "../e2e/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { runs } from "../../support/seed.js";
import { contextOf, expectDecision, ruleOf } from "../../unit/policies/every-rule.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

const workspace = async (): Promise<string> => (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
const add = async (of: string, body: object) =>
  (
    await tenant.live.post(
      `/api/workspaces/${of}/policy-entries`,
      { title: "T", rule: "R", effect: "deny", ...body },
      201,
    )
  ).body;
const evaluate = async (of: string, tool: string, context?: object) =>
  (await tenant.live.post(`/api/workspaces/${of}/policy-entries/evaluate`, { tool, context }, 200)).body;

describe("an evaluation", () => {
  test("allows and says so when no rule applies", async () => {
    expect(await evaluate(await workspace(), "refund")).toEqual({
      effect: "allow",
      requiredAssuranceLevel: null,
      decidedBy: null,
      reason: "No rule about this tool applies",
      circuitBreakers: [],
      applying: [],
      notApplying: [],
    });
  });

  test("returns the deciding rule, each rule that applies with its reason, and each rule that does not apply", async () => {
    const of = await workspace();
    const large = await add(of, {
      title: "Large refunds",
      effect: "require_approval",
      tools: ["refund"],
      conditions: { field: "order.total", op: "gt", value: 100 },
      requiredAssuranceLevel: "identified",
    });
    const gold = await add(of, {
      title: "Gold customers",
      effect: "allow",
      conditions: { field: "tier", op: "eq", value: "gold" },
      priority: 50,
    });
    await add(of, { title: "Mail", tools: ["mail"] });
    const answer = await evaluate(of, "refund", { order: { total: 120 } });
    expect(answer).toEqual({
      effect: "require_approval",
      requiredAssuranceLevel: "identified",
      decidedBy: large.id,
      reason: "Large refunds: order.total is greater than 100",
      circuitBreakers: [],
      applying: [
        {
          id: large.id,
          title: "Large refunds",
          rule: "R",
          effect: "require_approval",
          priority: 100,
          requiredAssuranceLevel: "identified",
          why: ["order.total is greater than 100"],
        },
      ],
      notApplying: [
        {
          id: gold.id,
          title: "Gold customers",
          rule: "R",
          effect: "allow",
          priority: 50,
          requiredAssuranceLevel: null,
          why: ["tier is missing"],
        },
      ],
    });
    expect(await evaluate(of, "refund", { tier: "gold", order: { total: 5 } })).toMatchObject({
      effect: "allow",
      decidedBy: gold.id,
      requiredAssuranceLevel: null,
    });
  });

  test("treats a rule that the context leaves undecided in the stricter way", async () => {
    const of = await workspace();
    const total = (op: string) => ({ field: "order.total", op, value: 100 });
    const large = await add(of, { effect: "deny", conditions: total("gt") });
    const small = await add(of, {
      effect: "allow",
      conditions: { not: total("gt") },
      priority: 200,
      requiredAssuranceLevel: "identified",
    });
    for (const context of [undefined, {}, { order: {} }, { order: { total: null } }, { order: { total: "50" } }]) {
      expect(await evaluate(of, "refund", context)).toMatchObject({
        effect: "deny",
        decidedBy: large.id,
        requiredAssuranceLevel: "identified",
        notApplying: [{ id: small.id }],
      });
    }
    expect(await evaluate(of, "refund", { order: { total: 50 } })).toMatchObject({
      effect: "allow",
      decidedBy: small.id,
    });
  });

  test("follows the highest priority, then the strictest effect, and requires the strongest assurance of all rules that apply", async () => {
    const of = await workspace();
    const made: Record<string, string> = {};
    for (const effect of ["require_approval", "deny", "allow", "escalate"])
      made[effect] = (
        await add(of, {
          effect,
          tools: ["refund"],
          requiredAssuranceLevel: effect === "allow" ? "high-assurance" : effect === "deny" ? "identified" : null,
        })
      ).id;
    const answer = await evaluate(of, "refund");
    expect(answer).toMatchObject({ effect: "deny", decidedBy: made.deny, requiredAssuranceLevel: "high-assurance" });
    expect(answer.applying.map(({ effect }) => effect)).toEqual(["deny", "escalate", "require_approval", "allow"]);
    const { id } = await add(of, { effect: "allow", priority: 101 });
    expect(await evaluate(of, "refund")).toMatchObject({
      effect: "allow",
      decidedBy: id,
      requiredAssuranceLevel: "high-assurance",
    });
  });

  test("uses only rules that are approved and currently valid", async () => {
    const of = await workspace();
    const decidedBy = async (): Promise<string | null> => (await evaluate(of, "refund")).decidedBy;
    const { id } = await add(of, { status: "pending", tools: ["mail"] });
    await add(of, { validUntil: "2020-01-01" });
    await add(await workspace(), {});
    expect(await decidedBy()).toBeNull();
    await tenant.live.patch(`/api/policy-entries/${id}`, { tools: ["refund"] }, 200);
    expect(await decidedBy()).toBeNull();
    await tenant.live.post(`/api/policy-entries/${id}/approve`, undefined, 200);
    expect(await decidedBy()).toBe(id);
    await tenant.live.post(`/api/policy-entries/${id}/archive`, undefined, 200);
    expect(await decidedBy()).toBeNull();
    const gone = await add(of, { validUntil: "2100-01-01" });
    expect(await decidedBy()).toBe(gone.id);
    await tenant.live.delete(`/api/policy-entries/${gone.id}`, 200);
    expect(await decidedBy()).toBeNull();
  });

  test("matches tool names case-sensitively and refuses an invalid tool or context", async () => {
    const of = await workspace();
    await add(of, { tools: ["refund"] });
    expect((await evaluate(of, "Refund")).decidedBy).toBeNull();
    for (const body of [
      {},
      { tool: "" },
      { tool: "*" },
      { tool: ["refund"] },
      { tool: "refund", context: [] },
      { tool: "refund", context: null },
    ])
      await tenant.live.post(`/api/workspaces/${of}/policy-entries/evaluate`, body, 400);
  });

  test("requires permission to read policies in the workspace, and reveals nothing to other callers", async () => {
    const of = await workspace();
    const owner = await tenant.owner();
    const path = `/api/workspaces/${of}/policy-entries/evaluate` as const;
    await (await keyFor(owner, { scopes: ["policy:read"] })).post(path, { tool: "refund" }, 200);
    await (await newAgent(owner, [of])).post(path, { tool: "refund" }, 200);
    await (await keyFor(owner, { scopes: ["policy:write"] })).post(path, { tool: "refund" }, 403);
    expect(
      (await (await newAgent(owner, [tenant.defaults.workspaceId])).post(path, { tool: "refund" }, 404)).body,
    ).toEqual(NOT_FOUND);
  });

  test("changes nothing, stores no context, and counts the rules that applied", async () => {
    const of = await workspace();
    const { id } = await add(of, {});
    const before = await snapshot(app.db);
    for (let n = 0; n < 2; n++) await evaluate(of, "refund", { secret: "needle" });
    expect(await snapshot(app.db)).toEqual(before);
    await tenant.live.post(
      `/api/workspaces/${of}/policy-entries/evaluate`,
      { tool: "refund", context: { secret: "needle" } },
      200,
      { headers: { "idempotency-key": "kept" } },
    );
    expect(await app.db.query(`select from idempotency_key where response like '%needle%'`)).toEqual([]);
    await expect
      .poll(async () => (await tenant.live.get(`/api/policy-entries/${id}`, 200)).body.usage.retrieved, {
        timeout: 60_000,
      })
      .toBe(3);
  });
});

test("gives the same decision as checking every rule in turn, for random rules and contexts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(ruleOf, { minLength: 1, maxLength: 12 }),
      fc.array(contextOf, { minLength: 1, maxLength: 4 }),
      async (rules, contexts) => {
        const of = await workspace();
        const content = rules.map((one, n) => JSON.stringify({ ...one, title: `Rule ${n}`, rule: "R" })).join("\n");
        expect(
          (await tenant.live.post(`/api/workspaces/${of}/policy-entries/import`, { format: "ndjson", content }, 200))
            .body,
        ).toMatchObject({ imported: rules.length });
        for (const about of contexts)
          for (const tool of ["t1", "t2", "t9"]) {
            const plain = JSON.parse(JSON.stringify(about)) as object;
            const live = rules
              .map((one, n) => ({ ...one, title: `Rule ${n}` }))
              .filter(
                ({ status, validUntil, tools }) =>
                  status === "approved" &&
                  validUntil !== "2020-01-01T00:00:00Z" &&
                  (!tools.length || (tools as string[]).includes(tool)),
              );
            const answer = await evaluate(of, tool, plain);
            expectDecision(answer, live, plain);
          }
      },
    ),
    { numRuns: runs(5, 25) },
  );
});

test("rules for a tool are found through an index, however many rules other tools have", async () => {
  const of = await workspace();
  await app.db.query(
    `insert into policy_entry (tenant_id, id, workspace_id, status, title, rule, effect, tools) select $1, gen_random_uuid(), $2, 'approved', 'T', 'R', 'deny', array['tool' || n] from generate_series(1, 5000) n`,
    [tenant.tenantId, of],
  );
  await app.db.query("analyze policy_tool; analyze policy_entry");
  const [plan] = await app.db.query(
    `explain (format json) ${RULES_FOR.text}`,
    bind(
      RULES_FOR.slots,
      { tenant: tenant.tenantId, brand: null, workspaces: null },
      { workspaceId: of, tool: "tool7" },
    ),
  );
  expect(JSON.stringify(plan)).not.toMatch(/Seq Scan",[^}]*policy_/);
  expect((await evaluate(of, "tool7")).applying).toHaveLength(1);
});
