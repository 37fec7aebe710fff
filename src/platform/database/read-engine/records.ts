/**
 * The values of rows as `record_send` gives them: a number of columns, then for each column the number of its type, the length of its
 * value and the value. A length of -1 is null. They are parts of `bytes`, not copies.
 */
export function* readRecords(bytes: Buffer): Generator<(Buffer | null)[]> {
  let at = 0;
  while (at < bytes.length) {
    const columns = bytes.readInt32BE(at);
    at += 4;
    const values: (Buffer | null)[] = [];
    for (let n = 0; n < columns; n++) {
      const length = bytes.readInt32BE(at + 4);
      at += 8;
      values.push(length < 0 ? null : bytes.subarray(at, at + length));
      at += Math.max(length, 0);
    }
    yield values;
  }
}

/**
 * What `string_agg` of `int4send` or `int2send` gave, two bytes without a sign. Reads where they are: copies of thousands of values
 * keep the collector of garbage busy.
 */
export class Integers {
  readonly length: number;
  private readonly view: DataView;

  constructor(
    bytes: Buffer,
    private readonly width: 2 | 4,
  ) {
    this.length = bytes.length / width;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  at(n: number): number {
    return this.width === 2 ? this.view.getUint16(2 * n) : this.view.getInt32(4 * n);
  }
}

/** A uuid as text. */
export function readUuid(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
