import { sql, TENANT } from "../../platform/database/sql.js";
import {
  list,
  one,
  page,
  polled,
  projection,
  query,
  REACHABLE,
  time,
  versionOrEnd,
} from "../../platform/database/statements.js";
import { openBreaker } from "../../platform/outcomes/tripped-breakers.js";
import { IS_UNRESTRICTED } from "../../contacts/contact-reach.js";
import type { Guardrail } from "./agent.entity.js";
import type { AgentDto, InstructionVersionDto } from "./agents.dto.js";

/** The agent `r` works in the workspace `w`. */
const WORKS_IN = sql`exists (
      select from agent_workspace a
      where a.tenant_id = ${TENANT} and a.agent_id = r.id and a.workspace_id = w.id
    )`;
/**
 * An agent `r` is visible to callers that reach a workspace in which it works. An agent that works nowhere is visible to
 * callers that reach the whole tenant.
 */
export const IS_VISIBLE = sql`(
    exists (select from workspace w where ${REACHABLE} and (r.kind = 'platform' or ${WORKS_IN})) or ${IS_UNRESTRICTED}
  )`;

export const AGENT = projection<AgentDto>({
  id: sql`r.id`,
  kind: sql`r.kind`,
  name: sql`r.name`,
  role: sql`r.role`,
  status: sql`r.status`,
  workspaceIds: sql`array(select w.id from workspace w where ${REACHABLE} and ${WORKS_IN} order by w.id)`,
  pausedIn: sql`array(
    select distinct b.workspace_id
    from circuit_breaker b join workspace w on w.id = b.workspace_id and ${REACHABLE}
    where ${openBreaker("agent", sql`r.id::text`, "pause_assistant")}
    order by b.workspace_id
  )`,
  instructions: sql`r.instructions`,
  instructionsVersion: sql`r.instructions_version`,
  tools: sql`r.tools`,
  guardrails: sql`r.guardrails`,
  unsupportedSentences: sql`r.unsupported_sentences`,
  wording: sql`r.wording`,
});

export const GET_AGENT = polled(
  one<AgentDto, { id: string }>(
    "agents.get",
    "restricted",
    ({ id }) => sql`select ${AGENT} from agent r where r.tenant_id = ${TENANT} and r.id = ${id} and ${IS_VISIBLE}`,
  ),
);
export const LIST_AGENTS = polled(
  list<AgentDto>(
    "agents.list",
    "restricted",
    () => sql`
      select ${AGENT} from agent r where r.tenant_id = ${TENANT} and ${IS_VISIBLE}
      order by r.kind = 'platform' desc, r.created_at, r.id`,
  ),
);
export const LIST_INSTRUCTIONS = polled(
  page<InstructionVersionDto, { id: string }>("agents.instructions", "restricted", ({ id, limit, after0 }) => ({
    rows: sql`
      select i.* from agent_instructions i
      where i.tenant_id = ${TENANT} and i.agent_id = ${id} and i.version < ${versionOrEnd(after0)}
      order by i.version desc limit ${limit} + 1`,
    position: [sql`r.version`],
    item: projection<InstructionVersionDto>({
      version: sql`r.version`,
      instructions: sql`r.instructions`,
      changedBy: sql`r.changed_by`,
      reason: sql`r.reason`,
      createdAt: time(sql`r.created_at`),
    }),
    visible: sql`exists (select from agent r where r.tenant_id = ${TENANT} and r.id = ${id} and ${IS_VISIBLE})`,
  })),
);

export interface AgentState {
  kind: string;
  tools: string[];
  guardrails: Guardrail[];
  instructions: string;
  instructionsVersion: number;
  /** The agent also works in a workspace that the caller has no access to. */
  beyondReach: boolean;
}
export const FIND_STATE = query<{ id: string }, AgentState>()(
  "agents.state",
  "restricted",
  ({ id }) => sql`
    select r.kind, r.tools, r.guardrails, r.instructions, r.instructions_version as "instructionsVersion", exists (
        select from agent_workspace a
          join workspace v on v.tenant_id = a.tenant_id and v.id = a.workspace_id and v.deleted_at is null
        where a.tenant_id = ${TENANT} and a.agent_id = r.id
          and not exists (select from workspace w where w.id = v.id and ${REACHABLE})
      ) as "beyondReach"
    from agent r where r.tenant_id = ${TENANT} and r.id = ${id} and ${IS_VISIBLE}`,
);

/** Assigns the agent to those of the workspaces that the caller has access to, and counts them. */
export const ASSIGN = query<{ id: string; workspaceIds: readonly string[] }>()(
  "agents.assign",
  "restricted",
  ({ id, workspaceIds }) => sql`
    with reached as (
      select w.tenant_id, w.id from workspace w where w.id = any(${workspaceIds}::uuid[]) and ${REACHABLE}
    ), assigned as (
      insert into agent_workspace (tenant_id, agent_id, workspace_id)
      select tenant_id, ${id}::uuid, id from reached
      on conflict do nothing
    )
    select count(*)::int as reached from reached`,
);
