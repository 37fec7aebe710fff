import { Scratch } from "./scratch.js";

/** The number of hash buckets for features. */
const SIZE = 1 << 15;
/** Damps the rarity of a feature, as if there were this many more candidates. */
const UNSEEN = 500;
const SEEN = 5;
const WEIGHT = { word: 0.6, pair: 0.5, letters: 0.3, stem: 0.7 };
const STEM_SEED = 57;

/** A text with its terms, as `kb_terms` makes them. */
export interface Text {
  said: string;
  terms: readonly number[];
}

export interface Vector {
  features: Int32Array;
  weights: Float32Array;
}

const frequency = new Int32Array(SIZE);
const dense = new Float32Array(SIZE);
const sums = new Float32Array(SIZE);
/** The features of the current text, in order of first occurrence. */
const touched = new Int32Array(SIZE);
/** Enough for the features of some fifty questions. */
const ROOM = 1 << 13;
const featureRoom = new Scratch(new Int32Array(ROOM), Int32Array);
const weightRoom = new Scratch(new Float32Array(ROOM), Float32Array);

const mix = (hash: number, code: number): number => Math.imul(hash ^ code, 0x9e3779b1) ^ (hash >>> 15);

const ASCII = /^[\0-\x7f]*$/;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}]/gu;
const MAX_WORDS = 200;

