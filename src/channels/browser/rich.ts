import { h } from "./common.js";

// Renders the Markdown of answers: paragraphs, lists, bold, italics, code and links. Everything else stays plain
// text. HTML is never interpreted.

const INLINE =
  /\*\*(.+?)\*\*|\*(?=\S)(.+?)\*|`([^`]+)`|\[([^[\]]+)\]\(((?:https?:\/\/|mailto:)[^\s)]+)\)|(https?:\/\/[^\s<>]+[^\s<>.,;:!?)'"])/g;
const ITEM = /^\s*(?:([-*])|\d+[.)])\s+(\S.*|)$/;

function inline(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, bold, italic, code, name, to, bare] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + whole.length;
    if (bold !== undefined) parts.push(h("strong", {}, ...inline(bold)));
    else if (italic !== undefined) parts.push(h("em", {}, ...inline(italic)));
    else if (code !== undefined) parts.push(h("code", {}, code));
    else parts.push(h("a", { href: to ?? bare, target: "_blank", rel: "noopener noreferrer" }, name ?? bare));
  }
  parts.push(text.slice(end));
  return parts;
}

/** A paragraph. Its line breaks are kept. */
const paragraph = (lines: string[]): HTMLElement =>
  h("p", {}, ...lines.flatMap((line, i) => [...(i ? [h("br")] : []), ...inline(line)]));

/** The paragraphs and lists of an answer. */
export function rich(text: string): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  let lines: string[] = [];
  const close = (): void => {
    if (lines.length) blocks.push(paragraph(lines));
    lines = [];
  };
  let list: HTMLElement | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [whole, bullet, item] = ITEM.exec(line) ?? [];
    if (whole !== undefined) {
      close();
      const tag = bullet ? "ul" : "ol";
      if (list?.localName !== tag) blocks.push((list = h(tag)));
      list.append(h("li", {}, ...inline(item!)));
      continue;
    }
    list = undefined;
    if (line.trim()) lines.push(line.replace(/^#{1,6}\s+/, ""));
    else close();
  }
  close();
  return blocks;
}
