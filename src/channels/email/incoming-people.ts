import { Injectable } from "@nestjs/common";
import type { MessageAuthentication } from "../../conversations/conversation.entity.js";
import { keepPeople } from "../../conversations/participants/participants.queries.js";
import { formsOf, type ForwardAnswers, type Recipients } from "../../conversations/participants/recipients.js";
import type { Tx } from "../../platform/database/transaction.js";
import { type AnsweredMessage, FIND_ANSWERED, FIND_OURS, type OwnMailbox } from "./incoming-people.queries.js";
import type { ParsedMessage } from "./parsed-message.js";
import { ReplyAddresses } from "./reply-addresses.js";

/** An answer from somebody who is not the contact. */
export interface OthersAnswer {
  conversationId: string;
  /** Where it goes. */
  as: ForwardAnswers;
  /** The member who hears of it, if it answers what they forwarded. */
  memberId: string | null;
}

/** Who else a mail is from and for, besides the contact. */
@Injectable()
export class IncomingPeople {
  constructor(private readonly addresses: ReplyAddresses) {}

  /**
   * Whether the mail answers a message of ours that went to its sender. Knowing the Message-ID is not enough, and neither is a
   * sender: the mail is sent to the address that we signed for answers to this message, or the sender's domain proves it. The answer
   * to a forwarded message is known by the signed address alone, because the third person may have passed it on.
   */
  async answered(
    tx: Tx,
    box: OwnMailbox,
    messageId: string,
    { from, addresses }: Pick<ParsedMessage, "from"> & { addresses: readonly string[] },
    { result }: MessageAuthentication,
  ): Promise<OthersAnswer | undefined> {
    const [message] = await tx.query(FIND_ANSWERED, {
      messageId,
      channelId: box.id,
      workspaceId: box.workspaceId,
    });
    if (!message) return undefined;
    const { conversationId, memberId } = message;
    const isSigned = this.addresses.prove(addresses, box.address, {
      tenantId: tx.caller.tenantId,
      conversationId,
      messageId,
    });
    const { forward } = message.recipients!;
    if (forward) return isSigned ? { conversationId, as: forward.answers, memberId } : undefined;
    if (!wasSentTo(message, from.address) || !(isSigned || result === "pass")) return undefined;
    return { conversationId, as: "conversation", memberId: null };
  }

  /** Those whom the mail names, without our own mailboxes, as they are kept with the message. */
  async others(tx: Tx, { people }: ParsedMessage): Promise<Recipients | null> {
    const all = [...people.to, ...people.cc].map(({ address }) => address);
    if (!all.length) return null;
    const found = await tx.query(FIND_OURS, { addresses: [...new Set(all.flatMap(formsOf))] });
    const ours = new Set(found.map(({ address }) => address));
    const those = (named: typeof people.to) =>
      named.map(({ address }) => address).filter((address) => !formsOf(address).some((form) => ours.has(form)));
    const [to, cc] = [those(people.to), those(people.cc)];
    return to.length || cc.length ? { to, cc } : null;
  }

  /**
   * @param takePart whether they take part from now on: only if the mail is proven, and from the contact or somebody who takes part.
   * Otherwise a forged mail of the contact, or whoever a message was forwarded to, would put strangers in copy of what we answer
   */
  async keep(
    tx: Tx,
    conversationId: string,
    { people }: ParsedMessage,
    recipients: Recipients | null,
    takePart: boolean,
  ): Promise<void> {
    const names = new Map([...people.to, ...people.cc].map(({ address, name }) => [address, name]));
    const state = takePart ? "listed" : "named";
    const person = (role: "to" | "cc") => (address: string) =>
      ({ address, role, state, name: names.get(address) }) as const;
    await keepPeople(tx, conversationId, [
      ...(recipients?.to ?? []).map(person("to")),
      ...(recipients?.cc ?? []).map(person("cc")),
    ]);
  }
}

const wasSentTo = ({ recipients }: AnsweredMessage, address: string): boolean =>
  [...recipients!.to, ...recipients!.cc, ...(recipients!.bcc ?? [])].includes(address);
