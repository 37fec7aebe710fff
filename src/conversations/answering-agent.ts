import { ConflictException, ForbiddenException } from "@nestjs/common";
import { identifier, type Parameter, type Sql, sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";
import { assistantMayAct } from "./lifecycle/lifecycle.queries.js";
import type { Tx } from "../platform/database/transaction.js";
import { coded } from "../platform/http/error-codes.js";
import { notFound } from "../platform/http/errors.js";
import { openBreaker } from "../platform/outcomes/tripped-breakers.js";

interface Answering {
  agentPaused: boolean;
  agentKind: string;
  assistantOff: boolean;
  handledByPeople: boolean;
  workspaceId: string;
}
/**
 * Locks the agent and the workspace until the transaction ends. So pausing the agent or turning the assistant off
 * happens either before this answer, which then sees it, or after it. The new message locks the conversation.
 */
const LOCK_AGENT = query<{ conversationId: string; agentId: string }, Answering>()(
  "conversations.lockAnsweringAgent",
  "checked",
  ({ conversationId, agentId }) => sql`
    select a.status = 'paused' as "agentPaused", a.kind as "agentKind",
      not (w.assistant_enabled and w.status = 'active') as "assistantOff",
      c.handling_mode = 'human' as "handledByPeople", c.workspace_id as "workspaceId"
    from conversation c
      join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
      join agent a on a.tenant_id = ${TENANT} and a.id = ${agentId}
    where c.tenant_id = ${TENANT} and c.id = ${conversationId}
    for share of a, w`,
);

/** A separate statement, so that it sees what was committed while the first one waited for its locks. */
const FIND_ASSIGNMENT = query<{ agentId: string; workspaceId: string }>()(
  "conversations.agentAssignment",
  "checked",
  ({ agentId, workspaceId }) => sql`
    select exists (
        select from agent_workspace p
        where p.tenant_id = ${TENANT} and p.agent_id = ${agentId}::uuid and p.workspace_id = ${workspaceId}::uuid
      ) as assigned,
      exists (
        select from circuit_breaker b
        where ${openBreaker("agent", sql`${agentId}::uuid::text`, "pause_assistant")}
          and b.workspace_id = ${workspaceId}::uuid
      ) as stopped`,
);

/**
 * The agent may answer in the conversation `t`. For a transaction that locked the conversation in an earlier statement: this
 * one then sees everything that was committed before the lock.
 */
export const mayAnswer = (agentId: Parameter): Sql => sql`exists (
      select from conversation c
        join workspace w on w.tenant_id = ${TENANT} and w.id = c.workspace_id
        join agent a on a.tenant_id = ${TENANT} and a.id = ${agentId}
      where c.tenant_id = ${TENANT} and c.id = t.id and ${assistantMayAct("c")}
        and ${isOn("w")} and a.status = 'active' and ${worksIn("a", "w")}
    )`;

/** The assistant is on in the workspace of this alias. */
export const isOn = (workspace: string): Sql => {
  const w = identifier(workspace);
  return sql`${w}.assistant_enabled and ${w}.status = 'active'`;
};

/** The agent is there for the workspace, and no circuit breaker has paused it in it. */
export const worksIn = (agent: string, workspace: string): Sql => {
  const [a, w] = [identifier(agent), identifier(workspace)];
  return sql`(${a}.kind = 'platform' or exists (
          select from agent_workspace p
          where p.tenant_id = ${TENANT} and p.agent_id = ${a}.id and p.workspace_id = ${w}.id
        )) and not exists (
          select from circuit_breaker b
          where ${openBreaker("agent", sql`${a}.id::text`, "pause_assistant")} and b.workspace_id = ${w}.id
        )`;
};

/**
 * Runs in the transaction that has just written the agent's answer. If the agent must not answer here, it throws, so
 * the answer is rolled back.
 * @throws ForbiddenException (a member is not an agent), NotFoundException (the agent is not assigned to the
 * workspace), ConflictException (the agent is paused, the assistant is off, or people handle the conversation)
 */
export async function assertAnswering(tx: Tx, conversationId: string, agentId: string): Promise<void> {
  if (tx.caller.kind !== "apiKey") throw coded(new ForbiddenException(), "keys-only", "agentId takes an API key");
  const [locked] = await tx.query(LOCK_AGENT, { conversationId, agentId });
  if (!locked) throw notFound();
  const [assignment] = await tx.query(FIND_ASSIGNMENT, { agentId, workspaceId: locked.workspaceId });
  if (locked.agentKind !== "platform" && !assignment!.assigned) throw notFound();
  if (locked.agentPaused) throw new ConflictException("The agent is paused");
  if (assignment!.stopped)
    throw new ConflictException("The agent is paused in this workspace by a circuit breaker, until that is resolved");
  if (locked.assistantOff) throw new ConflictException("The assistant is turned off in this workspace");
  if (locked.handledByPeople)
    throw new ConflictException("People handle this conversation: the assistant is paused in it until it is released");
}
