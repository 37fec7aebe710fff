import { expect, test } from "vitest";
import { matterOf } from "../../../src/learning/redaction/courtesy.js";
import { growth } from "../../support/cost.js";

test.each([
  ["line breaks", "\n"],
  ["questions", "May you? "],
  ["one sentence without an end", "the parcel "],
  ["thanks", "Thanks. "],
  ["a long sentence before many short ones", `${"parcel ".repeat(100)}. ${"a. ".repeat(100)}`],
])("what a message of %s says is found in linear time", (_, text) => {
  expect(growth((length) => matterOf(text.repeat(length / text.length)), 5_000)).toBeLessThan(30);
});

test("a sentence stays whole, however long it is, and so do those behind it", () => {
  const long = `My parcel is lost ${"and it was expensive ".repeat(100)}anyway.`;
  expect(matterOf(`Hi Ada, ${long} Can I help you? ${long}`)).toBe(`${long} ${long}`);
});
