import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import { fromBufferPromise } from "yauzl";

/** The files of an archive by their paths. Throws if the archive is incomplete or a checksum does not match. */
export async function unzip(bytes: Buffer): Promise<Record<string, Buffer>> {
  const files: Record<string, Buffer> = {};
  const zip = await fromBufferPromise(bytes);
  for await (const entry of zip.eachEntry()) {
    const file = await buffer(await zip.openReadStreamPromise(entry));
    if (crc32(file) !== entry.crc32) throw new Error(`The checksum of ${entry.fileName} does not match`);
    files[entry.fileName] = file;
  }
  return files;
}
