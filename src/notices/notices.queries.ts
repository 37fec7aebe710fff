import { IS_ADMITTED } from "../auth/members/members.queries.js";
import type { PreferencesDto } from "../auth/preferences/preferences.dto.js";
import { READS_CONVERSATION } from "../conversations/readers.js";
import { claimSides, type DueSide, followedSides, releaseSide, wakeSides } from "../feed/follower.queries.js";
import { ADMINS, rolesFor } from "../platform/caller/scope.js";
import { joined, literal, type Sql, sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../platform/database/statements.js";
import { dueInTurn, lagOf, type Room } from "../platform/jobs/due-rows.js";
import type { DueRow } from "../platform/jobs/due-queue.js";
import type { ConversationState } from "./reason.js";

const JOB = { unrestricted: "only jobs run it; each member gets what is in reach" };
const DUE = sql`notice_due`;

export const CLAIM = globalQuery<Room & { leaseSeconds: number }, DueSide>()("notices.claim", "everywhere", (room) =>
  claimSides(DUE, room),
);
export const LAG = lagOf("notices", DUE);
export const SIDES = globalQuery<NoArgs>()("notices.sides", "everywhere", () => followedSides(DUE));
export const WAKE = globalQuery<{ tenantIds: readonly string[] }>()("notices.wake", "everywhere", (p) =>
  wakeSides(DUE, p),
);
export const RELEASE = query<{ until: string; seconds: number }>()("notices.release", JOB, (p) => releaseSide(DUE, p));

const isOneOf = (roles: readonly string[]): Sql => joined(roles.map(literal), ", ");
/** The tenant requires a second factor and the member `m` has none: their session shows them nothing either. */
const LACKS_SECOND_FACTOR = sql`(t.require_second_factor and not exists (
  select from second_factor f
  where f.organisation_id = t.organisation_id and f.member_id = m.id and f.confirmed_at is not null
) and not exists (
  select from member_identity i where i.organisation_id = t.organisation_id and i.member_id = m.id
))`;

export interface Recipient {
  memberId: string;
  preferences: Partial<PreferencesDto> | null;
  /** Null: all. */
  workspaceIds: string[] | null;
  devices: { id: string; name: string }[];
}
/** The members who have a device or want mails, and may read conversations. */
export const RECIPIENTS = query<NoArgs, Recipient>()(
  "notices.recipients",
  JOB,
  () => sql`
    select m.id as "memberId", p.value as preferences,
      case when m.role in (${isOneOf(ADMINS)}) then null else array(
        select w.workspace_id from member_workspace w where w.tenant_id = ${TENANT} and w.member_id = m.id
      ) end as "workspaceIds",
      coalesce((
        select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.device) order by s.id)
        from push_subscription s where s.organisation_id = t.organisation_id and s.member_id = m.id
      ), '[]') as devices
    from tenant t
      join member m on m.organisation_id = t.organisation_id
      left join member_preferences p on p.organisation_id = t.organisation_id and p.member_id = m.id
    where t.id = ${TENANT} and ${IS_ADMITTED} and m.role in (${isOneOf(rolesFor("conversations:read"))})
      and not ${LACKS_SECOND_FACTOR} and (
        p.value @> '{"notifications": {"mailMentions": true}}'
        or exists (
          select from push_subscription s where s.organisation_id = t.organisation_id and s.member_id = m.id))`,
);

export interface Detail {
  id: string;
  /** As it is now. Null if there is none. */
  conversation: ConversationState | null;
  /** Who did it, if it was a member. */
  by: string | null;
  /** Of a message. */
  sequence: number | null;
  /** Members who look at the conversation now, or looked at it when it happened. */
  viewers: string[];
}
interface DetailArgs {
  types: readonly string[];
  ids: readonly string[];
  conversationIds: readonly (string | null)[];
  times: readonly string[];
}
/** What the feed does not say of what happened. */
export const DETAILS = query<DetailArgs, Detail>()(
  "notices.details",
  JOB,
  ({ types, ids, conversationIds, times }) => sql`
    select h.id, m.sequence,
      case when c.id is not null then jsonb_build_object(
        'assigneeId', c.assignee_id, 'handlingMode', c.handling_mode, 'priority', c.priority) end as conversation,
      case
        when h.type = 'message' and m.author_type = 'member' then coalesce(m.brought_by, m.author_id)
        when h.type = 'message' then m.brought_by
        else (
          select e.actor_id from audit_entry e
          where e.tenant_id = ${TENANT} and e.resource_id = h.id and e.actor_kind = 'member'
            and e.at between h.at - interval '1 minute' and h.at + interval '1 minute'
            and (e.change = 'created' or e.fields @> '{priority}')
          order by e.id desc limit 1)
      end as by,
      array(
        select v.member_id from conversation_viewer v
        where v.tenant_id = ${TENANT} and v.conversation_id = c.id and v.until > h.at
      ) as viewers
    from unnest(${types}::text[], ${ids}::uuid[], ${conversationIds}::uuid[], ${times}::timestamptz[])
        as h (type, id, conversation_id, at)
      left join conversation c on c.tenant_id = ${TENANT} and c.id = h.conversation_id and c.redacted_at is null
      left join message m on h.type = 'message' and m.tenant_id = ${TENANT} and m.id = h.id`,
);

interface RememberArgs {
  ids: readonly string[];
  conversationIds: readonly string[];
  memberIds: readonly string[];
  sequences: readonly number[];
  times: readonly string[];
  waitSeconds: number;
}
/** The first mention counts, until the member has read it: several in one conversation make one mail. */
export const REMEMBER_MENTIONS = query<RememberArgs>()(
  "notices.rememberMentions",
  JOB,
  (p) => sql`
    insert into unread_mention (tenant_id, id, conversation_id, member_id, sequence, due_at)
    select ${TENANT}, n.id, n.conversation_id, n.member_id, n.sequence,
      -- The clock may have been ahead.
      least(n.at, clock_timestamp()) + make_interval(secs => ${p.waitSeconds})
    from unnest(${p.ids}::uuid[], ${p.conversationIds}::uuid[], ${p.memberIds}::uuid[], ${p.sequences}::int[],
      ${p.times}::timestamptz[]) as n (id, conversation_id, member_id, sequence, at)
    where exists (select from conversation c where c.tenant_id = ${TENANT} and c.id = n.conversation_id)
    on conflict (tenant_id, conversation_id, member_id) do nothing`,
);

const CONTACT_NAME = sql`coalesce(k.name, (
  select a.value from contact_point a
  where a.tenant_id = ${TENANT} and a.contact_id = k.id order by a.kind, a.position, a.id limit 1))`;

export interface NoticeToSend {
  sealed: Buffer;
  organisationId: string;
  language: string;
  preferences: Partial<PreferencesDto> | null;
  name: string | null;
  subject: string | null;
  summary: string | null;
  preview: string | null;
}
/** What a notice says, as it is when it is sent. No row if the device is gone, or the member cannot read the conversation any more. */
export const NOTICE_TO_SEND = query<{ id: string; conversationId: string | null }, NoticeToSend>()(
  "notices.toSend",
  JOB,
  ({ id, conversationId }) => sql`
    select s.sealed, s.organisation_id as "organisationId", s.language, p.value as preferences, ${CONTACT_NAME} as name,
      c.subject, c.summary, c.last_message_preview as preview
    from tenant t
      join push_subscription s on s.organisation_id = t.organisation_id
      join member m on m.organisation_id = t.organisation_id and m.id = s.member_id
      left join member_preferences p on p.organisation_id = t.organisation_id and p.member_id = m.id
      left join conversation c on c.tenant_id = ${TENANT} and c.id = ${conversationId}
      left join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
    where t.id = ${TENANT} and s.id = ${id} and not ${LACKS_SECOND_FACTOR}
      and case
        when ${conversationId}::uuid is null then ${IS_ADMITTED} and m.role in (${isOneOf(rolesFor("conversations:read"))})
        else c.redacted_at is null and ${READS_CONVERSATION}
      end`,
);

export interface DueMention extends DueRow {
  until: string;
}
export const CLAIM_MENTIONS = globalQuery<Room & { leaseSeconds: number }, DueMention>()(
  "mentions.claim",
  "everywhere",
  (room) => sql`
    update unread_mention d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds}) from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.id) in (
      ${dueInTurn({ table: sql`unread_mention`, id: sql`id` }, room)})
    returning d.tenant_id as "tenantId", d.id, t.environment, d.due_at::text as until`,
);
export const MENTIONS_LAG = lagOf("mentions", sql`unread_mention`);

export interface MentionMail {
  email: string;
  memberName: string;
  preferences: Partial<PreferencesDto> | null;
  contact: string | null;
  notes: { author: string | null; body: string }[];
}
interface MentionArgs {
  memberId: string;
  conversationId: string;
  sequence: number;
}
/**
 * What the mail says. No row if the member cannot read the conversation any more, has answered in it since, or no note is left that
 * names them.
 */
export const MENTION_MAIL = query<MentionArgs, MentionMail>()(
  "mentions.mail",
  JOB,
  ({ memberId, conversationId, sequence }) => sql`
    select m.email, m.name as "memberName", p.value as preferences, ${CONTACT_NAME} as contact, n.notes
    from tenant t
      join member m on m.organisation_id = t.organisation_id and m.id = ${memberId}
      join conversation c on c.tenant_id = ${TENANT} and c.id = ${conversationId} and c.redacted_at is null
      left join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
      left join member_preferences p on p.organisation_id = t.organisation_id and p.member_id = m.id
      cross join lateral (
        select jsonb_agg(jsonb_build_object('author', a.name, 'body', g.body) order by g.sequence) as notes
        from message g
          left join member a on a.organisation_id = t.organisation_id and g.author_type = 'member' and a.id = g.author_id
        where g.tenant_id = ${TENANT} and g.conversation_id = c.id and g.sequence >= ${sequence}
          and g.mentions @> array[m.id] and g.redacted_at is null
      ) n
    where t.id = ${TENANT} and ${READS_CONVERSATION} and not ${LACKS_SECOND_FACTOR} and n.notes is not null
      and not exists (
        select from message g
        where g.tenant_id = ${TENANT} and g.conversation_id = c.id and g.sequence > ${sequence}
          and g.author_type = 'member' and g.author_id = m.id)`,
);
