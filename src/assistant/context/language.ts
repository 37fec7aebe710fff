import { languageOfGreeting } from "./acts.js";

/** Longer texts are read so far. In characters. */
const MAX_TEXT = 1_000;
/** What is in no language: code between backticks, addresses, and words with signs or capitals inside. */
const NO_LANGUAGE =
  /```[^`]{0,5000}```|`[^`\n]{0,500}`|https?:\/\/\S+|\S*[\\/_{}()[\];=<>@#$%^*+|~]\S*|\S*\d\S*|\S*\p{Ll}\p{Lu}\S*/gu;
const LETTERS = /\p{L}/gu;
/** Fewer letters are in any language: "ok", "PayPal". */
const MIN_LETTERS = 4;

/** The n-grams take some 60 MB, so they are loaded with the first text. */
let loading: Promise<typeof import("eld/extrasmall")> | undefined;

/** The language of a text, ISO 639-1: any of some 60. Undefined where too little is written, or where it could be several. */
export async function languageOf(text: string): Promise<string | undefined> {
  const words = text.slice(0, MAX_TEXT).replace(NO_LANGUAGE, " ");
  const greeted = languageOfGreeting(words);
  if (greeted) return greeted;
  if ((words.match(LETTERS)?.length ?? 0) < MIN_LETTERS) return undefined;
  const { eld } = await (loading ??= import("eld/extrasmall"));
  const found = eld.detect(words);
  return found.isReliable() ? found.language : undefined;
}
