import { DENIAL, sameAnswer } from "../review/contradiction.js";

/** How a text begins that says yes or no, in seven languages. */
const YES =
  /^[\s¡"“]*(?:yes|yeah|yep|of course|certainly|sure|ja|jawohl|natürlich|klar|selbstverständlich|gern(?:e)?|oui|bien sûr|sí|claro|por supuesto|sì|certo|certamente|jazeker|natuurlijk|sim)(?![\p{L}\p{N}])/iu;
const NO =
  /^[\s¡"“]*(?:no|nope|not|unfortunately not|sorry, no|never|nein|leider (?:nein|nicht)|nicht|nie|non|malheureusement (?:non|pas)|jamais|desgraciadamente no|nunca|purtroppo no|mai|nee|helaas (?:niet|nee)|nooit|não|infelizmente não)(?![\p{L}\p{N}])/iu;
/** What denies in the other languages, too. */
const MORE_DENIAL =
  /(?<![\p{L}\p{N}])(?:not|no|never|cannot|nothing|nobody|none|nein|nicht|kein\p{L}{0,2}|nie|niemals|nichts|non|ne|pas|jamais|rien|aucune?|nunca|nada|tampoco|niente|nessun\p{L}?|nee|niet|geen|nooit|niets|não|nem)(?![\p{L}\p{N}])|n['’]t(?!\p{L})|(?<!\p{L})n['’](?=\p{L})/iu;

/** Says no with nothing behind it. */
const NO_PROBLEM =
  /^\s*(?:no (?:problem|worries)|kein problem|pas de problème|ningún problema|nessun problema|geen probleem|sem problema)/iu;

/** Whether one of the answers says yes, or that something is so, and the other says no. */
export const opposes = (one: string, other: string): boolean => agrees(one) !== agrees(other);

/** Whether two answers to one question say the same. */
export const sayTheSame = (one: string, other: string): boolean => sameAnswer(one, other) && !opposes(one, other);

function agrees(text: string): boolean {
  if (YES.test(text) || NO_PROBLEM.test(text)) return true;
  return !NO.test(text) && !DENIAL.test(text) && !MORE_DENIAL.test(text);
}
