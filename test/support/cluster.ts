import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "./database.js";
import { freePort } from "./ports.js";

const ROOT = "/usr/lib/postgresql";
const PROGRAMS = ["initdb", "postgres", "pg_dump", "pg_restore", "pg_basebackup"];

/** Where the programs of a whole PostgreSQL are; undefined if none is installed. `PG_BIN` names another folder. */
export const PG_BIN = [
  process.env.PG_BIN,
  ...(fs.existsSync(ROOT) ? fs.readdirSync(ROOT) : [])
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(ROOT, version, "bin")),
].find((folder) => folder !== undefined && PROGRAMS.every((name) => fs.existsSync(path.join(folder, name))));

/** Is added to the names of tests that are skipped without it. */
export const WITHOUT_POSTGRES = PG_BIN ? "" : " (left out: no whole PostgreSQL was found; install postgresql)";

export interface TestCluster {
  port: number;
  /** As this login, with the password that is its name. */
  url(login: string, database?: string): string;
  /** A streaming standby of it. */
  standby(): Promise<TestCluster>;
  /** Ends all of its processes at once, as a power cut does. */
  crash(): Promise<void>;
  /** Ends it, and removes its files. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const user = process.getuid!() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const program = (name: string): string => path.join(PG_BIN!, name);

/** A server of its own, with the superuser `postgres`, so that roles and crashes are nobody else's. */
export async function startCluster(settings: readonly string[] = []): Promise<TestCluster> {
  const folder = newFolder();
  const password = path.join(folder, "password");
  fs.writeFileSync(password, "postgres", { mode: 0o644 });
  const login = ["-U", "postgres", "--auth=scram-sha-256", `--pwfile=${password}`];
  run("initdb", ["-D", path.join(folder, "data"), ...login, "-E", "UTF8", "--locale=C", "--no-sync"]);
  return startOn(folder, settings);
}

async function startStandby(of: string, settings: readonly string[]): Promise<TestCluster> {
  const folder = newFolder();
  run("pg_basebackup", ["-D", path.join(folder, "data"), "-d", of, "-R", "-X", "stream", "-c", "fast", "--no-sync"]);
  return startOn(folder, settings);
}

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-cluster-"));
  if (user.uid) fs.chownSync(folder, user.uid, user.gid);
  fs.chmodSync(folder, 0o755);
  return folder;
}

const run = (name: string, args: string[]): unknown =>
  execFileSync(program(name), args, { ...user, cwd: "/", stdio: "pipe" });

async function startOn(folder: string, settings: readonly string[]): Promise<TestCluster> {
  const port = Number(await freePort("127.0.0.1"));
  const all = [
    ...[`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "jit=off"],
    ...settings,
  ];
  const args = ["-D", path.join(folder, "data"), ...all.flatMap((setting) => ["-c", setting])];
  const server = spawn(program("postgres"), args, {
    ...user,
    cwd: "/",
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const url = (name: string, database = "postgres"): string =>
    `postgres://${name}:${name}@127.0.0.1:${port}/${database}`;
  await untilUp(server, url("postgres"), () => said);
  const crash = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    process.kill(-server.pid!, "SIGKILL");
    await ended;
  };
  return {
    port,
    url,
    crash,
    standby: () => startStandby(url("postgres"), settings),
    remove: async () => {
      await crash();
      await fs.promises.rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

async function untilUp(server: ChildProcess, url: string, said: () => string): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said()}`);
    try {
      await (await connect(url)).end();
      return;
    } catch {
      await sleep(20);
    }
  }
}
