import { type Parameters, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";

/** A mailbox sees only the conversations whose mails are sent from it. */
export const OWN_MAILBOX = {
  unrestricted: "the mailbox brings the mail in, and finds only conversations that it sends for",
};

export interface Thread {
  conversationId: string;
}
export interface Mailbox {
  channelId: string;
  workspaceId: string;
}
/** The mails of a conversation `c` on a channel `f` are sent from this mailbox. Answers to contact forms are, too. */
export const sentFrom = ({ channelId, workspaceId }: Parameters<Mailbox>) => sql`
  (c.channel_id = ${channelId} or (c.workspace_id = ${workspaceId} and f.type = 'contact_form'))`;

/** The conversation, if its contact has this address. Its mails are sent from one of these mailboxes, or came to one. */
export const FIND_THREAD = query<
  { channelIds: readonly string[]; workspaceId: string; conversationId: string; address: string },
  Thread
>()(
  "incomingMail.findThread",
  OWN_MAILBOX,
  ({ conversationId, address, channelIds, workspaceId }) => sql`
    select c.id as "conversationId"
    from conversation c join channel f on f.tenant_id = ${TENANT} and f.id = c.channel_id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and c.workspace_id = ${workspaceId} and c.redacted_at is null
      and (c.channel_id = any(${channelIds}::uuid[]) or f.type = 'contact_form' or exists (
        select from received_message r
        where r.tenant_id = ${TENANT} and r.conversation_id = c.id and r.channel_id = any(${channelIds}::uuid[])
      ))
      and exists (
        select from contact_point p
        join contact k on k.tenant_id = ${TENANT} and k.id = p.contact_id and k.deleted_at is null
        where p.tenant_id = ${TENANT} and p.contact_id = c.contact_id and p.kind = 'email' and p.value = ${address}
      )`,
);

/**
 * The newest conversation of a sender who has reached the hourly limit on this channel. `proven`: by mails whose sender is proven.
 * Anybody can write the others, and would mute the sender with them.
 */
export const FIND_FLOODED = query<
  { channelId: string; address: string; proven: boolean; maxPerHour: number },
  Thread
>()(
  "incomingMail.findFlooded",
  OWN_MAILBOX,
  ({ channelId, address, proven, maxPerHour }) => sql`
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
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.direction = 'inbound'
          and m.authentication is not null and m.created_at > now() - interval '1 hour' and not m.by_participant
          and (not ${proven}::boolean or m.authentication ->> 'result' = 'pass')
      ) n
      where c.channel_id = ${channelId} and c.last_activity_at > now() - interval '1 hour' and c.redacted_at is null
    ) r
    where r.total >= ${maxPerHour}
    order by r.last_activity_at desc
    limit 1`,
);

/**
 * The newest conversation that a mail which may be forged has started, if there were too many within the hour. Not one whose contact is
 * blocked: the mails are of others as well.
 */
export const FIND_FLOODED_BY_FORGERS = query<Mailbox & { maxPerHour: number }, Thread>()(
  "incomingMail.findFloodedByForgers",
  OWN_MAILBOX,
  ({ channelId, workspaceId, maxPerHour }) => sql`
    select r."conversationId"
    from (
      select c.id as "conversationId", c.created_at, k.blocked, count(*) over () as total
      from conversation c
      join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
      join message m on m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.sequence = 1
        and m.authentication ->> 'result' = 'fail'
      where c.tenant_id = ${TENANT} and c.workspace_id = ${workspaceId} and c.channel_id = ${channelId}
        and c.last_activity_at > now() - interval '1 hour' and c.created_at > now() - interval '1 hour'
        and c.redacted_at is null
    ) r
    where r.total >= ${maxPerHour} and not r.blocked
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

/**
 * Whether programs have answered the sender of a mail this often within the hour, in conversations of this mailbox. Between two answers
 * there are few messages: who writes more than a person does is not answered. So it looks at the newest ones, and no reply pays for an index.
 */
export const FIND_ANSWERED_BY_PROGRAMS = query<Mailbox & { address: string; maxPerHour: number; newest: number }>()(
  "incomingMail.findAnsweredByPrograms",
  OWN_MAILBOX,
  ({ channelId, workspaceId, address, maxPerHour, newest }) => sql`
    select 1
    from (
      select distinct p.contact_id from contact_point p
      where p.tenant_id = ${TENANT} and p.kind = 'email' and p.value = ${address}
    ) k
    join conversation c on c.tenant_id = ${TENANT} and c.contact_id = k.contact_id
    join channel f on f.tenant_id = ${TENANT} and f.id = c.channel_id
    cross join lateral (
      select n.direction, n.author_type, n.created_at from message n
      where n.tenant_id = ${TENANT} and n.conversation_id = c.id
      order by n.sequence desc limit ${newest}
    ) m
    where ${sentFrom({ channelId, workspaceId })} and c.last_activity_at > now() - interval '1 hour'
      and c.redacted_at is null and m.direction = 'outbound' and m.author_type in ('assistant', 'api', 'system')
      and m.created_at > now() - interval '1 hour'
    having count(*) >= ${maxPerHour}::int`,
);
