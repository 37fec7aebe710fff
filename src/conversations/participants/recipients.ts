import { domainToASCII, domainToUnicode } from "node:url";
import { BadRequestException } from "@nestjs/common";
import { namedEnum } from "../../platform/enums/named-enum.js";
import type { Tx } from "../../platform/database/transaction.js";
import { MAX_PEOPLE, without, withoutTag } from "./addresses.js";
import { FIND_ADDRESSED, keepPeople } from "./participants.queries.js";

export const FORWARD_ANSWERS = namedEnum("ForwardAnswers", "Where the answer to a forwarded message goes.", {
  note: "beside the conversation, as an internal note",
  conversation: "into the conversation, as an inbound message",
});
export type ForwardAnswers = (typeof FORWARD_ANSWERS)[number];

/** The people of a message that went to more than the contact, or came in with others in copy. */
export interface Recipients {
  /** Of ours: empty if the mail goes to the contact. */
  to: string[];
  cc: string[];
  /** Only those on our side see it. */
  bcc?: string[];
  /** A subject of its own. */
  subject?: string;
  /** The mail goes to a third person. The contact sees neither it nor what comes back. */
  forward?: { messageId: string; attachments: boolean; answers: ForwardAnswers };
  /** The mail answers an invitation, which came with this message. */
  invitation?: { messageId: string; answer: string };
}

/** Whom a caller names. */
export interface GivenRecipients {
  to?: string[];
  cc?: string[];
  bcc?: string[];
  subject?: string;
}

const isGiven = ({ to, cc, bcc, subject }: GivenRecipients): boolean =>
  Boolean(to?.length || cc?.length || bcc?.length) || subject !== undefined;

/**
 * Whom a message goes to, or null if that is the contact alone.
 * @param toAll people and integrations reply to everybody in copy. The assistant and the system write to the contact alone: what
 * they say may hold data that is only for the contact.
 * @throws BadRequestException: the conversation is not by mail, or an address is one of our own mailboxes
 */
export async function recipientsOf(
  tx: Tx,
  conversationId: string,
  given: GivenRecipients,
  { toAll }: { toAll: boolean },
): Promise<Recipients | null> {
  const asked = [...(given.to ?? []), ...(given.cc ?? []), ...(given.bcc ?? [])];
  if (!toAll && !asked.length && given.subject === undefined) return null;
  const [found] = await tx.query(FIND_ADDRESSED, { conversationId, asked: [...new Set(asked.flatMap(formsOf))] });
  // Whoever does not see the conversation is told so by the statement that writes the message.
  if (!found) return null;
  if (!found.mailed) {
    if (isGiven(given)) throw new BadRequestException("to, cc, bcc and subject are for conversations by mail");
    return null;
  }
  assertNotOurs(asked, found.ours);
  const to = without(given.to ?? [], []);
  const cc = without(given.cc ?? (toAll ? found.participants : []), to);
  const bcc = without(given.bcc ?? [], [...to, ...cc]);
  if (to.length + cc.length + bcc.length > MAX_PEOPLE)
    throw new BadRequestException(`A message goes to at most ${MAX_PEOPLE} people in to, cc and bcc together`);
  if (!to.length && !cc.length && !bcc.length && given.subject === undefined) return null;
  return { to, cc, ...(bcc.length && { bcc }), ...(given.subject !== undefined && { subject: given.subject }) };
}

/** Those whom a message of ours names belong to the conversation from now on. Whoever is in bcc does not. */
export function keepNamed(
  tx: Tx,
  conversationId: string,
  { to, cc, bcc = [], forward, invitation }: Recipients,
): Promise<void> {
  const state = forward || invitation ? "named" : "listed";
  return keepPeople(tx, conversationId, [
    ...to.map((address) => ({ address, role: "to", state }) as const),
    ...cc.map((address) => ({ address, role: "cc", state }) as const),
    ...bcc.map((address) => ({ address, role: "cc", state: "named" }) as const),
  ]);
}

/** Other ways to write the mailbox: without its tag, and with its domain encoded (`xn--…`) or not. A channel may have any of them. */
export function formsOf(address: string): string[] {
  const forms = [address, withoutTag(address)].flatMap((form) => {
    const at = form.lastIndexOf("@") + 1;
    const encoded = domainToASCII(form.slice(at));
    return [form, ...(encoded ? [encoded, domainToUnicode(encoded)].map((domain) => form.slice(0, at) + domain) : [])];
  });
  return [...new Set(forms)];
}

/** @throws BadRequestException: a mail to one of our own mailboxes would come back, and be answered again */
export function assertNotOurs(asked: readonly string[], ours: readonly string[]): void {
  const mine = asked.find((address) => formsOf(address).some((form) => ours.includes(form)));
  if (mine !== undefined)
    throw new BadRequestException(`${mine} is one of your own mailboxes. Mail between mailboxes would go in circles`);
}
