import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { readIfThere, type ServerUser } from "./process.js";

/** Where root keeps files for the server's user if the repository or the data folder is private. */
export const SHARED_STATE = "/var/lib/parley";

/** The folder of one cluster with its password and claims, and the user that must run PostgreSQL there. */
export interface ServerFolder {
  path: string;
  /** Set only if this process is root. Otherwise PostgreSQL runs as the current user. */
  user?: ServerUser;
}

/** Finds or creates `${dataDir}/postgres`. The server's user owns it and can enter it. */
export function openServerFolder(dataDir: string, log: (line: string) => void): ServerFolder {
  const folder = path.resolve(dataDir, "postgres");
  try {
    fs.mkdirSync(dataDir, { recursive: true });
    const location = path.join(fs.realpathSync(dataDir), "postgres");
    return process.getuid?.() === 0 ? openAsRoot(location, log) : openAsOurselves(location);
  } catch (error) {
    throw inPlainWords(error, folder);
  }
}

function openAsOurselves(location: string): ServerFolder {
  refuseBrokenLink(location);
  makePrivateFolder(location);
  const { uid } = fs.statSync(location);
  if (uid !== process.getuid?.()) throw foreignFolder(location, uid);
  fs.accessSync(location, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  return { path: fs.realpathSync(location) };
}

function openAsRoot(location: string, log: (line: string) => void): ServerFolder {
  refuseBrokenLink(location);
  const user = ownerOf(location) ?? unprivilegedUser();
  const folder = settle(location, user, log);
  handOver(folder, user);
  return { path: folder, user };
}

/**
 * Decides where the data is. The decision is permanent: the folder is at its own path, or a link there points to the
 * other folder. So a later change of permissions never makes a filled database look empty.
 */
function settle(location: string, user: ServerUser, log: (line: string) => void): string {
  const found = fs.lstatSync(location, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return followLink(location, user, log);
  if (letIn(path.dirname(location), user, log)) {
    makePrivateFolder(location);
    return location;
  }
  if (found)
    throw new Error(
      `${location} cannot be reached by the user ${user.name}, whom PostgreSQL runs as: chmod a+x the folders above it`,
    );
  return moveOut(location, user, log);
}

/**
 * Whether `user` can enter. If only the data folder itself keeps the user out, its mode is changed to let the user
 * through.
 */
function letIn(dataDir: string, user: ServerUser, log: (line: string) => void): boolean {
  if (canEnter(dataDir, user)) return true;
  const { uid, mode } = fs.statSync(dataDir);
  if (uid !== 0 || !canEnter(path.dirname(dataDir), user)) return false;
  // This is better than moving the data elsewhere, because this folder may be the volume that is meant to hold it.
  fs.chmodSync(dataDir, mode | 0o011);
  if (!canEnter(dataDir, user)) return false;
  log(`${dataDir} was opened for passing through (chmod a+x), because PostgreSQL runs as ${user.name}`);
  return true;
}

/** Asks the kernel, because permissions depend on more than mode bits. */
function canEnter(folder: string, user: ServerUser): boolean {
  const { status } = spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], {
    uid: user.uid,
    gid: user.gid,
    cwd: "/",
    stdio: "ignore",
  });
  return status === 0;
}

/**
 * Creates a separate folder for each data folder, below a root that all users may enter, and a link to it at the data
 * folder's path.
 */
function moveOut(location: string, user: ServerUser, log: (line: string) => void): string {
  const shared = path.join(SHARED_STATE, "data");
  ensureOpenFolder(SHARED_STATE);
  ensureOpenFolder(shared);
  const name = createHash("sha256").update(location).digest("hex").slice(0, 12);
  // The random suffix: if you remove the data folder, you want an empty database and not the old data again.
  const folder = fs.mkdtempSync(path.join(shared, `${name}-`));
  fs.chownSync(folder, user.uid, user.gid);
  fs.writeFileSync(originFile(folder), location);
  try {
    fs.symlinkSync(folder, location);
  } catch (error) {
    fs.rmSync(folder, { recursive: true });
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return fs.realpathSync(location); // another process that started at the same time was faster
  }
  log(
    `the database of ${location} lies in ${folder}, because PostgreSQL runs as ${user.name}, who cannot enter ${path.dirname(location)}`,
  );
  return folder;
}

