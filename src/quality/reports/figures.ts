import type { ReportFiguresDto } from "./reports.dto.js";
import type { Tally } from "./tally.js";

/** @param hasShare whether `good` means something */
export function figuresOf({ count, good, seconds }: Tally, hasShare: boolean): ReportFiguresDto {
  return {
    count,
    median: percentile(seconds, 0.5),
    p90: percentile(seconds, 0.9),
    mean: seconds.length ? Math.round(sum(seconds) / seconds.length) : null,
    share: hasShare && count ? good / count : null,
  };
}

// There may be a million values. An iterator takes longer, and so does a comparison whose result changes from value to value.

function sum(values: Int32Array): number {
  let total = 0;
  for (let n = 0; n < values.length; n++) total += values[n]!;
  return total;
}

function largest(values: Int32Array): number {
  let found = 0;
  for (let n = 0; n < values.length; n++) if (values[n]! > found) found = values[n]!;
  return found;
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

/** The continuous percentile, as `percentile_cont` of PostgreSQL, rounded to a second. */
export function percentile(values: Int32Array, fraction: number): number | null {
  if (!values.length) return null;
  const place = fraction * (values.length - 1);
  const { value, alike } = valueAt(values, Math.floor(place));
  const rest = place % 1;
  return rest === 0 || alike ? value : Math.round(value + rest * (nextAfter(values, value) - value));
}

const BITS = 11;
const counts = new Uint32Array(1 << BITS);

/**
 * The value of this rank, and whether the next one is the same. It sorts nothing: it counts the values by their leading bits, and
 * then by the next bits those that begin alike.
 */
function valueAt(values: Int32Array, rank: number): { value: number; alike: boolean } {
  let value = 0;
  let bits = 32 - Math.clz32(largest(values));
  for (;;) {
    const width = 2 ** bits;
    bits = Math.max(0, bits - BITS);
    counts.fill(0);
    for (let n = 0; n < values.length; n++) {
      const above = (values[n]! - value) >>> 0;
      if (above < width) counts[above >>> bits]!++;
    }
    let found = 0;
    while (rank >= counts[found]!) rank -= counts[found++]!;
    value += found << bits;
    if (bits === 0) return { value, alike: rank + 1 < counts[found]! };
  }
}
