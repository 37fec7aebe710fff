import type { List as MarkdownList, Nodes, Parents } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { createContext, Fragment, type ReactNode, use, useMemo } from "react";
import { ExternalLink, linked } from "./links.js";

/** Markdown as React elements. HTML in it is shown as text, and pictures as links: loading one would tell that it was read. */
export default function Markdown({
  text,
  picture = () => undefined,
}: {
  text: string;
  /** A picture that came with the text, by its `cid:`. */
  picture?: ShowPicture;
}): ReactNode {
  const tree = useMemo(() => fromMarkdown(text), [text]);
  return (
    <Pictures value={picture}>
      <div className="flex flex-col gap-2">{inside(tree)}</div>
    </Pictures>
  );
}

export type ShowPicture = (id: string, alt: string) => ReactNode;
const Pictures = createContext<ShowPicture>(() => undefined);

function Picture({ url, alt }: { url: string; alt: string }): ReactNode {
  const picture = use(Pictures);
  return (/^cid:/i.test(url) && picture(url.slice(4), alt)) || alt;
}

const inside = (node: Parents): ReactNode => node.children.map((child, i) => <Part key={i} node={child} />);
const isPage = (url: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(url);

/** What a link says. Nothing in it is another link. */
const wordsOf = (node: Parents): ReactNode =>
  node.children.map((child, i) =>
    "children" in child ? <Fragment key={i}>{wordsOf(child)}</Fragment> : "value" in child ? child.value : null,
  );

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
      return isPage(node.url) ? <ExternalLink to={node.url} text={wordsOf(node)} /> : wordsOf(node);
    case "image":
      return <Image url={node.url} alt={node.alt ?? null} />;
    case "inlineCode":
      return <code className="rounded bg-hover px-1 font-mono text-[0.9em]">{node.value}</code>;
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
