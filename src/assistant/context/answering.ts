import { sql, TENANT } from "../../platform/database/sql.js";

/** The agent that answers in the workspace `w`: the oldest custom one that lists it, else the platform's own. */
export const ANSWERING = sql`
      select a.id, a.instructions_version, a.kind from agent a
      where a.tenant_id = ${TENANT} and a.role = 'assistant' and a.status = 'active'
        and (a.kind = 'platform' or exists (
          select from agent_workspace p
          where p.tenant_id = ${TENANT} and p.agent_id = a.id and p.workspace_id = w.id
        ))
      order by a.kind = 'platform', a.created_at, a.id limit 1`;
