import { createHash } from "node:crypto";
import { BadRequestException, Injectable } from "@nestjs/common";
import { ContactsService, type Sender } from "../contacts/contacts.service.js";
import { ConversationsService } from "../conversations/conversations.service.js";
import { MessagesService, type ReceivedMessage as ReceivedInConversation } from "../conversations/messages.service.js";
import { MailNamed } from "../conversations/conversation-events.js";
import { DomainEvents } from "../platform/events/domain-events.js";
import type { Tx } from "../platform/database/transaction.js";
import {
  FIND_NEWEST_CONVERSATION,
  FIND_RECEIVED,
  LOCK_INCOMING,
  RECORD_NAMED,
  RECORD_RECEIVED,
  type ReceivedBefore,
} from "./incoming-messages.queries.js";

/** A message that a channel brings in. */
export interface IncomingMessage extends Pick<
  ReceivedInConversation,
  | "body"
  | "bodyFormat"
  | "attachmentIds"
  | "occurredAt"
  | "authentication"
  | "senderProof"
  | "recipients"
  | "participantId"
  | "forPeople"
> {
  /** The sender: an address of theirs, or a contact. Null if the sender cannot be known; then it is a new contact. */
  from: Sender | { contactId: string } | null;
  /** The channel's own id of the message, the same each time it is delivered. 1 to 255 characters. */
  externalId: string;
  /** The conversation that it answers. Null starts a new one. Default: the sender's newest conversation on the channel. */
  conversationId?: string | null;
  /** Subject of the conversation, if the message starts one. */
  subject?: string | null;
  callerId?: string | null;
  metadata?: object;
}

export interface ReceivedMessage extends ReceivedBefore {
  /** False if the message came in before. */
  created: boolean;
}

/**
 * The way in for messages from every channel. Each message is taken once; its contact and its conversation are found or
 * created.
 */
@Injectable()
export class IncomingMessagesService {
  constructor(
    private readonly contacts: ContactsService,
    private readonly conversations: ConversationsService,
    private readonly messages: MessagesService,
    events: DomainEvents,
  ) {
    events.handle(MailNamed, (tx, named) => this.recordNamed(tx, named));
  }

  /**
   * Takes a message, in the transaction in which the channel records that it has delivered it.
   * @returns undefined if the sender is blocked: nothing is stored
   * @throws ConflictException: the workspace is archived
   */
  async receive(
    tx: Tx,
    { id: channelId, workspaceId }: { id: string; workspaceId: string },
    { from, conversationId, subject, callerId, metadata, ...message }: IncomingMessage,
  ): Promise<ReceivedMessage | undefined> {
    tx.changesWorkspace(workspaceId);
    const { externalId } = message;
    await tx.query(LOCK_INCOMING, {
      sender: !from ? externalId : "contactId" in from ? from.contactId : from.value,
      channelId,
      externalId,
    });
    const received = await this.find(tx, [channelId], [externalId]);
    if (received) return { ...received, created: false };
    const sender = await this.senderOf(tx, from, { at: workspaceId, isProven: message.senderProof !== "none" });
    if (sender.blocked) return undefined;
    const answered =
      conversationId === undefined
        ? await this.newestConversation(tx, { channelId, workspaceId, contactId: sender.id })
        : conversationId;
    const { messageId, created } = answered
      ? await this.messages.receiveWithin(tx, answered, message)
      : await this.conversations.startWithin(tx, {
          workspaceId,
          channelId,
          contactId: sender.id,
          subject,
          callerId,
          metadata,
          message,
        });
    const recorded = await this.record(tx, channelId, message.externalId, { messageId: messageId! });
    return recorded && { ...recorded, created };
  }

  private async senderOf(
    tx: Tx,
    from: IncomingMessage["from"],
    where: { at: string; isProven: boolean },
  ): Promise<{ id: string; blocked: boolean }> {
    if (!from) return { id: (await this.contacts.findOrAdd(tx, {})).id, blocked: false };
    return "contactId" in from
      ? this.contacts.senderOf(tx, from.contactId)
      : this.contacts.withAddress(tx, from, where);
  }

  /** The first of these messages that one of the channels has received before. */
  async find(
    tx: Tx,
    channelIds: readonly string[],
    externalIds: readonly string[],
  ): Promise<ReceivedBefore | undefined> {
    const fingerprints = externalIds.map(fingerprintOf);
    const [received] = await tx.query(FIND_RECEIVED, { channelIds, fingerprints, named: false, most: 1 });
    return received;
  }

  /** What the channels have received with this id, or that their messages name. Strangers may have sent some of it. */
  findAll(tx: Tx, channelIds: readonly string[], externalId: string): Promise<ReceivedBefore[]> {
    const fingerprints = [fingerprintOf(externalId)];
    return tx.query(FIND_RECEIVED, { channelIds, fingerprints, named: true, most: MAX_WITH_ONE_ID });
  }

  /** Records that the channel has received what is this message by now. */
  async record(
    tx: Tx,
    channelId: string,
    externalId: string,
    { messageId }: Pick<ReceivedBefore, "messageId">,
  ): Promise<ReceivedBefore | undefined> {
    const [recorded] = await tx.query(RECORD_RECEIVED, {
      channelId,
      fingerprint: fingerprintOf(externalId),
      messageId,
    });
    return recorded;
  }

  /** @throws BadRequestException: the conversation is not by mail */
  private async recordNamed(tx: Tx, { conversationId, messageId, ids, own }: MailNamed): Promise<void> {
    const fingerprints = ids.map(fingerprintOf);
    const received = own === null ? [] : [fingerprintOf(own)];
    const recorded = await tx.query(RECORD_NAMED, { conversationId, messageId, fingerprints, received });
    if (!recorded.length) throw new BadRequestException("mail is for conversations of an email channel");
  }

  private async newestConversation(
    tx: Tx,
    args: { channelId: string; workspaceId: string; contactId: string },
  ): Promise<string | undefined> {
    const [found] = await tx.query(FIND_NEWEST_CONVERSATION, args);
    return found?.id;
  }
}

/** As many conversations are tried for one id. */
const MAX_WITH_ONE_ID = 20;

const fingerprintOf = (externalId: string): Buffer => createHash("sha256").update(externalId).digest();
