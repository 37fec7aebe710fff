import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Recipients } from "../../conversations/participants/recipients.js";
import { messageIdOf } from "../../platform/outbox/message-id.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
import type { OpenChannel, Parcel } from "../channel-kind.js";
import type { MailFile } from "./place-files.js";

/** What a mail has besides its text: subject, attachments, and the headers that keep it in its thread. */
export interface OutgoingMail {
  subject: string;
  /** `References`: Message-IDs of the conversation so far, oldest first. */
  references: string[];
  /** `In-Reply-To`: the contact's last mail, or the last one of all. */
  inReplyTo: string | undefined;
  files: MailFile[];
  /** If it goes to more than the contact. */
  recipients: Recipients | null;
}

const MAX_REFERENCES = 20;
/** Message-IDs that can go into a header unchanged. */
const SAFE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]+>$/;
const IS_REPLY = /^\s{0,20}(?:re|aw|antw|sv|r|rif)\s{0,20}(?:\[\d{1,9}\]\s{0,20})?:/i;

interface Row {
  /** Mails of the conversation before this one, oldest first: of those that came in the Message-ID, of ours the message's id. */
  earlier: { id: string; inbound: boolean }[];
  files: OutgoingMail["files"];
  recipients: Recipients | null;
}
const FIND_MAIL = query<{ id: string; conversationId: string; position: number; maxReferences: number }, Row>()(
  "email.findOutgoingMail",
  { unrestricted: "only the outbox runs it" },
  ({ id, conversationId, position, maxReferences }) => sql`
    select
      (
        select coalesce(json_agg(json_build_object('id', e.id, 'inbound', e.inbound) order by e.sequence), '[]')
        from (
          select b.sequence, b.direction = 'inbound' as inbound,
            case when b.direction = 'inbound' then b.external_id else b.id::text end as id
          from message b
          where b.tenant_id = ${TENANT} and b.conversation_id = c.id and b.sequence < ${position}::int
            and (b.direction = 'outbound' or (b.direction = 'inbound' and b.external_id like '<%>'))
          order by b.sequence desc
          limit ${maxReferences}
        ) e
      ) as earlier,
      (
        select coalesce(json_agg(
          json_build_object(
            'id', a.id, 'fileName', a.file_name, 'contentType', a.content_type, 'size', a.size, 'width', a.width
          ) order by a.position
        ), '[]')
        from attachment a
        where a.tenant_id = ${TENANT} and a.message_id = case
          when m.recipients -> 'forward' is null then m.id
          when m.recipients #>> '{forward,attachments}' = 'true' then (m.recipients #>> '{forward,messageId}')::uuid
        end
          -- What a mail's text leaves out, such as the quoted history and who else got it, is not for a third person.
          and (m.recipients -> 'forward' is null or a.original is null)
      ) as files,
      m.recipients
    from message m join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
    where m.tenant_id = ${TENANT} and m.id = ${id} and m.conversation_id = ${conversationId}`,
);

export async function outgoingMail(
  tx: Tx,
  { address }: Pick<OpenChannel, "address">,
  { id, conversationId, position }: Parcel,
  { subject }: Mail,
): Promise<OutgoingMail> {
  const [row] = await tx.query(FIND_MAIL, { id, conversationId, position, maxReferences: MAX_REFERENCES });
  const { earlier = [], files = [], recipients = null } = row ?? {};
  // For the third person, and for an organizer's calendar, a thread begins. They need not know which mails are in ours.
  if (recipients?.forward || recipients?.invitation)
    return { files, recipients, references: [], inReplyTo: undefined, subject };
  const safe = earlier
    .map(({ id: one, inbound }) => ({ id: inbound ? one : messageIdOf(one, address ?? ""), inbound }))
    .filter((mail) => SAFE_ID.test(mail.id));
  const theirs = safe.findLast(({ inbound }) => inbound);
  return {
    files,
    references: safe.map((mail) => mail.id),
    inReplyTo: (theirs ?? safe.at(-1))?.id,
    recipients,
    // A subject of its own stays as it is. `References` keep the mail in its thread.
    subject: recipients?.subject ?? (theirs && !IS_REPLY.test(subject) ? `Re: ${subject}` : subject),
  };
}
