type Numbers = Int32Array | Float32Array | Float64Array;

/**
 * Memory for the numbers of one ranking. A ranking compares up to 200 texts. With arrays of its own for each text, freeing them
 * would take about as long as comparing them. Nothing may wait between `clear` and the last use of what was taken.
 */
export class Scratch<Array extends Numbers> {
  private used = 0;

  constructor(
    private readonly memory: Array,
    private readonly more: new (count: number) => Array,
  ) {}

  /** Gives up all that was taken. */
  clear(): void {
    this.used = 0;
  }

  /** Room for so many numbers, whose values are left from before. What does not fit any more gets memory of its own. */
  take(count: number): Array {
    const end = this.used + count;
    if (end > this.memory.length) return new this.more(count);
    const taken = this.memory.subarray(this.used, end) as Array;
    this.used = end;
    return taken;
  }
}
