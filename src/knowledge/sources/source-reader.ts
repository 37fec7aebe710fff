import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { TookTooLong, TookTooMuchMemory, WorkerPool } from "../../platform/workers/worker-pool.js";
import { workerScript } from "../../platform/workers/worker-script.js";
import type { ReadArticles } from "./reading/help-centre.js";
import type { Unread } from "./reading/read-document.js";
import type { ReadDocument } from "./reading/sections.js";
import type { SourceJobs } from "./source.thread.js";

/** A document that cannot be read. */
export class Unreadable extends Error {
  constructor(readonly code: "file_too_slow" | "file_too_large" | "file_damaged") {
    super(code);
  }
}

/** Reads what strangers wrote, in threads that end with their time and memory. Those of one tenant are read one after the other. */
@Injectable()
export class SourceReader implements OnApplicationShutdown {
  private readonly pool = new WorkerPool<SourceJobs>(workerScript("source"), {
    size: 2,
    deadlineMs: 20_000,
    maxHeapMb: 512,
  });

  onApplicationShutdown(): Promise<void> {
    return this.pool.stop();
  }

  /** @throws Unreadable */
  document(tenantId: string, document: Unread): Promise<ReadDocument> {
    return this.readable(this.pool.run(tenantId, "document", { ...document, bytes: new Uint8Array(document.bytes) }));
  }

  /** @throws Unreadable */
  sitemap(tenantId: string, bytes: Buffer): Promise<{ pages: string[]; sitemaps: string[] }> {
    return this.readable(this.pool.run(tenantId, "sitemap", new Uint8Array(bytes)));
  }

  /** @throws Unreadable */
  helpCentre(tenantId: string, bytes: Buffer): Promise<ReadArticles> {
    return this.readable(this.pool.run(tenantId, "helpCentre", new Uint8Array(bytes)));
  }

  /** What a parser says is for those who wrote it. */
  private async readable<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof TookTooLong) throw new Unreadable("file_too_slow");
      if (error instanceof TookTooMuchMemory) throw new Unreadable("file_too_large");
      throw new Unreadable("file_damaged");
    }
  }
}
