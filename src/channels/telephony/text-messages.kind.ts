import { Injectable, type OnModuleInit } from "@nestjs/common";
import { v7 as uuid } from "uuid";
import { TextMessageDue } from "../../identity/possession/proof-messages.js";
import type { Tx } from "../../platform/database/transaction.js";
import { DomainEvents } from "../../platform/events/domain-events.js";
import type { Mail, OutboxEntry, OutboxKind, Send } from "../../platform/outbox/outbox-kind.js";
import { OutboxService } from "../../platform/outbox/outbox.service.js";
import { ChannelCarrier } from "../channel-carrier.js";
import { ChannelsService } from "../channels.service.js";
import { SmsKind } from "./sms.kind.js";
import { ChannelEntity } from "../../workspaces/channel.entity.js";

/** Text messages of the service itself, such as one-time codes. They leave through an SMS channel and belong to no conversation. */
@Injectable()
export class TextMessagesKind implements OutboxKind<Mail>, OnModuleInit {
  readonly name = "text";
  readonly available = true;

  constructor(
    private readonly outbox: OutboxService,
    private readonly events: DomainEvents,
    private readonly channels: ChannelsService,
    private readonly carrier: ChannelCarrier,
    private readonly sms: SmsKind,
  ) {
    outbox.register(this);
  }

  onModuleInit(): void {
    this.events.handle(TextMessageDue, (tx, message) => this.enqueue(tx, message));
  }

  /** Takes the message if the workspace has an SMS channel that works. */
  private async enqueue(tx: Tx, message: TextMessageDue): Promise<void> {
    const { workspaceId } = message;
    const working = { workspaceId, type: "sms", status: "active" } as const;
    const channel = await tx.findOne(ChannelEntity, working, { order: { createdAt: "ASC", id: "ASC" } });
    if (!channel) return;
    const entry = { id: uuid(), channel: "sms", channelId: channel.id, conversationId: null, position: null };
    await this.outbox.add(tx, this, entry, { to: message.to, subject: "", body: message.body });
    message.taken = true;
  }

  show(mail: Mail): Mail {
    return mail;
  }

  async prepare(tx: Tx, entry: OutboxEntry, mail: Mail, triedAt: Date | null): Promise<Send | undefined> {
    const { channel } = await this.channels.open(tx, entry.channelId!, "for share");
    return channel.status === "active" ? () => this.sms.send(channel, entry.id, mail, triedAt) : undefined;
  }

  async settle(tx: Tx, entry: OutboxEntry, outcome: "sent" | "postponed" | "dead", error?: unknown): Promise<void> {
    await this.carrier.noteHealth(tx, entry.channelId!, outcome, error);
  }
}
