import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { system } from "../../../src/platform/caller/caller.js";
import { beginRequest, outsideRequest, requestOf } from "../../../src/platform/caller/request-context.js";

const caller = () => system("a job", randomUUID(), "live");

test("a copy of a caller is not in the request, so it never takes the request's Idempotency-Key", () => {
  const inside = beginRequest(caller(), "conversations.reply");
  expect(requestOf(inside)!.operation).toBe("conversations.reply");
  for (const copy of [{ ...inside }, outsideRequest(inside), structuredClone(inside), Object.assign(caller(), inside)])
    expect(requestOf(copy)).toBeUndefined();
});

test("a request's operation and sender are computed when they are asked for", () => {
  let asked = 0;
  const from = { address: "192.0.2.1", userAgent: null };
  const inside = beginRequest(
    caller(),
    () => `Operation.${++asked}`,
    () => from,
  );
  expect(asked).toBe(0);
  expect(requestOf(inside)!.operation).toBe("Operation.1");
  expect(requestOf(inside)!.sender).toBe(from);
  expect(requestOf(beginRequest(caller(), "Jobs.run"))!.sender).toBeUndefined();
});
