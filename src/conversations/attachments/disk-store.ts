import { randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { Logger, type OnApplicationBootstrap } from "@nestjs/common";
import type { Config } from "../../platform/config/config.js";
import { notFound } from "../../platform/http/errors.js";
import { MAX_UPLOAD_MS } from "../../platform/http/upload.js";
import { NoRoomForFiles } from "./attachment-quota.js";
import { AttachmentStore, type FileKey, type FileRange, type Room } from "./attachment-store.js";
import { DiskRoom, missing } from "./disk.js";

/** A file that has not grown for this long belongs to no running upload of any process. */
const ABANDONED_MS = 2 * MAX_UPLOAD_MS;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * One folder that all processes share: `<tenant>/<last two digits of the id>/<id>`. Running uploads are in
 * `incoming`.
 */
export class DiskStore extends AttachmentStore implements OnApplicationBootstrap {
  private readonly log = new Logger("attachments");
  private readonly root: string;
  private readonly incoming: string;
  private readonly space: DiskRoom;

  constructor(config: Config) {
    super();
    this.root = path.resolve(config.attachmentsDir);
    this.incoming = path.join(this.root, "incoming");
    this.space = new DiskRoom(this.root, config.MIN_FREE_DISK_MB * 1_048_576);
  }

  async onApplicationBootstrap(): Promise<void> {
    // An unreadable folder is reported at the first upload. Without uploads, no folder is needed.
    await this.removeAbandoned().catch((error: Error) => {
      this.log.warn(`what broke off is not removed: ${error.message}`);
    });
  }

  /** Writes to a temporary file and renames it. So neither a crash nor a power cut leaves a partial file. */
  async put(key: FileKey, bytes: AsyncIterable<Buffer>): Promise<void> {
    const [aside, target] = [path.join(this.incoming, `${key.id}.${randomBytes(6).toString("hex")}`), this.pathOf(key)];
    try {
      await fs.mkdir(this.incoming, { recursive: true, mode: 0o700 });
      if ((await this.room()) === "none") throw new NoRoomForFiles();
      await write(aside, bytes);
      const shard = path.dirname(target);
      const made = await fs.mkdir(shard, { recursive: true, mode: 0o700 });
      await fs.rename(aside, target);
      for (const folder of made ? [shard, path.dirname(shard), this.root] : [shard]) await sync(folder);
    } catch (error) {
      await fs.rm(aside, { force: true }).catch(() => undefined);
      if ((error as NodeJS.ErrnoException).syscall)
        this.log.error(`a file cannot be kept: ${(error as Error).message}`);
      throw error;
    }
  }

  room(): Promise<Room> {
    return this.space.get();
  }

  async get(key: FileKey, range?: FileRange): Promise<Readable> {
    try {
      return (await fs.open(this.pathOf(key))).createReadStream(range);
    } catch (error) {
      throw missing(error) ? notFound() : error;
    }
  }

  async remove(key: FileKey): Promise<void> {
    await fs.rm(this.pathOf(key), { force: true });
  }

  async *list(tenantId: string, before: Date): AsyncGenerator<string> {
    await this.removeAbandoned();
    for (const shard of await entries(path.join(this.root, tenantId))) {
      for (const id of await entries(path.join(this.root, tenantId, shard))) {
        if (UUID.test(id) && (await olderThan(path.join(this.root, tenantId, shard, id), before))) yield id;
      }
    }
  }

  /** An unusable folder is reported at the first upload and by `room`. Everything else works without it. */
  check(): Promise<void> {
    return Promise.resolve();
  }

  addressOf(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Removes the unfinished uploads of a killed process. */
  private async removeAbandoned(): Promise<void> {
    const before = new Date(Date.now() - ABANDONED_MS);
    for (const name of await entries(this.incoming)) {
      const file = path.join(this.incoming, name);
      if (await olderThan(file, before)) await fs.rm(file, { force: true });
    }
  }

  private pathOf({ tenantId, id }: FileKey): string {
    return path.join(this.root, tenantId, id.slice(-2), id);
  }
}

async function write(file: string, bytes: AsyncIterable<Buffer>): Promise<void> {
  const handle = await fs.open(file, "wx", 0o600);
  try {
    for await (const chunk of bytes) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A new file name survives a power cut only after its folder is synced. */
async function sync(folder: string): Promise<void> {
  const handle = await fs.open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function entries(folder: string): Promise<string[]> {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (missing(error)) return [];
    throw error;
  }
}

async function olderThan(file: string, time: Date): Promise<boolean> {
  try {
    return (await fs.stat(file)).mtime < time;
  } catch (error) {
    if (missing(error)) return false;
    throw error;
  }
}
