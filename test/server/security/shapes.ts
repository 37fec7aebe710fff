const BRACKETS = 29;
/** Leaves room for the other fields of a body, which may hold 20,000. */
const VALUES = 19_000;

// Joining a list of as many texts takes as long as the server does with them.
const times = (count: number, text: string, separator = ""): string =>
  (text + separator).repeat(Math.max(1, Math.floor(count)) - 1) + text;
/** Of so many bytes, and of at most so many items. */
const list =
  (item: string, most = Infinity) =>
  (bytes: number): string =>
    `[${times(Math.min(most, bytes / (item.length + 1)), item, ",")}]`;
const text =
  (part: string) =>
  (bytes: number): string =>
    `"${times(bytes / part.length - 1, part)}x"`;
const object = (keys: number, length: number): string =>
  `{${Array.from({ length: keys }, (_, n) => `"${String(n).padStart(length, "k")}":0`).join(",")}}`;

/** JSON of about so many bytes that may be expensive as the value of a field. */
export const SHAPES: Record<string, (bytes: number) => string> = {
  "a list of empty objects": list("{}"),
  "as many empty objects as it may hold": list("{}", VALUES),
  "a list of ones": list("1"),
  "as many ones as it may hold": list("1", VALUES),
  "as many texts as it may hold": list('"a@b.c"', VALUES),
  "as many long texts as it may hold": list(`"${times(40, "a")}"`, VALUES),
  "as many empty lists as it may hold": list("[]", VALUES),
  "such a list in a list": (bytes) => `[${list("{}", VALUES)(bytes)}]`,
  "deep lists": list(`${times(BRACKETS, "[")}1${times(BRACKETS, "]")}`, VALUES / (BRACKETS + 1)),
  "deep objects": list(`${times(BRACKETS, '{"a":')}1${times(BRACKETS, "}")}`, VALUES / (BRACKETS + 1)),
  "wide objects": list(object(999, 3), VALUES / 1_000),
  "objects with long keys": list(object(20, 1_000), VALUES / 21),
  "60,000 keys": (bytes) => object(Math.min(60_000, Math.floor(bytes / 10)), 5),
  "a long number": (bytes) => times(bytes, "1"),
  "a long fraction": (bytes) => `0.${times(bytes, "1")}`,
  "the same key again and again": (bytes) => `{${times(Math.min(bytes / 6, VALUES), '"a":1', ",")}}`,
  "long text": text("a"),
  "long text of spaces": text(" "),
  "long text of digits": text("1"),
  "long text of line breaks": text("\\n"),
  "long text of escapes": text("\\u0061"),
  "long text of words": text("a. "),
  "long text of hosts": text("a."),
  "long text of at signs": text("@"),
  "long text of brackets": text("<{"),
};
