import type { Readable } from "node:stream";

/** Identifies a file: the key of its row. */
export interface FileKey {
  tenantId: string;
  id: string;
}

export type Room = "enough" | "low" | "none";

/** Stores the bytes of files. To use an object store, write another class with these methods. */
export abstract class AttachmentStore {
  /** Stores all bytes, durably once it returns. If the stream fails, it stores nothing. */
  abstract put(key: FileKey, bytes: AsyncIterable<Buffer>): Promise<void>;
  /**
   * @param range the first and the last byte
   * @throws NotFoundException
   */
  abstract get(key: FileKey, range?: { start: number; end: number }): Promise<Readable>;
  /** Succeeds also if the file is already removed. */
  abstract remove(key: FileKey): Promise<void>;
  /** How much room there is for more files. `low`: soon there will be none. `none`: `put` refuses them. */
  abstract room(): Promise<Room>;
  /** The ids of a tenant's files that were stored before a time. */
  abstract list(tenantId: string, before: Date): AsyncIterable<string>;
}
