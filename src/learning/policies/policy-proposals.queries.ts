import { sql, TENANT } from "../../platform/database/sql.js";
import { query } from "../../platform/database/statements.js";
import { ORIGIN } from "../learning.queries.js";
import type { Decision } from "./policy-proposal.js";

const OF_DECISION = { unrestricted: "it is about the workspace of an action that the caller has decided about" };

interface About {
  workspaceId: string;
  tool: string;
}

/** The tool, and the arguments that it has a proposal for. No row: the tool is a built-in one. */
export const GET_TOOL = query<
  About,
  { parameters: { properties?: Record<string, Record<string, unknown>> }; proposed: string[] }
>()(
  "policyProposals.tool",
  OF_DECISION,
  ({ workspaceId, tool }) => sql`
    select t.parameters, array(
        select e.learned_from from policy_entry e
        where e.tenant_id = ${TENANT} and e.workspace_id = ${workspaceId} and e.learned_from is not null
      ) as proposed
    from tool t where t.tenant_id = ${TENANT} and t.workspace_id = ${workspaceId} and t.name = ${tool}`,
);

/** One decision is looked at at a time in a workspace, so that of two at once the second sees the first. */
export const TAKE_TURN = query<{ workspaceId: string }>()(
  "policyProposals.takeTurn",
  { unrestricted: "it takes an advisory lock and reads no rows" },
  ({ workspaceId }) =>
    sql`select pg_advisory_xact_lock(hashtextextended('policies ' || ${TENANT}::text || ' ' || ${workspaceId}::text, 0))`,
);

/** The newest decisions that are looked at. */
const MAX_DECISIONS = 1_000;
/** What was decided about the tool since it was changed last, newest first. What failed or expired says nothing. */
export const LIST_DECISIONS = query<About & { names: readonly string[] }, Decision>()(
  "policyProposals.decisions",
  OF_DECISION,
  ({ workspaceId, tool, names }) => sql`
    select a.conversation_id as "conversationId", c.contact_id as "contactId",
      ${ORIGIN} as origin, r.message_id as "messageId",
      a.status <> 'rejected' as approved, a.tainted,
      exists (
        select from member m
        where m.organisation_id = (select o.organisation_id from tenant o where o.id = ${TENANT}) and m.id = a.decided_by
      ) as "byPerson",
      (
        select coalesce(json_object_agg(e.key, e.value), '{}') from jsonb_each(a.arguments) e
        where e.key = any(${names}::text[]) and jsonb_typeof(e.value) = 'number'
      ) as values
    from pending_action a
      join tool t on t.tenant_id = ${TENANT} and t.workspace_id = a.workspace_id and t.name = a.tool
      join conversation c on c.tenant_id = ${TENANT} and c.id = a.conversation_id
      left join learning_origin o on o.tenant_id = ${TENANT} and o.conversation_id = a.conversation_id
      left join assistant_run r on r.tenant_id = ${TENANT} and r.id = a.run_id
    where a.tenant_id = ${TENANT} and a.workspace_id = ${workspaceId} and a.tool = ${tool}
      and a.status in ('approved', 'executed', 'rejected') and a.created_at >= t.updated_at
    order by a.decided_at desc, a.id desc limit ${MAX_DECISIONS}`,
);

/**
 * Locks conversations, as an erasure does before it removes evidence. One that is locked already is left out: whoever holds it
 * may wait for this transaction.
 */
export const HOLD_EVIDENCE = query<{ ids: readonly string[] }>()(
  "policyProposals.hold",
  OF_DECISION,
  ({ ids }) => sql`
    select c.id from conversation c
    where c.tenant_id = ${TENANT} and c.id = any(${ids}::uuid[]) and c.redacted_at is null
    order by c.id for share skip locked`,
);

/** No row: there was a proposal about it already, whatever became of it. `evidence` and `conditions` are JSON. */
export const PROPOSE = query<
  About & {
    id: string;
    learnedFrom: string;
    title: string;
    rule: string;
    conditions: string;
    priority: number;
    confidence: number;
    evidence: string;
  }
>()(
  "policyProposals.propose",
  OF_DECISION,
  (p) => sql`
    insert into policy_entry (tenant_id, id, workspace_id, status, source, confidence, evidence, title, rule, effect, tools,
      conditions, priority, learned_from)
    values (${TENANT}, ${p.id}, ${p.workspaceId}, 'pending', 'learning', ${p.confidence}::float8, ${p.evidence}::jsonb,
      ${p.title}, ${p.rule}, 'allow', array[${p.tool}::text], ${p.conditions}::jsonb, ${p.priority}::int, ${p.learnedFrom})
    on conflict (tenant_id, workspace_id, learned_from) where learned_from is not null do nothing
    returning id`,
);
