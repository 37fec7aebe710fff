import { buffer } from "node:stream/consumers";
import { ConflictException, Injectable } from "@nestjs/common";
import { fileTypeFromBuffer } from "file-type";
import pLimit from "p-limit";
import { AttachmentsService } from "../../../conversations/attachments/attachments.service.js";
import type { AttachmentLinkDto } from "../../../conversations/attachments/attachments.dto.js";
import type { Caller } from "../../../platform/caller/caller.js";
import { Database } from "../../../platform/database/database.js";
import { notFound } from "../../../platform/http/errors.js";
import { Json } from "../../../platform/http/json.js";
import { OutboundClient } from "../../../platform/outbound/outbound.client.js";
import { MailParser } from "../mail-parser.js";
import type { CleanHtml, Pictures } from "./clean-html.js";
import type { MailHtmlDto, ReadMailHtmlDto } from "./mail-view.dto.js";
import { GET_ORIGINAL } from "./mail-view.queries.js";
import { isPicture } from "./picture.js";
import { dataUrl, MAX_PICTURES } from "./view-mail.js";

const MAX_PICTURE = 2 * 1_048_576;
const PICTURE_MS = 5_000;
const AT_ONCE = 6;
/** Mails that are in memory at one time. Each may have 40 MB. */
const MAILS = 2;

/** Shows a mail as its sender formatted it. It is read from the mail itself each time, so that what is safe is decided by today's rules. */
@Injectable()
export class MailViewService {
  private readonly inTurn = pLimit(MAILS);
  /** The last view that each tenant waits for. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(
    private readonly db: Database,
    private readonly attachments: AttachmentsService,
    private readonly parser: MailParser,
    private readonly outbound: OutboundClient,
  ) {}

  /** @throws NotFoundException (there is no such mail, or it has no formatting), ConflictException (it cannot be shown) */
  async html(caller: Caller, id: string, { pictures = false }: ReadMailHtmlDto): Promise<Json<MailHtmlDto>> {
    const original = (await this.db.read(caller, GET_ORIGINAL, { id })).parse();
    if (!original.formatted) throw notFound();
    const view = (remote: Pictures): Promise<CleanHtml> =>
      this.inTurnOf(caller.tenantId, async () =>
        this.parser.view(
          caller.tenantId,
          await buffer(await this.attachments.bytes({ tenantId: caller.tenantId, id: original.id })),
          remote,
        ),
      );
    let shown = await view(new Map()).catch((error: unknown) => {
      throw new ConflictException("The formatting of this mail cannot be read. Its text is in the message", {
        cause: error,
      });
    });
    // The test side calls nothing.
    if (pictures && shown.remotePictures.length > 0 && caller.environment === "live")
      shown = await view(await this.load(shown.remotePictures));
    const { html, remotePictures, isCut } = shown;
    return Json.of<MailHtmlDto>({ html, picturesLeftOut: remotePictures.length, isCut });
  }

  /** @throws NotFoundException: there is no such message, or nothing of it is kept as it came */
  async original(caller: Caller, id: string): Promise<Json<AttachmentLinkDto>> {
    return this.attachments.get(caller, (await this.db.read(caller, GET_ORIGINAL, { id })).parse().id);
  }

  /** One at a time for each tenant, so that those who ask for many do not hold up the others. */
  private async inTurnOf<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(tenantId) ?? Promise.resolve();
    const turn = before.catch(() => undefined).then(() => this.inTurn(work));
    this.last.set(tenantId, turn);
    try {
      return await turn;
    } finally {
      if (this.last.get(tenantId) === turn) this.last.delete(tenantId);
    }
  }

  /** Those that are pictures, and can be loaded in time. Our server asks, so their servers see no operator. */
  private async load(addresses: readonly string[]): Promise<Pictures> {
    const limit = pLimit(AT_ONCE);
    let room = MAX_PICTURES;
    const loaded = await Promise.all(
      addresses.map((address) =>
        limit(async (): Promise<[string, string][]> => {
          const file = await this.outbound
            .download(address, { maxBytes: Math.min(MAX_PICTURE, room), timeoutMs: PICTURE_MS })
            .catch(() => undefined);
          const type = file && (await fileTypeFromBuffer(file.bytes))?.mime;
          if (!file || !type || !isPicture(type, file.bytes) || (room -= file.bytes.length) < 0) return [];
          return [[address, dataUrl(type, file.bytes)]];
        }),
      ),
    );
    return new Map(loaded.flat());
  }
}
