// Makes a client with each of three generators from openapi.json, compiles them, and calls a real server with them.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const here = import.meta.dirname;
const GENERATORS = {
  // A field of a request that has a default may be left out. This generator wants to be told.
  "openapi-typescript": [
    "openapi-typescript",
    ["../../openapi.json", "--output", "dist/openapi-typescript.ts", "--default-non-nullable=false"],
  ],
  "hey-api": ["openapi-ts", ["--input", "../../openapi.json", "--output", "dist/hey-api"]],
  orval: ["orval", ["--config", "./orval.config.cjs"]],
};

install();
fs.rmSync(path.join(here, "dist"), { recursive: true, force: true });
for (const [name, [command, args]] of Object.entries(GENERATORS)) timed(`${name} generated`, () => bin(command, args));
timed("all compiled", () => bin("tsc", ["-p", "."]));

const data = fs.mkdtempSync(path.join(os.tmpdir(), "parley-clients-"));
const server = await start();
try {
  for (const name of Object.keys(GENERATORS)) await call(name);
} finally {
  server.process.kill();
  await new Promise((resolve) => server.process.once("exit", resolve));
  fs.rmSync(data, { recursive: true, force: true });
}

async function call(name) {
  const [existing] = (await get("/api/conversations?limit=1")).data;
  const absentId = randomUUID();
  const task = { ...server.access, workspaceId: existing.workspaceId, contactId: existing.contactId, absentId };
  const outcome = JSON.parse(
    execFileSync(process.execPath, [`dist/compiled/${name}.js`], {
      cwd: here,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, TASK: JSON.stringify(task) },
      timeout: 30_000,
    }),
  );
  assert.equal(outcome.subject, name);
  assert.equal(outcome.notFound, "Not found");
  // Four different conversations, two on each page.
  assert.equal(new Set([...outcome.firstPage, ...outcome.secondPage]).size, 4);
  const { data: messages } = await get(`/api/conversations/${outcome.started}/messages`);
  assert.equal(messages.find(({ id }) => id === outcome.reply)?.body, "It left our warehouse this morning.");
  console.log(`${name}: listed two pages, started a conversation, replied, and got a 404`);
}

async function get(route) {
  const { baseUrl, key } = server.access;
  const response = await fetch(baseUrl + route, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200, route);
  return response.json();
}

/** A server of its own, with the demo's conversations. It prints its address and a key. */
async function start() {
  const { DATABASE_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, ["dist/src/main.js"], {
    cwd: path.join(here, "../.."),
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...env, DATA_DIR: data, HOST: "127.0.0.1", PORT: "0" },
  });
  const access = await new Promise((resolve, reject) => {
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
      const baseUrl = /ready at (http:\S+)/.exec(output)?.[1];
      const key = /(svc_live_v1_\w+)\n/.exec(output)?.[1];
      if (baseUrl && key) resolve({ baseUrl, key });
    });
    child.once("exit", () => reject(new Error(`the server did not start:\n${output}`)));
  });
  return { process: child, access };
}

/** Does nothing if what the lock file names is there. */
function install() {
  const changed = (file) => fs.statSync(path.join(here, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changed("node_modules/.package-lock.json") >= changed("package-lock.json")) return;
  // No package needs its install script here.
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: here, stdio: "inherit" });
}

function bin(command, args) {
  try {
    execFileSync(path.join(here, "node_modules/.bin", command), args, { cwd: here, encoding: "utf8", stdio: "pipe" });
  } catch ({ stdout, stderr }) {
    console.error(stdout, stderr);
    throw new Error(`${command} failed`);
  }
}

function timed(what, action) {
  const start = performance.now();
  action();
  console.log(`${what} in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
