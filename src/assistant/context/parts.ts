import { wordsOf } from "../../knowledge/review/similarity.js";
import { asksWhatItIs, isGreeting } from "./acts.js";
import { isCourtesy } from "./courtesy.js";
import { hasWords } from "./question.js";

/** With what a question begins, in the seven languages, as `wordsOf` writes it. */
const ASKING = `how what where when why who which whose can could do does did is are will would should may have has
  wie was wo wann warum wieso weshalb wer wem wen welche welcher welches welchen wohin woher wieviel kann konnen konnt darf gibt ist sind nehmt nehmen akzeptiert akzeptieren liefert liefern bietet bieten verkauft verkaufen versendet versenden habt haben hat muss wird werden
  comment quoi ou quand pourquoi qui quel quelle quels quelles combien peut pouvez puis puisje est avez acceptez prenez livrez vendez faut yatil
  como que donde cuando quien cual cuales cuanto cuanta cuantos puedo puede pueden hay tienen tiene aceptan envian venden es son
  come cosa dove quando perche chi quale quali quanto quanta posso puo potete ce ci avete accettate spedite vendete
  hoe wat waar wanneer waarom welke hoeveel kan kunnen mag heeft hebben accepteren leveren bezorgen verkopen zijn
  onde quem qual quais quanto quanta pode podem ha tem aceitam enviam vendem posso`;
const FIRST_WORDS = new Set(ASKING.split(/\s+/));

/** Whether something is asked: by its mark, or by its first word. */
export const isQuestion = (text: string): boolean =>
  /[?？؟]/u.test(text) || FIRST_WORDS.has(wordsOf(text.slice(0, 100))[0] ?? "");

const GOES_ON = new Set("and und et y e ed en also".split(" "));
/** What is longer says what it is about by itself. In words. */
const MAX_GOING_ON = 6;
/** "And to Austria?" asks on about what was answered. */
export function goesOn(text: string): boolean {
  const words = wordsOf(text.slice(0, 200));
  return words.length > 1 && words.length <= MAX_GOING_ON && GOES_ON.has(words[0]!);
}

/** With and without accents: "cuanto" and "cuánto". */
const ACCENTS = { a: "aàáâãä", c: "cç", e: "eèéêë", i: "iìíîï", o: "oòóôõö", u: "uùúûü" };
const accented = (word: string): string =>
  word.replace(/[aceiou]/g, (letter) => `[${ACCENTS[letter as keyof typeof ACCENTS]}]`);

/** Two questions in one sentence: "Do you take PayPal and how much is shipping?" */
const AND = new RegExp(
  String.raw`,?\s+(?:and|und|et|y|e|en)\s+(?:also |auch |aussi |también |anche |ook |também )?(?=¿?(?:${[...FIRST_WORDS].map(accented).join("|")})\s)`,
  "iu",
);
const SENTENCE = /(?<=[.!?？؟…])\s+/u;
/** The search takes so many parts of one message. */
const MAX_PARTS = 4;
/** What is longer is taken as a whole. In parts. */
const MAX_SPLIT = 40;

interface Parts {
  /** All that asks or tells something, without greetings and thanks. */
  whole: string;
  /** To search one by one. Empty if it is one part. */
  searched: string[];
  rest: string[];
}

/** A message line by line and sentence by sentence. A burst of messages is one text, a line each. */
export function partsOf(text: string): Parts {
  const all = text
    .split(/\n+/)
    .flatMap((line) => line.split(SENTENCE))
    .flatMap((sentence) => sentence.split(AND))
    .map((part) => part.trim())
    .filter(hasWords);
  const said = all.filter((part) => !isGreeting(part) && !isCourtesy(part) && !asksWhatItIs(part));
  if (!said.length || said.length > MAX_SPLIT) return { whole: text, searched: [], rest: [] };
  const whole = said.length === all.length ? text : said.join("\n");
  if (said.length === 1) return { whole, searched: [], rest: [] };
  const first = said.filter(isQuestion).slice(0, MAX_PARTS);
  const searched = [...first, ...said.filter((part) => !first.includes(part))].slice(0, MAX_PARTS);
  return { whole, searched, rest: said.filter((part) => !searched.includes(part)) };
}
