import { sentencesIn } from "../../knowledge/review/sentences.js";

/** ICU goes on if a small letter follows, as after an abbreviation. After a longer word, what follows is a sentence of its own. */
const NEXT = /(?<=\p{L}{5}[.!?]\s)(?=\p{Ll})/u;

/** With the spaces after each. A question mark within an address ends nothing. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.split("\n"))
    for (const [n, segment] of sentencesIn(line)
      .flatMap((one) => one.split(NEXT))
      .entries())
      if (n > 0 && /[.!?][\p{L}\p{N}]$/u.test(sentences.at(-1)!.slice(-1) + segment[0]!))
        sentences.push(sentences.pop()! + segment);
      else sentences.push(segment);
  return sentences;
}
