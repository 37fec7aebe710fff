// Compiles src/ into .dev/src for scripts/dev.mjs, one file at a time: a changed file takes milliseconds. It checks no types, and the
// comments of the API are not read: the server shows the openapi.json that is there.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import swc from "@swc/core";
import { buildWidgets } from "./widgets.mjs";
import { buildWorkers } from "./workers.mjs";

const root = path.resolve(import.meta.dirname, "..");
const dist = path.join(root, "dist");
export const SOURCES = path.join(root, "src");
export const COMPILED = path.join(root, ".dev", "src");
const STAMP = path.join(root, ".dev", "compiler");

/** How far a time that is written to a file may come back from what was meant. */
const ROUNDING_MS = 0.002;

/** As in vitest.config.ts. */
const OPTIONS = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  module: { type: "es6" },
  jsc: {
    target: "es2023",
    parser: { syntax: "typescript", decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
};

const BROWSER = path.join("channels", "browser") + path.sep;
const compiledOf = (file) => path.join(COMPILED, file.replace(/\.ts$/, ".js"));
const filesIn = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
const changedAt = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Compiles what has changed since the last time, copies what is no TypeScript, and removes what has no source any more.
 * @returns the changed files, from src/
 * @throws what SWC says about files that it cannot read; the others are compiled
 */
export async function compile() {
  forgetOtherCompilers();
  const sources = filesIn(SOURCES).filter((file) => !file.startsWith(BROWSER));
  const isOld = (file) => Math.abs(changedAt(compiledOf(file)) - changedAt(path.join(SOURCES, file))) > ROUNDING_MS;
  const changed = sources.filter(isOld);
  const compiled = await Promise.allSettled(changed.map(compileFile));
  const expected = new Set(sources.map(compiledOf));
  const removed = filesIn(COMPILED)
    .map((file) => path.join(COMPILED, file))
    .filter((file) => !expected.has(file.replace(/\.map$/, "")));
  for (const file of removed) fs.rmSync(file);
  const refused = compiled.flatMap(({ reason }) => reason ?? []);
  if (refused.length) throw new Error(refused.map(({ message }) => message).join("\n"));
  return [...changed, ...removed.map((file) => path.relative(COMPILED, file)).filter((file) => !file.endsWith(".map"))];
}

/** What another version or another setting of the compiler made. */
function forgetOtherCompilers() {
  const compiler = createHash("sha256")
    .update(`${swc.version} ${JSON.stringify(OPTIONS)}`)
    .digest("hex");
  if (fs.existsSync(STAMP) && fs.readFileSync(STAMP, "utf8") === compiler) return;
  fs.rmSync(COMPILED, { recursive: true, force: true });
  fs.mkdirSync(COMPILED, { recursive: true });
  fs.writeFileSync(STAMP, compiler);
}

async function compileFile(file) {
  const source = path.join(SOURCES, file);
  const target = compiledOf(file);
  const { atimeMs, mtimeMs } = fs.statSync(source);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  if (file.endsWith(".ts")) {
    const { code, map } = await swc.transformFile(source, {
      ...OPTIONS,
      sourceFileName: path.relative(path.dirname(target), source),
    });
    fs.writeFileSync(`${target}.map`, map);
    fs.writeFileSync(target, `${code}//# sourceMappingURL=${path.basename(target)}.map\n`);
  } else fs.copyFileSync(source, target);
  // The time of the source, also if that is an older one: a branch may be changed back.
  // In seconds with their fraction, because a `Date` has whole milliseconds.
  fs.utimesSync(target, atimeMs / 1_000, mtimeMs / 1_000);
}

const IMPORT = /^(?:import|export)\b(?:[^"'\n]*\bfrom)? ?["']([^"'\n]+)["'];?$/gm;
const importsOf = (file) => [...fs.readFileSync(file, "utf8").matchAll(IMPORT)].map(([, name]) => name);

/** The packages that the server imports. They do not change while it is worked on, so they can be imported before a change. */
export const packages = () => [
  ...new Set(
    filesIn(COMPILED)
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => importsOf(path.join(COMPILED, file)))
      .filter((name) => !name.startsWith(".")),
  ),
];

/** Makes the scripts of worker threads and of widgets again, if one of their sources is newer. */
export async function bundle() {
  const workers = new Set();
  const follow = (file) => {
    if (workers.has(file) || !fs.existsSync(file)) return;
    workers.add(file);
    for (const name of importsOf(file)) if (name.startsWith(".")) follow(path.resolve(path.dirname(file), name));
  };
  for (const file of filesIn(COMPILED)) if (file.endsWith(".thread.js")) follow(path.join(COMPILED, file));
  const widgets = filesIn(path.join(SOURCES, BROWSER)).map((file) => path.join(SOURCES, BROWSER, file));
  await Promise.all([
    isOlder(path.join(dist, "workers"), workers) && buildWorkers(),
    isOlder(path.join(dist, "widgets"), widgets) && buildWidgets(),
  ]);
}

/** Whether a file of the folder was made before one of the sources was changed. */
function isOlder(folder, sources) {
  const made = fs.existsSync(folder) ? filesIn(folder).map((file) => changedAt(path.join(folder, file))) : [];
  return !made.length || Math.min(...made) < Math.max(...[...sources].map(changedAt));
}
