// Holds the size of the dashboard's scripts: what the inbox loads, and what each other screen adds.
import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const MAX_INBOX = 190_000;
const MAX_PAGE = 41_000;

const folder = path.resolve(import.meta.dirname, "../dist/web");
const manifest = JSON.parse(fs.readFileSync(path.join(folder, ".vite/manifest.json"), "utf8"));
const size = (key) => gzipSync(fs.readFileSync(path.join(folder, manifest[key].file)), { level: 9 }).length;
/** A chunk, and what it cannot run without. */
const withImports = (key, found = new Set()) => {
  if (found.has(key)) return found;
  found.add(key);
  for (const one of manifest[key].imports ?? []) withImports(one, found);
  return found;
};
const sum = (keys) => [...keys].reduce((total, key) => total + size(key), 0);

const page = fs.readFileSync(path.join(folder, "index.html"), "utf8");
const inbox = new Set();
for (const key of Object.keys(manifest).filter((one) => page.includes(`src="/${manifest[one].file}"`)))
  withImports(key, inbox);
const pages = Object.keys(manifest)
  .filter((key) => manifest[key].isDynamicEntry && key.startsWith("src/features/"))
  .map((key) => ({ key, bytes: sum([...withImports(key)].filter((one) => !inbox.has(one))) }))
  .sort((one, other) => other.bytes - one.bytes);

console.log(`inbox ${sum(inbox)} of ${MAX_INBOX} bytes, gzipped`);
for (const { key, bytes } of pages) console.log(`${key} ${bytes} of ${MAX_PAGE}`);
process.exit(sum(inbox) > MAX_INBOX || pages.some(({ bytes }) => bytes > MAX_PAGE) ? 1 : 0);
