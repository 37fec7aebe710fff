import { sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, query } from "../platform/database/statements.js";
import type { DueRow } from "../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../platform/jobs/due-rows.js";

const ONLY_THE_JOB = { unrestricted: "only the job that learns runs it, about a conversation that was resolved" };

export interface Resolved extends DueRow {
  afterSequence: number;
  untilSequence: number;
  /** If it has changed, the conversation was resolved again. */
  revision: number;
}
export const CLAIM = globalQuery<Room & { leaseSeconds: number }, Resolved>()(
  "learning.claim",
  "everywhere",
  (room) => sql`
    update learning_due d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds}::int)
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.conversation_id) in (
      ${dueInTurn({ table: sql`learning_due`, id: sql`conversation_id` }, room)})
    returning d.tenant_id as "tenantId", d.conversation_id as id, t.environment, d.after_sequence as "afterSequence",
      d.until_sequence as "untilSequence", d.revision`,
);
export const LAG = lagOf("learning", sql`learning_due`);

/** Locks the conversation against an erasure, until the evidence is committed. No row: it is erased. */
export const HOLD = query<{ conversationId: string }>()(
  "learning.hold",
  ONLY_THE_JOB,
  ({ conversationId }) => sql`
    select c.workspace_id as "workspaceId" from conversation c
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and c.redacted_at is null for share`,
);

/** One proposal is made at a time in a workspace, so that two resolutions at once do not make two. */
export const TAKE_TURN = query<{ workspaceId: string }>()(
  "learning.takeTurn",
  { unrestricted: "it takes an advisory lock and reads no rows" },
  ({ workspaceId }) =>
    sql`select pg_advisory_xact_lock(hashtextextended('learning ' || ${TENANT}::text || ' ' || ${workspaceId}::text, 0))`,
);

/** A turn of the contact that the assistant did not answer. */
export interface Missed {
  sequence: number;
  /** As the assistant looked for it. */
  question: string;
  /** The confidence of the best entry, 0 if there was none. */
  confidence: number;
  /** The entries that it found, best first. */
  found: string[];
}
export interface Message {
  id: string;
  sequence: number;
  direction: "inbound" | "outbound";
  /** Whether a person wrote it: a member, or an integration that people write with. */
  byPerson: boolean;
  /** Until when it can be cancelled. */
  heldUntil: string | null;
  body: string;
}
export interface Facts {
  channelType: string;
  primaryLanguage: string;
  /** The contact's, if it is known. */
  language: string | null;
  names: string[];
  members: string[];
  identifiers: string[];
  ours: string[];
  missed: Missed[];
  messages: Message[];
}

/** The most messages of a conversation and colleagues that are read. */
const MAX_MESSAGES = 200;
const MAX_MEMBERS = 5_000;

/**
 * What was missed and said between two resolutions, and what is known of the people in it. A trigger copies the type of the channel
 * into each conversation.
 */
export const GET_FACTS = query<
  { conversationId: string; afterSequence: number; untilSequence: number; maxText: number },
  Facts,
  "channelType"
