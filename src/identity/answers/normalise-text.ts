/** What Unicode does not take apart into a letter and its accent, in lower case. */
const LETTERS: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ς: "σ" };
const TRANSCRIBED: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

/** Lower case, without accents and apostrophes, single spaces: what is left has its words, punctuation and signs. */
export function fold(text: string): string {
  // Upper case first: letters that differ in lower case alone become one.
  return (
    text
      .normalize("NFKD")
      .toUpperCase()
      .toLowerCase()
      .normalize("NFKD")
      // Accents of Latin, Greek and Cyrillic alone: in other scripts a mark is a vowel, and makes another word.
      .replace(/[\u0300-\u036f]/g, "")
      .replace(/[ßæœøłđðþς]/g, (letter) => LETTERS[letter]!)
      .normalize("NFC")
      .replace(/['’‘ʼ`]/g, "")
      .replace(/\s+/g, " ")
      .trim()
  );
}

/** The accented letters that are also written as two, so written. */
export const transcribe = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[äöüøå]/g, (letter) => TRANSCRIBED[letter]!);

/** Letters and digits alone. */
export const compact = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, "").normalize("NFC");
