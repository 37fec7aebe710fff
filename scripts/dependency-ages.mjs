// Lists the packages that Parley needs at run time by the age of the version in the lock file, the oldest first, with the newest
// version that there is. Nothing fails: an old version may be a finished one. You read it before a release.
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import pLimit from "p-limit";

const root = path.resolve(import.meta.dirname, "..");
const read = (name) => JSON.parse(fs.readFileSync(path.join(root, name), "utf8"));
const { packages } = read("package-lock.json");
const names = ["package.json", "web/package.json"]
  .flatMap((file) => Object.keys(read(file).dependencies ?? {}))
  .filter((name) => !packages[`node_modules/${name}`]?.link);

const DAY = 86_400_000;
const daysSince = (time) => Math.floor((Date.now() - Date.parse(time)) / DAY);
const run = promisify(execFile);

async function ageOf(name) {
  const { version } = packages[`web/node_modules/${name}`] ?? packages[`node_modules/${name}`];
  try {
    const { stdout } = await run("npm", ["view", name, "time", "dist-tags", "--json"], { maxBuffer: 64 * 2 ** 20 });
    const { time, "dist-tags": tags } = JSON.parse(stdout);
    return {
      name,
      version,
      days: daysSince(time[version]),
      latest: tags.latest,
      lastRelease: daysSince(time[tags.latest]),
    };
  } catch {
    return { name, version, days: NaN, latest: "unknown", lastRelease: NaN };
  }
}

const limit = pLimit(4);
const ages = await Promise.all([...new Set(names)].map((name) => limit(ageOf, name)));
ages.sort((a, b) => (b.days || 0) - (a.days || 0));
console.log("| package | version | days old | newest | days since its release |\n| --- | --- | --: | --- | --: |");
for (const { name, version, days, latest, lastRelease } of ages)
  console.log(`| ${name} | ${version} | ${days} | ${latest === version ? "the same" : latest} | ${lastRelease} |`);
