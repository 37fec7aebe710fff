import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, one, projection, query } from "../../platform/database/statements.js";
import { attachmentsOf } from "../attachments/attachments.queries.js";
import { becomeAll } from "../lifecycle/lifecycle.queries.js";
import type { MessageEntity } from "../conversation.entity.js";
import type { CancelledReplyDto } from "../messages.dto.js";

interface FoundReply {
  workspaceId: string;
  deliveryStatus: MessageEntity["deliveryStatus"];
  erased: boolean;
}
/** Locks the conversation of a message: what follows it there is known until the end of the transaction. */
export const LOCK_CONVERSATION_OF = query<{ id: string }, FoundReply>()(
  "cancelReply.lock",
  "restricted",
  ({ id }) => sql`
    select c.workspace_id as "workspaceId", m.delivery_status as "deliveryStatus", c.redacted_at is not null as erased
    from message m join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
    where m.tenant_id = ${TENANT} and m.id = ${id} and ${inReach("c")}
    for update of c`,
);

/**
 * Makes a reply that is held an internal message, and the conversation what it would be without it. Who handles it stays:
 * whoever cancels a reply is still at it. If another reply followed, the contact was answered all the same, and waited for that
 * one; if it is held too, it gets what to restore.
 */
export const CANCEL = query<{ id: string }>()(
  "cancelReply.cancel",
  "checked",
  ({ id }) => sql`
    with cancelled as (
      update message m set direction = 'internal', delivery_status = 'cancelled', held_until = null, waited_since = null,
        unread_before = null, undo = null
      from message b
      where m.tenant_id = ${TENANT} and m.id = ${id} and m.delivery_status = 'held'
        and b.tenant_id = ${TENANT} and b.id = m.id
      returning m.id, m.conversation_id, m.sequence, m.created_at, b.waited_since, b.unread_before, b.undo
    ), others as materialized (
      select r.id, r.sequence, r.direction, r.author_type, r.delivery_status, r.created_at, x.sequence < r.sequence as later,
        r.direction = 'outbound' and r.author_type <> 'system' as answers
      from cancelled x join message r on r.tenant_id = ${TENANT} and r.conversation_id = x.conversation_id
      where r.direction <> 'internal' and r.id <> x.id
    ), state as (
      -- A reply that moved the conversation opens it again: somebody is at it. Not if something else has moved it since.
      select x.*, b.back, c.status = 'resolved' and not b.back as over, b.back and x.undo ? 'summary' as unresolves
      from cancelled x
        join conversation c on c.tenant_id = ${TENANT} and c.id = x.conversation_id
        cross join lateral (
          select coalesce(x.undo ->> 'status' = c.status, false)
            and not exists (select from others o where o.later and o.direction = 'inbound') as back
        ) b
    ), heir as (
      update message h set waited_since = least(h.waited_since, x.waited_since),
        unread_before = case when h.delivery_status = 'held'
          then coalesce(h.unread_before, 0) + coalesce(x.unread_before, 0) end
      from cancelled x
      where h.tenant_id = ${TENANT}
        and h.id = (select o.id from others o where o.later and o.answers order by o.sequence limit 1)
    )
    update conversation c set
      message_count = c.message_count - 1,
      last_message_preview = case
        when exists (select from others o where o.later and o.author_type <> 'system') then c.last_message_preview
        else (
          select left(r.body, 200) from message r
          where r.tenant_id = ${TENANT}
            and r.id = (select o.id from others o where o.author_type <> 'system' order by o.sequence desc limit 1)
        ) end,
      last_turn = coalesce((select max(o.sequence) from others o where o.author_type <> 'system'), 0),
      first_reply_at = case when c.first_reply_at = x.created_at
        then (select min(o.created_at) from others o where o.answers) else c.first_reply_at end,
      waiting_since = case when x.over or exists (select from others o where o.later and o.answers)
        then c.waiting_since else least(c.waiting_since, x.waited_since) end,
      unread_count = case when x.over or exists (select from others o where o.later and o.answers)
        then c.unread_count else c.unread_count + coalesce(x.unread_before, 0) end,
      ${becomeAll([{ event: "replyIsCancelled", if: sql`x.back` }], sql`clock_timestamp()`)},
      summary = case when x.unresolves and c.summary_derived then x.undo ->> 'summary' else c.summary end,
      summary_derived = case when x.unresolves and c.summary_derived
        then (x.undo ->> 'summaryDerived')::boolean else c.summary_derived end,
      context_from = case when x.unresolves then (x.undo ->> 'contextFrom')::int else c.context_from end,
      last_activity_at = clock_timestamp(), updated_at = clock_timestamp()
    from state x
    where c.tenant_id = ${TENANT} and c.id = x.conversation_id
    returning c.id`,
);

export const GET_CANCELLED = one<CancelledReplyDto, { id: string }>(
  "cancelReply.get",
  "checked",
  ({ id }) => sql`
    select ${projection<CancelledReplyDto>({
      ok: sql`true`,
      conversationId: sql`r.conversation_id`,
      body: sql`r.body`,
      bodyFormat: sql`r.body_format`,
      attachments: attachmentsOf("r"),
      to: sql`coalesce(r.recipients -> 'to', '[]')`,
      cc: sql`coalesce(r.recipients -> 'cc', '[]')`,
      bcc: sql`coalesce(r.recipients -> 'bcc', '[]')`,
      subject: sql`r.recipients ->> 'subject'`,
    })}
    from message r where r.tenant_id = ${TENANT} and r.id = ${id}`,
);

/** Its files are uploads again. */
export const DETACH = query<{ id: string }>()(
  "cancelReply.detach",
  "checked",
  ({ id }) => sql`
    update attachment a set message_id = null, conversation_id = null, position = null
    where a.tenant_id = ${TENANT} and a.message_id = ${id}`,
);
