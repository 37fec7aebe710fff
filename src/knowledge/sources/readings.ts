import { Injectable, NotFoundException } from "@nestjs/common";
import { AttachmentStore } from "../../conversations/attachments/attachment-store.js";
import type { SystemCaller } from "../../platform/caller/caller.js";
import { Config } from "../../platform/config/config.js";
import { Database } from "../../platform/database/database.js";
import { OutboundClient, OutboundError, type OutboundPage } from "../../platform/outbound/outbound.client.js";
import { Crawl, type CrawledPage, type CrawlTools } from "./crawl.js";
import { type FoundSection, named } from "./plan.js";
import type { ReadArticles } from "./reading/help-centre.js";
import { formatOf } from "./reading/read-document.js";
import { NotRead, type Problem, problem, unreachable } from "./source-problem.js";
import { SourceReader, Unreadable } from "./source-reader.js";
import type { SourceEntity } from "./source.entity.js";
import { KNOWN_PAGES, WERE_READ } from "./sources.queries.js";

const MAX_SITE_BYTES = 209_715_200;
const MAX_SITE_MS = 1_800_000;
const MAX_API_BYTES = 20_971_520;
const MAX_API_PAGES = 100;
const MAX_SECTIONS = 5_000;

/** What a reading found. */
export interface Found {
  sections: FoundSection[];
  /** Whether a section of this address that was not found is gone. */
  isCovered: (url: string) => boolean;
  pages: readonly CrawledPage[];
  failed: number;
  /** Why not everything was read. */
  note: Problem | undefined;
}

type Pace = Pick<CrawlTools, "beat" | "wait">;

/** Reads a source: a site page by page, a file, or the articles of a help centre. */
@Injectable()
export class Readings {
  constructor(
    private readonly db: Database,
    private readonly config: Config,
    private readonly client: OutboundClient,
    private readonly reader: SourceReader,
    private readonly store: AttachmentStore,
  ) {}

  /** @throws NotRead, Unreadable, and what `pace` throws */
  async read(caller: SystemCaller, source: SourceEntity, pace: Pace): Promise<Found> {
    if (source.kind === "website") return this.site(caller, source.id, source.url!, pace);
    if (source.kind === "file") return this.file(caller, source);
    return this.helpCentre(caller, source, pace);
  }

  private async site(caller: SystemCaller, id: string, url: string, pace: Pace): Promise<Found> {
    const known = await this.db.transaction(caller, (tx) => {
      tx.changesNothingVisible();
      return tx.query(KNOWN_PAGES, { id, first: url, most: this.config.SOURCE_MAX_PAGES });
    });
    const limits = { maxPages: this.config.SOURCE_MAX_PAGES, maxBytes: MAX_SITE_BYTES, maxMs: MAX_SITE_MS };
    const { pages, failed, note } = await new Crawl(url, known, limits, {
      ...pace,
      wereRead: (urls) =>
        this.db.transaction(caller, async (tx) => {
          tx.changesNothingVisible();
          return (await tx.query(WERE_READ, { id, urls })).map(({ url: read }) => read);
        }),
      get: (address, options) => this.client.page(address, options),
      sitemap: (bytes) => this.reader.sitemap(caller.tenantId, bytes),
      document: ({ bytes, type, url: address }) =>
        this.reader.document(caller.tenantId, {
          bytes,
          contentType: type,
          format: formatOf(type, new URL(address).pathname)!,
          url: address,
        }),
    }).run();
    const covered = new Set<string>();
    const sections: FoundSection[] = [];
    for (const page of pages) {
      // What is left out of a page that is too long is not gone.
      if (page.state === "gone" || (page.state === "read" && !page.document.isCut)) covered.add(page.url);
      if (page.state === "read") sections.push(...named(page.url, page.document.sections, page.document.language));
    }
    return { sections, isCovered: (address) => covered.has(address), pages, failed, note };
  }

  private async file(caller: SystemCaller, source: SourceEntity): Promise<Found> {
    const file = source.fileName!;
    const bytes = await this.upload(caller, source);
    // The upload said already that it can be read; its name is what is left of that.
    const format = formatOf(typeOf(bytes), file) ?? "markdown";
    const { sections, language, isCut } = await this.reader.document(caller.tenantId, {
      bytes,
      format,
      contentType: "",
      file,
    });
    if (!sections.length) throw new NotRead(problem("file_empty"));
    return {
      sections: named("", sections, language),
      isCovered: () => !isCut,
      pages: [],
      failed: 0,
      note: isCut ? problem("too_much_text") : undefined,
    };
  }

  private async helpCentre(caller: SystemCaller, source: SourceEntity, pace: Pace): Promise<Found> {
    const parts: ReadArticles[] = [];
    if (source.url === null)
      parts.push(await this.reader.helpCentre(caller.tenantId, await this.upload(caller, source)));
    else await this.callApi(caller, source.url, pace, parts);
    const articles = parts.flatMap((part) => part.articles);
    if (!articles.length) throw new NotRead(problem("help_centre_empty"));
    const sections = articles.flatMap((article) =>
      named(article.url ?? article.title, article.sections, article.language),
    );
    const isCut =
      sections.length > MAX_SECTIONS ||
      parts.some((part) => part.isCut) ||
      (source.url !== null && !!parts.at(-1)!.next);
    return {
      sections: sections.slice(0, MAX_SECTIONS),
      isCovered: () => !isCut,
      pages: [],
      failed: 0,
      note: isCut ? problem("too_much_text") : undefined,
    };
  }

  private async callApi(caller: SystemCaller, url: string, pace: Pace, parts: ReadArticles[]): Promise<void> {
    const { origin } = new URL(url);
    for (let next: string | undefined = url; next !== undefined && parts.length < MAX_API_PAGES;) {
      await pace.beat();
      const answer: OutboundPage = await this.client
        .page(next, {
          headers: { accept: "application/json" },
          follows: (target) => target.origin === origin,
          reads: () => true,
          maxBytes: MAX_API_BYTES,
        })
        .catch((error: unknown) => {
          if (error instanceof OutboundError) throw unreachable(error.message);
          throw error;
        });
      if (answer.status !== 200) throw new NotRead(problem("help_centre_failed", answer.status));
      const part: ReadArticles = await this.reader.helpCentre(caller.tenantId, answer.bytes).catch((error: unknown) => {
        if (error instanceof Unreadable) throw new NotRead(problem("help_centre_not_json"));
        throw error;
      });
      parts.push(part);
      const after: string | undefined =
        part.next && URL.canParse(part.next, next) ? new URL(part.next, next).href : undefined;
      next = after !== undefined && new URL(after).origin === origin ? after : undefined;
    }
  }

  private async upload({ tenantId }: SystemCaller, { attachmentId }: SourceEntity): Promise<Buffer> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of await this.store.get({ tenantId, id: attachmentId! })) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    } catch (error) {
      if (error instanceof NotFoundException) throw new NotRead(problem("file_gone"));
      throw error;
    }
  }
}

/** Where the first bytes say it. */
function typeOf(bytes: Buffer): string {
  if (bytes.subarray(0, 1_024).includes("%PDF-")) return "application/pdf";
  return /^\s*<(?:!doctype html|html)[\s>]/i.test(bytes.toString("latin1", 0, 1_024)) ? "text/html" : "";
}
