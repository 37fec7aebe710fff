import fs from "node:fs/promises";
import path from "node:path";
import type { Room } from "./attachment-store.js";

/** The operator is warned below this many times `MIN_FREE_DISK_MB`. */
const LOW = 2;

export const missing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** Says how much of the disk of a folder may still be used. The rest is for the database and the system. */
export class DiskRoom {
  private checked = { at: -Infinity, free: 0 };

  constructor(
    private readonly folder: string,
    private readonly minFree: number,
  ) {}

  /** Asked once a second at most. */
  async get(): Promise<Room> {
    if (this.checked.at < performance.now() - 1_000)
      this.checked = { at: performance.now(), free: await freeBytes(this.folder) };
    const { free } = this.checked;
    return free < this.minFree ? "none" : free < LOW * this.minFree ? "low" : "enough";
  }
}

/** Of the disk that a folder is on, or will be on once it is made. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await fs.statfs(folder);
    return bavail * bsize;
  } catch (error) {
    if (missing(error) && path.dirname(folder) !== folder) return freeBytes(path.dirname(folder));
    throw error;
  }
}
