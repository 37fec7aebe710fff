import type { KbEntryDto } from "../knowledge/kb-entries/kb-entries.dto.js";
import type { Context } from "./context/context.queries.js";
import { decide, type Decision } from "./context/decision.js";
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
 * The hits that count, best first: those in these languages, and of those with the same answer the best.
 * @param all what a search found, best first, `HITS` at most
 */
export const thatCount = <Hit extends Judged>(
  all: readonly Hit[],
  question: string,
  languages: readonly string[],
): Hit[] => withoutSameAnswers(ifAskedSo(all, question).filter(({ entry }) => languages.includes(entry.language)));

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
