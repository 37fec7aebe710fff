import { opposes, sayTheSame } from "../knowledge/kb-entries/opposed.js";
import { cosines, raritiesAmong, vectorsOf, weighAll } from "../knowledge/review/similarity.js";
import type { Evidence, Known } from "./learning.queries.js";
import { peopleIn } from "./people.js";

/** At least this alike, two questions are the same. The search for similar entries has the same bound. */
const SAME_QUESTION = 0.8;
/**
 * Customers hardly ever ask in the same words: of BANKING77's pairs that ask for the same, none in 500 is that alike. Where
 * people gave the same answer, this is enough: 20 % of those pairs are this alike, and 0.4 % of the others.
 */
const SAME_IF_ANSWERED_ALIKE = 0.3;
/** The most other ways to ask that a proposal begins with. */
const MAX_ALTERNATES = 10;
const MAX_ALTERNATES_OF_ENTRY = 200;

type Asked = Pick<Evidence, "question" | "answer" | "language" | "terms">;

/** So many of the most alike are looked at: comparing answers takes longer. */
const MAX_GROUP = 30;

/** Those of the others that are about the same question, the most alike first, 30 at most. */
export function aboutTheSame<One extends Asked>(evidence: Asked, others: readonly One[]): One[] {
  const candidates = others.filter(({ language }) => language === evidence.language);
  const { asked, candidates: vectors } = vectorsOf(
    { said: evidence.question, terms: evidence.terms },
    candidates.map(({ question, terms }) => ({ said: question, terms })),
  );
  weighAll(asked, vectors, raritiesAmong(vectors.length));
  const likeness = cosines(asked, vectors, vectors.length);
  return candidates
    .map((one, i) => ({ one, likeness: likeness[i]! }))
    .filter(({ likeness: alike }) => alike >= SAME_IF_ANSWERED_ALIKE)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_GROUP)
    .filter(({ one, likeness: alike }) => alike >= SAME_QUESTION || sayTheSame(one.answer, evidence.answer))
    .map(({ one }) => one);
}

/**
 * How sure a proposal is, 0 to 1, by the rule of succession: of `n` people, `k` got this answer. Two of two are 0.75, and 0.9
 * takes eight of eight.
 */
export function confidenceOf(answer: string, group: readonly Evidence[]): number {
  const agreeing = group.filter((one) => sayTheSame(one.answer, answer));
  const share = (peopleIn(agreeing) + 1) / (peopleIn(group) + 2);
  return Math.round(share * 1_000) / 1_000;
}

/** The content of a new entry that waits for review. */
export interface Proposal {
  question: string;
  answer: string;
  alternateQuestions: string[];
  language: string;
  labels: string[];
  confidence: number;
  /** The entry ends at once: what it says is wrong, and what is right is not clear. */
  ends: boolean;
  /** An approved entry that it takes the place of. */
  replaces: string | null;
  reason: string | null;
}

/** What several contacts' evidence about one question proposes. @param group newest first */
export function proposalOf(group: readonly Evidence[], about?: Known): Proposal {
  const best = bestAnswer(group);
  const questions = unique(group.map(({ question }) => question)).sort((a, b) => a.length - b.length);
  if (!about)
    return {
      question: questions[0]!,
      answer: best.answer,
      alternateQuestions: questions.slice(1, 1 + MAX_ALTERNATES),
      language: best.language,
      labels: [],
      confidence: confidenceOf(best.answer, group),
      ends: false,
      replaces: null,
      reason: group.some(({ answer }) => opposes(answer, best.answer)) ? REASONS.contradict : null,
    };
  const own = [about.question, ...about.alternateQuestions];
  const alternateQuestions = unique([...about.alternateQuestions, ...questions.filter((one) => !own.includes(one))]);
  const edit = {
    question: about.question,
    alternateQuestions: alternateQuestions.slice(0, MAX_ALTERNATES_OF_ENTRY),
    language: about.language,
    labels: about.labels,
    replaces: about.id,
  };
  if (sayTheSame(about.answer, best.answer))
    return {
      ...edit,
      answer: about.answer,
      confidence: confidenceOf(about.answer, group),
      ends: false,
      reason: REASONS.asked,
    };
  const agreed = peopleIn(group.filter((one) => sayTheSame(one.answer, best.answer))) > 1;
  return agreed
    ? {
        ...edit,
        answer: best.answer,
        confidence: confidenceOf(best.answer, group),
        ends: false,
        reason: REASONS.answered,
      }
    : {
        ...edit,
        answer: about.answer,
        alternateQuestions: about.alternateQuestions,
        confidence: confidenceOf(best.answer, group),
        ends: true,
        reason: REASONS.disputed,
      };
}

const REASONS = {
  asked: "Contacts ask for it in other words",
  answered: "People answered otherwise",
  contradict: "Contradiction: some people answered yes, and others no",
  disputed: "People answered otherwise, and not alike",
};

/** The answer that most of the others agree with; the newest of several. */
function bestAnswer(group: readonly Evidence[]): Evidence {
  let best = { one: group[0]!, agreeing: 0 };
  for (const one of group) {
    const agreeing = peopleIn(group.filter((other) => sayTheSame(one.answer, other.answer)));
    if (agreeing > best.agreeing) best = { one, agreeing };
  }
  return best.one;
}

const unique = (texts: readonly string[]): string[] => [
  ...new Map(texts.map((text) => [text.toLowerCase(), text])).values(),
];
