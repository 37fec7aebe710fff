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

function sum(values: Int32Array): number {
  let total = 0;
  // There may be a million, and an iterator takes longer.
  for (let n = 0; n < values.length; n++) total += values[n]!;
  return total;
}

/**
 * The continuous percentile, as `percentile_cont` of PostgreSQL, rounded to a second. Changes the order of the values.
 * It sorts no more than it must: a report may have a million values.
 */
export function percentile(values: Int32Array, fraction: number): number | null {
  if (!values.length) return null;
  const place = fraction * (values.length - 1);
  const below = Math.floor(place);
  const low = select(values, below);
  if (below === place) return low;
  let high = Infinity;
  for (let n = below + 1; n < values.length; n++) high = Math.min(high, values[n]!);
  return Math.round(low + (place - below) * (high - low));
}

/** Hoare's selection: puts the value of this rank in its place, smaller ones before it and larger ones behind it. */
function select(values: Int32Array, rank: number): number {
  let left = 0;
  let right = values.length - 1;
  while (left < right) {
    // At random, so that no order of the values makes it slow.
    const pivot = values[left + Math.floor(Math.random() * (right - left + 1))]!;
    let i = left;
    let j = right;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const value = values[i]!;
      values[i++] = values[j]!;
      values[j--] = value;
    }
    if (rank <= j) right = j;
    else if (rank >= i) left = i;
    else break;
  }
  return values[rank]!;
}
