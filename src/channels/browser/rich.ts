import { h } from "./common.js";

// Renders the Markdown of answers and replies as the dashboard and the mail do: paragraphs, headings, lists, quotes, code, bold, italics
// and links. Everything else stays plain text. HTML is never interpreted, and no picture is loaded.

type Inline = Node | string;

/** A longer text, and what lies deeper, is shown as it was written. */
const MAX_TEXT = 20_000;
const MAX_DEPTH = 10;
/** Marks of bold and italics in one paragraph. Each looks for the one that it ends, so more would take long. */
const MAX_MARKS = 500;
const ADDRESS = String.raw`(?:https?:\/\/|mailto:|tel:)`;

/** Older Safaris know no lookbehind: `markOf` looks at what stands before a mark. */
const INLINE = new RegExp(
  [
    "\\\\(?<escaped>[!-/:-@[-`{-~])",
    "(?<ticks>`{1,99})(?!`)(?<code>[^]{0,2000}?[^`])\\k<ticks>(?!`)",
    "(?<loose>`+)",
    String.raw`<(?<auto>${ADDRESS}[^\s<>]+)>`,
    String.raw`!?\[(?<name>(?:[^[\]\\]|\\[^]|\[[^[\]\\]{0,100}\]){0,500})\]\(\s{0,9}<?(?<target>(?:[^\s<>()]|\([^\s<>()]*\))*)>?(?:\s{1,9}(?:"[^"\n]*"|'[^'\n]*'))?\s{0,9}\)`,
    String.raw`(?<bare>https?:\/\/[^\s<>"]+)`,
    String.raw`(?<mark>\*+|_+)`,
    String.raw`(?<end>(?: {2,99}|\\)?\n *)`,
  ].join("|"),
  "g",
);
const PAGE = new RegExp(`^${ADDRESS}[^\\s]`, "i");
const PUNCTUATION = `.,;:!?'"])}`;

