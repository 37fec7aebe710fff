import fc from "fast-check";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { type Fields, fromCsv, toLines } from "../../../src/knowledge/review/entry-lines.js";
import { runs } from "../../support/seed.js";

const FIELDS: Fields = { question: "text", answer: "text", labels: "list" };
const cellsOf = (value: object): string[] => parse(toLines("csv", FIELDS, [value]))[1]!;

test.each([
  "=1+1",
  '=HYPERLINK("https://evil.example","Open")',
  "+1+cmd|' /C calc'!A0",
  "-2+3+cmd|' /C calc'!A0",
  "@SUM(1+1)",
  "\t=1+1",
  "\r=1+1",
  "\n=1+1",
  "＝1+1",
  "＋1",
  "－1",
  "＠1",
  "'=1+1",
  "''=1+1",
])("an export writes %j so that a spreadsheet takes it for text", (text) => {
  expect(cellsOf({ question: text })[0]).toBe(`'${text}`);
  // A list is written as JSON.
  expect(cellsOf({ labels: [text] })[2]).toMatch(/^\[/);
});

test.each(["+49301234567", "-5", "+1.5", "It's 5 - 3 = 2", "a=b", "'tis", "1=1"])(
  "an export leaves %j as it is",
  (text) => {
    expect(cellsOf({ question: text })[0]).toBe(text);
  },
);

test("an export quotes a cell with a semicolon, so that what splits at commas and semicolons leaves it whole", () => {
  const [, line] = toLines("csv", FIELDS, [{ question: "x;=1+1", answer: "a" }]).split("\n");
  expect(line).toMatch(/^"x;=1\+1",a/);
});

test("an import gives back every text that an export wrote", async () => {
  const text = fc.stringMatching(/^['=+\-@\t ＝a1|[]{1,6}$/).filter((value) => value.trim() !== "");
  await fc.assert(
    fc.asyncProperty(text, text, async (question, answer) => {
      const [line] = await fromCsv(toLines("csv", FIELDS, [{ question, answer }]), FIELDS);
      expect(line!.value).toMatchObject({ question, answer });
    }),
    { numRuns: runs(400, 2_000) },
  );
});
