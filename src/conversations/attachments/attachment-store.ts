import type { Readable } from "node:stream";
import { ServiceUnavailableException } from "@nestjs/common";

/** Identifies a file: the key of its row. */
export interface FileKey {
  tenantId: string;
  id: string;
}

/** In the place of a tenant: where the certificates of erasures are. No attachment is there, so nothing looks for strays. */
export const JOURNAL = "erasures";

export interface FileRange {
  /** The first and the last byte. */
  start: number;
  end: number;
}

export type Room = "enough" | "low" | "none";

/** How a file is sent that somebody saves. */
export interface SentAs {
  contentType: string;
  disposition: string;
}

/** Stores the bytes of files. `DiskStore` and `S3Store` do; `TwoStores` is both of them. */
export abstract class AttachmentStore {
  /** Stores all bytes, durably once it returns. If the stream fails, it stores nothing. */
  abstract put(key: FileKey, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** @throws NotFoundException */
  abstract get(key: FileKey, range?: FileRange): Promise<Readable>;
  /** Succeeds also if the file is already removed. What a store keeps of former versions is removed, too. */
  abstract remove(key: FileKey): Promise<void>;
  /** How much room there is for more files. `low`: soon there will be none. `none`: `put` refuses them. */
  abstract room(): Promise<Room>;
  /** The ids of a tenant's files that were stored before a time. */
  abstract list(tenantId: string, before: Date): AsyncIterable<string>;
  /** Tries what the server will do. @throws ConfigError: it can never work as it is set up */
  abstract check(): Promise<void>;
  /** Where the file can be fetched for a few minutes without this server. Undefined: only here. */
  abstract addressOf(key: FileKey, sentAs: SentAs): Promise<string | undefined>;
}

/** What clients get if a store does not answer. The log has the cause. */
export class FilesUnavailable extends ServiceUnavailableException {
  constructor(override readonly cause: Error) {
    super("Files are not available at the moment; try again. Everything else works");
  }
}
