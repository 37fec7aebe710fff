import { hash, timingSafeEqual } from "node:crypto";
import { toE164 } from "../../contacts/phone.js";
import { withoutCourtesy } from "./courtesy-words.js";
import { isShort, readDate, shortened } from "./read-date.js";
import { lettersAndDigits, normaliseText, transcribe } from "./normalise-text.js";

/** Longer texts are never right. */
const MAX_LENGTH = 500;
/** Digits as people read them out in English. */
const SPELT_DIGITS: Record<string, string> = {
  zero: "0",
  oh: "0",
  one: "1",
  two: "2",
  three: "3",
  four: "4",
  five: "5",
  six: "6",
  seven: "7",
  eight: "8",
  nine: "9",
};

/** An answer in normal form: its letters and digits, and its date if it is one. */
interface NormalForm {
  text: string;
  date: string | null;
}

/**
 * Whether an answer to a verification question matches what is on file. Case, accents, spacing, punctuation and courtesy
 * words around the answer do not matter. Dates are compared as dates, phone numbers in E.164.
 *
 * What remains must be the fact and nothing else. An answer that merely contains the fact is wrong. Otherwise `1596 or
 * 9431`, or a list of a hundred PINs, would be one answer, and the cap on wrong answers would not limit guessing.
 *
 * Never throws. Takes the same time whether the two match or not.
 * @param language of the workspace, ISO 639-1. It decides about courtesy words, month names, and in English the month first.
 */
export function sameAnswer(expected: string, given: string, language: string): boolean {
  if (expected.length > MAX_LENGTH || given.length > MAX_LENGTH) return false;
  const plain = matches(normalForm(expected, language), normalForm(given, language));
  // Some accented letters can also be written as two, and either is right: Müller, Muller, Mueller.
  const transcribed = matches(normalForm(transcribe(expected), language), normalForm(transcribe(given), language));
  return plain || transcribed;
}

/** The normal form of an answer. Normalising it again changes nothing. */
export function normalise(answer: string, language: string): string {
  const { text, date } = normalForm(answer, language);
  return date ?? text;
}

function normalForm(answer: string, language: string): NormalForm {
  const fact = withoutCourtesy(normaliseText(answer), language);
  // Without a + the number may be of any country, so it is compared as it is.
  const phone = fact.startsWith("+") ? toE164(fact) : null;
  return { text: digits(lettersAndDigits(phone ?? digits(fact, language)), language), date: readDate(fact, language) };
}

/** Turns a text of digits and English digit names into digits. Other texts stay as they are. */
function digits(text: string, language: string): string {
  if (language !== "en") return text;
  const words = text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => (Object.hasOwn(SPELT_DIGITS, word) ? SPELT_DIGITS[word]! : word));
  return words.every((word) => /^\d+$/.test(word)) ? words.join("") : text;
}

function matches(one: NormalForm, other: NormalForm): boolean {
  // Two dates with the same digits may be different days: 1/11/1985 and 11/1/1985. If only one is a date, compare digits.
  if (!one.date || !other.date) return equal(one.text, other.text) && one.text !== "";
  const short = isShort(one.date) || isShort(other.date);
  return short ? equal(shortened(one.date), shortened(other.date)) : equal(one.date, other.date);
}

const equal = (one: string, other: string): boolean =>
  timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
