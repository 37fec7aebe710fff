// Reads documentation as a source does: each folder is rendered to a site on loopback, with a header, a navigation, a sitemap and
// robots.txt, and crawled with the readers of the build. `node bench/sources/main.mjs [--files FOLDER] [--sample FILE] FOLDER…`
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import MarkdownIt from "markdown-it";
import { OutboundClient } from "../../dist/src/platform/outbound/outbound.client.js";
import { Crawl } from "../../dist/src/knowledge/sources/crawl.js";
import { named, planOf } from "../../dist/src/knowledge/sources/plan.js";
import { formatOf } from "../../dist/src/knowledge/sources/reading/read-document.js";
import { SourceReader } from "../../dist/src/knowledge/sources/source-reader.js";

const args = process.argv.slice(2);
const option = (name) => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
};
const files = option("--files");
const sample = option("--sample");
const MAX_PAGES = 500;
const LIMITS = { maxPages: MAX_PAGES, maxBytes: 209_715_200, maxMs: 1_800_000 };

const markdown = new MarkdownIt({ html: true, linkify: true });
const withoutFrontMatter = (text) => text.replace(/^---\r?\n[\s\S]*?\r?\n---\r?\n/, "");
const titleOf = (text) => /^title:\s*["']?(.*?)["']?\s*$/m.exec(text.slice(0, 2_000))?.[1] ?? "";

/** The pages of a folder, as a generator of sites makes them. */
function render(folder) {
  const pages = new Map();
  const texts = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.mdx?$/i.test(file) && fs.statSync(path.join(folder, file)).isFile());
  const nav = texts
    .map((file) => `<li><a href="/${encodeURI(file.replace(/\.mdx?$/i, ""))}">${file}</a></li>`)
    .join("");
  for (const file of texts) {
    const text = fs.readFileSync(path.join(folder, file), "utf8");
    const title = titleOf(text);
    const body = markdown.render(withoutFrontMatter(text));
    const heading = /<h1/.test(body) || !title ? "" : `<h1>${markdown.utils.escapeHtml(title)}</h1>`;
    pages.set(
      `/${encodeURI(file.replace(/\.mdx?$/i, ""))}`,
      `<!doctype html><html lang="en"><head><title>${markdown.utils.escapeHtml(title || file)} | Docs</title></head><body>
      <header><a href="/">Documentation</a> <form><input name="q"></form></header><nav><ul>${nav}</ul></nav>
      <main>${heading}${body.replace(/href="([^":]*?)\.mdx?(#[^"]*)?"/g, 'href="$1$2"')}</main>
      <footer>Made with a generator of sites. Edit this page.</footer></body></html>`,
    );
  }
  pages.set("/", `<!doctype html><title>Docs</title><nav><ul>${nav}</ul></nav>`);
  return pages;
}

async function serve(pages) {
  const server = http.createServer((request, response) => {
    if (request.url === "/sitemap.xml") {
      const urls = [...pages.keys()].map(
        (page) => `<url><loc>http://127.0.0.1:${server.address().port}${page}</loc></url>`,
      );
      return response.writeHead(200, { "content-type": "application/xml" }).end(`<urlset>${urls.join("")}</urlset>`);
    }
    const page = pages.get(request.url);
    response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return server;
}

const reader = new SourceReader();
const found = [];
const take = (where, sections) => found.push(...sections.map((section) => ({ where, ...section })));
const row = (...cells) => console.log(`| ${cells.join(" | ")} |`);

row("site", "pages", "failed", "seconds", "slowest page (ms)", "sections", "proposed", "note");
row("---", "---:", "---:", "---:", "---:", "---:", "---:", "---");
for (const folder of args) {
  const server = await serve(render(folder));
  const { port } = server.address();
  const client = new OutboundClient([`127.0.0.1:${port}`]);
  let slowest = 0;
  const began = performance.now();
  const { pages, failed, note } = await new Crawl(`http://127.0.0.1:${port}/`, [], LIMITS, {
    get: (url, options) => client.page(url, options),
    sitemap: (bytes) => reader.sitemap("bench", bytes),
    document: async ({ bytes, type, url }) => {
      const at = performance.now();
      const read = await reader.document("bench", {
        bytes,
        contentType: type,
        format: formatOf(type, new URL(url).pathname),
        url,
      });
      slowest = Math.max(slowest, performance.now() - at);
      return read;
    },
    beat: async () => {},
    wait: async () => {},
  }).run();
  const seconds = (performance.now() - began) / 1_000;
  const sections = pages.flatMap((page) => named(page.url, page.document.sections, undefined));
  const { proposed } = planOf({ known: [], found: sections, isCovered: () => true, statusOf: () => undefined });
  const name = path.basename(path.resolve(folder));
  take(
    name,
    proposed.map(({ section }) => section),
  );
  row(name, pages.length, failed, seconds.toFixed(1), slowest.toFixed(0), sections.length, proposed.length, note ?? "");
  server.closeAllConnections();
  server.close();
}

if (files) {
  console.log();
  row("file", "kB", "ms", "sections", "note");
  row("---", "---:", "---:", "---:", "---");
  for (const file of fs.readdirSync(files).sort()) {
    const bytes = fs.readFileSync(path.join(files, file));
    const began = performance.now();
    const format = formatOf("", file);
    const { sections, isCut, error } = await reader
      .document("bench", { bytes, contentType: "", format, file })
      .catch((failure) => ({ sections: [], error: failure.message }));
    take(file, sections);
    row(
      file,
      (bytes.length / 1_024).toFixed(0),
      (performance.now() - began).toFixed(0),
      sections.length,
      error ?? (isCut ? "cut" : ""),
    );
  }
}
if (sample) {
  // Every nth, from a fixed place, so that two runs judge the same ones.
  const step = found.length / 100;
  const chosen = Array.from({ length: 100 }, (_, i) => found[Math.floor((i + 0.5) * step)]).filter(Boolean);
  fs.writeFileSync(sample, JSON.stringify(chosen, null, 1));
}
await reader.onApplicationShutdown();
