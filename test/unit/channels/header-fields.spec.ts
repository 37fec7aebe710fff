import { expect, test } from "vitest";
import { headerFieldsOf, isPlainFrom, repeatsFields } from "../../../src/channels/email/header-fields.js";

test("a header with more fields than any program writes is not looked at: each costs the thread that answers everybody", () => {
  const of = (count: number) => headerFieldsOf(Buffer.from(`${"X: a\r\n".repeat(count)}\r\n`))?.fields.length;
  expect(of(2_000)).toBe(2_000);
  expect(of(2_001)).toBeUndefined();
});

test.each([
  ["Received: a\r\nReceived: b\r\nX: a\r\nX: b\r\nSubject: a\r\n", false],
  ["Subject: a\r\nX: a\r\nsubject : b\r\n", true],
  ["Cc: a@example.org\r\nTo: a@example.org\r\nCC: b@example.org\r\n", true],
])("a field that a mail has once is found twice: %j is %j", (head, repeats) => {
  expect(repeatsFields(headerFieldsOf(Buffer.from(`${head}\r\n`))!.fields)).toBe(repeats);
});

test.each([
  ["ada@example.org", true],
  ["Ada <ada@example.org>", true],
  ['"Ada, of Example (Ltd)" <ada@example.org>', true],
  ["ada@example.org (Ada <ada@example.net>)", true],
  ["ada@example.net <ada@example.org>", true],
  ["=?utf-8?q?Ada?= <ada@example.org>", true],
  ["Us: ada@example.org;", true],
  ["Ada <ada@example.org>,", true],
  ["<eve@example.net<ada@example.org>>", false],
  ["<ada@example.org> <eve@example.net>", false],
  ["<ada@example.org>eve@example.net", false],
  ["ada@example.org eve@example.net", false],
  ["ada@example.org <>", false],
  ["(Ada <ada@example.org> <eve@example.net>", false],
  ['"Ada <ada@example.org>, <eve@example.net>', false],
  ["<@example.net,@example.com:ada@example.org>", false],
  ['Ada \\" <ada@example.org> " <eve@example.net>', false],
  ["ada\0@example.org", false],
  ["Ada", false],
  ["", false],
])("in a From, every program finds the same address: %j is %j", (value, isPlain) => {
  expect(isPlainFrom(value)).toBe(isPlain);
});
