import { ANSWER_FROM, ASK_BACK_FROM, ASK_BACK_WITHIN } from "../../knowledge/review/ranking.js";
import { namedEnum } from "../../platform/enums/named-enum.js";

export const DECISIONS = namedEnum("AgentDecision", "What the assistant makes of what it found.", {
  answer: "answer with an entry",
  clarify: "ask which of two entries is meant",
  hand_off: "hand over to people",
});

/** When the assistant answers, asks back or hands over. Each is a share from 0 to 1. */
export interface Thresholds {
  /** An entry answers at this confidence or above. */
  answerConfidence: number;
  /** Two entries are close together if their confidences differ by less. Then neither answers, and a question back may help. */
  margin: number;
  /** An entry at this confidence or above that does not answer is worth a question back: about it, or about two that are close together. */
  clarifyConfidence: number;
}

/** The figures of the fitted confidence. */
export const DEFAULT_THRESHOLDS: Thresholds = {
  answerConfidence: ANSWER_FROM,
  margin: ASK_BACK_WITHIN,
  clarifyConfidence: ASK_BACK_FROM,
};

export type Decision<Hit> =
  | { action: "answer"; hit: Hit }
  /** One entry, or two. */
  | { action: "clarify"; hits: readonly [Hit] | readonly [Hit, Hit] }
  | { action: "hand_off"; cause: "kb_gap" | "low_confidence" };

/**
 * What to do with the entries that a search found.
 * @param hits best first
 * @param mayClarify whether the contact was not asked back before
 */
export function decide<Hit extends { confidence: number }>(
  hits: readonly Hit[],
  { answerConfidence, margin, clarifyConfidence }: Thresholds,
  mayClarify: boolean,
): Decision<Hit> {
  const [best, second] = hits;
  if (!best || best.confidence < clarifyConfidence) return { action: "hand_off", cause: "kb_gap" };
  const ahead = best.confidence - (second?.confidence ?? 0);
  if (best.confidence >= answerConfidence && ahead >= margin) return { action: "answer", hit: best };
  if (mayClarify && second && second.confidence >= clarifyConfidence && ahead < margin)
    return { action: "clarify", hits: [best, second] };
  if (mayClarify) return { action: "clarify", hits: [best] };
  return { action: "hand_off", cause: "low_confidence" };
}
