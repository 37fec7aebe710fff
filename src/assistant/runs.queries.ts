import { WITH_SUMMARY } from "../conversations/actions/actions.queries.js";
import { isOn, worksIn } from "../conversations/answering-agent.js";
import { conversationChange } from "../conversations/conversation-change.js";
import type { HandlingMode } from "../conversations/lifecycle/lifecycle.js";
import { become, hasEffect } from "../conversations/lifecycle/lifecycle.queries.js";
import { summarised } from "../conversations/summary.js";
import { type Parameter, type Sql, sql, TENANT } from "../platform/database/sql.js";
import { globalQuery, query } from "../platform/database/statements.js";
import type { DueRow } from "../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../platform/jobs/due-rows.js";
import type { HandOverReason } from "../quality/reports/hand-over-reasons.js";
import type { RunOutcome, WaitsFor } from "./assistant.entity.js";
import { MAX_MESSAGES } from "./context/context.queries.js";
import { ANSWERING } from "./context/answering.js";
import { addSteps } from "./tools/steps.queries.js";

const OF_RUN = { unrestricted: "only the assistant runs it, about the conversation of a run" };

/** Runs `r` of this conversation that no process has begun. */
const superseded = (conversationId: Sql | Parameter, more: Sql): Sql => sql`
      update assistant_run r set outcome = 'superseded', waits_for = null, ended_at = clock_timestamp(),
        reason = 'The contact wrote again'
      where r.tenant_id = ${TENANT} and r.conversation_id = ${conversationId} and r.outcome is null and ${more}`;

/**
 * The keys and members that brought in what the contact of `c` is to have said since they last wrote something themselves, as far as
 * it is read: who adds a word to another's wish does not take it off them. A mail that nothing proves may be theirs, too.
 */
const REQUESTED_BY = sql`array(
          select distinct b.brought_by from (
            select n.brought_by,
              count(*) filter (
                where n.direction = 'inbound' and n.brought_by is null
                  and not (n.sender_proof = 'none' and n.authentication is not null)
              ) over (order by n.sequence desc) as own
            from (
              select o.* from message o
              where o.tenant_id = ${TENANT} and o.conversation_id = c.id and o.sequence > c.context_from
                and o.direction <> 'internal'
              order by o.sequence desc limit ${MAX_MESSAGES}
            ) n
          ) b where b.own = 0 and b.brought_by is not null
        )`;

interface QueueArgs {
  id: string;
  messageId: string;
  conversationId: string;
  /** An API key brought the message in, which may be an import of what was written long ago. */
  byKey: boolean;
  waitSeconds: number;
  chatSeconds: number;
  mailSeconds: number;
}
/**
 * Writes the run of a message, if the assistant handles its conversation, and ends one that waits. Nothing comes of mails that a
 * program sent, because two programs would answer each other, and of messages that are imported. It names the conversation at each
 * table: joined to the message, the plan of a database without statistics read all conversations and their messages (70 ms at 700).
 */
export const QUEUE = query<QueueArgs>()(
  "assistant.queue",
  "checked",
  (p) => sql`
    with asked as (
      select c.tenant_id, c.id as conversation_id, c.workspace_id, m.id as message_id, m.sequence, a.id as agent_id,
        a.instructions_version, ${REQUESTED_BY} as requested_by,
        case when c.channel_type in ('email', 'contact_form') then ${p.mailSeconds}::int else ${p.chatSeconds}::int end
          as limit_seconds
      from message m
        join conversation c on c.tenant_id = ${TENANT} and c.id = ${p.conversationId}
        join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
        cross join lateral (${ANSWERING}) a
      where m.tenant_id = ${TENANT} and m.conversation_id = ${p.conversationId} and m.id = ${p.messageId}
        and c.handling_mode = 'assistant'
        and ${isOn("w")} and ${worksIn("a", "w")}
        and not (c.channel_type = 'email' and c.metadata @> '{"automatic": true}')
        and not (${p.byKey} and m.occurred_at < m.created_at - interval '1 day')
    ), ended as (${superseded(p.conversationId, sql`r.started_at is null and exists (select from asked)`)}
    ), added as (
      insert into assistant_run (tenant_id, id, workspace_id, conversation_id, message_id, sequence, agent_id,
        requested_by, instructions_version, created_at)
      select k.tenant_id, ${p.id}::uuid, k.workspace_id, k.conversation_id, k.message_id, k.sequence, k.agent_id,
        k.requested_by, k.instructions_version, clock_timestamp()
      from asked k
      returning conversation_id
    )
    insert into assistant_due as d (tenant_id, conversation_id, due_at, limit_seconds)
    select k.tenant_id, k.conversation_id, clock_timestamp() + make_interval(secs => ${p.waitSeconds}), k.limit_seconds
    from asked k
    on conflict (tenant_id, conversation_id) do update set
      due_at = case when d.claimed and d.due_at > clock_timestamp() then d.due_at else excluded.due_at end,
      claimed = d.claimed and d.due_at > clock_timestamp(), limit_seconds = excluded.limit_seconds
    returning d.conversation_id as "conversationId"`,
);

