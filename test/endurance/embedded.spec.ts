import { transformFileSync } from "@swc/core";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { usableBinaries } from "../../src/platform/database/embedded/binaries.js";
import { FolderClaim } from "../../src/platform/database/embedded/claims.js";
import { spawnGuarded } from "../../src/platform/database/embedded/process.js";
import {
  DataDirInUseError,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/platform/database/embedded/embedded.js";
import { connect } from "../support/database.js";
import { canBeNobody, nobody } from "../support/nobody.js";

const repository = path.resolve(import.meta.dirname, "../..");
const isRoot = process.getuid?.() === 0;
const canDropToNobody =
  isRoot && spawnSync(process.execPath, ["-e", ""], { ...nobody, cwd: repository, stdio: "ignore" }).status === 0;

/** The parent folder of everything that these tests write. Each test has its own folder in it. */
let scratch: string;
/** The launcher compiled to JavaScript, so that separate processes can run it. */
let program: string;
/** A data folder with an initialized cluster, so that most tests skip initdb. Each test leaves it stopped. */
let warm: string;

beforeAll(async () => {
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), "parley-embedded-"));
  fs.chmodSync(scratch, 0o755);
  program = compileProgram();
  warm = newFolder();
  await (await start({ dataDir: warm })).stop();
});

afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }));

describe("starting", () => {
  it("creates the cluster, the role and the database, reachable over loopback only", async () => {
    const dataDir = newFolder();
    const server = await start({ dataDir, durable: true });

    const { rows } = await query(
      server,
      `select current_user "user", current_database() "database", current_setting('is_superuser') superuser,
              current_setting('max_connections') connections, current_setting('shared_buffers') buffers,
              current_setting('TimeZone') zone, current_setting('fsync') fsync,
              current_setting('unix_socket_directories') sockets, datlocprovider provider, datlocale locale
         from pg_database where datname = current_database()`,
    );
    expect(rows).toEqual([
      {
        ...{
          user: "parley",
          database: "parley",
          superuser: "on",
          connections: "200",
          buffers: expect.stringMatching(/^[1-9]\d\dMB$|^1GB$/),
        },
        ...{ zone: "UTC", fsync: "on", sockets: "", provider: "b", locale: "C.UTF-8" },
      },
    ]);
    expect(server).toMatchObject({ adopted: false, dataDir: fs.realpathSync(path.join(dataDir, "postgres")) });
    expect(fs.statSync(path.join(server.dataDir, "password")).mode & 0o777).toBe(0o600);
    expect(new URL(server.url()).pathname).toBe("/parley");
    expect(new URL(server.url("other")).pathname).toBe("/other");
    for (const address of otherAddresses()) await expect(connects(address, server.port)).resolves.toBe(false);
    await expect(connects("127.0.0.1", server.port)).resolves.toBe(true);
  });

  it("refuses a wrong password", async () => {
    const server = await start({ dataDir: warm });
    const url = new URL(server.url());
    url.password = "guessed";
    const client = new pg.Client(url.href);
    await expect(client.connect()).rejects.toThrow("password authentication failed");
    await client.end();
  });

  it("gives the running server a login that may act as the application's role and nothing else", async () => {
    const server = await start({ dataDir: warm });
    await query(server, "drop role if exists parley_server, application");
    await query(server, "create role application nologin");
    await query(server, "create table owned as select 'secret' as text");
    const url = await server.loginUrl("application");

    const { rows } = await query(
      { url },
      `select session_user "user", rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication, rolinherit
         from pg_roles where rolname = session_user`,
    );
    expect(rows).toEqual([
      {
        ...{ user: "parley_server", rolsuper: false, rolcreaterole: false, rolcreatedb: false },
        ...{ rolbypassrls: false, rolreplication: false, rolinherit: false },
      },
    ]);
    await expect(query({ url }, "set role application")).resolves.toBeDefined();
    await expect(query({ url }, "set role parley")).rejects.toThrow("permission denied");
    await expect(query({ url }, "set session authorization parley")).rejects.toThrow("permission denied");
    await expect(query({ url }, "reset role; select * from owned")).rejects.toThrow("permission denied");
    await query(server, "drop table owned");
  });

  it("gives the same login to a command beside the server, and again after a restart", async () => {
    const first = await start({ dataDir: warm });
    await query(first, "drop role if exists parley_server, application");
    await query(first, "create role application nologin");
    const command = await start({ dataDir: warm, mode: "adopt" });
    const urls = await Promise.all([first.loginUrl("application"), command.loginUrl("application")]);
    expect(urls[0]).toBe(urls[1]);
    await expect(query({ url: urls[0] }, "select")).resolves.toBeDefined();
    await command.stop();
    await query(first, "alter role parley_server password 'another'");
    await first.stop();
    const url = await (await start({ dataDir: warm })).loginUrl("application");
    await expect(query({ url }, "select")).resolves.toBeDefined();
  });

  it("keeps the data of the previous run", async () => {
    const dataDir = warm;
    const first = await start({ dataDir });
    await remember(first, "kept");
    await first.stop();
    expect(await connects("127.0.0.1", first.port)).toBe(false);

    expect(await recall(await start({ dataDir }))).toBe("kept");
  });

  it("does not keep a process alive that never stops it, and PostgreSQL ends with that process", async () => {
    const dataDir = warm;
    const child = await launch({ dataDir, forgetful: true });
    await child.exited;
    await until(() => !isAlive(child.postgres), "PostgreSQL ended");
  });
});

