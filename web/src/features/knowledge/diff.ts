export interface Part {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Two texts with more pairs of words than this are shown one after the other. */
const MAX_PAIRS = 2_000_000;
/** A word with the space after it, so that changed words beside each other are one change. */
const WORDS = /\S+\s*|\s+/g;

/** What was added and removed between two texts, by words: the longest common sequence stays. */
export function differences(before: string, after: string): Part[] {
  const old = before.match(WORDS) ?? [];
  const now = after.match(WORDS) ?? [];
  const parts: Part[] = [];
  const put = (kind: Part["kind"], text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text) parts.push({ kind, text });
  };
  if (old.length * now.length > MAX_PAIRS) {
    put("removed", before);
    put("added", after);
    return parts;
  }
  const oldWords = old.map((word) => word.trimEnd());
  const nowWords = now.map((word) => word.trimEnd());
  // common[i][j]: how many words the rests from i and from j have in common, in order.
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        oldWords[i] === nowWords[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  let i = 0;
  let j = 0;
  while (i < old.length && j < now.length) {
    if (oldWords[i] === nowWords[j]) {
      put("same", now[j]!);
      i++;
      j++;
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) put("removed", old[i++]!);
    else put("added", now[j++]!);
  }
  put("removed", old.slice(i).join(""));
  put("added", now.slice(j).join(""));
  return parts;
}
