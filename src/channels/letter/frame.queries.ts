import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, isConversationInReach, one, polled, query } from "../../platform/database/statements.js";
import type { BodyFormat } from "../../conversations/conversation.entity.js";
import { isWithContact } from "../../conversations/participants/participants.queries.js";
import { logoOf } from "../../workspaces/workspaces.queries.js";
import type { Values } from "../../conversations/canned-replies/template.js";

export const GET_CHANNEL_SIGNATURE = polled(
  one<{ body: string | null }, { id: string }>(
    "channels.getSignature",
    "restricted",
    ({ id }) => sql`
      select c.signature as body from channel c
      where c.tenant_id = ${TENANT} and c.id = ${id} and ${inReach("c")}`,
  ),
);

/** What goes with the mails of a conversation, as it is set now. */
export interface FrameRow {
  language: string;
  timeZone: string;
  brand: string;
  footer: string | null;
  logoUrl: string | null;
  signature: string | null;
  /** The default of the mailbox. */
  quote: string | null;
  /** Whether the assistant has the conversation. */
  isAssistants: boolean;
  values: Values;
}

/**
 * The mailbox is the conversation's own. For a contact form it is the one that its answers leave from, as in
 * `contact-form.kind.ts`. The member's signature wins over the mailbox's.
 */
export const FIND_FRAME = query<{ conversationId: string; memberId: string | null }, FrameRow>()(
  "letters.frame",
  "restricted",
  ({ conversationId, memberId }) => sql`
    select coalesce(c.language, p.language, w.primary_language) as language, w.timezone as "timeZone", b.name as brand,
      w.mail_footer as footer, coalesce(w.mail_logo_url, ${logoOf("w")}) as "logoUrl", coalesce(s.signature, box.signature) as signature,
      box.settings ->> 'quote' as quote, c.handling_mode = 'assistant' as "isAssistants",
      json_build_object(
        'contact.name', p.name, 'contact.firstName', split_part(btrim(p.name), ' ', 1),
        'member.name', m.name, 'member.firstName', split_part(btrim(m.name), ' ', 1),
        'conversation.id', c.id, 'conversation.subject', c.subject, 'workspace.name', w.name, 'brand.name', b.name
      ) as values
    from conversation c
      join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
      join brand b on b.tenant_id = ${TENANT} and b.id = w.brand_id
      join tenant t on t.id = ${TENANT}
      join channel own on own.tenant_id = ${TENANT} and own.id = c.channel_id
      left join contact p on p.tenant_id = ${TENANT} and p.id = c.contact_id
      left join member m on m.organisation_id = t.organisation_id and m.id = ${memberId}::uuid
      left join member_preferences s on s.organisation_id = t.organisation_id and s.member_id = m.id
      left join lateral (
        select x.settings, x.signature from channel x
        where x.tenant_id = ${TENANT} and x.workspace_id = c.workspace_id and x.type = 'email'
          and (x.id = own.id or own.type = 'contact_form' and x.status <> 'disabled')
        order by x.id = own.id desc, x.created_at, x.id limit 1
      ) box on true
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and own.type in ('email', 'contact_form')
      and ${isConversationInReach(sql`c.id`)}`,
);

/**
 * Messages of a conversation before one, newest first: what the contact sent and got, but not what Parley said itself, such as
 * a code, and not what others wrote or were sent without the contact: the contact may not know that they were asked. With
 * `lastOnly`, the contact's last one, or without any the last one of all.
 */
export const FIND_QUOTED = query<
  { conversationId: string; before: number | null; lastOnly: boolean; limit: number },
  { body: string; format: BodyFormat; at: string; name: string }
>()(
  "letters.quoted",
  "restricted",
  ({ conversationId, before, lastOnly, limit }) => sql`
    select m.body, m.body_format as format, to_json(m.occurred_at) #>> '{}' as at,
      case when m.direction = 'inbound' then coalesce(p.name, m.authentication ->> 'from', (
        select k.value from contact_point k
        where k.tenant_id = ${TENANT} and k.contact_id = p.id and k.kind = 'email' order by k.position limit 1
      ), '?') else coalesce(e.name, b.name) end as name
    from message m
      join conversation c on c.tenant_id = ${TENANT} and c.id = m.conversation_id
      join brand b on b.tenant_id = ${TENANT} and b.id = c.brand_id
      join tenant t on t.id = ${TENANT}
      left join contact p on p.tenant_id = ${TENANT} and p.id = c.contact_id
      left join member e on m.author_type = 'member' and e.organisation_id = t.organisation_id and e.id = m.author_id
    where m.tenant_id = ${TENANT} and m.conversation_id = ${conversationId} and ${isConversationInReach(sql`m.conversation_id`)}
      and (${before}::int is null or m.sequence < ${before}::int)
      and m.direction in ('inbound', 'outbound') and ${isWithContact(sql`c.contact_id`)}
      and m.author_type <> 'system' and m.body <> ''
      and m.delivery_status not in ('held', 'failed')
    order by ${lastOnly}::boolean and m.direction = 'inbound' desc, m.sequence desc
    limit ${limit}::int`,
);
