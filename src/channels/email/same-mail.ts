import { Injectable } from "@nestjs/common";
import { ConversationEntity, type MessageAuthentication } from "../../conversations/conversation.entity.js";
import { MessagesService } from "../../conversations/messages.service.js";
import { formsOf } from "../../conversations/participants/recipients.js";
import { Config } from "../../platform/config/config.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { OpenChannel } from "../channel-kind.js";
import { IncomingMessagesService } from "../incoming-messages.service.js";
import { OWN_MAILBOX } from "./incoming-mail.queries.js";
import { FIND_OURS, type OwnMailbox } from "./incoming-people.queries.js";
import type { ParsedMessage } from "./parsed-message.js";

/** Two mailboxes that get the same mail take it one after the other. Others of the tenant do not wait. */
const LOCK_MAIL = query<{ externalId: string }>()(
  "incomingMail.lockMail",
  OWN_MAILBOX,
  ({ externalId }) =>
    sql`select pg_advisory_xact_lock(hashtextextended('mail ' || ${TENANT}::uuid || ${externalId}, 0))`,
);

/**
 * Whether a message is a mail from this sender with one of these results, or has no sender: an import, or an erased mail. A note of ours
 * about a mail is neither.
 */
const FIND_SENDER = query<{ messageId: string; address: string; results: readonly string[] }, { unsigned: boolean }>()(
  "incomingMail.findSender",
  OWN_MAILBOX,
  ({ messageId, address, results }) => sql`
    select m.authentication is null as unsigned from message m
    where m.tenant_id = ${TENANT} and m.id = ${messageId} and (
      (m.authentication ->> 'from' = ${address} and m.authentication ->> 'result' = any(${results}::text[]))
      or (m.authentication is null and m.author_type <> 'system')
    )`,
);

/** The results that prove at least as much about the sender. */
const AT_LEAST: Record<MessageAuthentication["result"], MessageAuthentication["result"][]> = {
  pass: ["pass"],
  none: ["pass", "none"],
  fail: ["pass", "none", "fail"],
};

/** A mail that another mailbox has taken. */
interface Taken {
  box: OwnMailbox;
  conversationId: string;
  messageId: string;
}

/** Mails that several of the tenant's mailboxes get. */
@Injectable()
export class SameMail {
  constructor(
    private readonly config: Config,
    private readonly incoming: IncomingMessagesService,
    private readonly messages: MessagesService,
  ) {}

  /** The mailboxes of the tenant that a mail names, this one first. Who is only in bcc is not among them. */
  async boxes(tx: Tx, { id, address, workspaceId }: OpenChannel, { people }: ParsedMessage): Promise<OwnMailbox[]> {
    const own = { id, address: address!, workspaceId };
    const named = [...people.to, ...people.cc].flatMap((one) => formsOf(one.address));
    if (!named.length) return [own];
    const others = await tx.query(FIND_OURS, { addresses: [...new Set(named)] });
    const isNear = (one: OwnMailbox): boolean => one.workspaceId === workspaceId;
    const rest = others.filter((one) => one.id !== id);
    return [own, ...rest.filter(isNear), ...rest.filter((one) => !isNear(one))];
  }

  /**
   * Whether this message is the mail, and not one of somebody else with its Message-ID. Anybody in copy knows the id, some can be
   * guessed, and what proves less about the sender may be forged: it would keep the mail out.
   */
  async isSame(tx: Tx, messageId: string, { from }: ParsedMessage, proof: MessageAuthentication): Promise<boolean> {
    return (await this.senderOf(tx, messageId, from.address, proof)) !== undefined;
  }

  /** Whether another of these mailboxes has taken the mail. An import names the ids of mails that it does not hold. */
  async taken(
    tx: Tx,
    boxes: readonly OwnMailbox[],
    { externalId, from }: ParsedMessage,
    proof: MessageAuthentication,
  ): Promise<Taken | undefined> {
    const [, ...others] = boxes;
    if (!others.length) return undefined;
    await tx.query(LOCK_MAIL, { externalId });
    for (const box of others) {
      const found = await this.incoming.find(tx, [box.id], [externalId]);
      if (!found) continue;
      const sender = await this.senderOf(tx, found.messageId, from.address, proof);
      if (sender && !sender.unsigned) return { box, ...found };
    }
    return undefined;
  }

  private async senderOf(
    tx: Tx,
    messageId: string,
    address: string,
    { result }: MessageAuthentication,
  ): Promise<{ unsigned: boolean } | undefined> {
    return (await tx.query(FIND_SENDER, { messageId, address, results: AT_LEAST[result] }))[0];
  }

  /** The mail is in a conversation of the same workspace: answers that reach either mailbox find it. */
  async join(tx: Tx, own: OwnMailbox, { conversationId, messageId }: Taken, externalId: string): Promise<void> {
    await this.incoming.record(tx, own.id, externalId, { messageId });
    // An answer may have come to this mailbox after another one.
    if (await tx.findOne(ConversationEntity, { id: conversationId, channelId: own.id })) return;
    await this.messages.noteWithin(tx, conversationId, {
      body: `The same mail came to ${own.address}`,
      externalId: `also ${own.id}`,
    });
  }

  /** The mail is in another workspace as well, where not everybody may look. */
  async link(tx: Tx, conversationId: string, { box, conversationId: other }: Taken): Promise<void> {
    const { PUBLIC_URL: base } = this.config;
    const where = base === undefined ? other : `${base}/inbox/all/${other}`;
    await this.messages.noteWithin(tx, conversationId, {
      body: `The same mail came to ${box.address}, which took it first: ${where}`,
      externalId: `also ${box.id}`,
    });
  }
}
