import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Recipients } from "../../conversations/participants/recipients.js";
import { type Mailbox, OWN_MAILBOX, sentFrom } from "./incoming-mail.queries.js";

export interface AnsweredMessage {
  conversationId: string;
  recipients: Recipients | null;
  /** The member who forwarded it. */
  memberId: string | null;
}
/** A mail of ours that went to others than the contact, in a conversation of this mailbox. */
export const FIND_ANSWERED = query<Mailbox & { messageId: string }, AnsweredMessage>()(
  "incomingMail.findAnswered",
  OWN_MAILBOX,
  ({ messageId, channelId, workspaceId }) => sql`
    select c.id as "conversationId", m.recipients,
      case when m.author_type = 'member' then m.author_id end as "memberId"
    from message m
      join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
      join channel f on f.tenant_id = ${TENANT} and f.id = c.channel_id
    where m.tenant_id = ${TENANT} and m.id = ${messageId} and ${sentFrom({ channelId, workspaceId })}
      and c.redacted_at is null and m.recipients is not null
      and (m.direction = 'outbound' or (m.direction = 'internal' and m.recipients ? 'forward'))`,
);

/** A mailbox of the tenant. */
export interface OwnMailbox {
  id: string;
  workspaceId: string;
  address: string;
}
/** Which of these addresses are mailboxes of the tenant. */
export const FIND_OURS = query<{ addresses: readonly string[] }, OwnMailbox>()(
  "incomingMail.findOurs",
  OWN_MAILBOX,
  ({ addresses }) => sql`
    select ch.id, ch.workspace_id as "workspaceId", ch.address from channel ch
    where ch.tenant_id = ${TENANT} and ch.type = 'email' and ch.address = any(${addresses}::text[])
    order by ch.id`,
);

/** Our newest mail of a conversation that went to this address, besides the contact's. */
export const FIND_SENT_TO = query<{ conversationId: string; address: string }>()(
  "incomingMail.findSentTo",
  OWN_MAILBOX,
  ({ conversationId, address }) => sql`
    select m.id from message m
    where m.tenant_id = ${TENANT} and m.conversation_id = ${conversationId} and m.direction = 'outbound'
      and (m.recipients -> 'to' ? ${address}::text or m.recipients -> 'cc' ? ${address}::text
        or m.recipients -> 'bcc' ? ${address}::text)
    order by m.sequence desc
    limit 1`,
);

/** Whether a participant has written more in this conversation within the hour than a person does. `proven`: as of `FIND_FLOODED`. */
export const FIND_FLOODED_BY_PARTICIPANT = query<{
  conversationId: string;
  address: string;
  proven: boolean;
  maxPerHour: number;
}>()(
  "incomingMail.findFloodedByParticipant",
  OWN_MAILBOX,
  ({ conversationId, address, proven, maxPerHour }) => sql`
    select 1
    from message m
    where m.tenant_id = ${TENANT} and m.conversation_id = ${conversationId} and m.direction = 'inbound'
      and m.authentication is not null and m.created_at > now() - interval '1 hour' and m.by_participant and m.authentication ->> 'from' = ${address}
      and (not ${proven}::boolean or m.authentication ->> 'result' = 'pass')
    having count(*) >= ${maxPerHour}::int`,
);
