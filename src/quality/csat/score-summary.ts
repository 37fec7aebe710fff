import { type Share, wilson } from "../../platform/outcomes/wilson.js";

/** How often a score of a scale was given. */
export interface Tally {
  score: number;
  scale: number;
  count: number;
}

export interface ScoreSummary {
  /** The number of answers. */
  answered: number;
  /** The scale of the average: that of the answers, or 5 if they have several scales; null without an answer. */
  scale: number | null;
  average: number | null;
  /** The share of satisfied contacts, with its 95 % Wilson interval; null without an answer. */
  satisfied: Share | null;
  /** The scores that were given, by scale, then score. */
  distribution: Tally[];
}

/** Scores of several scales are converted to this one for the average. */
const COMMON_SCALE = 5;
/** How far up the scale, 0 to 1, a satisfied contact's score is at least. */
const SATISFIED_FROM = 0.75;

export const isSatisfied = ({ score, scale }: Omit<Tally, "count">): boolean =>
  (score - 1) / (scale - 1) >= SATISFIED_FROM;

export function summarize(tallies: readonly Tally[]): ScoreSummary {
  const distribution = [...tallies].sort((a, b) => a.scale - b.scale || a.score - b.score);
  const sum = (value: (tally: Tally) => number): number =>
    distribution.reduce((total, tally) => total + value(tally) * tally.count, 0);
  const answered = sum(() => 1);
  if (answered === 0) return { answered, scale: null, average: null, satisfied: null, distribution };
  const scale = distribution.every((tally) => tally.scale === distribution[0]!.scale)
    ? distribution[0]!.scale
    : COMMON_SCALE;
  return {
    answered,
    scale,
    average: sum((tally) => onScale(tally, scale)) / answered,
    satisfied: wilson(
      sum((tally) => Number(isSatisfied(tally))),
      answered,
    ),
    distribution,
  };
}

/** The score that is equally far up on the other scale. */
const onScale = ({ score, scale }: Tally, other: number): number =>
  scale === other ? score : 1 + ((score - 1) * (other - 1)) / (scale - 1);
