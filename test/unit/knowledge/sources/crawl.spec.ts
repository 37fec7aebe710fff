import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Crawl, type CrawlTools } from "../../../../src/knowledge/sources/crawl.js";
import { NotRead } from "../../../../src/knowledge/sources/source-problem.js";
import { readDocument } from "../../../../src/knowledge/sources/reading/read-document.js";
import { leastHold } from "../../../support/cost.js";

const SITE = "https://shop.example";
const LIMITS = { maxPages: 3, maxBytes: 1e9, maxMs: 1e9 };

/** A site whose sitemap and pages name so many addresses. */
function site(robots: string, addresses: readonly string[], links: readonly string[]): CrawlTools {
  const bodyOf = (url: string): string =>
    url.endsWith("/robots.txt")
      ? robots
      : `<main><h1>${url}</h1><p>Some words that say something to a reader.</p></main>`;
  return {
    get: (url) =>
      Promise.resolve({ url, status: 200, type: "text/html", bytes: Buffer.from(bodyOf(url)), retryAfter: 0 }),
    document: async ({ bytes, url }) => {
      const read = await readDocument({ bytes, format: "html", contentType: "text/html", url });
      return { ...read, links: [...links] };
    },
    sitemap: () => Promise.resolve({ pages: [...addresses], sitemaps: [] }),
    wereRead: () => Promise.resolve([]),
    beat: () => Promise.resolve(),
    wait: () => Promise.resolve(),
  };
}
const times = (count: number, one: (n: number) => string): string[] => Array.from({ length: count }, (_, n) => one(n));
const rules = (of: (n: number) => string, count = 5_000): string => `User-agent: *\n${times(count, of).join("\n")}`;

test.each([
  ["thousands of rules", rules((n) => `Disallow: /x${n}${"y".repeat(60)}`), "/help/"],
  ["rules of stars", rules(() => `Disallow: /*${"a*".repeat(38)}b`), `/${"a".repeat(1_900)}`],
  ["rules that nearly match", rules(() => "Disallow: /*aaaaab"), `/${"a".repeat(1_900)}`],
])("a site with %s and 20,000 addresses keeps nobody waiting", async (_, robots, path) => {
  const addresses = times(20_000, (n) => `${SITE}${path}${n}`);
  const links = times(2_000, (n) => `${SITE}${path}link-${n}`);
  const hold = await leastHold(async () => {
    const crawl = new Crawl(`${SITE}/`, [], LIMITS, site(robots, addresses, links)).run();
    const read = await crawl.catch((error: unknown) => error);
    if (!(read instanceof NotRead)) expect(read).toMatchObject({ pages: { length: 3 } });
    // So that what was held until now is measured.
    await setImmediate();
  }, 100);
  expect(hold).toBeLessThan(100);
});
