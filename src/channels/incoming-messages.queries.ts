import { sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";

/** The channel brings in what others write. It reads and writes only what came in through it before. */
const OWN_CHANNEL = { unrestricted: "the channel itself brings the message in" };

/** Two messages of one sender that arrive at the same time are taken one after the other, so they share a conversation. */
export const LOCK_SENDER = query<{ sender: string }>()(
  "incoming.lockSender",
  OWN_CHANNEL,
  ({ sender }) => sql`select pg_advisory_xact_lock(hashtextextended('sender ' || ${TENANT}::uuid || ${sender}, 0))`,
);

export interface ReceivedBefore {
  conversationId: string;
  messageId: string;
}
/** The first of these fingerprints that the channel has received. */
export const FIND_RECEIVED = query<{ channelId: string; fingerprints: readonly Buffer[] }, ReceivedBefore>()(
  "incoming.findReceived",
  OWN_CHANNEL,
  ({ channelId, fingerprints }) => sql`
    select r.conversation_id as "conversationId", r.message_id as "messageId"
    from unnest(${fingerprints}::bytea[]) with ordinality as f (fingerprint, position)
    join received_message r on r.tenant_id = ${TENANT} and r.channel_id = ${channelId} and r.fingerprint = f.fingerprint
    order by f.position
    limit 1`,
);

/** Records that a message came in. @returns its conversation */
export const RECORD_RECEIVED = query<{ channelId: string; fingerprint: Buffer; messageId: string }, ReceivedBefore>()(
  "incoming.recordReceived",
  OWN_CHANNEL,
  ({ channelId, fingerprint, messageId }) => sql`
    insert into received_message (tenant_id, channel_id, fingerprint, conversation_id, message_id)
    select ${TENANT}, ${channelId}, ${fingerprint}::bytea, m.conversation_id, m.id
    from message m
    where m.tenant_id = ${TENANT} and m.id = ${messageId}
    returning conversation_id as "conversationId", message_id as "messageId"`,
);

export const FIND_NEWEST_CONVERSATION = query<{ channelId: string; workspaceId: string; contactId: string }>()(
  "incoming.findNewestConversation",
  OWN_CHANNEL,
  ({ channelId, workspaceId, contactId }) => sql`
    select c.id from conversation c
    where c.tenant_id = ${TENANT} and c.workspace_id = ${workspaceId} and c.contact_id = ${contactId}
      and c.channel_id = ${channelId} and c.redacted_at is null
    order by c.last_activity_at desc, c.id desc
    limit 1`,
);
