/** What is shorter is a word of many meanings. In letters. */
const MIN_NAME = 4;
const WORD = /[\p{L}\p{N}]+(?:['’&-][\p{L}\p{N}]+)*/gu;
/** "PayPal", "iDEAL". */
const HAS_INNER_CAPITAL = /\p{Ll}\p{Lu}/u;
const IS_CAPITALISED = /^\p{Lu}\p{Ll}+$/u;
/** What stands before the next of several, or before what something is done with. "Press Cancel" names a button. */
const BEFORE_NAME =
  /(?:,|\b(?:and|or|with|by|via|et|ou|avec|par|y|o|con|e|ed|od|met|en|of|com|per|pour|para|for|to|in))\s+$/iu;

/** So much of the text is looked at for that. In UTF-16 units. */
const BEFORE = 12;

/** As both are compared: without capitals and accents. */
const folded = (word: string): string => word.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

interface Countries {
  /** Those of one word. */
  words: ReadonlySet<string>;
  /** A country of several words, or a union of countries. */
  phrases: RegExp;
}
const countries = new Map<string, Countries>();
/** As they are called for short, in any language, and with capitals alone: "us" is a word. */
const SHORT = /(?<!\p{L})(?:UK|U\.K\.|USA?|U\.S\.|EU|UE|UAE|EEA)(?!\p{L})/u;
/** The countries, as the language calls them. @param language ISO 639-1 */
function countriesIn(language: string): Countries {
  let known = countries.get(language);
  if (!known) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    const letters = Array.from({ length: 26 }, (_, n) => String.fromCodePoint(65 + n));
    const all = letters.flatMap((first) => letters.map((second) => names.of(first + second) ?? ""));
    const [words, phrases] = [new Set<string>(), [] as string[]];
    for (const name of all.filter(Boolean).map(folded))
      if (/\s/u.test(name)) phrases.push(name.replaceAll(/[^\p{L}\s]/gu, "."));
      else words.add(name);
    known = { words, phrases: new RegExp(`(?<!\\p{L})(?:${phrases.join("|")})(?!\\p{L})`, "u") };
    countries.set(language, known);
  }
  return known;
}

/** Whether a text names a country. @param language of the text, ISO 639-1 */
export const hasPlace = (text: string, language: string): boolean =>
  SHORT.test(text) ||
  foldedWordsOf(text).some((word) => countriesIn(language).words.has(word)) ||
  countriesIn(language).phrases.test(folded(text));

/** What people make of the beginnings of a name's two words: "Amex" of "American Express". */
const blendsOf = (one: string, other: string): string[] =>
  BLENDED.flatMap((first) => BLENDED.map((second) => folded(one.slice(0, first) + other.slice(0, second))));
const BLENDED = [2, 3];

/**
 * The names that an answer has: of countries, and of what is written like a name. Nouns of German have a capital as well, so there
 * only the first two count.
 * @param language of the text, ISO 639-1
 */
export function namesIn(text: string, language: string): Set<string> {
  const names = new Set<string>();
  let before: { word: string; end: number } | undefined;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (before && index === before.end + 1 && IS_CAPITALISED.test(word))
      for (const short of blendsOf(before.word, word)) names.add(short);
    before = undefined;
    const isName =
      HAS_INNER_CAPITAL.test(word) ||
      countriesIn(language).words.has(folded(word)) ||
      (language !== "de" &&
        IS_CAPITALISED.test(word) &&
        BEFORE_NAME.test(text.slice(Math.max(0, index - BEFORE), index)));
    if (!isName || word.length < MIN_NAME) continue;
    names.add(folded(word));
    before = { word, end: index + word.length };
  }
  return names;
}

/** Its words, to be looked for among names. */
export const foldedWordsOf = (text: string): string[] => [...text.matchAll(WORD)].map(([word]) => folded(word));
