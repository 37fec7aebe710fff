import { attachmentOf, linkOf, type MarkdownToken, readMarkdown } from "./read-markdown.js";

/** More is not made of one text. A mail program cuts off what is longer than 100 kB. */
const MAX_HTML = 500_000;
const MAX_WIDTH = 600;

export type Direction = "ltr" | "rtl";
/** A picture that comes with the mail. */
export interface Picture {
  url: string;
  width: number | null;
}
interface Options {
  direction: Direction;
  /** The picture of this attachment, if the mail has it. */
  pictureOf: (attachmentId: string) => Picture | undefined;
}

const GREY = "#a3a3a3";
/** Outlook takes the height of a line for the least one, and reads a length in its own way, unless it is told that it is exact. */
export const lineHeight = (pixels: number): string => `line-height:${pixels}px;mso-line-height-rule:exactly`;
const MONOSPACE = "font-family:Consolas,Menlo,monospace;font-size:13px";

/** Only properties that Outlook's Word engine, Gmail and Apple Mail agree on. No colour of text or ground: dark mode sets both. */
const stylesFor = (direction: Direction): Record<string, string> => {
  const start = direction === "rtl" ? "right" : "left";
  const inset = direction === "rtl" ? "margin:0 24px 16px 0" : "margin:0 0 16px 24px";
  const heading = (size: number): string =>
    `margin:0 0 8px;font-size:${size}px;${lineHeight(size + 8)};font-weight:bold`;
  return {
    p: "margin:0 0 16px",
    h1: heading(20),
    h2: heading(18),
    h3: heading(16),
    h4: heading(15),
    h5: heading(15),
    h6: heading(15),
    ul: `${inset};padding:0`,
    ol: `${inset};padding:0`,
    li: "margin:0 0 4px",
    blockquote: `margin:0 0 16px;padding-${start}:12px;border-${start}:2px solid ${GREY}`,
    pre: `margin:0 0 16px;padding:8px 12px;border:1px solid ${GREY};${MONOSPACE};${lineHeight(20)};white-space:pre-wrap;word-wrap:break-word`,
    code: MONOSPACE,
    hr: `margin:24px 0;border:0;border-top:1px solid ${GREY}`,
  };
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]!);

/** Text as it was written: its line breaks and its spaces stay. */
export function htmlOfText(text: string): string {
  const html = escapeHtml(text)
    .replace(/\r\n?|\n/g, "<br>\n")
    .replace(/\t/g, "&nbsp;&nbsp;&nbsp; ")
    .replace(/ {2}/g, "&nbsp; ")
    .replace(/(^|\n) /g, "$1&nbsp;");
  return `<p style="margin:0 0 16px">${html}</p>\n`;
}

/** Markdown as HTML for a mail: plain blocks with inline styles. Its own HTML is text, and no picture is loaded from elsewhere. */
export function htmlOfMarkdown(markdown: string, options: Options): string {
  const tokens = readMarkdown(markdown);
  const html = tokens && render(tokens, options);
  // Definitions of links alone say nothing, but somebody wrote them.
  return !html || html.length > MAX_HTML ? htmlOfText(markdown) : html;
}

function render(tokens: readonly MarkdownToken[], options: Options): string | undefined {
  const styles = stylesFor(options.direction);
  const open = (tag: string, more = ""): string => `<${tag}${more} style="${styles[tag]}">`;
  const openNested = (token: MarkdownToken): string =>
    `<${token.tag}${startOf(token)} style="${styles[token.tag]!.replace("16px", "0")}">`;
  let html = "";
  for (const token of tokens) {
    // Before it takes the memory.
    if (html.length > MAX_HTML) return undefined;
    if (token.hidden) {
      // A list item whose lines stand close: what follows in it begins on a new line.
      if (token.type === "paragraph_close") html += "\n";
    } else if (token.type === "inline") html += inlineHtml(token.children ?? [], options, styles.code!);
    else if (token.type === "fence" || token.type === "code_block")
      html += `${open("pre")}${escapeHtml(token.content.replace(/\n$/, ""))}</pre>\n`;
    else if (token.type === "hr") html += `${open("hr")}\n`;
    else if (token.nesting > 0) html += isNestedList(token) ? openNested(token) : open(token.tag, startOf(token));
    else html += `</${token.tag}>\n`;
  }
  return html;
}

/** A list in a list ends without the space that follows a list. */
const isNestedList = ({ type, level }: MarkdownToken): boolean =>
  /^(?:bullet|ordered)_list_open$/.test(type) && level > 1;

/** The first number of a list, if it is not 1. */
function startOf(token: MarkdownToken): string {
  const start = token.type === "ordered_list_open" ? Number(token.attrGet("start") ?? 1) : 1;
  return start === 1 ? "" : ` start="${start}"`;
}

function inlineHtml(tokens: readonly MarkdownToken[], options: Options, codeStyle: string): string {
  let html = "";
  const links: boolean[] = [];
  for (const token of tokens) {
    switch (token.type) {
      case "text":
      case "text_special":
        html += escapeHtml(token.content);
        break;
      case "code_inline":
        html += `<code style="${codeStyle}">${escapeHtml(token.content)}</code>`;
        break;
      case "softbreak":
      case "hardbreak":
        html += "<br>\n";
        break;
      case "link_open": {
        const address = linkOf(token);
        links.push(address !== undefined);
        if (address !== undefined) html += `<a href="${escapeHtml(address)}">`;
        break;
      }
      case "link_close":
        if (links.pop()) html += "</a>";
        break;
      case "image":
        html += pictureHtml(token, options);
        break;
      default:
        html += token.nesting > 0 ? `<${token.tag}>` : `</${token.tag}>`;
    }
  }
  return html;
}

/** What a picture shows, in words alone. */
const altOf = (tokens: readonly MarkdownToken[]): string =>
  tokens
    .map(({ type, content, children }) =>
      type === "softbreak" ? " " : type === "image" ? altOf(children ?? []) : content,
    )
    .join("");

/** A picture that comes with the mail is shown. One from elsewhere is a link: loading it would tell that the mail was read. */
function pictureHtml(token: MarkdownToken, { pictureOf }: Options): string {
  const id = attachmentOf(token);
  const picture = id && pictureOf(id);
  const name = escapeHtml(altOf(token.children ?? []));
  if (picture) {
    const width = picture.width ? ` width="${Math.min(picture.width, MAX_WIDTH)}"` : "";
    return `<img src="${escapeHtml(picture.url)}" alt="${name}"${width} style="max-width:100%;height:auto;border:0">`;
  }
  const address = linkOf(token);
  return address ? `<a href="${escapeHtml(address)}">${name || escapeHtml(address)}</a>` : name;
}
