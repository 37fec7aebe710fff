/** Headers that go on for longer are not looked at. */
const MAX_HEAD_BYTES = 262_144;

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
 * written back. Undefined if the header does not end.
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
    const colon = line.indexOf(":");
    if (colon < 0) fields.push({ name: "", value: "", raw: line });
    else
      fields.push({ name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim(), raw: line });
  }
  return undefined;
}
