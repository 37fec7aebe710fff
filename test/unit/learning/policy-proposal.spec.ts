import { describe, expect, test } from "vitest";
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

const decision = (amount: number, n: number, more: Partial<Decision> = {}): Decision => ({
  conversationId: `conversation ${n}`,
  contactId: `contact ${n % 5}`,
  origin: null,
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
