// Reads strangers' documentation as a source does. What it reads is named in corpus.json, and is not in this repository.
//
// CLONES=FOLDER node bench/sources/main.mjs [--sample FILE] [--from 0.5] [--only NAME]
//
// `CLONES` has a clone of each repository at `<owner>/<name>`, bare or not. Each folder of Markdown is rendered to a site on loopback, with a
// header, a navigation and a sitemap, and crawled with the readers of the build; so is docs/. `--sample` writes a hundred proposals to be
// judged, at even distances through all of them; `--from`, below 1, says where between two distances it begins.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Crawl } from "../../dist/src/knowledge/sources/crawl.js";
import { named, planOf } from "../../dist/src/knowledge/sources/plan.js";
import { formatOf } from "../../dist/src/knowledge/sources/reading/read-document.js";
import { SourceReader } from "../../dist/src/knowledge/sources/source-reader.js";
import { OutboundClient } from "../../dist/src/platform/outbound/outbound.client.js";
import { render } from "./render.mjs";

const { values: options } = parseArgs({
  options: { sample: { type: "string" }, from: { type: "string", default: "0.5" }, only: { type: "string" } },
});
const clones = process.env.CLONES;
if (!clones) throw new Error("Name the folder of the clones in CLONES.");
const corpus = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, "corpus.json"), "utf8"));
const LIMITS = { maxPages: 500, maxBytes: 209_715_200, maxMs: 1_800_000 };

const git = (repository, ...args) =>
  execFileSync("git", ["-C", path.join(clones, repository), ...args], { maxBuffer: 1_000_000_000 });

/** A folder of a clone, without what the clone lacks or has no use for. */
function unpacked({ repository, commit, folder }, into) {
  const files = git(repository, "ls-tree", "-r", "--name-only", "-z", commit, "--", `${folder}/`)
    .toString()
    .split("\0")
    .filter((file) => /\.mdx?$/i.test(file));
  for (const file of files) {
    const to = path.join(into, path.relative(folder, file));
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.writeFileSync(to, git(repository, "show", `${commit}:${file}`));
  }
  return into;
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

async function readSite(name, folder) {
  const pagesOf = render(folder, `${name} Help`);
  const server = await serve(pagesOf);
  const { port } = server.address();
  const client = new OutboundClient([`127.0.0.1:${port}`]);
  let slowest = 0;
  const began = performance.now();
  const { pages, failed, note } = await new Crawl(`http://127.0.0.1:${port}/`, [], LIMITS, {
    get: (url, request) => client.page(url, request),
    sitemap: (bytes) => reader.sitemap("bench", bytes),
    document: async ({ bytes, type, url }) => {
      const at = performance.now();
      const format = formatOf(type, new URL(url).pathname);
      const read = await reader.document("bench", { bytes, contentType: type, format, url });
      slowest = Math.max(slowest, performance.now() - at);
      return read;
    },
    beat: async () => {},
    wait: async () => {},
  }).run();
  const seconds = (performance.now() - began) / 1_000;
  const sections = pages.flatMap((page) => named(page.url, page.document.sections, undefined));
  const { proposed } = planOf({ known: [], found: sections, isCovered: () => true, statusOf: () => undefined });
  take(
    name,
    proposed.map(({ section }) => ({ ...section, url: new URL(section.url).pathname })),
  );
  const cells = [pagesOf.size, pages.length, failed, seconds.toFixed(1), slowest.toFixed(0)];
  row(name, ...cells, sections.length, proposed.length, note?.sentence ?? "");
  server.closeAllConnections();
  server.close();
}

async function readFile(file, bytes) {
  const began = performance.now();
  const { sections, isCut, error } = await reader
    .document("bench", { bytes, contentType: "", format: formatOf("", file), file })
    .catch((failure) => ({ sections: [], error: failure.message }));
  take(file, sections);
  const ms = performance.now() - began;
  row(file, (bytes.length / 1_024).toFixed(0), ms.toFixed(0), sections.length, error ?? (isCut ? "cut" : ""));
}

const work = fs.mkdtempSync(path.join(os.tmpdir(), "sources-"));
try {
  row("site", "pages it has", "read", "failed", "seconds", "slowest page (ms)", "sections", "proposed", "note");
  row("---", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---");
  for (const site of corpus.sites)
    if (!options.only || options.only === site.name)
      await readSite(site.name, unpacked(site, path.join(work, site.name)));
  if (!options.only) {
    await readSite("Parley", path.join(import.meta.dirname, "../../docs"));
    console.log();
    row("file", "kB", "ms", "sections", "note");
    row("---", "---:", "---:", "---:", "---");
    for (const { repository, commit, paths } of corpus.files)
      for (const file of paths) await readFile(path.basename(file), git(repository, "show", `${commit}:${file}`));
  }
} finally {
  fs.rmSync(work, { recursive: true });
}
if (options.sample) {
  const step = found.length / 100;
  const chosen = Array.from({ length: 100 }, (_, i) => found[Math.floor((i + Number(options.from)) * step)]);
  fs.writeFileSync(options.sample, JSON.stringify(chosen.filter(Boolean), null, 1));
}
await reader.onApplicationShutdown();
