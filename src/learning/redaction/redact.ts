import { addressesIn } from "./addresses.js";
import { type Names, namesIn } from "./names.js";
import { digitsOf, identifiersIn } from "./numbers.js";
import { GAP, spansOf, withGaps } from "./spans.js";

/** What is known of the people in a conversation and of the workspace. */
export interface Known extends Names {
  /** The contact's own identifiers: email addresses, telephone numbers, ids. Removed as they stand. */
  identifiers: readonly string[];
  /** The workspace's own email addresses and telephone numbers. They stay. */
  ours: readonly string[];
}

/** A text is read to here. In characters. */
export const MAX_TEXT = 10_000;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Prepares what is known, for several texts. */
export function redactor(known: Known): (text: string) => string {
  const ours = new Set(known.ours.map((one) => one.toLowerCase()));
  const ourDigits = new Set(known.ours.map(digitsOf).filter((digits) => digits.length >= 5));
  const verbatim = known.identifiers.map((one) => one.trim()).filter((one) => one.length >= 3 && one.length <= 200);
  const theirs = new Set(verbatim.map(digitsOf).filter((digits) => digits.length >= 3));
  const pattern = verbatim.length
    ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${verbatim.slice(0, 200).map(escaped).join("|")})(?![\\p{L}\\p{N}])`, "giu")
    : undefined;
  return (text) => {
    const read = text.slice(0, MAX_TEXT).replace(/\r\n?/g, "\n");
    const numbers = identifiersIn(read, theirs).filter(({ from, to }) => !isOurs(read.slice(from, to), ourDigits));
    return withGaps(read, [
      ...addressesIn(read, ours),
      ...numbers,
      ...namesIn(read, known),
      ...(pattern ? spansOf(read, pattern) : []),
    ]);
  };
}

/** A number of ours, in whatever form: with the country's code or a zero instead. */
const isOurs = (said: string, ours: ReadonlySet<string>): boolean => {
  const digits = digitsOf(said).replace(/^0+/, "");
  return (
    digits.length >= 5 &&
    [...ours].some((own) => own === digits || (own.endsWith(digits) && own.length - digits.length <= 3))
  );
};

export const hasGap = (text: string): boolean => text.includes(GAP);
