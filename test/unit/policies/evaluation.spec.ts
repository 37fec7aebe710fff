import fc from "fast-check";
import { test } from "vitest";
import { evaluate } from "../../../src/knowledge/policies/evaluation.js";
import type { Rule } from "../../../src/knowledge/policies/policy-entries.queries.js";
import { runs } from "../../support/seed.js";
import { contextOf, expectDecision, ruleOf } from "./every-rule.js";

test("gives the same decision as checking every rule in turn, for random rules and contexts", () => {
  fc.assert(
    fc.property(fc.array(ruleOf, { minLength: 1, maxLength: 12 }), contextOf, (rules, about) => {
      const context = JSON.parse(JSON.stringify(about)) as Record<string, unknown>;
      const live = rules.map((one, n) => ({ ...one, id: String(n), title: `Rule ${n}`, rule: "R" }));
      expectDecision(evaluate(live as unknown as Rule[], context), live, context);
    }),
    { numRuns: runs(400, 5_000) },
  );
});
