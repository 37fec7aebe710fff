// The vectors of a JSON list of texts, without the map: 32-bit floats.
import { text } from "node:stream/consumers";
import { DIMENSIONS, load } from "../src/index.js";

const embed = await load({ mapped: false });
const texts = JSON.parse(await text(process.stdin));
const vectors = new Float32Array(texts.length * DIMENSIONS);
texts.forEach((said, i) => vectors.set(embed(said) ?? [], i * DIMENSIONS));
process.stdout.write(new Uint8Array(vectors.buffer));
