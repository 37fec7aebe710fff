import { ConflictException, Injectable, type OnModuleInit } from "@nestjs/common";
import { IsNull, Not } from "typeorm";
import { MessageQueued } from "../conversations/conversation-events.js";
import { MessageEntity } from "../conversations/conversation.entity.js";
import { MessagesService } from "../conversations/messages.service.js";
import type { Recipients } from "../conversations/participants/recipients.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import type { Mail, OutboxEntry, OutboxKind, Send } from "../platform/outbox/outbox-kind.js";
import { plainText } from "../platform/markdown/plain-text.js";
import { OutboxService } from "../platform/outbox/outbox.service.js";
import { ChannelEntity } from "../workspaces/channel.entity.js";
import { ERROR_AFTER_MINUTES, markChannelFailed } from "./channel-failure.js";
import { ChannelError, type Parcel, type Refused } from "./channel-kind.js";
import { NOTE_FAILURE } from "./channels.queries.js";
import { ChannelsService } from "./channels.service.js";
import type { Outgoing } from "./letter/compose.js";
import { isLetter } from "./letter/letter.js";
import { shown } from "./letter/letter-parts.js";

/** Sends the messages of conversations through their channels. */
@Injectable()
export class ChannelCarrier implements OutboxKind<Mail>, OnModuleInit {
  readonly name = "channel";
  readonly available = true;

  constructor(
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly outbox: OutboxService,
    private readonly events: DomainEvents,
  ) {
    outbox.register(this);
  }

  onModuleInit(): void {
    this.events.handle(MessageQueued, (tx, queued) => this.enqueue(tx, queued));
  }

  /** @throws ConflictException: the message can never be sent, so its author should learn that now */
  private async enqueue(tx: Tx, { message }: MessageQueued): Promise<void> {
    const { id, conversationId, channelId, sequence, attachmentIds, holdSeconds, recipients, mail } = message;
    const { channel, kind } = await this.channels.open(tx, channelId);
    if (channel.status === "disabled")
      throw new ConflictException("The channel is disabled: nothing leaves through it");
    if (kind.mute) throw new ConflictException(kind.mute);
    const body = !kind.deliver!.compose && message.bodyFormat === "markdown" ? plainText(message.body) : message.body;
    const contact = await kind.deliver!.envelope(tx, conversationId, { body, attachmentIds });
    const envelope = named(contact, recipients, mail?.subject);
    if (!envelope)
      throw new ConflictException(
        `The contact has no ${kind.addressed === "phone" ? "phone number" : "email address"} that this could be sent to`,
      );
    const through = await kind.deliver!.through?.(tx, channel);
    const way =
      through === undefined
        ? { channel: kind.type, channelId }
        : { channel: (await this.channels.open(tx, through)).kind.type, channelId: through };
    if (recipients && way.channel !== "email")
      throw new ConflictException("The workspace has no mailbox. Without one, an answer goes to the contact alone");
    const leaves = await this.outbox.add(
      tx,
      this,
      { id, ...way, conversationId, position: sequence, holdSeconds },
      { ...envelope, body, ...(await kind.deliver!.compose?.(tx, outgoingOf(message))) },
    );
    if (!leaves && !holdSeconds) await this.messages.delivery(tx, id, "sent");
  }

  show(mail: Mail): Mail {
    return isLetter(mail) ? shown(mail) : mail;
  }

  async prepare(tx: Tx, entry: OutboxEntry, mail: Mail, triedAt: Date | null): Promise<Send | undefined> {
    const parcel = parcelOf(entry);
    // The lock keeps the status: a channel that becomes active now finds the parcel waiting, or is seen as active here.
    const { channel, kind } = await this.channels.open(tx, parcel.channelId, "for share");
    return channel.status === "active" ? kind.deliver!.prepare(tx, channel, parcel, mail, triedAt) : undefined;
  }

  async released(tx: Tx, id: string): Promise<void> {
    await this.messages.delivery(tx, id, "queued");
  }

  async captured(tx: Tx, id: string): Promise<void> {
    await this.released(tx, id);
    await this.messages.delivery(tx, id, "sent");
  }

  async settle(tx: Tx, entry: OutboxEntry, outcome: "sent" | "postponed" | "dead", error?: unknown): Promise<void> {
    const parcel = parcelOf(entry);
    const { id, channelId } = parcel;
    if (outcome !== "postponed") await this.messages.delivery(tx, id, outcome === "sent" ? "sent" : "failed");
    await this.noteTrouble(tx, parcel, outcome, error);
    if (outcome === "dead")
      await (await this.channels.open(tx, channelId)).kind.deliver!.gaveUp?.(tx, parcel, (error as Error).message);
    await this.noteHealth(tx, channelId, outcome, error);
  }

  /** A note says what a message's status does not: that some of its recipients were refused, or that a forwarded one did not leave. */
  private async noteTrouble(
    tx: Tx,
    { id, conversationId }: Parcel,
    outcome: "sent" | "postponed" | "dead",
    result: unknown,
  ): Promise<void> {
    const { refused = [] } = (result ?? {}) as { refused?: Refused[] };
    const texts =
      outcome === "sent" ? refused.map(({ address, reason }) => `to ${address} was refused: ${reason}`) : [];
    if (outcome === "dead") {
      const message = await tx.findOne(MessageEntity, { id });
      if (message?.recipients?.forward || message?.recipients?.invitation)
        texts.push(`to ${message.recipients.to.join(", ")} could not be sent: ${(result as Error).message}`);
    }
    for (const text of texts)
      await this.messages.noteWithin(tx, conversationId, { body: `The mail ${text}`.slice(0, 1_000) });
  }

  /** What the outcome of an attempt says about the channel itself. */
  async noteHealth(tx: Tx, channelId: string, outcome: "sent" | "postponed" | "dead", error: unknown): Promise<void> {
    if (outcome === "sent")
      await tx.update(
        ChannelEntity,
        { id: channelId, failingSince: Not(IsNull()) },
        { failingSince: null, lastError: null },
      );
    if (error instanceof ChannelError) await this.noteFailure(tx, channelId, error);
  }

  /** The channel failed, not the message. After a while, or at once if a retry is of no use, the channel goes into error. */
  private async noteFailure(tx: Tx, channelId: string, error: ChannelError): Promise<void> {
    const { message, lasting } = error;
    const [failing] = await tx.query(NOTE_FAILURE, { channelId, message, lasting, minutes: ERROR_AFTER_MINUTES });
    if (!failing) return;
    tx.changesWorkspace(failing.workspaceId);
    if (failing.isError) await markChannelFailed(tx, channelId, error);
  }
}

const outgoingOf = ({ mail, ...message }: MessageQueued["message"]): Outgoing => ({
  ...message,
  format: message.bodyFormat,
  memberId: message.authorType === "member" ? message.authorId : null,
  // A forwarded message has what it forwards in its text.
  quote: mail ? "none" : message.quote,
  calendar: mail?.calendar,
});

function parcelOf({ id, channel, channelId, conversationId, position }: OutboxEntry): Parcel {
  if (channelId === null || conversationId === null || position === null)
    throw new Error(`the outbox entry ${id} is of no channel`);
  return { id, channel, channelId, conversationId, position };
}

/** The envelope of a message that may name others than the contact. The outbox shows its first recipient. */
function named(
  contact: Omit<Mail, "body"> | undefined,
  recipients: Recipients | null | undefined,
  subject = recipients?.subject,
): Omit<Mail, "body"> | undefined {
  const to = recipients?.to[0] ?? contact?.to;
  return to === undefined ? undefined : { ...contact, to, subject: subject ?? contact?.subject ?? "" };
}
