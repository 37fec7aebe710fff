import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  askForApproval,
  beginRun,
  call,
  type Desk,
  openDesk,
  policy,
  REFUND,
  startToolServer,
  type ToolServer,
  VALID,
} from "../assistant/tools-support.js";
import { newAgent } from "../e2e/support.js";
import type { Schemas } from "../../support/api-types.js";
import { keyFor, startApp, type TestApp, type TestTenant } from "../../support/app.js";
import type { Client } from "../../support/client.js";

describe("over the API", () => {
  let app: TestApp;
  let tenant: TestTenant;
  let owner: Client;
  let server: ToolServer;
  let desk: Desk;
  beforeAll(async () => {
    server = await startToolServer();
    app = await startApp({ OUTBOUND_ALLOW: [server.host] });
    tenant = await app.tenant();
    owner = await tenant.owner();
  });
  afterAll(async () => {
    await app.close();
    await server.close();
  });
  beforeEach(async () => {
    desk = await openDesk(app, tenant, owner, server);
    // Could decide as well, and never does.
    await newAgent(owner, [desk.workspaceId]);
    await policy(desk, "require_approval");
  });

  const ask = (amount: number) => askForApproval(desk, { ...VALID, amount });
  const approve = (client: Client, { id, argumentsHash }: Schemas["PendingAction"]) =>
    client.post(`/api/pending-actions/${id}/approve`, { argumentsHash }, 200);
  const approveAll = async (amounts: readonly number[]): Promise<Awaited<ReturnType<typeof ask>>[]> => {
    const asked = [];
    for (const [n, amount] of amounts.entries()) {
      asked.push(await ask(amount));
      await approve(owner, asked[n]!.action);
    }
    return asked;
  };
  const proposed = async (): Promise<Schemas["PolicyEntry"][]> =>
    (await owner.get(`/api/workspaces/${desk.workspaceId}/policy-entries/pending`, 200)).body;
  const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1);

  test("20 approvals make one proposal, which allows what they approved once a person approves it", async () => {
    await owner.post(`/api/pending-actions/${(await ask(25)).action.id}/reject`, {}, 200);
    const asked = await approveAll(upTo(19));
    expect(await proposed()).toEqual([]);
    asked.push(...(await approveAll([19.5])));
    const [entry, ...others] = await proposed();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      title: "refund_order: amount up to 19.5",
      effect: "allow",
      tools: [REFUND.name],
      source: "learning",
      status: "pending",
      priority: 101,
      conditions: {
        all: [
          { field: "arguments.amount", op: "gte", value: 0 },
          { field: "arguments.amount", op: "lte", value: 19.5 },
        ],
      },
      evidenceCount: 20,
    });
    expect(entry!.evidence.map(({ conversationId }) => conversationId).sort()).toEqual(
      asked.map(({ run }) => run.conversationId).sort(),
    );
    expect(await call(desk, await beginRun(desk), REFUND.name, { ...VALID, amount: 19 })).toMatchObject({
      kind: "waits",
    });
    await approveAll([22]);
    expect(await proposed()).toHaveLength(1);
    await owner.post(`/api/policy-entries/${entry!.id}/approve`, {}, 200);
    server.answers = { "/refund": () => ({ body: { refunded: 19 } }) };
    expect(await call(desk, await beginRun(desk), REFUND.name, { ...VALID, amount: 19 })).toMatchObject({
      kind: "result",
    });
    expect(await call(desk, await beginRun(desk), REFUND.name, { ...VALID, amount: 20 })).toMatchObject({
      kind: "waits",
    });
  });

  test("an erasure deletes one that waits, and the next approval proposes from the others alone; what is rejected then is not proposed again, also after another erasure", async () => {
    const asked = await approveAll(upTo(21));
    const erase = ({ run }: (typeof asked)[number]) =>
      owner.post(`/api/contacts/${run.contactId}/erasure`, undefined, 200);
    const [entry] = await proposed();
    await erase(asked[0]!);
    expect(await proposed()).toEqual([]);
    const [{ run }] = (await approveAll([5])) as [Awaited<ReturnType<typeof ask>>];
    const [anew] = await proposed();
    expect(anew!.id).not.toBe(entry!.id);
    const named = anew!.evidence.map(({ conversationId }) => conversationId);
    expect(named).toHaveLength(21);
    expect(named).toContain(run.conversationId);
    expect(named).not.toContain(asked[0]!.run.conversationId);

    await owner.post(`/api/policy-entries/${anew!.id}/reject`, { reason: "Too much" }, 200);
    await approveAll([7]);
    await erase(asked[3]!);
    await approveAll([8, 9]);
    expect(await proposed()).toEqual([]);
    expect((await owner.get(`/api/policy-entries/${anew!.id}`, 200)).body).toMatchObject({
      status: "rejected",
      evidenceCount: 20,
    });
  });

  test("approvals of before the tool was changed, and those of a key, count for nothing", async () => {
    await approveAll(upTo(5));
    await owner.patch(`/api/tools/${desk.toolId}`, { description: "Refunds an order, in cents" }, 200);
    await approveAll(upTo(15));
    const integration = await keyFor(owner, { scopes: ["conversations:write", "conversations:read"] });
    for (let n = 0; n < 5; n++) await approve(integration, (await ask(n + 1)).action);
    expect(await proposed()).toEqual([]);
  });
});
