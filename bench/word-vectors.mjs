// node bench/word-vectors.mjs WORDS TEXTS: see README.md. Makes the vectors of English words that the search of the knowledge base
// uses without a server for embeddings.
import fs from "node:fs";
import path from "node:path";
import { wordsOf } from "../dist/src/knowledge/review/similarity.js";
import { DIMENSIONS } from "../dist/src/knowledge/review/word-vectors.js";
import { embedded } from "./embeddings.mjs";
import { shuffled } from "./random.mjs";

const TO = path.join(import.meta.dirname, "../src/knowledge/data");
/** Words as frequent as this, of all words, count half of what rare ones do, before they learn from texts. */
const FREQUENT = 1e-3;
const ITERATIONS = 30;
/** Every so many texts are enough for what all words have in common. */
const SOME = 4;
const RIDGE = 10;
/** How often each text is learnt, how far a word moves, and how strongly it is held where it was. */
const ROUNDS = 8;
const STEP = 0.15;
const HOLD = 8;

function dot(one, other) {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += one[i] * other[i];
  return sum;
}
function scaled(vector, to = 1) {
  const scale = to / (Math.sqrt(dot(vector, vector)) || 1);
  return vector.map((value) => value * scale);
}
const centred = (vectors) => {
  const mean = new Float64Array(vectors[0].length);
  for (const vector of vectors) for (let i = 0; i < mean.length; i++) mean[i] += vector[i] / vectors.length;
  return vectors.map((vector) => vector.map((value, i) => value - mean[i]));
};
/** The sums of the products of each two columns of `ones` and `others`. */
function products(ones, others = ones) {
  const sums = Array.from(ones[0], () => new Float64Array(others[0].length));
  ones.forEach((one, n) => {
    const other = others[n];
    for (let a = 0; a < one.length; a++)
      for (let b = 0, row = sums[a]; b < other.length; b++) row[b] += one[a] * other[b];
  });
  return sums;
}

/** The directions in which the vectors differ most, by subspace iteration over the covariance. */
function principal(vectors, wanted) {
  const covariance = products(vectors);
  let basis = Array.from({ length: wanted }, (_, k) => covariance[(k * 5) % covariance.length].slice());
  for (let n = 0; n < ITERATIONS; n++) {
    const next = [];
    for (const direction of n ? basis.map((one) => covariance.map((row) => dot(row, one))) : basis) {
      // Gram and Schmidt, twice, for the rounding.
      for (const other of [...next, ...next]) {
        const along = dot(direction, other);
        for (let i = 0; i < direction.length; i++) direction[i] -= along * other[i];
      }
      next.push(scaled(direction));
    }
    basis = next;
  }
  return basis;
}

/** The matrix by which the `inputs` come closest to the `outputs`: ridge regression, by Gauss and Jordan. */
function regression(inputs, outputs) {
  const gram = products(inputs);
  const right = products(inputs, outputs);
  gram.forEach((row, i) => (row[i] += RIDGE));
  gram.forEach((pivot, i) => {
    gram.forEach((row, k) => {
      if (k === i) return;
      const factor = row[i] / pivot[i];
      for (let j = i; j < row.length; j++) row[j] -= factor * pivot[j];
      for (let j = 0; j < right[k].length; j++) right[k][j] -= factor * right[i][j];
    });
  });
  return right.map((row, i) => row.map((value) => value / gram[i][i]));
}

/** The sum of the vectors of a text's words. */
function sumOf(places, vectors) {
  const sum = new Float64Array(vectors[0].length);
  for (const place of places) for (let i = 0, vector = vectors[place]; i < sum.length; i++) sum[i] += vector[i];
  return sum;
}

/**
 * Moves the vectors of the words of each text, so that their sum points where the text does. A word that is in few texts
 * moves little.
 */
function learn(vectors, texts) {
  const start = vectors.map((vector) => vector.slice());
  const moved = new Float64Array(vectors.length).fill(1);
  const count = new Float64Array(vectors.length);
  for (const { places } of texts) for (const place of places) count[place]++;
  for (let round = 0; round < ROUNDS; round++) {
    let all = 0;
    shuffled(texts, round).forEach(({ places, target }, n) => {
      const step = STEP * (1 - (round + n / texts.length) / ROUNDS);
      const sum = sumOf(places, vectors);
      const length = Math.sqrt(dot(sum, sum)) + 1e-6;
      const cosine = dot(sum, target) / length;
      all += cosine;
      const slope = target.map((value, i) => (value - (cosine * sum[i]) / length) / length);
      const square = dot(slope, slope);
      for (const place of places) {
        moved[place] += square;
        const by = step / Math.sqrt(moved[place]);
        const hold = HOLD / count[place];
        for (let i = 0, own = vectors[place], first = start[place]; i < own.length; i++)
          own[i] += by * (slope[i] - hold * (own[i] - first[i]));
      }
    });
    console.log(`round ${round + 1}: cosine ${(all / texts.length).toFixed(4)}`);
  }
}

/** One word a line, the most frequent first, as people write them: `don't`, not `dont`. */
const [spelled, said] = process.argv.slice(2, 4).map((file) => fs.readFileSync(file, "utf8").trimEnd().split("\n"));
const words = new Map();
// Zipf's law: the n-th word is about 1/n as frequent as the first.
const harmonic = spelled.reduce((sum, _, i) => sum + 1 / (i + 2.7), 0);
const byItself = centred(await embedded(spelled, process.env.VECTORS));
spelled.forEach((form, i) => {
  const [word, ...more] = wordsOf(form);
  if (word === undefined || more.length || words.has(word)) return;
  const frequency = 1 / (i + 2.7) / harmonic;
  const weight = FREQUENT / (FREQUENT + frequency);
  words.set(word, { place: words.size, vector: byItself[i].map((value) => value * weight) });
});
const ofWords = [...words.values()].map(({ vector }) => vector);
const ofTexts = centred(await embedded(said, process.env.TEXT_VECTORS));
const directions = principal(
  ofTexts.filter((_, i) => i % SOME === 0),
  DIMENSIONS,
);
const texts = said
  .map((text, i) => ({
    places: wordsOf(text).flatMap((word) => words.get(word)?.place ?? []),
    target: scaled(Float64Array.from(directions, (direction) => dot(direction, ofTexts[i]))),
  }))
  .filter(({ places }) => places.length);

// What all words have in common first, so that one that is in no text fits in with the others.
const some = texts.filter((_, i) => i % SOME === 0);
const map = regression(
  some.map(({ places }) => scaled(sumOf(places, ofWords))),
  some.map(({ target }) => target),
);
const mapped = ofWords.map((vector) =>
  Float64Array.from(directions, (_, k) => map.reduce((sum, row, i) => sum + row[k] * vector[i], 0)),
);
const size = Math.sqrt(mapped.reduce((sum, vector) => sum + dot(vector, vector), 0) / mapped.length);
const vectors = mapped.map((vector) => vector.map((value) => value / size));
learn(vectors, texts);

const largest = vectors.reduce((most, vector) => Math.max(most, ...vector.map(Math.abs)), 0);
fs.writeFileSync(path.join(TO, "english-words.txt"), `${[...words.keys()].join("\n")}\n`);
fs.writeFileSync(
  path.join(TO, "english-words.i8"),
  Int8Array.from(
    vectors.flatMap((vector) => [...vector]),
    (value) => Math.round((value / largest) * 127),
  ),
);
console.log(`${words.size} words, ${DIMENSIONS} dimensions, ${texts.length} texts`);
