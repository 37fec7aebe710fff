import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PurgeWorkspacesJob } from "../../../src/maintenance/purge-workspaces.job.js";
import { aTime, anId, newAgent, newWorkspace, NOT_FOUND, start, UNKNOWN_ID, walk } from "../e2e/support.js";
import { concurrently, on, startTwo, tally, type TwoNodes, until } from "../../races/support.js";
import { keyFor, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { age, ended, fold, type Of, record } from "./support.js";
import { connect } from "../../support/database.js";
import { awayFromMidnight } from "../../support/clock.js";

let nodes: TwoNodes;
let tenant: TestTenant;
let owner: Client;
let workspaceId: string;
let agentId: string;
// Days are counted.
beforeEach(awayFromMidnight);
beforeAll(async () => {
  nodes = await startTwo();
  tenant = await nodes.a.tenant();
  owner = await tenant.owner();
});
afterAll(() => nodes.close());
beforeEach(async () => {
  workspaceId = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
  agentId = (
    await tenant.live.post(
      "/api/agents",
      { name: "Returns desk", instructions: "Help", workspaceIds: [workspaceId], tools: ["offer-refund"] },
      201,
    )
  ).body.id;
});

const node = (n: number) => (n % 2 ? nodes.b : nodes.a);
const setTo = (settings: object[], of = workspaceId, client: Client = owner) =>
  client.put(`/api/workspaces/${of}/breaker-settings`, { settings });
const breakers = async (query = "", client: Client = owner) =>
  (await client.get(`/api/quality/circuit-breakers?workspaceId=${workspaceId}${query}`, 200)).body;
const items = () => walk(owner, `/api/attention-items?workspaceId=${workspaceId}`);
const resolve = (id: string, body: object = {}) => owner.post(`/api/quality/circuit-breakers/${id}/resolve`, body, 200);
const csat = (): Of => ({ workspaceId, metric: "csat", entityType: "agent", entityId: agentId });
/** Records twenty bad outcomes at once. */
const goWrong = async (of: Of = csat()) => {
  await record(tenant, ended(of, 0, 20));
  await fold(nodes.a);
  return (await breakers("&state=tripped")).find(({ entityId }) => entityId === of.entityId)!;
};
const asAgent = (conversationId: string, client: Client = tenant.live, body: object = {}) =>
  client.post(`/api/conversations/${conversationId}/reply`, { body: "Hello", agentId, ...body });

describe("the settings", () => {
  const DEFAULTS = [
    { metric: "answer", enabled: true, threshold: 0.5, windowDays: 30, minimumSample: 20, action: "require_approval" },
    { metric: "csat", enabled: true, threshold: 0.3, windowDays: 30, minimumSample: 20, action: "notify" },
    { metric: "delivery", enabled: true, threshold: 0.1, windowDays: 7, minimumSample: 20, action: "notify" },
    { metric: "handoff", enabled: false, threshold: 0.5, windowDays: 30, minimumSample: 20, action: "notify" },
    { metric: "tool", enabled: true, threshold: 0.2, windowDays: 7, minimumSample: 20, action: "notify" },
  ];

  test("have defaults, also for missing metrics, and trip nothing by default", async () => {
    const read = async () => (await owner.get(`/api/workspaces/${workspaceId}/breaker-settings`, 200)).body;
    expect(await read()).toEqual({ settings: DEFAULTS });
    const handoff = {
      metric: "handoff",
      enabled: true,
      threshold: 0.25,
      windowDays: 14,
      minimumSample: 50,
      action: "pause_assistant",
    };
    expect((await setTo([handoff, { metric: "csat", threshold: 0.5 }])).body).toEqual({
      settings: [DEFAULTS[0], { ...DEFAULTS[1], threshold: 0.5 }, DEFAULTS[2], handoff, DEFAULTS[4]],
    });
    expect((await setTo([handoff])).body).toEqual(await read());
    expect(await read()).toEqual({ settings: [...DEFAULTS.slice(0, 3), handoff, DEFAULTS[4]] });
    expect((await setTo([])).body).toEqual({ settings: DEFAULTS });
  });

  test.each([
    [
      [{ metric: "delivery", threshold: 0.1, action: "pause_assistant" }],
      "settings: pause_assistant would do nothing for delivery, which watches channels",
    ],
    [
      [{ metric: "delivery", threshold: 0.1, action: "require_approval" }],
      "settings: require_approval would do nothing for delivery, which watches channels",
    ],
    [
      [{ metric: "answer", threshold: 0.1, action: "pause_assistant" }],
      "settings: pause_assistant would do nothing for answer, which watches KB entries",
    ],
    [
      [{ metric: "tool", threshold: 0.1, action: "pause_assistant" }],
      "settings: pause_assistant would do nothing for tool, which watches tools",
    ],
    [
      [
        { metric: "csat", threshold: 0.1 },
        { metric: "csat", threshold: 0.2 },
      ],
      "settings must name each metric at most once",
    ],
    [[{ metric: "csat", threshold: 0 }], "settings.0.threshold must not be less than 0.01"],
    [[{ metric: "csat", threshold: 0.1, minimumSample: 3 }], "settings.0.minimumSample must not be less than 20"],
    [[{ metric: "csat", threshold: 0.1, windowDays: 91 }], "settings.0.windowDays must not be greater than 90"],
  ])("refuse %j", async (settings, sentence) => {
    const { status, body } = await setTo(settings);
    expect({ status, error: body.error }).toEqual({
      status: 400,
      error: expect.stringContaining(sentence.replace("settings.0.", "")),
    });
  });

  test("are written by owners and admins, and read by everyone in the workspace", async () => {
    const agent = await newAgent(owner, [workspaceId]);
    await agent.get(`/api/workspaces/${workspaceId}/breaker-settings`, 200);
    expect((await setTo([], workspaceId, agent)).status).toBe(403);
    const stranger = await newAgent(owner, [tenant.defaults.workspaceId]);
    expect((await stranger.get(`/api/workspaces/${workspaceId}/breaker-settings`, 404)).body).toEqual(NOT_FOUND);
    expect(
      (
        await setTo(
          [],
          workspaceId,
          await keyFor(owner, { dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId } }),
        )
      ).status,
    ).toBe(404);
  });
});

