/** The server cuts a preview here. What follows an opening mark may be missing. */
const CUT_AT = 200;

/**
 * The beginning of a message, or what quotes messages, as text: without Markdown's marks of emphasis, code, links, headings, quotes and bullets. Only
 * what has an end is a mark, so `5 * 3` and `order_no_7` stay as they are.
 */
export function plain(preview: string): string {
  let text = preview
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, "$1")
    .replace(/^ {0,3}(?:#{1,6}|>|[-*+]) +/gm, "")
    .replace(/(\*\*|~~|`+)(?=\S)(.*?\S)\1/gs, "$2")
    .replace(/(?<![\p{L}\p{N}_])(_{1,3})(?=[^\s_])(.*?[^\s_])\1(?![\p{L}\p{N}_])/gsu, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[^\s*])(.*?[^\s*])\*(?![\p{L}\p{N}*])/gsu, "$1");
  if (preview.length >= CUT_AT)
    text = text.replace(/!?\[([^\][]*)(?:\]\([^()\s]*)?$/, "$1").replace(/(?:\*\*|__)(?=\S)([^*_]*)$|\*+$/, "$1");
  return text;
}
