import type { ImageReference, LinkReference, List as MarkdownList, Nodes, Parents, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { createContext, type ReactNode, use, useMemo } from "react";
import { ExternalLink, linked } from "./links.js";

/** Longer and deeper texts, and those with more marks in a paragraph, take a browser seconds. They are shown as they were written. */
const MAX_TEXT = 20_000;
const MAX_DEPTH = 40;
const MAX_MARKS = 2_000;
/** What a line begins with: quotes, and items of lists, in one another. */
const DEEP = new RegExp(String.raw`^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){${MAX_DEPTH}}`, "m");

/** As in the mail: what looks like HTML is text like any other, so the Markdown in it counts. */
const WITHOUT_HTML = { extensions: [{ disable: { null: ["htmlFlow", "htmlText"] } }] };

interface Read {
  tree: Root;
  /** Where the links lead that are defined elsewhere in the text, by their names. */
  targets: ReadonlyMap<string, string>;
}

/** @returns undefined for a text that is to be shown as it was written */
function read(text: string): Read | undefined {
  if (text.length > MAX_TEXT || DEEP.test(text) || (text.match(/\*+|_+/g)?.length ?? 0) > MAX_MARKS) return undefined;
  const tree = fromMarkdown(text, WITHOUT_HTML);
  const targets = new Map<string, string>();
  let says = false;
  const waiting: { node: Nodes; depth: number }[] = [{ node: tree, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    if (depth > MAX_DEPTH) return undefined;
    if (node.type === "definition") targets.set(node.identifier, targets.get(node.identifier) ?? node.url);
    else if ("children" in node)
      for (const child of node.children.toReversed()) waiting.push({ node: child, depth: depth + 1 });
    else says = true;
  }
  // Definitions of links alone say nothing, but somebody wrote them.
  return says ? { tree, targets } : undefined;
}

/** Markdown as React elements. HTML in it is shown as text, and pictures as links: loading one would tell that it was read. */
export default function Markdown({
  text,
  picture = () => undefined,
}: {
  text: string;
  /** A picture that came with the text, by its `cid:`. */
  picture?: ShowPicture;
}): ReactNode {
  const content = useMemo(() => read(text), [text]);
  if (!content) return <div className="whitespace-pre-wrap">{linked(text)}</div>;
  return (
    <Shown value={{ picture, targets: content.targets }}>
      <div className="flex flex-col gap-2">{inside(content.tree)}</div>
    </Shown>
  );
}

export type ShowPicture = (id: string, alt: string) => ReactNode;
const Shown = createContext<{ picture: ShowPicture; targets: Read["targets"] }>({
  picture: () => undefined,
  targets: new Map(),
});

function Picture({ url, alt }: { url: string; alt: string }): ReactNode {
  const { picture } = use(Shown);
  return (/^cid:/i.test(url) && picture(url.slice(4), alt)) || alt;
}

const inside = (node: Parents): ReactNode => node.children.map((child, i) => <Part key={i} node={child} />);
const isPage = (url: string): boolean => /^(?:https?:\/\/|mailto:|tel:)\S/i.test(url);

/** What a link says. Nothing in it is another link. */
const wordsOf = (node: Parents): ReactNode => node.children.map((child, i) => <Word key={i} node={child} />);

function Word({ node }: { node: Nodes }): ReactNode {
  if (node.type === "strong") return <strong>{wordsOf(node)}</strong>;
  if (node.type === "emphasis") return <em>{wordsOf(node)}</em>;
  if (node.type === "inlineCode") return <Part node={node} />;
  if ("children" in node) return wordsOf(node);
  return "value" in node ? node.value : "alt" in node ? node.alt : null;
}

const Link = ({ url, node }: { url: string; node: Parents }): ReactNode =>
  isPage(url) ? <ExternalLink to={url} text={wordsOf(node)} /> : wordsOf(node);

/** Links and pictures whose address is defined elsewhere in the text. */
function Reference({ node }: { node: LinkReference | ImageReference }): ReactNode {
  const url = use(Shown).targets.get(node.identifier) ?? "";
  return node.type === "linkReference" ? <Link url={url} node={node} /> : <Image url={url} alt={node.alt ?? null} />;
}

const List = ({ list }: { list: MarkdownList }): ReactNode =>
  list.ordered ? (
    <ol start={list.start ?? 1} className="list-decimal ps-6">
      {inside(list)}
    </ol>
  ) : (
    <ul className="list-disc ps-6">{inside(list)}</ul>
  );

/** Pictures of other servers are links: loading one would tell that server who reads. */
const Image = ({ url, alt }: { url: string; alt: string | null }): ReactNode =>
  isPage(url) ? <ExternalLink to={url} text={alt ?? url} /> : <Picture url={url} alt={alt ?? ""} />;

function Part({ node }: { node: Nodes }): ReactNode {
  switch (node.type) {
    case "text":
      // Also an address that was only written down.
      return linked(node.value);
    case "paragraph":
      return <p className="whitespace-pre-wrap">{inside(node)}</p>;
    case "heading":
      return <p className="font-semibold">{inside(node)}</p>;
    case "strong":
      return <strong>{inside(node)}</strong>;
    case "emphasis":
      return <em>{inside(node)}</em>;
    case "blockquote":
      return <blockquote className="border-s-2 border-line ps-3 text-muted">{inside(node)}</blockquote>;
    case "list":
      return <List list={node} />;
    case "listItem":
      return <li>{inside(node)}</li>;
    case "link":
      return <Link url={node.url} node={node} />;
    case "linkReference":
    case "imageReference":
      return <Reference node={node} />;
    case "image":
      return <Image url={node.url} alt={node.alt ?? null} />;
    case "inlineCode":
      return <code className="rounded bg-hover px-1 font-mono text-[0.9em]">{node.value.replace(/\n/g, " ")}</code>;
    case "code":
      return (
        <pre className="overflow-x-auto rounded-md bg-hover p-2 font-mono text-sm">
          <code>{node.value}</code>
        </pre>
      );
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr className="border-line" />;
    default:
      return "value" in node ? node.value : "children" in node ? inside(node) : null;
  }
}
