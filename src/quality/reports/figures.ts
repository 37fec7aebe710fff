import type { ReportFiguresDto } from "./reports.dto.js";
import type { Tally } from "./tally.js";

/** @param hasShare whether `good` means something */
export function figuresOf({ count, good, seconds }: Tally, hasShare: boolean): ReportFiguresDto {
  const { median, p90, mean } = spreadOf(seconds);
  return { count, median, p90, mean, share: hasShare && count ? good / count : null };
}

type Spread = Pick<ReportFiguresDto, "median" | "p90" | "mean">;

/** The continuous percentiles, as `percentile_cont` of PostgreSQL, and the mean, all rounded to a second. It sorts nothing. */
export function spreadOf(values: Int32Array): Spread {
  if (!values.length) return { median: null, p90: null, mean: null };
  const { sum, largest } = extentOf(values);
  const bits = Math.max(0, 32 - Math.clz32(largest) - BITS);
  leading.fill(0);
  for (let n = 0; n < values.length; n++) leading[values[n]! >>> bits]!++;
  const percentile = (fraction: number): number => {
    const place = fraction * (values.length - 1);
    const { value, alike } = valueAt(values, Math.floor(place), bits);
    const rest = place % 1;
    return rest === 0 || alike ? value : Math.round(value + rest * (nextAfter(values, value) - value));
  };
  return { median: percentile(0.5), p90: percentile(0.9), mean: Math.round(sum / values.length) };
}

// There may be a million values. An iterator takes longer, and so does a comparison whose result changes from value to value.

function extentOf(values: Int32Array): { sum: number; largest: number } {
  let [sum, largest] = [0, 0];
  for (let n = 0; n < values.length; n++) {
    const value = values[n]!;
    sum += value;
    if (value > largest) largest = value;
  }
  return { sum, largest };
}

/** The least of the values that are larger than this one. */
function nextAfter(values: Int32Array, value: number): number {
  let least = -1 >>> 0;
  for (let n = 0; n < values.length; n++) {
    // Of a smaller one, this is more than four billion.
    const above = (values[n]! - value - 1) >>> 0;
    if (above < least) least = above;
  }
  return value + 1 + least;
}

const BITS = 11;
/** How many values there are by their leading bits, and then by the next bits of some of them. */
const leading = new Uint32Array(1 << BITS);
const following = new Uint32Array(1 << BITS);

/** The value of this rank, and whether the next one is the same, once `leading` has all values by their bits from `bits` on. */
function valueAt(values: Int32Array, rank: number, bits: number): { value: number; alike: boolean } {
  let [value, counts] = [0, leading];
  for (;;) {
    let found = 0;
    while (rank >= counts[found]!) rank -= counts[found++]!;
    value += found << bits;
    if (bits === 0) return { value, alike: rank + 1 < counts[found]! };
    const width = 2 ** bits;
    bits = Math.max(0, bits - BITS);
    counts = following.fill(0);
    for (let n = 0; n < values.length; n++) {
      const above = (values[n]! - value) >>> 0;
      if (above < width) counts[above >>> bits]!++;
    }
  }
}
