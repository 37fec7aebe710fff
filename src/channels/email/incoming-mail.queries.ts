import { type Parameters, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";

/** A mailbox sees only the conversations whose mails are sent from it. */
const OWN_MAILBOX = { unrestricted: "the mailbox brings the mail in, and finds only conversations that it sends for" };

export interface Thread {
  conversationId: string;
}
interface Mailbox {
  channelId: string;
  workspaceId: string;
}
/** The mails of a conversation `c` on a channel `f` are sent from this mailbox. Answers to contact forms are, too. */
const sentFrom = ({ channelId, workspaceId }: Parameters<Mailbox>) => sql`
  (c.channel_id = ${channelId} or (c.workspace_id = ${workspaceId} and f.type = 'contact_form'))`;

/** The conversation, if its contact has this address. */
export const FIND_THREAD = query<Mailbox & { conversationId: string; address: string }, Thread>()(
  "incomingMail.findThread",
  OWN_MAILBOX,
  ({ conversationId, address, channelId, workspaceId }) => sql`
    select c.id as "conversationId"
    from conversation c join channel f on f.tenant_id = ${TENANT} and f.id = c.channel_id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${sentFrom({ channelId, workspaceId })} and c.redacted_at is null
      and exists (
        select from contact_point p
        join contact k on k.tenant_id = ${TENANT} and k.id = p.contact_id and k.deleted_at is null
        where p.tenant_id = ${TENANT} and p.contact_id = c.contact_id and p.kind = 'email' and p.value = ${address}
      )`,
);

/** The conversation of a message that a delivery report is about. */
export const FIND_REPORTED = query<Mailbox & { messageId: string }, Thread>()(
  "incomingMail.findReported",
  OWN_MAILBOX,
  ({ messageId, channelId, workspaceId }) => sql`
    select m.conversation_id as "conversationId"
    from message m
    join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
    join channel f on f.tenant_id = ${TENANT} and f.id = c.channel_id
    where m.tenant_id = ${TENANT} and m.id = ${messageId} and m.direction = 'outbound' and ${sentFrom({ channelId, workspaceId })}
      and c.redacted_at is null`,
);

/** The newest conversation of a sender who has reached the hourly limit on this channel. */
export const FIND_FLOODED = query<
  { channelId: string; address: string; maxPerHour: number; lookback: number },
  Thread
>()(
  "incomingMail.findFlooded",
  OWN_MAILBOX,
  ({ channelId, address, maxPerHour, lookback }) => sql`
    select r."conversationId"
    from (
      select c.id as "conversationId", c.last_activity_at, sum(n.count) over () as total
      from (
        select distinct p.contact_id from contact_point p
        where p.tenant_id = ${TENANT} and p.kind = 'email' and p.value = ${address}
      ) k
      join conversation c on c.tenant_id = ${TENANT} and c.contact_id = k.contact_id
      cross join lateral (
        select count(*) as count from message m
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.sequence > c.last_sequence - ${lookback}::int
          and m.direction = 'inbound' and m.created_at > now() - interval '1 hour'
      ) n
      where c.channel_id = ${channelId} and c.last_activity_at > now() - interval '1 hour' and c.redacted_at is null
    ) r
    where r.total >= ${maxPerHour}
    order by r.last_activity_at desc
    limit 1`,
);

/** The newest conversation that a mail which may be forged has started, if there were too many within the hour. */
export const FIND_FLOODED_BY_FORGERS = query<Mailbox & { maxPerHour: number }, Thread>()(
  "incomingMail.findFloodedByForgers",
  OWN_MAILBOX,
  ({ channelId, workspaceId, maxPerHour }) => sql`
    select r."conversationId"
    from (
      select c.id as "conversationId", c.created_at, count(*) over () as total
      from conversation c
      join message m on m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.sequence = 1
        and m.authentication ->> 'result' = 'fail'
      where c.tenant_id = ${TENANT} and c.workspace_id = ${workspaceId} and c.channel_id = ${channelId}
        and c.last_activity_at > now() - interval '1 hour' and c.created_at > now() - interval '1 hour'
        and c.redacted_at is null
    ) r
    where r.total >= ${maxPerHour}
    order by r.created_at desc
    limit 1`,
);

export const FIND_BLOCKED = query<{ conversationId: string }>()(
  "incomingMail.findBlocked",
  OWN_MAILBOX,
  ({ conversationId }) => sql`
    select 1
    from conversation c join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and k.blocked`,
);

/** Whether mail from this address is not wanted, whoever sends it. */
export const FIND_BLOCKED_ADDRESS = query<{ address: string }>()(
  "incomingMail.findBlockedAddress",
  OWN_MAILBOX,
  ({ address }) => sql`
    select 1
    from contact_point p join contact k on k.tenant_id = ${TENANT} and k.id = p.contact_id
    where p.tenant_id = ${TENANT} and p.kind = 'email' and p.value = ${address} and k.blocked`,
);
