import fs from "node:fs";
import path from "node:path";
import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt({ html: true, linkify: true });
const { escapeHtml } = markdown.utils;

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/;
const FENCED = /^(```|~~~)[\s\S]*?^\1/gm;

/** What generators of sites replace or leave out, outside of code: Docusaurus, MkDocs, Hugo, Jekyll, GitBook, GitHub. */
function generated(text) {
  const code = [];
  return text
    .replace(FENCED, (block) => `\u0000${code.push(block) - 1}\u0000`)
    .replace(/^(?:import|export)\s.*$/gm, "")
    .replace(/^:::+[ \t]*(\w*).*$/gm, (_, kind) => (kind ? `<div class="admonition ${kind}">\n` : "</div>\n"))
    .replace(
      /^[!?]{3}\+?[ \t]+\w+.*\n((?:[ \t]*\n|(?: {4}|\t).*\n)*)/gm,
      (_, body) => `<div class="admonition">\n\n${body.replace(/^(?: {4}|\t)/gm, "")}\n</div>\n\n`,
    )
    .replace(/\{\{[<%][\s\S]*?[>%]\}\}|\{%[\s\S]*?%\}|\{\{[^{}]*\}\}/g, "")
    .replace(/\{:[^{}\n]*\}/g, "")
    .replace(/^(>\s*)\[!\w+\]/gm, "$1")
    .replace(/\[\^[\w-]+\](?::.*)?/g, "")
    .replace(/\u0000(\d+)\u0000/g, (_, i) => code[Number(i)]);
}

/** The pages of a folder, as a generator of sites makes them. */
export function render(folder, site) {
  const pages = new Map();
  const texts = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.mdx?$/i.test(file) && fs.statSync(path.join(folder, file)).isFile())
    .sort();
  const nav = texts
    .map((file) => `<li><a href="/${encodeURI(file.replace(/\.mdx?$/i, ""))}">${escapeHtml(file)}</a></li>`)
    .join("");
  for (const file of texts) {
    const text = fs.readFileSync(path.join(folder, file), "utf8");
    const facts = FRONT_MATTER.exec(text)?.[1] ?? "";
    const body = markdown.render(generated(text.replace(FRONT_MATTER, "")));
    const title = /^title:\s*["']?(.*?)["']?\s*$/m.exec(facts)?.[1] ?? /<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1] ?? file;
    const heading = /<h1/.test(body) ? "" : `<h1>${escapeHtml(title)}</h1>`;
    pages.set(
      `/${encodeURI(file.replace(/\.mdx?$/i, ""))}`,
      `<!doctype html><html><head><title>${escapeHtml(title)} | ${escapeHtml(site)}</title></head><body>
      <header><a href="/">${escapeHtml(site)}</a> <form><input name="q"></form></header><nav><ul>${nav}</ul></nav>
      <main>${heading}${body.replace(/href="([^":]*?)\.mdx?(#[^"]*)?"/g, 'href="$1$2"')}</main>
      <footer>Made with a generator of sites. Edit this page.</footer></body></html>`,
    );
  }
  pages.set("/", `<!doctype html><title>${escapeHtml(site)}</title><nav><ul>${nav}</ul></nav>`);
  return pages;
}
