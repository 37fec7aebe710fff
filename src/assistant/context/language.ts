import { languagesOfGreeting } from "./acts.js";
import { HANDED_OVER, TEXTS } from "./texts.js";

/** Longer texts are read so far. In characters. */
const MAX_TEXT = 1_000;
const CODE = /```[^`]{0,5000}```|`[^`\n]{0,500}`/g;
/** What no word of a language has: the signs of code and addresses, digits, capitals inside. */
const NO_WORD = /[\\/_{}()[\];=<>@#$%^*+|~\d]|\p{Ll}\p{Lu}/u;
const LETTERS = /\p{L}/gu;
/** Fewer letters are in any language: "ok", "PayPal". */
const MIN_LETTERS = 4;

/** A shorter text is hardly told from one in a language with similar words. In letters. */
const SURE_LETTERS = 25;
/** Then one of these is likelier, if it comes so close to the best. */
const CLOSE = 0.15;
const isSpoken = (language: string): boolean => Object.hasOwn(TEXTS, language) || Object.hasOwn(HANDED_OVER, language);

/** The n-grams take some 60 MB, so they are loaded with the first text. */
let loading: Promise<typeof import("eld/extrasmall")> | undefined;

/** The language of a text, ISO 639-1: any of some 60. Undefined where too little is written, or where it could be several. */
export async function languageOf(text: string): Promise<string | undefined> {
  const words = text
    .slice(0, MAX_TEXT)
    .replace(CODE, " ")
    .split(/\s/u)
    .filter((word) => !NO_WORD.test(word))
    .join(" ");
  const greeted = languagesOfGreeting(words);
  if (greeted.length) return greeted.length === 1 ? greeted[0] : undefined;
  const letters = words.match(LETTERS)?.length ?? 0;
  if (letters < MIN_LETTERS) return undefined;
  const { eld } = await (loading ??= import("eld/extrasmall"));
  const found = eld.detect(words);
  if (!found.isReliable()) return undefined;
  if (letters >= SURE_LETTERS || isSpoken(found.language)) return found.language;
  const scores = Object.entries(found.getScores());
  const best = Math.max(...scores.map(([, score]) => score));
  const [likelier] = scores
    .filter(([language, score]) => isSpoken(language) && score >= best - CLOSE)
    .sort(([, one], [, other]) => other - one);
  return likelier ? likelier[0] : found.language;
}
