/** Lowercase letters that Unicode does not decompose into a letter and an accent. */
const LETTERS: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ς: "σ" };
const TRANSCRIBED: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", ø: "oe", å: "aa" };

/** Lowercase, without accents and apostrophes, with single spaces. Words, punctuation and signs remain. */
export function normaliseText(text: string): string {
  // Upper case first, so that letters that differ only in lower case become the same.
  return (
    text
      .normalize("NFKD")
      .toUpperCase()
      .toLowerCase()
      .normalize("NFKD")
      // Only accents of Latin, Greek and Cyrillic. In other scripts a mark is a vowel and makes another word.
      .replace(/[\u0300-\u036f]/g, "")
      .replace(/[ßæœøłđðþς]/g, (letter) => LETTERS[letter]!)
      .normalize("NFC")
      .replace(/['’‘ʼ`]/g, "")
      .replace(/\s+/g, " ")
      .trim()
  );
}

/** Writes accented letters as two letters where that is common: ü as ue. */
export const transcribe = (text: string): string =>
  text
    .normalize("NFC")
    .toLowerCase()
    .replace(/[äöüøå]/g, (letter) => TRANSCRIBED[letter]!);

/** Only the letters and digits. */
export const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}]+/gu, "").normalize("NFC");
