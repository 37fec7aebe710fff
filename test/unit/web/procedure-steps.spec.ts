import { expect, test } from "vitest";
import type { Schemas } from "../../../web/src/api/parley.js";
import { draftOf, newStep, stepOf } from "../../../web/src/features/settings/procedures/draft.js";
import { scalar, typed, valueTyped } from "../../../web/src/features/settings/procedures/values.js";

type Step = Schemas["ProcedureStep"];

const STEPS: Step[] = [
  {
    id: "item",
    type: "ask",
    text: "Which?",
    slot: {
      kind: "choice",
      from: "order.items",
      value: "id",
      label: "{item.name}",
      where: [{ value: "item.available", op: "equals", to: true }],
    },
    check: [{ value: "item", op: "one_of", to: ["a", 5] as never }],
  },
  {
    id: "why",
    type: "ask",
    text: "Why?",
    slot: { kind: "choice", options: [{ value: "broken", label: "It is broken", synonyms: ["torn"] }] },
  },
  {
    id: "order",
    type: "call",
    tool: "get_order",
    arguments: { orderId: "{order_id}", deep: { list: [1, "2"] } },
  },
  { id: "which", type: "branch", cases: [{ when: [{ value: "order", op: "exists" }], next: "end" }] },
  { id: "end", type: "end" },
];

test.each(STEPS)("a step that nobody edits is sent as it was: $id", (step) => {
  expect(stepOf(draftOf(step))).toEqual(step);
});

test("an empty list of conditions is none, and a step of a kind has nothing of another kind", () => {
  const ask: Step = { id: "a", type: "ask", text: "A?", slot: { kind: "choice", from: "b.c", where: [] }, check: [] };
  expect(stepOf(draftOf(ask))).toEqual({ id: "a", type: "ask", text: "A?", slot: { kind: "choice", from: "b.c" } });
  const options = [{ value: "x" as never, label: "X" }];
  const text: Step = { id: "a", type: "ask", text: "A?", slot: { kind: "text", options } };
  expect(stepOf(draftOf(text))?.slot).toEqual({ kind: "text" });
});

test("arguments that are no JSON are not sent", () => {
  expect(stepOf({ ...newStep("call", []), arguments: "{" })).toBeUndefined();
  expect(stepOf({ ...newStep("call", []), arguments: "" })).toMatchObject({ arguments: {} });
});

test.each([
  ["pending", "equals", "pending"],
  ["5", "greater", 5],
  ["-1.5", "less", -1.5],
  ["true", "equals", true],
  ["05", "equals", "05"],
  ["{order.status}", "equals", "{order.status}"],
  ["a, 5, true", "one_of", ["a", 5, true]],
  ["{order.items}", "one_of", "{order.items}"],
  ["", "one_of", []],
] as const)("what is typed as %s is a value, and is shown as it was typed", (text, op, value) => {
  expect(valueTyped(text, op)).toEqual(value);
  expect(typed(value)).toBe(text);
});

test("words that begin with a digit stay words", () => {
  expect(["1e5", "5 days", "0x1"].map(scalar)).toEqual(["1e5", "5 days", "0x1"]);
});
