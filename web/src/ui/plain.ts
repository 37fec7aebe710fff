/** The server cuts a preview here. What follows an opening mark may be missing. */
const CUT_AT = 200;

/** Without Markdown's marks of emphasis and code. Only what has an end is a mark, so `5 * 3` and `order_no_7` stay as they are. */
export const withoutEmphasis = (text: string): string =>
  text
    .replace(/(\*\*|~~|`+)(?=\S)(.*?\S)\1/gs, "$2")
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])(.*?[^\s_])\1(?![\p{L}\p{N}_])/gsu, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])(.*?[^\s*])\*(?![\p{L}\p{N}*])/gsu, "$1");

/** The preview of a message as text: also without Markdown's links, headings, quotes and bullets. */
export function plain(preview: string): string {
  const text = withoutEmphasis(
    preview.replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, "$1").replace(/^ {0,3}(?:#{1,6}|>|[-*+]) +/gm, ""),
  );
  if (preview.length < CUT_AT) return text;
  return text.replace(/!?\[([^\][]*)(?:\]\([^()\s]*)?$/, "$1").replace(/(?:\*\*|__)(?=\S)([^*_]*)$|\*+$/, "$1");
}
