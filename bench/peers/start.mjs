// Installs the peers and starts them. They read the bench's database as a role of their own.
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const ROLE = "bench_peer";
const here = import.meta.dirname;

/** Does nothing if what the lock file names is there. */
export function install(log) {
  const installed = path.join(here, "node_modules/.package-lock.json");
  const changed = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changed(installed) >= changed(path.join(here, "package-lock.json"))) return;
  log("installing Parse Server, NestJS and TypeORM");
  // No package needs its install script here, and none has to be compiled.
  execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: here, stdio: ["ignore", "ignore", "inherit"] });
}

/**
 * A login for the peers. It sees every row, because a build without row-level security has none to see. Parse Server's
 * tables are in a schema of their own, where this role creates them.
 * @returns {Promise<string>} its URL
 */
export async function login(client, url) {
  const password = randomBytes(16).toString("hex");
  if (!(await client.query("select from pg_roles where rolname = $1", [ROLE])).rowCount)
    await client.query(`create role ${ROLE} login bypassrls`);
  await client.query(`alter role ${ROLE} password '${password}'`);
  await client.query(`create schema if not exists parse authorization ${ROLE}`);
  await client.query(`grant select on conversation, channel, contact, api_key, api_key_lookup to ${ROLE}`);
  await client.query(`alter role ${ROLE} set search_path = parse, public`);
  const of = new URL(url);
  of.username = ROLE;
  of.password = password;
  return of.href;
}

export const startTextbook = (database) =>
  start("the textbook build", ["--import", "@swc-node/register/esm-register", "textbook/main.ts"], {
    DATABASE_URL: database,
  });

export const startParse = (database) =>
  start(
    "Parse Server",
    [path.join(here, "parse/main.mjs")],
    { DATABASE_URL: database, MASTER_KEY: randomBytes(16).toString("hex") },
    // It begins a log file where it is started, whatever its options say.
    path.join(here, "../.data"),
  );

async function start(name, args, env, cwd = here) {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_ENV: "production", ...env },
  });
  const port = await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      const ready = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(String(chunk));
      if (ready) resolve(Number(ready[1]));
    });
    child.once("exit", () => reject(new Error(`${name} did not start`)));
  });
  return { process: child, port };
}
