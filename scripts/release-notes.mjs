// Prints what the changelog says of a version, for its release. Fails if a place that names the version has another one.
//
//   node scripts/release-notes.mjs 0.1.0
import fs from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const read = (file) => fs.readFileSync(path.join(root, file), "utf8");
const version = process.argv[2] ?? "";

const faults = [];
for (const file of ["package.json", "sdk/package.json", "web/package.json", "sentence-vectors/package.json"]) {
  const found = JSON.parse(read(file)).version;
  if (found !== version) faults.push(`${file} has version ${found}`);
}
for (const file of ["compose.yaml", "docs/install.md", "README.md"]) {
  const others = read(file).matchAll(/parley\/parley:(?:\$\{PARLEY_VERSION:-)?(\d+\.\d+\.\d+)/g);
  for (const [name, found] of others) if (found !== version) faults.push(`${file} names ${name}`);
}
for (const [line, found] of read("deploy/helm/parley/Chart.yaml").matchAll(/^(?:appVersion|version): (.+)$/gm))
  if (found !== version) faults.push(`deploy/helm/parley/Chart.yaml has ${line}`);
const [, section] = read("CHANGELOG.md").split(`\n## [${version}] - `);
const notes = section?.split("\n").slice(1).join("\n").split("\n## [", 1)[0].trim();
if (!notes) faults.push(`CHANGELOG.md has no section "## [${version}] - <day>"`);

for (const fault of faults) console.error(`release ${version}: ${fault}`);
if (faults.length) process.exit(1);
console.log(notes);