describe("a breaker", () => {
  test("trips on too many bad outcomes, shows the figures, and raises one attention item", async () => {
    await record(tenant, ended(csat(), 30, 50));
    await fold(nodes.a);
    expect(await breakers()).toEqual([
      {
        id: anId,
        workspaceId,
        entityType: "agent",
        entityId: agentId,
        entityName: "Returns desk",
        metric: "csat",
        threshold: 0.3,
        observed: 0.625,
        low: expect.any(Number),
        sampleSize: 80,
        sampleDays: 1,
        windowDays: 30,
        state: "tripped",
        action: "notify",
        trippedAt: aTime,
        resolvedBy: null,
        resolvedAt: null,
        note: null,
      },
    ]);
    const { low, id } = (await breakers())[0]!;
    expect(low).toBeGreaterThan(0.3);
    expect(low).toBeLessThan(0.625);
    expect(await items()).toMatchObject([
      {
        type: "circuit_breaker_tripped",
        circuitBreakerId: id,
        conversationId: null,
        severity: "high",
        status: "open",
        occurrences: 1,
        reason: "Returns desk: 50 of 80 ratings are low (62.5 %; accepted: 30 %).",
      },
    ]);
    await record(tenant, ended(csat(), 0, 40));
    await fold(nodes.a);
    expect([await breakers(), await items()].map(({ length }) => length)).toEqual([1, 1]);
  });

  test("does not trip on a handful of bad outcomes, nor on a share that may be chance", async () => {
    await record(tenant, ended(csat(), 0, 19));
    await fold(nodes.a);
    expect(await breakers()).toEqual([]);
    await record(tenant, ended({ ...csat(), entityId: randomUUID() }, 60, 40));
    await fold(nodes.a);
    expect(await breakers()).toEqual([]);
  });

  test("judges only its window, and finds failures since yesterday after a good month", async () => {
    await record(tenant, ended(csat(), 0, 30));
    await setTo([{ metric: "csat", enabled: false, threshold: 0.3 }]);
    await fold(nodes.a);
    await setTo([]);
    await age(nodes.a, workspaceId, 30);
    await record(tenant, ended(csat(), 1, 0));
    await fold(nodes.a);
    expect(await breakers()).toEqual([]);
    await record(tenant, ended(csat(), 900, 0));
    await fold(nodes.a);
    await age(nodes.a, workspaceId, 1);
    await record(tenant, ended(csat(), 5, 35));
    await fold(nodes.a);
    expect(await breakers()).toMatchObject([{ sampleSize: 40, sampleDays: 1, observed: 35 / 40 }]);
  });

  test.each([
    ["delivery", "channel"],
    ["tool", "tool"],
    ["csat", "kb_entry"],
    ["csat", "channel"],
  ] as const)(
    "watches the metric %s of the type %s, but no disabled metrics or other types",
    async (metric, entityType) => {
      const entityId = entityType === "tool" ? "crm" : randomUUID();
      expect(await goWrong({ workspaceId, metric, entityType, entityId })).toMatchObject({
        entityType,
        entityId,
        metric,
        action: "notify",
        entityName: entityType === "tool" ? "crm" : null,
      });
      await goWrong({ workspaceId, metric: "csat", entityType: "member", entityId: randomUUID() });
      await goWrong({ workspaceId, metric: "handoff", entityType: "agent", entityId: agentId });
      expect(await breakers()).toHaveLength(1);
    },
  );

  test("only notifies if its action does not apply to the entity", async () => {
    await setTo([{ metric: "csat", threshold: 0.3, action: "pause_assistant" }]);
    expect(await goWrong({ workspaceId, metric: "csat", entityType: "channel", entityId: randomUUID() })).toMatchObject(
      { action: "notify" },
    );
    expect(await goWrong()).toMatchObject({ action: "pause_assistant" });
  });

  test("records who resolved it, resolves its attention item, and trips again only on new outcomes", async () => {
    const { id } = await goWrong();
    // Not counted yet, but already known to the member who resolves the breaker.
    await record(tenant, ended(csat(), 0, 25));
    expect((await resolve(id, { note: "Instructions mended" })).body).toEqual({ ok: true });
    const { id: me } = (await owner.get("/api/me", 200)).body;
    expect(await breakers()).toMatchObject([
      { id, state: "resolved", note: "Instructions mended", resolvedAt: aTime, resolvedBy: me },
    ]);
    expect(await items()).toMatchObject([{ circuitBreakerId: id, status: "resolved" }]);
    await record(tenant, ended(csat(), 0, 19));
    await fold(nodes.a);
    expect(await breakers("&state=tripped")).toEqual([]);
    await record(tenant, ended(csat(), 0, 1));
    await fold(nodes.a);
    expect(await breakers()).toMatchObject([
      { state: "tripped", sampleSize: 20 },
      { id, state: "resolved" },
    ]);
    expect((await items()).map(({ status }) => status)).toEqual(["open", "resolved"]);
  });

  test("that is resolved already does not change", async () => {
    const { id } = await goWrong();
    await resolve(id, { note: "First" });
    const before = await breakers();
    await record(tenant, ended(csat(), 0, 5));
    await resolve(id, { note: "Second" });
    expect(await breakers()).toEqual(before);
    // Outcomes recorded between the two are not settled.
    await record(tenant, ended(csat(), 0, 15));
    await fold(nodes.a);
    expect(await breakers("&state=tripped")).toHaveLength(1);
  });

  test("stays tripped when its attention item is resolved", async () => {
    await goWrong();
    const [item] = await items();
    await owner.post(`/api/attention-items/${item!.id}/resolve`, undefined, 200);
    expect(await breakers()).toMatchObject([{ state: "tripped" }]);
  });

  test("is resolved by owners and admins within reach, and visible to everyone in the workspace", async () => {
    const { id } = await goWrong();
    const agent = await newAgent(owner, [workspaceId]);
    expect(await breakers("", agent)).toHaveLength(1);
    await agent.post(`/api/quality/circuit-breakers/${id}/resolve`, {}, 403);
    const stranger = await newAgent(owner, [tenant.defaults.workspaceId]);
    expect((await stranger.get("/api/quality/circuit-breakers", 200)).body.map((one) => one.id)).not.toContain(id);
    expect((await stranger.get(`/api/quality/circuit-breakers?workspaceId=${workspaceId}`, 404)).body).toEqual(
      NOT_FOUND,
    );
    const key = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: tenant.defaults.workspaceId } });
    expect((await key.post(`/api/quality/circuit-breakers/${id}/resolve`, {}, 404)).body).toEqual(NOT_FOUND);
    expect((await owner.post(`/api/quality/circuit-breakers/${UNKNOWN_ID}/resolve`, {}, 404)).body).toEqual(NOT_FOUND);
    expect(await breakers("&state=resolved")).toEqual([]);
  });

  test("is deleted with its workspace", async () => {
    await setTo([{ metric: "csat", threshold: 0.3 }]);
    await goWrong();
    await owner.delete(`/api/workspaces/${workspaceId}`, 200);
    await nodes.a.app.get(PurgeWorkspacesJob).run();
    for (const table of ["circuit_breaker", "breaker_setting", "attention_item", "workspace"])
      expect(
        await nodes.a.db.query(`select from ${table} where ${table === "workspace" ? "id" : "workspace_id"} = $1`, [
          workspaceId,
        ]),
      ).toEqual([]);
  });

  test("is in the audit log: the system trips it, and a member resolves it", async () => {
    const { id } = await goWrong();
    await resolve(id);
    const entries = (await owner.get(`/api/audit-log?resourceId=${id}`, 200)).body.data;
    expect(
      entries.map(({ actor, change, fields, action }) => ({ kind: actor?.kind ?? actor, change, fields, action })),
    ).toEqual([
      expect.objectContaining({ change: "updated", fields: ["state"] }),
      expect.objectContaining({ change: "created", action: "outcomes" }),
    ]);
  });
});

