import { type Sql, sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, type NoArgs, query } from "../platform/database/statements.js";

const WHOLE_DEMO = { unrestricted: "the demo fills its whole tenant" };

/** `tenantId`: null unless the demo tenant exists. */
export const FIND_DEMO = globalQuery<{ externalId: string }>()(
  "demo.find",
  "control",
  ({ externalId }) => sql`
    select count(*)::int as tenants,
      exists (select from job_run where name = 'demo') as complete,
      (select id from tenant where external_id = ${externalId}) as "tenantId"
    from tenant`,
);

export const MARK_COMPLETE = globalQuery<NoArgs>()(
  "demo.markComplete",
  "control",
  () => sql`
    insert into job_run (name, started_at, finished_at, result) values ('demo', now(), now(), '{}')
    on conflict do nothing`,
);

/** Those whose caller is not verified yet: an earlier start may have been interrupted. */
export const LIST_BANK_CONVERSATIONS = query<NoArgs>()(
  "demo.listBankConversations",
  WHOLE_DEMO,
  () => sql`
    select id as "conversationId", contact_id as "contactId" from conversation
    where tenant_id = ${TENANT} and metadata->'domains' ? 'bank' and assurance_level = 'none'
    order by created_at`,
);

/** Resolved conversations with the time that they get: on one of the last 28 days, between 8 and 17 o'clock, some seconds a message. */
const PLACED = sql`
  select c.id, s.seconds,
    date_trunc('day', now()) - make_interval(days => 1 + h.hash % 28)
      + make_interval(hours => 8 + h.hash / 28 % 9, mins => h.hash % 60) as began
  from conversation c
  cross join lateral (select abs(hashtext(c.external_id)) / 2 as hash) h
  cross join lateral (select 20 + h.hash % 200 as seconds) s
  where c.tenant_id = ${TENANT} and c.status = 'resolved'`;

/** When the message with a sequence number was written. */
const at = (sequence: Sql): Sql => sql`p.began + make_interval(secs => p.seconds * (${sequence}))`;

/** Resolved conversations begin on days of the last four weeks. */
export const SPREAD_CONVERSATIONS = query<NoArgs>()(
  "demo.spreadConversations",
  WHOLE_DEMO,
  () => sql`
    with placed as (${PLACED})
    update conversation c set created_at = p.began, resolved_at = ${at(sql`c.last_sequence + 1`)},
      last_activity_at = ${at(sql`c.last_sequence + 1`)}, updated_at = ${at(sql`c.last_sequence + 1`)},
      first_reply_at = ${at(sql`(select min(m.sequence) from message m
        where m.tenant_id = ${TENANT} and m.conversation_id = c.id and m.waited_since is not null)`)}
    from placed p where c.tenant_id = ${TENANT} and c.id = p.id`,
);

/** Their messages follow. A trigger notes anew how long each reply took. */
export const SPREAD_MESSAGES = query<NoArgs>()(
  "demo.spreadMessages",
  WHOLE_DEMO,
  () => sql`
    with placed as (${PLACED}), gone as (
      delete from reply_time t using placed p where t.tenant_id = ${TENANT} and t.conversation_id = p.id
    ), opened as (
      update open_time t set started_at = p.began, opened_at = p.began, closed_at = c.resolved_at,
        seconds = extract(epoch from c.resolved_at - p.began)
      from placed p join conversation c on c.tenant_id = ${TENANT} and c.id = p.id
      where t.tenant_id = ${TENANT} and t.conversation_id = p.id
    )
    update message m set created_at = ${at(sql`m.sequence`)}, occurred_at = ${at(sql`m.sequence`)},
      waited_since = case when m.waited_since is not null then ${at(sql`m.sequence - 1`)} end
    from placed p where m.tenant_id = ${TENANT} and m.conversation_id = p.id`,
);

/** Contacts were last seen when their last message came. */
export const LOOK_BACK_AT_CONTACTS = query<NoArgs>()(
  "demo.lookBackAtContacts",
  WHOLE_DEMO,
  () => sql`
    update contact k set last_seen_at = s.at
    from (
      select m.author_id as id, max(m.created_at) as at from message m
      where m.tenant_id = ${TENANT} and m.direction = 'inbound' group by m.author_id
    ) s
    where k.tenant_id = ${TENANT} and k.id = s.id`,
);

/** Four of five contacts rated, and nobody badly: that would ask for attention. */
export const RATE = query<NoArgs>()(
  "demo.rate",
  WHOLE_DEMO,
  () => sql`
    with asked as (
      select c.*, abs(hashtext(c.external_id || 'rating')) / 2 as hash from conversation c
      where c.tenant_id = ${TENANT} and c.status = 'resolved' and c.csat_score is null
    ), rated as (
      insert into csat_survey (tenant_id, id, workspace_id, conversation_id, contact_id, channel_id, agent_ids, kb_entry_ids,
        scale, low_score_threshold, question, question_language, language, asked_at, expires_at, score, rated_at)
      select tenant_id, gen_random_uuid(), workspace_id, id, contact_id, channel_id, '{}', '{}',
        5, 2, 'How satisfied are you with the help you got?', 'en', 'en', resolved_at, resolved_at + interval '14 days',
        case when hash % 5 > 0 then (array[5, 4, 5, 3, 5, 4, 5, 5])[1 + hash / 5 % 8] end,
        case when hash % 5 > 0 then resolved_at + interval '1 hour' end
      from asked
      returning *
    ), counted as (
      insert into outcome (tenant_id, workspace_id, metric, entity_type, entity_id, scale, value, bad, at)
      select r.tenant_id, r.workspace_id, o.metric, e.type, e.id::text, r.scale, o.value, false, o.at
      from rated r
      cross join lateral (values ('workspace', r.workspace_id), ('channel', r.channel_id)) e (type, id)
      cross join lateral (values ('csat_asked', 0, r.asked_at), ('csat', r.score, r.rated_at)) o (metric, value, at)
      where o.at is not null
    )
    update conversation c set csat_score = r.score from rated r
    where c.tenant_id = ${TENANT} and c.id = r.conversation_id and r.score is not null`,
);
