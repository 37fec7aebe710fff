import { Sentences } from "./phrases.js";

interface Starting {
  procedureId: string;
  startsWith: { phrases: readonly string[] };
}

/** The procedure that a message asks for: that with the longest phrase in it, of two the first in the message. */
export function startIn<One extends Starting>(starts: readonly One[], text: string): One | undefined {
  const sentences = new Sentences(text);
  const found = starts.flatMap((start) =>
    start.startsWith.phrases.flatMap((phrase) => {
      const said = sentences.find(phrase);
      return said ? [{ start, ...said }] : [];
    }),
  );
  return found.sort((a, b) => b.words - a.words || a.at - b.at)[0]?.start;
}
