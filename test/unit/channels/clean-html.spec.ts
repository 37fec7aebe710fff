import { describe, expect, it } from "vitest";
import { cleanHtml } from "../../../src/channels/email/view/clean-html.js";
import { gif, png } from "../../server/attachments/support.js";
import { cleanStyle } from "../../../src/channels/email/view/clean-style.js";

const clean = (html: string, pictures: ReadonlyMap<string, string> = new Map()) => cleanHtml(html, pictures);
const PNG = "data:image/png;base64,iVBORw0KGgo=";

const timeOf = (html: string): number => {
  const began = performance.now();
  cleanHtml(html, new Map());
  return performance.now() - began;
};

describe("a mail's HTML", () => {
  it.each([
    ["a script", `<p>Hi</p><script>alert(1)</script>`],
    ["a handler", `<p onclick="alert(1)" onmouseover=alert(2)>Hi</p>`],
    ["a script's address", `<p>Hi</p><a href="javascript:alert(1)"></a><a href=" java\nscript:alert(1)"></a>`],
    ["a form", `<p>Hi</p><form action="https://evil.example"><input name="password"></form>`],
    ["a frame", `<p>Hi</p><iframe src="https://evil.example"></iframe><object data="x"></object><embed src="x">`],
    ["drawings", `<p>Hi</p><svg onload=alert(1)><script>alert(1)</script></svg><math><mtext></mtext></math>`],
    [
      "what belongs to the head",
      `<base href="https://evil.example"><meta http-equiv="refresh" content="0"><link rel="stylesheet" href="https://evil.example/a.css"><style>p{background:url(https://evil.example)}</style><p>Hi</p>`,
    ],
    ["a comment that hides something", `<!--[if mso]><script>alert(1)</script><![endif]--><p>Hi</p>`],
    [
      "markup that a browser repairs into a script",
      `<p>Hi</p><noscript><p title="</noscript><img src=x onerror=alert(1)>"></p></noscript>`,
    ],
    ["names that take a property's place", `<p id="body" name="cookie" class="fixed">Hi</p>`],
  ])("has nothing of %s", (_, html) => {
    const { html: shown } = clean(html);
    expect(shown).toMatch(/<p>Hi<\/p>/);
    expect(shown).not.toMatch(
      /script|alert|evil|<(?:form|input|iframe|object|embed|svg|math|base|meta|link|style)|on\w+=|id=|class=/,
    );
  });

  it("keeps what it looks like", () => {
    const table = `<table width="600" bgcolor="#fafafa" style="border-collapse: collapse"><tbody><tr><td align="center" style="color: rgb(1, 2, 3); font-family: 'Helvetica Neue', Arial">Hello <b>Ada</b></td></tr></tbody></table>`;
    expect(clean(`<html><body dir="rtl" style="background: #eee">${table}</body></html>`).html).toBe(
      `<div dir="rtl" style="background: #eee">${table.replaceAll("'", "&#x27;")}</div>`,
    );
  });

  it("loads nothing, counts the pictures that it leaves out, and shows those that it is given", () => {
    const html = `<img src="https://shop.example/a.png" alt="A chair"><img src="cid:logo%40shop"><img src="https://shop.example/t.gif" width="1" height="1"><img srcset="https://shop.example/b.png 2x"><td background="https://shop.example/c.png">`;
    const left = clean(html);
    expect(left.remotePictures).toEqual(["https://shop.example/a.png"]);
    expect(left.html).not.toContain("shop.example");
    expect(left.html).toContain(`alt="A chair"`);
    const shown = clean(
      html,
      new Map([
        ["https://shop.example/a.png", PNG],
        ["logo@shop", PNG],
      ]),
    );
    expect(shown.remotePictures).toEqual([]);
    expect(shown.html.split(PNG)).toHaveLength(3);
  });

  it.each([
    ["a picture", png(40, 30), true],
    ["a picture of 40 megapixels", png(8_000, 5_000), true],
    ["a larger one", png(30_000, 30_000), false],
    ["a GIF that its first frame enlarges", gif(10, 10, 30_000), false],
    ["what is no picture", Buffer.from("alert(1)"), false],
  ])("shows %s that its address holds only if a browser can stand it", (_, bytes, isShown) => {
    const { html } = clean(`<img src="data:image/png;base64,${bytes.toString("base64")}" alt="A chair">`);
    expect(html).toContain(`alt="A chair"`);
    expect(html.includes("base64")).toBe(isShown);
  });

  it("opens links beside the dashboard, and tells their pages nothing", () => {
    expect(
      clean(`<a href="https://shop.example/?a=1&b=2" target="_top" ping="https://evil.example">Shop</a>`).html,
    ).toBe(
      `<div><a href="https://shop.example/?a=1&#x26;b=2" target="_blank" rel="noopener noreferrer nofollow">Shop</a></div>`,
    );
  });

  it("has no link into the dashboard, where it is shown", () => {
    const links = [
      "/settings",
      "settings",
      "?q=a",
      "#a",
      "//shop.example",
      "https:settings",
      "https:/settings",
      "\\\\shop.example",
    ];
    for (const to of links) expect(clean(`<a href="${to}">Shop</a>`).html, to).not.toContain("href");
    for (const to of ["https://shop.example/", " HTTP://shop.example/", "mailto:a@shop.example", "tel:+4930123"])
      expect(clean(`<a href="${to}">Shop</a>`).html, to).toContain("href");
  });

  it.each([
    `<blockquote type="cite">You wrote</blockquote>`,
    `<div class="gmail_quote gmail_quote_container">You wrote</div>`,
    `<div class="yahoo_quoted">You wrote</div>`,
  ])("folds quoted text: %s", (quote) => {
    expect(clean(`<p>Yes</p>${quote}`).html).toMatch(
      /<p>Yes<\/p><details><summary>…<\/summary><(?:blockquote|div)>You wrote<\/(?:blockquote|div)><\/details>/,
    );
  });

  const HEAD = "<p><b>From:</b> Ada<br><b>Sent:</b> Monday<br><b>To:</b> Us<br><b>Subject:</b> Chairs</p>";
  it.each([
    ["the web", `<hr><div id="divRplyFwdMsg"><font>${HEAD}</font></div>`],
    ["the web, answered again", `<div id="x_divRplyFwdMsg">${HEAD}</div>`],
    [
      "Windows",
      `<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">${HEAD}</div></div>`,
    ],
    ["Windows, in German", `<div style='border-top:solid #B5C4DF 1.0pt'><p>Von: Ada</p></div>`],
  ])("folds what Outlook for %s quotes, which is all that follows", (_, head) => {
    const { html } = clean(`<div><p>Yes</p>${head}<p>You wrote</p><blockquote type="cite">I wrote</blockquote></div>`);
    const [before, quoted] = html.split("<details><summary>…</summary>") as [string, string];
    expect(before).toContain("Yes");
    expect(before).not.toMatch(/From:|Von:|wrote/);
    expect(quoted).toMatch(/(?:From:|Von:)[^]*You wrote[^]*I wrote[^]*<\/details>/);
    expect(html.match(/<details>/g)).toHaveLength(1);
    // A forwarded mail is what somebody wants us to see.
    expect(clean(`<div>${head}<p>You wrote</p></div>`).html).not.toContain("<details>");
  });

  it("folds no line of one's own", () => {
    const html = `<p>Yes</p><div style="border-top:solid #E1E1E1 1.0pt"><p>Regards</p></div>`;
    expect(clean(html).html).not.toContain("<details>");
  });

  it("takes linear time for what looks like Outlook's quotes", () => {
    for (const html of [
      `<p>x</p>${`<div style="border-top:solid #E1E1E1"></div>`.repeat(3_000)}`,
      `<p>x</p>${`<div style="border-top:solid #E1E1E1">`.repeat(150)}${"<p></p>".repeat(10_000)}`,
      `${"<p></p>".repeat(5_000)}${`<div id="divRplyFwdMsg"></div>`.repeat(3_000)}`,
    ]) {
      const plain = timeOf(html.replaceAll("#E1E1E1", "red").replaceAll("divRplyFwdMsg", "other"));
      expect(timeOf(html)).toBeLessThan(3 * plain + 500);
    }
  });

  it("folds a quote within a quote with it", () => {
    const { html } = clean(`<div class="gmail_quote">Ada wrote:<blockquote type="cite">Hi</blockquote></div>`);
    expect(html.match(/<details>/g)).toHaveLength(1);
  });

  it("is cut at the end when it is too long, and flat where it is too deep", () => {
    expect(clean("x".repeat(500_001)).isCut).toBe(true);
    expect(clean("<p>x</p>").isCut).toBe(false);
    const deep = clean(`${"<div>".repeat(1_000)}Hello`);
    expect(deep.html).toContain("Hello");
    expect(deep.html.match(/<div>/g)!.length).toBeLessThan(300);
  });
});

describe("a style", () => {
  it.each([
    ["color: red; position: fixed", "color: red"],
    ["background: url(https://evil.example)", undefined],
    ["background: u\\72l(https://evil.example)", undefined],
    ["width: expression(alert(1))", undefined],
    ["color: rgba(1, 2, 3, 0.5); margin: -10px", "color: rgba(1, 2, 3, 0.5); margin: -10px"],
    ["color: </style><script>", undefined],
    ["-moz-binding: url(x)", undefined],
    // The frame of a mail is as high as its page, so a page that is as high as its frame would grow without end.
    ["height: 100vh; width: 50vw", "width: 50vw"],
    ["margin: 1px 3e2svh", undefined],
    ["font: 5VMAX Arial; padding: 20dvmin; line-height: .5cqb", undefined],
  ])("%s → %s", (style, kept) => {
    expect(cleanStyle(style)).toBe(kept);
  });
});
