import fs from "node:fs";
import naughty from "big-list-of-naughty-strings/blns.json" with { type: "json" };
import fc from "fast-check";

/** The Big List of Naughty Strings, without the empty one, which is no message. */
export const NAUGHTY: readonly string[] = naughty.filter((text) => text !== "");

/** The distinct texts of dialogues, one a line as `{"turns": [{"text": …}]}`. */
export function textsOfDialogues(file: string | URL): string[] {
  const dialogues = fs
    .readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { turns: { text?: string }[] });
  return [...new Set(dialogues.flatMap(({ turns }) => turns.flatMap(({ text }) => text || [])))];
}

/** What a person types who answers in a sign. */
export const SIGNS = [
  "?",
  "!",
  "👍",
  ":)",
  "…",
  ".",
  "-",
  "❤️",
  "??!",
  "🤷‍♀️",
  "(╯°□°)╯︵ ┻━┻",
  "1",
  "%",
  "_",
  "\\",
  "'",
  '"',
  "''",
];

/** Texts that look empty. */
export const BLANKS = [
  " ",
  "   ",
  "\t",
  "\n",
  "\r\n",
  "\u00a0",
  "\u200b",
  "\u200d",
  "\u2060",
  "\ufeff",
  "\u3000",
  "\u2028",
  "\u00ad",
  "\u180e",
  "\u115f",
  "\u2800",
  "\u200e\u200f",
  " \u200b ",
];

const oneOf = fc.constantFrom;
const range = (from: number, to: number): fc.Arbitrary<string> =>
  fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code));
/** First and last letters of scripts. Those of Thai, Khmer and CJK are written without spaces. */
const SCRIPTS: readonly (readonly [number, number])[] = [
  [0x41, 0x7a],
  [0xc0, 0x17f],
  [0x370, 0x3ff],
  [0x400, 0x4ff],
  [0x531, 0x587],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x710, 0x72f],
  [0x905, 0x939],
  [0x985, 0x9b9],
  [0xb85, 0xbb9],
  [0xe01, 0xe2e],
  [0xe81, 0xeae],
  [0xf40, 0xf6c],
  [0x1000, 0x1021],
  [0x10a0, 0x10ff],
  [0x1200, 0x1248],
  [0x13a0, 0x13f4],
  [0x1780, 0x17a2],
  [0x1820, 0x1877],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xfb1d, 0xfb4f],
  [0xfdf0, 0xfdff],
  [0x10330, 0x1034a],
  [0x12000, 0x12399],
  [0x1d400, 0x1d7ff],
  [0x20000, 0x2a6df],
  [0xe000, 0xf8ff],
];
const letters = oneOf(...SCRIPTS).chain(([from, to]) =>
  fc.array(range(from, to), { minLength: 1, maxLength: 12 }).map((all) => all.join("")),
);
const zalgo = fc
  .tuple(
    range(0x61, 0x7a),
    fc.array(fc.oneof(range(0x300, 0x36f), range(0x1ab0, 0x1ace), range(0x20d0, 0x20f0)), { maxLength: 40 }),
  )
  .map(([letter, marks]) => letter + marks.join(""));
const emoji = fc.oneof(
  oneOf("👨‍👩‍👧‍👦", "👩🏽‍🚀", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇩🇪", "1️⃣", "☝🏿", "🧑‍🤝‍🧑", "⁉️", "❤️‍🔥", "🇩", "🏽", "\u200d", "\ufe0f"),
  range(0x1f300, 0x1faff),
);
const bidi = oneOf(
  "\u202a",
  "\u202b",
  "\u202c",
  "\u202d",
  "\u202e",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
  "\u200e",
  "\u200f",
  "\u061c",
);
const odd = fc.oneof(
  oneOf(
    ...BLANKS,
    "\u0001",
    "\u0007",
    "\u0008",
    "\u000b",
    "\u000c",
    "\u001b[31m",
    "\u007f",
    "\u0085",
    "\u2029",
    "\ufffd",
    "\ufffe",
    "\uffff",
    "\u{10ffff}",
    "\u{e0001}",
    "\r",
  ),
  oneOf(
    "'",
    '"',
    "\\",
    "%",
    "_",
    "§",
    "…",
    ":*",
    "&",
    "|",
    "!",
    "<b>",
    "{{x}}",
    "${x}",
    "$1",
    "--",
    "/*",
    ">",
    "From ",
    ".",
    "\n.\n",
    "=20",
    "&amp;",
    "@",
    "#",
    ";",
    ",",
    "=cmd()",
  ),
);

/** Text of any script, with emoji sequences, combining marks, bidi controls, control characters, and what looks empty. */
const anyText: fc.Arbitrary<string> = fc
  .array(fc.oneof(letters, zalgo, emoji, bidi, odd, oneOf(" ", " ", "\n")), { minLength: 1, maxLength: 16 })
  .map((parts) => parts.join("").toWellFormed());

/** Makes texts from the seed: the same ones each time. */
export const madeTexts = (seed: number, count: number): string[] => fc.sample(anyText, { seed, numRuns: count });

/** As many of the texts, evenly spread. */
export function sampleOf(texts: readonly string[], count: number): string[] {
  if (texts.length <= count) return [...texts];
  return Array.from({ length: count }, (_, n) => texts[Math.floor((n * texts.length) / count)]!);
}
