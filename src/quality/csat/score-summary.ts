import { type Share, wilson } from "../../platform/outcomes/wilson.js";

/** How often a score was given. */
export interface Tally {
  score: number;
  scale: number;
  count: number;
}

export interface Figures {
  /** Answers. */
  answered: number;
  /** The scale of the average: the one on which all of the answers were given, or, where there were several, 5; null without an answer. */
  scale: number | null;
  average: number | null;
  /** The share of the satisfied, with its Wilson interval at 95 %; null without an answer. */
  satisfied: Share | null;
  /** By scale, then score; those that were given. */
  distribution: Tally[];
}

/** On which scores of several scales are averaged. */
const COMMON_SCALE = 5;
/** Of the way from the lowest score to the highest. */
const SATISFIED_FROM = 0.75;

export const isSatisfied = ({ score, scale }: Omit<Tally, "count">): boolean =>
  (score - 1) / (scale - 1) >= SATISFIED_FROM;

export function figuresOf(tallies: readonly Tally[]): Figures {
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

/** The score that stands as far up on the other scale. */
const onScale = ({ score, scale }: Tally, other: number): number =>
  scale === other ? score : 1 + ((score - 1) * (other - 1)) / (scale - 1);
