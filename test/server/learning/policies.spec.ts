import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Condition } from "../../../src/knowledge/policies/conditions.js";
import { evaluate } from "../../../src/knowledge/policies/evaluation.js";
import type { Rule } from "../../../src/knowledge/policies/policy-entries.queries.js";
import {
  amountsOf,
  type Decision,
  policyProposalOf,
  type Range,
  rangeOf,
} from "../../../src/learning/policies/policy-proposal.js";
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

const decision = (amount: number, n: number, more: Partial<Decision> = {}): Decision => ({
  conversationId: `conversation ${n}`,
  contactId: `contact ${n % 5}`,
  messageId: `message ${n}`,
  approved: true,
  byPerson: true,
  tainted: false,
  values: { amount },
  ...more,
});
const approvals = (count: number, more: Partial<Decision> = {}): Decision[] =>
  Array.from({ length: count }, (_, n) => decision(n + 1, n, more));
const limits = (decisions: Decision[]): [number, number, number] | undefined => {
  const range = rangeOf(decisions, "amount");
  return range && [range.lowest, range.highest, range.approvals.length];
};

describe("the range in which people approved everything", () => {
  test("needs 20 approvals, for 5 contacts", () => {
    expect(limits(approvals(20))).toEqual([0, 20, 20]);
    expect(limits(approvals(19))).toBeUndefined();
    expect(limits(approvals(40).filter((_, n) => n % 5))).toBeUndefined();
  });

  test("ends below the smallest rejected value", () => {
    const rejected = { approved: false };
    expect(limits([...approvals(30), decision(26, 0, rejected), decision(99, 1, rejected)])).toEqual([0, 25, 25]);
    expect(limits([...approvals(30), decision(20, 0, rejected)])).toBeUndefined();
    // A key's rejection counts, and that of a call that would need approval anyway.
    for (const more of [{ byPerson: false }, { tainted: true }])
      expect(limits([...approvals(30), decision(1, 0, { ...rejected, ...more })])).toBeUndefined();
  });

  test("rests on what people approved, and on calls that the rule would be about", () => {
    expect(limits(approvals(20, { byPerson: false }))).toBeUndefined();
    expect(limits(approvals(20, { tainted: true }))).toBeUndefined();
    expect(limits(approvals(20, { values: { count: 1 } }))).toBeUndefined();
    expect(limits([...approvals(20), decision(-3, 1)])).toEqual([-3, 20, 21]);
  });
});

test("an argument is one that the tool declares as a number, and no choice among numbers", () => {
  const properties = {
    amount: { type: "number" },
    count: { type: ["integer", "null"] },
    reason: { type: "integer", enum: [1, 2] },
    version: { type: "integer", const: 2 },
    orderId: { type: "string" },
  };
  expect(amountsOf({ properties })).toEqual(["amount", "count"]);
  expect(amountsOf({})).toEqual([]);
});

describe("the rule", () => {
  const range: Range = { lowest: 0, highest: 50, approvals: approvals(20), contacts: 5 };
  const rule = (effect: Rule["effect"], priority: number, conditions: Condition | null = null): Rule => ({
    id: `${effect} ${priority}`,
    title: `${effect} ${priority}`,
    rule: "Because",
    effect,
    priority,
    conditions,
    requiredAssuranceLevel: null,
  });
  const propose = (...rules: Rule[]) => policyProposalOf("refund", "amount", range, rules);
  const delivered: Condition = { field: "order.delivered", op: "eq", value: true };

  test("goes before what asks for approval, and changes nothing else", () => {
    const rules = [rule("require_approval", 100), rule("deny", 90, delivered), rule("escalate", 200, delivered)];
    const proposal = propose(...rules)!;
    const effects = (amount: unknown, delivery: unknown = false): string[] => {
      const context = { arguments: { amount }, order: { delivered: delivery } };
      const added = { ...rule("allow", proposal.priority, proposal.conditions), title: proposal.title };
      return [evaluate(rules.slice(0, 2), context), evaluate([...rules.slice(0, 2), added], context)].map(
        ({ effect }) => effect,
      );
    };
    expect(proposal).toMatchObject({ title: "refund: amount up to 50", priority: 101, confidence: 0.955 });
    expect(effects(50)).toEqual(["require_approval", "allow"]);
    for (const amount of [50.01, -1, "50", undefined])
      expect(effects(amount)).toEqual(["require_approval", "require_approval"]);
    for (const delivery of [true, null, "yes"])
      expect(effects(50, delivery)).toEqual(["require_approval", "require_approval"]);
  });

  test("is not proposed if nothing asks for approval, or something denies in every case", () => {
    expect(propose()).toBeUndefined();
    expect(propose(rule("allow", 100))).toBeUndefined();
    expect(propose(rule("require_approval", 1_000))).toBeUndefined();
    expect(propose(rule("require_approval", 100), rule("deny", 50))).toBeUndefined();
  });
});

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

  test("what was rejected is not proposed again, also after a contact was erased", async () => {
    const asked = await approveAll(upTo(20));
    const [entry] = await proposed();
    await owner.post(`/api/policy-entries/${entry!.id}/reject`, { reason: "Too much" }, 200);
    await approveAll([7]);
    await owner.post(`/api/contacts/${asked[3]!.run.contactId}/erasure`, undefined, 200);
    await approveAll([8, 9]);
    expect(await proposed()).toEqual([]);
    expect((await owner.get(`/api/policy-entries/${entry!.id}`, 200)).body).toMatchObject({
      status: "rejected",
      evidenceCount: 19,
    });
  });

  test("an erasure deletes one that waits, and the next approval proposes from the others alone", async () => {
    const asked = await approveAll(upTo(21));
    const [entry] = await proposed();
    await owner.post(`/api/contacts/${asked[0]!.run.contactId}/erasure`, undefined, 200);
    expect(await proposed()).toEqual([]);
    const [{ run }] = (await approveAll([5])) as [Awaited<ReturnType<typeof ask>>];
    const [anew] = await proposed();
    expect(anew!.id).not.toBe(entry!.id);
    const named = anew!.evidence.map(({ conversationId }) => conversationId);
    expect(named).toHaveLength(21);
    expect(named).toContain(run.conversationId);
    expect(named).not.toContain(asked[0]!.run.conversationId);
  });

  test("approvals of before the tool was changed, and those of a key, count for nothing", async () => {
    await approveAll(upTo(10));
    await owner.patch(`/api/tools/${desk.toolId}`, { description: "Refunds an order, in cents" }, 200);
    await approveAll(upTo(15));
    const integration = await keyFor(owner, { scopes: ["conversations:write", "conversations:read"] });
    for (let n = 0; n < 6; n++) await approve(integration, (await ask(n + 1)).action);
    expect(await proposed()).toEqual([]);
  });
});
