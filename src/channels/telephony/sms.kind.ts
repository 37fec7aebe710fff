import { BadRequestException, ConflictException, Injectable } from "@nestjs/common";
import { provider } from "../../platform/caller/request-context.js";
import {
  type Answer,
  ChannelError,
  type ChannelKind,
  type Delivery,
  type OpenChannel,
  type Webhook,
} from "../channel-kind.js";
import { ChannelKinds } from "../channel-kinds.js";
import { IncomingMessagesService } from "../incoming-messages.service.js";
import { Config } from "../../platform/config/config.js";
import { ContactsService, type Sender } from "../../contacts/contacts.service.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { IdPipe } from "../../platform/http/validation.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import { phoneOf } from "./caller-id.js";
import { reasonOf } from "./provider-errors.js";
import { MediaService, type Medium } from "./media.service.js";
import { assertOwnWebhook, type NumberWebhook, setWebhook, webhookOf } from "./number-webhooks.js";
import { type OwnNumber, ProviderClient, providerOf } from "./provider.client.js";
import { type Params, verified } from "./signature.js";
import { FIND_RECIPIENT, FIND_SENT_MESSAGE, REMEMBER_NUMBER } from "./telephony.queries.js";
import { SmsSettings, TelephonyCredentials } from "./telephony.settings.js";
import { NOTHING } from "./twiml.js";

/** The provider refuses longer messages. */
const MAX_CHARACTERS = 1_600;
/** How far the clock of the provider may be behind ours. */
const SKEW_MS = 60_000;
const MAX_MEDIA = 10;
const OPERATION = "channelWebhooks.receive";

/** What the provider's statuses mean for a message. Any other status means that the provider has it. */
const STATUSES: Record<string, "delivered" | "read" | "failed"> = {
  delivered: "delivered",
  read: "read",
  undelivered: "failed",
  failed: "failed",
  canceled: "failed",
};
/** Words that opt out or in, which the provider handles itself and may not report. */
const KEYWORDS: Record<string, "STOP" | "START"> = {
  stop: "STOP",
  stopall: "STOP",
  unsubscribe: "STOP",
  cancel: "STOP",
  end: "STOP",
  quit: "STOP",
  revoke: "STOP",
  optout: "STOP",
  start: "START",
  unstop: "START",
};

/** SMS and MMS channels, with the API of Twilio. */
@Injectable()
export class SmsKind implements ChannelKind {
  readonly type = "sms";
  readonly addressed = "phone";
  readonly settings = SmsSettings;
  readonly credentials = TelephonyCredentials;
  readonly deliver: Delivery = {
    envelope: (tx, conversationId, message) => envelope(tx, conversationId, message),
    prepare: (_, channel, { id }, mail, triedAt) => Promise.resolve(() => this.send(channel, id, mail, triedAt)),
    gaveUp: async (tx, { id, conversationId }, sentence) => {
      await this.messages.noteWithin(tx, conversationId, { body: sentence, externalId: `failed ${id}` });
    },
  };

  constructor(
    kinds: ChannelKinds,
    private readonly client: ProviderClient,
    private readonly config: Config,
    private readonly db: Database,
    private readonly incoming: IncomingMessagesService,
    private readonly contacts: ContactsService,
    private readonly messages: MessagesService,
    private readonly outbox: OutboxService,
    private readonly media: MediaService,
  ) {
    kinds.plug(this);
  }

  /** The provider signs with the token who called or wrote. */
  credentialsVouch(): boolean {
    return true;
  }

  boundTo(settings: object): string {
    return (settings as SmsSettings).apiUrl!;
  }

  async provision(channel: OpenChannel): Promise<void> {
    const number = await this.look(channel);
    if (!(channel.settings as SmsSettings).messagingServiceSid)
      await setWebhook(this.client, channel, number, numberWebhook(number), webhookOf(channel, this.config.PUBLIC_URL));
  }

  async test(channel: OpenChannel): Promise<string> {
    const number = await this.look(channel);
    const receives = (channel.settings as SmsSettings).messagingServiceSid
      ? "; where SMS that come in are sent is set in the messaging service"
      : assertOwnWebhook(numberWebhook(number), channel, webhookOf(channel, this.config.PUBLIC_URL));
    return `${providerOf(channel.settings)} lets us in, and ${channel.address} can send SMS${receives}`;
  }

  private async look(channel: OpenChannel): Promise<OwnNumber> {
    const [number] = await Promise.all([this.client.number(channel), this.client.assertActive(channel)]);
    if (number.capabilities?.sms === false) throw new ChannelError(`${channel.address} cannot send SMS`, true);
    return number;
  }

  /**
   * The provider does not recognise a repeat. Before one, this looks for the message among those that it has.
   * @param id of the message, which the provider's reports name
   */
  async send(channel: OpenChannel, id: string, { to, body }: Mail, triedAt: Date | null): Promise<string> {
    const { messagingServiceSid } = channel.settings as SmsSettings;
    const arrived = triedAt && (await this.findSent(channel, { to, body, since: triedAt.getTime() - SKEW_MS }));
    if (arrived) return arrived;
    const webhook = webhookOf(channel, this.config.PUBLIC_URL);
    return this.client.send(channel, {
      To: to,
      Body: body,
      ...(messagingServiceSid ? { MessagingServiceSid: messagingServiceSid } : { From: channel.address! }),
      StatusCallback: webhook && `${webhook}?event=status&message=${id}`,
    });
  }