describe("a folder in use", () => {
  it("refuses a second server and names the folder and the pid", async () => {
    const dataDir = warm;
    const child = await launch({ dataDir });
    const refusal = await start({ dataDir }).catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(DataDirInUseError);
    expect((refusal as Error).message).toContain(fs.realpathSync(path.join(dataDir, "postgres")));
    expect((refusal as Error).message).toContain(`process ${child.pid}`);
    expect((refusal as Error).message).not.toContain("\n");
  });

  it("is shared with a command, which leaves the server running", async () => {
    const dataDir = warm;
    const child = await launch({ dataDir });
    const command = await start({ dataDir, mode: "adopt" });

    expect(command).toMatchObject({ adopted: true, port: child.port });
    expect(command.url()).toBe(child.url);
    await remember(command, "by the command");
    await command.stop();
    expect(isAlive(child.postgres)).toBe(true);
  });

  it("is released when a command that started PostgreSQL ends, and a server waits for that", async () => {
    const dataDir = warm;
    const command = await launch({ dataDir, mode: "adopt" });
    expect(command.adopted).toBe(false);

    const looked = vi.spyOn(FolderClaim, "take");
    onTestFinished(() => looked.mockRestore());
    const waiting = start({ dataDir });
    await until(() => looked.mock.results.some(({ value }) => "holder" in (value as object)), "the server waited");
    await command.stop();
    expect(isAlive(command.postgres)).toBe(false);
    expect((await waiting).adopted).toBe(false);
  });

  it("refuses a server if a command does not end within 10 s", async () => {
    const dataDir = warm;
    const command = await launch({ dataDir, mode: "adopt" });
    const began = Date.now();
    await expect(start({ dataDir })).rejects.toThrow(`process ${command.pid}`);
    expect(Date.now() - began).toBeGreaterThanOrEqual(10_000);
  });

  it("stays open for the second of two commands when the first, which started PostgreSQL, wants to stop", async () => {
    const dataDir = warm;
    const first = await launch({ dataDir, mode: "adopt" });
    const second = await start({ dataDir, mode: "adopt" });
    expect(second.adopted).toBe(true);

    const stopped = first.stop();
    await until(() => first.said.some((line) => line.includes("stops when another command")), "the first waited");
    await remember(second, "undisturbed");
    await second.stop();
    await stopped;
    expect(isAlive(first.postgres)).toBe(false);
  });
});

describe("two concurrent starts on an empty folder", () => {
  it("start one server and refuse the other", async () => {
    const dataDir = newFolder();
    const outcomes = await Promise.allSettled([launch({ dataDir }), launch({ dataDir }), launch({ dataDir })]);

    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(String(outcome.reason)).toContain("DataDirInUseError");
    }
  });

  it("let a command use the other's server", async () => {
    const dataDir = newFolder();
    const commands = await Promise.all([launch({ dataDir, mode: "adopt" }), launch({ dataDir, mode: "adopt" })]);

    expect(commands.map(({ adopted }) => adopted).sort()).toEqual([false, true]);
    expect(commands[0].port).toBe(commands[1].port);
  });
});

