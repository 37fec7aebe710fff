import { describe, expect, test } from "vitest";
import { type Condition, explain, faultOf, MAX_DEPTH, MAX_PARTS } from "../../../src/knowledge/policies/conditions.js";

const context = {
  order: { total: 120, id: "A-1", paid: true, items: ["shirt", "boots"], note: null, nested: [{ a: 1 }] },
  tier: "gold",
  count: 0,
};

describe("a comparison", () => {
  test.each<[string, string, unknown, boolean, string]>([
    ["tier", "eq", "gold", true, 'tier is "gold"'],
    ["tier", "eq", "silver", false, 'tier is not "silver"'],
    ["tier", "ne", "silver", true, 'tier is not "silver"'],
    ["tier", "ne", "gold", false, 'tier is "gold"'],
    ["order.paid", "eq", true, true, "order.paid is true"],
    ["count", "eq", 0, true, "count is 0"],
    ["order.total", "gt", 119.5, true, "order.total is greater than 119.5"],
    ["order.total", "gt", 120, false, "order.total is not greater than 120"],
    ["order.total", "gte", 120, true, "order.total is at least 120"],
    ["order.total", "lt", 120, false, "order.total is not less than 120"],
    ["order.total", "lte", 120, true, "order.total is at most 120"],
    ["tier", "in", ["gold", 7], true, 'tier is one of ["gold",7]'],
    ["count", "in", ["gold", 7], false, 'count is none of ["gold",7]'],
    ["order.items", "contains", "boots", true, 'order.items contains "boots"'],
    ["order.items", "contains", "boot", false, 'order.items does not contain "boot"'],
    ["order.id", "contains", "A-", true, 'order.id contains "A-"'],
    ["tier", "exists", true, true, "tier is there"],
    ["tier", "exists", false, false, "tier is there"],
    ["nobody", "exists", false, true, "nobody is missing"],
  ])("%s %s %j: %s", (field, op, value, holds, why) => {
    expect(explain({ field, op, value } as Condition, context)).toEqual({ holds, why: [why] });
  });

  test.each<[string, string]>([
    ["order.nested.0", "order.nested.0 is missing"],
    ["constructor", "constructor is missing"],
    ["order.toString", "order.toString is missing"],
  ])("treats an unknown context field as missing: %s", (field, why) => {
    expect(explain({ field, op: "exists" }, context)).toEqual({ holds: false, why: [why] });
  });

  test.each<[string, string, unknown, string]>([
    ["nobody", "eq", "x", "nobody is missing"],
    ["nobody", "ne", "x", "nobody is missing"],
    ["order.note", "ne", "x", "order.note is missing"],
    ["tier.length", "gt", 1, "tier.length is missing"],
    ["tier", "gt", 1, "tier is not a number"],
    ["order.total", "eq", "120", "order.total is not a text"],
    ["order.total", "ne", "120", "order.total is not a text"],
    ["order", "eq", "x", "order is not a text"],
    ["order.paid", "in", ["true", 1], "order.paid is not a text or a number"],
    ["order.total", "contains", "1", "order.total is not a list or a text"],
    ["order.id", "contains", 1, "order.id is not a list"],
  ])("with a missing or wrongly typed field is undecided and reports the field: %s %s %j", (field, op, value, why) => {
    const comparison = { field, op, value } as Condition;
    expect(explain(comparison, context)).toEqual({ holds: null, why: [why] });
    expect(explain({ not: comparison }, context)).toEqual({ holds: null, why: [why] });
    const [yes, no] = [
      { field: "tier", op: "exists" },
      { field: "nobody", op: "exists" },
    ] as const;
    expect(
      [
        { all: [yes, comparison] },
        { all: [no, comparison] },
        { any: [yes, comparison] },
        { any: [no, comparison] },
      ].map((one) => explain(one as Condition, context).holds),
    ).toEqual([null, false, true, null]);
  });
});

test("all, any and not report only the comparisons that decided the result", () => {
  const [yes, no] = [
    { field: "tier", op: "eq", value: "gold" },
    { field: "order.total", op: "lt", value: 100 },
  ] as const;
  expect(explain({ all: [yes, no] }, context)).toEqual({ holds: false, why: ["order.total is not less than 100"] });
  expect(explain({ any: [yes, no] }, context)).toEqual({ holds: true, why: ['tier is "gold"'] });
  expect(explain({ all: [yes, { not: no }] }, context)).toEqual({
    holds: true,
    why: ['tier is "gold"', "order.total is not less than 100"],
  });
  expect(explain({ not: { any: [no, { field: "x", op: "exists" }] } }, context)).toEqual({
    holds: true,
    why: ["order.total is not less than 100", "x is missing"],
  });
});

describe("condition validation", () => {
  const nested = (depth: number): unknown => (depth === 1 ? { field: "a", op: "exists" } : { not: nested(depth - 1) });
  test.each<[string, unknown]>([
    ["nothing", null],
    ["a list", []],
    ["an empty object", {}],
    ["two kinds at once", { all: [], any: [] }],
    ["a comparison beside a kind", { not: { field: "a", op: "exists" }, op: "eq" }],
    ["an empty list", { all: [] }],
    ["a list of nothing", { any: [null] }],
    ["an unknown op", { field: "a", op: "matches", value: "x" }],
    ["an inherited op", { field: "a", op: "toString", value: "x" }],
    ["no op", { field: "a" }],
    ["a field without a name", { field: "", op: "exists" }],
    ["a field with a space", { field: "a b", op: "exists" }],
    ["eleven names", { field: "a.b.c.d.e.f.g.h.i.j.k", op: "exists" }],
    ["a text to be greater than", { field: "a", op: "gt", value: "1" }],
    ["an object to be equal to", { field: "a", op: "eq", value: {} }],
    ["null to be equal to", { field: "a", op: "eq", value: null }],
    ["no value", { field: "a", op: "eq" }],
    ["an empty list to be in", { field: "a", op: "in", value: [] }],
    ["a list of lists to be in", { field: "a", op: "in", value: [["x"]] }],
    ["a hundred and one values", { field: "a", op: "in", value: Array.from({ length: 101 }, (_, n) => n) }],
    ["a long text", { field: "a", op: "eq", value: "x".repeat(501) }],
    ["another field", { field: "a", op: "eq", value: 1, colour: "red" }],
    ["too deep", nested(MAX_DEPTH + 1)],
    ["too large", { all: Array.from({ length: MAX_PARTS }, () => ({ field: "a", op: "exists" })) }],
  ])("refuses %s", (_, condition) => {
    expect(faultOf(condition)).toMatch(/^must /);
  });

  test("accepts conditions at the limits", () => {
    for (const condition of [
      nested(MAX_DEPTH),
      { all: Array.from({ length: MAX_PARTS - 1 }, () => ({ field: "a", op: "exists" })) },
      { field: "a-b.c_1", op: "exists", value: false },
    ])
      expect(faultOf(condition)).toBeUndefined();
  });
});
