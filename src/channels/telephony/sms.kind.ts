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
import { IncomingMessages } from "../incoming-messages.service.js";
import { Config } from "../../platform/config/config.js";
import { ContactsService, type Sender } from "../../contacts/contacts.service.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { Database } from "../../platform/database/database.js";
import type { Tx } from "../../platform/database/transaction.js";
import { IdPipe } from "../../platform/http/validation.js";
import { type Mail, Outbox, type Parcel } from "../../platform/outbox/outbox.service.js";
import { phoneOf } from "./caller-id.js";
import { reasonOf } from "./provider-errors.js";
import { Media, type Medium } from "./media.service.js";
import { assertOurs, webhookOf, wire, type Wiring } from "./number-webhooks.js";
import { type OwnNumber, ProviderClient, providerOf } from "./provider.client.js";
import { type Params, verified } from "./signature.js";
import { SmsSettings, TelephonyCredentials } from "./telephony.settings.js";
import { NOTHING } from "./twiml.js";

/** The provider takes no longer message. */
const MOST_CHARACTERS = 1_600;
/** How far the provider's clock may be behind ours. */
const SKEW_MS = 60_000;
const MOST_MEDIA = 10;
const OPERATION = "ChannelWebhooks.receive";

/** What each of the provider's statuses says of a message; all others, that the provider has it. */
const STATUSES: Record<string, "delivered" | "read" | "failed"> = {
  delivered: "delivered",
  read: "read",
  undelivered: "failed",
  failed: "failed",
  canceled: "failed",
};
/** What the provider understands by itself, where it does not say so. */
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

/** SMS and MMS, as Twilio has them. */
@Injectable()
export class SmsKind implements ChannelKind {
  readonly type = "sms";
  readonly addressed = "phone";
  readonly settings = SmsSettings;
  readonly credentials = TelephonyCredentials;
  readonly deliver: Delivery = {
    envelope: (tx, conversationId, message) => envelope(tx, conversationId, message),
    prepare: (_, channel, parcel, mail, triedAt) => Promise.resolve(() => this.send(channel, parcel, mail, triedAt)),
    gaveUp: async (tx, { id, conversationId }, sentence) => {
      await this.messages.noteWithin(tx, conversationId, { body: sentence, externalId: `failed ${id}` });
    },
  };

  constructor(
    kinds: ChannelKinds,
    private readonly client: ProviderClient,
    private readonly config: Config,
    private readonly db: Database,
    private readonly incoming: IncomingMessages,
    private readonly contacts: ContactsService,
    private readonly messages: MessagesService,
    private readonly outbox: Outbox,
    private readonly media: Media,
  ) {
    kinds.plug(this);
  }

  boundTo(settings: object): string {
    return (settings as SmsSettings).apiUrl!;
  }

  async provision(channel: OpenChannel): Promise<void> {
    const number = await this.look(channel);
    if (!(channel.settings as SmsSettings).messagingServiceSid)
      await wire(this.client, channel, number, wiring(number), webhookOf(channel, this.config.PUBLIC_URL));
  }

  async test(channel: OpenChannel): Promise<string> {
    const number = await this.look(channel);
    const receives = (channel.settings as SmsSettings).messagingServiceSid
      ? "; where SMS that come in are sent is set in the messaging service"
      : assertOurs(wiring(number), channel, webhookOf(channel, this.config.PUBLIC_URL));
    return `${providerOf(channel.settings)} lets us in, and ${channel.address} can send SMS${receives}`;
  }

  private async look(channel: OpenChannel): Promise<OwnNumber> {
    const [number] = await Promise.all([this.client.number(channel), this.client.assertActive(channel)]);
    if (number.capabilities?.sms === false) throw new ChannelError(`${channel.address} cannot send SMS`, true);
    return number;
  }

  /** The provider has no key by which it knew a message again: before a repeat it is asked for what arrived the time before. */
  private async send(channel: OpenChannel, { id }: Parcel, { to, body }: Mail, triedAt: Date | null): Promise<string> {
    const { messagingServiceSid } = channel.settings as SmsSettings;
    const arrived = triedAt && (await this.arrived(channel, { to, body, since: triedAt.getTime() - SKEW_MS }));
    if (arrived) return arrived;
    const webhook = webhookOf(channel, this.config.PUBLIC_URL);
    return this.client.send(channel, {
      To: to,
      Body: body,
      ...(messagingServiceSid ? { MessagingServiceSid: messagingServiceSid } : { From: channel.address! }),
      StatusCallback: webhook && `${webhook}?event=status&message=${id}`,
    });
  }

