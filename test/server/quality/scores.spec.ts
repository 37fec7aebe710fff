import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Outcome } from "../../../src/platform/outcomes/record-outcomes.js";
import { wilson } from "../../../src/platform/outcomes/wilson.js";
import { newAgent, newWorkspace, NOT_FOUND, start, walk } from "../e2e/support.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { runs } from "../../support/seed.js";
import { age, ended, fold, type Of, record } from "./support.js";
import { answer, configure, decide, linkOf, resolve, talk } from "../csat/support.js";
import { concurrently } from "../../races/support.js";
import { awayFromMidnight } from "../../support/clock.js";

let app: TestApp;
// Days are counted.
beforeEach(awayFromMidnight);
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe("scores", () => {
  let tenant: TestTenant;
  let owner: Client;
  let workspaceId: string;
  beforeAll(async () => {
    tenant = await app.tenant();
    owner = await tenant.owner();
  });
  beforeEach(async () => {
    workspaceId = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
  });

  const scores = async (query = "", client: Client = owner) =>
    (await client.get(`/api/quality/scores?workspaceId=${workspaceId}${query}`, 200)).body.data;
  const digits = (value: number): number => Math.round(value * 10_000) / 10_000;

  test("show the share of good outcomes of each entity with its interval, as soon as they are written", async () => {
    const agentId = (
      await tenant.live.post(
        "/api/agents",
        { name: "Returns desk", instructions: "Help", workspaceIds: [workspaceId] },
        201,
      )
    ).body.id;
    const { channelId } = await start(tenant.live, workspaceId);
    const entry = (
      await tenant.live.post(
        `/api/workspaces/${workspaceId}/kb-entries`,
        { question: "Where is it?", answer: "Here" },
        201,
      )
    ).body.id;
    const of = (metric: Of["metric"], entityType: Of["entityType"], entityId: string): Of => ({
      workspaceId,
      metric,
      entityType,
      entityId,
    });
    await record(tenant, [
      ...ended(of("handoff", "agent", agentId), 8, 2),
      ...ended(of("delivery", "channel", channelId), 0, 1),
      ...ended(of("csat", "kb_entry", entry), 3, 0),
      ...ended(of("tool", "tool", "crm"), 1, 1),
      ...ended(of("csat", "member", randomUUID()), 1, 0),
      ...ended(of("csat", "workspace", workspaceId), 1, 0),
      ...ended(of("csat_asked", "agent", agentId), 5, 0),
    ]);
    const before = await scores();
    expect(before).toEqual([
      {
        entityType: "agent",
        entityId: agentId,
        name: "Returns desk",
        metric: "handoff",
        score: 0.8,
        low: 0.4902,
        high: 0.9433,
        sampleSize: 10,
        window: 30,
      },
      {
        entityType: "channel",
        entityId: channelId,
        name: expect.any(String),
        metric: "delivery",
        score: 0,
        low: 0,
        high: 0.7935,
        sampleSize: 1,
        window: 30,
      },
      {
        entityType: "kb_entry",
        entityId: entry,
        name: "Where is it?",
        metric: "csat",
        score: 1,
        low: 0.4385,
        high: 1,
        sampleSize: 3,
        window: 30,
      },
      {
        entityType: "tool",
        entityId: "crm",
        name: "crm",
        metric: "tool",
        score: 0.5,
        low: 0.0945,
        high: 0.9055,
        sampleSize: 2,
        window: 30,
      },
    ]);
    await fold(app);
    expect(await scores()).toEqual(before);
    expect(await scores("&entityType=channel")).toEqual([before[1]]);
    expect(await scores(`&entityId=${entry}&metric=csat`)).toEqual([before[2]]);
    expect(await scores(`&entityId=${entry}&metric=tool`)).toEqual([]);
  });

  test("count contacts as satisfied if their rating is in the upper quarter of the scale", async () => {
    const rate = (entityId: string, scale: number, values: number[]): Outcome[] =>
      values.map((value) => ({
        workspaceId,
        metric: "csat",
        entityType: "agent",
        entityId,
        scale,
        value,
        bad: value === 1,
      }));
    const [two, five, ten] = ["1", "2", "3"].map((digit) => `${digit}0000000-0000-7000-8000-000000000000`) as [
      string,
      string,
      string,
    ];
    const upTo = (scale: number): number[] => Array.from({ length: scale }, (_, n) => n + 1);
    await record(tenant, [...rate(two, 2, upTo(2)), ...rate(five, 5, upTo(5)), ...rate(ten, 10, upTo(10))]);
    expect((await scores()).map(({ entityId, score }) => [entityId, score])).toEqual([
      [two, 0.5],
      [five, 0.4],
      [ten, 0.3],
    ]);
  });

  test("equal a plain recount over 7, 30 and 90 days, page by page, counted or not, settled or not", async () => {
    const ids = Array.from({ length: 3 }, () => randomUUID());
    const outcome = fc.record({
      ago: fc.constantFrom(0, 1, 6, 7, 29, 30, 89, 90),
      which: fc.nat(2),
      metric: fc.constantFrom("csat" as const, "handoff" as const),
      bad: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { maxLength: 60 }), async (outcomes) => {
        workspaceId = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
        // The oldest first, so that each reaches its intended age.
        const sorted = [...outcomes].sort((one, other) => other.ago - one.ago);
        for (const [n, { ago, which, metric, bad }] of sorted.entries()) {
          await record(
            tenant,
            ended({ workspaceId, metric, entityType: "agent", entityId: ids[which]! }, Number(!bad), Number(bad)),
          );
          const next = sorted[n + 1]?.ago ?? 0;
          if (next === ago) continue;
          await fold(app);
          await age(app, workspaceId, ago - next);
        }
        await app.db.query(
          "update outcome_count set settled_total = total, settled_bad = bad where workspace_id = $1",
          [workspaceId],
        );
        for (const window of [7, 30, 90]) {
          const expected = ids
            .flatMap((entityId, which) =>
              (["csat", "handoff"] as const).flatMap((metric) => {
                const these = outcomes.filter(
                  (one) => one.which === which && one.metric === metric && one.ago < window,
                );
                if (!these.length) return [];
                const { share, low, high } = wilson(these.filter(({ bad }) => !bad).length, these.length);
                return [
                  {
                    entityType: "agent",
                    entityId,
                    name: null,
                    metric,
                    score: digits(share),
                    low: digits(low),
                    high: digits(high),
                    sampleSize: these.length,
                    window,
                  },
                ];
              }),
            )
            .sort((one, other) => (one.entityId + one.metric < other.entityId + other.metric ? -1 : 1));
          expect(await walk(owner, `/api/quality/scores?workspaceId=${workspaceId}&window=${window}`, 2)).toEqual(
            expected,
          );
        }
      }),
      { numRuns: runs(5, 12) },
    );
  });

  test("add up only the workspaces within the data scope", async () => {
    const elsewhere = (await newWorkspace(tenant.live, tenant.defaults.brandId)).id;
    const entityId = randomUUID();
    const of = (at: string): Of => ({ workspaceId: at, metric: "handoff", entityType: "agent", entityId });
    await record(tenant, [...ended(of(workspaceId), 1, 0), ...ended(of(elsewhere), 0, 3)]);
    const sizes = async (client: Client, query = ""): Promise<number[]> =>
      (await client.get(`/api/quality/scores?entityId=${entityId}${query}`, 200)).body.data.map(
        (one) => one.sampleSize,
      );
    expect(await sizes(owner)).toEqual([4]);
    expect(await sizes(owner, `&workspaceId=${elsewhere}`)).toEqual([3]);
    for (const client of [
      await newAgent(owner, [workspaceId]),
      await keyFor(owner, { dataScope: { level: "workspace", workspaceId } }),
    ]) {
      expect(await sizes(client)).toEqual([1]);
      expect((await client.get(`/api/quality/scores?workspaceId=${elsewhere}`, 404)).body).toEqual(NOT_FOUND);
    }
    expect(await sizes(tenant.test)).toEqual([]);
  });
});

