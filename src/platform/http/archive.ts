import { crc32 } from "node:zlib";

/** A file of an archive: its path in there, and its bytes. */
export interface ArchivedFile {
  path: string;
  bytes: AsyncIterable<Buffer> | Iterable<Buffer>;
}
interface Written {
  name: Buffer;
  crc: number;
  size: number;
  offset: number;
}

/** ZIP 4.5: with offsets of 64 bits, so that only a single file must stay below 4 GiB. */
const VERSION = 45;
/** On Unix, which has the names taken as they are, with the usual rights. */
const MADE_BY = 0x0300 | VERSION;
const MODE = 0o100644 * 2 ** 16;
/** Sizes follow the bytes, and names are UTF-8. */
const FLAGS = 0x0808;
/** The first of January 1980, where ZIP's time begins: what was when is said within the files. */
const DATE = 0x21;
const ELSEWHERE = 0xffffffff;

/** A ZIP file, made while it is sent, of files as they are. Where a file breaks off so does the archive, and cannot be taken for a whole one. */
export async function* archive(files: AsyncIterable<ArchivedFile> | Iterable<ArchivedFile>): AsyncGenerator<Buffer> {
  const written: Written[] = [];
  let offset = 0;
  for await (const { path, bytes } of files) {
    const file = { name: Buffer.from(path), crc: 0, size: 0, offset };
    const head = Buffer.concat([
      numbers(
        [4, 0x04034b50],
        [2, VERSION],
        [2, FLAGS],
        [2, 0],
        [2, 0],
        [2, DATE],
        [4, 0],
        [4, 0],
        [4, 0],
        [2, file.name.length],
        [2, 0],
      ),
      file.name,
    ]);
    yield head;
    for await (const chunk of bytes) {
      file.crc = crc32(chunk, file.crc);
      file.size += chunk.length;
      yield chunk;
    }
    const tail = numbers([4, 0x08074b50], [4, file.crc], [4, file.size], [4, file.size]);
    yield tail;
    offset += head.length + file.size + tail.length;
    written.push(file);
  }
  const directory = Buffer.concat(written.map(entryOf));
  const end = offset + directory.length;
  yield directory;
  yield numbers(
    [4, 0x06064b50],
    [8, 44],
    [2, MADE_BY],
    [2, VERSION],
    [4, 0],
    [4, 0],
    [8, written.length],
    [8, written.length],
    [8, directory.length],
    [8, offset],
  );
  yield numbers([4, 0x07064b50], [4, 0], [8, end], [4, 1]);
  yield numbers([4, 0x06054b50], [2, 0], [2, 0], [2, 0xffff], [2, 0xffff], [4, ELSEWHERE], [4, ELSEWHERE], [2, 0]);
}

const entryOf = ({ name, crc, size, offset }: Written): Buffer =>
  Buffer.concat([
    numbers(
      [4, 0x02014b50],
      [2, MADE_BY],
      [2, VERSION],
      [2, FLAGS],
      [2, 0],
      [2, 0],
      [2, DATE],
      [4, crc],
      [4, size],
      [4, size],
      [2, name.length],
      [2, 12],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, MODE],
      [4, ELSEWHERE],
    ),
    name,
    numbers([2, 0x0001], [2, 8], [8, offset]),
  ]);

/** Numbers of so many bytes each, the lowest byte first. */
function numbers(...fields: [bytes: 2 | 4 | 8, value: number][]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value), at);
    else buffer.writeUIntLE(value, at, bytes);
    at += bytes;
  }
  return buffer;
}
