import type { InvitationAnswer } from "../ics/invitation.js";
import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, query } from "../../platform/database/statements.js";

export interface StoredInvitation {
  conversationId: string;
  /** The calendar file. */
  fileId: string;
  size: number;
  /** The mailbox that it came into; null if that is none. */
  mailbox: string | null;
  fromName: string | null;
  /** Of the workspace. */
  timeZone: string;
  /** How often it was answered, and how the last time. */
  answers: number;
  answer: InvitationAnswer | null;
  answerId: string | null;
}

/** The first calendar file of a message that came in. The same one is often in a mail twice, as a part and as a file. */
export const FIND_INVITATION = query<{ id: string }, StoredInvitation>()(
  "invitations.find",
  "restricted",
  ({ id }) => sql`
    select m.conversation_id as "conversationId", a.id as "fileId", a.size, w.timezone as "timeZone",
      case when k.type = 'email' then k.address end as mailbox, k.settings ->> 'fromName' as "fromName",
      coalesce(n.answers, 0) as answers, n.answer, n."answerId"
    from message m
      join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
      join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
      join channel k on k.tenant_id = ${TENANT} and k.id = c.channel_id
      cross join lateral (
        select f.id, f.size from attachment f
        where f.tenant_id = ${TENANT} and f.message_id = m.id and f.original is null
          and (f.content_type = 'text/calendar' or lower(f.file_name) like '%.ics')
        order by f.content_type <> 'text/calendar', f.position limit 1
      ) a
      left join lateral (
        select count(*)::int as answers, (array_agg(b.id order by b.sequence desc))[1] as "answerId",
          (array_agg(b.recipients #>> '{invitation,answer}' order by b.sequence desc))[1] as answer
        from message b
        where b.tenant_id = ${TENANT} and b.conversation_id = m.conversation_id
          and b.recipients #>> '{invitation,messageId}' = m.id::text
      ) n on true
    where m.tenant_id = ${TENANT} and m.id = ${id} and m.direction = 'inbound' and m.redacted_at is null and ${inReach("c")}`,
);
