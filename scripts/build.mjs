// Builds dist/ and the types of the tests' client. With `--if-needed`, only if dist/ is missing or older than the sources.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { buildWidgets } from "./widgets.mjs";
import { buildWeb } from "./web.mjs";
import { buildWorkers } from "./workers.mjs";

const root = path.resolve(import.meta.dirname, "..");
const require = createRequire(import.meta.url);
const stamp = path.join(root, "dist", ".built");

/** A folder is changed when a file of it is deleted. */
function newest(entry) {
  const stat = fs.statSync(entry);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...fs.readdirSync(entry).map((name) => newest(path.join(entry, name))));
}

/** An installation without tests needs no types for them. */
function typesUpToDate() {
  const types = path.join(root, "test/support/openapi.d.ts");
  if (!fs.existsSync(path.dirname(types))) return true;
  return fs.existsSync(types) && newest(path.join(root, "openapi.json")) <= newest(types);
}

function upToDate() {
  if (!fs.existsSync(stamp) || !typesUpToDate()) return false;
  const built = fs.statSync(stamp).mtimeMs;
  return [
    "src",
    "scripts",
    "sdk/src",
    "web",
    "ormconfig.ts",
    "tsconfig.json",
    "tsconfig.build.json",
    "nest-cli.json",
    "package-lock.json",
  ].every((name) => newest(path.join(root, name)) <= built);
}

let nest;
try {
  nest = path.join(path.dirname(require.resolve("@nestjs/cli/package.json")), "bin", "nest.js");
} catch {
  /* development dependencies are not installed */
}

if (!nest) {
  console.log(
    fs.existsSync(stamp)
      ? "Using the build that is there."
      : "Not built: development dependencies are missing. Build first, then `npm prune --omit=dev`.",
  );
} else if (!process.argv.includes("--if-needed") || !upToDate()) {
  const began = new Date();
  // Nest would empty all of dist/. The tests that run while one of them builds load the scripts of dist/workers and dist/widgets,
  // which are replaced one by one below.
  fs.rmSync(path.join(root, "dist", "src"), { recursive: true, force: true });
  execFileSync(process.execPath, [nest, "build"], { cwd: root, stdio: "inherit" });
  await buildWidgets();
  await buildWorkers();
  await buildWeb();
  await import("./api-types.mjs");
  fs.writeFileSync(stamp, "");
  // What changes during the build is newer.
  fs.utimesSync(stamp, began, began);
}