const link = (url: string, ...words: Inline[]): HTMLElement =>
  h("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, ...words);

/** An address that was only written down. Punctuation at the end of the sentence does not belong to it. */
function bareLink(address: string): Inline[] {
  let length = address.length;
  while (PUNCTUATION.includes(address[length - 1]!)) length--;
  return [link(address.slice(0, length), address.slice(0, length)), address.slice(length)];
}

/** A text without format, in which addresses of pages are links. */
export const linked = (text: string): Inline[] =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .flatMap((part, at) => (at % 2 ? bareLink(part) : part))
    .filter((part) => part !== "");

/** Stars or underlines. `length` is how many there were, and `left` how many have no other end yet. */
interface Mark {
  sign: string;
  length: number;
  left: number;
  opens: boolean;
  closes: boolean;
}
type Part = Inline | Mark;
const isMark = (part: Part): part is Mark => typeof part === "object" && "sign" in part;

const SPACE = /^\s?$/;
const SIGN = /[\p{P}\p{S}]/u;
/** Whether something begins or ends at a mark, as CommonMark has it: `snake_case` has no italics, and neither has `5 * 3`. */
function markOf(text: string, at: number, signs: string): Mark {
  const [before, after] = [text[at - 1] ?? "", text[at + signs.length] ?? ""];
  const isLeft = !SPACE.test(after) && (!SIGN.test(after) || SPACE.test(before) || SIGN.test(before));
  const isRight = !SPACE.test(before) && (!SIGN.test(before) || SPACE.test(after) || SIGN.test(after));
  const isWordOnly = signs.startsWith("_");
  return {
    sign: signs[0]!,
    length: signs.length,
    left: signs.length,
    opens: isLeft && (!isWordOnly || !isRight || SIGN.test(before)),
    closes: isRight && (!isWordOnly || !isLeft || SIGN.test(after)),
  };
}

/** @param isLinked whether it lies in a link: it has no other one */
function inline(text: string, depth = 0, isLinked = false): Inline[] {
  const parts: Part[] = [];
  let [end, marks] = [0, 0];
  for (const match of depth > MAX_DEPTH ? [] : text.matchAll(INLINE)) {
    const { mark } = match.groups!;
    if (mark && ++marks > MAX_MARKS) break;
    parts.push(text.slice(end, match.index));
    parts.push(...(mark ? [markOf(text, match.index, mark)] : inlineParts(match.groups!, depth, isLinked)));
    end = match.index + match[0].length;
  }
  return emphasized([...parts, text.slice(end)]).filter((part) => part !== "");
}

/** A space at both ends keeps a backtick of the code apart from its marks. */
const unpadded = (code: string): string =>
  code.trim() && code.startsWith(" ") && code.endsWith(" ") ? code.slice(1, -1) : code;

function inlineParts(found: Record<string, string | undefined>, depth: number, isLinked: boolean): Inline[] {
  const { escaped, code, loose, auto, name, target, bare } = found;
  const plain = escaped ?? loose;
  if (plain !== undefined) return [plain];
  if (code !== undefined) return [h("code", {}, unpadded(code.replace(/\n/g, " ")))];
  if (bare !== undefined) return isLinked ? [bare] : bareLink(bare);
  const to = target ?? auto;
  if (to === undefined) return [h("br")];
  // Of a link to anything else, the words stay.
  const isPage = PAGE.test(to);
  const words = name || !isPage ? inline(name ?? "", depth + 1, true) : [to];
  return isLinked || !isPage ? words : [link(to, ...words)];
}

/** Puts what stands between two marks into an element. Marks that stand alone are text. */
function emphasized(parts: Part[]): Inline[] {
  for (let at = 0; at < parts.length; at++) {
    const end = parts[at]!;
    if (!isMark(end) || !end.closes || end.left === 0) continue;
    let from = at - 1;
    while (from >= 0 && !opensFor(parts[from]!, end)) from--;
    if (from < 0) continue;
    const begin = parts[from] as Mark;
    const count = begin.left > 1 && end.left > 1 ? 2 : 1;
    begin.left -= count;
    end.left -= count;
    const inside = textual(parts.slice(from + 1, at));
    parts.splice(from + 1, at - from - 1, h(count === 2 ? "strong" : "em", {}, ...inside));
    // The same mark may end another one, too.
    at = from + 1;
  }
  return textual(parts);
}

/** Two marks of which both may begin and end something are a pair only if their lengths do not add up to a third one's. */
const opensFor = (begin: Part, end: Mark): boolean =>
  isMark(begin) &&
  begin.sign === end.sign &&
  begin.opens &&
  begin.left > 0 &&
  !((begin.closes || end.opens) && (begin.length + end.length) % 3 === 0 && (begin.length % 3 || end.length % 3));

const textual = (parts: readonly Part[]): Inline[] =>
  parts.map((part) => (isMark(part) ? part.sign.repeat(part.left) : part)).filter((part) => part !== "");

const BLANK = /^\s*$/;
const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,})(?:[^~].*)?)$/;
const QUOTE = /^ {0,3}> ?/;
const HEADING = /^ {0,3}#{1,6}(?=\s|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-+)\s*$/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const ITEM = /^( {0,3}([-*+]|(\d{1,9})[.)]))(?: +|$)/;
const INDENTED = /^ {4}/;

const startsBlock = (line: string): boolean =>
  [BLANK, FENCE, QUOTE, HEADING, RULE].some((block) => block.test(line)) || interrupts(line);
/** An item that says something, and is the first of its list, may follow a paragraph without a blank line. */
const interrupts = (line: string): boolean => {
  const item = ITEM.exec(line);
  return item !== null && item[0].length < line.length && (item[3] === undefined || Number(item[3]) === 1);
};

/** Reads the lines of a text, or of what lies in a quote or an item, block by block. */
class Blocks {
  private at = 0;

  constructor(
    private readonly lines: readonly string[],
    private readonly depth: number,
  ) {}

  read(): HTMLElement[] {
    const blocks: HTMLElement[] = [];
    while (this.at < this.lines.length) {
      const line = this.lines[this.at]!;
      if (BLANK.test(line)) this.at++;
      else if (this.depth > MAX_DEPTH) blocks.push(h("p", {}, ...this.rest()));
      else blocks.push(this.block(line));
    }
    return blocks;
  }

