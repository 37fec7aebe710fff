import { setImmediate } from "node:timers/promises";
import { OutboundError, type OutboundPage } from "../../platform/outbound/outbound.client.js";
import { formatOf } from "./reading/read-document.js";
import type { ReadDocument } from "./reading/sections.js";
import { type Robots, robotsOf } from "./robots.js";
import { NotRead, type Problem, problem, unreachable } from "./source-problem.js";
import { Unreadable } from "./source-reader.js";

const MAX_ROBOTS_BYTES = 1_048_576;
const MAX_SITEMAP_BYTES = 10_485_760;
const MAX_SITEMAPS = 50;
const MAX_PAGE_BYTES = 5_242_880;
/** PDFs and Word documents are larger than pages. */
const MAX_FILE_BYTES = 26_214_400;
/** Addresses that wait to be read. A site that makes up addresses has more. */
const MAX_WAITING = 20_000;
/** Addresses that are looked at once, whether they are read or not. */
const MAX_SEEN = 50_000;
const MAX_ADDRESS = 2_000;
/** For how long addresses are sorted before others have their turn. */
const TURN_MS = 10;
/** And for how long in one reading. Tens of thousands take a second, unless `robots.txt` is written to take time. */
const MAX_SORTING_MS = 5_000;
/** A site that failed so often in a row does not answer any more. */
const MAX_FAILURES = 10;
const MAX_WAIT_SECONDS = 30;
/** Texts of all pages together. More would be more entries than people review. */
const MAX_SECTIONS = 5_000;
const MAX_CHARACTERS = 10_000_000;
/** What no reader reads is not asked for. */
const NO_DOCUMENT =
  /\.(?:avif|bmp|css|csv|dmg|eot|exe|gif|gz|ico|jpe?g|js|json|map|mjs|mov|mp[34]|ogg|otf|png|pptx?|rar|rss|svg|tar|tgz|ttf|wav|web[mp]|woff2?|xlsx?|xml|zip|zst)$/i;

/** What is known of a page from the last reading. */
export interface KnownPage {
  url: string;
  etag: string | null;
  lastModified: string | null;
}

/** A page of which something became known. `unchanged`: it said so itself. */
export type CrawledPage =
  | (KnownPage & { state: "read"; document: ReadDocument })
  | (KnownPage & { state: "unchanged" })
  | { url: string; state: "gone" };

export interface Crawled {
  pages: CrawledPage[];
  /** How many pages could not be read. */
  failed: number;
  /** Why the site was read in part. */
  note: Problem | undefined;
}

export interface CrawlTools {
  get: (
    url: string,
    options: {
      headers: Record<string, string>;
      follows: (target: URL) => boolean;
      reads: (type: string, url: URL) => boolean;
      maxBytes: number;
    },
  ) => Promise<OutboundPage>;
  document: (page: OutboundPage) => Promise<ReadDocument>;
  /** Those of the addresses that were read at some time. */
  wereRead: (urls: readonly string[]) => Promise<readonly string[]>;
  sitemap: (bytes: Buffer) => Promise<{ pages: string[]; sitemaps: string[] }>;
  /** Called before each request. @throws to stop */
  beat: () => Promise<void>;
  /** @throws to stop */
  wait: (seconds: number) => Promise<void>;
}

export interface CrawlLimits {
  maxPages: number;
  maxBytes: number;
  maxMs: number;
}

/**
 * Reads the pages of a site one after the other: those below the address that are known, that its sitemap names, and that its pages
 * link to, as far as `robots.txt` lets Parley.
 */
export class Crawl {
  private readonly start: URL;
  private readonly folder: string;
  /** Pages that were never read, and those that were. They take turns, so that a site with too many is read bit by bit. */
  private readonly fresh = new Set<string>();
  private readonly stale = new Set<string>();
  private readonly pagesKnown: ReadonlyMap<string, KnownPage>;
  private readonly seen = new Set<string>();
  private readonly pages: CrawledPage[] = [];
  private readonly began = performance.now();
  /** Nothing is asked for before the site has said what may be. */
  private robots: Robots = { allows: () => false, delay: 0, sitemaps: [] };
  private bytes = 0;
  private sections = 0;
  private characters = 0;
  private failed = 0;
  private failures = 0;
  private sortingMs = 0;
  private why: Problem | undefined;

  constructor(
    url: string,
    /** The first page, and those that were read longest ago first. As many as one reading reads. */
    private readonly known: readonly KnownPage[],
    private readonly limits: CrawlLimits,
    private readonly tools: CrawlTools,
  ) {
    this.start = new URL(url);
    this.pagesKnown = new Map(known.map((page) => [page.url, page]));
    const { pathname } = this.start;
    const name = pathname.lastIndexOf("/") + 1;
    this.folder = pathname.includes(".", name)
      ? pathname.slice(0, name)
      : pathname.endsWith("/")
        ? pathname
        : `${pathname}/`;
  }

