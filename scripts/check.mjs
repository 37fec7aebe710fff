// What CI runs beside the tests: formatting, packages, types, lint, import boundaries, unused code, migrations,
// openapi.json and the SDK fresh.
import { spawnSync } from "node:child_process";

const steps = [
  ["formatting", "npx", ["prettier", "--check", "--log-level", "warn", "."]],
  ["packages", "node", ["scripts/packages.mjs"]],
  ["build", "node", ["scripts/build.mjs"]],
  ["types", "npx", ["tsc", "--noEmit", "-p", "tsconfig.json"]],
  ["types of widgets", "npx", ["tsc", "--noEmit", "-p", "src/channels/browser/tsconfig.json"]],
  ["types of the SDK", "npx", ["tsc", "--noEmit", "-p", "sdk/tsconfig.json"]],
  ["types of the dashboard", "npx", ["tsc", "--noEmit", "-p", "web/tsconfig.json"]],
  ["lint", "npx", ["eslint", "."]],
  ["boundaries", "npx", ["depcruise", "src", "sdk/src", "--config", ".dependency-cruiser.cjs"]],
  ["unused code", "npx", ["knip"]],
  [
    "migrations fresh, statements valid",
    "npx",
    [
      "vitest",
      "run",
      "--configLoader",
      "runner",
      "test/server/contract/migrations.spec.ts",
      "test/server/contract/statements.spec.ts",
    ],
  ],
  ["openapi.json fresh", "node", ["dist/src/cli/main.js", "openapi", "--check"]],
  ["openapi.json linted", "node", ["scripts/openapi-lint.mjs"]],
  ["openapi.json breaks no client", "node", ["scripts/openapi-diff.mjs"]],
  ["SDK fresh", "node", ["scripts/sdk.mjs", "--check"]],
  ["size of the SDK", "node", ["scripts/sdk-size.mjs"]],
  ["size of the dashboard", "node", ["scripts/web-size.mjs"]],
];

let failed = 0;
for (const [name, command, args] of steps) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 26 });
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name}`);
  if (status !== 0) {
    failed++;
    console.log(stdout + stderr);
  }
}
process.exit(failed ? 1 : 0);
