import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "../../platform/config/config.js";
import { keyId } from "../../platform/database/seal.js";
import { StartupError } from "../../startup-error.js";
import type { TablePrint } from "./tables.js";

/** What a backup holds. It is written last: a folder without it is no backup. */
export interface Manifest {
  format: 1;
  id: string;
  /** When the database was as it is in here. */
  at: string;
  database: {
    /** The major version of the server, and the file's hash. */
    server: number;
    sha256: string;
    /** Names the history of the change feed: a restored database must have another one. */
    epoch: string;
    tables: Record<string, TablePrint>;
  };
  attachments: {
    files: number;
    bytes: number;
    sha256: string;
    /** Files that were not there although the database names them. */
    missing: string[];
  };
  /** The master keys that open what is sealed in here, by their ids. They are not in here themselves. */
  keys: { SECRET_KEY: string; SECRET_KEYS_OLD: string[] };
}

/** A file of a backup, a line of `attachments.jsonl`. */
export interface StoredFile {
  tenantId: string;
  id: string;
  size: number;
  sha256: string;
}

export const DUMP = "database.dump";
export const FILES = "attachments.jsonl";
const MANIFEST = "manifest.json";

export const fileIn = (folder: string, { tenantId, id }: { tenantId: string; id: string }): string =>
  path.join(folder, "attachments", tenantId, id);

export const newId = (): string => randomUUID();

export function keysOf({ secretKeys }: Config): Manifest["keys"] {
  const [SECRET_KEY, ...SECRET_KEYS_OLD] = secretKeys.map((key) => keyId(key).toString("hex"));
  return { SECRET_KEY: SECRET_KEY!, SECRET_KEYS_OLD };
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(fs.createReadStream(file), hash);
  return hash.digest("hex");
}

export function writeManifest(folder: string, manifest: Manifest): void {
  const file = fs.openSync(path.join(folder, MANIFEST), "wx", 0o600);
  try {
    fs.writeSync(file, `${JSON.stringify(manifest, null, 1)}\n`);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}

/** @throws StartupError */
export function readManifest(folder: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(fs.readFileSync(path.join(folder, MANIFEST), "utf8")) as Manifest;
  } catch (error) {
    throw new StartupError(`${folder} is no complete backup: ${(error as Error).message}`);
  }
  if (manifest.format !== 1)
    throw new StartupError(`${folder} was made by a newer version of Parley: restore it with that one`);
  return manifest;
}
