import { Scratch } from "./scratch.js";
import { solve } from "./similarity.js";

/** What a question means, as a model of embeddings has it. */
export interface Meaning {
  /** Of length 1. */
  vector: Float32Array;
  /** The cosine that the model gives to two texts that have nothing to do with each other. */
  unrelated: number;
  /** The vectors of the entries' answers. */
  answers?: ReadonlyMap<string, Float32Array>;
}

/** One way to ask for an entry, with its vector. Null if the server gave none for the text, undefined if it was not asked yet. */
export interface Embeddable {
  id: string;
  vector?: Float32Array | null;
}

/** How close an entry's meaning is. 0 is as far as texts that have nothing to do with each other, 1 is the same. */
export interface Meant {
  /** The closest of its questions. */
  meant: number;
  /** The middle of its questions. */
  central: number;
  /** What its questions explain of the question beside the others, by kernel ridge regression. */
  voted: number;
  /** The answer, against the mean of all answers. 0 without one. */
  told: number;
}

/** How many of the closest questions vote. */
const NEAREST = 96;
const RIDGE = 0.05;
/** How much less a vote counts that is farther away. */
const STEEP = 2;
/** The lower half of a square. */
const gramRows = new Scratch(new Float64Array((NEAREST * (NEAREST + 1)) / 2), Float64Array);

/**
 * What the vectors say for each entry. Null if they say nothing: none has one, or one of the questions still waits for
 * its vector. Then the words alone decide; otherwise an entry would lose to those that have theirs. An entry for whose
 * texts the server gives no vector counts like the mean of the others.
 */
export function meantBy(asked: Meaning, candidates: readonly Embeddable[]): Map<string, Meant> | null {
  // Models differ in the cosine of unrelated texts, from 0 to 0.8. This puts it at 0 for all.
  const scaled = (cosine: number): number => (cosine - asked.unrelated) / (1 - asked.unrelated);
  const vote = (cosine: number): number => Math.exp(STEEP * (scaled(cosine) - 1));
  const known: { id: string; vector: Float32Array; cosine: number }[] = [];
  for (const { id, vector } of candidates) {
    if (vector?.length !== asked.vector.length && vector !== null) return null;
    if (vector) known.push({ id, vector, cosine: dot(asked.vector, vector) });
  }
  if (!known.length) return null;
  known.sort((a, b) => b.cosine - a.cosine);
  const near = known.slice(0, NEAREST);
  gramRows.clear();
  const gram = near.map(({ vector }, i) => {
    const row = gramRows.take(i + 1);
    for (let k = 0; k <= i; k++) row[k] = vote(dot(vector, near[k]!.vector));
    return row;
  });
  const votes = Float64Array.from(near, ({ cosine }) => vote(cosine));
  solve(gram, votes, RIDGE);
  /** `vector` is the sum of those of the entry's questions. Most entries have one among the candidates: then it is not copied. */
  const sums = new Map<
    string,
    { questions: number; vector: Float32Array; cosines: number; best: number; voted: number }
  >();
  known.forEach(({ id, vector, cosine }, i) => {
    let own = sums.get(id);
    if (!own) sums.set(id, (own = { questions: 0, vector, cosines: 0, best: cosine, voted: 0 }));
    own.voted += votes[i] ?? 0;
    own.questions++;
    own.cosines += cosine;
    if (own.questions === 1) return;
    if (own.questions === 2) own.vector = own.vector.slice();
    for (let k = 0; k < vector.length; k++) own.vector[k]! += vector[k]!;
  });
  const entries = new Map<string, Meant>();
  const mean: Meant = { meant: 0, central: 0, voted: 0, told: 0 };
  const toldBy = toldOf(asked, sums, scaled);
  for (const [id, { questions, vector, cosines, best, voted }] of sums) {
    // The cosine with the mean of the vectors, had unrelated texts a cosine of 0.
    const among = Math.max(scaled(dot(vector, vector) / questions ** 2), 1 / questions);
    const meant = scaled(best);
    const central = scaled(cosines / questions) / Math.sqrt(among);
    entries.set(id, { meant, central, voted, told: toldBy.get(id) ?? 0 });
    mean.meant += meant / sums.size;
    mean.central += central / sums.size;
    mean.voted += voted / sums.size;
  }
  return new Map(candidates.map(({ id }) => [id, entries.get(id) ?? mean]));
}

/** How close the answers of these entries are, against their mean. */
function toldOf(
  { vector, answers }: Meaning,
  entries: ReadonlyMap<string, unknown>,
  scaled: (cosine: number) => number,
): Map<string, number> {
  const told = new Map<string, number>();
  for (const [id, answer] of answers ?? [])
    if (entries.has(id) && answer.length === vector.length) told.set(id, scaled(dot(vector, answer)));
  let mean = 0;
  for (const close of told.values()) mean += close / told.size;
  for (const [id, close] of told) told.set(id, close - mean);
  return told;
}

function dot(one: Float32Array, other: Float32Array): number {
  // Four sums, because each addition waits for the one before it.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < one.length; i += 4) {
    a += one[i]! * other[i]!;
    b += one[i + 1]! * other[i + 1]!;
    c += one[i + 2]! * other[i + 2]!;
    d += one[i + 3]! * other[i + 3]!;
  }
  for (; i < one.length; i++) a += one[i]! * other[i]!;
  return a + b + c + d;
}

/** Texts that have nothing to do with each other. Their vectors show which cosine a model gives to such texts. */
export const UNRELATED = [
  "Hello",
  "The train to the coast leaves at nine",
  "Add two eggs and a spoon of sugar",
  "My card was declined",
  "How tall is the mountain?",
  "She plays the violin in an orchestra",
  "Please update the software on my laptop",
  "The goalkeeper was injured in the second half",
];

/** The mean cosine of each two of these vectors, which have length 1. */
export function meanCosine(vectors: readonly Float32Array[]): number {
  let sum = 0;
  for (const [i, one] of vectors.entries()) for (const other of vectors.slice(0, i)) sum += dot(one, other);
  return sum / ((vectors.length * (vectors.length - 1)) / 2);
}
