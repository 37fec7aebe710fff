import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { inject, vi } from "vitest";
import { commandLine } from "../../../src/cli/command-line.js";
import { createContext } from "../../../src/app.js";
import { readIfThere } from "../../../src/platform/database/embedded/process.js";
import { Config } from "../../../src/platform/config/config.js";
import { describeConfig } from "../../../src/platform/config/load-config.js";
import { ProvisioningService } from "../../../src/workspaces/provisioning/provisioning.service.js";
import { SECRET_KEY } from "../../support/app.js";
import { Client } from "../../support/client.js";
import { walk } from "../e2e/support.js";
import { connect } from "../../support/database.js";

// Parley as a user starts it: built, in separate processes, with only the environment variables that a test sets.

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** How long a test waits for something that should happen. A process needs seconds to start, and many times that on a busy machine. */
const PATIENCE_MS = 240_000;

/** Gives the tests and hooks of the calling file enough time to start processes. Call it at the top of the file. */
export const allowTimeForProcesses = (): void => {
  vi.setConfig({ testTimeout: 2.5 * PATIENCE_MS, hookTimeout: 2.5 * PATIENCE_MS });
};

export type Settings = Record<string, string | number>;
export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}
export interface Run {
  pid: number;
  output(): { stdout: string; stderr: string };
  kill(signal: NodeJS.Signals): void;
  /** Sends the signal, if given, and waits for the process to end. */
  end(signal?: NodeJS.Signals): Promise<Outcome>;
}
export interface User {
  uid: number;
  gid: number;
}

/**
 * Options of Node for a server that ends after seconds: its start takes a fifth less processor time. The young generation that they
 * enlarge counts in what the server needs, so a test of its memory sets NODE_OPTIONS itself.
 */
export const FOR_SHORT_LIVES = `--import=${new URL("../../../scripts/optimize-later.mjs", import.meta.url).href} --max-semi-space-size=64`;

const started: { run: Run; child: ChildProcess; dataDir: string | undefined }[] = [];
const folders: string[] = [];

/** A folder that every user may enter, for data or as a home. */
export function newFolder(owner?: User): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-process-"));
  fs.chmodSync(folder, 0o755);
  if (owner) fs.chownSync(folder, owner.uid, owner.gid);
  folders.push(folder);
  return folder;
}

const spawnNode = (script: string, args: string[], settings: Settings, user?: User): Run =>
  spawnProgram(process.execPath, [script, ...args], settings, user);

function spawnProgram(program: string, args: string[], settings: Settings, user?: User): Run {
  // An empty setting counts as not set, and the checkout's `.env` cannot set it.
  const unset = Object.fromEntries(Object.keys(describeConfig()).map((name) => [name, ""]));
  const env = {
    PATH: process.env.PATH,
    HOME: newFolder(user),
    NODE_OPTIONS: FOR_SHORT_LIVES,
    ...unset,
    DNS_SERVERS: "127.0.0.1:9",
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
  };
  const child = spawn(program, args, {
    cwd: ROOT,
    env,
    ...user,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const closed = new Promise<Outcome>((resolve) =>
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr })),
  );
  const run: Run = {
    pid: child.pid!,
    output: () => ({ stdout, stderr }),
    kill: (signal) => {
      child.kill(signal);
    },
    end: async (signal) => {
      if (signal) child.kill(signal);
      return withTimeout(closed, () => `process ${child.pid} has not ended: ${stdout}${stderr}`);
    },
  };
  started.push({ run, child, dataDir: settings.DATA_DIR?.toString() });
  return run;
}

/** What `npm start` runs after the build. */
export const main = (settings: Settings, user?: User): Run => spawnNode("dist/src/main.js", [], settings, user);
/** The same of a build in another folder. */
export const mainIn =
  (folder: string): typeof main =>
  (settings, user) =>
    spawnNode(path.join(folder, "dist/src/main.js"), [], settings, user);
/** `parley` of a build in another folder, to its end. */
export const parleyIn = (folder: string, args: string[], settings: Settings): Promise<Outcome> =>
  spawnNode(path.join(folder, "dist/src/cli/main.js"), args, settings).end();