describe("after kill -9", () => {
  it("of node, PostgreSQL stops by itself and the next start waits for that", async () => {
    const dataDir = warm;
    const child = await launch({ dataDir });
    await remember(child, "before the kill");
    child.kill();

    const next = await start({ dataDir });
    expect(isAlive(child.postgres)).toBe(false);
    expect(await recall(next)).toBe("before the kill");
  });

  it("of node and the watchdog, the next start stops the orphaned PostgreSQL and continues", async () => {
    const dataDir = warm;
    const child = await launch({ dataDir });
    await remember(child, "before the kill");
    for (const pid of processesOn(dataDir)) if (pid !== child.postgres) process.kill(pid, "SIGKILL");
    child.kill();

    expect(await recall(await start({ dataDir }))).toBe("before the kill");
    expect(isAlive(child.postgres)).toBe(false);
  });

  it("of PostgreSQL, the next start recovers the committed data", async () => {
    const dataDir = warm;
    const lines: string[] = [];
    const server = await start({ dataDir, durable: true, log: (line) => lines.push(line) });
    await remember(server, "committed");
    process.kill(postmasterPid(server.dataDir), "SIGKILL");
    await until(() => lines.some((line) => line.includes("ended unexpectedly")), "the end was reported");
    await server.stop();

    expect(await recall(await start({ dataDir }))).toBe("committed");
  });

  it("of every process, a lock file whose pid now belongs to another process does not prevent the start", async () => {
    const dataDir = warm;
    const server = await start({ dataDir });
    await remember(server, "kept");
    const cluster = path.join(server.dataDir, "cluster");
    const lockFile = path.join(cluster, "postmaster.pid");
    const lock = fs.readFileSync(lockFile, "utf8");
    await server.stop();
    // PostgreSQL ignores a pid of another user's process, so this process must belong to the same user.
    const { uid, gid } = fs.statSync(cluster);
    const stranger = spawn("sleep", ["3600"], { ...(isRoot && { uid, gid }), stdio: "ignore" });
    children.push(stranger);
    fs.writeFileSync(lockFile, lock.replace(/^\d+/, String(stranger.pid)));

    expect(await recall(await start({ dataDir }))).toBe("kept");
  });

  it("during initdb, the next start begins again", async () => {
    const dataDir = newFolder();
    const child = spawnChild({ dataDir });
    const folder = path.join(dataDir, "postgres");
    const halfMade = () => fs.existsSync(folder) && fs.readdirSync(folder).some((name) => name.startsWith("new-"));
    await until(halfMade, "initdb had begun");
    child.kill("SIGKILL");

    await remember(await start({ dataDir }), "works");
    expect(fs.existsSync(path.join(folder, "cluster", "PG_VERSION"))).toBe(true);
  });

  it("at any moment of a start, no PostgreSQL process remains", async () => {
    const dataDir = warm;
    await (await start({ dataDir })).stop();
    for (const delay of [0, 20, 40, 80]) {
      const child = spawnChild({ dataDir });
      await until(() => claims(dataDir).some((file) => file.includes(`.${child.pid}.`)), "the child had its claim");
      await sleep(delay);
      child.kill("SIGKILL");
    }
    await until(() => processesOn(dataDir).length === 0, "all had ended");
    await start({ dataDir });
  });
});

describe("the watchdog", () => {
  it("signals a process again if it missed the signal to end", async () => {
    const ready = path.join(newFolder(), "ready");
    const deafAtFirst = `let heard = 0;
      process.on('SIGINT', () => (heard += 1) > 1 && process.exit());
      require('fs').writeFileSync(process.argv[1], '');
      setInterval(() => undefined, 1000);`;
    const guarded = spawnGuarded(process.execPath, ["-e", deafAtFirst, ready], undefined);
    await until(() => fs.existsSync(ready), "the program listened");
    await guarded.end();
    expect(guarded.hasExited()).toBe(true);
  });
});

describe("a folder that cannot be used is reported in one line", () => {
  it("when a file has its name", async () => {
    const dataDir = newFolder();
    fs.writeFileSync(path.join(dataDir, "postgres"), "");
    await expectOneLine(start({ dataDir }), /a file is in its place/);
  });

  it("when its database was moved away", async () => {
    const dataDir = newFolder();
    fs.symlinkSync(path.join(dataDir, "gone"), path.join(dataDir, "postgres"));
    await expectOneLine(start({ dataDir }), /gone, which cannot be found: restore it/);
  });

  it("when PostgreSQL refuses it, and its lock is released afterwards", async () => {
    const dataDir = warm;
    const version = path.join(dataDir, "postgres", "cluster", "PG_VERSION");
    const original = fs.readFileSync(version);
    onTestFinished(() => fs.writeFileSync(version, original));
    fs.writeFileSync(version, "9.6\n");
    await expectOneLine(start({ dataDir }), /did not start in .*: database files are incompatible with server/);
    expect(claims(dataDir)).toEqual([]);
  });
});

