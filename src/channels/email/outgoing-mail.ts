import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Tx } from "../../platform/database/transaction.js";
import type { Mail } from "../../platform/outbox/outbox-kind.js";
import type { Parcel } from "../channel-kind.js";

/** What a mail has besides its text: subject, attachments, and the headers that keep it in its thread. */
export interface OutgoingMail {
  subject: string;
  /** `References`: Message-IDs of the conversation so far, oldest first. */
  references: string[];
  /** `In-Reply-To`: the contact's last mail, or the last one of all. */
  inReplyTo: string | undefined;
  /** Not written by a person. */
  automatic: boolean;
  files: { id: string; fileName: string; contentType: string }[];
}

const MAX_REFERENCES = 20;
/** Message-IDs that can go into a header unchanged. */
const SAFE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]+>$/;
const IS_REPLY = /^\s{0,20}(?:re|aw|antw|sv|r|rif)\s{0,20}(?:\[\d{1,9}\]\s{0,20})?:/i;

interface Row {
  automatic: boolean;
  /** Mails of the conversation before this one, oldest first. */
  earlier: { id: string; inbound: boolean }[];
  files: OutgoingMail["files"];
}
const FIND_MAIL = query<{ id: string; conversationId: string; position: number; maxReferences: number }, Row>()(
  "email.findOutgoingMail",
  { unrestricted: "only the outbox runs it" },
  ({ id, conversationId, position, maxReferences }) => sql`
    select
      m.author_type in ('assistant', 'system')
        or (m.author_type = 'api' and c.handling_mode = 'assistant') as automatic,
      (
        select coalesce(json_agg(json_build_object('id', e.id, 'inbound', e.inbound) order by e.sequence), '[]')
        from (
          select b.sequence, b.direction = 'inbound' as inbound,
            case when b.direction = 'inbound' then b.external_id else '<' || b.id || '@parley>' end as id
          from message b
          where b.tenant_id = ${TENANT} and b.conversation_id = c.id and b.sequence < ${position}::int
            and (b.direction = 'outbound' or (b.direction = 'inbound' and b.external_id like '<%>'))
          order by b.sequence desc
          limit ${maxReferences}
        ) e
      ) as earlier,
      (
        select coalesce(json_agg(
          json_build_object('id', a.id, 'fileName', a.file_name, 'contentType', a.content_type) order by a.position
        ), '[]')
        from attachment a
        where a.tenant_id = ${TENANT} and a.message_id = m.id
      ) as files
    from message m join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
    where m.tenant_id = ${TENANT} and m.id = ${id} and m.conversation_id = ${conversationId}`,
);

export async function outgoingMail(
  tx: Tx,
  { id, conversationId, position }: Parcel,
  { subject }: Mail,
): Promise<OutgoingMail> {
  const [row] = await tx.query(FIND_MAIL, { id, conversationId, position, maxReferences: MAX_REFERENCES });
  const { automatic = false, earlier = [], files = [] } = row ?? {};
  const safe = earlier.filter((mail) => SAFE_ID.test(mail.id));
  const theirs = safe.findLast(({ inbound }) => inbound);
  return {
    automatic,
    files,
    references: safe.map((mail) => mail.id),
    inReplyTo: (theirs ?? safe.at(-1))?.id,
    subject: theirs && !IS_REPLY.test(subject) ? `Re: ${subject}` : subject,
  };
}
