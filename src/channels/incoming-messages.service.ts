import { createHash } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { ContactsService, type Sender } from "../contacts/contacts.service.js";
import type { SentMessageDto } from "../conversations/messages.dto.js";
import { ConversationsService } from "../conversations/conversations.service.js";
import { MessagesService } from "../conversations/messages.service.js";
import type { Tx } from "../platform/database/transaction.js";

/** A message that a channel brings. */
export interface IncomingMessage extends Pick<SentMessageDto, "body" | "bodyFormat" | "attachmentIds" | "occurredAt"> {
  /** Whoever wrote it, by an address of theirs, or a contact; null where nobody can know: somebody new. */
  from: Sender | { contactId: string } | null;
  /** The channel's own id of it, which is the same when it brings it again; 1 to 255 characters. */
  externalId: string;
  /** What it answers, as far as the channel knows. Default: the sender's newest conversation on the channel; null: it begins one. */
  conversationId?: string | null;
  /** Of the conversation, if it starts one. */
  subject?: string | null;
  callerId?: string | null;
  metadata?: object;
}

export interface ReceivedMessage {
  conversationId: string;
  messageId: string;
  created: boolean;
}

/** Where a channel brings what people write, each message once: it finds the contact and the conversation, or makes them. */
@Injectable()
export class IncomingMessages {
  constructor(
    private readonly contacts: ContactsService,
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
  ) {}

  /**
   * In the transaction in which the channel notes that it has brought the message. Of two at once from one sender, one waits.
   * @returns undefined where the sender is blocked: nothing is kept of it
   * @throws ConflictException: the workspace is archived
   */
  async take(
    tx: Tx,
    { id: channelId, workspaceId }: { id: string; workspaceId: string },
    { from, conversationId, subject, callerId, metadata, ...message }: IncomingMessage,
  ): Promise<ReceivedMessage | undefined> {
    tx.within(workspaceId);
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('sender ' || :tenant::uuid || :sender, 0))`, {
      sender: !from ? message.externalId : "contactId" in from ? from.contactId : from.value,
    });
    const fingerprint = fingerprintOf(message.externalId);
    const known = await this.received(tx, channelId, [message.externalId]);
    if (known) return { ...known, created: false };
    const sender = await this.senderOf(tx, from);
    if (sender.blocked) return undefined;
    const place =
      conversationId === undefined
        ? await this.newest(tx, { channelId, workspaceId, contactId: sender.id })
        : conversationId;
    const { messageId, created } = place
      ? await this.messages.receiveWithin(tx, place, message)
      : await this.conversations.startWithin(tx, {
          workspaceId,
          channelId,
          contactId: sender.id,
          subject,
          callerId,
          metadata,
          message,
        });
    const [taken] = await tx.query<ReceivedMessage>(
      `insert into received_message (tenant_id, channel_id, fingerprint, conversation_id, message_id)
      select :tenant, :channelId, :fingerprint::bytea, m.conversation_id, m.id from message m where m.tenant_id = :tenant and m.id = :messageId
      returning conversation_id as "conversationId", message_id as "messageId", :created::boolean as created`,
      { channelId, fingerprint, messageId, created },
    );
    return taken;
  }

  private async senderOf(tx: Tx, from: IncomingMessage["from"]): Promise<{ id: string; blocked: boolean }> {
    if (!from) return { id: (await this.contacts.findOrAdd(tx, {})).id, blocked: false };
    return "contactId" in from ? this.contacts.senderOf(tx, from.contactId) : this.contacts.withAddress(tx, from);
  }

  /** The first of these that came in through the channel. */
  async received(
    tx: Tx,
    channelId: string,
    externalIds: readonly string[],
  ): Promise<{ conversationId: string; messageId: string } | undefined> {
    const [known] = await tx.query<{ conversationId: string; messageId: string }>(
      `select r.conversation_id as "conversationId", r.message_id as "messageId"
      from unnest(:fingerprints::bytea[]) with ordinality as f (fingerprint, position)
      join received_message r on r.tenant_id = :tenant and r.channel_id = :channelId and r.fingerprint = f.fingerprint order by f.position limit 1`,
      { channelId, fingerprints: externalIds.map(fingerprintOf) },
    );
    return known;
  }

  private async newest(
    tx: Tx,
    { channelId, workspaceId, contactId }: { channelId: string; workspaceId: string; contactId: string },
  ): Promise<string | undefined> {
    const [found] = await tx.query<{ id: string }>(
      `select id from conversation where tenant_id = :tenant and workspace_id = :workspaceId and contact_id = :contactId and channel_id = :channelId
      and redacted_at is null order by last_activity_at desc, id desc limit 1`,
      { channelId, workspaceId, contactId },
    );
    return found?.id;
  }
}

const fingerprintOf = (externalId: string): Buffer => createHash("sha256").update(externalId).digest();
