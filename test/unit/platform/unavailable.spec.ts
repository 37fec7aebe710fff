import { expect, test } from "vitest";
import { describeError } from "../../../src/platform/http/errors.js";

const failure = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

// After a failover, the address of the database leads nowhere until the other machine has it.
test.each([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "EPIPE",
  "ETIMEDOUT",
  "26000",
])("%s can be tried again", (code) => {
  expect(describeError(failure(code)).status).toBe(503);
});

test("what nobody foresaw is an error of ours", () => {
  expect(describeError(failure("EACCES")).status).toBe(500);
  expect(describeError(failure("42P01")).status).toBe(500);
});
