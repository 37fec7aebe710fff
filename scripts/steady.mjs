// npm run steady -- FILES [--times 20] [--write]: runs test files again and again beside two busy loops and a busy disk, and
// names what failed. Without files it runs all. `--write` puts the result into the table of test/README.md. There, runs of the same
// version of a file add up, so that all files can be run in several nights.
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { createVitest } from "vitest/node";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: "string", default: "20" }, write: { type: "boolean", default: false } },
});
const TIMES = Number(values.times);
if (!Number.isInteger(TIMES) || TIMES < 1) throw new Error("--times takes a whole number from 1");
const README = path.resolve(import.meta.dirname, "../test/README.md");

const BUSY_LOOP = "for (;;);";
/** Writes 64 MB again and again, and makes the disk keep each. */
const BUSY_DISK = `
  const fs = require("node:fs");
  const file = process.argv[1];
  process.on("SIGTERM", () => { fs.rmSync(file, { force: true }); process.exit(); });
  const block = Buffer.alloc(1 << 20, 1);
  const write = () => {
    const to = fs.openSync(file, "w");
    for (let n = 0; n < 64; n++) fs.writeSync(to, block);
    fs.fsyncSync(to);
    fs.closeSync(to);
    setImmediate(write);
  };
  write();`;

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "parley-steady-"));
const neighbours = [
  spawn(process.execPath, ["-e", BUSY_LOOP]),
  spawn(process.execPath, ["-e", BUSY_LOOP]),
  spawn(process.execPath, ["-e", BUSY_DISK, path.join(scratch, "busy")]),
];
const quiet = () => {
  for (const neighbour of neighbours) neighbour.kill("SIGKILL");
  fs.rmSync(scratch, { recursive: true, force: true });
};
process.once("exit", quiet);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

/** Of each file: how often it ran, the tests that failed and how often, and the longest time in seconds. */
const results = new Map();
const entryOf = (file) => {
  if (!results.has(file)) results.set(file, { runs: 0, failures: new Map(), longest: 0 });
  return results.get(file);
};

const vitest = await createVitest("test", { watch: false, configLoader: "runner", reporters: [["dot"]] });
const specifications = await vitest.getRelevantTestSpecifications(positionals);
if (specifications.length === 0) throw new Error(`no test file matches ${positionals.join(" ")}`);
await vitest.standalone();
for (let run = 1; run <= TIMES; run++) {
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, true);
  let failed = 0;
  const note = (entry, title) => {
    failed++;
    entry.failures.set(title, (entry.failures.get(title) ?? 0) + 1);
  };
  for (const module of testModules) {
    const entry = entryOf(module.relativeModuleId);
    entry.runs++;
    entry.longest = Math.max(entry.longest, module.diagnostic().duration / 1_000);
    const tests = [...module.children.allTests("failed")];
    for (const test of tests) note(entry, test.fullName);
    if (!module.ok() && tests.length === 0) note(entry, "(the file itself)");
  }
  for (const error of unhandledErrors)
    note(
      entryOf(error.VITEST_TEST_PATH ? path.relative(process.cwd(), error.VITEST_TEST_PATH) : "(no file)"),
      `unhandled: ${error.message}`,
    );
  console.log(`run ${run} of ${TIMES}: ${testModules.length} files, ${failed} failed`);
}
await vitest.close();
quiet();

const failures = [...results].flatMap(([file, { failures }]) =>
  [...failures].map(([title, count]) => `${file} > ${title}: ${count} of ${TIMES}`),
);
for (const line of failures) console.log(line);
if (values.write) write();
console.log(
  failures.length === 0 ? `steady: ${results.size} files, ${TIMES} times` : `not steady: ${failures.length} tests`,
);
process.exit(failures.length === 0 ? 0 : 1);

/** The version of a file, as Git names it. */
function versionOf(file) {
  return execFileSync("git", ["hash-object", file], { encoding: "utf8" }).slice(0, 8);
}

/** Adds to the rows of these files in the table. A version that failed, or that the table does not know, begins at nothing. */
function write() {
  const text = fs.readFileSync(README, "utf8");
  const [head, rows, tail] = /^([\s\S]*\| -+ .*\|\n)((?:\|.*\n)*)([\s\S]*)$/.exec(text).slice(1);
  const known = new Map(
    rows
      .split("\n")
      .filter(Boolean)
      .map((row) => row.split("|").map((cell) => cell.trim().replaceAll("`", "")))
      .map(([, file, version, ...numbers]) => [
        file,
        { version, runs: Number(numbers[0]), failed: Number(numbers[1]), longest: Number(numbers[2]), on: numbers[3] },
      ]),
  );
  const today = new Date().toISOString().slice(0, 10);
  for (const [file, { runs, failures, longest }] of results) {
    if (!fs.existsSync(file)) continue;
    const version = versionOf(file);
    const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
    const before = known.get(file);
    const counts = before?.version === version && before.failed === 0 && failed === 0;
    known.set(file, {
      version,
      runs: runs + (counts ? before.runs : 0),
      failed,
      longest: Math.max(longest, counts ? before.longest : 0),
      on: today,
    });
  }
  const sorted = [...known].filter(([file]) => fs.existsSync(file)).sort(([a], [b]) => a.localeCompare(b));
  const written = sorted.map(
    ([file, { version, runs, failed, longest, on }]) =>
      `| \`${file}\` | ${version} | ${runs} | ${failed} | ${longest.toFixed(1)} | ${on} |\n`,
  );
  fs.writeFileSync(README, `${head}${written.join("")}${tail}`);
  execFileSync("npx", ["oxfmt", README], { stdio: ["ignore", "ignore", "inherit"] });
}