export const npmStart = (settings: Settings): Run => spawnProgram("npm", ["start"], settings);
/** Starts `npm run dev` in a copy of the sources. */
export const npmRunDev = (folder: string, settings: Settings): Run =>
  spawnProgram("npm", ["--prefix", folder, "run", "dev"], settings);
/** Starts `npm run -s parley -- …`. */
export const startCommand = (args: string[], settings: Settings, user?: User): Run =>
  spawnNode("dist/src/cli/main.js", args, settings, user);
/** Runs the same command to its end. */
export const parley = (args: string[], settings: Settings, user?: User): Promise<Outcome> =>
  startCommand(args, settings, user).end();

/**
 * Runs the same command in this process, for what it does and prints: a process of its own takes seconds to import the application.
 * What it prints is caught, so nothing else may run meanwhile.
 */
export async function parleyHere(args: string[], settings: Settings): Promise<Outcome> {
  const printed = { log: "", error: "" };
  const spies = (["log", "error"] as const).map((to) =>
    vi.spyOn(console, to).mockImplementation((text: string) => {
      printed[to] += `${text}\n`;
    }),
  );
  for (const name of Object.keys(describeConfig())) vi.stubEnv(name, String(settings[name] ?? ""));
  try {
    return { code: (await commandLine(args)) ? 0 : 1, signal: null, stdout: printed.log, stderr: printed.error };
  } finally {
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
  }
}

/** What `tenant create --json` prints. */
export interface PrintedTenant {
  tenantId: string;
  testTenantId: string;
  owner: { email: string; password: string };
  apiKeys: { live: string; test: string };
  defaults: { brandId: string; workspaceId: string };
  testDefaults: { brandId: string; workspaceId: string };
}

/** Makes a tenant as `tenant create` does, in this process, where the application is imported already. For servers with `SECRET_KEY`. */
export async function newTenant({ url }: { url: string }, name = "Killed"): Promise<PrintedTenant> {
  const config = Object.assign(new Config(), { SECRET_KEY, LOG_LEVEL: "error", DATABASE_URL: url });
  const context = await createContext(config, url);
  try {
    const owner = { email: "owner@example.com", password: randomBytes(15).toString("base64url") };
    const { keys, ...made } = (await context
      .get(ProvisioningService)
      .create({ name, owner: { ...owner, name: "Owner", proven: true }, withKeys: true }))!;
    return { ...made, owner, apiKeys: keys! };
  } finally {
    await context.close();
  }
}

export interface Server extends Run {
  address: string;
  client(token?: string): Client;
}

/** Starts a server and waits until it reports that it is ready. */
export async function startServer(settings: Settings, user?: User, start = main): Promise<Server> {
  const run = start({ PORT: 0, ...settings }, user);
  const ended = run.end().then(({ code, stderr }) => {
    throw new Error(`the server ended with ${code}: ${stderr}`);
  });
  const address = await Promise.race([
    until(
      () => /^Parley is ready at (\S+)\n/m.exec(run.output().stdout)?.[1],
      () => `the server was ready: ${run.output().stderr}`,
    ),
    ended,
  ]);
  ended.catch(() => undefined);
  return { ...run, address, client: (token) => new Client(address, token) };
}

/** What the first start prints for a new user. */
export interface Credentials {
  email: string;
  password: string;
  live: string;
  test: string;
  curl: string;
}
export function credentials(run: Run): Credentials {
  const { stdout } = run.output();
  const find = (pattern: RegExp): string => {
    const found = pattern.exec(stdout)?.[1];
    if (found === undefined) throw new Error(`${String(pattern)} is not in: ${stdout}`);
    return found;
  };
  return {
    email: find(/Sign in as +(\S+)/),
    password: find(/password (\S+)/),
    live: find(/(svc_live_v1_\w+)$/m),
    test: find(/(svc_test_v1_\w+)$/m),
    curl: find(/^ *(curl .*)$/m),
  };
}

