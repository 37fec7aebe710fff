import type { Tx } from "../../platform/database/transaction.js";
import type { Mail, Parcel } from "../../platform/outbox/outbox.service.js";

/** What stands around the words of a message, so that mail programs put it where it belongs. */
export interface OutgoingMail {
  subject: string;
  /** Message-IDs of the conversation before it, in their order. */
  chain: string[];
  /** The last one of the contact's, or of all. */
  answers: string | undefined;
  /** No person has written it. */
  automatic: boolean;
  files: { id: string; fileName: string; contentType: string }[];
}

const LONGEST_CHAIN = 20;
/** What goes into a header as it is. */
const SAFE_ID = /^<[\x21-\x3b\x3d\x3f-\x7e]+>$/;
const IS_REPLY = /^\s*(?:re|aw|antw|sv|r|rif)\s*(?:\[\d+\])?\s*:/i;

export async function outgoingMail(
  tx: Tx,
  { id, conversationId, position }: Parcel,
  { subject }: Mail,
): Promise<OutgoingMail> {
  const [row] = await tx.query<{
    automatic: boolean;
    chain: { id: string; inbound: boolean }[];
    files: OutgoingMail["files"];
  }>(
    `select
      m.author_type in ('assistant', 'system') or (m.author_type = 'api' and c.handling_mode = 'assistant') as automatic,
      (select coalesce(json_agg(json_build_object('id', e.id, 'inbound', e.inbound) order by e.sequence), '[]') from (
        select b.sequence, b.direction = 'inbound' as inbound, case when b.direction = 'inbound' then b.external_id else '<' || b.id || '@parley>' end as id from message b
        where b.tenant_id = c.tenant_id and b.conversation_id = c.id and b.sequence < :position::int and (b.direction = 'outbound' or (b.direction = 'inbound' and b.external_id like '<%>'))
        order by b.sequence desc limit :most) e) as chain,
      (select coalesce(json_agg(json_build_object('id', a.id, 'fileName', a.file_name, 'contentType', a.content_type) order by a.position), '[]')
        from attachment a where a.tenant_id = m.tenant_id and a.message_id = m.id) as files
    from message m join conversation c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
    where m.tenant_id = :tenant and m.id = :id and m.conversation_id = :conversationId`,
    { id, conversationId, position, most: LONGEST_CHAIN },
  );
  const { automatic = false, chain = [], files = [] } = row ?? {};
  const safe = chain.filter((one) => SAFE_ID.test(one.id));
  const theirs = safe.findLast(({ inbound }) => inbound);
  return {
    automatic,
    files,
    chain: safe.map((one) => one.id),
    answers: (theirs ?? safe.at(-1))?.id,
    subject: theirs && !IS_REPLY.test(subject) ? `Re: ${subject}` : subject,
  };
}
