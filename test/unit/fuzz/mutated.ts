import fc from "fast-check";

/** Longer input is left to the bombs, which go to a live server. */
const MAX_LENGTH = 20_000;

interface Edit {
  /** Positions, as shares of the length. */
  at: number;
  to: number;
  how: "cut" | "repeat" | "move" | "flip" | "put" | "splice";
  count: number;
  text: string;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Texts, one character a byte, that come from `seeds` by a few edits. `words` are put in, such as `BEGIN:VEVENT`. */
export const mutated = (seeds: readonly string[], words: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(
        fc.record<Edit>({
          at: share,
          to: share,
          how: fc.constantFrom("cut", "repeat", "move", "flip", "put", "splice"),
          count: fc.integer({ min: 1, max: 2_000 }),
          text: fc.oneof(
            fc.constantFrom(...words),
            fc.constantFrom(...seeds),
            fc.string({ unit: "binary" }).map((text) => Buffer.from(text).toString("latin1")),
          ),
        }),
        { minLength: 1, maxLength: 8 },
      ),
    )
    .map(([seed, edits]) => edits.reduce(edited, seed.slice(0, MAX_LENGTH)));

function edited(all: string, { at, to, how, count, text }: Edit): string {
  const [from, end] = [Math.floor(at * all.length), Math.floor(to * all.length)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  const part = all.slice(from, end);
  const [before, after] = [all.slice(0, from), all.slice(end)];
  const room = Math.max(Math.floor((MAX_LENGTH - all.length) / Math.max(part.length, text.length, 1)), 1);
  const made = {
    cut: () => before + after,
    repeat: () => before + part.slice(0, 200).repeat(Math.min(count, room)) + after,
    move: () => before + after + part,
    flip: () =>
      before +
      String.fromCharCode((part.charCodeAt(0) || 0) ^ (1 << (count % 8))) +
      all.slice(Math.min(from + 1, all.length)),
    put: () => before + text.slice(0, 500).repeat(count % 3 ? 1 : Math.min(count, room)) + all.slice(from),
    splice: () => before + text.slice(Math.floor(to * text.length)),
  }[how]();
  return made.slice(0, MAX_LENGTH);
}
