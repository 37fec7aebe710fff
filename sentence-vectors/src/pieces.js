/** A text is cut to so many characters before anything else. 128 pieces have some 500. */
const MAX_CHARACTERS = 640;
/** Longer pieces are not looked for. */
const LONGEST = 16;
const UNKNOWN = 0;
const SPECIAL = 3;
/** How much less likely an unknown letter is than the rarest piece. */
const UNKNOWN_PENALTY = 10;
const SPACE = "▁";

/** As SentencePiece does: compatible forms of letters are one, and a space begins a word. */
function normalised(text) {
  const letters = text
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
    .normalize("NFKC")
    .replace(/[\p{Cc}\p{Cf}]/gu, (gone) => (/\s/.test(gone) ? " " : ""))
    .trim()
    .replace(/\s+/g, SPACE);
  return letters && (SPACE + letters).slice(0, MAX_CHARACTERS);
}

/**
 * The likeliest pieces that spell a text: the path with the highest sum of scores. A word that the model does not know, or
 * one with a typing mistake, is spelt in shorter ones. The time is linear in the text.
 */
export function piecesFrom(pieces, scores) {
  const places = new Map();
  let [longest, lowest] = [0, 0];
  for (let i = SPECIAL; i < pieces.length; i++) {
    places.set(pieces[i], i);
    longest = Math.max(longest, pieces[i].length);
    lowest = Math.min(lowest, scores[i]);
  }
  longest = Math.min(longest, LONGEST);
  const unknownScore = lowest - UNKNOWN_PENALTY;
  const best = new Float64Array(MAX_CHARACTERS + 1);
  const from = new Int32Array(MAX_CHARACTERS + 1);
  const piece = new Int32Array(MAX_CHARACTERS + 1);

  /** @returns the first pieces, at most `most`, and how many of them are unknown */
  return function spelt(text, most) {
    const letters = normalised(text);
    const length = letters.length;
    best.fill(-Infinity, 1, length + 1);
    for (let i = 0; i < length; i++) {
      const before = best[i];
      if (before === -Infinity) continue;
      const next = i + (letters.codePointAt(i) > 0xffff ? 2 : 1);
      for (let to = next; to <= length && to <= i + longest; to++) {
        const place = places.get(letters.slice(i, to));
        if (place === undefined && to !== next) continue;
        const score = before + (place === undefined ? unknownScore : scores[place]);
        if (score <= best[to]) continue;
        best[to] = score;
        from[to] = i;
        piece[to] = place ?? UNKNOWN;
      }
    }
    const found = [];
    let unknown = 0;
    for (let to = length; to > 0; to = from[to]) found.push(piece[to]);
    found.reverse();
    found.length = Math.min(found.length, most);
    for (const one of found) if (one === UNKNOWN) unknown++;
    return { found, unknown };
  };
}
