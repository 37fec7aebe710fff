import { ConflictException, ForbiddenException } from "@nestjs/common";
import type { Tx } from "../platform/database/transaction.js";
import { notFound } from "../platform/http/errors.js";
import { openBreaker } from "../platform/outcomes/tripped-breakers.js";

/** Held to the end of the transaction: whoever pauses the agent or turns the assistant off waits, or was first and is seen. The conversation is held by its new message. */
const HOLD = `select a.status = 'paused' as paused, a.kind, not (w.assistant_enabled and w.status = 'active') as off, c.handling_mode = 'human' as taken, c.workspace_id as "workspaceId"
  from conversation c join workspace w on w.tenant_id = c.tenant_id and w.id = c.workspace_id join agent a on a.tenant_id = c.tenant_id and a.id = :agentId
  where c.tenant_id = :tenant and c.id = :conversationId for share of a, w`;
/** A statement of its own: it sees what was done by those who were waited for. */
const PLACE = `select exists (select from agent_workspace p where p.tenant_id = :tenant and p.agent_id = :agentId::uuid and p.workspace_id = :workspaceId::uuid) as works,
  exists (select from circuit_breaker b where ${openBreaker("agent", ":agentId::uuid::text", "pause_assistant")} and b.workspace_id = :workspaceId::uuid) as stopped`;

interface Held {
  paused: boolean;
  kind: string;
  off: boolean;
  taken: boolean;
  workspaceId: string;
}

/**
 * In the transaction that has just written the agent's answer, which is undone where the agent may not give it.
 * @throws ForbiddenException (a member is no agent), NotFoundException (it does not work in the workspace), ConflictException (it is paused, the assistant is off, or people have the conversation in hand)
 */
export async function assertAnswering(tx: Tx, conversationId: string, agentId: string): Promise<void> {
  if (tx.caller.kind !== "apiKey") throw new ForbiddenException("Only an API key answers as an agent (agentId)");
  const [held] = await tx.query<Held>(HOLD, { conversationId, agentId });
  if (!held) throw notFound();
  const { paused, kind, off, taken, workspaceId } = held;
  const [place] = await tx.query<{ works: boolean; stopped: boolean }>(PLACE, { agentId, workspaceId });
  if (kind !== "platform" && !place!.works) throw notFound();
  if (paused) throw new ConflictException("The agent is paused");
  if (place!.stopped)
    throw new ConflictException("The agent is paused in this workspace by a circuit breaker, until that is resolved");
  if (off) throw new ConflictException("The assistant is turned off in this workspace");
  if (taken)
    throw new ConflictException(
      "People have this conversation in hand: the assistant is paused in it until it is released",
    );
}
