import { createHmac, randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { ServerFolder } from "./folder.js";
import { commandLine, type GuardedProcess, readIfThere, spawnGuarded } from "./process.js";

/** The name of the superuser and of the default database of url(). */
const NAME = "parley";
/** The login of the running server. It owns nothing. */
const LOGIN = "parley_server";

/** Distinguishes our servers from one that was started by hand on the same folder. Also shows in `ps`. */
const CLUSTER_NAME = "cluster_name=parley";

/** Temporary errors at a start: an old server's last processes, or a port that was just taken. */
const PASSING = /still in use|could not create any TCP\/IP sockets/;

const PREDECESSOR_LIMIT_MS = 30_000;
/** Recovery after a crash may read a lot of log, so wait long for a living server. */
const READY_LIMIT_MS = 600_000;
const SLOW_MS = 10_000;

interface StartOptions {
  /** Holds `native/bin`. */
  binaries: string;
  durable: boolean;
  socket: boolean;
  log: (line: string) => void;
}

export interface ClusterServer {
  port: number;
  process: GuardedProcess;
}

/**
 * In MB: an eighth of the memory that this process may use, from 128 (PostgreSQL's default) to 1,024. The kernel
 * allocates it when it is used.
 */
const sharedBuffers = (): number =>
  Math.floor(
    Math.min(1_024, Math.max(128, Math.min(os.totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20 / 8)),
  );

/** A PostgreSQL cluster on disk. `cluster/` is its data directory, `password` holds the superuser's password. */
export class Cluster {
  private readonly dataDirectory: string;

  constructor(private readonly folder: ServerFolder) {
    this.dataDirectory = path.join(folder.path, "cluster");
  }

  url(port: number, database = NAME): string {
    return `postgres://${NAME}:${this.password()}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  }

  /**
   * A URL for the running server: its login may act as `role` and nothing else. Creates the login if it is missing, so
   * that the data of an earlier version gets one, too.
   * @param renew sets the login's password again. Only the holder of the folder's claim may do so.
   */
  async loginUrl(port: number, role: string, renew: boolean): Promise<string> {
    // Derived, so that processes that start together agree on it. The superuser's password is random.
    const password = createHmac("sha256", this.password()).update(LOGIN).digest("base64url");
    const client = new pg.Client({ connectionString: this.url(port), connectionTimeoutMillis: 10_000 });
    client.on("error", () => undefined);
    await client.connect();
    try {
      const { rowCount } = await client.query("select from pg_roles where rolname = $1", [LOGIN]);
      if (!rowCount) await client.query(`create role ${LOGIN} login noinherit in role ${role} password '${password}'`);
      else if (renew) await client.query(`alter role ${LOGIN} password '${password}'`);
    } catch (error) {
      if (!madeByAnother(error)) throw error;
    } finally {
      await client.end();
    }
    return `postgres://${LOGIN}:${password}@127.0.0.1:${port}/${NAME}`;
  }

  /** Starts the server. Only the holder of the folder's claim may call it. Cleans up after a killed predecessor. */
  async start(options: StartOptions): Promise<ClusterServer> {
    if (!fs.existsSync(path.join(this.dataDirectory, "PG_VERSION"))) await this.create(options);
    const deadline = Date.now() + PREDECESSOR_LIMIT_MS;
    for (;;) {
      // An old lock file would look like the new server's, and its pid may now belong to another process.
      fs.rmSync(this.lockFile, { force: true });
      const server = await this.launch(options);
      const refusal = await this.untilReady(server, options.log);
      if (!refusal) return server;
      await server.process.end();
      if (!PASSING.test(refusal) || Date.now() > deadline) {
        throw new Error(`PostgreSQL did not start in ${this.folder.path}: ${refusal}`);
      }
      await sleep(200);
    }
  }

  /**
   * Waits for a server whose node process has died. The watchdog is stopping it, or has died too. Returns the pid of
   * a server that still runs after 30 s.
   */
  async outlivePredecessor(log: (line: string) => void): Promise<number | undefined> {
    const deadline = Date.now() + PREDECESSOR_LIMIT_MS;
    const orphan = this.runningServer();
    if (!orphan) return undefined;
    log(`waiting for the PostgreSQL of a Parley that has ended (process ${orphan.pid}) to shut down`);
    // Does nothing if the watchdog was faster. A server that was started by hand is not ours to stop.
    if (commandLine(orphan.pid).includes(CLUSTER_NAME)) signal(orphan.pid, "SIGINT");
    while (this.runningServer() && Date.now() < deadline) await sleep(50);
    return this.runningServer()?.pid;
  }

  /** The port of a server that runs here and accepts our password. */
  async readyPort(): Promise<number | undefined> {
    const server = this.runningServer();
    if (server?.status !== "ready") return undefined;
    try {
      await this.ensureDatabase(server.port);
      return server.port;
    } catch {
      return undefined; // it is shutting down, or has just been killed
    }
  }

  async ensureDatabase(port: number): Promise<void> {
    const client = new pg.Client({ connectionString: this.url(port, "postgres"), connectionTimeoutMillis: 10_000 });
    client.on("error", () => undefined); // the query that it breaks off says so too
    await client.connect();
    try {
      const { rowCount } = await client.query("select from pg_database where datname = $1", [NAME]);
      if (!rowCount) await client.query(`create database ${NAME}`);
    } catch (error) {
      if (!madeByAnother(error)) throw error;
    } finally {
      await client.end();
    }
  }

  /** The cluster is made aside and then renamed, so that a killed initdb leaves nothing that looks like a cluster. */
  private async create({ binaries, durable, log }: StartOptions): Promise<void> {
    log(`creating a PostgreSQL cluster in ${this.folder.path}`);
    await this.removeHalfMadeClusters();
    this.writePassword();
    const aside = path.join(this.folder.path, `new-${randomBytes(6).toString("hex")}`);
    const initdb = spawnGuarded(
      path.join(binaries, "native", "bin", "initdb"),
      [
        ...["-D", aside, "-U", NAME, "--auth=scram-sha-256", `--pwfile=${this.passwordFile}`],
        // A locale that is built into PostgreSQL sorts the same on every machine, whatever locales the system has.
        ...["-E", "UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"],
        ...["--no-instructions", ...(durable ? [] : ["--no-sync"])],
      ],
      this.folder.user,
    );
    await initdb.exited;
    if (initdb.exitCode() !== 0) {
      const reason = firstComplaint(await initdb.output());
      fs.rmSync(aside, { recursive: true, force: true });
      throw new Error(`PostgreSQL could not create its cluster in ${this.folder.path}: ${reason}`);
    }
    fs.renameSync(aside, this.dataDirectory);
  }

  private async removeHalfMadeClusters(): Promise<void> {
    // The initdb of a killed process may still be writing. Retry until it has ended.
    const patience = { maxRetries: 20, retryDelay: 50 };
    for (const name of fs.readdirSync(this.folder.path).filter((entry) => entry.startsWith("new-"))) {
      await fs.promises.rm(path.join(this.folder.path, name), { recursive: true, force: true, ...patience });
    }
  }

  private writePassword(): void {
    fs.rmSync(this.passwordFile, { force: true });
    // 'wx' follows no link. This matters if root writes into another user's folder.
    const file = fs.openSync(this.passwordFile, "wx", 0o600);
    try {
      fs.writeSync(file, randomBytes(24).toString("base64url"));
      if (this.folder.user) fs.fchownSync(file, this.folder.user.uid, this.folder.user.gid);
      fs.fsyncSync(file); // initdb makes the cluster safe on disk; its password must not be lost either
    } finally {
      fs.closeSync(file);
    }
  }

  private async launch({ binaries, durable, socket }: StartOptions): Promise<ClusterServer> {
    const port = await freePort();
    const settings = [
      ...[CLUSTER_NAME, `port=${port}`, "listen_addresses=127.0.0.1"],
      `unix_socket_directories=${socket ? this.folder.path : ""}`,
      ...["max_connections=200", `shared_buffers=${sharedBuffers()}MB`, "timezone=UTC", "log_timezone=UTC"],
      // Parley reports failed statements itself. PostgreSQL's log of them would contain personal data.
      ...["log_min_messages=log", "log_checkpoints=off", "log_line_prefix="],
      ...(durable ? [] : ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]),
    ];
    const server = spawnGuarded(
      path.join(binaries, "native", "bin", "postgres"),
      ["-D", this.dataDirectory, ...settings.flatMap((setting) => ["-c", setting])],
      this.folder.user,
    );
    return { port, process: server };
  }

  /** Undefined once the server accepts connections, otherwise the reason why not. */
  private async untilReady({ port, process }: ClusterServer, log: (line: string) => void): Promise<string | undefined> {
    const began = Date.now();
    let nextNotice = began + SLOW_MS;
    for (;;) {
      if (process.hasExited()) return firstComplaint(await process.output());
      const lock = this.readLockFile();
      if (lock?.status === "ready" && lock.port === port) return undefined;
      if (Date.now() > began + READY_LIMIT_MS) return `it was not ready after ${READY_LIMIT_MS / 1000} s`;
      if (Date.now() > nextNotice) {
        log(`PostgreSQL is still starting in ${this.folder.path} (after a crash it first replays its log)`);
        nextNotice += SLOW_MS;
      }
      await sleep(10);
    }
  }

  /** The contents of the lock file, if its process is alive and is PostgreSQL on this folder. */
  private runningServer() {
    const lock = this.readLockFile();
    return lock && commandLine(lock.pid).includes(this.dataDirectory) ? lock : undefined;
  }

  private readLockFile(): { pid: number; port: number; status: string } | undefined {
    const lines = readIfThere(this.lockFile)?.split("\n");
    // The lines of the file: pid, data directory, start time, port, socket directory, address, shared memory, status.
    return lines && { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? "" };
  }

  private password(): string {
    const password = readIfThere(this.passwordFile);
    if (password) return password;
    throw new Error(`${this.passwordFile} is missing: it is the only copy of the database's password, restore it`);
  }

  private get lockFile(): string {
    return path.join(this.dataDirectory, "postmaster.pid");
  }

  private get passwordFile(): string {
    return path.join(this.folder.path, "password");
  }
}

/**
 * The first error is the cause, the later ones are its consequences. A hint explains some errors, such as a full
 * disk.
 */
function firstComplaint(output: string): string {
  const lines = output.split("\n");
  const first = lines.findIndex((line) => /\b(FATAL|PANIC|error):/.test(line));
  const complaint = lines.at(first)?.replace(/^.*?\b(FATAL|PANIC|error):\s*/, "") || "no reason given";
  const hint = lines[first + 1]?.match(/^HINT:\s*(.*)/)?.[1];
  return hint ? `${complaint} (${hint})` : complaint;
}

/** A database, a role or a unique row exists, because another process came first. */
const madeByAnother = (error: unknown): boolean =>
  ["42P04", "42710", "23505"].includes((error as pg.DatabaseError).code ?? "");

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended in the meantime.
  }
}

/** A port that is free now. If another program takes it before PostgreSQL does, the start is tried again. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
