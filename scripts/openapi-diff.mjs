// Names what would break a client in openapi.json, compared with docs/api/baseline.json. `--accept` makes it the baseline.
import fs from "node:fs";
import path from "node:path";
import { breakingChanges } from "./openapi-breaking.mjs";

const root = path.resolve(import.meta.dirname, "..");
const BASELINE = path.join(root, "docs/api/baseline.json");
const current = JSON.parse(fs.readFileSync(path.join(root, "openapi.json"), "utf8"));

/** Texts and examples break nobody. */
const withoutTexts = (node) => {
  if (Array.isArray(node)) return node.map(withoutTexts);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(["description", "summary"].includes(key) && typeof value === "string"))
      .filter(([key]) => !["example", "examples", "tags", "headers"].includes(key))
      .map(([key, value]) => [key, withoutTexts(value)]),
  );
};

if (process.argv.includes("--accept")) fs.writeFileSync(BASELINE, `${JSON.stringify(withoutTexts(current))}\n`);
else {
  const changes = breakingChanges(JSON.parse(fs.readFileSync(BASELINE, "utf8")), current);
  for (const change of changes) console.error(change);
  if (changes.length)
    console.error("This breaks clients: see docs/versions.md. If it is meant: node scripts/openapi-diff.mjs --accept");
  process.exitCode = changes.length ? 1 : 0;
}
