type Numbers = Int32Array | Float32Array | Float64Array;

/**
 * Memory for the numbers of one ranking, which compares up to 200 texts. Arrays of their own would keep the garbage collector busy.
 * A ranking must use what it took before another one begins, so nothing may be awaited in between.
 */
export class Scratch<T extends Numbers> {
  private used = 0;

  constructor(
    private readonly memory: T,
    private readonly more: new (count: number) => T,
  ) {}

  /** Gives up all that was taken. */
  clear(): void {
    this.used = 0;
  }

  /** @returns an array of this length, whose values are whatever was there before. If the memory is full, it is a new array. */
  take(count: number): T {
    const end = this.used + count;
    if (end > this.memory.length) return new this.more(count);
    const taken = this.memory.subarray(this.used, end) as T;
    this.used = end;
    return taken;
  }
}
