import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import { sameAnswer } from "../knowledge/review/contradiction.js";
import { wordsOf } from "../knowledge/review/similarity.js";

type Answering = Pick<KbEntryDto, "id" | "answer" | "language" | "duplicateOfId">;
type Asking = Pick<KbEntryDto, "question" | "alternateQuestions">;

/**
 * Entries with the same answer share their confidence, because one question has one right entry at most. Here it does not matter
 * which of them answers. So the best of them gets the confidence of all.
 * @param hits best first
 * @returns best first
 */
export function withoutSameAnswers<Hit extends { entry: Answering; confidence: number }>(hits: readonly Hit[]): Hit[] {
  const kept: Hit[] = [];
  for (const hit of hits) {
    const known = kept.findIndex(({ entry }) => answersTheSame(entry, hit.entry));
    if (known < 0) kept.push(hit);
    else kept[known] = { ...kept[known]!, confidence: Math.min(1, kept[known]!.confidence + hit.confidence) };
  }
  return kept.sort((a, b) => b.confidence - a.confidence);
}

/** `duplicateOfId` alone is not enough: it also names an entry that contradicts. */
function answersTheSame(one: Answering, other: Answering): boolean {
  if (one.language !== other.language) return false;
  if (plain(one.answer) === plain(other.answer)) return true;
  const related = one.duplicateOfId === other.id || other.duplicateOfId === one.id;
  return related && sameAnswer(one.answer, other.answer);
}

/**
 * Where the question is word for word one that an entry answers, it does belong here. So what the confidences keep back for
 * "none of them" is divided among the entries, in proportion.
 */
export function ifAskedSo<Hit extends { entry: Asking; confidence: number }>(
  hits: readonly Hit[],
  question: string,
): readonly Hit[] {
  const asked = normalised(question);
  const isKnown = hits.some(({ entry }) =>
    [entry.question, ...entry.alternateQuestions].some((one) => normalised(one) === asked),
  );
  const sum = hits.reduce((so, { confidence }) => so + confidence, 0);
  return isKnown && sum > 0 ? hits.map((hit) => ({ ...hit, confidence: hit.confidence / sum })) : hits;
}

/** Without differences of case, accents, spaces and punctuation. Signs alone, such as an emoji, stay as they are. */
const plain = (text: string): string => wordsOf(text).join(" ") || text.trim();

/** Words that make no other question of it, in the seven languages. None of them denies, compares or says when. */
const FILLERS = new Set(
  `please pls plz just actually btw so and ok okay hi hello hey thanks thx
  bitte denn eigentlich mal nochmal hallo danke und
  svp stp donc bonjour merci et
  hola gracias buenas pues y
  ciao buongiorno grazie e
  alstublieft alsjeblieft aub eigenlijk even hallo hoi bedankt en
  ola obrigado obrigada`.split(/\s+/),
);

/** As `plain`, without fillers. */
const normalised = (text: string): string =>
  wordsOf(text)
    .filter((word) => !FILLERS.has(word))
    .join(" ") || plain(text);
