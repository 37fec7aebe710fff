// Checks the lock files: every package installs on the oldest Node that Parley supports, and from any registry. What has to be
// pinned is.
import fs from "node:fs";
import path from "node:path";
import semver from "semver";

const root = path.resolve(import.meta.dirname, "..");
const read = (name) => JSON.parse(fs.readFileSync(path.join(root, name), "utf8"));
const oldest = semver.minVersion(read("package.json").engines.node);

const faults = ["package-lock.json", "bench/peers/package-lock.json"].flatMap((file) =>
  Object.entries(read(file).packages).flatMap(([name, { version, engines, resolved }]) => [
    ...(engines?.node && !semver.satisfies(oldest, engines.node)
      ? [`${file}: ${name} ${version} needs Node ${engines.node}, Parley supports ${oldest}`]
      : []),
    ...(resolved?.startsWith("http") ? [`${file}: ${name} names a registry: ${resolved}`] : []),
  ]),
);
// The read engine relies on their insides: src/platform/database/read-engine/README.md.
const { dependencies } = read("package.json");
for (const name of ["pg", "pg-protocol"])
  if (!semver.valid(dependencies[name])) faults.push(`package.json: ${name} is not pinned to one version`);
for (const fault of faults) console.error(fault);
process.exit(faults.length ? 1 : 0);
