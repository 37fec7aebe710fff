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

const countries = new Map<string, ReadonlySet<string>>();
/** The countries of one word, as the language calls them. @param language ISO 639-1 */
function countriesIn(language: string): ReadonlySet<string> {
  let known = countries.get(language);
  if (!known) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    const letters = Array.from({ length: 26 }, (_, n) => String.fromCodePoint(65 + n));
    const all = letters.flatMap((first) => letters.map((second) => names.of(first + second)));
    known = new Set(all.flatMap((name) => (name && !/\s/u.test(name) ? [folded(name)] : [])));
    countries.set(language, known);
  }
  return known;
}

/**
 * The names that an answer has: of countries, and of what is written like a name. Nouns of German have a capital as well, so there
 * only the first two count.
 * @param language of the text, ISO 639-1
 */
export function namesIn(text: string, language: string): Set<string> {
  const names = new Set<string>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const isName =
      HAS_INNER_CAPITAL.test(word) ||
      countriesIn(language).has(folded(word)) ||
      (language !== "de" &&
        IS_CAPITALISED.test(word) &&
        BEFORE_NAME.test(text.slice(Math.max(0, index - BEFORE), index)));
    if (isName && word.length >= MIN_NAME) names.add(folded(word));
  }
  return names;
}

/** Its words, to be looked for among names. */
export const foldedWordsOf = (text: string): string[] => [...text.matchAll(WORD)].map(([word]) => folded(word));
