import { attachmentOf, linkOf, type MarkdownToken, readMarkdown } from "./read-markdown.js";

/** What stands before the lines of a block: a quote's mark, or the space of a list item, whose first line has its number. */
interface Margin {
  first: string | undefined;
  rest: string;
}

/** Markdown as plain text: without its marks, and with addresses behind their links. Lists, quotes and code stay what they are. */
export function plainText(markdown: string): string {
  const tokens = readMarkdown(markdown);
  const text = tokens ? new Lines().write(tokens) : "";
  // Definitions of links alone say nothing, but somebody wrote them.
  return text.trim() ? text : markdown;
}

class Lines {
  private readonly lines: string[] = [];
  private readonly margins: Margin[] = [];
  /** The next number of each list that is open; undefined for one without numbers. */
  private readonly lists: (number | undefined)[] = [];
  /** Whether a blank line comes before the next block. */
  private hasGap = false;

  write(tokens: readonly MarkdownToken[]): string {
    for (const token of tokens) this.add(token);
    return this.lines.join("\n");
  }

  private add(token: MarkdownToken): void {
    switch (token.type) {
      case "blockquote_open":
        return this.open({ first: "> ", rest: "> " });
      case "blockquote_close":
        this.close();
        this.hasGap = true;
        return;
      case "bullet_list_open":
        this.lists.push(undefined);
        return;
      case "ordered_list_open":
        this.lists.push(Number(token.attrGet("start") ?? 1));
        return;
      case "bullet_list_close":
      case "ordered_list_close":
        this.lists.pop();
        // A list in a list ends as the lines around it do.
        if (this.lists.length === 0) this.hasGap = true;
        return;
      case "list_item_open":
        return this.open(this.item());
      case "list_item_close":
        return this.close();
      case "paragraph_close":
        this.hasGap = !token.hidden;
        return;
      case "heading_close":
        this.hasGap = true;
        return;
      case "inline":
        return this.block(inlineText(token.children ?? []));
      case "fence":
      case "code_block":
        this.block(token.content.replace(/\n$/, ""));
        this.hasGap = true;
        return;
      case "hr":
        this.block("---");
        this.hasGap = true;
    }
  }

  private item(): Margin {
    const number = this.lists.at(-1);
    if (number === undefined) return { first: "- ", rest: "  " };
    this.lists[this.lists.length - 1] = number + 1;
    const first = `${number}. `;
    return { first, rest: " ".repeat(first.length) };
  }

  private open(margin: Margin): void {
    this.gap();
    this.margins.push(margin);
  }

  private close(): void {
    // Nothing was in it.
    if (this.margins.at(-1)!.first !== undefined && this.margins.at(-1)!.first !== "> ") this.line("");
    this.margins.pop();
  }

  private gap(): void {
    if (this.hasGap && this.lines.length)
      this.lines.push(
        this.margins
          .map(({ rest }) => rest)
          .join("")
          .trimEnd(),
      );
    this.hasGap = false;
  }

  private block(text: string): void {
    this.gap();
    for (const line of text.split("\n")) this.line(line);
  }

  private line(text: string): void {
    const before = this.margins.map((margin) => margin.first ?? margin.rest).join("");
    for (const margin of this.margins) margin.first = undefined;
    this.lines.push((before + text).trimEnd());
  }
}

function inlineText(tokens: readonly MarkdownToken[]): string {
  let text = "";
  const links: { from: number; address: string | undefined }[] = [];
  for (const token of tokens) {
    switch (token.type) {
      case "text":
      case "text_special":
      case "code_inline":
        text += token.content;
        break;
      case "softbreak":
      case "hardbreak":
        text += "\n";
        break;
      case "link_open":
        // An address that stands for itself is there already.
        links.push({ from: text.length, address: token.markup === "autolink" ? undefined : linkOf(token) });
        break;
      case "link_close":
        text += behind(text.slice(links.at(-1)!.from), links.pop()!.address);
        break;
      case "image":
        text += attachmentOf(token) ? `[${inlineText(token.children ?? [])}]` : pictureText(token);
    }
  }
  return text;
}

function pictureText(token: MarkdownToken): string {
  const name = inlineText(token.children ?? []);
  return name + behind(name, linkOf(token));
}

/** The address of a link, unless its text is the address. */
function behind(text: string, address: string | undefined): string {
  if (!address || text === address || `mailto:${text}` === address || `tel:${text}` === address) return "";
  return text ? ` (${address})` : address;
}
