import { PayloadTooLargeException } from "@nestjs/common";

const FIRST_BYTES = 4_096;
const MAX_BLOCK_BYTES = 1_048_576;

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

  /** In memory of its own. */
  whole(): Buffer {
    return Buffer.concat([...this.full, this.block.subarray(0, this.length)]);
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
