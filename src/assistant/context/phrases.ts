import { wordsOf } from "../../knowledge/review/similarity.js";
import type { Option } from "./context.queries.js";

/** Words that are in nearly every sentence of a language and in few of the others. */
const COMMON = {
  en: "the is are my your you do does how what where when can i it of to and with not have",
  de: "der die das ist sind mein meine ihr ihre sie wie was wo wann kann ich es und mit nicht habe ein eine",
  fr: "le les est sont mon ma votre vous comment quoi où quand puis je il et avec pas ne une des du",
  es: "el los es son mi su usted cómo como qué dónde cuándo puedo yo y con no una del por",
  it: "il gli è sono mio mia suo come cosa dove quando posso io e con non una del per che",
  nl: "het een is zijn mijn uw u hoe wat waar wanneer kan ik en met niet heb van",
  pt: "os é são meu minha seu você como onde quando posso eu e com não uma do da por que",
} as const;
/** A language that the assistant can tell, and speaks: ISO 639-1. */
export type Language = keyof typeof COMMON;
const WORDS_OF = Object.entries(COMMON).map(
  ([language, words]) => [language as Language, new Set(words.split(" "))] as const,
);

/** The language of a text, ISO 639-1, as far as common words tell. Undefined where they do not. */
export function languageOf(text: string): Language | undefined {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = WORDS_OF.map(([language, common]) => ({
    language,
    count: words.filter((word) => common.has(word)).length,
  })).sort((a, b) => b.count - a.count);
  return counts[0]!.count >= 2 && counts[0]!.count > counts[1]!.count ? counts[0]!.language : undefined;
}

const FIRST = /^(?:the )?(?:1|1st|first|former|a|erste[rns]?|ersteres|premier|première|primero|primo|eerste)(?: one)?$/;
const SECOND = /^(?:the )?(?:2|2nd|second|latter|b|zweite[rns]?|letzteres|deuxième|segundo|secondo|tweede)(?: one)?$/;

/** Which of the entries that the contact was asked about they mean. Undefined if that is not clear. */
export function chosenOf([first, second]: readonly Option[], text: string): Option | undefined {
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
