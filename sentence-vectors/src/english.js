import fs from "node:fs";
import path from "node:path";

const DATA = path.join(import.meta.dirname, "../data");

/** What makes the second part of a vector: the meaning of an English text. */
export const DIMENSIONS = 384;
/** What follows in a longer text is left out. */
const MAX_PIECES = 64;
/** A text is cut to so many characters before anything else. */
const MAX_CHARACTERS = 640;
/** Of a longer word, nothing is known. */
const LONGEST_WORD = 40;
/** Up to how rare its words are, on average, a text is English, and from when on it is not. Between, it is a little. */
const [ENGLISH, FOREIGN] = [0.7, 0.78];
const [UNKNOWN, START, END] = [0, 1, 2];
const INSIDE = "##";

/** Words, and each mark by itself, in small letters without accents. */
const wordsIn = (text) =>
  text
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
    .normalize("NFD")
    .toLowerCase()
    .replace(/[\p{Mn}\p{Cc}\p{Cf}]/gu, (gone) => (/\s/.test(gone) ? " " : ""))
    .match(/[\p{P}$+<=>^`|~]|[^\p{P}$+<=>^`|~\s]+/gu) ?? [];

/** Spells a text in the longest pieces that it begins with, as BERT does. */
function piecesFrom(pieces) {
  const places = new Map(pieces.map((piece, i) => [piece, i]));
  const longest = pieces.reduce((most, piece) => Math.max(most, piece.length), 0);

  const spelt = (word) => {
    if (word.length > LONGEST_WORD) return [UNKNOWN];
    const found = [];
    for (let at = 0; at < word.length;) {
      let to = Math.min(word.length, at + longest);
      let place;
      for (; to > at && place === undefined; to--) place = places.get((at ? INSIDE : "") + word.slice(at, to));
      if (place === undefined) return [UNKNOWN];
      found.push(place);
      at = to + 1;
    }
    return found;
  };
  /** From 0 to 1: the mean of how rare its words are in English. The vocabulary begins with the most frequent ones. */
  const rareness = (text) => {
    const words =
      text
        .slice(0, MAX_CHARACTERS)
        .toLowerCase()
        .match(/\p{L}+/gu) ?? [];
    const rare = words.map((word) => Math.log((places.get(word) ?? pieces.length) + 1) / Math.log(pieces.length + 1));
    return words.length ? rare.reduce((sum, one) => sum + one, 0) / words.length : 1;
  };
  const spell = (text) => {
    const found = [START];
    for (const word of wordsIn(text)) {
      found.push(...spelt(word));
      if (found.length >= MAX_PIECES) break;
    }
    return [...found.slice(0, MAX_PIECES - 1), END];
  };
  return { spell, rareness };
}

/** @returns a function that turns a text into a vector of length 1 */
export async function loadEnglish() {
  const [model, pieces, code] = await Promise.all(
    ["english.bin", "english.txt", "english.wasm"].map((name) => fs.promises.readFile(path.join(DATA, name))),
  );
  const header = 16;
  const [count, floats, weights] = new Uint32Array(model.buffer, model.byteOffset, 4);
  const { spell, rareness } = piecesFrom(pieces.toString().trimEnd().split("\n"));
  const { instance } = await WebAssembly.instantiate(code);
  const { memory, room, prepare, encode } = instance.exports;
  const parts = model.subarray(header);
  const at = room(parts.length + 16 + 4 * MAX_PIECES);
  if (!at) throw new Error("no memory for the model of English sentences");
  new Uint8Array(memory.buffer).set(parts, at);
  prepare(at, at + floats, at + floats + weights, count);
  const ids = (at + parts.length + 15) & ~15;

  return function embed(text) {
    const share = Math.min(1, Math.max(0, (FOREIGN - rareness(text)) / (FOREIGN - ENGLISH)));
    if (!share) return null;
    const found = spell(text);
    new Int32Array(memory.buffer, ids, found.length).set(found);
    return { share, vector: new Float32Array(memory.buffer, encode(ids, found.length), DIMENSIONS) };
  };
}
