import {
  ConflictException,
  Injectable,
  Logger,
  PayloadTooLargeException,
  ServiceUnavailableException,
  UnauthorizedException,
} from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { provider } from "../../../platform/caller/request-context.js";
import { Database } from "../../../platform/database/database.js";
import { type Json, type Ok, ok } from "../../../platform/http/json.js";
import { clientOf } from "../../../platform/http/rate-limit.js";
import type { Request } from "../../../platform/http/request.js";
import { readingBody } from "../../../platform/http/upload.js";
import type { FairShare } from "../../../platform/jobs/fair-share.js";
import { TookTooLong, TookTooMuchMemory } from "../../../platform/workers/worker-pool.js";
import { ChannelError, type OpenChannel } from "../../channel-kind.js";
import { ChannelWebhooksService } from "../../channel-webhooks.service.js";
import { MAX_MAIL_BYTES } from "../fetched-mail.js";
import { IncomingMailService } from "../incoming-mail.service.js";
import { arriving, unproven } from "../mail-shares.js";
import { contentIdOf } from "../parsed-message.js";
import { MailboxEntity } from "../mailbox.entity.js";
import type { InboundSettings, MailProviderName } from "./inbound.settings.js";
import { noteUnusable, placeOfWebhook } from "./mail-deliveries.js";
import { type Brought, type Elsewhere, inboundOf, type MailProvider, Unusable, UnusableNow } from "./mail-provider.js";
import { Mailgun } from "./mailgun.js";
import { Postmark } from "./postmark.js";
import { Ses } from "./ses.js";

/** How long a webhook waits for room, with its body still at the provider. */
const WAIT_MS = 2_000;
/** The room for a mail that is elsewhere: most mails are small. Each time the mail is larger, it is fetched anew. */
const ROOMS = [1_048_576, 8 * 1_048_576, MAX_MAIL_BYTES];
const OPERATION = "mailWebhooks.receive";

/** A share of memory, and whose part of it. */
interface Room {
  share: FairShare;
  of: string;
}
const roomOf = ({ tenantId }: OpenChannel): Room => ({ share: arriving, of: tenantId });

/** Takes mails that providers send by webhook. */
@Injectable()
export class MailWebhooksService {
  private readonly log = new Logger("mail");
  /** How long a body may take to arrive. Postmark waits as long for the answer. */
  bodyMs = 120_000;
  /** How long a mail that is elsewhere waits for room. SNS waits 15 seconds for the answer, and by default comes again three times only. */
  elsewhereMs = 8_000;
  private readonly providers: Readonly<Record<MailProviderName, MailProvider>>;

  constructor(
    private readonly webhooks: ChannelWebhooksService,
    private readonly db: Database,
    private readonly mails: IncomingMailService,
    postmark: Postmark,
    mailgun: Mailgun,
    ses: Ses,
  ) {
    this.providers = { postmark, mailgun, ses };
  }

  /**
   * Answers once the mail is stored: until then the provider repeats it.
   * @throws UnauthorizedException: it is not the provider's, or there is no channel for it; the caller cannot tell which
   */
  receive(channelId: string, request: Request, reply: FastifyReply): Promise<Json<Ok>> {
    return this.webhooks.ofChannel(channelId, (channel) => {
      const inbound = inboundOf(channel);
      if (!inbound) throw new UnauthorizedException();
      const by = this.providers[inbound.provider];
      return readingBody(request, reply, this.bodyMs, async () => {
        const isProven = this.admit(channel, by, request);
        const length = Number(request.headers["content-length"] ?? by.maxBytes);
        if (length > by.maxBytes)
          throw new PayloadTooLargeException(`A webhook of ${by.name} may have at most ${by.maxBytes} bytes`);
        const room = isProven ? roomOf(channel) : { share: unproven, of: clientOf(request.ip) };
        const elsewhere = await this.withRoom(room, Math.min(length, MAX_MAIL_BYTES), async () => {
          const brought = await this.noting(channel, () => by.read(channel, request));
          if (brought && "fetch" in brought) return brought;
          if (brought) await this.store(channel, brought);
          return undefined;
        });
        if (elsewhere) await this.fetch(channel, elsewhere);
        return ok();
      });
    });
  }

  private async fetch(channel: OpenChannel, { fetch, recipients }: Elsewhere): Promise<void> {
    const signal = AbortSignal.timeout(this.elsewhereMs);
    for (const size of ROOMS) {
      const most = size < MAX_MAIL_BYTES ? size : undefined;
      const isWhole = await this.withRoom(
        roomOf(channel),
        size,
        async () => {
          const source = await this.noting(channel, () => fetch(most));
          if (source.length === most) return false;
          await this.store(channel, { source, recipients });
          return true;
        },
        signal,
      );
      if (isWhole) return;
    }
  }

  /** Whether something has come, as the end of a test that has tried to send. */
  async test(channel: OpenChannel, inbound: InboundSettings): Promise<{ ok: boolean; message: string }> {
    const by = this.providers[inbound.provider];
    const mailbox = await this.db.transaction(provider(OPERATION, channel), (tx) => {
      tx.changesNothingVisible();
      return tx.findOne(MailboxEntity, { channelId: channel.id });
    });
    const { webhookAt, webhookError } = mailbox ?? {};
    if (!webhookAt)
      return { ok: false, message: `Signed in to send. Nothing has come from ${by.name} yet: ${by.missing(inbound)}` };
    const at = `${webhookAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
    return webhookError
      ? {
          ok: false,
          message: `Signed in to send. The last webhook of ${by.name}, at ${at}, brought no mail. ${webhookError}`,
        }
      : { ok: true, message: `Signed in to send; ${by.name} last sent a mail at ${at}` };
  }

  /** @returns whether the headers prove that the provider calls */
  private admit(channel: OpenChannel, by: MailProvider, request: Request): boolean {
    let isProven: boolean;
    try {
      isProven = by.admit(channel, request);
    } catch (error) {
      // The stored credentials cannot be opened.
      if (error instanceof ChannelError) throw new ServiceUnavailableException(error.message);
      throw error;
    }
    if (channel.status === "disabled") throw new ConflictException("The channel is disabled: it takes nothing");
    return isProven;
  }

  /** Bodies share memory. If there is none soon, the provider comes again. */
  private async withRoom<T>(
    { share, of }: Room,
    size: number,
    work: () => Promise<T>,
    signal = AbortSignal.timeout(WAIT_MS),
  ): Promise<T> {
    let hasRoom = false;
    return share
      .run(
        of,
        () => {
          hasRoom = true;
          return work();
        },
        { size, signal },
      )
      .catch((error: unknown) => {
        if (hasRoom) throw error;
        throw new ServiceUnavailableException("Too many mails arrive at once");
      });
  }

  /** Records why there is no mail that we could take. */
  private async noting<T>(channel: OpenChannel, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Unusable || error instanceof UnusableNow) {
        const { message } = error;
        await this.db.transaction(provider(OPERATION, channel), (tx) => noteUnusable(tx, channel, message));
      }
      throw error;
    }
  }

  private async store(channel: OpenChannel, { source, recipients, token }: Brought): Promise<void> {
    const mail = { source, size: source.length, at: new Date(), recipients };
    const place = placeOfWebhook(channel, { content: await contentIdOf(mail), token });
    try {
      await this.mails.receive(channel, place, mail);
    } catch (error) {
      if (!(error instanceof TookTooLong || error instanceof TookTooMuchMemory)) throw error;
      this.log.warn(`a mail of channel ${channel.id} is read again when it comes again: ${error.message}`);
      throw new ServiceUnavailableException("The mail could not be read in time");
    }
  }
}