export interface DueConversation extends DueRow {
  limitSeconds: number;
}
/** Claims conversations for as long as a run may take, and a little longer. */
export const CLAIM = globalQuery<Room & { graceSeconds: number }, DueConversation>()(
  "assistant.claim",
  "everywhere",
  (room) => sql`
    update assistant_due d set claimed = true,
      due_at = clock_timestamp() + make_interval(secs => d.limit_seconds + ${room.graceSeconds}::int)
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.conversation_id) in (
      ${dueInTurn({ table: sql`assistant_due`, id: sql`conversation_id` }, room)})
    returning d.tenant_id as "tenantId", d.conversation_id as id, t.environment, d.limit_seconds as "limitSeconds"`,
);
export const LAG = lagOf("assistant", sql`assistant_due`);

/** A conversation as it is while its row is locked. */
export interface Held {
  workspaceId: string;
  handlingMode: HandlingMode;
  resolved: boolean;
  /** Sequence number of the newest inbound message or reply. */
  lastTurn: number;
}
/** Locks the conversation until the transaction ends, as every change of it does. */
export const HOLD = query<{ conversationId: string }, Held>()(
  "assistant.hold",
  OF_RUN,
  ({ conversationId }) => sql`
    select c.workspace_id as "workspaceId", c.handling_mode as "handlingMode", c.status = 'resolved' as resolved,
      c.last_turn as "lastTurn"
    from conversation c where c.tenant_id = ${TENANT} and c.id = ${conversationId} for no key update`,
);

export interface Begun {
  id: string;
  conversationId: string;
  sequence: number;
  agentId: string;
  /** What it calls itself. Null for the platform's agent, which has no name of its own. */
  agentName: string | null;
  instructionsVersion: number;
  attempts: number;
  /** How many of these attempts did not end, because their process died. */
  died: number;
  /** It has waited too long. */
  overdue: boolean;
}
/**
 * Begins the newest run of the conversation, also one that has waited too long. Older ones, that wait or of a process that died, are
 * superseded.
 */
export const BEGIN = query<{ conversationId: string }, Begun>()(
  "assistant.begin",
  OF_RUN,
  ({ conversationId }) => sql`
    with newest as (
      select max(r.sequence) as sequence from assistant_run r
      where r.tenant_id = ${TENANT} and r.conversation_id = ${conversationId} and r.outcome is null
        and (r.waits_for is null or r.waits_for = 'verification' and r.waits_until <= clock_timestamp())
    ), ended as (${superseded(conversationId, sql`r.sequence < (select n.sequence from newest n)`)}
    )
    update assistant_run r set attempts = r.attempts + 1, started_at = coalesce(r.started_at, clock_timestamp())
    where r.tenant_id = ${TENANT} and r.conversation_id = ${conversationId} and r.outcome is null
      and r.sequence = (select n.sequence from newest n)
    returning r.id, r.conversation_id as "conversationId", r.sequence, r.agent_id as "agentId",
      r.instructions_version as "instructionsVersion", r.attempts, r.attempts - r.waits - 1 as died,
      r.waits_for is not null as overdue,
      (select a.name from agent a where a.tenant_id = ${TENANT} and a.id = r.agent_id and a.kind = 'custom') as "agentName"`,
);

/** Locks the run. No row: it has ended, or another process has begun with it anew. */
export const TAKE = query<{ id: string; attempts: number }>()(
  "assistant.take",
  OF_RUN,
  ({ id, attempts }) => sql`
    select 1 from assistant_run r
    where r.tenant_id = ${TENANT} and r.id = ${id} and r.outcome is null and r.attempts = ${attempts}::int
    for update`,
);

