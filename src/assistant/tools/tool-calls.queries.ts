import { mayAnswer } from "../../conversations/answering-agent.js";
import type { AssuranceLevel } from "../../conversations/assurance-level.js";
import { LEVEL } from "../../identity/verification/assurance-level.js";
import type { SenderProof } from "../../conversations/sender-proof.js";
import type { Guardrail } from "../../knowledge/agents/agent.entity.js";
import { type Parameter, type Sql, sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import type { Schema } from "./argument-schema.js";
import { type ToolEffect, ToolCallEntity } from "./tool.entity.js";
import { IsNull } from "typeorm";
import type { ToolOutcome } from "./tool-calls.js";
import type { Tx } from "../../platform/database/transaction.js";

const OF_RUN = { unrestricted: "only the assistant runs it, about the conversation of a run" };

/** A tool of the tenant's own. */
export interface OwnTool {
  id: string;
  version: number;
  description: string;
  parameters: Schema;
  effect: ToolEffect;
  url: string;
  idempotent: boolean;
  statusUrl: string | null;
  timeoutSeconds: number;
  expiresAfterHours: number;
}
/** Whom and what a call is about, as the database has it. Nothing of it comes from a model. */
export interface Bound {
  workspaceId: string;
  conversationId: string;
  agentId: string;
  channelType: string;
  priority: string;
  labels: string[];
  /** The workspace's. */
  primaryLanguage: string;
  level: AssuranceLevel;
  /** Null if the contact has not written yet. */
  senderProof: SenderProof | null;
  contact: {
    id: string;
    externalId: string | null;
    name: string | null;
    language: string | null;
    emails: string[];
    phones: string[];
    labels: string[];
    attributes: Record<string, unknown>;
  };
  tools: string[];
  guardrails: Guardrail[];
  /** The tool that is asked about; null if the tenant has none of this name. */
  tool: OwnTool | null;
  sealed: Buffer | null;
  /** The approved rules about the tool, as they are now. */
  policies: { id: string; version: number }[];
  /** Why the agent must not go on; null if it may. */
  off: string | null;
  /** Why no assistant does anything in the workspace, whoever has approved it; null if it may. */
  workspaceOff: string | null;
}

/** Locks the conversation until the transaction ends. What follows sees all that was committed until then. */
export const LOCK_CONVERSATION = query<{ conversationId: string }>()(
  "toolCalls.lock",
  OF_RUN,
  ({ conversationId }) => sql`
    select c.workspace_id as "workspaceId" from conversation c
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} for no key update`,
);

const points = (kind: Sql): Sql => sql`array(
      select p.value from contact_point p
      where p.tenant_id = ${TENANT} and p.contact_id = k.id and p.kind = ${kind} order by p.position
    )`;
interface BoundArgs {
  conversationId: string;
  agentId: string;
  tool: string;
  runId: string | null;
  /** Of the run, as this process has begun it. */
  attempts?: number | null;
}
/** A trigger copies the type of the channel into each conversation. */
export const GET_BOUND = query<BoundArgs, Bound, "channelType">()(
  "toolCalls.bound",
  OF_RUN,
  ({ conversationId, agentId, tool, runId, attempts }) => sql`
    select c.workspace_id as "workspaceId", c.id as "conversationId", a.id as "agentId", c.channel_type as "channelType",
      c.priority, c.labels, w.primary_language as "primaryLanguage", ${LEVEL} as level,
      c.sender_proof as "senderProof",
      json_build_object('id', k.id, 'externalId', case
          when k.external_id_vouched_within is null or c.workspace_id = any(k.external_id_vouched_within) then k.external_id
        end, 'name', k.name, 'language', k.language,
        'emails', ${points(sql`'email'`)}, 'phones', ${points(sql`'phone'`)}, 'labels', k.labels,
        'attributes', k.attributes) as contact,
      a.tools, a.guardrails,
      case when t.id is not null then json_build_object('id', t.id, 'version', t.version, 'description', t.description,
        'parameters', t.parameters, 'effect', t.effect, 'url', t.url, 'idempotent', t.idempotent,
        'statusUrl', t.status_url, 'timeoutSeconds', t.timeout_seconds, 'expiresAfterHours', t.expires_after_hours)
      end as tool,
      t.sealed,
      (
        select coalesce(json_agg(json_build_object('id', e.id, 'version', e.version) order by e.id), '[]')
        from policy_tool o join policy_entry e on e.tenant_id = ${TENANT} and e.id = o.entry_id
        where o.tenant_id = ${TENANT} and o.workspace_id = c.workspace_id and o.tool in (${tool}, '*')
          and (e.valid_until is null or e.valid_until > now())
      ) as policies,
      case when c.handling_mode = 'human' then 'A person handles the conversation'
        when not (${mayGoOn(agentId)}) then 'The assistant is off or paused, or the conversation is resolved'
        else (
          select case when r.outcome is not null then 'The run is over'
            when r.sequence < c.last_turn then 'Something was said after the message'
            when r.attempts <> ${attempts}::int then 'Another process carries it on'
          end
          from assistant_run r where r.tenant_id = ${TENANT} and r.id = ${runId}::uuid
        )
      end as off,
      case when w.status <> 'active' then 'The workspace is ' || w.status
        when not w.assistant_enabled then 'The assistant is off in the workspace'
      end as "workspaceOff"
    from conversation c
      join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
      join contact k on k.tenant_id = ${TENANT} and k.id = c.contact_id
      join agent a on a.tenant_id = ${TENANT} and a.id = ${agentId}
      left join tool t on t.tenant_id = ${TENANT} and t.workspace_id = c.workspace_id and t.name = ${tool}
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}`,
);

/** `mayAnswer`, about the conversation `c`. */
function mayGoOn(agentId: Parameter): Sql {
  return sql`exists (
          select from conversation t where t.tenant_id = ${TENANT} and t.id = c.id and ${mayAnswer(agentId)}
        )`;
}

/** The tools of the workspace that the agent lists, by name. */
export const LIST_OFFERED = query<
  { conversationId: string; agentId: string },
  {
    tools: string[];
    own: { name: string; description: string; parameters: Schema; effect: ToolEffect; publicFields: string[] }[];
  }
>()(
  "toolCalls.offered",
  OF_RUN,
  ({ conversationId, agentId }) => sql`
    select a.tools, (
        select coalesce(json_agg(json_build_object('name', t.name, 'description', t.description,
          'parameters', t.parameters, 'effect', t.effect, 'publicFields', t.public_fields) order by t.name), '[]')
        from tool t where t.tenant_id = ${TENANT} and t.workspace_id = c.workspace_id and t.name = any(a.tools)
      ) as own
    from conversation c join agent a on a.tenant_id = ${TENANT} and a.id = ${agentId}
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}`,
);

interface CallArgs {
  id: string;
  conversationId: string;
  runId: string;
  tool: string;
  arguments: string;
  hash: string;
  effect: ToolEffect;
}
/** When the last message before the context was written. */
export function contextBegan(conversationId: Parameter): Sql {
  return sql`coalesce((
      select g.created_at from conversation c join message g on g.tenant_id = ${TENANT} and g.conversation_id = c.id
        and g.sequence = c.context_from
      where c.tenant_id = ${TENANT} and c.id = ${conversationId}
    ), '-infinity'::timestamptz)`;
}

/**
 * Notes that a call is about to be made. No row: the run has made this call already, and it changes something. A look at something
 * may be repeated, by a process that carries on the run of one that died, too: each is a row of its own.
 */
export const BEGIN_CALL = query<CallArgs>()(
  "toolCalls.begin",
  OF_RUN,
  ({ id, conversationId, runId, tool, arguments: values, hash, effect }) => sql`
    insert into tool_call (tenant_id, id, conversation_id, run_id, tool, arguments, arguments_hash, effect, called)
    values (${TENANT}, ${id}, ${conversationId}, ${runId}, ${tool}, ${values}::jsonb, ${hash}, ${effect}, true)
    on conflict (tenant_id, run_id, arguments_hash) where called and effect = 'write' do nothing
    returning id`,
);

/** A call of this run that changes something. */
export const FIND_CALL = query<{ runId: string; hash: string }, { id: string; outcome: object | null }>()(
  "toolCalls.find",
  OF_RUN,
  ({ runId, hash }) => sql`
    select l.id, l.outcome from tool_call l
    where l.tenant_id = ${TENANT} and l.run_id = ${runId} and l.arguments_hash = ${hash} and l.called
      and l.effect = 'write'`,
);

/** @returns whether it had not ended before */
export const endCall = async (tx: Tx, id: string, outcome: ToolOutcome): Promise<boolean> => {
  const ended = { outcome, endedAt: () => "clock_timestamp()" };
  return (await tx.update(ToolCallEntity, { id, outcome: IsNull() }, ended)) > 0;
};

/** Notes that a call was refused. Gives a row if the tool was refused to this run before. */
export const REFUSE_CALL = query<CallArgs & { outcome: string }>()(
  "toolCalls.refuse",
  OF_RUN,
  ({ id, conversationId, runId, tool, arguments: values, hash, effect, outcome }) => sql`
    with added as (
      insert into tool_call (tenant_id, id, conversation_id, run_id, tool, arguments, arguments_hash, effect, called,
        outcome, ended_at)
      values (${TENANT}, ${id}, ${conversationId}, ${runId}, ${tool}, ${values}::jsonb, ${hash}, ${effect}, false,
        ${outcome}::jsonb, clock_timestamp())
    )
    select true as again from tool_call l
    where l.tenant_id = ${TENANT} and l.run_id = ${runId} and l.tool = ${tool} and not l.called limit 1`,
);

interface Made {
  runId: string;
  tool: string;
  arguments: unknown;
  /** Null if nobody knows what came of it. */
  outcome: object | null;
  /** Of the action that waits, or waited, for a person. */
  actionId: string | null;
  status: string | null;
  result: object | null;
}
/** The calls and actions since the conversation's last resolution, oldest first. */
export const LIST_MADE = query<{ conversationId: string; max: number }, Made>()(
  "toolCalls.made",
  OF_RUN,
  ({ conversationId, max }) => sql`
    select m."runId", m.tool, m.arguments, m.outcome, m."actionId", m.status, m.result from (
      select l.created_at as at, l.id, l.run_id as "runId", l.tool, l.arguments, l.outcome, null::uuid as "actionId",
        null as status, null::jsonb as result
      from tool_call l where l.tenant_id = ${TENANT} and l.conversation_id = ${conversationId}
      union all
      select p.created_at, p.id, p.run_id, p.tool, p.arguments, null, p.id, p.status, p.result
      from pending_action p where p.tenant_id = ${TENANT} and p.conversation_id = ${conversationId}
      order by at desc, id desc limit ${max}
    ) m
    where m.at > ${contextBegan(conversationId)} and m.tool <> 'ask_verification'
    order by m.at, m.id`,
);

interface ActionArgs extends Omit<CallArgs, "effect"> {
  agentId: string;
  tainted: boolean;
  /** A procedure rests on all that was said since this message. */
  since: number | null;
  guardrail: string;
  level: string | null;
  policyEntryIds: readonly string[];
  expiresAfterHours: number;
}
/** Those who requested the run `r`, and who brought in what a procedure rests on, whatever the contact has added themselves. */
const requestedBy = (since: Parameter): Sql => sql`r.requested_by || array(
          select m.brought_by from message m
          where m.tenant_id = ${TENANT} and m.conversation_id = r.conversation_id and m.sequence between ${since}::int and r.sequence
            and m.direction = 'inbound' and m.brought_by is not null
        )`;

/**
 * Asks people about a call, unless the same one waits already in the conversation: then this run is the one that waits for it, because
 * an older one is superseded. Whoever requested it first may still not approve it. While it waits for a person, it says what was
 * decided now. The conversation is locked.
 * @returns the action that waits, and whether it is new
 */
export const ASK_FOR_APPROVAL = query<ActionArgs>()(
  "toolCalls.askForApproval",
  OF_RUN,
  (p) => sql`
    with waiting as (
      select a.id from pending_action a
      where a.tenant_id = ${TENANT} and a.conversation_id = ${p.conversationId} and a.tool = ${p.tool}
        and a.arguments = ${p.arguments}::jsonb and a.status in ('pending', 'approved')
      limit 1
    ), taken as (
      update pending_action a set run_id = r.id, requested_by = array(select distinct unnest(a.requested_by || ${requestedBy(p.since)})),
        arguments_hash = case when a.status = 'pending' then ${p.hash} else a.arguments_hash end,
        guardrail = case when a.status = 'pending' then ${p.guardrail} else a.guardrail end,
        required_assurance_level = case when a.status = 'pending' then ${p.level} else a.required_assurance_level end,
        policy_entry_ids = case when a.status = 'pending' then ${p.policyEntryIds}::uuid[] else a.policy_entry_ids end,
        updated_at = clock_timestamp()
      from waiting w, assistant_run r
      where a.tenant_id = ${TENANT} and a.id = w.id and r.tenant_id = ${TENANT} and r.id = ${p.runId}
    ), added as (
      insert into pending_action (tenant_id, id, workspace_id, conversation_id, agent_id, run_id, requested_by, tool,
        arguments, arguments_hash, tainted, guardrail, policy_entry_ids, required_assurance_level, expires_at, created_at, updated_at)
      select c.tenant_id, ${p.id}::uuid, c.workspace_id, c.id, ${p.agentId}, r.id,
        array(select distinct unnest(${requestedBy(p.since)})), ${p.tool},
        ${p.arguments}::jsonb, ${p.hash}, ${p.tainted}, ${p.guardrail},
        ${p.policyEntryIds}::uuid[], ${p.level},
        now.at + make_interval(hours => ${p.expiresAfterHours}::int), now.at, now.at
      from conversation c
        join assistant_run r on r.tenant_id = ${TENANT} and r.id = ${p.runId}
        cross join (select clock_timestamp() as at) now
      where c.tenant_id = ${TENANT} and c.id = ${p.conversationId} and not exists (select from waiting)
      returning id, conversation_id, expires_at, created_at
    ), due as (
      insert into pending_action_due (tenant_id, action_id, due_at) select ${TENANT}, a.id, a.expires_at from added a
    ), counted as (
      update conversation c set pending_action_count = c.pending_action_count + 1, last_activity_at = a.created_at,
        updated_at = a.created_at
      from added a where c.tenant_id = ${TENANT} and c.id = a.conversation_id
    )
    select id, true as added from added union all select id, false from waiting`,
);
