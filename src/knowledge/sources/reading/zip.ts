import { inflateRawSync } from "node:zlib";

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** The end of an archive has a comment of at most 65,535 bytes. */
const MAX_END = 65_557;
const MAX_ENTRIES = 10_000;

/** The files of an archive, of which each is inflated when it is asked for. */
export class Zip {
  private readonly entries = new Map<string, { method: number; packed: number; at: number }>();

  /** @throws Error: it is no archive that can be read */
  constructor(private readonly bytes: Buffer) {
    const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
    if (end < 0 || end < bytes.length - MAX_END || bytes.readUInt32LE(end) !== END) throw new Error("it is no archive");
    const count = bytes.readUInt16LE(end + 10);
    if (count > MAX_ENTRIES) throw new Error("it has too many files");
    for (let at = bytes.readUInt32LE(end + 16), i = 0; i < count; i++) {
      if (bytes.readUInt32LE(at) !== ENTRY) throw new Error("its list of files is damaged");
      const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
        number,
        number,
        number,
      ];
      this.entries.set(bytes.toString("utf8", at + 46, at + 46 + name), {
        method: bytes.readUInt16LE(at + 10),
        packed: bytes.readUInt32LE(at + 20),
        at: bytes.readUInt32LE(at + 42),
      });
      at += 46 + name + extra + comment;
    }
  }

  /**
   * @param maxBytes of the inflated file: inflating stops there, whatever the archive says about its size
   * @throws Error: it is damaged, or longer
   */
  text(name: string, maxBytes: number): string | undefined {
    const entry = this.entries.get(name);
    if (!entry) return undefined;
    const { bytes } = this;
    if (bytes.readUInt32LE(entry.at) !== LOCAL) throw new Error("a file in it is damaged");
    const start = entry.at + 30 + bytes.readUInt16LE(entry.at + 26) + bytes.readUInt16LE(entry.at + 28);
    const packed = bytes.subarray(start, start + entry.packed);
    if (entry.method === 8) return inflateRawSync(packed, { maxOutputLength: maxBytes }).toString();
    if (entry.method !== 0 || packed.length > maxBytes) throw new Error("a file in it cannot be read");
    return packed.toString();
  }
}
