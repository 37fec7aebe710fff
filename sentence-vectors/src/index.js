import fs from "node:fs";
import path from "node:path";
import { DIMENSIONS as ENGLISH, loadEnglish } from "./english.js";
import { piecesFrom } from "./pieces.js";

const DATA = path.join(import.meta.dirname, "../data");

/** What makes the vectors. Those of another model cannot be compared with them. */
export const MODEL = "use-multilingual-3/seven-languages/2+all-MiniLM-L6-v2/english/1";
/** What a text means in any of the languages. */
const ANY = 512;
export const DIMENSIONS = ANY + ENGLISH;
/** How much of a cosine the English part is. */
const SHARE = 0.6;
/** What follows in a longer text is left out. */
export const MAX_PIECES = 128;
/** Of a text in letters that the model does not know here, only punctuation and foreign words would count. */
const MOST_UNKNOWN = 0.5;
const [START, END] = [1, 2];

/**
 * Reads both models, which takes some 250 ms and 115 MB. @returns a function that turns a text into a vector of length 1
 * @param mapped without it, vectors have the first model's part alone, as it came
 */
export async function load({ mapped = true } = {}) {
  const english = mapped ? await loadEnglish() : undefined;
  const [model, pieces, code] = await Promise.all(
    ["model.bin", "pieces.txt", "encoder.wasm"].map((name) => fs.promises.readFile(path.join(DATA, name))),
  );
  const map = mapped ? await readMap() : (vector) => vector;
  const header = 16;
  const [count, floats, weights, rows] = new Uint32Array(model.buffer, model.byteOffset, 4);
  const spelt = piecesFrom(
    pieces.toString().replace(/\n$/, "").split("\n"),
    // A copy, so that the file's bytes can go.
    new Float32Array(model.buffer, model.byteOffset + header, count).slice(),
  );
  const { instance } = await WebAssembly.instantiate(code);
  const { memory, room, prepare, encode } = instance.exports;
  const parts = model.subarray(header + 4 * count);
  const at = room(parts.length + 16 + 4 * MAX_PIECES);
  if (!at) throw new Error("no memory for the model of sentences");
  new Uint8Array(memory.buffer).set(parts, at);
  prepare(at, at + floats, at + floats + weights, at + floats + weights + rows);
  const ids = (at + parts.length + 15) & ~15;

  /** @returns a vector of length 1, or null for a text without words that the model knows */
  return function embed(text) {
    const { found, unknown } = spelt(text, MAX_PIECES - 2);
    if (unknown >= found.length * MOST_UNKNOWN) return null;
    new Int32Array(memory.buffer, ids, found.length + 2).set([START, ...found, END]);
    const vector = map(new Float32Array(memory.buffer, encode(ids, found.length + 2), ANY).slice());
    return english ? beside(vector, english(text)) : vector;
  };
}

/** One vector of length 1, whose cosines are the weighted means of those of both. */
function beside(any, english) {
  const result = new Float32Array(DIMENSIONS);
  const share = english ? english.share * SHARE : 0;
  const [ofAny, ofEnglish] = [Math.sqrt(1 - share), Math.sqrt(share)];
  for (let i = 0; i < ANY; i++) result[i] = any[i] * ofAny;
  if (english) for (let i = 0; i < ENGLISH; i++) result[ANY + i] = english.vector[i] * ofEnglish;
  return result;
}

/** Brings the vectors of texts closer that ask for the same. `scripts/map.py` learnt it. */
async function readMap() {
  const file = await fs.promises.readFile(path.join(DATA, "map.bin"));
  const scales = new Float32Array(ANY);
  for (let i = 0; i < ANY; i++) scales[i] = file.readFloatLE(4 * i);
  const rows = Int8Array.from(file.subarray(4 * ANY), (byte) => (byte << 24) >> 24);
  return (vector) => {
    const result = new Float32Array(ANY);
    let square = 0;
    for (let i = 0, from = 0; i < ANY; i++, from += ANY) {
      let sum = 0;
      for (let k = 0; k < ANY; k++) sum += vector[k] * rows[from + k];
      result[i] = vector[i] + sum * scales[i];
      square += result[i] * result[i];
    }
    const by = 1 / Math.sqrt(square);
    for (let i = 0; i < ANY; i++) result[i] *= by;
    return result;
  };
}
