import { expect, test } from "vitest";
import { readCsv, readNdjson, type ReadLine } from "../../../src/contacts/import-lines.js";
import { cost } from "../../support/cost.js";

const BYTES = 10_000_000;
const filled = (part: string): string => part.repeat(BYTES / part.length);
const ndjson = (text: string) => (): Generator<ReadLine> => readNdjson(Buffer.from(text));
const csv = (text: string) => (): Generator<ReadLine> => readCsv(Buffer.from(text));

/** The processor time of the longest of the first steps, between which others have their turn. The lowest of three. */
function longestStep(begin: () => Generator<ReadLine>): number {
  const once = (): number => {
    const lines = begin();
    const steps = Array.from({ length: 30 }, () =>
      cost(() => {
        try {
          lines.next();
        } catch {
          // Refused as a whole.
        }
      }),
    );
    return Math.max(...steps);
  };
  return Math.min(once(), once(), once());
}

test.each<[string, () => Generator<ReadLine>]>([
  ["one line of numbers", ndjson(`{"labels":[${filled("1,")}1]}`)],
  ["nothing but blank lines", ndjson(filled("\n"))],
  ["one line of spaces", ndjson(filled(" "))],
  ["one line of addresses", csv(`emails\n${filled("a@b.co|")}\n`)],
  ["a first line of names", csv(`${filled("name,")}name\nAda\n`)],
  ["a first line of attributes", csv(`${Array.from({ length: 500_000 }, (_, n) => `attributes.a${n}`).join()}\n1\n`)],
  ["quotes that nothing closes, in long lines", csv(`name\n${filled(`"${"a".repeat(90_000)}\n`)}`)],
  ["quotes that the hundredth line closes", csv(`name\n${filled(`"${`${"a".repeat(90_000)}\n`.repeat(99)}"\n`)}`)],
])("10 MB hold the process for no longer than 100 ms at a time: %s", (_, begin) => {
  expect(longestStep(begin)).toBeLessThan(100);
});

test("a line that is too long is an error of its own, and the others are read", () => {
  const long = `{"name":"${"a".repeat(70_000)}"}`;
  expect([...readNdjson(Buffer.from(`{"name":"Ada"}\n${long}\n{"name":"Bo"}`))]).toMatchObject([
    { line: 1, contact: { name: "Ada" } },
    { line: 2, error: "The line has more than 65536 bytes" },
    { line: 3, contact: { name: "Bo" } },
  ]);
  expect([...readCsv(Buffer.from(`name\nAda\n${"a".repeat(70_000)}\nBo`))]).toMatchObject([
    { line: 2, contact: { name: "Ada" } },
    { line: 3, error: "The line has more than 65536 bytes" },
    { line: 4, contact: { name: "Bo" } },
  ]);
});
