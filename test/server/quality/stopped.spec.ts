import { afterAll, beforeAll, expect, test } from "vitest";
import { answer, configure, decide, linkOf, resolve, talk } from "../csat/support.js";
import { concurrently } from "../../races/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import { fold } from "./support.js";

let app: TestApp;
let tenant: TestTenant;
beforeAll(async () => {
  app = await startApp();
  tenant = await app.tenant();
});
afterAll(() => app.close());

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
