import { ANSWER_FROM, ASK_BACK_FROM, BELOW } from "../knowledge/review/ranking.js";
import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { Context, Said } from "./context/context.queries.js";
import { decide, type Decision } from "./context/decision.js";
import { kindAskedBy, reachingBy } from "./context/asked-for.js";
import { foldedWordsOf, namesIn } from "./context/names.js";
import { isQuestion } from "./context/parts.js";
import { complains, type Difference, differenceOf, isTroubled } from "./context/polarity.js";
import type { Retrieved } from "./plan.js";
import { ifAskedSo, withoutSameAnswers } from "./same-answers.js";

/** Entries that the decision is made from. */
export const HITS = 8;

/** What a judgement needs to know of an entry that a search found. */
export interface Judged {
  entry: Pick<KbEntryDto, "id" | "question" | "alternateQuestions" | "answer" | "language" | "duplicateOfId">;
  confidence: number;
}

/**
 * The hits that count, best first: those in these languages that do not mean something else, and of those with the same answer the best.
 * @param all what a search found, best first, `HITS` at most
 */
export const thatCount = <Hit extends Judged>(
  all: readonly Hit[],
  question: string,
  languages: readonly string[],
): Hit[] =>
  inLanguages(
    all.filter(({ entry }) => !differenceFrom(entry, question)),
    question,
    languages,
  );

/** The hits in these languages, and of those with the same answer the best. Also those that may mean something else. */
export const inLanguages = <Hit extends Judged>(
  all: readonly Hit[],
  question: string,
  languages: readonly string[],
): Hit[] => withoutSameAnswers(ifAskedFor(ifAskedSo(spokenIn(all, languages), question), question));

/**
 * The hits in these languages. A shop has the same entry in several, and each takes a share of the confidence. What those take that
 * cannot answer anyway is left to the others: enough to ask back about one, and never enough to answer with it.
 */
function spokenIn<Hit extends Judged>(all: readonly Hit[], languages: readonly string[]): readonly Hit[] {
  const spoken = all.filter(({ entry }) => languages.includes(entry.language));
  const sum = (hits: readonly Hit[]): number => hits.reduce((so, { confidence }) => so + confidence, 0);
  const left = 1 - sum(all) + sum(spoken);
  if (spoken.length === all.length || left <= 0) return spoken;
  return spoken.map((hit) => {
    const confidence = Math.max(hit.confidence, Math.min(hit.confidence / left, BELOW));
    return { ...hit, confidence: Math.round(confidence * 10_000) / 10_000 };
  });
}

/** The confidence of an entry for a question about how to reach us, if no other entry says how. */
const SURE = 0.95;
/** Of several that say it, the best is sure if the next has so much less. Otherwise it is asked about. */
const TIMES_LESS = 2;
/** An entry of which the answer has no place, where one is asked for, is behind one that has, if that has so much less at most. */
const TIMES_LESS_LIKELY = 3;

/** What the question asks for, such as a telephone number or a place, counts beside its words: an entry whose answer has it is likelier. */
function ifAskedFor<Hit extends Judged>(hits: readonly Hit[], question: string): readonly Hit[] {
  const reaches = reachingBy(question);
  if (reaches) {
    const [best, next] = hits.filter(({ entry }) => reaches(entry.answer));
    if (!best) return hits;
    const isAlone = !next || (best.confidence >= ASK_BACK_FROM / 2 && best.confidence >= TIMES_LESS * next.confidence);
    return withConfidence(hits, best, Math.max(best.confidence, isAlone ? SURE : BELOW));
  }
  const [first] = hits;
  const asked = first && first.confidence < ANSWER_FROM ? kindAskedBy(question, first.entry.language) : undefined;
  if (!first || !asked) return hits;
  const fitting = hits.filter(({ entry }) => asked(entry.answer));
  const [best] = fitting;
  if (!best || best.confidence * TIMES_LESS_LIKELY < first.confidence) return hits;
  // Where only one has it, it is worth a question back a little earlier.
  const isNear = fitting.length === 1 && best.confidence >= ASK_BACK_FROM / 2;
  return withConfidence(hits, best, Math.max(first.confidence, isNear ? ASK_BACK_FROM : 0));
}

/** The entry first, with this confidence. What that leaves is for the others, in proportion. */
function withConfidence<Hit extends Judged>(hits: readonly Hit[], best: Hit, confidence: number): readonly Hit[] {
  const rest = (1 - confidence) / (1 - best.confidence || 1);
  const others = hits.filter((hit) => hit !== best).map((hit) => ({ ...hit, confidence: hit.confidence * rest }));
  return [{ ...best, confidence }, ...others];
}

/** Those whose answers the contact has not read. @param said what our side said before */
export const fresh = <Hit extends Pick<Judged, "entry">>(hits: readonly Hit[], said: readonly Said[]): Hit[] =>
  hits.filter(({ entry }) => !said.some(({ body }) => body.includes(entry.answer.trim())));

/** How the question differs from what the entry answers, though it may be about the same things. */
export const differenceFrom = (
  { question, alternateQuestions }: Judged["entry"],
  asked: string,
): Difference | undefined => differenceOf(asked, [question, ...alternateQuestions]);

