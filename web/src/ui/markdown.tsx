import type { List as MarkdownList, Nodes, Parents } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { type ReactNode, useMemo } from "react";
import { ExternalLink } from "./links.js";

/** Markdown as React elements. HTML in it is shown as text, and pictures as links: loading one would tell that it was read. */
export default function Markdown({ text }: { text: string }): ReactNode {
  const tree = useMemo(() => fromMarkdown(text), [text]);
  return <div className="flex flex-col gap-2">{inside(tree)}</div>;
}

const inside = (node: Parents): ReactNode => node.children.map((child, i) => <Part key={i} node={child} />);
const isPage = (url: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(url);

const List = ({ list }: { list: MarkdownList }): ReactNode =>
  list.ordered ? (
    <ol start={list.start ?? 1} className="list-decimal ps-6">
      {inside(list)}
    </ol>
  ) : (
    <ul className="list-disc ps-6">{inside(list)}</ul>
  );

function Part({ node }: { node: Nodes }): ReactNode {
  switch (node.type) {
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
      return isPage(node.url) ? <ExternalLink to={node.url} text={inside(node)} /> : inside(node);
    case "image":
      return isPage(node.url) ? <ExternalLink to={node.url} text={node.alt ?? node.url} /> : node.alt;
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