interface EndArgs {
  id: string;
  outcome: RunOutcome | null;
  reason: string | null;
  waitsFor: WaitsFor | null;
  handOverReason: HandOverReason | null;
  /** For a wait that nothing else ends. */
  waitHours: number | null;
  /** JSON: `Step[]`, those that are not written yet. */
  steps: string;
}
/** Ends the run, or lets it wait. */
export const END = query<EndArgs>()(
  "assistant.end",
  OF_RUN,
  ({ id, outcome, reason, waitsFor, handOverReason, waitHours, steps }) => sql`
    with added as (${addSteps(id, steps)}
    )
    update assistant_run r set outcome = ${outcome}::text, reason = ${reason}, waits_for = ${waitsFor}::text,
      hand_over_reason = ${handOverReason}::text,
      waits_until = clock_timestamp() + make_interval(hours => ${waitHours}::int),
      waits = case when ${waitsFor}::text is null then r.waits else r.attempts end,
      ended_at = case when ${outcome}::text is not null then clock_timestamp() end
    where r.tenant_id = ${TENANT} and r.id = ${id}`,
);

/**
 * Gives the conversation back to the queue, or takes it out if no run of it is to be carried out, or has a limit to its wait. Its row is
 * locked: nothing is added meanwhile.
 */
export const RETURN = query<{ conversationId: string; waitSeconds: number }>()(
  "assistant.return",
  OF_RUN,
  ({ conversationId, waitSeconds }) => sql`
    with next as (
      select coalesce(
          -- What was written while the clock was ahead waits no longer.
          max(least(r.created_at, clock_timestamp())) filter (where r.waits_for is null) + make_interval(secs => ${waitSeconds}),
          min(r.waits_until) filter (where r.waits_for = 'verification')
        ) as at
      from assistant_run r
      where r.tenant_id = ${TENANT} and r.conversation_id = ${conversationId} and r.outcome is null
    ), done as (
      delete from assistant_due d using next n
      where d.tenant_id = ${TENANT} and d.conversation_id = ${conversationId} and n.at is null
    )
    update assistant_due d set claimed = false, due_at = n.at from next n
    where d.tenant_id = ${TENANT} and d.conversation_id = ${conversationId} and n.at is not null`,
);

/** Gives the conversation to people, with a summary, unless somebody has it already or something was said after the run's message. */
export const HAND_OVER = conversationChange<{ sequence: number; summary: string }>()(
  "assistant.handOver",
  ({ sequence, summary }) => ({
    set: sql`${become("handOver", sql`t.at`, {})}, ${summarised(sql`${summary}::text`)}`,
    changes: sql`(${hasEffect("handOver")} and t.last_turn <= ${sequence}::int)`,
  }),
);

/** Somebody in copy wrote: from now on people handle the conversation, if the assistant would. */
export const LEAVE_TO_PEOPLE = conversationChange()("assistant.leaveToPeople", () => ({
  set: become("handOver", sql`t.at`, {}),
  changes: sql`(${hasEffect("handOver")} and exists (
    select from workspace a where a.tenant_id = ${TENANT} and a.id = t.workspace_id and ${isOn("a")}
  ))`,
}));

/** Resolves the conversation, unless somebody has it or something was said after the run's message. */
export const RESOLVE_ANSWERED = conversationChange<{ sequence: number }>()("assistant.resolve", ({ sequence }) => ({
  set: sql`${become("assistantResolves", sql`t.at`, {})}${WITH_SUMMARY}`,
  changes: sql`(${hasEffect("assistantResolves")} and t.last_turn <= ${sequence}::int)`,
}));

/** With their steps, which a foreign key deletes. */
export const FORGET_RUNS = query<{ conversationIds: readonly string[] }>()(
  "assistant.forget",
  { unrestricted: "only an erasure runs it" },
  ({ conversationIds }) => sql`
    with due as (
      delete from assistant_due d
      where d.tenant_id = ${TENANT} and d.conversation_id = any(${conversationIds}::uuid[])
    )
    delete from assistant_run r
    where r.tenant_id = ${TENANT} and r.conversation_id = any(${conversationIds}::uuid[])`,
);
