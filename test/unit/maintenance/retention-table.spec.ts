import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { RETENTION } from "../../../src/maintenance/retention.js";
import type { RetentionRule } from "../../../src/maintenance/retention-rule.js";

// The retention table in the code is complete: the docs show all of it, and nothing else deletes by age.

const read = (file: string): string => fs.readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
/** The rows of a Markdown table, without the padding of their columns. */
const rowsOf = (table: string): string[][] =>
  table
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const rowOf = ({ data, keptFor, after, why }: RetentionRule): string[] => [
  data,
  `${keptFor.text} after ${after}${keptFor.setting ? `; ${keptFor.setting}` : ""}`,
  why,
];

test("docs/privacy.md has exactly the rows of the retention table", () => {
  const section = /<!-- retention -->([^]*?)<!-- end of retention -->/.exec(read("docs/privacy.md"))?.[1];
  const [, , ...rows] = rowsOf(section!);
  expect(rows).toEqual(RETENTION.map(rowOf));
});

test("a database function with its own period uses the period of its row", () => {
  const files = RETENTION.filter(({ alsoIn }) => alsoIn);
  expect(files).toHaveLength(3);
  for (const { alsoIn, keptFor } of files) expect(read(alsoIn!)).toContain(`now() - interval '${keptFor.text}'`);
});

/** The tables of deletions that compare a time with the present. */
const BY_AGE = /delete from (\w+)\b[^`";]*?<=? \(?(?:now|clock_timestamp)\(\)/gi;

test("only the rules of the table delete by age", () => {
  // The rows of `consumption` are summed, not lost. Those of `site_reading` say whose turn it is for half a minute.
  const known = new Set(["consumption", "site_reading", ...RETENTION.flatMap(({ tables }) => tables)]);
  const found = fs
    .readdirSync(new URL("../../../src", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|sql)$/.test(file) && !file.includes(`${path.sep}migrations${path.sep}`))
    .map((file) => path.join("src", file))
    .flatMap((file) => [...read(file).matchAll(BY_AGE)].map(([, table]) => [table!, file] as const));
  const tables = new Set(found.map(([table]) => table));
  for (const expected of ["magic_link", "attachment", "webchat_session", "consumption"])
    expect(tables).toContain(expected);
  expect(found.filter(([table]) => !known.has(table))).toEqual([]);
});
