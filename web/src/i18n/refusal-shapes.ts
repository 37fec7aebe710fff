import type { Refusals } from "./refusals.js";

/** How the server puts what it refuses, in English. */
const SHAPES = {
  empty: /^must be longer than or equal to 1 characters$/,
  tooShort: /^must be longer than or equal to (\d+) characters$/,
  wrongLength: /^must be longer than or equal to (\d+) and shorter than or equal to (\d+) characters$/,
  tooLong: /^must be shorter than or equal to (\d+) characters$/,
  tooSmall: /^must not be less than (\S+)$/,
  tooLarge: /^must not be greater than (\S+)$/,
  notWhole: /^must be an integer number$/,
  notNumber: /^must be a number conforming to the specified constraints$/,
  notOneOf: /^must be one of the following values: (.*)$/,
  tooMany: /^must contain no more than (\d+) elements$/,
  tooFew: /^must contain at least (\d+) elements$/,
  doubled: /^elements must be unique$/,
  missing: /^(?:should not be empty|must be a string|is missing|is required)$/,
  notEmail: /^must be an email$/,
  notUrl: /^must be a URL address$/,
  notDomain: /^must be a valid domain name$/,
  notTimeZone: /^must be a valid IANA time-zone$/,
  notDate: /^must be a valid (?:date|ISO 8601 date string)$/,
  notDay: /^must be a day, such as (\S+)$/,
  notTimeOfDay: /^must be a time of day, such as (\S+)$/,
  notPhone: /^must be a(?: whole)? phone number with (?:its )?country code, such as (\S+)$/,
  notOneLine: /^must be one line$/,
  past: /^must be in the future$/,
  notSixDigits: /^must have (?:6|six) digits$/,
  notAscii: /^must be visible ASCII characters$/,
  notName: /^must be letters, digits, - and _, at most (\d+) characters$/,
  notKey: /^must be 1 to (\d+) lowercase letters, digits(?:, _ and -| and _)$/,
  commonPassword: /^is on a list of breached and common passwords: .*$/,
  ownPassword: /^is made of your name, your email or your company: .*$/,
  tooManyRequests: /^Too many requests: at most \d+ a minute\. Try again in (\d+) seconds$/,
  approved: /^The action is (?:approved|executed) already$/,
  rejected: /^The action is rejected already$/,
  expired: /^The action is expired already$/,
  failed: /^The action is failed already$/,
  tooManyLabels: /^A conversation has at most (\d+) labels$/,
  unknownVariable: /^(\{\{.*\}\}) is not a variable\. Use one of (.*)$/,
  openVariable: /^has \{\{ or \}\} without its counterpart\. .*$/,
  tooManyVariables: /^has more than (\d+) variables$/,
  alwaysApplies: /^(.*): It always applies$/,
};

/** What each means in another language. `$1` is what the first parentheses match. */
export type ShapeWords = Record<keyof typeof SHAPES, string>;

export const shapesIn = (words: ShapeWords): Refusals["shapes"] =>
  Object.entries(SHAPES).map(([name, shape]) => [shape, words[name as keyof ShapeWords]]);
