import { describe, expect, test } from "vitest";
import { reasonFor } from "../../../src/notices/reason.js";

const state = { assigneeId: null, handlingMode: "ai", priority: "normal" };
const received = (change: object) => ({ kind: "received", conversation: { ...state, ...change } }) as const;

describe("reasonFor", () => {
  test.each([
    ["it is assigned to the member", { assigneeId: "me", priority: "urgent" }, "mine"],
    ["it is urgent, and somebody else has it", { assigneeId: "you", priority: "urgent" }, "urgent"],
    ["nobody has it and people answer", { handlingMode: "human" }, "unassigned"],
    ["nobody has it and the assistant answers", {}, undefined],
    ["somebody else has it", { assigneeId: "you", handlingMode: "human" }, undefined],
  ])("a contact wrote and %s", (_, change, reason) => {
    expect(reasonFor("me", received(change))).toBe(reason);
  });

  test("a note tells whom it names", () => {
    expect(reasonFor("me", { kind: "mention", memberIds: ["you", "me"] })).toBe("mentions");
    expect(reasonFor("them", { kind: "mention", memberIds: ["you", "me"] })).toBeUndefined();
  });

  test("what became urgent concerns everybody", () => {
    expect(reasonFor("me", { kind: "urgent" })).toBe("urgent");
  });
});
