import { conversationChange } from "../../conversations/conversation-change.js";
import { assistantMayAct, become, hasEffect } from "../../conversations/lifecycle/lifecycle.queries.js";
import { QUESTION, summarised } from "../../conversations/summary.js";
import { type Sql, joined, type Parameter, type Parameters, sql, TENANT } from "../../platform/database/sql.js";
import {
  globalQuery,
  inReach,
  isConversationInReach,
  namesUsed,
  one,
  page,
  type PageArgs,
  type PageRead,
  polled,
  projection,
  query,
  REACHABLE,
  statementFamily,
  time,
} from "../../platform/database/statements.js";
import type { DueRow } from "../../platform/jobs/due-queue.js";
import { dueInTurn, lagOf, type Room } from "../../platform/jobs/due-rows.js";
import type { PendingActionStatus } from "../tools/tool.entity.js";
import type { PendingActionDto } from "./pending-actions.dto.js";

const JOB = { unrestricted: "only the job runs it, about an action that it has claimed" };

/** A pending action `r`. */
export const PENDING_ACTION = projection<PendingActionDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  conversationId: sql`r.conversation_id`,
  agentId: sql`r.agent_id`,
  tool: sql`r.tool`,
  arguments: sql`r.arguments`,
  argumentsHash: sql`r.arguments_hash`,
  guardrail: sql`r.guardrail`,
  policyEntryIds: sql`r.policy_entry_ids`,
  messageId: sql`(select g.message_id from assistant_run g where g.tenant_id = ${TENANT} and g.id = r.run_id)`,
  requiredAssuranceLevel: sql`r.required_assurance_level`,
  status: sql`r.status`,
  expiresAt: time(sql`r.expires_at`),
  decidedBy: sql`r.decided_by`,
  decidedAt: time(sql`r.decided_at`),
  reason: sql`r.reason`,
  result: sql`r.result`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

