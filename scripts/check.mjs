// What CI runs beside the tests: formatting, packages, types, lint, import boundaries, unused code, migrations,
// the types of rows, openapi.json and the SDK fresh. As many steps at once as there are cores; `SERIAL=1` runs one after the other.
import { spawn } from "node:child_process";
import os from "node:os";

const vitest = ["vitest", "run", "--configLoader", "runner"];
const optimizeLater = `--import=${new URL("optimize-later.mjs", import.meta.url).href}`;
const hasty = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} ${optimizeLater}` };
/** The others read what it makes. In CI, the installation has just built. */
const build = ["build", "node", ["scripts/build.mjs", "--if-needed"]];
/** The slowest first. */
const steps = [
  [
    "migrations and types of rows fresh, statements valid",
    "npx",
    [...vitest, "test/server/contract/migrations.spec.ts", "test/server/contract/statements.spec.ts"],
  ],
  ["types", "npx", ["tsc", "--noEmit", "-p", "tsconfig.json"]],
  ["lint", "npx", ["oxlint", "--type-aware"]],
  ["boundaries", "npx", ["depcruise", "src", "sdk/src", "web/src", "--config", ".dependency-cruiser.cjs"]],
  ["owners of tables", "node", ["scripts/table-owners.mjs"]],
  ["lint of what Oxlint does not have", "npx", ["eslint", "."]],
  ["statements of one row", "node", ["scripts/row-statements.mjs"]],
  ["formatting", "npx", ["oxfmt", "--check"]],
  ["unused code", "npx", ["knip"]],
  ["openapi.json fresh", "node", ["dist/src/cli/main.js", "openapi", "--check"]],
  ["types of the dashboard, and the fields it shows", "node", ["scripts/web-fields.mjs"]],
  ["types of widgets", "npx", ["tsc", "--noEmit", "-p", "src/channels/browser/tsconfig.json"]],
  ["types of the service worker", "npx", ["tsc", "--noEmit", "-p", "web/service-worker/tsconfig.json"]],
  ["types of the SDK", "npx", ["tsc", "--noEmit", "-p", "sdk/tsconfig.json"]],
  ["openapi.json linted", "node", ["scripts/openapi-lint.mjs"]],
  ["openapi.json breaks no client", "node", ["scripts/openapi-diff.mjs"]],
  ["packages", "node", ["scripts/packages.mjs"]],
  // The lock file has what their maintainers said when it was written.
  ["no deprecated package", "npm", ["query", "[deprecated]", "--package-lock-only", "--no-expect-results"]],
  ["SDK fresh", "node", ["scripts/sdk.mjs", "--check"]],
  ["docs fresh", "node", ["scripts/docs.mjs", "--check"]],
  ["size of the SDK", "node", ["scripts/sdk-size.mjs"]],
  ["size of the dashboard", "node", ["scripts/web-size.mjs"]],
];

const took = [];
let failed = 0;

async function run([name, command, args]) {
  const began = performance.now();
  const child = spawn(command, args, { env: hasty, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const status = await new Promise((resolve) => child.once("error", () => resolve(1)).once("close", resolve));
  const seconds = (performance.now() - began) / 1_000;
  took.push([name, seconds]);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name} (${seconds.toFixed(1)} s)`);
  if (status === 0) return;
  failed++;
  console.log(output);
}

await run(build);
const waiting = [...steps];
const lane = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) await run(next);
};
await Promise.all(Array.from({ length: process.env.SERIAL ? 1 : os.availableParallelism() }, lane));
const slowest = took.sort((a, b) => b[1] - a[1]).slice(0, 3);
console.log(`the slowest: ${slowest.map(([name, seconds]) => `${name} ${seconds.toFixed(0)} s`).join(", ")}`);
process.exit(failed ? 1 : 0);