>()(
  "learning.facts",
  ONLY_THE_JOB,
  ({ conversationId, afterSequence, untilSequence, maxText }) => sql`
    select c.channel_type as "channelType", w.primary_language as "primaryLanguage",
      coalesce(c.language, k.language) as language,
      array(
        select n.name from contact n
        where n.tenant_id = ${TENANT} and (n.id = k.id or n.merged_into_id = k.id) and n.name is not null
      ) as names,
      array(
        select m.name from member m
        where m.organisation_id = (select o.organisation_id from tenant o where o.id = ${TENANT})
        order by m.id limit ${MAX_MEMBERS}
      ) as members,
      array_remove(array(
        select p.value from contact_point p where p.tenant_id = ${TENANT} and p.contact_id = k.id
        union all
        select a.value from jsonb_each_text(k.attributes) a where a.value ~ '[0-9]{3}' and length(a.value) <= 100
      ) || array[k.external_id, c.external_id, c.caller_id], null) as identifiers,
      array(
        select h.address from channel h
        where h.tenant_id = ${TENANT} and h.workspace_id = c.workspace_id and h.address is not null
      ) as ours,
      (
        select coalesce(json_agg(json_build_object(
          'sequence', r.sequence, 'question', s.detail ->> 'question',
          'confidence', coalesce((s.detail -> 'entries' -> 0 ->> 'confidence')::float8, 0),
          'found', (select coalesce(json_agg(e.entry ->> 'kbEntryId' order by e.n), '[]')
            from jsonb_array_elements(s.detail -> 'entries') with ordinality e (entry, n))
        ) order by r.sequence, s.position), '[]')
        from assistant_run r
          join assistant_step s on s.tenant_id = ${TENANT} and s.run_id = r.id and s.type = 'retrieve'
        where r.tenant_id = ${TENANT} and r.conversation_id = c.id and r.sequence > ${afterSequence}::int
          and r.sequence <= ${untilSequence}::int
          and (r.outcome in ('clarified', 'handed_off', 'failed')
            or (r.outcome = 'discarded' and s.detail ->> 'decision' in ('clarify', 'hand_off')))
      ) as missed,
      (
        select coalesce(json_agg(json_build_object(
          'id', m.id, 'sequence', m.sequence, 'direction', m.direction,
          'byPerson', m.author_type in ('member', 'api'),
          'heldUntil', case when m.delivery_status = 'held' then m.held_until end, 'body', left(m.body, ${maxText}::int)
        ) order by m.sequence), '[]')
        from (
          select n.* from message n
          where n.tenant_id = ${TENANT} and n.conversation_id = c.id and n.sequence > ${afterSequence}::int
            and n.sequence <= ${untilSequence}::int and n.direction <> 'internal' and n.delivery_status <> 'cancelled'
            and n.redacted_at is null
          order by n.sequence limit ${MAX_MESSAGES}
        ) m
      ) as messages
    from conversation c
      join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
      join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}`,
);

/** A question that was missed, with what a person answered, as it is kept. */
export interface Evidence {
  id: string;
  conversationId: string;
  contactId: string;
  /** Of somebody who did not prove who they are: a hash of where they wrote from, or `unproven`. */
  origin: string | null;
  messageId: string;
  question: string;
  answer: string;
  language: string;
  terms: number[];
  entryId: string | null;
}
export const ADD = query<{
  id: string;
  workspaceId: string;
  conversationId: string;
  sequence: number;
  messageId: string;
  question: string;
  answer: string;
  language: string;
}>()(
  "learning.add",
  ONLY_THE_JOB,
  (p) => sql`
    insert into learning_evidence (tenant_id, id, workspace_id, conversation_id, sequence, message_id, question, answer,
      language, terms)
    select ${TENANT}, ${p.id}, w.id, ${p.conversationId}, ${p.sequence}::int, ${p.messageId}, ${p.question}::text,
      ${p.answer}::text, ${p.language}::text, kb_terms(kb_config(w.primary_language), ${p.question})
    from workspace w where w.tenant_id = ${TENANT} and w.id = ${p.workspaceId}
    on conflict (tenant_id, conversation_id, sequence) do nothing
    returning id`,
);

/**
 * Where the conversation `c` comes from, with its row `o` of `learning_origin`. All mails that nothing proves are one origin: a stranger
 * can write any address into them, and no network address is known.
 */
export const ORIGIN = sql`case
        when o.origin_hash is not null then encode(o.origin_hash, 'hex')
        when c.sender_proof = 'none' then 'unproven'
      end`;

/** An evidence with what became of the entry that it speaks for. */
export interface Kept extends Evidence {
  status: "pending" | "rejected" | "approved" | "archived" | null;
}
/** So much of the newest evidence a new one is compared with. */
const MAX_COMPARED = 1_000;
/** The evidence of a workspace, newest first. `contactId` follows merges, because it is the conversation's. */
export const RECENT = query<{ workspaceId: string; conversationId: string | null }, Kept>()(
  "learning.recent",
  ONLY_THE_JOB,
  ({ workspaceId, conversationId }) => sql`
    select v.id, v.conversation_id as "conversationId", c.contact_id as "contactId", v.message_id as "messageId",
      v.question, v.answer, v.language, v.terms, v.entry_id as "entryId", e.status,
      ${ORIGIN} as origin
    from (
      select n.* from learning_evidence n
      where n.tenant_id = ${TENANT} and n.workspace_id = ${workspaceId}
        and (${conversationId}::uuid is null or n.conversation_id = ${conversationId}::uuid)
      order by n.created_at desc, n.id desc limit ${MAX_COMPARED}
    ) v
      join conversation c on c.tenant_id = ${TENANT} and c.id = v.conversation_id and c.redacted_at is null
      left join kb_entry e on e.tenant_id = ${TENANT} and e.id = v.entry_id
      left join learning_origin o on o.tenant_id = ${TENANT} and o.conversation_id = v.conversation_id
    order by v.created_at desc, v.id desc`,
);

