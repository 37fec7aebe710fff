import { setImmediate } from "node:timers/promises";
import { PayloadTooLargeException } from "@nestjs/common";

const FIRST_BYTES = 4_096;
const MAX_BLOCK_BYTES = 1_048_576;

/** How many bytes each field may have that is read. Nothing is kept of the others. */
export type Wanted = Readonly<Record<string, number>>;
export type Fields = Readonly<Record<string, Buffer | undefined>>;

/** Bytes that come one after the other. They take little more than their room, in however many pieces they come, and are copied once. */
export class GrowingBytes {
  private readonly full: Buffer[] = [];
  private block = Buffer.alloc(0);
  private length = 0;
  private size = 0;

  /**
   * @param max with more, `add` throws
   * @param what names them in the error message
   */
  constructor(
    private readonly max: number,
    private readonly what: string,
  ) {}

  /** @throws PayloadTooLargeException */
  add(chunk: Uint8Array, start = 0, end = chunk.length): void {
    this.count(end - start);
    for (let at = start; at < end;) {
      if (this.length === this.block.length) this.begin();
      const some = Math.min(end - at, this.block.length - this.length);
      this.block.set(chunk.subarray(at, at + some), this.length);
      this.length += some;
      at += some;
    }
  }

  addByte(byte: number): void {
    this.count(1);
    if (this.length === this.block.length) this.begin();
    this.block[this.length++] = byte;
  }

  /** In memory of its own. To copy 40 MB at once takes up to 130 ms, so others have their turn in between. */
  async whole(): Promise<Buffer> {
    const bytes = Buffer.allocUnsafeSlow(this.size);
    let at = 0;
    for (const block of this.full) {
      at += block.copy(bytes, at);
      await setImmediate();
    }
    this.block.copy(bytes, at, 0, this.length);
    return bytes;
  }

  /** For a short one. */
  toString(): string {
    return Buffer.concat([...this.full, this.block.subarray(0, this.length)]).toString();
  }

  /** Begins anew, in the room that it has. */
  clear(): void {
    this.full.length = this.length = this.size = 0;
  }

  private count(more: number): void {
    this.size += more;
    if (this.size > this.max) throw new PayloadTooLargeException(`${this.what} may have at most ${this.max} bytes`);
  }

  /** Each block is as large as all before it, up to a megabyte. */
  private begin(): void {
    if (this.length) this.full.push(this.block);
    this.block = Buffer.allocUnsafeSlow(
      Math.min(Math.max(FIRST_BYTES, this.size), MAX_BLOCK_BYTES, Math.max(this.max, 1)),
    );
    this.length = 0;
  }
}

export async function wholeOf(found: Readonly<Record<string, GrowingBytes>>): Promise<Fields> {
  const fields: Record<string, Buffer> = {};
  for (const [name, bytes] of Object.entries(found)) fields[name] = await bytes.whole();
  return fields;
}