describe("what a breaker does", () => {
  test("an agent is paused in the workspace only, and continues when the breaker is resolved", async () => {
    const elsewhere = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    await tenant.live.patch(`/api/agents/${agentId}`, { workspaceIds: [workspaceId, elsewhere] }, 200);
    await setTo([{ metric: "csat", threshold: 0.3, action: "pause_assistant" }]);
    const [here, there] = [await start(tenant.live, workspaceId), await start(tenant.live, elsewhere)];
    expect((await asAgent(here.id)).status).toBe(200);
    const { id } = await goWrong();
    expect(await items()).toMatchObject([
      {
        severity: "urgent",
        reason:
          "Returns desk: 20 of 20 ratings are low (100 %; accepted: 30 %). The agent is paused in this workspace.",
      },
    ]);
    const refused = await asAgent(here.id);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      "The agent is paused in this workspace by a circuit breaker, until that is resolved",
    ]);
    expect((await asAgent(there.id)).status).toBe(200);
    expect((await tenant.live.get(`/api/agents/${agentId}`, 200)).body).toMatchObject({
      status: "active",
      pausedIn: [workspaceId],
    });
    const narrow = await keyFor(owner, { dataScope: { level: "workspace", workspaceId: elsewhere } });
    expect((await narrow.get(`/api/agents/${agentId}`, 200)).body).toMatchObject({ pausedIn: [] });
    const evaluate = async (of: string, body: object) =>
      (await tenant.live.post(`/api/workspaces/${of}/policy-entries/evaluate`, { tool: "offer-refund", ...body }, 200))
        .body;
    expect(await evaluate(workspaceId, { agentId })).toMatchObject({
      effect: "deny",
      decidedBy: null,
      circuitBreakers: [id],
      reason: `The agent is paused in this workspace by the circuit breaker ${id}`,
    });
    expect(await evaluate(workspaceId, {})).toMatchObject({ effect: "allow", circuitBreakers: [] });
    expect(await evaluate(elsewhere, { agentId })).toMatchObject({ effect: "allow", circuitBreakers: [] });
    await resolve(id);
    expect((await asAgent(here.id)).status).toBe(200);
    expect((await tenant.live.get(`/api/agents/${agentId}`, 200)).body).toMatchObject({ pausedIn: [] });
    expect(await evaluate(workspaceId, { agentId })).toMatchObject({ effect: "allow" });
  });

  test("the platform's agents are paused like any other", async () => {
    await setTo([{ metric: "csat", threshold: 0.3, action: "pause_assistant" }]);
    agentId = (await tenant.live.get("/api/agents", 200)).body[0]!.id;
    const { id } = await start(tenant.live, workspaceId);
    expect((await asAgent(id)).status).toBe(200);
    const breaker = await goWrong();
    expect((await asAgent(id)).status).toBe(409);
    await resolve(breaker.id);
    expect((await asAgent(id)).status).toBe(200);
  });

  test("each use of an agent's tools, or of a tool, needs approval, unless the rules are stricter", async () => {
    await setTo([
      { metric: "csat", threshold: 0.3, action: "require_approval" },
      { metric: "tool", threshold: 0.3, action: "require_approval" },
    ]);
    const evaluate = async (body: object) =>
      (await tenant.live.post(`/api/workspaces/${workspaceId}/policy-entries/evaluate`, body, 200)).body;
    const agents = await goWrong();
    const tools = await goWrong({ workspaceId, metric: "tool", entityType: "tool", entityId: "crm" });
    expect(await evaluate({ tool: "offer-refund", agentId })).toMatchObject({
      effect: "require_approval",
      decidedBy: null,
      circuitBreakers: [agents.id],
      reason: `The circuit breaker ${agents.id} of the agent has tripped`,
    });
    expect(await evaluate({ tool: "offer-refund" })).toMatchObject({ effect: "allow", circuitBreakers: [] });
    expect(await evaluate({ tool: "crm" })).toMatchObject({ effect: "require_approval", circuitBreakers: [tools.id] });
    expect((await evaluate({ tool: "crm", agentId })).circuitBreakers).toEqual([agents.id, tools.id]);
    const rule = (
      await tenant.live.post(
        `/api/workspaces/${workspaceId}/policy-entries`,
        { title: "No", rule: "R", effect: "deny", tools: ["crm"] },
        201,
      )
    ).body;
    expect(await evaluate({ tool: "crm" })).toMatchObject({
      effect: "deny",
      decidedBy: rule.id,
      circuitBreakers: [tools.id],
    });
    // The agent still answers.
    expect((await asAgent((await start(tenant.live, workspaceId)).id)).status).toBe(200);
  });

  test("an agent that is paused by hand is denied every tool, and one of another workspace is not found", async () => {
    const evaluate = () =>
      tenant.live.post(`/api/workspaces/${workspaceId}/policy-entries/evaluate`, { tool: "offer-refund", agentId });
    expect((await evaluate()).body).toMatchObject({ effect: "allow" });
    await tenant.live.patch(`/api/agents/${agentId}`, { status: "paused" }, 200);
    expect((await evaluate()).body).toMatchObject({
      effect: "deny",
      reason: "The agent is paused",
      circuitBreakers: [],
    });
    await tenant.live.patch(`/api/agents/${agentId}`, { workspaceIds: [tenant.defaults.workspaceId] }, 200);
    expect((await evaluate()).status).toBe(404);
  });

  test("an entry goes back to review and is not found until it is approved; one that is not approved does not change", async () => {
    await setTo([{ metric: "csat", threshold: 0.3, action: "require_approval" }]);
    const add = async () =>
      (
        await tenant.live.post(
          `/api/workspaces/${workspaceId}/kb-entries`,
          { question: "Where is my parcel?", answer: "On its way" },
          201,
        )
      ).body;
    const entry = await add();
    const search = async () =>
      (await tenant.live.get(`/api/workspaces/${workspaceId}/kb-entries/search?q=parcel`, 200)).body.data;
    expect(await search()).toHaveLength(1);
    const { id } = await goWrong({ workspaceId, metric: "csat", entityType: "kb_entry", entityId: entry.id });
    expect(await breakers()).toMatchObject([{ action: "require_approval", entityName: "Where is my parcel?" }]);
    expect((await tenant.live.get(`/api/kb-entries/${entry.id}`, 200)).body).toMatchObject({
      status: "pending",
      reviewedBy: null,
      reviewedAt: null,
    });
    expect(await search()).toEqual([]);
    await resolve(id);
    expect((await tenant.live.get(`/api/kb-entries/${entry.id}`, 200)).body).toMatchObject({ status: "pending" });
    await tenant.live.post(`/api/kb-entries/${entry.id}/approve`, undefined, 200);
    expect(await search()).toHaveLength(1);
    await tenant.live.post(`/api/kb-entries/${entry.id}/archive`, undefined, 200);
    await goWrong({ workspaceId, metric: "csat", entityType: "kb_entry", entityId: entry.id });
    expect((await tenant.live.get(`/api/kb-entries/${entry.id}`, 200)).body).toMatchObject({ status: "archived" });
  });
});

