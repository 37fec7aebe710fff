import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";

const CHUNK_BYTES = 65_536;

/** A file on its way: written to the disk, whose name is gone. */
export interface Spooled {
  size: number;
  sha256: string;
  /** All bytes, as often as they are needed. */
  read(): Readable;
  close(): Promise<void>;
}

/**
 * S3 wants to know the length and the hash of a file before its bytes, and a request that failed is sent again. The name is removed as
 * soon as the file is open: a process that is killed leaves nothing, or an empty file, which the disk removes like any unfinished upload.
 */
export async function spool(folder: string, bytes: AsyncIterable<Buffer>): Promise<Spooled> {
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  const name = path.join(folder, `s3.${randomBytes(8).toString("hex")}`);
  const handle = await fs.open(name, "wx+", 0o600);
  try {
    await fs.rm(name);
    const hash = createHash("sha256");
    let size = 0;
    for await (const chunk of bytes) {
      hash.update(chunk);
      size += chunk.length;
      await handle.writeFile(chunk);
    }
    return {
      size,
      sha256: hash.digest("hex"),
      read: () => Readable.from(chunksOf(handle, size)),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Not a stream of the handle, which would close it with the first request that fails. */
async function* chunksOf(handle: fs.FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position);
    if (!bytesRead) throw new Error("a file on its way has become shorter");
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
