import type { SenderProof } from "../../conversations/sender-proof.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";

const OWN_CHANNEL = {
  unrestricted: "the provider's webhook is signed, and the conversation came in through its channel",
};

export interface CallerOfCall {
  conversationId: string;
  contactId: string;
  senderProof: SenderProof;
}
/** The contact of a call, unless they are deleted, erased or blocked. Its first message said what it proves of who calls. */
export const FIND_CALLER = query<{ conversationId: string }, CallerOfCall, "senderProof">()(
  "voice.findCaller",
  OWN_CHANNEL,
  ({ conversationId }) => sql`
    select c.id as "conversationId", k.id as "contactId", c.sender_proof as "senderProof"
    from conversation c join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}
      and k.erased_at is null and k.deleted_at is null and not k.blocked`,
);

/** The conversation of an outgoing message, if the message was sent through this channel. */
export const FIND_SENT_MESSAGE = query<{ id: string; channelId: string }>()(
  "sms.findSentMessage",
  OWN_CHANNEL,
  ({ id, channelId }) => sql`
    select c.id as "conversationId"
    from message m join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
    where m.tenant_id = ${TENANT} and m.id = ${id} and m.direction = 'outbound' and c.channel_id = ${channelId}`,
);

/** Remembers the number that the contact last wrote from. */
export const REMEMBER_NUMBER = query<{ conversationId: string; phone: string }>()(
  "sms.rememberNumber",
  OWN_CHANNEL,
  ({ conversationId, phone }) => sql`
    update conversation c set metadata = c.metadata || jsonb_build_object('phone', ${phone}::text)
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}
      and c.metadata ->> 'phone' is distinct from ${phone}::text`,
);

/**
 * The number that the contact last wrote from, if it still is one of theirs, and otherwise their first one. A deleted
 * contact has none.
 */
export const FIND_RECIPIENT = query<{ conversationId: string }>()(
  "sms.recipient",
  "checked",
  ({ conversationId }) => sql`
    select p.value as "to"
    from conversation c
    join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id and k.deleted_at is null
    join contact_point p on p.tenant_id = ${TENANT} and p.contact_id = k.id and p.kind = 'phone'
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}
    order by p.value is distinct from c.metadata ->> 'phone', p.position
    limit 1`,
);
