import type { SnippetPartDto } from "./search.dto.js";

/** The approximate length of an extract, and how many characters of it come before the match. */
const LENGTH = 200;
const BEFORE = 60;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u;
const LETTERS: Record<string, string> = { ø: "o", ł: "l", đ: "d", ð: "d", ı: "i", ς: "σ", ß: "ss", æ: "ae", œ: "oe" };

/** Same as `search_fold` of the database: lower case and without accents. */
const fold = (word: string): string => (/\W/.test(word) ? foldLetters(word) : word.toLowerCase());
const foldLetters = (word: string): string =>
  word
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[øłđðıςßæœ]/g, (letter) => LETTERS[letter]!);

interface Range {
  from: number;
  to: number;
}

/** The search terms as the database split them, with the similar words that it found instead. */
export class Highlighter {
  private readonly near: ReadonlySet<string>;

  constructor(
    private readonly terms: readonly string[],
    near: readonly string[] | null,
  ) {
    this.near = new Set(near);
  }

  /** An extract around the first match. @returns undefined if nothing matches */
  extract(text: string): SnippetPartDto[] | undefined {
    const ranges = this.rangesIn(text);
    return ranges.length ? cut(text, ranges) : undefined;
  }

  private rangesIn(text: string): Range[] {
    return [...text.matchAll(WORD)].flatMap(({ 0: word, index }) =>
      this.rangesOf(word).map(({ from, to }) => ({ from: index + from, to: index + to })),
    );
  }

  private rangesOf(word: string): Range[] {
    const folded = fold(word);
    const whole = [{ from: 0, to: word.length }];
    if (!UNSPACED.test(word))
      return this.near.has(folded) || this.terms.some((term, position) => this.isFound(term, position, folded))
        ? whole
        : [];
    // For text without spaces: finds each pair of characters and joins pairs that touch.
    const marked = new Set(this.terms.flatMap((term) => positionsOf(term, folded)));
    if (folded.length !== word.length) return marked.size ? whole : [];
    const ranges: Range[] = [];
    for (const at of [...marked].sort((a, b) => a - b)) {
      if (ranges.at(-1)?.to === at) ranges.at(-1)!.to++;
      else ranges.push({ from: at, to: at + 1 });
    }
    return ranges;
  }

  private isFound(term: string, position: number, word: string): boolean {
    const isBeginning = term.length > 3 || (term.length > 1 && position === this.terms.length - 1);
    return isBeginning ? word.startsWith(term) : word === term;
  }
}

function positionsOf(term: string, text: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    for (let n = 0; n < term.length; n++) positions.push(at + n);
  return positions;
}

function cut(text: string, ranges: Range[]): SnippetPartDto[] {
  const from = boundary(text, ranges[0]!.from - BEFORE, 1);
  const to =
    text.length - from <= LENGTH
      ? text.length
      : boundary(text, Math.max(from + LENGTH, ranges[0]!.to), -1, ranges[0]!.to);
  const parts: SnippetPartDto[] = [];
  const add = (part: string, match: boolean): void => {
    if (part) parts.push({ text: part, match });
  };
  let at = from;
  if (from > 0) parts.push({ text: "…", match: false });
  for (const range of ranges) {
    if (range.to > to) break;
    add(text.slice(at, range.from), false);
    add(text.slice(range.from, range.to), true);
    at = range.to;
  }
  add(text.slice(at, to), false);
  if (to < text.length) parts.push({ text: "…", match: false });
  return parts;
}

/** The nearest gap between words from `at` in one direction, at most 20 characters away. Never splits a character. */
function boundary(text: string, at: number, step: 1 | -1, least = 0): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  for (let n = at; Math.abs(n - at) <= 20 && n > least; n += step)
    if (/\s/.test(text[n] ?? " ")) return step > 0 ? n + 1 : n;
  return /[\udc00-\udfff]/.test(text[at]!) ? at - step : at;
}
