import { wordsOf } from "../../knowledge/review/similarity.js";
import { reactionOf } from "./acts.js";
import type { Option } from "./context.queries.js";

const FIRST = /^(?:the )?(?:1|1st|first|former|a|erste[rns]?|ersteres|premier|première|primero|primo|eerste)(?: one)?$/;
const SECOND = /^(?:the )?(?:2|2nd|second|latter|b|zweite[rns]?|letzteres|deuxième|segundo|secondo|tweede)(?: one)?$/;

/**
 * Which of the entries that the contact was asked about they mean. None of them: an empty list. Undefined if that is not clear.
 * @param options one entry ("Do you mean …?") or two
 */
export function chosenOf(options: readonly Option[], text: string): readonly Option[] | undefined {
  const reaction = reactionOf(text);
  if (reaction === "no") return [];
  if (reaction === "both") return options;
  if (options.length === 1) return reaction === "yes" ? options : undefined;
  const chosen = oneOf(options, text);
  return chosen && [chosen];
}

function oneOf([first, second]: readonly Option[], text: string): Option | undefined {
  if (!first || !second) return undefined;
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const said = words.filter((word) => !["please", "bitte", "das", "die", "der"].includes(word)).join(" ");
  if (FIRST.test(said)) return first;
  if (SECOND.test(said)) return second;
  const [ofFirst, ofSecond] = [new Set(wordsOf(first.question)), new Set(wordsOf(second.question))];
  const spoken = wordsOf(text);
  const onlyFirst = spoken.filter((word) => ofFirst.has(word) && !ofSecond.has(word)).length;
  const onlySecond = spoken.filter((word) => ofSecond.has(word) && !ofFirst.has(word)).length;
  if (onlyFirst > 0 && onlySecond === 0) return first;
  return onlySecond > 0 && onlyFirst === 0 ? second : undefined;
}
