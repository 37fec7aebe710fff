const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The beginning or the end of an element, or text. `isEmpty`: it ends at once. */
export type XmlToken =
  | { type: "open"; name: string; attributes: string; isEmpty: boolean }
  | { type: "close"; name: string }
  | { type: "text"; text: string };

/**
 * The elements and texts of a well-formed document in their order, in linear time. It knows no declarations, so nothing can define
 * an entity that grows.
 */
export function* xmlTokens(xml: string): Generator<XmlToken> {
  for (let at = 0; at < xml.length;) {
    const open = xml.indexOf("<", at);
    if (open < 0) {
      yield { type: "text", text: unescapeXml(xml.slice(at)) };
      return;
    }
    if (open > at) yield { type: "text", text: unescapeXml(xml.slice(at, open)) };
    const skipped = skip(xml, open);
    if (skipped) {
      if (skipped.text !== undefined) yield { type: "text", text: skipped.text };
      at = skipped.end;
      continue;
    }
    const close = endOfTag(xml, open);
    const tag = xml.slice(open + 1, close);
    if (tag.startsWith("/")) yield { type: "close", name: tag.slice(1).trim() };
    else {
      const isEmpty = tag.endsWith("/");
      const name = /^[^\s/]*/.exec(tag)![0];
      yield { type: "open", name, attributes: tag.slice(name.length), isEmpty };
    }
    at = close + 1;
  }
}

/** Comments, instructions and declarations say nothing. */
function skip(xml: string, at: number): { end: number; text?: string } | undefined {
  const until = (end: string): number => {
    const found = xml.indexOf(end, at);
    return found < 0 ? xml.length : found + end.length;
  };
  if (xml.startsWith("<!--", at)) return { end: until("-->") };
  if (xml.startsWith("<![CDATA[", at)) {
    const end = until("]]>");
    return { end, text: xml.slice(at + 9, Math.max(at + 9, end - 3)) };
  }
  if (xml.startsWith("<?", at)) return { end: until("?>") };
  if (xml.startsWith("<!", at)) return { end: until(">") };
  return undefined;
}

/** A `>` in the value of an attribute ends no tag. */
function endOfTag(xml: string, open: number): number {
  let quote = "";
  for (let at = open + 1; at < xml.length; at++) {
    const sign = xml[at]!;
    if (quote) {
      if (sign === quote) quote = "";
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") return at;
  }
  return xml.length;
}

/** The value of an attribute, as `w:val`. */
export function attributeOf(attributes: string, name: string): string | undefined {
  const at = attributes.search(new RegExp(`\\s${name}\\s*=`));
  if (at < 0) return undefined;
  const [quote] = /["']/.exec(attributes.slice(at)) ?? [];
  if (quote === undefined) return undefined;
  const from = attributes.indexOf(quote, at) + 1;
  const to = attributes.indexOf(quote, from);
  return unescapeXml(attributes.slice(from, to < 0 ? undefined : to));
}

const unescapeXml = (text: string): string =>
  text.includes("&")
    ? text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi, (whole, name: string) => {
        if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? whole;
        const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
      })
    : text;
