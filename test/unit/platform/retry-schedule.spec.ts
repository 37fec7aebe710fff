import { expect, test } from "vitest";
import { TooSoon, Undeliverable } from "../../../src/platform/outbox/outbox.service.js";
import { retryAfterSeconds } from "../../../src/platform/outbox/retry-schedule.js";

const FAILED = new Error("failed");

test("a message that fails is tried again after about 2, 4, 8 … seconds, and given up after ten attempts", () => {
  for (let attempts = 1; attempts < 10; attempts++)
    for (let n = 0; n < 100; n++) {
      const wait = retryAfterSeconds(attempts, FAILED)!;
      expect(wait).toBeGreaterThanOrEqual(0.75 * 2 ** attempts);
      expect(wait).toBeLessThanOrEqual(1.25 * 2 ** attempts);
    }
  expect(retryAfterSeconds(10, FAILED)).toBeUndefined();
});

test("messages that fail together do not come back together", () => {
  expect(new Set(Array.from({ length: 100 }, () => retryAfterSeconds(9, FAILED))).size).toBeGreaterThan(90);
});

test("a receiver that asks for more time gets it, and what cannot be delivered is given up at once", () => {
  expect(retryAfterSeconds(1, new TooSoon("busy", 120))).toBe(120);
  expect(retryAfterSeconds(9, new TooSoon("busy", 1))).toBeGreaterThan(300);
  expect(retryAfterSeconds(10, new TooSoon("busy", 120))).toBeUndefined();
  expect(retryAfterSeconds(1, new Undeliverable("no such address"))).toBeUndefined();
});
