/** A part of a text that is left out. */
export interface Span {
  from: number;
  to: number;
}

/** Stands for what was left out. It has no letter and no digit, so a search does not see it. */
export const GAP = "[…]";

/** The matches of a pattern. @param part the group that is meant; the whole match by default */
export function spansOf(text: string, pattern: RegExp, part = 0): Span[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const found = match[part];
    if (!found) return [];
    const from = match.index + (part ? match[0].lastIndexOf(found) : 0);
    return [{ from, to: from + found.length }];
  });
}

/** The text with one gap for each run of spans that only spaces separate. */
export function withGaps(text: string, spans: readonly Span[]): string {
  const sorted = [...spans].sort((a, b) => a.from - b.from);
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of sorted) {
    if (to <= at) continue;
    const between = text.slice(at, Math.max(at, from));
    const joins = parts.at(-1) === GAP && /^[\s,]*$/.test(between);
    if (!joins) parts.push(between, GAP);
    at = to;
  }
  parts.push(text.slice(at));
  return parts.join("");
}
