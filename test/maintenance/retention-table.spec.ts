import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { RETENTION, type RetentionRule } from "../../src/maintenance/retention.js";

// The retention table in the code is the whole truth: the docs show it, and nothing else deletes by age.

const read = (file: string): string => fs.readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
/** The rows of a Markdown table, whatever its columns are padded to. */
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

test("docs/privacy.md has each row of the retention table, and no other", () => {
  const section = /<!-- retention -->([^]*?)<!-- end of retention -->/.exec(read("docs/privacy.md"))?.[1];
  const [, , ...rows] = rowsOf(section!);
  expect(rows).toEqual(RETENTION.map(rowOf));
});

test("a function of the database that has a period of its own has that of its row", () => {
  const files = RETENTION.filter(({ alsoIn }) => alsoIn);
  expect(files).toHaveLength(2);
  for (const { alsoIn, keptFor } of files) expect(read(alsoIn!)).toContain(`now() - interval '${keptFor.text}'`);
});

/** Deletions that compare a time with the present: the table that they delete from. */
const BY_AGE = /delete from (\w+)\b[^`";]*?<=? \(?(?:now|clock_timestamp)\(\)/gi;

test("nothing is deleted by age but by the table's rules", () => {
  // The rows of `consumption` are added up, not lost.
  const known = new Set(["consumption", ...RETENTION.flatMap(({ tables }) => tables)]);
  const found = fs
    .readdirSync(new URL("../../src", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(ts|sql)$/.test(file) && !file.includes(`${path.sep}migrations${path.sep}`))
    .map((file) => path.join("src", file))
    .flatMap((file) => [...read(file).matchAll(BY_AGE)].map(([, table]) => [table!, file] as const));
  const tables = new Set(found.map(([table]) => table));
  for (const expected of ["magic_link", "attachment", "webchat_session", "consumption"])
    expect(tables).toContain(expected);
  expect(found.filter(([table]) => !known.has(table))).toEqual([]);
});
