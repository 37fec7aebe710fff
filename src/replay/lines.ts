import { open } from "node:fs/promises";

/**
 * Reads the lines of a UTF-8 file on demand.
 * @throws the file system's error; immediately if the file cannot be opened
 */
export async function readLines(file: string): Promise<AsyncGenerator<string>> {
  const handle = await open(file);
  return split(handle.createReadStream({ encoding: "utf8" }));
}

/** Not node:readline, because it also breaks at U+2028 and U+2029, which JSON allows inside a string. */
async function* split(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const [first = "", ...others] = chunk.split("\n");
    rest += first;
    for (const next of others) {
      yield rest;
      rest = next;
    }
  }
  if (rest !== "") yield rest;
}
