import type { fromHtml } from "hast-util-from-html";
import { type Cell, gridOf } from "./table-grid.js";

export type Root = ReturnType<typeof fromHtml>;
export type Element = Extract<Root["children"][number], { type: "element" }>;
type Child = Root["children"][number] | Element["children"][number];
export type Node = Root | Child;

/** What is no text of the page. */
const NO_TEXT = new Set(
  (
    "script style noscript template iframe object embed svg math canvas audio video picture img form input select textarea button " +
    "nav footer dialog head link meta title"
  ).split(" "),
);
/** Elements that stand on lines of their own. */
const BLOCKS = new Set(
  (
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hr html li " +
    "main ol p pre section summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);
const ICON_CLASS = /(?:^|[-_])(?:headerlink|anchor|permalink|hash-link|sr-only|visually-hidden|copy)(?:$|[-_])/i;

export const isElement = (node: Node, ...names: readonly string[]): node is Element =>
  node.type === "element" && (names.length === 0 || names.includes(node.tagName));
export const isBlock = (node: Node): node is Element => node.type === "element" && BLOCKS.has(node.tagName);
export const childrenOf = (node: Node): readonly Child[] => ("children" in node ? node.children : []);

/** Styles by which nobody sees a text: what is hidden from a reader may be meant for a program. An accordion that is closed has a height of none. */
const HIDING = new RegExp(
  [
    "display\\s*:\\s*none",
    "visibility\\s*:\\s*(?:hidden|collapse)",
    "(?:opacity|font-size)\\s*:\\s*[0.]+(?:px|r?em|pt|%)?\\s*(?:!|;|$)",
    "(?:text-indent|left|right|top|bottom|margin-left|margin-top)\\s*:\\s*-\\d{3,}",
    "clip(?:-path)?\\s*:\\s*(?:inset\\(\\s*(?:50|100)%|rect\\(\\s*0)",
  ].join("|"),
  "i",
);

/** Whether a reader of the page does not see it, or it is no part of the text. */
export function isLeftOut(node: Node): boolean {
  if (node.type === "text" || node.type === "root") return false;
  if (node.type !== "element" || NO_TEXT.has(node.tagName)) return true;
  const { hidden, ariaHidden, role, style, className } = node.properties;
  if (
    (hidden !== undefined && hidden !== null && hidden !== false && hidden !== "until-found") ||
    ariaHidden === "true"
  )
    return true;
  if (role === "navigation" || role === "search" || role === "contentinfo") return true;
  if (typeof style === "string" && HIDING.test(style)) return true;
  return (
    Array.isArray(className) && isElement(node, "a", "span") && className.some((name) => ICON_CLASS.test(String(name)))
  );
}

/** The text of an element in one line. `buttons`: the headings of an accordion are buttons. */
export function textOf(node: Node, buttons = false): string {
  const parts: string[] = [];
  const visit = (one: Node): void => {
    if (one.type === "text") parts.push(one.value);
    else if (!isLeftOut(one) || (buttons && isElement(one, "button"))) {
      if (isElement(one, "br") || isBlock(one)) parts.push(" ");
      for (const child of childrenOf(one)) visit(child);
      if (isBlock(one)) parts.push(" ");
    }
  };
  visit(node);
  return parts.join("").replace(/\s+/g, " ").trim();
}

const SIGNS = /[\\`*[\]<]/g;
const BEGINS_BLOCK = /^(?:[#>+-]|\d{1,9}[.)])(?=\s|$)/;

/** Several words, a figure with its unit, or a price: in a table of two columns, that needs no heading. */
const speaks = (cell: string): boolean =>
  /\p{Sc}/u.test(cell) || (/\p{L}/u.test(cell) && cell.match(/[\p{L}\p{N}]+/gu)!.length > 1);

/** The end of a telephone number, in UTF-16 units, and how many digits it has at least. */
const NUMBER_END = { length: 12, digits: 6 };
/** A telephone number, or an address of mail. What is said of it follows after a comma. */
function isDetail(cell: string): boolean {
  const end = cell.slice(-NUMBER_END.length);
  const isNumber = /\d$/.test(end) && end.replace(/\D/g, "").length >= NUMBER_END.digits;
  return isNumber || /[^\s@]@[^\s@]+$/u.test(cell);
}

const isHeading = (row: readonly Element[] = []): boolean => row.every((cell) => isElement(cell, "th"));

/** How many rows say what the table is about: they have one cell, and the row of the headings follows. */
function titlesOf(rows: readonly (readonly Element[])[]): number {
  const first = rows.findIndex((row) => row.length !== 1 || !isHeading(row));
  return first > 0 && rows[first]!.length > 1 && isHeading(rows[first]) ? first : 0;
}

/** The heading of each column. */
function headingsOf(row: readonly Cell<Element>[]): string[] {
  const headings: string[] = [];
  for (const { element, from, to } of row) {
    const text = textOf(element);
    for (let column = from; column < to; column++) headings[column] = text;
  }
  return headings;
}

/** A cell of several rows is said again in each of them if it is no longer than this. */
const MAX_AGAIN = 200;

/** A text that stands for itself in Markdown. */
const escapeMarkdown = (text: string): string => text.replace(SIGNS, "\\$&").replace(/(?<!\p{L})_|_(?!\p{L})/gu, "\\_");

/** Writes elements as Markdown of the kind that Parley shows: no HTML, no pictures, no tables. */
export class Markdown {
  /** @param base of relative links. Without it, their texts stay. */
  constructor(private readonly base: URL | undefined) {}

  /** Several blocks, or the text between them. */
  blocks(nodes: readonly Node[]): string[] {
    const blocks: string[] = [];
    let inline: Node[] = [];
    const endInline = (): void => {
      const text = this.paragraph(inline);
      inline = [];
      if (text) blocks.push(text);
    };
    for (const node of nodes) {
      if (isLeftOut(node)) continue;
      if (!isBlock(node)) {
        // What is inline by its name may hold blocks, as a link around a card does.
        if (!childrenOf(node).some(isBlock)) {
          inline.push(node);
          continue;
        }
      }
      endInline();
      blocks.push(...this.block(node as Element));
    }
    endInline();
    return blocks;
  }

  private block(node: Element): string[] {
    switch (node.tagName) {
      case "p":
      case "summary":
      case "figcaption":
        return childrenOf(node).some(isBlock)
          ? this.blocks(childrenOf(node))
          : nonEmpty(this.paragraph(childrenOf(node)));
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        return nonEmpty(this.strong(textOf(node, true)));
      case "ul":
      case "ol":
        return nonEmpty(this.list(node));
      case "pre":
        return nonEmpty(fenced(node));
      case "blockquote":
        return nonEmpty(this.blocks(childrenOf(node)).join("\n\n").replace(/^/gm, "> "));
      case "table":
        return nonEmpty(this.table(node));
      case "dl":
        return this.definitions(node);
      case "hr":
        return [];
      default:
        return this.blocks(childrenOf(node));
    }
  }

  private strong(text: string): string {
    return text ? `**${escapeMarkdown(text)}**` : "";
  }

  private list(list: Element): string {
    let number = Number(list.properties.start ?? 1);
    const lines: string[] = [];
    for (const item of childrenOf(list)) {
      if (isLeftOut(item) || !isElement(item)) continue;
      const mark = isElement(list, "ol") ? `${number++}. ` : "- ";
      const blocks = isElement(item, "ul", "ol") ? [this.list(item)] : this.blocks(childrenOf(item));
      const text = blocks.join("\n");
      if (text.trim()) lines.push(mark + text.replace(/\n/g, `\n${" ".repeat(mark.length)}`));
    }
    return lines.join("\n");
  }

  private definitions(node: Element): string[] {
    const lines: string[] = [];
    for (const part of partsOf(node, "dt", "dd")) {
      if (isElement(part, "dt")) lines.push(this.strong(textOf(part, true)));
      else lines.push(...this.blocks(childrenOf(part)));
    }
    return lines.filter(Boolean);
  }

  /** A row is an item of a list: its first cell, and what the others say under their headings, as far as they need them. */
  private table(table: Element): string {
    const rows = partsOf(table, "tr").map((row) =>
      childrenOf(row).filter((cell): cell is Element => isElement(cell, "td", "th")),
    );
    const titles = titlesOf(rows);
    const body = gridOf(rows.slice(titles));
    const isHead = isHeading(rows[titles]) && body.length > 1;
    const head = isHead ? headingsOf(body.shift()!) : [];
    const lines = [...partsOf(table, "caption"), ...rows.slice(0, titles).flat()]
      .map((title) => this.strong(textOf(title)))
      .filter(Boolean)
      .map((title) => `${title}\n`);
    for (const row of body) {
      const line = this.row(row, head);
      if (line) lines.push(`- ${line}`);
    }
    return lines.join("\n");
  }

  private row(row: readonly Cell<Element>[], head: readonly string[]): string {
    const isPair = row.length === 2;
    const [first = "", ...others] = row.map(({ element, isContinued }) => {
      const text = this.paragraph(childrenOf(element).flatMap(flat));
      return isContinued && text.length > MAX_AGAIN ? "" : text;
    });
    const said = others
      .map((cell, i) => {
        const { from, to } = row[i + 1]!;
        const named = [...new Set(head.slice(from, to))].filter(Boolean);
        // What is in all columns but the first is about the row.
        const isAll = isPair && to - from > 1 && to >= head.length;
        return cell && named.length && !isAll && !(isPair && speaks(cell))
          ? `${escapeMarkdown(named.join(", "))}: ${cell}`
          : cell;
      })
      .filter(Boolean);
    const after = isPair && isDetail(first) ? ", " : ": ";
    return `${first}${first && said.length ? after : ""}${said.join("; ")}`;
  }

  /** Text within a line. */
  paragraph(nodes: readonly Node[]): string {
    return this.inline(nodes)
      .replace(/[^\S\n]+/g, " ")
      .replace(/ ?\n ?/g, "\n")
      .trim()
      .replace(BEGINS_BLOCK, (sign) => (/^\d/.test(sign) ? `${sign.slice(0, -1)}\\${sign.slice(-1)}` : `\\${sign}`));
  }

  private inline(nodes: readonly Node[]): string {
    return nodes.map((node) => this.inlineOf(node)).join("");
  }

  private inlineOf(node: Node): string {
    if (node.type === "text") return escapeMarkdown(node.value.replace(/\s+/g, " "));
    if (isLeftOut(node) || node.type !== "element") return "";
    switch (node.tagName) {
      case "br":
        return "\n";
      case "strong":
      case "b":
        return around("**", this.inline(childrenOf(node)));
      case "em":
      case "i":
        return around("*", this.inline(childrenOf(node)));
      case "code":
      case "kbd":
      case "samp":
      case "tt":
        return codeOf(rawText(node).replace(/\s+/g, " "));
      case "a":
        return this.link(node);
      default:
        return this.inline(childrenOf(node));
    }
  }

  private link(node: Element): string {
    const text = this.inline(childrenOf(node));
    const target = targetOf(node.properties.href, this.base);
    if (!target || !text.trim() || !/^(?:https?|mailto|tel):/.test(target)) return text;
    if (/^(?:https?|mailto|tel):/i.test(text.trim())) return `<${target}>`;
    return `[${text.replace(/\s+/g, " ").trim()}](${target.replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"))})`;
  }
}

/** A link as an absolute address. One within the page leads nowhere else. */
export function targetOf(href: unknown, base: URL | undefined): string | undefined {
  if (typeof href !== "string" || href.length > 2_000 || href.trim().startsWith("#")) return undefined;
  return URL.canParse(href, base?.href) ? new URL(href, base?.href).href : undefined;
}

const nonEmpty = (text: string): string[] => (text.trim() ? [text] : []);

/** A mark must touch what it marks. */
function around(mark: string, text: string): string {
  const inner = text.trim();
  if (!inner || inner.includes("\n") || inner.startsWith("*")) return text;
  const from = text.indexOf(inner);
  return text.slice(0, from) + mark + inner + mark + text.slice(from + inner.length);
}

function rawText(node: Node): string {
  const parts: string[] = [];
  const visit = (one: Node): void => {
    if (one.type === "text") parts.push(one.value);
    else if (isElement(one, "br")) parts.push("\n");
    else if (!isLeftOut(one)) childrenOf(one).forEach(visit);
  };
  visit(node);
  return parts.join("");
}

function codeOf(text: string): string {
  if (!text.trim()) return "";
  const ticks = "`".repeat(longestTicks(text) + 1);
  return ticks.length > 1 ? `${ticks} ${text} ${ticks}` : `\`${text}\``;
}

function fenced(node: Element): string {
  const text = rawText(node).trimEnd().replace(/^\n+/, "");
  if (!text) return "";
  const fence = "`".repeat(Math.max(3, longestTicks(text) + 1));
  const code = childrenOf(node).find((child): child is Element => isElement(child, "code"));
  const names = [code?.properties.className, node.properties.className].flat().map(String);
  const language =
    names.flatMap((name) => /^(?:language|lang|highlight)-([\w+-]{1,20})$/.exec(name)?.[1] ?? [])[0] ?? "";
  return `${fence}${language}\n${text}\n${fence}`;
}

const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);

/** The elements of these names within another, not within one another. */
export function partsOf(node: Node, ...names: readonly string[]): Element[] {
  return childrenOf(node).flatMap((child) =>
    isLeftOut(child) ? [] : isElement(child, ...names) ? [child] : partsOf(child, ...names),
  );
}

/** The texts in blocks, as if they stood in one line. */
const flat = (node: Node): Node[] =>
  isBlock(node) ? [...childrenOf(node).flatMap(flat), { type: "text", value: " " }] : [node];
