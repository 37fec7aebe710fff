// node bench/word-vectors.mjs WORDS: see README.md. Makes the vectors of English words that the search of the knowledge base
// uses without a server for embeddings.
import fs from "node:fs";
import path from "node:path";
import { wordsOf } from "../dist/src/knowledge/review/similarity.js";
import { DIMENSIONS } from "../dist/src/knowledge/review/word-vectors.js";
import { embedded } from "./embeddings.mjs";

const TO = path.join(import.meta.dirname, "../src/knowledge/review");
/** Words as frequent as this, of all words, count half of what rare ones do. */
const FREQUENT = 1e-3;
const ROUNDS = 30;

/** One word a line, the most frequent first, as people write them: `don't`, not `dont`. */
const spelled = fs.readFileSync(process.argv[2], "utf8").trim().split("\n");
const meant = await embedded(spelled, process.env.VECTORS);

/** The directions in which the words differ most, by subspace iteration over the covariance. */
function principal(vectors, wanted) {
  const size = vectors[0].length;
  const covariance = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors)
    for (let a = 0; a < size; a++) for (let b = 0; b < size; b++) covariance[a][b] += vector[a] * vector[b];
  let basis = Array.from({ length: wanted }, (_, k) => covariance[(k * 5) % size].slice());
  for (let round = 0; round < ROUNDS; round++) {
    const next = [];
    for (const direction of round ? basis.map((one) => covariance.map((row) => dot(row, one))) : basis) {
      // Gram and Schmidt, twice, for the rounding.
      for (const other of [...next, ...next]) {
        const along = dot(direction, other);
        for (let i = 0; i < size; i++) direction[i] -= along * other[i];
      }
      const length = Math.hypot(...direction);
      next.push(direction.map((value) => value / length));
    }
    basis = next;
  }
  return basis;
}
function dot(one, other) {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}

const mean = meant[0].map((_, i) => meant.reduce((sum, vector) => sum + vector[i] / meant.length, 0));
const centred = meant.map((vector) => Float64Array.from(vector, (value, i) => value - mean[i]));
const directions = principal(centred, DIMENSIONS);
// Zipf's law: the n-th word is about 1/n as frequent as the first.
const harmonic = spelled.reduce((sum, _, i) => sum + 1 / (i + 2.7), 0);
const words = new Map();
spelled.forEach((form, i) => {
  const [word, ...more] = wordsOf(form);
  if (word === undefined || more.length || words.has(word)) return;
  const frequency = 1 / (i + 2.7) / harmonic;
  const weight = FREQUENT / (FREQUENT + frequency);
  words.set(
    word,
    directions.map((direction) => dot(centred[i], direction) * weight),
  );
});
const largest = Math.max(...[...words.values()].map((vector) => Math.max(...vector.map(Math.abs))));
fs.writeFileSync(path.join(TO, "english-words.txt"), `${[...words.keys()].join("\n")}\n`);
fs.writeFileSync(
  path.join(TO, "english-words.i8"),
  Int8Array.from([...words.values()].flat(), (value) => Math.round((value / largest) * 127)),
);
console.log(`${words.size} words, ${DIMENSIONS} dimensions`);
