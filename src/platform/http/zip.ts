import { Readable } from "node:stream";
import type ZipStream from "zip-stream";

/** A file of an archive: its path in the archive, and its bytes. */
export interface ZipFile {
  path: string;
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/**
 * The earliest date in ZIP. With a fixed date, archives of the same files are equal. The files themselves say when
 * something happened.
 */
const DATE = new Date(Date.UTC(1980, 0, 1));
const MODE = 0o644;

/**
 * Streams an uncompressed ZIP file. It reads one file at a time, as fast as the reader takes it. If a file fails, the
 * archive ends without its directory, and no program mistakes it for a complete one.
 *
 * @param files with relative paths, separated by `/`, without `..`
 */
export async function* zip(files: AsyncIterable<ZipFile> | Iterable<ZipFile>): AsyncGenerator<Buffer> {
  // Loaded for the first archive: it needs 1 MB.
  const { default: Stream } = await import("zip-stream");
  const stream = new Stream({ store: true });
  void fill(stream, files);
  yield* stream as AsyncIterable<Buffer>;
}

/** Writes the files to the archive until all are written or the reader has gone. */
async function fill(zip: ZipStream, files: AsyncIterable<ZipFile> | Iterable<ZipFile>): Promise<void> {
  const gone = new Promise<void>((resolve) => zip.once("close", resolve));
  try {
    for await (const { path, bytes } of files) {
      const source = Readable.from(bytes, { objectMode: false });
      try {
        await Promise.race([entry(zip, source, path), gone]);
      } finally {
        source.destroy();
      }
      if (zip.destroyed) return;
    }
    zip.finish();
  } catch (error) {
    zip.destroy(error as Error);
  }
}

const entry = (zip: ZipStream, source: Readable, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    zip.entry(source, { name, date: DATE, mode: MODE }, (error) => (error ? reject(error) : resolve()));
  });
