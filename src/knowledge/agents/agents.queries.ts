import { list, one, polled, projection, REACHABLE, time, toNamed } from "../../platform/database/statement.js";
import { sql } from "../../platform/database/sql.js";
import { openBreaker } from "../../platform/outcomes/tripped-breakers.js";
import type { AgentDto, InstructionsVersionDto } from "./agents.dto.js";

const IN =
  "exists (select from agent_workspace a where a.tenant_id = r.tenant_id and a.agent_id = r.id and a.workspace_id = w.id)";
/** An agent `r` is seen by whoever reaches a workspace that it works in; one that works nowhere, by callers of the whole tenant. */
const SEEN = `(exists (select from workspace w where ${REACHABLE} and (r.kind = 'platform' or ${IN})) or (:brand::uuid is null and :workspaces::uuid[] is null))`;

const AGENT = projection<AgentDto>({
  id: "r.id",
  kind: "r.kind",
  name: "r.name",
  role: "r.role",
  status: "r.status",
  workspaceIds: `array(select w.id from workspace w where ${REACHABLE} and ${IN} order by w.id)`,
  pausedIn: `array(select distinct b.workspace_id from circuit_breaker b join workspace w on w.id = b.workspace_id and ${REACHABLE} where ${toNamed(openBreaker("agent", sql`r.id::text`, "pause_assistant"))} order by b.workspace_id)`,
  instructions: "r.instructions",
  instructionsVersion: "r.instructions_version",
  tools: "r.tools",
  guardrails: "r.guardrails",
});

export const GET_AGENT = polled(
  one<AgentDto, { id: string }>(
    "agents.get",
    "workspace",
    `select ${AGENT} from agent r where r.tenant_id = :tenant and r.id = :id and ${SEEN}`,
  ),
);
export const LIST_AGENTS = polled(
  list<AgentDto>(
    "agents.list",
    "workspace",
    `select ${AGENT} from agent r where r.tenant_id = :tenant and ${SEEN} order by r.kind = 'platform' desc, r.created_at, r.id`,
  ),
);
export const INSTRUCTIONS = polled(
  list<InstructionsVersionDto, { id: string }>(
    "agents.instructions",
    "workspace",
    `
  select i.version, i.instructions, i.changed_by as "changedBy", i.reason, ${time("i.created_at")} as "createdAt"
  from agent_instructions i where i.tenant_id = :tenant and i.agent_id = :id order by i.version desc`,
    { visible: `exists (select from agent r where r.tenant_id = :tenant and r.id = :id and ${SEEN})` },
  ),
);

/** `beyond`: it also works where the caller does not reach. */
export const STATE_OF_AGENT = `select r.kind, r.tools, r.guardrails, r.instructions,
    exists (select from agent_workspace a join workspace v on v.tenant_id = a.tenant_id and v.id = a.workspace_id and v.deleted_at is null
      where a.tenant_id = r.tenant_id and a.agent_id = r.id and not exists (select from workspace w where w.id = v.id and ${REACHABLE})) as beyond
  from agent r where r.tenant_id = :tenant and r.id = :id and ${SEEN}`;