/** What was searched of what a contact said, and what came of it. */
export interface Judgement<Hit> {
  text: string;
  /** Best first. */
  hits: readonly Hit[];
  decision: Decision<Hit>;
}

const UNSURE = { action: "hand_off", cause: "low_confidence" } as const;
/** More answers at once are a page, and no reply. */
const MAX_ANSWERS = 3;

/**
 * What to do about all that a contact said: the whole of it, and line by line.
 * @param parts of the whole, if it has several. Each was searched by itself
 * @param rest parts that were not searched
 * @returns the judgements that count: several answers, or one judgement of any kind
 */
export function together<Hit extends Judged>(
  whole: Judgement<Hit>,
  parts: readonly Judgement<Hit>[],
  rest: readonly string[],
): Judgement<Hit>[] {
  const answers = new Map<string, Judgement<Hit>>();
  for (const part of parts)
    if (part.decision.action === "answer" && !answers.has(part.decision.hit.entry.id))
      answers.set(part.decision.hit.entry.id, part);
  const open = [
    ...parts.filter(({ decision }) => decision.action !== "answer").map(({ text }) => text),
    ...rest,
  ].filter(wantsAnswer);
  const isOpen = open.length > 0;
  if (!isOpen && answers.size > 1 && answers.size <= MAX_ANSWERS) return [...answers.values()];
  if (whole.decision.action === "answer") return [whole];
  if (!isOpen && answers.size === 1) return [...answers.values()];
  if (answers.size) {
    const [clear] = answers.values();
    const isTwo = answers.size === 1 && open.length === 1 && !complains(open[0]!);
    return [{ ...whole, decision: isTwo ? besides(clear!, whole, parts) : UNSURE }];
  }
  if (whole.decision.action === "clarify") return [whole];
  const asking = parts.filter(({ text }) => wantsAnswer(text));
  return [asking.length === 1 && asking[0]!.decision.action === "clarify" ? asking[0]! : whole];
}

/**
 * Of several questions one is clear. Who is asked back about that one, or about another alone, wonders what became of the rest. So both are
 * asked about, for "both" gets both. If nothing may be meant by the others, people take over.
 */
function besides<Hit extends Judged>(
  clear: Judgement<Hit>,
  whole: Judgement<Hit>,
  parts: readonly Judgement<Hit>[],
): Decision<Hit> {
  const asked = [...parts, whole].flatMap(({ decision }) => (decision.action === "clarify" ? decision.hits : []));
  const sure = clear.decision.action === "answer" ? clear.decision.hit : undefined;
  const other = asked.find(({ entry }) => entry.id !== sure?.entry.id);
  return sure && other ? { action: "clarify", hits: [sure, other] } : UNSURE;
}

/** A question, or a complaint: nobody may leave it unanswered. */
const wantsAnswer = (text: string): boolean => isQuestion(text) || isTroubled(text);

/**
 * As `decideIn`. What nothing sure was found for, but asks about something that the answer of one entry alone names, is asked back about:
 * "Do you take PayPal?" shares no word with "Which payment methods do you accept?".
 * @param hits those that count, best first
 */
export function decideOn<Hit extends Judged>(
  text: string,
  hits: readonly Hit[],
  context: Pick<Context, "thresholds" | "primaryLanguage">,
  asked: Pick<Retrieved, "language" | "clarified">,
): Decision<Hit> {
  const decision = decideIn(hits, context, asked);
  const { answerConfidence, clarifyConfidence } = context.thresholds;
  if (decision.action === "answer" || asked.clarified || clarifyConfidence >= answerConfidence) return decision;
  const named = isQuestion(text) && !complains(text) ? namedBy(text, hits, asked.language) : undefined;
  if (!named) return decision;
  const others = decision.action === "clarify" ? decision.hits.filter(({ entry }) => entry.id !== named.entry.id) : [];
  // What asks about two entries has chosen them already.
  if (others.length > 1) return decision;
  return { action: "clarify", hits: others[0] ? [named, others[0]] : [named] };
}

/** The one whose answer has a name that the question has. */
function namedBy<Hit extends Judged>(text: string, hits: readonly Hit[], language: string): Hit | undefined {
  const words = foldedWordsOf(text);
  const those = hits.filter(({ entry }) => {
    const names = entry.language === language ? namesIn(entry.answer, language) : undefined;
    return words.some((word) => names?.has(word));
  });
  return those.length === 1 ? those[0] : undefined;
}

/** The contact's own language counts where an approved entry answers in it, and the workspace's otherwise. */
export function decideIn<Hit extends Pick<Judged, "confidence"> & { entry: { language: string } }>(
  hits: readonly Hit[],
  { thresholds, primaryLanguage }: Pick<Context, "thresholds" | "primaryLanguage">,
  { language, clarified }: Pick<Retrieved, "language" | "clarified">,
): Decision<Hit> {
  const decided = (spoken: string): Decision<Hit> =>
    decide(
      hits.filter(({ entry }) => entry.language === spoken),
      thresholds,
      !clarified,
    );
  const own = decided(language);
  if (own.action === "answer" || language === primaryLanguage) return own;
  const primary = decided(primaryLanguage);
  return primary.action === "answer" || own.action === "hand_off" ? primary : own;
}