  private block(line: string): HTMLElement {
    const fence = FENCE.exec(line);
    if (fence) return this.fenced((fence[1] ?? fence[2])!, /^ */.exec(line)![0].length);
    if (INDENTED.test(line)) return this.indented();
    if (HEADING.test(line)) {
      this.at++;
      const words = line
        .replace(HEADING, "")
        .trim()
        .replace(/(?:^|\s)#+$/, "")
        .trim();
      return h("p", {}, h("strong", {}, ...inline(words)));
    }
    if (RULE.test(line)) {
      this.at++;
      return h("hr");
    }
    if (QUOTE.test(line)) return h("blockquote", {}, ...this.inside(this.quoted()));
    return ITEM.test(line) ? this.list() : this.paragraph();
  }

  private rest(): string[] {
    const rest = this.lines.slice(this.at).join("\n");
    this.at = this.lines.length;
    return [rest];
  }

  private fenced(mark: string, indent: number): HTMLElement {
    const end = new RegExp(`^ {0,3}\\${mark[0]!}{${mark.length},}\\s*$`);
    const lines: string[] = [];
    for (this.at++; this.at < this.lines.length && !end.test(this.lines[this.at]!); this.at++)
      lines.push(this.lines[this.at]!.replace(new RegExp(`^ {0,${indent}}`), ""));
    this.at++;
    return h("pre", {}, lines.join("\n"));
  }

  private indented(): HTMLElement {
    const lines: string[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at]!;
      if (!INDENTED.test(line) && !BLANK.test(line)) break;
      lines.push(line.slice(4));
    }
    return h("pre", {}, lines.join("\n").trimEnd());
  }

  private inside(lines: readonly string[]): HTMLElement[] {
    return new Blocks(lines, this.depth + 1).read();
  }

  private quoted(): string[] {
    const lines: string[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at]!;
      if (!QUOTE.test(line) && !this.goesOn(line, lines)) break;
      lines.push(line.replace(QUOTE, ""));
    }
    return lines;
  }

  /** A paragraph goes on where its next line lacks the mark or the space of what it lies in. */
  private goesOn(line: string, before: readonly string[]): boolean {
    const last = before.at(-1) ?? "";
    return !startsBlock(line) && !BLANK.test(last) && !FENCE.test(last) && !INDENTED.test(last) && !HEADING.test(last);
  }

  private list(): HTMLElement {
    const [, , bullet, number] = ITEM.exec(this.lines[this.at]!)!;
    const kind = bullet!.at(-1);
    const start = Number(number ?? 1);
    const list = number === undefined ? h("ul") : h("ol", { start: start === 1 ? undefined : start });
    while (this.at < this.lines.length) {
      const item = ITEM.exec(this.lines[this.at]!);
      if (!item || item[2]!.at(-1) !== kind || RULE.test(this.lines[this.at]!)) break;
      list.append(this.item(item));
    }
    return list;
  }

  private item([whole, mark]: RegExpExecArray): HTMLElement {
    const first = this.lines[this.at]!;
    const space = whole.length - mark!.length;
    // Code in an item lies one space from its mark, and so does what stands in its next line.
    const width = mark!.length + (space > 4 || space === 0 || whole.length === first.length ? 1 : space);
    const lines = [first.slice(width)];
    const inset = new RegExp(`^ {${width}}`);
    this.at++;
    while (this.at < this.lines.length) {
      const line = this.lines[this.at]!;
      if (BLANK.test(line)) {
        const next = this.nextText();
        const after = this.lines[next] ?? "";
        const isInside = inset.test(after);
        if (isInside) for (; this.at < next; this.at++) lines.push("");
        // A blank line may lie between two items, too.
        if (ITEM.test(after)) this.at = next;
        if (!isInside) break;
      } else {
        if (!inset.test(line) && (ITEM.test(line) || !this.goesOn(line, lines))) break;
        lines.push(line.replace(inset, ""));
        this.at++;
      }
    }
    const isClose = !lines.includes("");
    // Lines that stand close have no paragraph of their own.
    return h(
      "li",
      {},
      ...this.inside(lines).flatMap((block) => (isClose && block.localName === "p" ? [...block.childNodes] : [block])),
    );
  }

  /** Where the next line is that is not blank. */
  private nextText(): number {
    let next = this.at;
    while (next < this.lines.length && BLANK.test(this.lines[next]!)) next++;
    return next;
  }

  private paragraph(): HTMLElement {
    const lines: string[] = [];
    for (; this.at < this.lines.length; this.at++) {
      const line = this.lines[this.at]!;
      if (lines.length && UNDERLINE.test(line)) {
        this.at++;
        return h("p", {}, h("strong", {}, ...inline(lines.join("\n"))));
      }
      if (lines.length && startsBlock(line)) break;
      lines.push(line.trimStart());
    }
    return h("p", {}, ...inline(lines.join("\n").trimEnd()));
  }
}

/** The blocks of an answer or a reply. */
export function rich(text: string): HTMLElement[] {
  if (text.length > MAX_TEXT) return [h("p", {}, ...linked(text))];
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^[ \t]+/, (space) => space.replace(/\t/g, "    ")));
  return new Blocks(lines, 0).read();
}
