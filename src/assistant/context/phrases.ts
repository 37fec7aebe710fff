import { plainWordsOf, reactionOf } from "./acts.js";
import { isThanks } from "./courtesy.js";
import type { Option } from "./context.queries.js";

// As `plainWordsOf` writes them. "Secondo me" is no choice: nothing but these and `BESIDE` may be said.
const FIRST = new Set(
  `1 1st first former a erste erster ersten erstes ersteres premier premiere primero primera primo prima eerste primeiro primeira`.split(
    " ",
  ),
);
const SECOND = new Set(
  `2 2nd second latter b zweite zweiter zweiten zweites letzteres deuxieme seconde segundo segunda secondo seconda tweede`.split(
    " ",
  ),
);
/** What stands beside such a word, and chooses nothing. "A" alone is the first. */
const BESIDE = new Set(
  `the one please number option no nr pls das die der den bitte nummer le la svp stp numero el il lo por favor per favore de het graag alstublieft o os um i mean meine ich`.split(
    " ",
  ),
);
/** A shorter word is in any question: "le", "is", "mein". In letters. */
const MIN_WORD = 4;
/** Longer ones as well, in the seven languages. */
const COMMON = new Set(
  `what when where which does have your with this that from about können kann wann welche meine mein ihre eine einen gibt quel quelle quels quelles vous votre avec pour dans puis como cuando donde puedo quanto quando dove posso come welke mijn hoe kunnen jullie voor quais minha meus`
    .split(" ")
    .flatMap((word) => plainWordsOf(word)),
);

/**
 * Which of the entries that the contact was asked about they mean. None of them: an empty list. Undefined if that is not clear.
 * @param options one entry ("Do you mean …?") or two
 */
export function chosenOf(options: readonly Option[], text: string): readonly Option[] | undefined {
  // As the web chat sends it for one who chose.
  const named = options.length > 1 && options.find(({ question }) => question.trim() === text.trim());
  if (named) return [named];
  const reaction = reactionOf(text);
  if (reaction === "no") return [];
  if (reaction === "both") return options;
  // Who thanks for the question takes it for what they meant.
  if (options.length === 1) return reaction === "yes" || isThanks(text) ? options : undefined;
  const chosen = oneOf(options, text);
  return chosen && [chosen];
}

function oneOf([first, second]: readonly Option[], text: string): Option | undefined {
  if (!first || !second) return undefined;
  const all = plainWordsOf(text);
  const said = all.filter((word) => !BESIDE.has(word));
  // "A segunda" is Portuguese for the second.
  const [word, ...more] = said.length > 1 ? said.filter((one) => one !== "a") : said;
  if (word !== undefined && !more.length && FIRST.has(word)) return first;
  if (word !== undefined && !more.length && SECOND.has(word)) return second;
  const [ofFirst, ofSecond] = [new Set(plainWordsOf(first.question)), new Set(plainWordsOf(second.question))];
  const spoken = all.filter((one) => one.length >= MIN_WORD && !COMMON.has(one));
  const onlyFirst = spoken.filter((word) => ofFirst.has(word) && !ofSecond.has(word)).length;
  const onlySecond = spoken.filter((word) => ofSecond.has(word) && !ofFirst.has(word)).length;
  if (onlyFirst > 0 && onlySecond === 0) return first;
  return onlySecond > 0 && onlyFirst === 0 ? second : undefined;
}
