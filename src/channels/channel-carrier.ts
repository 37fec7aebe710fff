import { ConflictException, Injectable, type OnModuleInit } from "@nestjs/common";
import { MessageQueued } from "../conversations/conversation-events.js";
import { MessagesService } from "../conversations/messages.service.js";
import type { Tx } from "../platform/database/transaction.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import { type Carrier, type Mail, Outbox, type Parcel, type Send } from "../platform/outbox/outbox.service.js";
import { BROKEN_AFTER_MINUTES, broken } from "./channel-failure.js";
import { ChannelError } from "./channel-kind.js";
import { ChannelsService } from "./channels.service.js";

/** Has the messages of conversations leave through their channels. */
@Injectable()
export class ChannelCarrier implements Carrier, OnModuleInit {
  constructor(
    private readonly channels: ChannelsService,
    private readonly messages: MessagesService,
    private readonly outbox: Outbox,
    private readonly events: DomainEvents,
  ) {
    outbox.carriedBy(this);
  }

  onModuleInit(): void {
    this.events.handle(MessageQueued, (tx, queued) => this.leave(tx, queued));
  }

  /** @throws ConflictException: it can never leave, and whoever writes it should know now */
  private async leave(
    tx: Tx,
    { message: { id, conversationId, channelId, sequence, body, attachmentIds } }: MessageQueued,
  ): Promise<void> {
    const { channel, kind } = await this.channels.open(tx, channelId);
    if (channel.status === "disabled")
      throw new ConflictException("The channel is disabled: nothing leaves through it");
    if (kind.mute) throw new ConflictException(kind.mute);
    const envelope = await kind.deliver!.envelope(tx, conversationId, { body, attachmentIds });
    if (!envelope)
      throw new ConflictException(
        `The contact has no ${kind.addressed === "phone" ? "phone number" : "email address"} that this could be sent to`,
      );
    const through = await kind.deliver!.through?.(tx, channel);
    const way =
      through === undefined
        ? { channel: kind.type, channelId }
        : { channel: (await this.channels.open(tx, through)).kind.type, channelId: through };
    const leaves = await this.outbox.leave(
      tx,
      { id, ...way, conversationId, position: sequence },
      { ...envelope, body },
    );
    if (!leaves) await this.messages.delivery(tx, id, "sent");
  }

  async prepare(tx: Tx, parcel: Parcel, mail: Mail, triedAt: Date | null): Promise<Send | undefined> {
    // Held as it is: one that becomes active at this moment either finds the parcel waiting, or is found active.
    const { channel, kind } = await this.channels.open(tx, parcel.channelId, "for share");
    return channel.status === "active" ? kind.deliver!.prepare(tx, channel, parcel, mail, triedAt) : undefined;
  }

  async settle(tx: Tx, parcel: Parcel, outcome: "sent" | "postponed" | "dead", error?: unknown): Promise<void> {
    const { id, channelId } = parcel;
    if (outcome !== "postponed") await this.messages.delivery(tx, id, outcome === "sent" ? "sent" : "failed");
    if (outcome === "sent")
      await tx.query(
        "update channel set failing_since = null, last_error = null where tenant_id = :tenant and id = :channelId and failing_since is not null",
        { channelId },
      );
    if (outcome === "dead")
      await (await this.channels.open(tx, channelId)).kind.deliver!.gaveUp?.(tx, parcel, (error as Error).message);
    if (error instanceof ChannelError) await this.note(tx, channelId, error);
  }

  /** That the channel failed, whatever the message was; after a while, or where it is of no use to try again, it is broken. */
  private async note(tx: Tx, channelId: string, error: ChannelError): Promise<void> {
    const [failing] = await tx.query<{ workspaceId: string; lasts: boolean }>(
      `update channel set failing_since = coalesce(failing_since, now()), last_error = :message
      where tenant_id = :tenant and id = :channelId and status = 'active'
      returning workspace_id as "workspaceId", :lasting or failing_since < now() - make_interval(mins => :minutes::int) as lasts`,
      { channelId, message: error.message, lasting: error.lasting, minutes: BROKEN_AFTER_MINUTES },
    );
    if (!failing) return;
    tx.within(failing.workspaceId);
    if (failing.lasts) await broken(tx, channelId, error);
  }
}
