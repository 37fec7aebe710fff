import { Injectable } from "@nestjs/common";
import { type MessageAuthentication, MessageEntity } from "../../conversations/conversation.entity.js";
import type { Tx } from "../../platform/database/transaction.js";
import { IncomingMessagesService } from "../incoming-messages.service.js";
import { ownMessageId } from "./delivery-report.js";
import { FIND_THREAD, type Thread } from "./incoming-mail.queries.js";
import { IncomingPeople, type OthersAnswer } from "./incoming-people.js";
import { FIND_SENT_TO, type OwnMailbox } from "./incoming-people.queries.js";
import type { ParsedMessage } from "./parsed-message.js";
import { ThreadIndexes } from "./thread-index.js";

/** The conversation that a mail answers. */
export type Answered = Thread & Partial<OthersAnswer>;

/** Finds the conversation that a mail answers. */
@Injectable()
export class IncomingThreads {
  constructor(
    private readonly incoming: IncomingMessagesService,
    private readonly people: IncomingPeople,
    private readonly indexes: ThreadIndexes,
  ) {}

  /**
   * By a mail of ours or an earlier one of theirs. It must be a conversation of the sender, or our mail was for them as well: see
   * `IncomingPeople`. Who guessed an id starts a conversation of their own.
   * @param boxes the mailbox, and others of the workspace that the mail names
   */
  async find(
    tx: Tx,
    boxes: readonly OwnMailbox[],
    mail: ParsedMessage,
    authentication: MessageAuthentication,
  ): Promise<Answered | undefined> {
    for (const id of mail.answers) {
      const own = ownMessageId(id);
      const answered = own
        ? await tx.find(MessageEntity, { id: own, direction: "outbound" })
        : await this.incoming.findAll(tx, idsOf(boxes), id);
      for (const { conversationId } of answered) {
        const thread = await this.ofContact(tx, boxes, conversationId, mail);
        if (thread) return thread;
      }
      const others = own && (await this.ofOthers(tx, boxes, own, mail, authentication));
      if (others) return others;
    }
    return this.byIndex(tx, boxes, mail, authentication);
  }

  /** By Outlook's index alone, which proves as much as a Message-ID: nothing about who writes. */
  private async byIndex(
    tx: Tx,
    boxes: readonly OwnMailbox[],
    mail: ParsedMessage,
    authentication: MessageAuthentication,
  ): Promise<Answered | undefined> {
    if (mail.threadIndex === null) return undefined;
    for (const conversationId of this.indexes.conversationsOf(tx.caller.tenantId, mail.threadIndex)) {
      const thread = await this.ofContact(tx, boxes, conversationId, mail);
      if (thread) return thread;
      const [sent] = await tx.query(FIND_SENT_TO, { conversationId, address: mail.from.address });
      const others = sent && (await this.ofOthers(tx, boxes, sent.id, mail, authentication));
      if (others) return others;
    }
    return undefined;
  }

  private async ofContact(
    tx: Tx,
    boxes: readonly OwnMailbox[],
    conversationId: string,
    { from: { address } }: ParsedMessage,
  ): Promise<Thread | undefined> {
    const [{ workspaceId }] = boxes as [OwnMailbox];
    const [thread] = await tx.query(FIND_THREAD, { conversationId, channelIds: idsOf(boxes), workspaceId, address });
    return thread;
  }

  private async ofOthers(
    tx: Tx,
    boxes: readonly OwnMailbox[],
    messageId: string,
    mail: ParsedMessage,
    authentication: MessageAuthentication,
  ): Promise<OthersAnswer | undefined> {
    const { to, cc, reachedAt } = mail.people;
    const addresses = [...reachedAt, ...[...to, ...cc].map(({ address }) => address)];
    for (const box of boxes) {
      const found = await this.people.answered(tx, box, messageId, { from: mail.from, addresses }, authentication);
      if (found) return found;
    }
    return undefined;
  }
}

const idsOf = (boxes: readonly OwnMailbox[]): string[] => boxes.map(({ id }) => id);
