import { tests } from "commonmark-spec";
import { describe, expect, test } from "vitest";
import { htmlOfMarkdown, htmlOfText, type Picture } from "../../../src/platform/markdown/html.js";
import { plainText } from "../../../src/platform/markdown/plain-text.js";
import { attachmentsShownIn } from "../../../src/platform/markdown/read-markdown.js";
import { growth } from "../../support/cost.js";

const ID = "01890000-0000-7000-8000-000000000000";
const html = (text: string, pictureOf: (id: string) => Picture | undefined = () => undefined): string =>
  htmlOfMarkdown(text, { direction: "ltr", pictureOf });
const bare = (text: string): string => html(text).replace(/ style="[^"]*"/g, "");

describe("the plain text of Markdown", () => {
  test.each([
    ["**Bold**, *italic* and `code`", "Bold, italic and code"],
    ["# A heading\nand more", "A heading\n\nand more"],
    ["[the page](https://example.com/a?b=1&c=2)", "the page (https://example.com/a?b=1&c=2)"],
    ["<https://example.com> and <ada@example.com>", "https://example.com and ada@example.com"],
    ["[https://example.com](https://example.com)", "https://example.com"],
    ["[call us](tel:+4930123)", "call us (tel:+4930123)"],
    ["[no](javascript:alert(1)) [file](file:///etc/passwd)", "no file"],
    ["![A chart](https://example.com/chart.png)", "A chart (https://example.com/chart.png)"],
    [`Look: ![screen](cid:${ID})`, "Look: [screen]"],
    ["One\ntwo  \nthree\\\nfour", "One\ntwo\nthree\nfour"],
    ["- a\n- b\n  1. c\n  2. d\n- e", "- a\n- b\n  1. c\n  2. d\n- e"],
    ["3. three\n4. four\n\nEnd", "3. three\n4. four\n\nEnd"],
    ["- a\n\n  more\n\n- b", "- a\n\n  more\n\n- b"],
    ["> quoted\n>\n> > deeper\n\nAnswer", "> quoted\n>\n> > deeper\n\nAnswer"],
    ["Run\n\n```sh\nnpm ci\n\n  npm start\n```\n\nand wait", "Run\n\nnpm ci\n\n  npm start\n\nand wait"],
    ["5 * 3 \\* 2, order_no_7, AT&amp;T &lt;b&gt;", "5 * 3 * 2, order_no_7, AT&T <b>"],
    ["<b>not HTML</b>", "<b>not HTML</b>"],
    ["[only]: https://example.com", "[only]: https://example.com"],
  ])("%j", (markdown, text) => expect(plainText(markdown)).toBe(text));
});

describe("the HTML of Markdown", () => {
  test.each([
    ["**Bold** and *italic*", "<p><strong>Bold</strong> and <em>italic</em></p>"],
    ["a\nb", "<p>a<br>\nb</p>"],
    ["- a\n- b", "<ul><li>a\n</li>\n<li>b\n</li>\n</ul>"],
    ["2. b", '<ol start="2"><li>b\n</li>\n</ol>'],
    ['[a "b"](https://example.com/?a=1&b=2)', '<p><a href="https://example.com/?a=1&amp;b=2">a &quot;b&quot;</a></p>'],
    ["[no](javascript:alert(1)) [no](data:text/html,x)", "<p>no no</p>"],
    ["![A chart](https://example.com/c.png)", '<p><a href="https://example.com/c.png">A chart</a></p>'],
    [
      "![A **big** [chart](x)](https://example.com/c.png)",
      '<p><a href="https://example.com/c.png">A big chart</a></p>',
    ],
    ["<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"],
  ])("%j", (markdown, expected) => expect(bare(markdown).trim()).toBe(expected));

  test("shows a picture that comes with the mail, and names one that does not", () => {
    const text = `![A "screen"](cid:${ID})`;
    expect(attachmentsShownIn(text)).toEqual([ID]);
    expect(html(text, (id) => ({ url: `cid:${id}@parley`, width: 2_000 }))).toContain(
      `<img src="cid:${ID}@parley" alt="A &quot;screen&quot;" width="600" style="max-width:100%;height:auto;border:0">`,
    );
    expect(bare(text)).toBe("<p>A &quot;screen&quot;</p>\n");
  });

  test("turns to the right for languages that are written from there", () => {
    const mirrored = htmlOfMarkdown("> a\n\n- b", { direction: "rtl", pictureOf: () => undefined });
    expect(mirrored).toContain("border-right:");
    expect(mirrored).not.toMatch(/border-left|0 0 16px 24px/);
  });

  test("keeps the lines and spaces of a text", () => {
    expect(htmlOfText("a  <b>\r\n c\n\nd")).toBe(
      '<p style="margin:0 0 16px">a&nbsp; &lt;b&gt;<br>\n&nbsp;c<br>\n<br>\nd</p>\n',
    );
  });
});

/** All that may be in what leaves. */
const TAG =
  /^<(?:\/(?:p|h[1-6]|ul|ol|li|blockquote|pre|code|strong|em|a)|(?:p|h[1-6]|ul|li|blockquote|pre|code|hr) style="[\w#%:;.,'\- ]*"|ol(?: start="\d{1,10}")? style="[\w#%:;.,'\- ]*"|a href="(?:https?:\/\/|mailto:|tel:)[^"<>]*"|strong|em|br)>$/i;

test("nothing in the examples of CommonMark becomes HTML of its own, a script or another kind of link", () => {
  expect(tests.length).toBeGreaterThan(600);
  for (const { markdown } of tests) {
    const made = html(markdown);
    for (const [tag] of made.matchAll(/<[^>]*>?/g)) expect(tag, markdown).toMatch(TAG);
    if (markdown.trim()) expect(plainText(markdown).trim(), markdown).not.toBe("");
  }
});

test("a text that no person wrote takes time in proportion to its length, and none of it is lost", () => {
  const size = 100_000;
  const shapes = [
    "*",
    "[",
    ">",
    "> ",
    "*_",
    "*a ",
    "[a](",
    "![",
    "- ",
    "`a",
    "<a ",
    "&",
    "\\",
    "- a\n",
    ">\n",
    "1. ",
    "[a]: x\n",
    "_a",
  ];
  for (const shape of shapes) {
    const text = `${shape.repeat(size / shape.length)}the end`;
    expect(plainText(text), shape).toContain("the end");
    expect(html(text).length, shape).toBeLessThan(1_000_000);
    expect(
      growth((length) => html(shape.repeat(length / shape.length)), 12_500),
      shape,
    ).toBeLessThan(30);
  }
  for (const nested of [
    (length: number) => `${"[".repeat(length)}${"]".repeat(length)}`,
    (length: number) => `${"*a ".repeat(length)}${"b*".repeat(length)}`,
  ])
    expect(growth((length) => html(nested(length)), 2_000)).toBeLessThan(30);
});
