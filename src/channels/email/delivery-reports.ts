import { createHash } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { raise } from "../../conversations/attention/raise.js";
import { MessagesService } from "../../conversations/messages.service.js";
import type { Recipients } from "../../conversations/participants/recipients.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { OpenChannel } from "../channel-kind.js";
import type { DeliveryReport, FailedRecipient } from "./delivery-report.js";
import { type Mailbox, OWN_MAILBOX, sentFrom } from "./incoming-mail.queries.js";

interface Reported {
  conversationId: string;
  recipients: Recipients | null;
  /** The addresses of the contact. */
  contact: string[];
  /** How many notes about the message there are. */
  notes: number;
}
/** A message has at most so many notes about those in copy. */
const MAX_NOTES = 10;
/** The message that a delivery report is about. A forwarded one is a note. */
const FIND_REPORTED = query<Mailbox & { messageId: string }, Reported>()(
  "incomingMail.findReported",
  OWN_MAILBOX,
  ({ messageId, channelId, workspaceId }) => sql`
    select m.conversation_id as "conversationId", m.recipients, array(
      select p.value from contact_point p
      where p.tenant_id = ${TENANT} and p.contact_id = c.contact_id and p.kind = 'email'
      union all select o.authentication ->> 'from' from message o
      where o.tenant_id = ${TENANT} and o.conversation_id = c.id and o.sequence = 1
        and o.authentication ->> 'result' = 'fail'
    ) as contact, (
      select count(*)::int from message n
      where n.tenant_id = ${TENANT} and n.conversation_id = c.id and starts_with(n.external_id, 'bounce ' || m.id || ' ')
    ) as notes
    from message m
    join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
    join channel f on f.tenant_id = ${TENANT} and f.id = c.channel_id
    where m.tenant_id = ${TENANT} and m.id = ${messageId} and ${sentFrom({ channelId, workspaceId })}
      and (m.direction = 'outbound' or (m.direction = 'internal' and m.recipients ? 'forward'))
      and c.redacted_at is null`,
);

/**
 * Records what mail servers report about our mails. A report is no message of the contact, and proves nothing: everybody in copy knows the
 * Message-ID that it names. So it says of each recipient once that a mail did not reach them, and nothing hides that.
 */
@Injectable()
export class DeliveryReports {
  constructor(private readonly messages: MessagesService) {}

  async record(tx: Tx, { id: channelId, workspaceId }: OpenChannel, report: DeliveryReport): Promise<void> {
    const { messageId, status } = report;
    const [reported] = await tx.query(FIND_REPORTED, { messageId, channelId, workspaceId });
    if (!reported) return;
    if (status === "failed") for (const one of report.failed) await this.failed(tx, messageId, reported, one);
    else if (!reported.recipients?.forward && report.reached.some((address) => !copiesOf(reported).includes(address)))
      await this.messages.delivery(tx, messageId, status);
  }

  /** The mail server of the mailbox itself does not take the mail, or did not for too long. */
  async gaveUp(tx: Tx, conversationId: string, sentence: string, isForward: boolean): Promise<void> {
    // That of a forwarded message has its note already.
    if (!isForward) await this.note(tx, conversationId, `The mail was not delivered: ${sentence}`);
    await alert(tx, conversationId, `A mail was not delivered: ${sentence}`);
  }

  private async failed(
    tx: Tx,
    messageId: string,
    reported: Reported,
    { address: named, reason, said }: FailedRecipient,
  ): Promise<void> {
    const { conversationId, recipients } = reported;
    const copies = copiesOf(reported);
    const main = recipients?.to.length ? recipients.to : reported.contact;
    // Another address is where the other side passed the mail on to, or was made up: all of them are one note, without the address.
    const address = named !== undefined && [...main, ...copies].includes(named) ? named : undefined;
    const isMain = !recipients?.forward && (address === undefined ? !copies.length : main.includes(address));
    if (!isMain && reported.notes >= MAX_NOTES) return;
    const text = `${recipients?.forward ? "The forwarded mail" : "The mail"}${address ? ` to ${address}` : ""} was not delivered: ${reason}${said && ` (${said})`}`;
    // Whatever was reported before. If it reached the others, the message itself has left.
    const isNew = await this.note(tx, conversationId, text, `${bounceOf(messageId)}${fingerprint(address)}`);
    if (isNew) reported.notes++;
    const changes = isMain && (await this.messages.delivery(tx, messageId, "failed"));
    // Without an address: an erasure of who was in copy does not find it.
    if (isNew || changes) await alert(tx, conversationId, `A mail was not delivered: ${reason}`);
  }

  private async note(tx: Tx, conversationId: string, text: string, externalId?: string): Promise<boolean> {
    const body = text.replace(/[\0\s]+/g, " ").slice(0, 1_000);
    return (await this.messages.noteWithin(tx, conversationId, { body, externalId })).created;
  }
}

const copiesOf = ({ recipients }: Reported): (string | undefined)[] => [
  ...(recipients?.cc ?? []),
  ...(recipients?.bcc ?? []),
];

/** How the external ids of the notes about a message begin. */
const bounceOf = (messageId: string): string => `bounce ${messageId} `;

const alert = (tx: Tx, conversationId: string, reason: string): Promise<void> =>
  raise(tx, { conversationId, type: "channel_error", severity: "high", reason: reason.slice(0, 1_000) });

/** An address may be as long as an external id. */
const fingerprint = (address = ""): string => createHash("sha256").update(address).digest("hex").slice(0, 32);
