import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { BlockList } from "node:net";
import path from "node:path";
import { expect, test } from "vitest";
import { describeConfig } from "../../../src/platform/config/load-config.js";

const ROOT = path.join(import.meta.dirname, "../../..");
const read = (file: string): string => fs.readFileSync(path.join(ROOT, file), "utf8");
const { version } = JSON.parse(read("package.json")) as { version: string };
const names = (file: string, pattern: RegExp): Set<string> =>
  new Set([...read(file).matchAll(pattern)].map(([, name]) => name!));

const composed = [...names("compose.yaml", /\$\{(\w+)/g), ...names("compose.tls.yaml", /\$\{(\w+)/g)];
const exampled = names("deploy/compose.env.example", /^(?:# )?([A-Z_]+)=/gm);

test("compose.env.example has whatever the Compose files ask for", () => {
  expect(composed.length).toBeGreaterThan(5);
  expect(composed.filter((name) => !exampled.has(name))).toEqual([]);
});

test("compose.env.example and the image name only what exists", () => {
  const known = new Set([...Object.keys(describeConfig()), ...composed]);
  expect([...exampled].filter((name) => !known.has(name))).toEqual([]);
  const image = [...read("Dockerfile").matchAll(/^ENV (.+)$/gm)].flatMap(([, set]) => set!.match(/\b[A-Z_]+(?==)/g)!);
  expect(image).toContain("DATA_DIR");
  expect(image.filter((name) => !known.has(name))).toEqual([]);
});

// Parley starts first, and Docker gives it the first address that is free.
test("no other container can have the address of Caddy in compose.tls.yaml", () => {
  const file = read("compose.tls.yaml");
  const [, caddy] = /ipv4_address: (\S+)/.exec(file)!;
  const [, network, bits] = /ip_range: (.+)\/(\d+)/.exec(file) ?? /subnet: (.+)\/(\d+)/.exec(file)!;
  const given = new BlockList();
  given.addSubnet(network!, Number(bits));
  expect(given.check(caddy!)).toBe(false);
  expect(file).toContain(`TRUSTED_PROXIES: ${caddy!}\n`);
});

// release-notes.mjs compares the pages with the version that it is given.
test("the Compose file, the README and docs/install.md name the version of package.json", () => {
  const { stderr } = spawnSync(process.execPath, ["scripts/release-notes.mjs", version], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(stderr).not.toMatch(/names|has version/);
  const other = spawnSync(process.execPath, ["scripts/release-notes.mjs", "99.0.0"], { cwd: ROOT, encoding: "utf8" });
  expect(other.status).toBe(1);
  for (const file of [
    "package.json",
    "sdk/package.json",
    "compose.yaml",
    "README.md",
    "docs/install.md",
    "CHANGELOG.md",
  ])
    expect(other.stderr).toContain(file);
});
