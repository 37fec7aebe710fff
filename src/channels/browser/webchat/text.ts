import { h } from "../common.js";

const LINK = String.raw`https?:\/\/[^\s<>"]+`;
const PLAIN = new RegExp(`(?<url>${LINK})`, "g");
/** The subset of Markdown that replies need. Everything else stays plain text. */
const MARKDOWN = new RegExp(
  String.raw`\*\*(?<bold>[^*\n]+)\*\*|` +
    "`(?<code>[^`\\n]+)`" +
    String.raw`|\[(?<name>[^[\]\n]+)\]\((?<target>https?:\/\/[^\s)]+)\)|(?<url>${LINK})`,
  "g",
);

const PUNCTUATION = `.,;:!?'"])}`;

const link = (url: string, text: string): HTMLElement =>
  h("a", { href: url, target: "_blank", rel: "noopener noreferrer nofollow" }, text);

/** The message as text and links. HTML is never interpreted. */
export function textNodes(body: string, format: "text" | "markdown"): (Node | string)[] {
  const nodes: (Node | string)[] = [];
  let at = 0;
  for (const match of body.matchAll(format === "markdown" ? MARKDOWN : PLAIN)) {
    const { bold, code, name, target, url } = match.groups!;
    let length = match[0].length;
    let node: Node;
    if (url !== undefined) {
      // Punctuation at the end of the sentence does not belong to the URL.
      while (PUNCTUATION.includes(url[length - 1]!)) length--;
      const address = url.slice(0, length);
      node = link(address, address);
    } else
      node =
        bold !== undefined ? h("strong", {}, bold) : code !== undefined ? h("code", {}, code) : link(target!, name!);
    nodes.push(body.slice(at, match.index), node);
    at = match.index + length;
  }
  return [...nodes, body.slice(at)].filter((node) => node !== "");
}
