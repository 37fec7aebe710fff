import type { SentMessageInfo } from "nodemailer";
import { without } from "../../conversations/participants/addresses.js";
import type { Recipients } from "../../conversations/participants/recipients.js";
import type { Refused } from "../channel-kind.js";

interface Named {
  name: "";
  address: string;
}
/** What of a mail says whom it goes to, as nodemailer takes it. It goes to all of them in one SMTP transaction. */
export interface Addressing {
  to: Named[];
  cc?: Named[];
  bcc?: Named[];
  replyTo?: Named;
}

// An address with a name is not parsed, so nothing in it becomes a second recipient.
const named = (address: string): Named => ({ name: "", address });

/**
 * @param contact whom it goes to if the message names nobody else
 * @param replyTo the signed address for the answer, if the mailbox has any. Only a mail to several people, or to a third one, needs it
 */
export function addressing(
  contact: string,
  recipients: Recipients | null,
  replyTo: () => string | undefined,
): Addressing {
  if (!recipients) return { to: [named(contact)] };
  const to = recipients.to.length ? recipients.to : [contact];
  const cc = without(recipients.cc, to);
  const bcc = without(recipients.bcc ?? [], [...to, ...cc]);
  const answers = replyTo();
  return {
    to: to.map(named),
    ...(cc.length && { cc: cc.map(named) }),
    ...(bcc.length && { bcc: bcc.map(named) }),
    ...(answers !== undefined && { replyTo: named(answers) }),
  };
}

/** Whom the server did not take the mail for, although it took it for others. Undefined: for nobody. */
export function refusedOf(sent: SentMessageInfo | void): { refused: Refused[] } | undefined {
  const { rejectedErrors = [] } = (sent ?? {}) as { rejectedErrors?: { recipient?: string; response?: string }[] };
  const refused = rejectedErrors.map(({ recipient = "", response = "" }) => ({
    address: recipient,
    reason: response.replace(/[\0\s]+/g, " ").slice(0, 300),
  }));
  return refused.length ? { refused } : undefined;
}
