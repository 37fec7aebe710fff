import { likenessOf } from "./similarity.js";

const SAME = 0.5;

/** Figures in digits, and numbers that are often written in words. */
const FIGURES =
  /\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze)\b/g;
export const DENIAL = /\b(not|no|never|cannot|n't|nicht|kein\w*|nie|pas|jamais)\b|n't\b/i;

/**
 * Answers are not the same if they give different figures or only one of them is negated, however similar they are.
 */
export function sameAnswer(one: string, other: string): boolean {
  const particulars = (text: string): string =>
    JSON.stringify([[...new Set(text.toLowerCase().match(FIGURES))].sort(), DENIAL.test(text)]);
  return particulars(one) === particulars(other) && likenessOf(one, other) >= SAME;
}
