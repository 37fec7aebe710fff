import { Injectable } from "@nestjs/common";
import { AttachmentsService } from "../../conversations/attachments/attachments.service.js";
import type { ProviderCaller } from "../../platform/caller/caller.js";
import type { OpenChannel } from "../channel-kind.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { ProviderClient, providerOf } from "./provider.client.js";

export interface Medium {
  url: string;
  type: string;
}

const EXTENSIONS: Record<string, string> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/webp": "webp",
  "image/heic": "heic",
  "video/mp4": "mp4",
  "video/3gpp": "3gp",
  "video/quicktime": "mov",
  "audio/mpeg": "mp3",
  "audio/mp4": "m4a",
  "audio/amr": "amr",
  "audio/ogg": "ogg",
  "audio/wav": "wav",
  "application/pdf": "pdf",
  "text/vcard": "vcf",
  "text/x-vcard": "vcf",
  "text/plain": "txt",
  "text/calendar": "ics",
};

/** Downloads pictures and recordings from the provider, before their message is stored. */
@Injectable()
export class MediaService {
  constructor(
    private readonly client: ProviderClient,
    private readonly attachments: AttachmentsService,
    private readonly db: Database,
  ) {}

  /**
   * Does `work` with the downloaded files as attachments. For each file that could not be downloaded `missing` has a sentence
   * with its address, where the provider keeps it. On the test side nothing is downloaded.
   */
  async bring<T>(
    channel: OpenChannel,
    caller: ProviderCaller,
    media: readonly Medium[],
    name: string,
    work: (tx: Tx, attachmentIds: string[], missing: string[]) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const brought = await Promise.all(
      media.map((medium, index) =>
        this.fetch(channel, caller, medium, media.length > 1 ? `${name}-${index + 1}` : name),
      ),
    );
    const kept = brought.filter((one) => typeof one !== "string");
    const missing = brought.filter((one) => typeof one === "string");
    let worked = false;
    try {
      return await this.db.transaction(caller, async (tx) => {
        worked = false;
        const ids = await this.attachments.add(tx, kept);
        const result = await work(tx, ids, missing);
        if (result === undefined) await this.attachments.withdraw(tx, ids);
        worked = true;
        return result;
      });
    } finally {
      // If only the answer to the commit was lost, the rows of the files may exist. The daily cleanup then decides.
      if (!worked) await this.attachments.discard(kept);
    }
  }

  /** @returns the stored file, or a sentence that says why there is none */
  private async fetch(
    channel: OpenChannel,
    caller: ProviderCaller,
    { url, type }: Medium,
    name: string,
  ): Promise<Awaited<ReturnType<AttachmentsService["keep"]>> | string> {
    if (channel.environment === "test") return `[${type}: on the test side files are not fetched]`;
    try {
      const file = await this.client.file(channel, url);
      const extension = EXTENSIONS[type.split(";", 1)[0]!.trim().toLowerCase()];
      return await this.attachments.keep(caller, {
        name: extension ? `${name}.${extension}` : name,
        type: type || file.type,
        bytes: file.bytes,
      });
    } catch (error) {
      return `[${type}: the file could not be fetched (${(error as Error).message}). It is kept at ${providerOf(channel.settings)}: ${url}]`;
    }
  }
}
