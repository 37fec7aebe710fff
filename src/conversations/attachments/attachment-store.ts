import type { Readable } from "node:stream";

/** Names a file: its row's key. */
export interface FileKey {
  tenantId: string;
  id: string;
}

/** Where the bytes are. An object store is another class with these four methods. */
export abstract class AttachmentStore {
  /** Keeps all of the bytes, for good once it returns; where they break off, nothing. */
  abstract put(key: FileKey, bytes: AsyncIterable<Buffer>): Promise<void>;
  /**
   * @param range the first and the last byte
   * @throws NotFoundException
   */
  abstract get(key: FileKey, range?: { start: number; end: number }): Promise<Readable>;
  /** Also where it is gone already. */
  abstract remove(key: FileKey): Promise<void>;
  /** The ids of a tenant's files that were kept before a time. */
  abstract list(tenantId: string, before: Date): AsyncIterable<string>;
}
