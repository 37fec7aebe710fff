import { rank } from "./ranking.js";

const SAME = 0.5;

/** In digits or, as far as they are often written so, in words. */
const FIGURES =
  /\d+|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze)\b/g;
const DENIAL = /\b(not|no|never|cannot|n't|nicht|kein\w*|nie|pas|jamais)\b|n't\b/i;

/** Answers that give different figures, or of which one denies, are not the same however alike they are. */
export function sameAnswer(one: string, other: string): boolean {
  const particulars = (text: string): string =>
    JSON.stringify([[...new Set(text.toLowerCase().match(FIGURES))].sort(), DENIAL.test(text)]);
  return (
    particulars(one) === particulars(other) &&
    rank(one, [{ id: "other", n: 0, said: other, weight: 0 }])[0]!.likeness >= SAME
  );
}
