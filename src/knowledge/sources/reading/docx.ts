import { escapeHtml } from "../../../platform/markdown/html.js";
import { attributeOf, type XmlToken, xmlTokens } from "./xml.js";
import { Zip } from "./zip.js";

/** So much of a document is inflated. A text of a thousand pages has some 20 MB of XML. */
const MAX_DOCUMENT = 32 * 1_048_576;
const MAX_PART = 4 * 1_048_576;

/** A Word document as HTML: its headings, paragraphs, lists, tables and links. @throws Error: it cannot be read */
export function htmlOfDocx(bytes: Buffer): string {
  const zip = new Zip(bytes);
  const document = zip.text("word/document.xml", MAX_DOCUMENT);
  if (document === undefined) throw new Error("it has no text");
  return new Body(
    headingsOf(zip.text("word/styles.xml", MAX_PART) ?? ""),
    linksOf(zip.text("word/_rels/document.xml.rels", MAX_PART) ?? ""),
  ).read(document);
}

/** The level of each style that is a heading. Its name is English in every language of Word, and its id is not. */
function headingsOf(styles: string): Map<string, number> {
  const levels = new Map<string, number>();
  let style = "";
  for (const token of xmlTokens(styles)) {
    if (token.type !== "open") continue;
    const value = attributeOf(token.attributes, "w:val") ?? "";
    if (token.name === "w:style") style = attributeOf(token.attributes, "w:styleId") ?? "";
    else if (token.name === "w:name") {
      const level = /^heading ([1-6])$/i.exec(value)?.[1] ?? (/^title$/i.test(value) ? "1" : undefined);
      if (level !== undefined) levels.set(style, Number(level));
    } else if (token.name === "w:outlineLvl" && /^[0-5]$/.test(value) && !levels.has(style))
      levels.set(style, Number(value) + 1);
  }
  return levels;
}

function linksOf(relations: string): Map<string, string> {
  const links = new Map<string, string>();
  for (const token of xmlTokens(relations))
    if (token.type === "open" && token.name === "Relationship") {
      const [id, target] = [attributeOf(token.attributes, "Id"), attributeOf(token.attributes, "Target")];
      if (id !== undefined && target !== undefined && /^https?:/i.test(target)) links.set(id, target);
    }
  return links;
}

class Body {
  private readonly html: string[] = [];
  private paragraph = "";
  private style = "";
  private isItem = false;
  private isBold = false;
  private isText = false;
  private isInList = false;
  /** Tables in tables are read as their texts. */
  private tables = 0;
  private readonly links: boolean[] = [];

  constructor(
    private readonly headings: ReadonlyMap<string, number>,
    private readonly targets: ReadonlyMap<string, string>,
  ) {}

  read(document: string): string {
    for (const token of xmlTokens(document)) {
      if (token.type === "text") this.text(token.text);
      else if (token.type === "close") this.close(token.name);
      else {
        this.open(token);
        if (token.isEmpty) this.close(token.name);
      }
    }
    this.endList();
    return this.html.join("");
  }

  private text(text: string): void {
    if (!this.isText) return;
    const html = escapeHtml(text);
    this.paragraph += this.isBold && text.trim() ? `<strong>${html}</strong>` : html;
  }

  private open({ name, attributes }: Extract<XmlToken, { type: "open" }>): void {
    switch (name) {
      case "w:p":
        [this.paragraph, this.style, this.isItem] = ["", "", false];
        break;
      case "w:pStyle":
        this.style = attributeOf(attributes, "w:val") ?? "";
        break;
      case "w:numPr":
        this.isItem = true;
        break;
      case "w:r":
        this.isBold = false;
        break;
      case "w:b":
        this.isBold = !/^(?:0|false|off)$/.test(attributeOf(attributes, "w:val") ?? "");
        break;
      case "w:t":
        this.isText = true;
        break;
      case "w:tab":
        this.paragraph += " ";
        break;
      case "w:br":
        this.paragraph += "<br>";
        break;
      case "w:hyperlink": {
        const target = this.targets.get(attributeOf(attributes, "r:id") ?? "");
        this.links.push(target !== undefined);
        if (target !== undefined) this.paragraph += `<a href="${escapeHtml(target)}">`;
        break;
      }
      default:
        this.table(name);
    }
  }

  private table(name: string): void {
    if (name === "w:tbl" && ++this.tables === 1) {
      this.endList();
      this.html.push("<table>");
    } else if (name === "w:tr" && this.tables === 1) this.html.push("<tr>");
    else if (name === "w:tc" && this.tables === 1) this.html.push("<td>");
  }

  private close(name: string): void {
    switch (name) {
      case "w:t":
        this.isText = false;
        break;
      case "w:p":
        this.endParagraph();
        break;
      case "w:hyperlink":
        if (this.links.pop()) this.paragraph += "</a>";
        break;
      case "w:tbl":
        if (this.tables-- === 1) this.html.push("</table>");
        break;
      case "w:tr":
      case "w:tc":
        if (this.tables === 1) this.html.push(name === "w:tr" ? "</tr>" : "</td>");
    }
  }

  private endParagraph(): void {
    const { paragraph } = this;
    this.paragraph = "";
    if (!paragraph.trim()) return;
    if (this.tables > 0) return void this.html.push(paragraph, " ");
    const level = this.headings.get(this.style);
    const isItem = this.isItem && level === undefined;
    if (!isItem) this.endList();
    else if (!this.isInList) {
      this.html.push("<ul>");
      this.isInList = true;
    }
    const tag = level === undefined ? (isItem ? "li" : "p") : `h${level}`;
    this.html.push(`<${tag}>${paragraph}</${tag}>\n`);
  }

  private endList(): void {
    if (this.isInList) this.html.push("</ul>");
    this.isInList = false;
  }
}
