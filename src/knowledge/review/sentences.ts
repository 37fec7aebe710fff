const SEGMENTS = new Intl.Segmenter("en", { granularity: "sentence" });
/** So many characters are segmented at once. Each segment brings a copy of all of them, so the time would be quadratic. */
const WINDOW = 500;

/** The sentences of a text with what stands between them, in linear time: joined they are the text. */
export function sentencesIn(text: string): string[] {
  const sentences: string[] = [];
  for (let at = 0, size = WINDOW; at < text.length;) {
    const window = text.slice(at, at + size);
    const isRest = at + size >= text.length;
    // Only its first sentence is wanted from a larger window, which may have very many.
    const found = size > WINDOW ? firstOf(window) : allOf(window);
    if (found[0] === window && !isRest) {
      size *= 2;
      continue;
    }
    // The last one may go on behind the window.
    if (found.length > 1 && !isRest) found.pop();
    sentences.push(...found);
    for (const sentence of found) at += sentence.length;
    size = WINDOW;
  }
  return sentences;
}
const allOf = (text: string): string[] => [...SEGMENTS.segment(text)].map(({ segment }) => segment);
const firstOf = (text: string): string[] => [SEGMENTS.segment(text).containing(0)!.segment];
