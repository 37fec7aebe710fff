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
  /** Ends all of its processes at once, as a power cut does. */
  crash(): Promise<void>;
  /** Ends it, and removes its files. */
  remove(): Promise<void>;
}

/** PostgreSQL refuses to run as root. */
const user = process.getuid!() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A server of its own, with the superuser `postgres`, so that roles and crashes are nobody else's. */
export async function startCluster(settings: readonly string[] = []): Promise<TestCluster> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "parley-cluster-"));
  const data = path.join(folder, "data");
  fs.writeFileSync(path.join(folder, "password"), "postgres");
  if (user.uid) fs.chownSync(folder, user.uid, user.gid);
  fs.chmodSync(folder, 0o755);
  const program = (name: string): string => path.join(PG_BIN!, name);
  const login = ["-U", "postgres", "--auth=scram-sha-256", `--pwfile=${path.join(folder, "password")}`];
  execFileSync(program("initdb"), ["-D", data, ...login, "-E", "UTF8", "--locale=C", "--no-sync"], {
    ...user,
    cwd: "/",
    stdio: "pipe",
  });
  const port = Number(await freePort("127.0.0.1"));
  const all = [
    ...[`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "jit=off"],
    ...settings,
  ];
  const server = spawn(program("postgres"), ["-D", data, ...all.flatMap((setting) => ["-c", setting])], {
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
