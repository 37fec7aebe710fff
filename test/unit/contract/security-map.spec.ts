import fs from "node:fs";
import { expect, test } from "vitest";

const at = (file: string): URL => new URL(`../../../${file}`, import.meta.url);
const MAP = fs.readFileSync(at("docs/security.md"), "utf8");

/** The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0. */
const SECTIONS: Record<string, number> = {
  "1.1": 2,
  "1.2": 9,
  "1.3": 11,
  "1.4": 3,
  "1.5": 2,
  "2.1": 3,
  "2.2": 3,
  "2.3": 4,
  "2.4": 1,
  "3.2": 2,
  "3.3": 4,
  "3.4": 6,
  "3.5": 5,
  "3.7": 2,
  "4.1": 3,
  "4.2": 1,
  "4.3": 2,
  "4.4": 4,
  "5.1": 1,
  "5.2": 3,
  "5.3": 2,
  "5.4": 3,
  "6.1": 3,
  "6.2": 12,
  "6.3": 4,
  "6.4": 4,
  "6.5": 5,
  "6.6": 3,
  "6.8": 4,
  "7.1": 3,
  "7.2": 4,
  "7.3": 2,
  "7.4": 5,
  "7.5": 2,
  "7.6": 2,
  "8.1": 2,
  "8.2": 3,
  "8.3": 1,
  "8.4": 1,
  "9.1": 3,
  "9.2": 4,
  "10.1": 2,
  "10.2": 2,
  "10.3": 4,
  "10.4": 11,
  "10.5": 5,
  "10.6": 2,
  "10.7": 3,
  "11.1": 2,
  "11.2": 3,
  "11.3": 3,
  "11.4": 4,
  "11.5": 1,
  "11.6": 1,
  "12.1": 3,
  "12.2": 2,
  "12.3": 4,
  "13.1": 1,
  "13.2": 5,
  "13.3": 2,
  "13.4": 5,
  "14.1": 2,
  "14.2": 4,
  "14.3": 3,
  "15.1": 3,
  "15.2": 3,
  "15.3": 7,
  "16.1": 1,
  "16.2": 5,
  "16.3": 4,
  "16.4": 3,
  "16.5": 3,
  "17.1": 1,
  "17.2": 4,
  "17.3": 2,
};
const STATES = ["met", "partly", "**not met**", "does not apply"];

interface Row {
  id: string;
  state: string;
  where: string;
}
const rows: Row[] = [...MAP.matchAll(/^\| (\d+\.\d+\.\d+) \(L[12]\) +\| .+? \| ([a-z* ]+?) +\| (.+?) +\|$/gm)].map(
  ([, id, state, where]) => ({ id: id!, state: state!, where: where! }),
);
const filesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:src|web|test|docs|scripts)\/[^`*{}]+|[\w.-]+\.(?:md|js|json))`/g)].map(([, file]) => file!);
const isTest = (file: string): boolean => file.startsWith("test/");

test("the security map has each requirement of levels 1 and 2 once, with a state", () => {
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const found: Record<string, number> = {};
  for (const id of ids) {
    const section = id.split(".").slice(0, 2).join(".");
    found[section] = (found[section] ?? 0) + 1;
  }
  expect(found).toEqual(SECTIONS);
  expect(rows.filter(({ state }) => !STATES.includes(state))).toEqual([]);
});

test("the security map says how many requirements are met", () => {
  const [, all, met, partly, not, na] =
    /Of (\d+) requirements (\d+) are met, (\d+) are met in part, (\d+) (?:is|are) not met, and (\d+) do not apply/.exec(
      MAP,
    )!;
  const count = (state: string): number => rows.filter((row) => row.state === state).length;
  expect([all, met, partly, not, na].map(Number)).toEqual([rows.length, ...STATES.map(count)]);
});

test("every file that the security map names exists", () => {
  const files = filesIn(MAP);
  expect(files.filter(isTest).length).toBeGreaterThan(100);
  expect([...new Set(files)].filter((file) => !fs.existsSync(at(file)))).toEqual([]);
});

test("every requirement that is met by code names a test", () => {
  const untested = rows.filter(
    ({ state, where }) =>
      state === "met" && filesIn(where).some((file) => /^(src|web)\//.test(file)) && !filesIn(where).some(isTest),
  );
  expect(untested.map(({ id }) => id)).toEqual([]);
});
