import { hash, timingSafeEqual } from "node:crypto";
import { toE164 } from "../../contacts/phone.js";
import { withoutCourtesy } from "./courtesy-words.js";
import { isShort, readDate, shortened } from "./read-date.js";
import { compact, fold, transcribe } from "./normalise-text.js";

/** What is longer is no answer to a question. */
const MOST_CHARACTERS = 500;
/** As people read out a number in English. */
const SPELT: Record<string, string> = {
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

/** The one form of all the ways to write an answer: of its letters and digits, and of its date if it is one. */
interface Reading {
  text: string;
  date: string | null;
}

/**
 * Whether an answer to a verification question is what is on file. Case, accents, spacing and punctuation do not count, nor
 * do courtesy words around the answer; dates are compared as dates, phone numbers in E.164.
 *
 * What is left after the courtesy words must be the fact and nothing else. An answer that merely contains the fact is
 * wrong, however sure a person would be of it: otherwise `1596 or 9431`, or a list of a hundred PINs, were one answer, and
 * the cap on wrong answers would cap nothing. Who tells two facts in one sentence is asked again.
 *
 * Never throws. The comparison takes as long whether the two are alike or not.
 * @param language of the workspace, ISO 639-1: its courtesy words, its names of months, and in English the month before the day
 */
export function sameAnswer(expected: string, given: string, language: string): boolean {
  if (expected.length > MOST_CHARACTERS || given.length > MOST_CHARACTERS) return false;
  const plain = alike(read(expected, language), read(given, language));
  // Some accented letters are written as two where there are no accents, and either is right: Müller, Muller, Mueller.
  const transcribed = alike(read(transcribe(expected), language), read(transcribe(given), language));
  return plain || transcribed;
}

/** The normalised form. Of its own result it makes the same again. */
export function normalise(answer: string, language: string): string {
  const { text, date } = read(answer, language);
  return date ?? text;
}

function read(answer: string, language: string): Reading {
  const fact = withoutCourtesy(fold(answer), language);
  // Without its + a number may be of any country, and is taken as it stands.
  const phone = fact.startsWith("+") ? toE164(fact) : null;
  return { text: digits(compact(phone ?? digits(fact, language)), language), date: readDate(fact, language) };
}

/** A text that is nothing but digits and their names becomes digits; any other stays. */
function digits(text: string, language: string): string {
  if (language !== "en") return text;
  const words = text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => (Object.hasOwn(SPELT, word) ? SPELT[word]! : word));
  return words.every((word) => /^\d+$/.test(word)) ? words.join("") : text;
}

function alike(one: Reading, other: Reading): boolean {
  // Two dates of the same digits may be two days: 1/11/1985, 11/1/1985. Against a text the digits decide: 20-10-56, 201056.
  if (!one.date || !other.date) return equal(one.text, other.text) && one.text !== "";
  const short = isShort(one.date) || isShort(other.date);
  return short ? equal(shortened(one.date), shortened(other.date)) : equal(one.date, other.date);
}

const equal = (one: string, other: string): boolean =>
  timingSafeEqual(hash("sha256", one, "buffer"), hash("sha256", other, "buffer"));
