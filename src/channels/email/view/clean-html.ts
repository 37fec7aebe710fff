import { fromHtml } from "hast-util-from-html";
import { sanitize, type Schema } from "hast-util-sanitize";
import { toHtml } from "hast-util-to-html";
import { cleanStyle } from "./clean-style.js";
import { holdsPicture } from "./picture.js";

type Root = ReturnType<typeof fromHtml>;
type RootContent = Root["children"][number];
type Element = Extract<RootContent, { type: "element" }>;

/** Characters that are read. */
const MAX_HTML = 500_000;
/** Elements that are shown. */
const MAX_ELEMENTS = 50_000;
/** Elements in one another. Those that lie deeper are shown as their text. */
const MAX_DEPTH = 200;
/** Remote pictures of a mail. */
const MAX_REMOTE = 50;
/** A picture with fewer pixels to a side shows nothing: it tells the sender that the mail was opened. */
const TRACKER_PIXELS = 3;
const MAX_URL = 2_000;

export interface CleanHtml {
  /** Runs nothing, and loads nothing. */
  html: string;
  /** Addresses of pictures that are left out, without those that are too small to show anything. */
  remotePictures: string[];
  /** Whether something at the end is missing. */
  isCut: boolean;
}

/** Pictures as `data:` URLs: those of the mail by their Content-ID, and remote ones by their address. */
export type Pictures = ReadonlyMap<string, string>;

/**
 * Makes the HTML of a stranger's mail safe to show. What is not known to be harmless is left out. The parser is that of the HTML
 * standard, so a browser sees what was cleaned, and nothing else. Quoted text is folded behind `…`.
 * @throws RangeError: elements lie too deep in one another to be read
 */
export function cleanHtml(html: string, pictures: Pictures): CleanHtml {
  const tree = fromHtml(html.slice(0, MAX_HTML));
  const remote = new Set<string>();
  const isCut = prepare(tree, pictures, remote) || html.length > MAX_HTML;
  return { html: toHtml(sanitize(tree, SCHEMA)), remotePictures: [...remote], isCut };
}

/** Changes what the schema cannot express. Goes through the tree without recursion. */
function prepare(tree: Root, pictures: Pictures, remote: Set<string>): boolean {
  let elements = 0;
  const waiting: { parent: Root | Element; depth: number; inQuote: boolean }[] = [
    { parent: tree, depth: 0, inQuote: false },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { parent, depth, inQuote } = next;
    if (depth > MAX_DEPTH) {
      parent.children = [{ type: "text", value: textOf(parent) }];
      continue;
    }
    const kept: RootContent[] = [];
    const before = { checked: 0, hasText: false };
    let rest: RootContent[] | undefined;
    for (const child of parent.children) {
      if (child.type === "element" && !inQuote && !rest && beginsOutlookQuote(child) && hasText(kept, before))
        rest = [];
      const shown = rest ?? kept;
      if (child.type !== "element") shown.push(child);
      else if (++elements <= MAX_ELEMENTS && isShown(child, pictures, remote)) {
        const isFolded = !inQuote && !rest && isQuote(child);
        shown.push(isFolded ? folded(child) : child);
        waiting.push({ parent: child, depth: depth + 1, inQuote: inQuote || isFolded || rest !== undefined });
      }
    }
    if (rest) kept.push(folded({ type: "element", tagName: "div", properties: {}, children: rest } as Element));
    parent.children = kept;
  }
  return elements > MAX_ELEMENTS;
}

/** Others, such as `/settings` and `https:settings`, would lead into the dashboard. */
const WHOLE_ADDRESS = /^\s*(https?:(?=\/\/)|mailto:|tel:)[^]*$/i;

/** Prepares the element itself. @returns false if nothing of it is to be shown */
function isShown(element: Element, pictures: Pictures, remote: Set<string>): boolean {
  const { tagName, properties } = element;
  if (tagName === "body") element.tagName = "div";
  if (typeof properties.style === "string") properties.style = cleanStyle(properties.style);
  if (tagName === "a") {
    const [address, scheme] = WHOLE_ADDRESS.exec(String(properties.href ?? "")) ?? [];
    properties.href = address && scheme!.toLowerCase() + address.trim().slice(scheme!.length);
    // Opens beside the dashboard, and learns nothing of it.
    Object.assign(properties, { target: "_blank", rel: ["noopener", "noreferrer", "nofollow"] });
  }
  return tagName !== "img" || isPicture(element, pictures, remote);
}

function isPicture({ properties }: Element, pictures: Pictures, remote: Set<string>): boolean {
  if ([properties.width, properties.height].some((side) => side !== undefined && Number(side) <= TRACKER_PIXELS))
    return false;
  const source = String(properties.src ?? "").trim();
  delete properties.src;
  if (holdsPicture(source)) properties.src = source;
  else if (/^cid:/i.test(source)) properties.src = pictures.get(contentId(source.slice(4)));
  else if (/^https?:\/\//i.test(source) && source.length <= MAX_URL) {
    properties.src = pictures.get(source);
    if (!properties.src && remote.size < MAX_REMOTE) remote.add(source);
  }
  return properties.src !== undefined || Boolean(properties.alt) || remote.has(source);
}