describe("a breaker", () => {
  let tenant: TestTenant;
  beforeAll(async () => {
    tenant = await app.tenant();
  });

  test("low ratings pause the agent, and it does not answer the next customer", async () => {
    const {
      live,
      defaults: { workspaceId },
    } = tenant;
    const owner = await tenant.owner();
    await configure(owner, workspaceId);
    await owner.put(
      `/api/workspaces/${workspaceId}/breaker-settings`,
      { settings: [{ metric: "csat", threshold: 0.3, action: "pause_assistant" }] },
      200,
    );
    const agentId = (
      await live.post("/api/agents", { name: "Returns desk", instructions: "Help", workspaceIds: [workspaceId] }, 201)
    ).body.id;
    const served = async () => {
      const conversation = await talk(live, workspaceId, { reply: null });
      return {
        ...conversation,
        status: (await live.post(`${conversation.path}/reply`, { body: "No.", agentId })).status,
      };
    };
    const conversations = await concurrently(20, served);
    for (const conversation of conversations) await resolve(live, conversation);
    await decide(app);
    const rate = async (n: number): Promise<void> => {
      expect((await answer(app, await linkOf(live, conversations[n]!), { score: "1" })).status).toBe(200);
      await fold(app);
    };
    for (let n = 0; n < 19; n++) await rate(n);
    expect((await served()).status).toBe(200);
    await rate(19);
    expect((await served()).status).toBe(409);
    const breakers = (await owner.get("/api/quality/circuit-breakers?state=tripped", 200)).body;
    expect(
      breakers.map(({ entityType, action, observed, sampleSize }) => [entityType, action, observed, sampleSize]).sort(),
    ).toEqual([
      ["agent", "pause_assistant", 1, 20],
      ["channel", "notify", 1, 20],
    ]);
    expect((await owner.get(`/api/quality/scores?entityId=${agentId}&metric=csat`, 200)).body.data).toMatchObject([
      { name: "Returns desk", score: 0, sampleSize: 20 },
    ]);
  });
});
