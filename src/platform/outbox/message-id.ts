import { domainToASCII } from "node:url";

/**
 * The Message-ID of a mail of ours: the same at each attempt, so that a mailbox recognises a repeat. Its right side is a whole domain name below
 * the sender's, because spam filters count it against a mail if it is none.
 * @param from the sender's address, also with a name before it
 */
export function messageIdOf(id: string, from: string): string {
  const domain = domainToASCII(/@([^@\s>]+)>?\s*$/.exec(from)?.[1] ?? "");
  return domain ? `<${id}@parley.${domain}>` : `<${id}@parley>`;
}

/** The right side of those that we sent. Earlier ones had no domain. */
export const OWN_RIGHT_SIDE = String.raw`@parley(?:\.[a-z\d.-]{1,253})?>`;
