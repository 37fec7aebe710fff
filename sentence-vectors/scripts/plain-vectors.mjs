// The vectors of a JSON list of texts, without the map: 32-bit floats.
import { text } from "node:stream/consumers";
import { load } from "../src/index.js";

/** Of the part for all languages, which the map is for. */
const DIMENSIONS = 512;
const embed = await load({ mapped: false });
const texts = JSON.parse(await text(process.stdin));
const vectors = new Float32Array(texts.length * DIMENSIONS);
texts.forEach((said, i) => vectors.set(embed(said) ?? [], i * DIMENSIONS));
process.stdout.write(new Uint8Array(vectors.buffer));
