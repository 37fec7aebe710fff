/** One way to ask for an entry, with the entry's score from the index. */
export interface Candidate {
  id: string;
  n: number;
  said: string;
  weight: number;
  /** The cosine of the two vectors, if an embedding model was used. */
  meant?: number;
}
export interface Ranked {
  id: string;
  /** How likely the entry answers the question, 0 to 1. */
  confidence: number;
  /** The similarity of the entry's closest question, 0 to 1. */
  likeness: number;
}

/** The number of hash buckets for features. */
const SIZE = 1 << 14;
/** How many of the closest questions vote. */
const NEAREST = 32;
/**
 * The regularisation of the ridge regression. A higher value trusts a single question less and its neighbours more.
 */
const RIDGE = 0.7;
/** Damps the rarity of a feature, as if there were this many more candidates. */
const UNSEEN = 500;
const SEEN = 5;
const WEIGHT = { word: 1, pair: 0.5, letters: 0.35 };
/**
 * A logistic regression, fitted on held-out questions of BANKING77. Half of them were asked of a workspace that lacks
 * a fifth of the answers. `npm run bench -- kb` measures whether it still fits.
 */
const CALIBRATION = { constant: -2.57, score: 0.85, margin: 4.74, likeness: 3.21 };

/** The weight of the index score, relative to the share that the closest questions explain. */
const INDEXED = 0.4;
/** The weight of the embedding similarity, relative to the words. */
const MEANT = 2;

interface Vector {
  features: Int32Array;
  weights: Float32Array;
}

