// npm run hunt -- [FILES] [--minutes 10] [--seed N]: runs the random tests with new seeds and many more values, for as long as
// you say. It prints each seed. A variation that a reader cannot stand is written into test/unit/fuzz/corpus, which `npm test`
// reads; any other find into test/found.json, which the next hunt tries first. A hunt gates nothing: it ends with 0.
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

const root = path.resolve(import.meta.dirname, "..");
const FOUND = path.join(root, "test/found.json");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: "string", default: "10" }, seed: { type: "string" } },
});
const until = Date.now() + Number(values.minutes) * 60_000;
if (!(Number(values.minutes) > 0)) throw new Error("--minutes takes a number above 0");

/** The files whose values are random: they import the seed, or fast-check, whose seed is set for all. */
const random = fs
  .readdirSync(path.join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".spec.ts"))
  .map((file) => `test/${file}`)
  .filter((file) =>
    /from "(fast-check|.*\/seed\.js|.*\/mutated\.js)"/.test(fs.readFileSync(path.join(root, file), "utf8")),
  )
  .filter((file) => positionals.length === 0 || positionals.some((name) => file.includes(name)))
  .sort();
if (random.length === 0) throw new Error(`no random test matches ${positionals.join(" ")}`);

const found = fs.existsSync(FOUND) ? JSON.parse(fs.readFileSync(FOUND, "utf8")) : [];
const save = () => fs.writeFileSync(FOUND, `${JSON.stringify(found, null, 2)}\n`);

/** Runs one file with one seed. @returns what failed */
async function run(file, seed) {
  console.log(`SEED=${seed} HUNT=1 npx vitest run --configLoader runner ${file}`);
  const child = spawn(
    "npx",
    ["vitest", "run", "--configLoader", "runner", "--reporter=json", "--testTimeout=1800000", file],
    { cwd: root, env: { ...process.env, SEED: String(seed), HUNT: "1" }, stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code === 0) return [];
  const report = /^\{.*"testResults".*\}$/m.exec(output)?.[0];
  const failed = report
    ? JSON.parse(report).testResults.flatMap(({ message, assertionResults }) => {
        const tests = assertionResults.filter(({ status }) => status === "failed");
        return tests.length > 0
          ? tests.map(({ fullName, failureMessages }) => ({ title: fullName, message: failureMessages.join("\n") }))
          : message
            ? [{ title: "(the file itself)", message }]
            : [];
      })
    : [];
  return failed.length > 0 ? failed : [{ title: "(the run)", message: output.slice(-2_000) }];
}

let finds = 0;
const hunt = async (file, seed) => {
  const failed = await run(file, seed);
  for (const { title, message } of failed) {
    finds++;
    console.log(`FOUND ${file} > ${title}\n${message}`);
    if (found.some((known) => known.file === file && known.seed === seed && known.title === title)) continue;
    found.push({ file, title, seed, found: new Date().toISOString().slice(0, 10) });
    save();
  }
  return failed.length === 0;
};

for (const known of [...found])
  if (random.includes(known.file) && (await hunt(known.file, known.seed))) {
    console.log(`no longer found: ${known.file} > ${known.title}`);
    found.splice(found.indexOf(known), 1);
    save();
  }
for (let round = 0; Date.now() < until; round++)
  for (const file of random) {
    if (Date.now() >= until) break;
    await hunt(file, values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed) + round);
  }
console.log(finds === 0 ? "nothing found" : `${finds} found`);