/** Not `recursive`: on a read-only disk, that would report a missing file instead of the real reason. */
function makePrivateFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Creates a folder that all users may enter, whatever the umask. Does not change an existing folder. */
export function ensureOpenFolder(folder: string): void {
  if (fs.mkdirSync(folder, { recursive: true })) fs.chmodSync(folder, 0o755);
}

/** A link that was copied with a repository must not make two repositories share one database. */
function followLink(location: string, user: ServerUser, log: (line: string) => void): string {
  const folder = fs.realpathSync(location);
  const origin = readIfThere(originFile(folder));
  const isOurs = origin === location;
  const isOperators = origin === undefined;
  if (isOurs || isOperators) return folder;
  if (linkTarget(origin) === folder) {
    log(`${location} was copied from ${origin}: it gets an empty database of its own`);
    fs.unlinkSync(location);
    return settle(location, user, log);
  }
  fs.writeFileSync(originFile(folder), location); // the repository was moved
  return folder;
}

function originFile(folder: string): string {
  return path.join(folder, "origin");
}

function linkTarget(file: string): string | undefined {
  try {
    return fs.realpathSync(fs.readlinkSync(file));
  } catch {
    return undefined;
  }
}

function refuseBrokenLink(location: string): void {
  if (fs.existsSync(location) || !fs.lstatSync(location, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new Error(
    `The database of ${location} was in ${fs.readlinkSync(location)}, which cannot be found: restore it, or remove the link to begin empty`,
  );
}

/** Gives a new folder to the server's user. A folder that contains files keeps its owner. */
function handOver(folder: string, user: ServerUser): void {
  const { uid } = fs.statSync(folder);
  if (uid === user.uid) return;
  if (uid !== 0 || fs.readdirSync(folder).length > 0) throw foreignFolder(folder, uid);
  fs.chownSync(folder, user.uid, user.gid);
}

/**
 * If this process is root, PostgreSQL keeps running as the owner of the database: an ordinary user, or `nobody` if
 * `postgres` was installed later.
 */
function ownerOf(location: string): ServerUser | undefined {
  const found = fs.statSync(location, { throwIfNoEntry: false });
  if (!found || found.uid === 0) return undefined;
  return { uid: found.uid, gid: found.gid, name: userName(found.uid) };
}

function unprivilegedUser(): ServerUser {
  const users = accounts();
  const user = users.find(({ name }) => name === "postgres") ?? users.find(({ name }) => name === "nobody");
  if (user) return user;
  throw new Error(
    'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody": run Parley as an ordinary user',
  );
}

function userName(uid: number): string {
  return accounts().find((account) => account.uid === uid)?.name ?? `number ${uid}`;
}

function accounts(): ServerUser[] {
  return (readIfThere("/etc/passwd") ?? "")
    .split("\n")
    .map((line) => line.split(":"))
    .map(([name = "", , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
}

function foreignFolder(folder: string, uid: number): Error {
  return new Error(
    `${folder} belongs to the user ${userName(uid)}: run Parley as that user, or set DATA_DIR to another folder`,
  );
}

const REASONS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the user's disk quota is used up",
  EEXIST: "a file is in its place",
  ENOTDIR: "a file is in its path",
  ENOENT: "it is missing and cannot be made",
};

/** One line that names the folder and the reason, instead of a system call. */
export function inPlainWords(error: unknown, folder: string): Error {
  const { code, path: file } = error as NodeJS.ErrnoException;
  const reason = code && REASONS[code];
  if (!reason) return error as Error;
  const where = file && file !== folder ? ` (${file})` : "";
  return new Error(`The database folder ${folder} cannot be used: ${reason}${where}. DATA_DIR sets another one.`, {
    cause: error,
  });
}