describe.skipIf(!canBeNobody)(
  "as an ordinary user (the test needs root to switch users, and a checkout that all can read)",
  () => {
    const home = () => {
      const folder = newFolder();
      fs.chownSync(folder, nobody.uid, nobody.gid);
      return folder;
    };

    it("the server starts and keeps its data, and root can continue as the owner of the folder", async () => {
      const dataDir = home();
      const child = await launch({ dataDir, user: nobody });
      await remember(child, "nobody's");
      await child.stop();

      const server = await start({ dataDir });
      expect(await recall(server)).toBe("nobody's");
      expect(fs.statSync(path.join(server.dataDir, "cluster")).uid).toBe(nobody.uid);
    });

    it("a folder of root is refused", async () => {
      const dataDir = home();
      fs.mkdirSync(path.join(dataDir, "postgres"));
      await expectOneLine(launch({ dataDir, user: nobody }), /belongs to the user root/);
    });

    it("a folder without write permission is refused", async () => {
      await expectOneLine(launch({ dataDir: newFolder(), user: nobody }), /cannot be used: permission denied/);
    });
  },
);

describe.skipIf(!canDropToNobody)("as root with private folders (the test needs root)", () => {
  it("data is stored outside a private repository, and a copy of the repository gets its own database", async () => {
    const home = newFolder(0o700);
    const dataDir = path.join(home, "one", ".data");
    const first = await start({ dataDir });
    removeAfterTest(first.dataDir);
    expect(first.dataDir).toMatch(/^\/var\/lib\/parley\/data\//);
    await remember(first, "of the first");
    await first.stop();

    spawnSync("cp", ["-a", path.join(home, "one"), path.join(home, "copy")]);
    const copy = await start({ dataDir: path.join(home, "copy", ".data") });
    removeAfterTest(copy.dataDir);
    expect(copy.dataDir).not.toBe(first.dataDir);
    expect(await recall(copy)).toBeUndefined();

    fs.renameSync(path.join(home, "one"), path.join(home, "moved"));
    const moved = await start({ dataDir: path.join(home, "moved", ".data") });
    expect(moved.dataDir).toBe(first.dataDir);
    expect(await recall(moved)).toBe("of the first");
  });

  it("data stays in place when only the data folder itself is private", async () => {
    const dataDir = newFolder(0o700);
    const server = await start({ dataDir });
    expect(server.dataDir).toBe(path.join(dataDir, "postgres"));
    expect(fs.statSync(dataDir).mode & 0o777).toBe(0o711);
  });

  it("binaries that the user cannot reach are copied once to the first reachable place, even by two concurrent starts", async () => {
    const installed = await unreachableBinaries();
    const place = newFolder();
    const user = { ...nobody, name: "nobody" };
    const copies = await Promise.all([1, 2].map(() => usableBinaries(user, ["/dev/null/no-folder", place], installed)));

    expect(new Set(copies).size).toBe(1);
    expect(fs.readdirSync(place)).toEqual([path.basename(copies[0]!)]);
  });
});

// --- servers in this process and in separate processes

const opened: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  // Uses the handles of processes that the tests started, so it is harmless when they have ended.
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(opened.splice(0).map((server) => server.stop()));
});

type StartOptions = Partial<Parameters<typeof startEmbeddedPostgres>[0]> & { dataDir: string };

async function start(options: StartOptions): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ mode: "own", durable: false, ...options });
  opened.push(server);
  return server;
}

interface ChildOptions {
  dataDir: string;
  mode?: "own" | "adopt";
  forgetful?: boolean;
  user?: { uid: number; gid: number };
}

/** Starts the launcher in a separate process. Resolves when PostgreSQL runs, and rejects with the child's error. */
async function launch(options: ChildOptions) {
  const child = spawnChild(options);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const said: string[] = [];
  const report = await new Promise<{ url: string; port: number; adopted: boolean; folder: string }>(
    (resolve, reject) => {
      createInterface({ input: child.stdout! }).on("line", (line) => {
        const answer = JSON.parse(line) as { error?: string; log?: string };
        if (answer.error) reject(new Error(answer.error));
        else if (answer.log !== undefined) said.push(answer.log);
        else resolve(answer as never);
      });
      void exited.then(() => reject(new Error("the child ended without an answer")));
    },
  );
  return {
    url: report.url,
    port: report.port,
    adopted: report.adopted,
    pid: child.pid!,
    postgres: postmasterPid(report.folder),
    /** What it has logged. */
    said,
    exited,
    kill: () => child.kill("SIGKILL"),
    stop: async () => {
      child.stdin!.end();
      await exited;
    },
  };
}