  /** @throws NotRead, and what `beat` and `wait` throw */
  async run(): Promise<Crawled> {
    this.robots = await this.readRobots();
    if (!this.isOurs(this.start)) throw new NotRead(problem("robots_forbid"));
    const isSitemap = /\.xml(?:\.gz)?$/i.test(this.start.pathname);
    const addresses = await this.readSitemaps(isSitemap);
    await this.addAll([...(isSitemap ? [] : [this.start.href]), ...addresses, ...this.known.map(({ url }) => url)]);
    let visited = 0;
    for (let next = this.take(visited); next !== undefined && !this.isOver(visited); next = this.take(++visited))
      await this.visit(next, this.pagesKnown.get(next));
    if (!this.pages.length) throw new NotRead(this.why ?? problem("no_page"));
    return { pages: this.pages, failed: this.failed, note: this.why };
  }

  private take(visited: number): string | undefined {
    const queues = visited % 2 ? [this.stale, this.fresh] : [this.fresh, this.stale];
    for (const queue of queues)
      for (const next of queue) {
        queue.delete(next);
        return next;
      }
    return undefined;
  }

  /** Says why, once. */
  private isOver(visited: number): boolean {
    const { maxPages, maxBytes, maxMs } = this.limits;
    if (visited >= maxPages) this.why ??= problem("too_many_pages", maxPages);
    else if (this.bytes >= maxBytes) this.why ??= problem("too_many_bytes", Math.floor(maxBytes / 1_048_576));
    else if (performance.now() - this.began >= maxMs) this.why ??= problem("too_slow");
    else if (this.failures >= MAX_FAILURES) this.why ??= problem("stopped_answering");
    return this.why !== undefined;
  }

  private async readRobots(): Promise<Robots> {
    const url = new URL("/robots.txt", this.start).href;
    const answer = await this.getFile(url, MAX_ROBOTS_BYTES).catch((error: unknown) => {
      if (error instanceof OutboundError) return error;
      throw error;
    });
    if (answer instanceof OutboundError) throw unreachable(answer.message);
    // As RFC 9309 has it: who has no such file forbids nothing, and whose server fails is left alone.
    if (answer.status >= 500 || answer.status === 429) throw new NotRead(problem("robots_failed", answer.status));
    return robotsOf(answer.status < 300 ? answer.bytes.toString() : "");
  }

  /** A site without a sitemap is read by its links. */
  private async readSitemaps(isSitemap: boolean): Promise<string[]> {
    const waiting = isSitemap ? [this.start.href] : [...this.robots.sitemaps, new URL("/sitemap.xml", this.start).href];
    const seen = new Set<string>();
    const addresses: string[] = [];
    for (let next = waiting.shift(); next !== undefined && seen.size < MAX_SITEMAPS; next = waiting.shift()) {
      const url = URL.canParse(next, this.start.href) ? new URL(next, this.start.href) : undefined;
      if (url?.origin !== this.start.origin || seen.has(url.href)) continue;
      seen.add(url.href);
      try {
        const { status, bytes } = await this.getFile(url.href, MAX_SITEMAP_BYTES);
        if (status !== 200) continue;
        const { pages, sitemaps } = await this.tools.sitemap(bytes);
        for (const page of pages) if (addresses.length < MAX_WAITING) addresses.push(page);
        if (waiting.length < MAX_SITEMAPS) waiting.push(...sitemaps.slice(0, MAX_SITEMAPS));
      } catch (error) {
        if (!(error instanceof OutboundError || error instanceof Unreadable)) throw error;
      }
    }
    if (isSitemap && !addresses.length) throw new NotRead(problem("sitemap_empty"));
    return addresses;
  }

  private addressIn(address: string): string | undefined {
    const url = URL.canParse(address, this.start.href) ? new URL(address, this.start.href) : undefined;
    if (!url) return undefined;
    url.hash = "";
    return url.href;
  }

  /** Whether a page is of the site and below its address, and Parley may read it. */
  private isOurs(url: URL): boolean {
    const { origin, pathname, search, href } = url;
    const isBelow = `${pathname}/`.startsWith(this.folder) || /\.xml(?:\.gz)?$/i.test(this.start.pathname);
    return (
      origin === this.start.origin && isBelow && href.length <= MAX_ADDRESS && this.robots.allows(pathname + search)
    );
  }

