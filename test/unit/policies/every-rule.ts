import fc from "fast-check";
import { expect } from "vitest";
import type { PolicyEvaluationDto } from "../../../src/knowledge/policies/evaluation.dto.js";

// The same decision as the application's, made by checking every rule in turn.

const STRICTNESS: Record<string, number> = { allow: 0, require_approval: 1, escalate: 2, deny: 3 };
interface Condition {
  all?: Condition[];
  any?: Condition[];
  not?: Condition;
  field?: string;
  op?: string;
  value?: unknown;
}
function bounds(condition: Condition | null, context: unknown): [certainly: boolean, possibly: boolean] {
  const both = (value: boolean): [boolean, boolean] => [value, value];
  if (!condition) return both(true);
  const parts = (condition.all ?? condition.any ?? []).map((part) => bounds(part, context));
  if (condition.all) return [parts.every(([certainly]) => certainly), parts.every(([, possibly]) => possibly)];
  if (condition.any) return [parts.some(([certainly]) => certainly), parts.some(([, possibly]) => possibly)];
  if (condition.not) {
    const [certainly, possibly] = bounds(condition.not, context);
    return [!possibly, !certainly];
  }
  const { field, op, value } = condition;
  const found = field!
    .split(".")
    .reduce<unknown>(
      (part, name) => (typeof part === "object" && part ? (part as Record<string, unknown>)[name] : undefined),
      context,
    );
  if (op === "exists") return both((found !== undefined && found !== null) === (value ?? true));
  const types = (op === "in" ? (value as unknown[]) : [["eq", "ne"].includes(op!) ? value : 0]).map(
    (one) => typeof one,
  );
  if (found === undefined || found === null || !types.includes(typeof found)) return [false, true];
  if (op === "eq") return both(found === value);
  if (op === "ne") return both(found !== value);
  if (op === "in") return both((value as unknown[]).includes(found));
  const [left, right] = [found as number, value as number];
  return both(op === "gt" ? left > right : op === "gte" ? left >= right : op === "lt" ? left < right : left <= right);
}

const field = fc.constantFrom("a", "b", "o.a", "o.b");
const scalar = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom("x", "y"), fc.boolean());
const comparison = fc.oneof(
  fc.record({ field, op: fc.constantFrom("eq", "ne"), value: scalar }),
  fc.record({ field, op: fc.constantFrom("gt", "gte", "lt", "lte"), value: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ field, op: fc.constant("in"), value: fc.array(scalar, { minLength: 1, maxLength: 3 }) }),
  fc.record({ field, op: fc.constant("exists"), value: fc.boolean() }),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    comparison,
    fc.record({ all: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie("condition"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie("condition") }),
  ),
}));
export const ruleOf = fc.record({
  effect: fc.constantFrom(...Object.keys(STRICTNESS)),
  priority: fc.integer({ min: 0, max: 3 }),
  tools: fc.uniqueArray(fc.constantFrom("t1", "t2", "t3"), { maxLength: 2 }),
  conditions: fc.option(condition),
  requiredAssuranceLevel: fc.constantFrom(null, "identified", "high-assurance"),
  status: fc.constantFrom("approved", "approved", "pending"),
  validUntil: fc.constantFrom(null, "2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"),
});
const value = fc.option(scalar, { nil: undefined });
export const contextOf = fc.record({ a: value, b: value, o: fc.record({ a: value, b: value }) });

interface Live {
  title: string;
  effect: string;
  priority: number;
  conditions: Condition | null;
  requiredAssuranceLevel: string | null;
}
type Decision = Pick<
  PolicyEvaluationDto,
  "effect" | "requiredAssuranceLevel" | "decidedBy" | "applying" | "notApplying"
>;

/** @param live the rules about the tool that are approved and valid */
export function expectDecision(answer: Decision, live: readonly Live[], context: object): void {
  const applying = live.filter(({ conditions, effect }) => bounds(conditions, context)[effect === "allow" ? 0 : 1]);
  const top = Math.max(...applying.map(({ priority }) => priority));
  const strictest = applying
    .filter(({ priority }) => priority === top)
    .map(({ effect }) => effect)
    .sort((a, b) => STRICTNESS[b]! - STRICTNESS[a]!)[0];
  const levels = live
    .filter(({ conditions }) => bounds(conditions, context)[1])
    .map(({ requiredAssuranceLevel }) => requiredAssuranceLevel);
  expect(answer).toMatchObject({
    effect: strictest ?? "allow",
    requiredAssuranceLevel: levels.includes("high-assurance")
      ? "high-assurance"
      : levels.includes("identified")
        ? "identified"
        : null,
  });
  const titles = (rules: readonly { title: string }[]): string[] => rules.map(({ title }) => title).sort();
  expect(titles(answer.applying)).toEqual(titles(applying));
  expect(titles(answer.notApplying)).toEqual(titles(live.filter((one) => !applying.includes(one))));
  expect(answer.decidedBy).toBe(answer.applying[0]?.id ?? null);
  for (const { why } of [...answer.applying, ...answer.notApplying]) expect(why).not.toEqual([]);
}