describe("concurrently", () => {
  test("counted twenty times on two nodes, too many bad outcomes trip one breaker and raise one item", async () => {
    for (let round = 0; round < 3; round++) {
      const of = { ...csat(), entityId: randomUUID() };
      await Promise.all([
        ...Array.from({ length: 20 }, (_, n) => record(tenant, ended(of, 0, 5)).then(() => fold(node(n)))),
        concurrently(10, (n) => fold(node(n))),
      ]);
      await fold(nodes.a);
      expect((await breakers()).filter(({ entityId }) => entityId === of.entityId)).toHaveLength(1);
    }
    expect((await items()).map(({ occurrences }) => occurrences)).toEqual([1, 1, 1]);
  });

  test("resolved twenty times, it is resolved once", async () => {
    const { id } = await goWrong();
    expect(
      tally(
        (
          await concurrently(20, (n) =>
            on(node(n), owner).post(`/api/quality/circuit-breakers/${id}/resolve`, { note: `${n}` }),
          )
        ).map(({ status }) => status),
      ),
    ).toEqual({ 200: 20 });
    expect(
      await nodes.a.db.query(`select from audit_entry where resource_id = $1 and change = 'updated'`, [id]),
    ).toHaveLength(1);
  });

  test("resolved during a count, new outcomes are either settled or trip it again, and every outcome counts", async () => {
    for (let round = 0; round < 5; round++) {
      const of = { ...csat(), entityId: randomUUID() };
      const { id } = await goWrong(of);
      await Promise.all([
        resolve(id),
        ...Array.from({ length: 6 }, (_, n) => record(tenant, ended(of, 0, 3)).then(() => fold(node(n)))),
      ]);
      await fold(nodes.a);
      const [{ total, settled }] = (await nodes.a.db.query<{ total: number; settled: number }>(
        "select sum(total)::int as total, sum(settled_total)::int as settled from outcome_count where entity_id = $1",
        [of.entityId],
      )) as [{ total: number; settled: number }];
      expect(total).toBe(38);
      expect(settled).toBeGreaterThanOrEqual(20);
      expect((await breakers("&state=tripped")).filter(({ entityId }) => entityId === of.entityId)).toEqual([]);
    }
  });

  test("turned off during a count, a metric trips nothing afterwards", async () => {
    for (let round = 0; round < 5; round++) {
      await setTo([]);
      const of = { ...csat(), entityId: randomUUID() };
      await record(tenant, ended(of, 0, 30));
      const [put] = await Promise.all([setTo([{ metric: "csat", enabled: false, threshold: 0.3 }]), fold(nodes.b)]);
      expect(put.status).toBe(200);
      const before = await breakers();
      await record(tenant, ended(of, 0, 30));
      await concurrently(4, (n) => fold(node(n)));
      expect(await breakers()).toEqual(before);
    }
  });

  test("writing settings and resolving wait for a count that is running", async () => {
    const { id } = await goWrong();
    for (const work of [() => setTo([]), () => resolve(id)]) {
      const other = await connect(nodes.a.db.url);
      try {
        await other.query("begin");
        await other.query(`select pg_advisory_xact_lock(hashtext('parley outcomes'), hashtext($1))`, [tenant.tenantId]);
        const answer = work();
        await until(
          () =>
            nodes.a.db.query(
              `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%parley outcomes%'`,
            ),
          "they wait",
        );
        await other.query("commit");
        expect((await answer).status).toBe(200);
      } finally {
        await other.end();
      }
    }
  });

  test("the breaker waits for an answer that has locked the agent", async () => {
    await setTo([{ metric: "csat", threshold: 0.3, action: "pause_assistant" }]);
    await record(tenant, ended(csat(), 0, 30));
    const other = await connect(nodes.a.db.url);
    try {
      await other.query("begin");
      await other.query("select from agent where id = $1 for share", [agentId]);
      const counting = fold(nodes.a);
      await until(
        () =>
          nodes.a.db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike '%from "agent"%for no key update%'`,
          ),
        "the breaker waits",
      );
      expect(await breakers()).toEqual([]);
      await other.query("commit");
      await counting;
    } finally {
      await other.end();
    }
    expect(await breakers()).toMatchObject([{ state: "tripped", action: "pause_assistant" }]);
  });

  test("an answer that waits while the breaker pauses its agent is refused", async () => {
    await setTo([{ metric: "csat", threshold: 0.3, action: "pause_assistant" }]);
    const { id } = await start(tenant.live, workspaceId);
    await record(tenant, ended(csat(), 0, 30));
    const other = await connect(nodes.a.db.url);
    try {
      await other.query("begin");
      await other.query("select from agent where id = $1 for no key update", [agentId]);
      const answer = asAgent(id);
      await until(
        () =>
          nodes.a.db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%for share of a, w%'`,
          ),
        "the answer waits",
      );
      await other.query(`select set_config('app.tenant_id', $1, true)`, [tenant.tenantId]);
      await other.query(
        `insert into circuit_breaker (tenant_id, id, workspace_id, entity_type, entity_id, metric, action, threshold, window_days, sample_days, sample_size, observed, low, tripped_at)
        values ($1, $2, $3, 'agent', $4, 'handoff', 'pause_assistant', 0.3, 30, 1, 20, 1, 0.5, now())`,
        [tenant.tenantId, randomUUID(), workspaceId, agentId],
      );
      await other.query("commit");
      expect((await answer).status).toBe(409);
    } finally {
      await other.end();
    }
    expect((await tenant.live.get(`/api/conversations/${id}/messages`, 200)).body.data).toEqual([]);
  });

  test("of twenty answers during a trip none is stored after it", async () => {
    await setTo([{ metric: "csat", threshold: 0.3, action: "pause_assistant" }]);
    const conversations = await Promise.all(Array.from({ length: 20 }, () => start(tenant.live, workspaceId)));
    await record(tenant, ended(csat(), 0, 30));
    const [answers] = await Promise.all([
      Promise.all(conversations.map(({ id }, n) => asAgent(id, on(node(n), tenant.live)))),
      fold(nodes.b),
    ]);
    expect(tally(answers.map(({ status }) => (status === 200 || status === 409 ? "told" : status)))).toEqual({
      told: 20,
    });
    const written = await nodes.a.db.query<{ late: boolean }>(
      `select m.created_at > b.tripped_at as late from message m join circuit_breaker b on b.workspace_id = $1 where m.author_id = $2 and m.conversation_id = any($3::uuid[])`,
      [workspaceId, agentId, conversations.map(({ id }) => id)],
    );
    expect(written.filter(({ late }) => late)).toEqual([]);
    expect(written).toHaveLength(answers.filter(({ status }) => status === 200).length);
    expect((await asAgent(conversations[0]!.id)).status).toBe(409);
  });
});