  /** The provider's id of the message, if it has it. An id that belongs to another message of ours does not count. */
  private async findSent(
    channel: OpenChannel,
    { to, body, since }: { to: string; body: string; since: number },
  ): Promise<string | undefined> {
    const { messagingServiceSid } = channel.settings as SmsSettings;
    const sent = await this.client.sentTo(channel, { To: to, ...(!messagingServiceSid && { From: channel.address! }) });
    const like = sent
      .filter((message) => message.body.trim() === body.trim() && Date.parse(message.date_created) >= since)
      .map(({ sid }) => sid)
      .reverse();
    if (!like.length) return undefined;
    const known = await this.db.transaction(provider(OPERATION, channel), (tx) => {
      tx.changesNothingVisible();
      return this.outbox.known(tx, like);
    });
    return like.find((sid) => !known.includes(sid));
  }

  async receive(channel: OpenChannel, webhook: Webhook): Promise<Answer> {
    const params = verified(channel, webhook);
    const { event, message } = webhook.query;
    if (event === "status") await this.recordStatus(channel, params, message);
    else if (event === undefined) await this.receiveMessage(channel, params);
    else throw new BadRequestException("event must be status, or missing");
    return NOTHING;
  }

  private async receiveMessage(
    channel: OpenChannel,
    { MessageSid: externalId, From: from, Body: body = "", NumMedia: count = "0", ...params }: Params,
  ): Promise<void> {
    if (!externalId || !from) throw new BadRequestException("MessageSid and From are missing");
    if (channel.status === "disabled") throw new ConflictException("The channel is disabled: it takes nothing");
    const caller = provider(OPERATION, channel);
    const phone = phoneOf(from);
    const media = Array.from({ length: Math.min(Number(count) || 0, MAX_MEDIA) }, (_, n): Medium => ({
      url: params[`MediaUrl${n}`] ?? "",
      type: params[`MediaContentType${n}`] ?? "",
    }));
    // Fetch no files of a message that is refused or came before.
    if (media.length && !(await this.db.transaction(caller, (tx) => this.wants(tx, channel, externalId, phone))))
      return;
    await this.media.bring(channel, caller, media, "mms", async (tx, attachmentIds, missing) => {
      const sender: Sender | { contactId: string } = phone
        ? { kind: "phone", value: phone }
        : {
            contactId: (
              await this.contacts.identified(tx, { externalId: `sms:${from}`, name: from }, channel.workspaceId)
            ).id,
          };
      const text = [body || (media.length ? "[A message without words]" : "[An empty message]"), ...missing].join(
        "\n\n",
      );
      const taken = await this.incoming.receive(tx, channel, {
        from: sender,
        senderProof: "channel",
        externalId,
        body: text,
        attachmentIds,
        metadata: phone ? { phone } : {},
      });
      if (!taken?.created) return undefined;
      if (phone) await tx.query(REMEMBER_NUMBER, { conversationId: taken.conversationId, phone });
      const choice = params.OptOutType ?? KEYWORDS[body.trim().toLowerCase()];
      if (choice === "STOP" || choice === "START")
        await this.messages.noteWithin(tx, taken.conversationId, {
          body: optOutNote(choice, providerOf(channel.settings)),
          externalId: `choice ${externalId}`,
        });
      return taken;
    });
  }

  private async wants(tx: Tx, channel: OpenChannel, externalId: string, phone: string | null): Promise<boolean> {
    tx.changesNothingVisible();
    if (await this.incoming.find(tx, [channel.id], [externalId])) return false;
    return phone === null || !(await this.contacts.atAddress(tx, { kind: "phone", value: phone }))?.blocked;
  }

  /** Records the status of a message of ours. Any status means that the provider has the message. */
  private async recordStatus(
    channel: OpenChannel,
    { MessageSid: sid, MessageStatus: status, ErrorCode: code }: Params,
    message: string | undefined,
  ): Promise<void> {
    if (!sid || !status || !message) throw new BadRequestException("MessageSid, MessageStatus and message are missing");
    const id = new IdPipe().transform(message);
    await this.db.transaction(provider(OPERATION, channel), async (tx) => {
      tx.changesNothingVisible();
      const [ours] = await tx.query(FIND_SENT_MESSAGE, { id, channelId: channel.id });
      if (!ours) return;
      const left = await this.outbox.left(tx, id, sid);
      const outcome = STATUSES[status];
      // It is known that the provider has the message, which may have failed since.
      if (!outcome && !left) return;
      const news = await this.messages.delivery(tx, id, outcome ?? "sent");
      if (news && outcome === "failed")
        await this.messages.noteWithin(tx, ours.conversationId, {
          body: `Not delivered: ${reasonOf(Number(code ?? 0))}${code ? ` (${code})` : ""}`,
          externalId: `failed ${id}`,
        });
    });
  }
}

const numberWebhook = (number: OwnNumber): NumberWebhook => ({
  what: "SMS",
  now: number.sms_url,
  set: (url) => ({ SmsUrl: url, SmsMethod: "POST" }),
});

const optOutNote = (choice: "STOP" | "START", who: string): string =>
  choice === "STOP"
    ? `The contact has opted out: ${who} delivers nothing more to them until they write START`
    : "The contact has opted in again: what you write reaches them";

/** @throws ConflictException: it has files, or is too long */
async function envelope(
  tx: Tx,
  conversationId: string,
  { body, attachmentIds }: { body: string; attachmentIds: readonly string[] },
): Promise<Omit<Mail, "body"> | undefined> {
  if (attachmentIds.length) throw new ConflictException("An SMS holds no files: send a link instead");
  if (body.length > MAX_CHARACTERS)
    throw new ConflictException(`An SMS holds at most 1,600 characters; this has ${body.length.toLocaleString("en")}`);
  const [found] = await tx.query(FIND_RECIPIENT, { conversationId });
  return found && { to: found.to, subject: "" };
}
