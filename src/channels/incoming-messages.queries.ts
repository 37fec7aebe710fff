import { sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";

/** The channel brings in what others write. It reads and writes only what came in through it before. */
const OWN_CHANNEL = { unrestricted: "the channel itself brings the message in" };

/**
 * Two messages of one sender that arrive at the same time are taken one after the other, so they share a conversation. So are two with one
 * id, whoever sends them: a stranger can choose both.
 */
export const LOCK_INCOMING = query<{ sender: string; channelId: string; externalId: string }>()(
  "incoming.lock",
  OWN_CHANNEL,
  ({ sender, channelId, externalId }) => sql`
    select pg_advisory_xact_lock(hashtextextended('sender ' || ${TENANT}::uuid || ${sender}, 0)) as sender,
      pg_advisory_xact_lock(hashtextextended('message ' || ${TENANT}::uuid || ${channelId}::uuid || ${externalId}, 0)) as message`,
);

export interface ReceivedBefore {
  conversationId: string;
  messageId: string;
}
/**
 * Which of these fingerprints the channels have received, in their order. `named`: or that a message names which they received, after
 * what came in itself.
 */
export const FIND_RECEIVED = query<
  { channelIds: readonly string[]; fingerprints: readonly Buffer[]; named: boolean; most: number },
  ReceivedBefore
>()(
  "incoming.findReceived",
  OWN_CHANNEL,
  ({ channelIds, fingerprints, named, most }) => sql`
    select r.conversation_id as "conversationId", r.message_id as "messageId"
    from unnest(${fingerprints}::bytea[]) with ordinality as f (fingerprint, position)
    join received_message r on r.tenant_id = ${TENANT} and r.channel_id = any(${channelIds}::uuid[]) and r.fingerprint = f.fingerprint
        and (${named}::boolean or not r.named_only)
    order by f.position, r.named_only, array_position(${channelIds}::uuid[], r.channel_id)
    limit ${most}::int`,
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
    on conflict (tenant_id, channel_id, fingerprint) do update set conversation_id = excluded.conversation_id,
      message_id = excluded.message_id, named_only = false
    where received_message.named_only
    returning conversation_id as "conversationId", message_id as "messageId"`,
);

/**
 * Records the ids of mails that a message of a mailbox's conversation stands for, or names: `received` those that are not to come
 * in again. What the mailbox knows already stays as it is. @returns nothing if the conversation is not by mail
 */
export const RECORD_NAMED = query<{
  conversationId: string;
  messageId: string;
  fingerprints: readonly Buffer[];
  received: readonly Buffer[];
}>()(
  "incoming.recordNamed",
  { unrestricted: "the statement that wrote the message has checked who may" },
  ({ conversationId, messageId, fingerprints, received }) => sql`
    with target as (
      select c.tenant_id, c.id, c.channel_id from conversation c
      where c.tenant_id = ${TENANT} and c.id = ${conversationId} and c.channel_type = 'email'
    ), added as (
      insert into received_message (tenant_id, channel_id, fingerprint, conversation_id, message_id, named_only)
      select t.tenant_id, t.channel_id, f.fingerprint, t.id, ${messageId}::uuid,
        f.fingerprint <> all(${received}::bytea[])
      from target t cross join (select distinct unnest(${fingerprints}::bytea[]) as fingerprint) f
      order by f.fingerprint
      on conflict do nothing
    )
    select id from target`,
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
