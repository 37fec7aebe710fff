import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { start } from "../e2e/support.js";
import { startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";
import { calls, replies, type ScriptedModel, startModel } from "./model-support.js";
import { activityOf, ask, assist, outcomesOf, saidIn, teach } from "./support.js";
import {
  carryOut,
  type Desk,
  openDesk,
  policy,
  REFUND,
  startToolServer,
  type ToolServer,
  VALID,
} from "./tools-support.js";

// From the customer's message over the model, the policies and a person to the tool, and back.

const RULE = { question: "How do refunds work?", answer: "Your refund arrives within five days." };

let app: TestApp;
let tenant: TestTenant;
let owner: Client;
let key: Client;
let server: ToolServer;
let model: ScriptedModel;
let desk: Desk;
beforeAll(async () => {
  [server, model] = await Promise.all([startToolServer(), startModel()]);
  const { OUTBOUND_ALLOW, ...settings } = model.settings;
  app = await startApp({ ...settings, OUTBOUND_ALLOW: [...OUTBOUND_ALLOW, server.host] });
  tenant = await app.tenant();
  owner = await tenant.owner();
  key = tenant.live;
});
afterAll(async () => {
  await app.close();
  await server.close();
  model.close();
});
beforeEach(async () => {
  server.calls.length = 0;
  server.answers = { "/refund": () => ({ body: { refunded: 30 } }) };
  desk = await openDesk(app, tenant, owner, server);
  await teach(key, desk.workspaceId, [RULE]);
});

let customers = 0;
const asked = async (body = "Please refund 30 euros for my order #W1234567"): Promise<string> =>
  (
    await start(key, desk.workspaceId, {
      contact: { name: "Ada", externalId: `shopper-${++customers}` },
      message: { body },
    })
  ).id;
const actionOf = async (id: string) => (await owner.get(`/api/conversations/${id}/pending-actions`, 200)).body.data[0]!;
const approve = async (id: string): Promise<void> => {
  const { id: actionId, argumentsHash } = await actionOf(id);
  await owner.post(`/api/pending-actions/${actionId}/approve`, { argumentsHash }, 200);
  await carryOut(app);
};

describe("a refund that a person has to approve", () => {
  test("is done after the approval, and the customer is answered in the same run", async () => {
    await policy(desk, "require_approval");
    model.script(calls([REFUND.name, VALID]), replies({ text: RULE.answer }));
    const id = await asked();
    await assist(app);
    expect((await activityOf(key, id))[0]).toMatchObject({ outcome: null, waitsFor: "approval" });
    expect(await saidIn(key, id)).toHaveLength(1);
    await assist(app);
    expect(server.calls, "nothing happens meanwhile").toEqual([]);
    await approve(id);
    expect(server.calls).toHaveLength(1);
    await assist(app);
    expect((await saidIn(key, id)).at(-1)).toBe(`assistant: ${RULE.answer}`);
    const runs = await activityOf(key, id);
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({ outcome: "answered", waitsFor: null });
    expect(runs[0]!.steps.filter(({ type }) => type === "policy")).toMatchObject([
      { tool: REFUND.name, arguments: VALID, effect: "require_approval" },
    ]);
    expect(JSON.stringify(model.requests.at(-1)!.messages), "the model knows what came of it").toContain("refunded");
    expect(server.calls).toHaveLength(1);
  });

  test.each(["approve", "reject"])(
    "that the customer asks for once more is one action, and the newest run ends with it: %s",
    async (decision) => {
      await policy(desk, "require_approval");
      model.script(calls([REFUND.name, VALID]));
      const id = await asked();
      await assist(app);
      await ask(key, id, "Please hurry with the 30 euros for #W1234567");
      await assist(app);
      expect((await owner.get(`/api/conversations/${id}/pending-actions`, 200)).body.data).toHaveLength(1);
      expect(await outcomesOf(key, id)).toEqual(["superseded", null]);
      model.script(replies({ text: RULE.answer }));
      if (decision === "approve") await approve(id);
      else await owner.post(`/api/pending-actions/${(await actionOf(id)).id}/reject`, {}, 200);
      await assist(app);
      const approved = decision === "approve";
      expect(await outcomesOf(key, id)).toEqual(["superseded", approved ? "answered" : "handed_off"]);
      expect(server.calls).toHaveLength(approved ? 1 : 0);
      expect((await saidIn(key, id)).at(-1)).toContain(approved ? RULE.answer : "I could not do that for you");
    },
  );

  test("that is rejected ends the run: people take over", async () => {
    await policy(desk, "require_approval");
    model.script(calls([REFUND.name, VALID]));
    const id = await asked();
    await assist(app);
    await owner.post(`/api/pending-actions/${(await actionOf(id)).id}/reject`, { reason: "No" }, 200);
    expect(await outcomesOf(key, id)).toEqual(["handed_off"]);
    expect((await key.get(`/api/conversations/${id}`, 200)).body.handlingMode).toBe("human");
    expect(server.calls).toEqual([]);
  });
});
