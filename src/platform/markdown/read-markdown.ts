import MarkdownIt, { type Token } from "markdown-it";

/** Deeper nesting, longer lists of elements and longer texts are no Markdown that a person wrote. They are read as text. */
const MAX_DEPTH = 40;
const MAX_TOKENS = 20_000;
const MAX_CHARACTERS = 100_000;

/**
 * CommonMark, as in the dashboard, without HTML: tags are text. Unlike the dashboard's library, this one takes time in proportion to
 * the length of any text.
 */
const parser = new MarkdownIt("commonmark", { html: false, maxNesting: MAX_DEPTH });
// Which addresses become links is decided in `linkOf`: here, a refused one would stay in the text with its brackets.
parser.validateLink = () => true;

/** An element of the text or its end. `children` are those inside a line. */
export type MarkdownToken = Token;

/** @returns the elements in their order, or undefined for a text that is too much: show it as it was written */
export function readMarkdown(text: string): MarkdownToken[] | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const tokens = parser.parse(text, {});
  let count = tokens.length;
  for (const { level, children } of tokens) {
    // What is deeper than the parser's limit would be missing.
    if (level >= MAX_DEPTH - 1) return undefined;
    count += children?.length ?? 0;
    if (count > MAX_TOKENS || children?.some((inner) => inner.level >= MAX_DEPTH)) return undefined;
  }
  return tokens;
}

const LINK = /^(?:https?:\/\/|mailto:|tel:)[^\s]/i;

/** The address of a link, if it may be one: of a page, a mailbox or a telephone. */
export function linkOf(token: MarkdownToken): string | undefined {
  const address = String(token.attrGet(token.type === "image" ? "src" : "href") ?? "");
  return LINK.test(address) ? address : undefined;
}

const ATTACHED = /^cid:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** The id of the attachment that a picture shows: `![…](cid:id)`. */
export const attachmentOf = (token: MarkdownToken): string | undefined =>
  ATTACHED.exec(String(token.attrGet("src") ?? ""))?.[1]?.toLowerCase();

/** The ids of the attachments that a text shows as pictures. */
export const attachmentsShownIn = (text: string): string[] =>
  text.includes("](cid:")
    ? (readMarkdown(text) ?? []).flatMap(({ children }) =>
        (children ?? []).flatMap((token) => (token.type === "image" ? (attachmentOf(token) ?? []) : [])),
      )
    : [];