function spawnChild({ user, ...options }: ChildOptions): ChildProcess {
  const child = spawn(process.execPath, [path.join(program, "child.js"), JSON.stringify(options)], {
    ...user,
    cwd: program,
    env: { PATH: process.env.PATH, HOME: options.dataDir },
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  onTestFinished(() => until(() => processesOn(options.dataDir).length === 0, "the processes of the test had ended"));
  return child;
}

function compileProgram(): string {
  const folder = path.join(scratch, "program");
  fs.mkdirSync(folder);
  const source = path.join(repository, "src/platform/database/embedded");
  for (const file of fs.readdirSync(source)) {
    const { code } = transformFileSync(path.join(source, file), {
      ...{ configFile: false, swcrc: false, module: { type: "es6" } },
      jsc: { target: "es2022", parser: { syntax: "typescript" } },
    });
    fs.writeFileSync(path.join(folder, file.replace(/ts$/, "js")), code);
  }
  fs.writeFileSync(path.join(folder, "package.json"), '{"type":"module"}');
  fs.symlinkSync(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  fs.writeFileSync(
    path.join(folder, "child.js"),
    `import { startEmbeddedPostgres } from './embedded.js';
     const { dataDir, mode = 'own', forgetful } = JSON.parse(process.argv[2]);
     const say = (value) => console.log(JSON.stringify(value));
     try {
       const server = await startEmbeddedPostgres({ dataDir, mode, durable: false, log: (log) => say({ log }) });
       say({ url: server.url(), port: server.port, adopted: server.adopted, folder: server.dataDir });
       if (!forgetful) process.stdin.resume().once('end', () => server.stop().then(() => process.exit()));
     } catch (error) {
       say({ error: String(error) });
     }`,
  );
  return folder;
}

// --- helpers

async function query(server: { url: string | ((database?: string) => string) }, sql: string, values: unknown[] = []) {
  const client = await connect(typeof server.url === "string" ? server.url : server.url());
  try {
    return await client.query<Record<string, string>>(sql, values);
  } finally {
    await client.end();
  }
}

async function remember(server: Parameters<typeof query>[0], text: string): Promise<void> {
  await query(server, "drop table if exists memory");
  await query(server, "create table memory as select $1::text as text", [text]);
}

async function recall(server: Parameters<typeof query>[0]): Promise<string | undefined> {
  const { rows } = await query(server, `select to_regclass('memory') is not null as known`);
  return rows[0]!.known ? (await query(server, "select text from memory")).rows[0]!.text : undefined;
}

async function expectOneLine(start: Promise<unknown>, message: RegExp): Promise<void> {
  const error = await start.then(
    () => expect.fail("it started"),
    (reason: Error) => reason,
  );
  expect(error.message).toMatch(message);
  expect(error.message).not.toContain("\n");
}

function newFolder(mode = 0o755): string {
  const folder = fs.mkdtempSync(path.join(scratch, "data-"));
  fs.chmodSync(folder, mode);
  return folder;
}

async function unreachableBinaries(): Promise<string> {
  const copy = path.join(newFolder(0o700), "package");
  fs.cpSync(await usableBinaries(undefined, []), copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function removeAfterTest(folder: string): void {
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
}

function claims(dataDir: string): string[] {
  return fs.readdirSync(path.join(dataDir, "postgres")).filter((file) => file.startsWith("claim."));
}

function postmasterPid(folder: string): number {
  return Number(fs.readFileSync(path.join(folder, "cluster", "postmaster.pid"), "utf8").split("\n")[0]);
}

/** The pids of initdb, postgres and watchdog processes that name this folder in their command line. */
function processesOn(dataDir: string): number[] {
  const { stdout } = spawnSync("ps", ["-axww", "-o", "pid=,stat=,command="], { encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => line.includes(`-D ${path.join(dataDir, "postgres")}`));
  return lines.filter((line) => !/^\s*\d+\s+Z/.test(line)).map((line) => Number.parseInt(line, 10));
}

function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 100_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await sleep(10);
  }
}

function connects(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: 60_000 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .once("connect", () => settle(true))
      .once("error", () => settle(false))
      .once("timeout", () => settle(false));
  });
}

function otherAddresses(): string[] {
  return Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address);
}
