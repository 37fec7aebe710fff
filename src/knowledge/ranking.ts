/** A way in which an entry is asked for. */
export interface Candidate { id: string; said: string }
export interface Ranked {
  id: string;
  /** How probable it is that the entry answers the question, 0 to 1. */
  confidence: number;
  /** The likeness of the entry's nearest question, 0 to 1. */
  likeness: number;
}

/** Features are told apart by so many hashes. */
const SIZE = 1 << 14;
/** So many of the nearest questions vote. */
const NEAREST = 48;
/** How little a single question is believed against those around it. */
const RIDGE = 0.7;
/** Rarity among the candidates, damped as if there were so many more. */
const UNSEEN = 500;
const SEEN = 5;
const WEIGHT = { word: 1, pair: 0.5, letters: 0.35 };
/** Fitted on held-out questions of BANKING77; `npm run bench -- kb` measures whether it holds. */
const CALIBRATION = { constant: -4, score: 3, margin: 6, likeness: 3 };

interface Vector { features: Int32Array; weights: Float64Array }

const frequency = new Float64Array(SIZE);
const dense = new Float64Array(SIZE);

const mix = (hash: number, code: number): number => Math.imul(hash ^ code, 0x9e3779b1) ^ (hash >>> 15);

/** Where words are written without spaces, each character is one. */
const WORDS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}])[\p{L}\p{N}])+/gu;

/** Words, pairs of words at most three apart, and three to five letters of a word in a row: misspelt and inflected words keep most of those. */
function vectorOf(said: string): Vector {
  const words = said.toLowerCase().normalize('NFKD').replace(/['’\u0300-\u036f]/g, '').normalize('NFC').match(WORDS)?.slice(0, 200) ?? [];
  const found = new Map<number, number>();
  const add = (hash: number, weight: number): void => {
    const feature = (hash ^ (hash >>> 13)) & (SIZE - 1);
    found.set(feature, (found.get(feature) ?? 0) + weight);
  };
  const hashes = words.map((word) => { let hash = 7; for (let i = 0; i < word.length; i++) hash = mix(hash, word.charCodeAt(i)); return hash; });
  for (let w = 0; w < words.length; w++) {
    add(hashes[w]!, WEIGHT.word);
    for (let other = w + 1; other <= w + 3 && other < words.length; other++) add(mix(mix(99, hashes[w]!), hashes[other]!), WEIGHT.pair);
    const word = ` ${words[w]!} `;
    for (let length = 3; length <= 5; length++) {
      for (let from = 0; from + length <= word.length; from++) {
        let hash = length * 31;
        for (let i = from; i < from + length; i++) hash = mix(hash, word.charCodeAt(i));
        add(hash, WEIGHT.letters);
      }
    }
  }
  return { features: Int32Array.from(found.keys()), weights: Float64Array.from(found.values()) };
}

/** What is rare among the candidates tells them apart. */
function weigh({ features, weights }: Vector, candidates: number): void {
  let square = 0;
  for (let i = 0; i < features.length; i++) {
    const weight = Math.sqrt(weights[i]!) * Math.log(1 + (candidates + UNSEEN) / (frequency[features[i]!]! + SEEN));
    weights[i] = weight;
    square += weight * weight;
  }
  const length = Math.sqrt(square) || 1;
  for (let i = 0; i < weights.length; i++) weights[i]! /= length;
}

/** The cosines of one vector with the first `count` others. */
function cosines(one: Vector, others: readonly Vector[], count: number): Float64Array {
  for (let i = 0; i < one.features.length; i++) dense[one.features[i]!] = one.weights[i]!;
  const result = new Float64Array(count);
  for (let o = 0; o < count; o++) {
    const { features, weights } = others[o]!;
    let sum = 0;
    for (let i = 0; i < features.length; i++) sum += dense[features[i]!]! * weights[i]!;
    result[o] = sum;
  }
  for (const feature of one.features) dense[feature] = 0;
  return result;
}

/** Solves (G + RIDGE) x = b in place, G being the cosines of the nearest with each other. */
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

/** Each entry's share in the question as the nearest questions explain it together, kernel ridge regression among them: ten that say the same do not outvote one that says more. */
export function score(question: string, candidates: readonly Candidate[]): { id: string; score: number; margin: number; likeness: number }[] {
  const asked = vectorOf(question);
  const vectors = candidates.map(({ said }) => vectorOf(said));
  frequency.fill(0);
  for (const { features } of vectors) for (const feature of features) frequency[feature]!++;
  for (const vector of [asked, ...vectors]) weigh(vector, vectors.length);
  const likeness = cosines(asked, vectors, vectors.length);
  const nearest = vectors.map((_, i) => i).sort((a, b) => likeness[b]! - likeness[a]!).slice(0, NEAREST);
  const near = nearest.map((i) => vectors[i]!);
  const gram = near.map((vector, i) => { const row = new Float64Array(i + 1); row.set(cosines(vector, near, i)); return row; });
  const shares = Float64Array.from(nearest, (i) => likeness[i]!);
  solve(gram, shares);
  const entries = new Map<string, { score: number; likeness: number }>();
  nearest.forEach((i, k) => {
    const { id } = candidates[i]!;
    const entry = entries.get(id);
    if (entry) entry.score += shares[k]!;
    else entries.set(id, { score: shares[k]!, likeness: likeness[i]! });
  });
  const sorted = [...entries].map(([id, entry]) => ({ id, ...entry, margin: 0 })).sort((a, b) => b.score - a.score || b.likeness - a.likeness);
  for (const [i, entry] of sorted.entries()) entry.margin = entry.score - (sorted[i === 0 ? 1 : 0]?.score ?? 0);
  return sorted;
}

/** The entries that the candidates belong to, the best first. */
export const rank = (question: string, candidates: readonly Candidate[]): Ranked[] => score(question, candidates).map(({ id, score: share, margin, likeness }) => ({
  id, likeness: Math.min(1, likeness),
  confidence: 1 / (1 + Math.exp(-(CALIBRATION.constant + CALIBRATION.score * share + CALIBRATION.margin * margin + CALIBRATION.likeness * likeness))),
}));