  /** A page or a sitemap may name thousands, and its `robots.txt` have thousands of rules. */
  private async addAll(addresses: readonly string[]): Promise<void> {
    const added: string[] = [];
    let began = performance.now();
    for (const address of addresses) {
      if (this.sortingMs >= MAX_SORTING_MS) {
        this.why ??= problem("too_many_addresses");
        break;
      }
      const href = this.newIn(address, added.length);
      if (href !== undefined && this.pagesKnown.has(href)) this.stale.add(href);
      else if (href !== undefined) added.push(href);
      const tookMs = performance.now() - began;
      if (tookMs < TURN_MS) continue;
      this.sortingMs += tookMs;
      await setImmediate();
      began = performance.now();
    }
    // What was read at a later time than all that is known here has its turn at a later reading.
    const isAllKnown = this.known.length < this.limits.maxPages;
    const later = new Set(isAllKnown || !added.length ? [] : await this.tools.wereRead(added));
    for (const href of added) if (!later.has(href)) this.fresh.add(href);
  }

  /** @param waiting how many more wait than are kept already */
  private newIn(address: string, waiting: number): string | undefined {
    if (this.fresh.size + waiting >= MAX_WAITING || this.seen.size >= MAX_SEEN) return undefined;
    const href = this.addressIn(address);
    if (href === undefined || this.seen.has(href)) return undefined;
    this.seen.add(href);
    const url = new URL(href);
    return this.isOurs(url) && !NO_DOCUMENT.test(url.pathname) ? href : undefined;
  }

  private async visit(url: string, known: KnownPage | undefined): Promise<void> {
    const headers = {
      ...(known?.etag && { "if-none-match": known.etag }),
      ...(known?.lastModified && { "if-modified-since": known.lastModified }),
    };
    try {
      let answer = await this.getPage(url, headers);
      if (answer.status === 429 || answer.status === 503) {
        await this.tools.wait(Math.min(answer.retryAfter ?? 1, MAX_WAIT_SECONDS));
        answer = await this.getPage(url, headers);
      }
      await this.note(url, answer, known);
      this.failures = 0;
    } catch (error) {
      if (!(error instanceof OutboundError || error instanceof Unreadable)) throw error;
      this.failed++;
      // A page that cannot be parsed says nothing about the next one.
      if (error instanceof OutboundError) this.failures++;
    }
  }

  private async note(url: string, answer: OutboundPage, known: KnownPage | undefined): Promise<void> {
    const { status, type, etag = null, lastModified = null } = answer;
    if (status === 304 && known) return void this.pages.push({ ...known, state: "unchanged" });
    if (status === 404 || status === 410) {
      // A link that leads nowhere is the site's own business.
      if (known) this.pages.push({ url, state: "gone" });
      return;
    }
    if (status < 200 || status > 299) throw new OutboundError(`The server answered with status ${status}`);
    const target = this.addressIn(answer.url)!;
    if (target !== url) {
      // The page has moved. What it says counts for its new address, once.
      if (known) this.pages.push({ url, state: "gone" });
      const isWaiting = this.fresh.delete(target) || this.stale.delete(target);
      if (this.seen.has(target) && !isWaiting) return;
      this.seen.add(target);
    }
    if (!formatOf(type, new URL(target).pathname)) return;
    const document = await this.tools.document({ ...answer, url: target });
    await this.addAll(document.links.filter((link) => !link.includes("?")));
    this.sections += document.sections.length;
    for (const { answer: text } of document.sections) this.characters += text.length;
    if (this.sections > MAX_SECTIONS || this.characters > MAX_CHARACTERS) {
      this.why ??= problem("too_much_text");
      return;
    }
    this.pages.push({ url: target, state: "read", etag, lastModified, document: { ...document, links: [] } });
  }

  private getPage(url: string, headers: Record<string, string>): Promise<OutboundPage> {
    const maxBytes = /\.(?:pdf|docx)$/i.test(new URL(url).pathname) ? MAX_FILE_BYTES : MAX_PAGE_BYTES;
    return this.get(url, maxBytes, {
      headers: { accept: "text/html, text/markdown, application/pdf, */*;q=0.1", ...headers },
      follows: (target) => this.isOurs(target),
      reads: (type, target) => formatOf(type, target.pathname) !== undefined,
    });
  }

  /** A file that says something about the whole site. */
  private getFile(url: string, maxBytes: number): Promise<OutboundPage> {
    return this.get(url, maxBytes, {
      headers: { accept: "*/*" },
      follows: (target) => target.origin === this.start.origin,
      reads: () => true,
    });
  }

  /** One request at a time, and no more of them than the site asks for. */
  private async get(
    url: string,
    maxBytes: number,
    options: Omit<Parameters<CrawlTools["get"]>[1], "maxBytes">,
  ): Promise<OutboundPage> {
    await this.tools.beat();
    if (this.robots.delay) await this.tools.wait(this.robots.delay);
    const answer = await this.tools.get(url, { ...options, maxBytes });
    this.bytes += answer.bytes.length;
    return answer;
  }
}