/** A Content-ID without its brackets, as a `cid:` address may encode it. */
export function contentId(id: string): string {
  const bare = id.trim().replace(/^<|>$/g, "");
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}

/** What Gmail, Apple, Thunderbird, Yahoo and ourselves put around the mail that is answered. */
const isQuote = ({ tagName, properties }: Element): boolean =>
  (tagName === "blockquote" && properties.type === "cite") ||
  (Array.isArray(properties.className) && properties.className.some((name) => QUOTES.has(String(name))));
const QUOTES = new Set(["gmail_quote", "gmail_quote_container", "yahoo_quoted", "protonmail_quote", "zmail_extra"]);

/** The line above the head of the mail that Outlook for Windows copies, in the versions since 2007. */
const OUTLOOK_LINE = /border-top: ?solid #(?:e1e1e1|b5c4df)/i;
/** The first line of that head. */
const OUTLOOK_HEAD = /^[\s*]{0,20}(?:from|von|de|van|da|från|fra|od|lähettäjä)\s?:/i;
const HEAD_CHARACTERS = 100;

/**
 * Outlook marks where the mail begins that is answered, and not where it ends: it is all that follows. If nothing stands before it, it was
 * forwarded, and is what somebody wants us to see.
 */
function beginsOutlookQuote(element: Element): boolean {
  if (/^(?:x_)*divRplyFwdMsg$/.test(String(element.properties.id ?? ""))) return true;
  // The line is around the head, which lies in an element of its own.
  let [line, depth]: [Element | undefined, number] = [element, 0];
  while (line && depth++ < 3 && !OUTLOOK_LINE.test(String(line.properties.style ?? "")))
    line = line.children.find((child) => child.type === "element");
  return line !== undefined && depth <= 3 && OUTLOOK_HEAD.test(textOf(line, HEAD_CHARACTERS));
}

/** Whether there is text in them. Each is looked at once. */
function hasText(children: RootContent[], before: { checked: number; hasText: boolean }): boolean {
  for (; !before.hasText && before.checked < children.length; before.checked++) {
    const child = children[before.checked]!;
    const text = child.type === "text" ? child.value : "children" in child ? textOf(child) : "";
    before.hasText = text.trim() !== "";
  }
  return before.hasText;
}

const folded = (element: Element): Element => ({
  type: "element",
  tagName: "details",
  properties: {},
  children: [
    { type: "element", tagName: "summary", properties: {}, children: [{ type: "text", value: "…" }] },
    element,
  ],
});

function textOf(parent: Root | Element, most = Infinity): string {
  let text = "";
  const waiting: (Root | RootContent)[] = [parent];
  for (let next = waiting.pop(); next && text.length < most; next = waiting.pop()) {
    if (next.type === "text") text += next.value;
    else if ("children" in next && !(next.type === "element" && STRIP.includes(next.tagName)))
      for (let n = next.children.length - 1; n >= 0; n--) waiting.push(next.children[n]!);
  }
  return text;
}

/** Elements that go with what is in them. Others that are not listed below go, and what is in them stays. */
const STRIP = [
  "script", "style", "title", "noscript", "template", "iframe", "frame", "frameset", "object", "embed", "applet", "svg", "math",
  "audio", "video", "canvas", "select", "textarea", "button", "map", "xmp", "plaintext", "noembed", "noframes",
]; // prettier-ignore

const SCHEMA: Schema = {
  strip: STRIP,
  tagNames: [
    "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "br", "caption", "center", "cite", "code",
    "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "font", "footer", "h1", "h2",
    "h3", "h4", "h5", "h6", "header", "hr", "i", "img", "ins", "kbd", "li", "main", "mark", "ol", "p", "pre", "q", "s", "samp",
    "section", "small", "span", "strike", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr",
    "tt", "u", "ul", "var", "wbr",
  ], // prettier-ignore
  attributes: {
    "*": ["align", "bgColor", "dir", "height", "lang", "style", "title", "vAlign", "width"],
    a: ["href", "rel", "target"],
    font: ["color", "face", "size"],
    img: ["alt", "border", "hSpace", "src", "vSpace"],
    ol: ["start", "type"],
    table: ["border", "cellPadding", "cellSpacing"],
    td: ["colSpan", "noWrap", "rowSpan"],
    th: ["colSpan", "noWrap", "rowSpan", "scope"],
    ul: ["type"],
  },
  protocols: { href: ["http", "https", "mailto", "tel"], src: ["data"] },
  ancestors: {},
  clobber: [],
  required: {},
};