/** Lower case and without accents. In scripts without spaces between words, each character is a word. */
export function wordsOf(said: string): string[] {
  const small = said.toLowerCase();
  if (ASCII.test(small)) return small.replaceAll("'", "").match(/[a-z0-9]+/g) ?? [];
  return (
    small
      .normalize("NFKD")
      .replace(/[\u0300-\u036f'’]/g, "")
      .normalize("NFC")
      .replace(UNSPACED, " $& ")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** The words by which a text is compared: the first 200. */
export function comparedWordsOf(said: string): string[] {
  const words = wordsOf(said);
  return words.length > MAX_WORDS ? words.slice(0, MAX_WORDS) : words;
}

/** Whether a term is a whole word. The others are pairs of words and beginnings of words. */
export const isStem = (term: number): boolean => (term & 1) === 1;

/** @returns how many features the text has now. A closure that counts would take longer. */
function add(hash: number, weight: number, count: number): number {
  const feature = (hash ^ (hash >>> 13)) & (SIZE - 1);
  const sum = sums[feature]!;
  if (sum === 0) touched[count++] = feature;
  sums[feature] = sum + weight;
  return count;
}

/**
 * Words, their stems, pairs of words at most three apart, and runs of three to five letters of a word. Misspelt and
 * inflected words keep most of these runs. Stems leave out words such as "the", so what is left counts for more.
 */
function vectorOf({ said, terms }: Text, words = comparedWordsOf(said)): Vector {
  let count = 0;
  const hashes = words.map((word) => {
    let hash = 7;
    for (let i = 0; i < word.length; i++) hash = mix(hash, word.charCodeAt(i));
    return hash;
  });
  for (let w = 0; w < words.length; w++) {
    const hash = hashes[w]!;
    count = add(hash, WEIGHT.word, count);
    const paired = mix(99, hash);
    for (let other = w + 1; other <= w + 3 && other < words.length; other++)
      count = add(mix(paired, hashes[other]!), WEIGHT.pair, count);
    const word = ` ${words[w]!} `;
    for (let from = 0; from + 3 <= word.length; from++) {
      let letters = 31;
      for (let i = from; i < from + 5 && i < word.length; i++) {
        letters = mix(letters, word.charCodeAt(i));
        if (i >= from + 2) count = add(letters, WEIGHT.letters, count);
      }
    }
  }
  for (const term of terms) if (isStem(term)) count = add(mix(STEM_SEED, term), WEIGHT.stem, count);
  const vector = { features: featureRoom.take(count), weights: weightRoom.take(count) };
  for (let i = 0; i < count; i++) {
    const feature = touched[i]!;
    vector.features[i] = feature;
    vector.weights[i] = Math.sqrt(sums[feature]!);
    sums[feature] = 0;
  }
  return vector;
}

/** Those of a question and of what it is compared with. They are gone with the next call. @param words of each, if they are known */
export function vectorsOf(
  asked: Text,
  candidates: readonly Text[],
  words?: { asked: string[]; candidates: readonly string[][] },
): { asked: Vector; candidates: Vector[] } {
  featureRoom.clear();
  weightRoom.clear();
  return {
    asked: vectorOf(asked, words?.asked),
    candidates: candidates.map((one, i) => vectorOf(one, words?.candidates[i])),
  };
}

/** How much something tells candidates apart, indexed by the number of candidates that have it. */
export function raritiesAmong(candidates: number): Float64Array {
  const rarity = new Float64Array(candidates + 1);
  for (let seen = 0; seen < rarity.length; seen++) rarity[seen] = Math.log(1 + (candidates + UNSEEN) / (seen + SEEN));
  return rarity;
}

/** Weighs the features of all vectors by how rare they are among the candidates. Each vector then has length 1. */
export function weighAll(asked: Vector, candidates: readonly Vector[], rarity: Float64Array): void {
  frequency.fill(0);
  for (const { features } of candidates) for (let i = 0; i < features.length; i++) frequency[features[i]!]!++;
  weigh(asked, rarity);
  for (const vector of candidates) weigh(vector, rarity);
}

function weigh({ features, weights }: Vector, rarity: Float64Array): void {
  let square = 0;
  for (let i = 0; i < features.length; i++) {
    const weight = weights[i]! * rarity[frequency[features[i]!]!]!;
    weights[i] = weight;
    square += weight * weight;
  }
  const scale = 1 / (Math.sqrt(square) || 1);
  for (let i = 0; i < weights.length; i++) weights[i]! *= scale;
}

/** The cosines of one vector with the first `count` others. @param result where they go: so many numbers */
export function cosines(
  { features: own, weights: theirs }: Vector,
  others: readonly Vector[],
  count: number,
  result = new Float64Array(count),
): Float64Array {
  for (let i = 0; i < own.length; i++) dense[own[i]!] = theirs[i]!;
  for (let o = 0; o < count; o++) {
    const { features, weights } = others[o]!;
    // Four sums, because each addition waits for the one before it.
    let one = 0;
    let two = 0;
    let three = 0;
    let four = 0;
    let i = 0;
    for (; i + 3 < features.length; i += 4) {
      one += dense[features[i]!]! * weights[i]!;
      two += dense[features[i + 1]!]! * weights[i + 1]!;
      three += dense[features[i + 2]!]! * weights[i + 2]!;
      four += dense[features[i + 3]!]! * weights[i + 3]!;
    }
    for (; i < features.length; i++) one += dense[features[i]!]! * weights[i]!;
    result[o] = one + two + three + four;
  }
  for (let i = 0; i < own.length; i++) dense[own[i]!] = 0;
  return result;
}

/** Solves (G + ridge) x = b in place. G holds the cosines of the closest questions with each other. */
export function solve(gram: Float64Array[], b: Float64Array, ridge: number): void {
  const n = b.length;
  for (let i = 0; i < n; i++) {
    const row = gram[i]!;
    for (let j = 0; j <= i; j++) {
      const other = gram[j]!;
      let sum = i === j ? 1 + ridge : row[j]!;
      for (let k = 0; k < j; k++) sum -= row[k]! * other[k]!;
      row[j] = i === j ? Math.sqrt(sum) : sum / other[j]!;
    }
    let sum = b[i]!;
    for (let k = 0; k < i; k++) sum -= row[k]! * b[k]!;
    b[i] = sum / row[i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = b[i]!;
    for (let k = i + 1; k < n; k++) sum -= gram[k]![i]! * b[k]!;
    b[i] = sum / gram[i]![i]!;
  }
}

/** The similarity of two texts by their words, 0 to 1. */
export function likenessOf(one: string, other: string): number {
  const { asked, candidates } = vectorsOf({ said: one, terms: [] }, [{ said: other, terms: [] }]);
  weighAll(asked, candidates, raritiesAmong(1));
  return Math.min(1, cosines(asked, candidates, 1)[0]!);
}
