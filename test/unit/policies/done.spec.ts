import { expect, test } from "vitest";
import { doneFieldsIn, explain, faultOf } from "../../../src/knowledge/policies/conditions.js";
import { doneFieldOf, nested } from "../../../src/knowledge/policies/done.js";

test("a field about what was done names the tool, what is counted, and the period", () => {
  expect(doneFieldOf("done.refund_order.count.24h")).toEqual({
    field: "done.refund_order.count.24h",
    tool: "refund_order",
    path: null,
    seconds: 86_400,
  });
  expect(doneFieldOf("done.refund-order.sum.order.total.30d")).toMatchObject({
    tool: "refund-order",
    path: ["order", "total"],
    seconds: 2_592_000,
  });
});

test.each([
  "done.refund",
  "done.refund.count",
  "done.refund.sum.24h",
  "done.refund.count.31d",
  "done.refund.count.0h",
  "done.refund.count.1w",
  "done.refund.average.amount.24h",
])("a condition about what was done is refused where nobody would know what it counts: %s", (field) => {
  expect(faultOf({ field, op: "gt", value: 5 })).toContain("must name what was done");
});

test("all of them are found in a condition, once each, and stand where the condition looks for them", () => {
  const one = { field: "done.refund.sum.amount.24h", op: "gt", value: 5 } as const;
  const other = { field: "done.refund.count.1h", op: "gte", value: 3 } as const;
  const fields = doneFieldsIn([{ all: [one, { not: { any: [other, one] } }] }, null, other]);
  expect(fields.map(({ field }) => field)).toEqual([one.field, other.field]);
  expect(nested(fields, [7.5, undefined])).toEqual({ refund: { sum: { amount: { "24h": 7.5 } } } });
});

test("names of tools and arguments that JavaScript gives to every object are names like others", () => {
  const fields = ["done.__proto__.count.24h", "done.constructor.sum.__proto__.1h", "done.refund.sum.toString.1h"].map(
    (field) => doneFieldOf(field)!,
  );
  const found = nested(fields, [1, 2, 3]);
  expect(({} as { count?: unknown }).count).toBeUndefined();
  expect(Object).not.toHaveProperty("sum");
  for (const [n, { field }] of fields.entries())
    expect(explain({ field, op: "eq", value: n + 1 }, { done: found }).holds).toBe(true);
});

test("a sum whose argument is called like a period of another is not known where both cannot be", () => {
  const fields = ["done.refund.sum.amount.24h", "done.refund.sum.amount.24h.fee.1h"].map((field) =>
    doneFieldOf(field)!,
  );
  const found = { done: nested(fields, [5, 6]) };
  expect(explain({ field: fields[0]!.field, op: "eq", value: 5 }, found).holds).toBe(true);
  expect(explain({ field: fields[1]!.field, op: "eq", value: 6 }, found).holds).toBeNull();
});
