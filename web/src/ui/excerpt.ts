export interface TextPart {
  text: string;
  match: boolean;
}

/** So much of a text is shown before the first word that was found, and in all. */
const BEFORE = 60;
const LENGTH = 240;

const LETTERS: Record<string, string> = { ø: "o", ł: "l", đ: "d", ð: "d", ı: "i", ς: "σ", ß: "ss", æ: "ae", œ: "oe" };
/** One character in lower case and without accents, as the server's searches take it. */
const fold = (character: string): string =>
  character
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[øłđðıςßæœ]/g, (letter) => LETTERS[letter]!);

const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no spaces between words: what was typed may be anywhere in them. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

const foldAll = (text: string): string => Array.from(text, fold).join("");

type Range = [from: number, to: number];

/** Where a text has words of a query. Words of up to three letters are whole ones, except at the end of the query. */
function rangesIn(text: string, query: string): Range[] {
  const terms = foldAll(query).match(WORDS) ?? [];
  const isWanted = (word: string): boolean =>
    terms.some((term, index) =>
      term.length > 3 || (term.length > 1 && index === terms.length - 1) ? word.startsWith(term) : word === term,
    );
  return [...text.matchAll(WORDS)].flatMap(({ 0: word, index }): Range[] => {
    const folded = foldAll(word);
    if (isWanted(folded) && !UNSPACED.test(word)) return [[index, index + word.length]];
    if (!UNSPACED.test(word) || folded.length !== word.length) return [];
    const inside = terms.filter((term) => UNSPACED.test(term) && folded.includes(term));
    return inside.slice(0, 1).map((term): Range => {
      const at = index + folded.indexOf(term);
      return [at, at + term.length];
    });
  });
}

/** Whether a text has words of a query. */
export const hasWords = (text: string, query: string): boolean => rangesIn(text, query).length > 0;

/** The place of a text that has the words, or its beginning if it has none of them: a search by meaning finds other words, too. */
export function excerptOf(text: string, query: string, length = LENGTH): TextPart[] {
  const ranges = rangesIn(text, query);
  const first = ranges[0]?.[0] ?? 0;
  const from = text.length <= length || first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const begin = from > first ? first : from;
  let end = Math.min(text.length, begin + length);
  if (end < text.length) {
    // Never within a word, unless it is longer than all of the rest, and never within a character.
    const gap = text.lastIndexOf(" ", end);
    if (gap > (ranges[0]?.[1] ?? begin)) end = gap;
    else if (/[\ud800-\udbff]/.test(text[end - 1]!)) end--;
  }
  const parts: TextPart[] = begin > 0 ? [{ text: "… ", match: false }] : [];
  let at = begin;
  for (const [start, stop] of ranges) {
    if (stop > end) break;
    if (start > at) parts.push({ text: text.slice(at, start), match: false });
    parts.push({ text: text.slice(start, stop), match: true });
    at = stop;
  }
  if (end > at) parts.push({ text: text.slice(at, end), match: false });
  if (end < text.length) parts.push({ text: " …", match: false });
  return parts;
}
