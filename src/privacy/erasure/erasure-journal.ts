import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { Injectable, Logger, NotFoundException } from "@nestjs/common";
import { AttachmentStore, FilesUnavailable, JOURNAL } from "../../conversations/attachments/attachment-store.js";
import { type Certificate, digestOf } from "./certificate.js";

const ALL = new Date(8.64e15);

/**
 * The certificates of all erasures, beside the attachments, where they outlive the database: a restored backup is compared with them.
 * They hold ids and counts, and no personal data.
 */
@Injectable()
export class ErasureJournal {
  private readonly log = new Logger("erasures");

  constructor(private readonly store: AttachmentStore) {}

  /** Durable once it returns. @throws FilesUnavailable */
  async keep(certificate: Certificate): Promise<void> {
    const key = { tenantId: JOURNAL, id: certificate.erasureId };
    try {
      await this.store.put(key, Readable.from([Buffer.from(JSON.stringify(certificate))]));
    } catch (error) {
      if (error instanceof FilesUnavailable) throw error;
      this.log.error(`an erasure cannot be noted beside the attachments: ${(error as Error).message}`);
      throw new FilesUnavailable(error as Error);
    }
  }

  /** The ids of the erasures that it has. */
  ids(): AsyncIterable<string> {
    return this.store.list(JOURNAL, ALL);
  }

  async has(id: string): Promise<boolean> {
    try {
      (await this.store.get({ tenantId: JOURNAL, id })).destroy();
      return true;
    } catch (error) {
      if (error instanceof NotFoundException) return false;
      throw error;
    }
  }

  async read(id: string): Promise<Certificate> {
    const certificate = certificateIn(await text(await this.store.get({ tenantId: JOURNAL, id })));
    if (!certificate) throw new Error(`The journal of erasures has a damaged file: ${JOURNAL}/${id}`);
    return certificate;
  }
}

/** The certificate in this JSON, also in the whole answer of an erasure. Undefined if it is damaged. */
export function certificateIn(json: string): Certificate | undefined {
  try {
    const found = JSON.parse(json) as Certificate & { certificate?: Certificate };
    const { digest, signature: _, ...statement } = found.certificate ?? found;
    return digest === digestOf(statement).toString("hex") ? (found.certificate ?? found) : undefined;
  } catch {
    return undefined;
  }
}