/** Locks the conversations, as an erasure does before it locks entries. @returns those that are not erased */
export const HOLD_ALL = query<{ conversationIds: readonly string[] }>()(
  "learning.holdAll",
  ONLY_THE_JOB,
  ({ conversationIds }) => sql`
    select c.id from conversation c
    where c.tenant_id = ${TENANT} and c.id = any(${conversationIds}::uuid[]) and c.redacted_at is null
    order by c.id for share`,
);

export const ASSIGN = query<{ ids: readonly string[]; entryId: string }>()(
  "learning.assign",
  ONLY_THE_JOB,
  ({ ids, entryId }) => sql`
    update learning_evidence v set entry_id = ${entryId}::uuid
    where v.tenant_id = ${TENANT} and v.id = any(${ids}::uuid[])`,
);

/** No entry names more messages as its evidence. */
const MAX_EVIDENCE = 100;
/**
 * Adds evidence to an entry that waits or is approved; its text stays, because a person may be about to approve it. No row: it
 * is neither any more. `evidence` is JSON.
 */
export const STRENGTHEN = query<{ entryId: string; evidence: string; confidence: number | null }>()(
  "learning.strengthen",
  ONLY_THE_JOB,
  ({ entryId, evidence, confidence }) => sql`
    update kb_entry k set updated_at = now(),
      confidence = case when k.status = 'pending' and k.source = 'learning'
        then coalesce(${confidence}::float8, k.confidence) else k.confidence end,
      evidence = (
        select coalesce(jsonb_agg(u.e order by u.n), '[]') from (
          select a.e, a.n from jsonb_array_elements(k.evidence || (
            select coalesce(jsonb_agg(x.e), '[]') from jsonb_array_elements(${evidence}::jsonb) x (e)
            where not k.evidence @> jsonb_build_array(x.e)
          )) with ordinality a (e, n)
          order by a.n desc limit ${MAX_EVIDENCE}
        ) u
      )
    where k.tenant_id = ${TENANT} and k.id = ${entryId}::uuid and k.status in ('pending', 'approved')
    returning k.id`,
);

/** An entry that the evidence may be about. */
export interface Known {
  id: string;
  status: "pending" | "approved";
  question: string;
  answer: string;
  alternateQuestions: string[];
  language: string;
  labels: string[];
}
export const ENTRIES = query<{ workspaceId: string; ids: readonly string[] }, Known>()(
  "learning.entries",
  ONLY_THE_JOB,
  ({ workspaceId, ids }) => sql`
    select k.id, k.status, k.question, k.answer, k.alternate_questions as "alternateQuestions", k.language, k.labels
    from kb_entry k
    where k.tenant_id = ${TENANT} and k.workspace_id = ${workspaceId} and k.id = any(${ids}::uuid[])
      and k.status in ('pending', 'approved')`,
);

export const FORGET = query<{ conversationIds: readonly string[] }>()(
  "learning.forget",
  { unrestricted: "only an erasure runs it" },
  ({ conversationIds }) => sql`
    with due as (
      delete from learning_due d
      where d.tenant_id = ${TENANT} and d.conversation_id = any(${conversationIds}::uuid[])
    ), origins as (
      delete from learning_origin o
      where o.tenant_id = ${TENANT} and o.conversation_id = any(${conversationIds}::uuid[])
    )
    delete from learning_evidence v
    where v.tenant_id = ${TENANT} and v.conversation_id = any(${conversationIds}::uuid[])`,
);
