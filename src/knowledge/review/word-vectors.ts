import fs from "node:fs";
import path from "node:path";
import { type Embeddable, meanCosine, type Meaning, UNRELATED } from "./meaning.js";
import { Scratch } from "./scratch.js";
import { comparedWordsOf, MAX_WORDS } from "./similarity.js";

/** How many numbers a word has. */
export const DIMENSIONS = 64;

/**
 * English words, and a vector for each: 8-bit integers, in the order of the words. Words that mean something alike have
 * similar vectors, and those of a sentence add up to what it means. Words that say little have short ones.
 * `bench/word-vectors.mjs` makes both files.
 */
interface Table {
  offsets: Map<string, number>;
  vectors: Int8Array;
  unrelated: number;
}
let table: Table | undefined;

/** Read when English is searched for the first time, which takes some milliseconds. */
function theTable(): Table {
  if (table) return table;
  const read = (name: string): Buffer => fs.readFileSync(path.join(import.meta.dirname, "../data", name));
  const words = read("english-words.txt").toString().trimEnd().split("\n");
  const numbers = read("english-words.i8");
  table = {
    offsets: new Map(words.map((word, index) => [word, index * DIMENSIONS])),
    vectors: new Int8Array(numbers.buffer, numbers.byteOffset, numbers.length),
    unrelated: 0,
  };
  table.unrelated = meanCosine(UNRELATED.map((said) => vectorOf(comparedWordsOf(said))!));
  return table;
}

const sums = new Int32Array(DIMENSIONS);
/** Where the vectors of a text's words begin. */
const begins = new Int32Array(MAX_WORDS);
/** Enough for a hundred questions. */
const room = new Scratch(new Float32Array(100 * DIMENSIONS), Float32Array);

/** The sum of the vectors of the words, scaled to length 1. Null if the table has none of them. */
function vectorOf(words: readonly string[]): Float32Array | null {
  const { offsets, vectors } = theTable();
  let known = 0;
  for (const word of words) {
    const offset = offsets.get(word);
    if (offset !== undefined) begins[known++] = offset;
  }
  let square = 0;
  // Four numbers of all words at a time: their sums then stay in registers.
  for (let i = 0; i < DIMENSIONS; i += 4) {
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let n = 0; n < known; n++) {
      const at = begins[n]! + i;
      a += vectors[at]!;
      b += vectors[at + 1]!;
      c += vectors[at + 2]!;
      d += vectors[at + 3]!;
    }
    sums[i] = a;
    sums[i + 1] = b;
    sums[i + 2] = c;
    sums[i + 3] = d;
    square += a * a + b * b + c * c + d * d;
  }
  if (!square) return null;
  const scale = 1 / Math.sqrt(square);
  const vector = room.take(DIMENSIONS);
  for (let i = 0; i < DIMENSIONS; i++) vector[i] = sums[i]! * scale;
  return vector;
}

/**
 * What an English question means by its words alone, and the same for its candidates. Null if no word of it is known. The vectors
 * are gone with the next call.
 * @param words those of each candidate
 */
export function meaningOfWords(
  question: readonly string[],
  candidates: readonly Embeddable[],
  words: readonly string[][],
): { asked: Meaning; candidates: Embeddable[] } | null {
  const { unrelated } = theTable();
  room.clear();
  const vector = vectorOf(question);
  if (!vector) return null;
  return {
    asked: { vector, unrelated },
    candidates: candidates.map(({ id }, i) => ({ id, vector: vectorOf(words[i]!) })),
  };
}
