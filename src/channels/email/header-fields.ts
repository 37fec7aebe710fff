/** Headers that go on for longer are not looked at. */
const MAX_HEAD_BYTES = 262_144;
/** Nor are those with more fields. No program writes as many, and each costs time wherever it is read. */
const MAX_FIELDS = 2_000;

export interface HeaderField {
  /** In lower case. */
  name: string;
  /** Unfolded, without the name. */
  value: string;
  /** As it is in the mail, with its line breaks. */
  raw: string;
}

/**
 * The header fields of a mail, the topmost first, and where its body begins. Bytes are read as Latin-1, so `raw` can be
 * written back. Undefined if the header does not end, or has too many fields.
 */
export function headerFieldsOf(source: Buffer): { fields: HeaderField[]; end: number } | undefined {
  const head = source.subarray(0, MAX_HEAD_BYTES).toString("latin1");
  const fields: HeaderField[] = [];
  for (let at = 0; at < head.length;) {
    const newline = head.indexOf("\n", at);
    if (newline < 0) return undefined;
    const line = head.slice(at, newline + 1);
    if (line === "\r\n" || line === "\n") return { fields, end: at };
    at = newline + 1;
    const last = fields.at(-1);
    if (last && /^[ \t]/.test(line)) {
      last.raw += line;
      last.value += ` ${line.trim()}`;
      continue;
    }
    if (fields.length === MAX_FIELDS) return undefined;
    const colon = line.indexOf(":");
    if (colon < 0) fields.push({ name: "", value: "", raw: line });
    else
      fields.push({ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim(), raw: line });
  }
  return undefined;
}

/** What a mail has once at most (RFC 5322, 3.6; RFC 2045) of what we read. */
const ONCE = new Set([
  ...["from", "reply-to", "to", "cc", "date", "subject", "message-id", "in-reply-to", "references"],
  ...["content-type", "content-transfer-encoding"],
]);

/** Whether a field comes twice that may come once. A signature holds for one of them, the lowest, and who passes the mail on may add others. */
export function repeatsFields(fields: readonly HeaderField[]): boolean {
  const names = fields.map(({ name }) => name).filter((name) => ONCE.has(name));
  return new Set(names).size < names.length;
}

// Tabs and line ends are where a line was folded.
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const countAts = (text: string): number => text.split("@").length - 1;

/**
 * Whether every program finds the same address in a From, or none. Otherwise a server may prove one of its addresses, and we would
 * read another one.
 */
export function isPlainFrom(value: string): boolean {
  const plain = withoutComments(value);
  const [name, address, ...more] = plain.split("<");
  // Outside of quotes a backslash escapes a quote for some and not for others.
  if (CONTROL.test(value) || plain.includes("\\") || more.length) return false;
  if (address === undefined) return countAts(name!) === 1;
  const [inside, ...after] = address.split(">");
  return countAts(inside!) === 1 && countAts(after.join()) === 0;
}

/** Leaves out comments, which may be nested, and what is quoted, which may hold anything. */
export function withoutComments(text: string): string {
  let out = "";
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "\\" && (depth || quoted)) at++;
    else if (character === '"' && !depth) quoted = !quoted;
    else if (quoted) continue;
    else if (character === "(") depth++;
    else if (character === ")") depth = Math.max(depth - 1, 0);
    else if (!depth) out += character;
  }
  return out;
}
