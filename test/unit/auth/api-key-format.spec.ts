import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashApiKey, isWellFormedApiKey, mintApiKey } from "../../../src/auth/api-keys/api-key.js";
import { runs } from "../../support/seed.js";

const many = Array.from({ length: 2_000 }, (_, n) => mintApiKey(n % 2 ? "live" : "test"));
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("a raw key", () => {
  test("starts with its environment and version, followed by letters and digits", () => {
    for (const [n, { key, prefix }] of many.entries()) {
      expect(key).toMatch(n % 2 ? /^svc_live_v1_[0-9A-Za-z]{36}$/ : /^svc_test_v1_[0-9A-Za-z]{36}$/);
      expect(key.startsWith(prefix)).toBe(true);
    }
  });

  test("has at least 160 random bits: no two keys are equal, and every character occurs in every position", () => {
    const random = many.map(({ key }) => key.slice("svc_live_v1_".length, -6));
    expect(new Set(random).size).toBe(many.length);
    expect(random[0]!.length * Math.log2(62)).toBeGreaterThanOrEqual(160);
    // Among 2,000 draws from 62 characters, one is missing in a position with a probability of 1 in 10^12.
    for (let place = 0; place < random[0]!.length; place++)
      expect(new Set(random.map((text) => text[place])).size).toBe(62);
  });

  test("shows only four characters after the environment in its prefix", () => {
    for (const { prefix } of many) expect(prefix).toMatch(/^svc_(live|test)_v1_[0-9A-Za-z]{4}$/);
  });

  test("is identified by its SHA-256", () => {
    const { key, hash } = many[0]!;
    expect(hash).toEqual(createHash("sha256").update(key).digest("hex"));
    expect(hashApiKey(key)).toEqual(hash);
  });
});

describe("the checksum", () => {
  test("is valid for every generated key", () => {
    expect(many.filter(({ key }) => !isWellFormedApiKey(key))).toEqual([]);
  });

  test("detects one changed character in any position, and any two swapped characters", () => {
    const { key } = mintApiKey("live");
    const start = "svc_live_v1_".length;
    for (let at = start; at < key.length; at++) {
      for (const other of BASE62) {
        if (other !== key[at]) expect(isWellFormedApiKey(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      }
      if (at > start && key[at] !== key[at - 1])
        expect(isWellFormedApiKey(key.slice(0, at - 1) + key[at]! + key[at - 1]! + key.slice(at + 1))).toBe(false);
    }
  });

  test("covers the environment and version, and allows no text before or after the key", () => {
    const { key } = mintApiKey("live");
    for (const other of [
      key.replace("live", "test"),
      key.replace("v1", "v2"),
      key.replace("svc", "sk"),
      ` ${key}`,
      `${key}\n`,
      `${key}0`,
      key.slice(0, -1),
      key.toUpperCase(),
      "",
      "svc_live_v1_",
    ]) {
      expect([other, isWellFormedApiKey(other)]).toEqual([other, false]);
    }
  });

  test("rejects made-up keys", () => {
    const base62 = fc.string({ unit: fc.constantFrom(...BASE62), minLength: 36, maxLength: 36 });
    fc.assert(
      fc.property(base62, (made) => !isWellFormedApiKey(`svc_live_v1_${made}`)),
      { numRuns: runs(500, 2_000) },
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (made) => !isWellFormedApiKey(made)),
      { numRuns: runs(200, 500) },
    );
  });
});
