import fs from "node:fs";

const BATCH = 64;
const { EMBEDDINGS_URL, EMBEDDINGS_MODEL, EMBEDDINGS_KEY } = process.env;

/**
 * The vector of each text, of length 1.
 * @param file 32-bit floats in the order of the texts. If it is missing, it is made with the server at EMBEDDINGS_URL.
 * @returns null without a file and a server
 */
export async function embedded(texts, file) {
  if (!file && !EMBEDDINGS_URL) return null;
  let floats;
  if (file && fs.existsSync(file)) {
    const { buffer, byteOffset, length } = fs.readFileSync(file);
    floats = new Float32Array(buffer.slice(byteOffset, byteOffset + length));
  } else {
    for (let from = 0; from < texts.length; from += BATCH) {
      const answer = await fetch(`${EMBEDDINGS_URL}/embeddings`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(EMBEDDINGS_KEY && { authorization: `Bearer ${EMBEDDINGS_KEY}` }),
        },
        body: JSON.stringify({
          model: EMBEDDINGS_MODEL,
          input: texts.slice(from, from + BATCH),
          encoding_format: "float",
        }),
      });
      if (!answer.ok) throw new Error(`the embeddings server answers ${answer.status}`);
      const { data } = await answer.json();
      for (const [place, { index = place, embedding }] of data.entries()) {
        const length = Math.hypot(...embedding);
        floats ??= new Float32Array(texts.length * embedding.length);
        floats.set(
          embedding.map((value) => value / length),
          (from + index) * embedding.length,
        );
      }
    }
    if (file) fs.writeFileSync(file, floats);
  }
  const dimensions = floats.length / texts.length;
  return texts.map((_, i) => floats.subarray(i * dimensions, (i + 1) * dimensions));
}