const frequency = new Int32Array(SIZE);
const dense = new Float32Array(SIZE);
const sums = new Float32Array(SIZE);
/** The features of the current text, in order of first occurrence. */
const touched = new Int32Array(SIZE);

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
      .replace(/['’\u0300-\u036f]/g, "")
      .normalize("NFC")
      .replace(UNSPACED, " $& ")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/**
 * Words, pairs of words at most three apart, and runs of three to five letters of a word. Misspelt and inflected
 * words keep most of these runs.
 */
function vectorOf(said: string): Vector {
  const words = wordsOf(said).slice(0, MAX_WORDS);
  let count = 0;
  const add = (hash: number, weight: number): void => {
    const feature = (hash ^ (hash >>> 13)) & (SIZE - 1);
    if (sums[feature] === 0) touched[count++] = feature;
    sums[feature]! += weight;
  };
  const hashes = words.map((word) => {
    let hash = 7;
    for (let i = 0; i < word.length; i++) hash = mix(hash, word.charCodeAt(i));
    return hash;
  });
  for (let w = 0; w < words.length; w++) {
    const hash = hashes[w]!;
    add(hash, WEIGHT.word);
    const paired = mix(99, hash);
    for (let other = w + 1; other <= w + 3 && other < words.length; other++)
      add(mix(paired, hashes[other]!), WEIGHT.pair);
    const word = ` ${words[w]!} `;
    for (let from = 0; from + 3 <= word.length; from++) {
      let letters = 31;
      for (let i = from; i < from + 5 && i < word.length; i++) {
        letters = mix(letters, word.charCodeAt(i));
        if (i >= from + 2) add(letters, WEIGHT.letters);
      }
    }
  }
  const features = touched.slice(0, count);
  const weights = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const feature = features[i]!;
    weights[i] = Math.sqrt(sums[feature]!);
    sums[feature] = 0;
  }
  return { features, weights };
}

/** How much a feature tells candidates apart, indexed by the number of candidates that have it. */
function rarities(candidates: readonly Vector[]): Float64Array {
  frequency.fill(0);
  for (const { features } of candidates) for (let i = 0; i < features.length; i++) frequency[features[i]!]!++;
  const rarity = new Float64Array(candidates.length + 1);
  for (let seen = 0; seen < rarity.length; seen++)
    rarity[seen] = Math.log(1 + (candidates.length + UNSEEN) / (seen + SEEN));
  return rarity;
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

/** The cosines of one vector with the first `count` others. */
function cosines({ features: own, weights: theirs }: Vector, others: readonly Vector[], count: number): Float64Array {
  for (let i = 0; i < own.length; i++) dense[own[i]!] = theirs[i]!;
  const result = new Float64Array(count);
  for (let o = 0; o < count; o++) {
    const { features, weights } = others[o]!;
    let sum = 0;
    for (let i = 0; i < features.length; i++) sum += dense[features[i]!]! * weights[i]!;
    result[o] = sum;
  }
  for (let i = 0; i < own.length; i++) dense[own[i]!] = 0;
  return result;
}

/** Solves (G + RIDGE) x = b in place. G holds the cosines of the closest questions with each other. */
function solve(gram: Float64Array[], b: Float64Array): void {
  const n = b.length;
  for (let i = 0; i < n; i++) {
    const row = gram[i]!;
    for (let j = 0; j <= i; j++) {
      const other = gram[j]!;
      let sum = i === j ? 1 + RIDGE : row[j]!;
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

/**
 * The score of each entry: kernel ridge regression over the closest questions, so that ten questions that say the
 * same do not outvote one that says more. The score also adds the share of all ways to ask for the entry that have
 * the question's terms.
 */
function score(
  question: string,
  candidates: readonly Candidate[],
): { id: string; score: number; margin: number; likeness: number }[] {
  const asked = vectorOf(question);
  const vectors = candidates.map(({ said }) => vectorOf(said));
  const rarity = rarities(vectors);
  weigh(asked, rarity);
  for (const vector of vectors) weigh(vector, rarity);
  const likeness = cosines(asked, vectors, vectors.length);
  const order = candidates.map((_, i) => i).sort((a, b) => likeness[b]! - likeness[a]!);
  const near = order.slice(0, NEAREST).map((i) => vectors[i]!);
  const gram = near.map((vector, i) => cosines(vector, near, i + 1));
  const shares = Float64Array.from(near, (_, k) => likeness[order[k]!]!);
  solve(gram, shares);
  const heaviest = candidates.reduce((most, { weight }) => Math.max(most, weight), Number.MIN_VALUE);
  const entries = new Map<string, { score: number; likeness: number }>();
  order.forEach((i, k) => {
    const { id, weight } = candidates[i]!;
    const share = shares[k] ?? 0;
    const entry = entries.get(id);
    if (entry) entry.score += share;
    else entries.set(id, { score: share + (INDEXED * weight) / heaviest, likeness: likeness[i]! });
  });
  addMeaning(entries, candidates);
  const sorted = [...entries]
    .map(([id, entry]) => ({ id, ...entry, margin: 0 }))
    .sort((a, b) => b.score - a.score || b.likeness - a.likeness);
  for (const [i, entry] of sorted.entries()) entry.margin = entry.score - (sorted[i === 0 ? 1 : 0]?.score ?? 0);
  return sorted;
}

/**
 * Raises entries whose meaning is closer to the question than that of the others. Entries without a vector neither
 * gain nor lose.
 */
function addMeaning(entries: ReadonlyMap<string, { score: number }>, candidates: readonly Candidate[]): void {
  const meant = new Map<string, number>();
  for (const { id, meant: cosine } of candidates)
    if (cosine !== undefined) meant.set(id, Math.max(cosine, meant.get(id) ?? -1));
  const mean = [...meant.values()].reduce((sum, cosine) => sum + cosine / meant.size, 0);
  for (const [id, cosine] of meant) entries.get(id)!.score += MEANT * (cosine - mean);
}

/** The entries of the candidates, best first. */
export const rank = (question: string, candidates: readonly Candidate[]): Ranked[] =>
  score(question, candidates).map(({ id, score: share, margin, likeness }) => ({
    id,
    likeness: Math.min(1, likeness),
    confidence:
      1 /
      (1 +
        Math.exp(
          -(
            CALIBRATION.constant +
            CALIBRATION.score * share +
            CALIBRATION.margin * margin +
            CALIBRATION.likeness * likeness
          ),
        )),
  }));
