import { fromHtml } from "hast-util-from-html";
import {
  childrenOf,
  type Element,
  isBlock,
  isElement,
  isLeftOut,
  Markdown,
  type Node,
  partsOf,
  type Root,
  targetOf,
  textOf,
} from "./markdown-of.js";
import { asks, isQuestion } from "./headings.js";
import { Cutter, QUESTION_LEVEL, withoutMark, type ReadDocument } from "./sections.js";

const MAX_LINKS = 2_000;
/** People nest some thirty. What is deeper takes more than linear time to read. */
const MAX_DEPTH = 200;
const MAX_NODES = 200_000;
const MAX_FACTS = 500_000;

interface Origin {
  /** The address of the page, for its links. */
  url?: string;
  /** The name of the file, which stands before its headings. */
  file?: string;
  /** Where the page says no title itself. */
  title?: string;
}

/** Cuts a page into questions and answers. @throws Error: it cannot be read */
export function readHtml(html: string, { url, file, title: given = "" }: Origin = {}): ReadDocument {
  const tree = fromHtml(html);
  const found = survey(tree);
  const base = url === undefined ? undefined : new URL(url);
  const title = found.title && !given ? siteless(found.title) : given;
  const cutter = new Cutter(title, file);
  const markdown = new Markdown(base);
  for (const [question, answer] of faqsOf(found.facts, markdown)) cutter.pair(question, answer);
  const body = found.main ?? found.article ?? found.body;
  if (body) new Page(cutter, markdown).read(body);
  cutter.end();
  const links = new Set<string>();
  for (const href of found.links) {
    const target = targetOf(href, base);
    if (target && /^https?:/.test(target) && links.size < MAX_LINKS) links.add(target.split("#", 1)[0]!);
  }
  return {
    title,
    language: found.language,
    sections: cutter.sections,
    links: [...links],
    isCut: cutter.isCut || found.nodes > MAX_NODES,
  };
}

interface Found {
  title?: string;
  language?: string;
  body?: Element;
  main?: Element;
  article?: Element;
  links: string[];
  /** JSON-LD. */
  facts: string[];
  nodes: number;
}

/** Looks at each element once, without recursion, and cuts off what is too deep or too much. */
function survey(tree: Root): Found {
  const found: Found = { links: [], facts: [], nodes: 0 };
  const level: { node: Node; depth: number }[] = [{ node: tree, depth: 0 }];
  const articles: Element[] = [];
  for (let next = level.pop(); next; next = level.pop()) {
    const { node, depth } = next;
    found.nodes++;
    if (isElement(node)) note(node, found, articles);
    if (!("children" in node)) continue;
    if (depth >= MAX_DEPTH || found.nodes > MAX_NODES) node.children = [];
    for (let i = node.children.length - 1; i >= 0; i--) level.push({ node: node.children[i]!, depth: depth + 1 });
  }
  // Several are a list of articles.
  if (articles.length === 1) [found.article] = articles;
  return found;
}

function note(node: Element, found: Found, articles: Element[]): void {
  const { properties } = node;
  switch (node.tagName) {
    case "html": {
      const language = /^[a-z]{2}(?=-|$)/i.exec(typeof properties.lang === "string" ? properties.lang : "")?.[0];
      if (language) found.language ??= language.toLowerCase();
      break;
    }
    case "title":
      found.title ??= childrenOf(node)
        .map((child) => (child.type === "text" ? child.value : ""))
        .join("")
        .trim();
      break;
    case "body":
      found.body ??= node;
      break;
    case "main":
      found.main ??= node;
      break;
    case "article":
      articles.push(node);
      break;
    case "a":
      if (typeof properties.href === "string") found.links.push(properties.href);
      break;
    case "script":
      if (properties.type === "application/ld+json")
        found.facts.push(
          childrenOf(node)
            .map((child) => (child.type === "text" ? child.value : ""))
            .join(""),
        );
  }
  if (properties.role === "main") found.main ??= node;
}

/** `Refunds | Shop` is `Refunds`. */
const siteless = (title: string): string =>
  title
    .replace(/\s+/g, " ")
    .split(/ [|–—·•»] /)[0]!
    .trim();

class Page {
  constructor(
    private readonly cutter: Cutter,
    private readonly markdown: Markdown,
  ) {}

  read(node: Node): void {
    let inline: Node[] = [];
    const endInline = (): void => {
      const text = this.markdown.paragraph(inline);
      inline = [];
      if (text) this.cutter.block(text);
    };
    for (const child of childrenOf(node)) {
      if (isElement(child, "button")) {
        // Some accordions have nothing else above their answers.
        const text = textOf(child, true);
        if (!isQuestion(text)) continue;
        endInline();
        this.cutter.heading(QUESTION_LEVEL, text);
        continue;
      }
      if (isLeftOut(child) || isOfSite(child)) continue;
      if (!isBlock(child) && !childrenOf(child).some((one) => isBlock(one) || isElement(one, "button"))) {
        inline.push(child);
        continue;
      }
      endInline();
      this.block(child as Node as Element);
    }
    endInline();
  }

