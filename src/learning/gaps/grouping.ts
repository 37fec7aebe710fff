import { cosines, raritiesAmong, vectorsOf, weighAll } from "../../knowledge/review/similarity.js";

/**
 * At least this alike, two questions are one gap. Of a thousand questions of BANKING77, three of four in a group ask for what most of
 * it asks for; of its first ten kinds alone, 94 %.
 */
const SAME_GAP = 0.3;
/** Each question is compared with so many others at most, so grouping takes linear time. */
const MAX_GROUPS = 200;
/** A question is compared by its beginning. In characters. */
export const MAX_COMPARED = 200;

interface Asked {
  question: string;
  language: string;
  /** As the search makes them. */
  terms: readonly number[];
}

/**
 * Questions that ask for the same, in one language. The first of each group stands for it, so what is asked most often comes first.
 * Once there are 200 groups, what fits none of them is left out.
 */
export function groupAlike<Q extends Asked>(questions: readonly Q[]): Q[][] {
  const [first] = questions;
  if (!first) return [];
  const texts = questions.map(({ question, terms }) => ({ said: question.slice(0, MAX_COMPARED), terms }));
  const { asked, candidates: vectors } = vectorsOf(texts[0]!, texts);
  weighAll(asked, vectors, raritiesAmong(vectors.length));
  const groups: Q[][] = [];
  const leaders: typeof vectors = [];
  questions.forEach((one, i) => {
    const likeness = cosines(vectors[i]!, leaders, leaders.length);
    let best = -1;
    for (let g = 0; g < groups.length; g++)
      if (likeness[g]! >= (best < 0 ? SAME_GAP : likeness[best]!) && groups[g]![0]!.language === one.language) best = g;
    if (best >= 0) groups[best]!.push(one);
    else if (groups.length < MAX_GROUPS) {
      groups.push([one]);
      leaders.push(vectors[i]!);
    }
  });
  return groups;
}
