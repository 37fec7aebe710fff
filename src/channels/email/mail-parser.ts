import { Injectable, type OnApplicationShutdown } from "@nestjs/common";
import { WorkerPool } from "../../platform/workers/worker-pool.js";
import { workerScript } from "../../platform/workers/worker-script.js";
import type { FetchedMail } from "./fetched-mail.js";
import type { MailJobs, SignedMail } from "./mail.thread.js";
import type { ParsedMessage } from "./parsed-message.js";
import type { CleanHtml, Pictures } from "./view/clean-html.js";

/** Parses mails in worker threads. The mails of one tenant are parsed one after the other. */
@Injectable()
export class MailParser implements OnApplicationShutdown {
  /** An ordinary mail of 40 MB takes about two seconds, and less than half of the memory. */
  private readonly pool = new WorkerPool<MailJobs>(workerScript("mail"), {
    size: 2,
    deadlineMs: 10_000,
    maxHeapMb: 512,
  });

  /** After the mailboxes, which wait for the mails that they are at. */
  onApplicationShutdown(): Promise<void> {
    return this.pool.stop();
  }

  /**
   * @param mail its `source` cannot be used afterwards: the result has it
   * @throws TookTooLong, TookTooMuchMemory
   */
  async parse(
    tenantId: string,
    { source, ...mail }: FetchedMail,
    channelAddress: string,
  ): Promise<{ message: ParsedMessage; source: Buffer }> {
    const bytes =
      source.byteLength === source.buffer.byteLength ? (source.buffer as ArrayBuffer) : new Uint8Array(source).buffer;
    const parsed = await this.pool.run(tenantId, "parse", { ...mail, source: bytes, channelAddress }, [bytes]);
    const files = parsed.message.files.map((file) => ({ ...file, bytes: Buffer.from(file.bytes.buffer) }));
    return { message: { ...parsed.message, files }, source: Buffer.from(parsed.source) };
  }

  /**
   * The formatted part of a mail: see `viewMail`.
   * @throws TookTooLong, TookTooMuchMemory, Error: it cannot be read
   */
  view(tenantId: string, source: Buffer, remote: Pictures): Promise<CleanHtml> {
    return this.pool.run(tenantId, "view", { source: new Uint8Array(source).buffer, remote });
  }

  /**
   * Verifies the signatures of a mail: see `verifySignatures`.
   * @throws TookTooLong, TookTooMuchMemory
   */
  verify(tenantId: string, source: Buffer, signatures: Omit<SignedMail, "source">): Promise<string[]> {
    return this.pool.run(tenantId, "verify", { ...signatures, source });
  }
}
