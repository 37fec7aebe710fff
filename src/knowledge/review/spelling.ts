import { wordsOf } from "./similarity.js";

const TOKEN = /[\p{L}\p{N}'’]+/gu;
/** A slip in a shorter word makes another word too easily. In letters. */
const MIN_WORD = 4;
/** From this length on, one letter may also be another. */
const MIN_REPLACED = 6;
const MAX_WORD = 40;
/** What has more of them is no text with slips. */
const MAX_SLIPS = 4;
/** Longer texts are taken as they are. In characters. */
const MAX_TEXT = 300;

/**
 * The text with its slips put right: words that none of the others has, one letter away from a word that one of them has, and from no
 * other. Undefined if there are none.
 * @param others the questions that were found for it
 */
export function respelt(said: string, others: readonly string[]): string | undefined {
  if (said.length > MAX_TEXT) return undefined;
  const known = new Map<string, string>();
  for (const other of others)
    for (const [token] of other.matchAll(TOKEN)) {
      const word = plain(token);
      if (!known.has(word)) known.set(word, token.toLowerCase());
    }
  let slips = 0;
  const right = said.replaceAll(TOKEN, (token) => {
    const word = plain(token);
    if (word.length < MIN_WORD || word.length > MAX_WORD || known.has(word) || /\d/.test(word)) return token;
    const meant = [...known.keys()].filter((other) => isSlip(word, other));
    if (meant.length !== 1) return token;
    slips++;
    return known.get(meant[0]!)!;
  });
  return slips > 0 && slips <= MAX_SLIPS ? right : undefined;
}

const plain = (token: string): string => wordsOf(token).join("");

/** Two letters in the wrong order, one too many, one missing, or in a long word another one. Never the first, and never only an ending. */
function isSlip(word: string, meant: string): boolean {
  if (meant.length < MIN_WORD || Math.abs(word.length - meant.length) > 1 || word[0] !== meant[0]) return false;
  if (word.startsWith(meant) || meant.startsWith(word)) return false;
  let at = 0;
  while (word[at] === meant[at]) at++;
  const [rest, other] = [word.slice(at), meant.slice(at)];
  if (rest.length < other.length) return rest === other.slice(1);
  if (rest.length > other.length) return rest.slice(1) === other;
  if (rest[0] === other[1] && rest[1] === other[0] && rest.slice(2) === other.slice(2)) return true;
  // Another letter at the end is another form of the word.
  return word.length >= MIN_REPLACED && rest.length > 2 && rest.slice(1) === other.slice(1);
}