export const GET_PENDING_ACTION = polled(
  one<PendingActionDto, { id: string }>(
    "pendingActions.get",
    "restricted",
    ({ id }) => sql`
      select ${PENDING_ACTION} from pending_action r where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
  ),
);

interface Filters {
  workspaceId?: string;
  conversationId?: string;
  status?: string;
}
type Filter = keyof Filters;
const CONDITIONS: Record<Filter, (p: Parameters<Filters & PageArgs>) => Sql> = {
  workspaceId: (p) => sql`i.workspace_id = ${p.workspaceId}`,
  conversationId: (p) => sql`i.conversation_id = ${p.conversationId}`,
  status: (p) => sql`i.status = ${p.status}`,
};

/** Newest first. A text for each set of filters, so that each walks its own index. */
export const listStatement = (filters: Filters, continued: boolean): PageRead<Filters, PendingActionDto> =>
  LISTS(namesUsed(CONDITIONS, filters), continued);

const LISTS = statementFamily("pendingActions.list", (name, filters: readonly Filter[], continued: boolean) =>
  polled(
    page<PendingActionDto, Filters>(name, "restricted", (p) => {
      const conditions = joined(
        filters.map((filter) => sql` and ${CONDITIONS[filter](p)}`),
        "",
      );
      const after = continued ? sql` and (i.created_at, i.id) < (${p.after0}::timestamptz, ${p.after1}::uuid)` : sql``;
      const order = sql`order by i.created_at desc, i.id desc limit ${p.limit} + 1`;
      return {
        list: "pending-actions",
        rows: sql`
        select i.* from workspace w cross join lateral (
          select i.* from pending_action i
          where i.tenant_id = w.tenant_id and i.workspace_id = w.id${conditions}${after} ${order}
        ) i
        where ${REACHABLE} ${order}`,
        position: [sql`r.created_at`, sql`r.id`],
        item: PENDING_ACTION,
        ...(filters.includes("workspaceId") && {
          visible: sql`exists (select from workspace w where w.id = ${p.workspaceId} and ${REACHABLE})`,
        }),
      };
    }),
  ),
);

export const LIST_OF_CONVERSATION = polled(
  page<PendingActionDto, { conversationId: string }>(
    "pendingActions.ofConversation",
    "restricted",
    ({ conversationId, limit, after0, after1 }) => ({
      rows: sql`
      select i.* from pending_action i
      where i.tenant_id = ${TENANT} and i.conversation_id = ${conversationId}
        and (i.created_at, i.id) < (
          case when ${after0}::timestamptz is null then 'infinity' else ${after0}::timestamptz end, ${after1}::uuid)
      order by i.created_at desc, i.id desc limit ${limit} + 1`,
      position: [sql`r.created_at`, sql`r.id`],
      item: PENDING_ACTION,
      visible: isConversationInReach(conversationId),
    }),
  ),
);

/** An action, as it is decided about and carried out. */
export interface Action {
  id: string;
  workspaceId: string;
  conversationId: string;
  agentId: string;
  runId: string;
  tool: string;
  arguments: Record<string, unknown>;
  argumentsHash: string;
  tainted: boolean;
  status: PendingActionStatus;
  expired: boolean;
  started: boolean;
}
const ACTION = sql`a.id, a.workspace_id as "workspaceId", a.conversation_id as "conversationId", a.agent_id as "agentId",
      a.run_id as "runId", a.tool, a.arguments, a.arguments_hash as "argumentsHash",
      a.tainted, a.status, a.expires_at <= clock_timestamp() as expired, a.started_at is not null as started`;

export const FIND_ACTION = query<{ id: string }, Action>()(
  "pendingActions.find",
  "restricted",
  ({ id }) => sql`
    select ${ACTION} from pending_action a where a.tenant_id = ${TENANT} and a.id = ${id} and ${inReach("a")}`,
);

/** The conversation counts what waits for a person. */
const counted = (decided: Sql): Sql => sql`counted as (
      update conversation c set pending_action_count = c.pending_action_count - 1, last_activity_at = d.updated_at,
        updated_at = d.updated_at
      from ${decided} d where c.tenant_id = ${TENANT} and c.id = d.conversation_id
    )`;

/** These keys and members, the other keys that rotations made of the same ones, and the members who made any of them. */
const standBehind = (ids: Sql | Parameter): Sql => sql`
      select r.id from unnest(${ids}::uuid[]) r (id)
      union
      select p.id from api_key k
        join api_key s on s.tenant_id = ${TENANT} and coalesce(s.lineage_id, s.id) = coalesce(k.lineage_id, k.id)
        cross join lateral unnest(array[s.id, s.created_by]) p (id)
      where k.tenant_id = ${TENANT} and k.id = any(${ids}::uuid[]) and p.id is not null`;

/** Somebody stands behind the request of the action `a` as well as behind the caller `by`. */
const isRequestedBy = (by: Parameter): Sql => sql`exists ((${standBehind(sql`a.requested_by`)}
      ) intersect (${standBehind(sql`array[${by}]`)}
      ))`;

export const IS_REQUESTED_BY = query<{ id: string; by: string }>()(
  "pendingActions.isRequestedBy",
  "checked",
  ({ id, by }) => sql`
    select 1 from pending_action a where a.tenant_id = ${TENANT} and a.id = ${id} and ${isRequestedBy(by)}`,
);

/**
 * Approves an action: it waits, has not expired, is what the approver has seen, and was requested by somebody else. All in the
 * one condition, so that of two decisions one counts. The conversation is locked.
 */
export const APPROVE = query<{ id: string; hash: string; by: string }>()(
  "pendingActions.approve",
  "checked",
  ({ id, hash, by }) => sql`
    with decided as (
      update pending_action a set status = 'approved', decided_by = ${by}::uuid, decided_at = clock_timestamp(),
        updated_at = clock_timestamp()
      where a.tenant_id = ${TENANT} and a.id = ${id} and a.status = 'pending' and a.expires_at > clock_timestamp()
        and a.arguments_hash = ${hash} and not ${isRequestedBy(by)}
      returning a.id, a.conversation_id, a.updated_at
    ), due as (
      update pending_action_due u set due_at = clock_timestamp() from decided d
      where u.tenant_id = ${TENANT} and u.action_id = d.id
    ), ${counted(sql`decided`)}
    select 1 from decided`,
);

/** Ends what waits for a person: they rejected it, or nobody came in time. The conversation is locked. */
export const CLOSE = query<{ id: string; status: "rejected" | "expired"; by: string | null; reason: string | null }>()(
  "pendingActions.close",
  "checked",
  ({ id, status, by, reason }) => sql`
    with decided as (
      update pending_action a set status = ${status}, decided_by = ${by}::uuid, decided_at = clock_timestamp(),
        reason = ${reason}, updated_at = clock_timestamp()
      where a.tenant_id = ${TENANT} and a.id = ${id} and a.status = 'pending'
        and (a.expires_at > clock_timestamp()) = (${status}::text = 'rejected')
      returning a.id, a.conversation_id, a.updated_at
    ), done as (
      delete from pending_action_due u using decided d where u.tenant_id = ${TENANT} and u.action_id = d.id
    ), ${counted(sql`decided`)}
    select 1 from decided`,
);

/** Nothing in the conversation waits for an approval any more. */
export const SETTLE_ATTENTION = query<{ conversationId: string; by: string | null }>()(
  "pendingActions.settleAttention",
  "checked",
  ({ conversationId, by }) => sql`
    with resolved as (
      update attention_item i set status = 'resolved', resolved_by = ${by}::uuid, resolved_at = clock_timestamp()
      where i.tenant_id = ${TENANT} and i.conversation_id = ${conversationId} and i.type = 'approval_required'
        and i.status = 'open' and not exists (
          select from pending_action a
          where a.tenant_id = ${TENANT} and a.conversation_id = ${conversationId} and a.status = 'pending'
        )
      returning i.conversation_id
    )
    update conversation c set open_attention_count = c.open_attention_count - 1
    from resolved r where c.tenant_id = ${TENANT} and c.id = r.conversation_id`,
);

/** Claims actions that have expired or were approved. Whoever works on one has finished, or died, before the lease ends. */
export const CLAIM = globalQuery<Room & { leaseSeconds: number }, DueRow>()(
  "pendingActions.claim",
  "everywhere",
  (room) => sql`
    update pending_action_due d set due_at = clock_timestamp() + make_interval(secs => ${room.leaseSeconds}::int)
    from tenant t
    where t.id = d.tenant_id and (d.tenant_id, d.action_id) in (
      ${dueInTurn({ table: sql`pending_action_due`, id: sql`action_id` }, room)})
    returning d.tenant_id as "tenantId", d.action_id as id, t.environment`,
);
export const LAG = lagOf("pendingActions", sql`pending_action_due`);

/** @param result JSON: `PendingActionResultDto`. @returns the run that waits for it by now */
export const FINISH = query<{ id: string; status: "executed" | "failed"; result: string }>()(
  "pendingActions.finish",
  JOB,
  ({ id, status, result }) => sql`
    with finished as (
      update pending_action a set status = ${status}, result = ${result}::jsonb, updated_at = clock_timestamp()
      where a.tenant_id = ${TENANT} and a.id = ${id} and a.status = 'approved'
      returning a.id, a.run_id
    ), done as (
      delete from pending_action_due u using finished f where u.tenant_id = ${TENANT} and u.action_id = f.id
    )
    select run_id as "runId" from finished`,
);

/** When the action expires; an action that is over is not due any more. */
export const POSTPONE = query<{ id: string }>()(
  "pendingActions.postpone",
  JOB,
  ({ id }) => sql`
    with over as (
      delete from pending_action_due u using pending_action a
      where u.tenant_id = ${TENANT} and u.action_id = ${id} and a.tenant_id = ${TENANT} and a.id = ${id}
        and a.status not in ('pending', 'approved')
    )
    update pending_action_due u set due_at = a.expires_at from pending_action a
    where u.tenant_id = ${TENANT} and u.action_id = ${id} and a.tenant_id = ${TENANT} and a.id = ${id}
      and a.status = 'pending'`,
);

/**
 * Lets the run that asked go on with what the tool answered, if nothing was said since and the assistant still handles the
 * conversation. A process that has not let it wait yet finds that it lost the run.
 */
export const RESUME_RUN = query<{ runId: string; chatSeconds: number; mailSeconds: number }>()(
  "pendingActions.resumeRun",
  JOB,
  ({ runId, chatSeconds, mailSeconds }) => sql`
    with resumed as (
      update assistant_run r set waits_for = null, attempts = r.attempts + 1, waits = r.attempts + 1
      from conversation c
      where r.tenant_id = ${TENANT} and r.id = ${runId} and r.outcome is null and c.tenant_id = ${TENANT} and c.id = r.conversation_id
        and ${assistantMayAct("c")} and c.last_turn <= r.sequence
      returning r.conversation_id, c.channel_type
    )
    insert into assistant_due as d (tenant_id, conversation_id, due_at, limit_seconds)
    select ${TENANT}, r.conversation_id, clock_timestamp(),
      case when r.channel_type in ('email', 'contact_form') then ${mailSeconds}::int else ${chatSeconds}::int end
    from resumed r
    on conflict (tenant_id, conversation_id) do update set due_at = excluded.due_at, claimed = false
    returning 1`,
);

/** Whether the conversation `t` is the assistant's still. */
const OURS = assistantMayAct("t");

/** The action was not done: the run that waits for it hands over. Comes before `HAND_OVER_ACTION`, which ends what waits. */
export const END_REFUSED = query<{ runId: string; reason: string }>()(
  "pendingActions.endRefused",
  "checked",
  ({ runId, reason }) => sql`
    update assistant_run r set waits_for = null, outcome = case when ${OURS} then 'handed_off' else 'discarded' end,
      reason = ${reason}, ended_at = clock_timestamp()
    from conversation t
    where r.tenant_id = ${TENANT} and r.id = ${runId} and r.outcome is null and r.waits_for = 'approval'
      and t.tenant_id = ${TENANT} and t.id = r.conversation_id`,
);

/** Gives the conversation to people, unless somebody has it already. */
export const HAND_OVER_ACTION = conversationChange<{ reason: string }>()("pendingActions.handOver", ({ reason }) => ({
  set: sql`${become("handOver", sql`t.at`, {})}, ${summarised(sql`concat_ws(E'\n', ${QUESTION}, ${reason}::text)`)}`,
  changes: hasEffect("handOver"),
}));

/** Deletes what was asked for in these conversations, and the calls that were made. */
export const ERASE_ACTIONS = query<{ conversationIds: readonly string[] }>()(
  "pendingActions.erase",
  { unrestricted: "only an erasure runs it" },
  ({ conversationIds }) => sql`
    with erased as (
      delete from pending_action a
      where a.tenant_id = ${TENANT} and a.conversation_id = any(${conversationIds}::uuid[])
    ), forgotten as (
      delete from tool_call l
      where l.tenant_id = ${TENANT} and l.conversation_id = any(${conversationIds}::uuid[])
    )
    update conversation c set pending_action_count = 0
    where c.tenant_id = ${TENANT} and c.id = any(${conversationIds}::uuid[]) and c.pending_action_count > 0`,
);
