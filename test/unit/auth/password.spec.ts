import { expect, test } from "vitest";
import { firstMatch, hashPassword, verifyPassword } from "../../../src/auth/sessions/password.js";

test("a password is kept as argon2id with 19 MiB and two passes, which OWASP recommends at least", async () => {
  const hash = await hashPassword("correct horse battery");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hash, "correct horse battery")).toBe(true);
  expect(await verifyPassword(hash, "correct horse batterz")).toBe(false);
  expect(await firstMatch([null, hash], 3, "correct horse battery")).toBe(1);
});
