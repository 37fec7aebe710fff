import { decodeText } from "../../platform/charsets/decode-text.js";

/** A header that is longer is not repaired. */
const MAX_HEAD_BYTES = 262_144;
/** More lines are not repaired. */
const MAX_LINES = 2_000;
/** More boundaries of a mail are not looked for. */
const MAX_BOUNDARIES = 200;
const [LINE_END, RETURN, SPACE, TAB] = [10, 13, 32, 9];

/**
 * A mail as the parser can read it, where programs break the rules and everybody knows what they mean: letters of another alphabet
 * as they are in a header (RFC 2047 wants them encoded), a header whose lines were not indented, and spaces after a boundary (RFC 2046
 * allows them, the parser does not).
 * Takes linear time. A mail that keeps the rules is the same buffer.
 */
export function repairMail(source: Buffer): Buffer {
  return withoutPadding(withReadableHead(source));
}

function headEnd(source: Buffer): number {
  const ends = ["\r\n\r\n", "\n\n"].map((end) => source.indexOf(end)).filter((at) => at >= 0);
  return Math.min(source.length, ...ends);
}

/** Up to the second question mark of an encoded word, and on to its third. None of its parts has one. */
const QUOTED_WORD = /=\?[^?\s]{1,60}\?q\?[^?\r\n]{0,2000}\?=/gi;
/** A parameter on a line of its own, which some program has moved to its beginning. */
const UNFOLDED = /\n(?=(?:boundary|charset)\s{0,9}=)/gi;
const NOT_ASCII = /[\x80-\xff]/;

function withReadableHead(source: Buffer): Buffer {
  const end = headEnd(source);
  if (end > MAX_HEAD_BYTES) return source;
  const given = source.subarray(0, end).toString("latin1");
  const folded = given.replace(UNFOLDED, "\n ");
  if (!NOT_ASCII.test(folded)) return folded === given ? source : joined(folded, source, end);
  const head = folded.replace(QUOTED_WORD, (word) =>
    word.replace(/[\x80-\xff]/g, (byte) => `=${byte.charCodeAt(0).toString(16).toUpperCase()}`),
  );
  const charset = charsetOf(source);
  // Each line by itself: programs on the way add their own.
  const lines = head
    .split("\n")
    .map((line) => (NOT_ASCII.test(line) ? decoded(Buffer.from(line, "latin1"), charset) : line));
  return joined(lines.join("\n"), source, end);
}

const joined = (head: string, source: Buffer, end: number): Buffer =>
  Buffer.concat([Buffer.from(head), source.subarray(end)]);

/** How far into a mail its alphabet is looked for. A part may name it. */
const CHARSET_BYTES = 65_536;
const MAX_CHARSETS = 20;
const CHARSET = /^content-type:[^\n]{0,200}(?:\n[ \t][^\n]{0,200}){0,5}?charset\s{0,9}=\s{0,9}"?([\w:.-]{1,40})/gim;
/** What a program names that does not know. */
const USUAL = /^(?:us-ascii|utf-?8|iso-8859-1|windows-1252)$/i;
export const isUsual = (charset: string): boolean => USUAL.test(charset);

/** The first alphabet that a mail names, rather an unusual one. */
export function charsetOf(source: Buffer): string | undefined {
  const named: string[] = [];
  for (const [, charset] of source.subarray(0, CHARSET_BYTES).toString("latin1").matchAll(CHARSET))
    if (named.push(charset!) >= MAX_CHARSETS) break;
  return named.find((one) => !isUsual(one)) ?? named[0];
}

/** Text of which nobody says how it is encoded: UTF-8 if it can be, otherwise as the mail's text, or as Western programs do. */
function decoded(bytes: Buffer, charset = "windows-1252"): string {
  const text = asUtf8(bytes);
  if (text !== undefined) return text;
  try {
    return decodeText(bytes, charset, { fatal: true });
  } catch {
    // Unknown, or another one.
    return decodeText(bytes, "windows-1252");
  }
}

/** Undefined if it is no UTF-8. A program may have cut it off within a letter. */
function asUtf8(bytes: Buffer): string | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const letters = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  const broken = text.split("\ufffd").length - 1;
  return broken === 0 ? text : letters >= 4 * broken ? text.replaceAll("\ufffd", "") : undefined;
}

/** Where the spaces are that follow a boundary of this mail. */
function paddingOf(source: Buffer): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  let boundaries: Set<string> | undefined;
  let lines = 0;
  for (let at = source.indexOf("\n--"); at >= 0 && lines < MAX_LINES; at = source.indexOf("\n--", at + 1)) {
    const lineEnd = source.indexOf(LINE_END, at + 1);
    const to = lineEnd < 0 ? source.length : source[lineEnd - 1] === RETURN ? lineEnd - 1 : lineEnd;
    let from = to;
    while (from > at && (source[from - 1] === SPACE || source[from - 1] === TAB)) from--;
    if (from === to || from - at > MAX_BOUNDARY + 5) continue;
    lines++;
    boundaries ??= boundariesOf(source);
    const line = source.subarray(at + 3, from).toString("latin1");
    if (boundaries.has(line) || (line.endsWith("--") && boundaries.has(line.slice(0, -2)))) found.push({ from, to });
  }
  return found;
}

const MAX_BOUNDARY = 200;
const BOUNDARY = /^boundary\s{0,9}=\s{0,9}(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/i;

function boundariesOf(source: Buffer): Set<string> {
  const found = new Set<string>();
  for (const name of ["boundary", "Boundary", "BOUNDARY"])
    for (let at = source.indexOf(name); at >= 0 && found.size < MAX_BOUNDARIES; at = source.indexOf(name, at + 8)) {
      const [, quoted, plain] = BOUNDARY.exec(source.subarray(at, at + 8 + MAX_BOUNDARY + 22).toString("latin1")) ?? [];
      if (quoted ?? plain) found.add((quoted ?? plain)!);
    }
  return found;
}

function withoutPadding(source: Buffer): Buffer {
  const padding = paddingOf(source);
  if (!padding.length) return source;
  const kept: Buffer[] = [];
  let begin = 0;
  for (const { from, to } of padding) {
    kept.push(source.subarray(begin, from));
    begin = to;
  }
  return Buffer.concat([...kept, source.subarray(begin)]);
}

/** A file's name whose bytes the parser took for letters, although they are UTF-8, or in the unusual alphabet of the mail. */
export function repairName(name: string, charset: string | undefined): string {
  if (!NOT_ASCII.test(name) || /[^\0-\xff]/.test(name)) return name;
  const bytes = Buffer.from(name, "latin1");
  return asUtf8(bytes) ?? (charset === undefined || isUsual(charset) ? name : decoded(bytes, charset));
}