/** Ends the processes that a file's tests started, and removes their folders. For `afterAll`. */
export async function cleanUp(): Promise<void> {
  const all = started.splice(0);
  for (const { child } of all) child.kill("SIGKILL");
  await Promise.all(all.map(({ run }) => run.end()));
  // The embedded PostgreSQL ends by itself after its Node process.
  for (const { dataDir } of all)
    if (dataDir)
      await until(
        () => processesOn(dataDir).length === 0,
        () => `PostgreSQL on ${dataDir} had ended`,
      );
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
}

// --- the embedded database of a data folder

const cluster = (dataDir: string, file: string): string => path.join(dataDir, "postgres", file);
/** The first lines of its lock file: pid, folder, start time, port. */
const lockFile = (dataDir: string): string[] =>
  fs.readFileSync(cluster(dataDir, "cluster/postmaster.pid"), "utf8").split("\n");
export const postgresOf = (dataDir: string): number => Number(lockFile(dataDir)[0]);
/** Connects as the embedded database's superuser. */
export const superuser = async (dataDir: string): Promise<pg.Client> =>
  connect(
    `postgres://parley:${fs.readFileSync(cluster(dataDir, "password"), "utf8").trim()}@127.0.0.1:${lockFile(dataDir)[3]}/parley`,
  );

/** The pids of all processes with this folder in their command line, including PostgreSQL and its watchdog. */
export function processesOn(dataDir: string): number[] {
  if (process.platform === "linux") return withCommandLine(dataDir);
  const { stdout } = spawnSync("ps", ["-axww", "-o", "pid=,stat=,command="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .filter((line) => line.includes(dataDir) && !/^\s*\d+\s+Z/.test(line))
    .map((line) => Number.parseInt(line, 10));
}
/** Reads /proc, because `ps` costs a process for each look. A zombie has no command line. */
const withCommandLine = (text: string): number[] =>
  fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && readIfThere(`/proc/${name}/cmdline`)?.replaceAll("\0", " ").includes(text))
    .map(Number);
export const userOf = (pid: number): number =>
  Number(spawnSync("ps", ["-o", "uid=", "-p", String(pid)], { encoding: "utf8" }).stdout);

// --- external databases, on the server of the test run

const testServer = (database: string): string =>
  inject("postgres").replace(encodeURIComponent("{database}"), database).replace("{database}", database);

export interface EmptyDatabase {
  name: string;
  url: string;
  admin: pg.Client;
  drop(): Promise<void>;
}

/** A database without a schema, as an operator creates it. */
export async function emptyDatabase(owner?: string): Promise<EmptyDatabase> {
  const name = `process_${randomBytes(6).toString("hex")}`;
  const admin = await connect(testServer("postgres"));
  await admin.query(`create database ${name}${owner ? ` owner ${owner}` : ""}`);
  return {
    name,
    url: testServer(name),
    admin,
    drop: async () => {
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

// --- helpers

/** Asks repeatedly until the answer is not false, null or undefined. */
export async function until<T>(
  ask: () => T | Promise<T>,
  what: () => string,
): Promise<Exclude<T, false | null | undefined>> {
  const began = Date.now();
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer != null) return answer as Exclude<T, false | null | undefined>;
    const waited = Date.now() - began;
    if (waited > PATIENCE_MS) throw new Error(`waited in vain until ${what()}`);
    // The longer it takes, the less another moment matters, and each question costs something.
    await sleep(Math.min(10 + waited / 20, 100));
  }
}

async function withTimeout<T>(work: Promise<T>, complaint: () => string): Promise<T> {
  const timer = new AbortController();
  const late = sleep(2 * PATIENCE_MS, undefined, { signal: timer.signal }).then(
    () => {
      throw new Error(complaint());
    },
    () => new Promise<never>(() => undefined),
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}

/** Waits until the assistant has answered the demo's new customers, or passed them on. Until then their conversations change. */
export const untilAnswered = (live: Client): Promise<unknown> =>
  until(
    async () => {
      const asked = (await walk(live, "/api/conversations")).filter(({ externalId }) => /^demo-/.test(externalId!));
      const runs = asked.map(async ({ id }) => (await live.get(`/api/conversations/${id}/agent-activity`, 200)).body);
      return (await Promise.all(runs)).every(({ data }) => data[0]?.outcome);
    },
    () => "the assistant has answered",
  );
