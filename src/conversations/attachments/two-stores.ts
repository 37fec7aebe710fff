import type { Readable } from "node:stream";
import { NotFoundException, type OnApplicationBootstrap, type OnModuleDestroy } from "@nestjs/common";
import { AttachmentStore, type FileKey, type FileRange, type Room, type SentAs } from "./attachment-store.js";
import type { DiskStore } from "./disk-store.js";
import type { S3Store } from "./s3/s3-store.js";

/** Where new files go. */
export type StoreName = "disk" | "s3";

/** The disk and S3. New files go to one of them, and files that are still in the other one are found. */
export class TwoStores extends AttachmentStore implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly main: AttachmentStore;
  private readonly other: AttachmentStore;

  constructor(
    readonly disk: DiskStore,
    readonly s3: S3Store,
    readonly newFilesGoTo: StoreName,
  ) {
    super();
    [this.main, this.other] = newFilesGoTo === "s3" ? [s3, disk] : [disk, s3];
  }

  onApplicationBootstrap(): Promise<void> {
    return this.disk.onApplicationBootstrap();
  }

  onModuleDestroy(): void {
    this.s3.close();
  }

  put(key: FileKey, bytes: AsyncIterable<Buffer>): Promise<void> {
    return this.main.put(key, bytes);
  }

  /**
   * A file that is being moved is always in one of them, but may leave the other one between two looks. If the main one does not
   * answer, the other one may still have it.
   */
  async get(key: FileKey, range?: FileRange): Promise<Readable> {
    try {
      return await this.main.get(key, range);
    } catch (error) {
      try {
        return await this.other.get(key, range);
      } catch (otherError) {
        if (!isNotFound(error)) throw error;
        if (!isNotFound(otherError)) throw otherError;
        return this.main.get(key, range);
      }
    }
  }

  async remove(key: FileKey): Promise<void> {
    await Promise.all([this.main.remove(key), this.other.remove(key)]);
  }

  room(): Promise<Room> {
    return this.main.room();
  }

  async *list(tenantId: string, before: Date): AsyncGenerator<string> {
    yield* this.main.list(tenantId, before);
    yield* this.other.list(tenantId, before);
  }

  async check(): Promise<void> {
    await this.disk.check();
    await this.s3.check();
  }

  addressOf(key: FileKey, sentAs: SentAs): Promise<string | undefined> {
    return this.s3.addressOf(key, sentAs);
  }
}

const isNotFound = (error: unknown): boolean => error instanceof NotFoundException;
