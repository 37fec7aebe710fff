import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { NotFoundException } from "@nestjs/common";
import type { AttachmentStore, FileKey } from "./attachment-store.js";

/** The length and the hash of bytes that pass. */
export class Print {
  size = 0;
  sha256 = "";
  private readonly hash = createHash("sha256");

  async *of(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.hash.update(chunk);
      this.size += chunk.length;
      yield chunk;
    }
    this.sha256 = this.hash.digest("hex");
  }
}

export const isSame = (a: Print | undefined, b: Print | undefined): boolean =>
  a !== undefined && a.sha256 === b?.sha256 && a.size === b.size;

/** Undefined if the file is not there. */
export async function printOf(store: AttachmentStore, key: FileKey): Promise<Print | undefined> {
  const bytes = await openFile(store, key);
  if (!bytes) return undefined;
  const print = new Print();
  for await (const _ of print.of(bytes));
  return print;
}

/** Undefined if the file is not there. */
export async function openFile(store: AttachmentStore, key: FileKey): Promise<Readable | undefined> {
  try {
    return await store.get(key);
  } catch (error) {
    if (error instanceof NotFoundException) return undefined;
    throw error;
  }
}
