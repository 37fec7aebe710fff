import { languageOfGreeting } from "./acts.js";

/** Longer texts are read so far. In characters. */
const MAX_TEXT = 1_000;
const CODE = /```[^`]{0,5000}```|`[^`\n]{0,500}`/g;
/** What no word of a language has: the signs of code and addresses, digits, capitals inside. */
const NO_WORD = /[\\/_{}()[\];=<>@#$%^*+|~\d]|\p{Ll}\p{Lu}/u;
const LETTERS = /\p{L}/gu;
/** Fewer letters are in any language: "ok", "PayPal". */
const MIN_LETTERS = 4;

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
  const greeted = languageOfGreeting(words);
  if (greeted) return greeted;
  if ((words.match(LETTERS)?.length ?? 0) < MIN_LETTERS) return undefined;
  const { eld } = await (loading ??= import("eld/extrasmall"));
  const found = eld.detect(words);
  return found.isReliable() ? found.language : undefined;
}
