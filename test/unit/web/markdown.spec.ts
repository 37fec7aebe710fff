import { tests } from "commonmark-spec";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { htmlOfMarkdown } from "../../../src/platform/markdown/html.js";
import Markdown from "../../../web/src/ui/markdown.js";

// The dashboard shows a reply, before it is sent and after, as its mail does.

const shown = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text }));
const mailed = (text: string): string => htmlOfMarkdown(text, { direction: "ltr", pictureOf: () => undefined });

/** What is said, and what of it is bold, code, a link, a list or a quote: not how it looks, nor how an address is encoded. */
const meaning = (html: string): string =>
  html
    .replace(/ (?:style|class|target|rel|start)="[^"]*"/g, "")
    .replace(
      /href="([^"]*)"/g,
      (_, url: string) => `href="${decodeURI(url.replaceAll(/%(?![\da-f]{2})/gi, "%25")).replaceAll(`"`, "&quot;")}"`,
    )
    .replace(/<\/?(?:div|p|h[1-6]|br|hr)\/?>|<pre><code>|<\/code><\/pre>|<\/?pre>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, "")
    // In the dashboard, an address that was only written down is a link, too.
    .replace(/<ahref="([^"]*)">\1<\/a>/g, "$1");

test("shows the examples of CommonMark as the mail does", () => {
  // Marks without a text, and links without a word, say nothing in a mail. The dashboard shows them as they were written.
  const examples = tests.filter(({ html }) => /[^\s<>](?![^<]*>)/.test(html));
  expect(examples.length).toBeGreaterThan(500);
  for (const { markdown } of examples) {
    // Pages, so that their links count.
    const text = markdown.replace(/→/g, "\t").replace(/(?<=[(:<]\s*)\/(?=\w)/g, "https://pages.example/");
    expect(meaning(shown(text)), text).toBe(meaning(mailed(text)));
  }
});

describe("shows", () => {
  test.each([
    [
      "a link whose address stands elsewhere",
      "See [our page][1].\n\n[1]: https://example.com/a",
      `href="https://example.com/a"`,
    ],
    ["a picture whose address stands elsewhere", "![A chart][1]\n\n[1]: https://example.com/a.png", "A chart</a>"],
    ["definitions that are all of a text", "[note]: https://example.com", "[note]: "],
    ["Markdown in what looks like HTML", "<div>\n**Hello**\n</div>", "<strong>Hello</strong>"],
    ["what is bold in a link", "[**our** page](https://example.com)", "<strong>our</strong> page</a>"],
    ["a picture in a link", "[![moon](moon.jpg)](https://example.com)", "moon</a>"],
    ["a telephone number", "[call us](tel:+4930123)", `href="tel:+4930123"`],
  ])("%s", (_, text, html) => expect(shown(text)).toContain(html));

  test.each([
    ["a script's address", "[a](javascript:alert(1)) <javascript:alert(1)>\n\n[b]\n\n[b]: javascript:alert(1)"],
    ["an address that holds a page", "[a](data:text/html,x) ![b](data:text/html,x) ![c][d]\n\n[d]: vbscript:x"],
    ["HTML", "<img src=x onerror=alert(1)>\n\n<script>alert(1)</script> <svg/onload=alert(1)>"],
  ])("nothing that runs for %s", (_, text) => {
    expect(shown(text)).not.toMatch(/<(?:a|img|script|svg)\b|href=/);
  });
});

test.each(["1. ", "> ", "- ", "*_", "- > ", "*a ", "a**b", "[a](", "[a][", "- a\n", "[a]: x\n"])(
  "a text of many %j, which no person wrote, holds up nobody and is as deep as a page can be",
  (shape) => {
    const html = shown(`${shape.repeat(20_000 / shape.length)}the end`);
    expect(html).toContain("the end");
    expect(html).not.toMatch(/(?:<(?:div|blockquote|[ou]l|li|em|strong)\b[^>]*>){60}/);
  },
);