  /** The message, where the provider has it and no other message of ours is known to be it. */
  private async arrived(
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
      tx.unseen();
      return this.outbox.known(tx, like);
    });
    return like.find((sid) => !known.includes(sid));
  }

  async receive(channel: OpenChannel, webhook: Webhook): Promise<Answer> {
    const params = verified(channel, webhook);
    const { event, message } = webhook.query;
    if (event === "status") await this.told(channel, params, message);
    else if (event === undefined) await this.take(channel, params);
    else throw new BadRequestException("event must be status, or missing");
    return NOTHING;
  }

  private async take(
    channel: OpenChannel,
    { MessageSid: externalId, From: from, Body: body = "", NumMedia: count = "0", ...params }: Params,
  ): Promise<void> {
    if (!externalId || !from) throw new BadRequestException("MessageSid and From are missing");
    if (channel.status === "disabled") throw new ConflictException("The channel is disabled: it takes nothing");
    const caller = provider(OPERATION, channel);
    const phone = phoneOf(from);
    const media = Array.from({ length: Math.min(Number(count) || 0, MOST_MEDIA) }, (_, n): Medium => ({
      url: params[`MediaUrl${n}`] ?? "",
      type: params[`MediaContentType${n}`] ?? "",
    }));
    // What is not taken, or was before, is not fetched.
    if (media.length && !(await this.db.transaction(caller, (tx) => this.wants(tx, channel, externalId, phone))))
      return;
    await this.media.bring(channel, caller, media, "mms", async (tx, attachmentIds, missing) => {
      const sender: Sender | { contactId: string } = phone
        ? { kind: "phone", value: phone }
        : { contactId: (await this.contacts.findOrAdd(tx, { externalId: `sms:${from}`, name: from })).id };
      const text = [
        body.trim() ? body : media.length ? "[A message without words]" : "[An empty message]",
        ...missing,
      ].join("\n\n");
      const taken = await this.incoming.receive(tx, channel, {
        from: sender,
        externalId,
        body: text,
        attachmentIds,
        metadata: phone ? { phone } : {},
      });
      if (!taken?.created) return undefined;
      if (phone) await answerTo(tx, taken.conversationId, phone);
      const choice = params.OptOutType ?? KEYWORDS[body.trim().toLowerCase()];
      if (choice === "STOP" || choice === "START")
        await this.messages.noteWithin(tx, taken.conversationId, {
          body: choiceInWords(choice, providerOf(channel.settings)),
          externalId: `choice ${externalId}`,
        });
      return taken;
    });
  }

  private async wants(tx: Tx, channel: OpenChannel, externalId: string, phone: string | null): Promise<boolean> {
    tx.unseen();
    if (await this.incoming.find(tx, channel.id, [externalId])) return false;
    return phone === null || !(await this.contacts.atAddress(tx, { kind: "phone", value: phone }))?.blocked;
  }

  /** What became of a message of ours: whatever it is, the provider has it. */
  private async told(
    channel: OpenChannel,
    { MessageSid: sid, MessageStatus: status, ErrorCode: code }: Params,
    message: string | undefined,
  ): Promise<void> {
    if (!sid || !status || !message) throw new BadRequestException("MessageSid, MessageStatus and message are missing");
    const id = new IdPipe().transform(message);
    await this.db.transaction(provider(OPERATION, channel), async (tx) => {
      tx.unseen();
      const [ours] = await tx.query<{ conversationId: string }>(
        `select c.id as "conversationId" from message m join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
        where m.tenant_id = :tenant and m.id = :id and m.direction = 'outbound' and c.channel_id = :channelId`,
        { id, channelId: channel.id },
      );
      if (!ours) return;
      const left = await this.outbox.left(tx, id, sid);
      const became = STATUSES[status];
      // That the provider has it is no news any more, perhaps of what has failed since.
      if (!became && !left) return;
      const news = await this.messages.delivery(tx, id, became ?? "sent");
      if (news && became === "failed")
        await this.messages.noteWithin(tx, ours.conversationId, {
          body: `Not delivered: ${reasonOf(Number(code ?? 0))}${code ? ` (${code})` : ""}`,
          externalId: `failed ${id}`,
        });
    });
  }
}

const wiring = (number: OwnNumber): Wiring => ({
  what: "SMS",
  now: number.sms_url,
  set: (url) => ({ SmsUrl: url, SmsMethod: "POST" }),
});

const choiceInWords = (choice: "STOP" | "START", who: string): string =>
  choice === "STOP"
    ? `The contact has opted out: ${who} delivers nothing more to them until they write START`
    : "The contact has opted in again: what you write reaches them";

/** Remembers the number that somebody last wrote from, among those that they have. */
async function answerTo(tx: Tx, conversationId: string, phone: string): Promise<void> {
  await tx.query(
    `update conversation set metadata = metadata || jsonb_build_object('phone', :phone::text) where tenant_id = :tenant and id = :conversationId and metadata ->> 'phone' is distinct from :phone::text`,
    { conversationId, phone },
  );
}

/** To the number that the contact last wrote from, as long as it is one of theirs, otherwise to their first; not to one who was deleted. */
async function envelope(
  tx: Tx,
  conversationId: string,
  { body, attachmentIds }: { body: string; attachmentIds: readonly string[] },
): Promise<Omit<Mail, "body"> | undefined> {
  if (attachmentIds.length) throw new ConflictException("An SMS holds no files: send a link instead");
  if (body.length > MOST_CHARACTERS)
    throw new ConflictException(`An SMS holds at most 1,600 characters; this has ${body.length.toLocaleString("en")}`);
  const [row] = await tx.query<{ to: string }>(
    `select p.value as "to" from conversation c join contact k on k.tenant_id = c.tenant_id and k.id = c.contact_id and k.deleted_at is null
      join contact_point p on p.tenant_id = k.tenant_id and p.contact_id = k.id and p.kind = 'phone'
    where c.tenant_id = :tenant and c.id = :conversationId order by p.value is distinct from c.metadata ->> 'phone', p.position limit 1`,
    { conversationId },
  );
  return row && { to: row.to, subject: "" };
}