  private block(node: Element): void {
    const { tagName } = node;
    if (/^h[1-6]$/.test(tagName)) return this.cutter.heading(Number(tagName[1]), textOf(node, true));
    if (tagName === "details") return this.details(node);
    if (tagName === "dl") return this.definitions(node);
    if (isSchema(node, "Question")) return this.marked(node);
    if (isContents(node)) return this.cutter.contents();
    const asked = tagName === "p" ? boldQuestionOf(node) : undefined;
    if (asked) {
      this.cutter.heading(QUESTION_LEVEL, textOf(asked.bold));
      return this.read({ ...node, children: asked.rest as Element[] });
    }
    if (/^(?:p|ul|ol|pre|blockquote|table|figcaption)$/.test(tagName) && !hasHeading(node))
      for (const block of this.markdown.blocks([node])) this.cutter.block(block);
    else this.read(node);
  }

  private details(node: Element): void {
    const summary = childrenOf(node).find((child) => isElement(child, "summary"));
    const rest = childrenOf(node).filter((child) => child !== summary);
    const title = summary ? textOf(summary, true) : "";
    if (isQuestion(title)) return this.cutter.pair(title, this.markdown.blocks(rest));
    if (title) this.cutter.block(`**${title}**`);
    this.read({ ...node, children: rest as Element[] });
  }

  /** A list of terms is an answer itself; a list of questions is not. */
  private definitions(node: Element): void {
    const parts = partsOf(node, "dt", "dd");
    if (!parts.some((part) => isElement(part, "dt") && isQuestion(textOf(part, true)))) {
      for (const block of this.markdown.blocks([node])) this.cutter.block(block);
      return;
    }
    let question = "";
    let answer: string[] = [];
    for (const part of parts) {
      if (isElement(part, "dt")) {
        if (question) this.cutter.pair(question, answer);
        [question, answer] = [textOf(part, true), []];
      } else answer.push(...this.markdown.blocks(childrenOf(part)));
    }
    if (question) this.cutter.pair(question, answer);
  }

  /** A question in the vocabulary of schema.org. */
  private marked(node: Element): void {
    const name = propertyOf(node, "name");
    const answer = propertyOf(node, "acceptedAnswer");
    const text = answer && (propertyOf(answer, "text") ?? answer);
    if (name && text) this.cutter.pair(textOf(name, true), this.markdown.blocks(childrenOf(text)));
    else this.read(node);
  }
}

/** What every page of a site has. An article may have a header of its own. */
const isOfSite = (node: Node): boolean =>
  isElement(node, "aside") || (isElement(node, "header") && !partsOf(node, "h1", "h2").length);

const hasHeading = (node: Element): boolean => partsOf(node, "h1", "h2", "h3", "h4", "h5", "h6", "details").length > 0;

/** A list of nothing but places on the page. */
function isContents(node: Element): boolean {
  if (!isElement(node, "ul", "ol")) return false;
  const links = partsOf(node, "a");
  const letters = (one: Node): string => textOf(one).replace(/\s/g, "");
  return (
    links.length > 0 &&
    links.every(({ properties }) => typeof properties.href === "string" && properties.href.startsWith("#")) &&
    links.map(letters).join("") === letters(node)
  );
}

/** A paragraph of nothing but a bold question, or one that begins with it and goes on with its answer. */
function boldQuestionOf(node: Element): { bold: Element; rest: readonly Node[] } | undefined {
  const children = childrenOf(node).filter((child) => child.type !== "text" || child.value.trim());
  const [bold, ...rest] = children;
  if (!bold || !isElement(bold, "strong", "b")) return undefined;
  const text = textOf(bold);
  return isQuestion(text) && (!rest.length || asks(withoutMark(text))) ? { bold, rest } : undefined;
}

const isSchema = (node: Element, type: string): boolean => {
  const { itemType } = node.properties;
  return [itemType].flat().some((one) => typeof one === "string" && one.endsWith(`schema.org/${type}`));
};

function propertyOf(node: Element, name: string): Element | undefined {
  for (const child of childrenOf(node)) {
    if (!isElement(child)) continue;
    if ([child.properties.itemProp].flat().includes(name)) return child;
    const below = propertyOf(child, name);
    if (below) return below;
  }
  return undefined;
}

/** The questions of a `FAQPage` in JSON-LD, with their answers. */
function faqsOf(facts: readonly string[], markdown: Markdown): [string, string[]][] {
  const pairs: [string, string[]][] = [];
  for (const text of facts) {
    if (text.length > MAX_FACTS) continue;
    for (const page of itemsOf(parsed(text), "FAQPage"))
      for (const question of [page.mainEntity].flat()) {
        const { name, acceptedAnswer } = (question ?? {}) as Facts;
        const [answer] = [acceptedAnswer].flat() as (Facts | undefined)[];
        if (typeof name !== "string" || typeof answer?.text !== "string") continue;
        const blocks = markdown.blocks(fromHtml(answer.text, { fragment: true }).children);
        pairs.push([textOf(fromHtml(name, { fragment: true })), blocks]);
      }
  }
  return pairs;
}

type Facts = Record<string, unknown>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** They stand by themselves, in a list, or in a graph. */
function itemsOf(facts: unknown, type: string, depth = 0): Facts[] {
  if (typeof facts !== "object" || facts === null || depth > 4) return [];
  if (Array.isArray(facts)) return facts.flatMap((one) => itemsOf(one, type, depth + 1));
  const item = facts as Facts;
  return [item["@type"]].flat().includes(type) ? [item] : itemsOf(item["@graph"], type, depth + 1);
}
