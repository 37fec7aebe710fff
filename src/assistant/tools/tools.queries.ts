import { sql, TENANT } from "../../platform/database/sql.js";
import { inReach, one, page, polled, projection, query, REACHABLE, time } from "../../platform/database/statements.js";
import type { ToolDto } from "./tools.dto.js";

/** A tool `r`. */
const TOOL = projection<ToolDto>({
  id: sql`r.id`,
  workspaceId: sql`r.workspace_id`,
  name: sql`r.name`,
  description: sql`r.description`,
  parameters: sql`r.parameters`,
  effect: sql`r.effect`,
  url: sql`r.url`,
  hasCredentials: sql`r.sealed is not null`,
  idempotent: sql`r.idempotent`,
  statusUrl: sql`r.status_url`,
  publicFields: sql`r.public_fields`,
  timeoutSeconds: sql`r.timeout_seconds`,
  expiresAfterHours: sql`r.expires_after_hours`,
  createdAt: time(sql`r.created_at`),
  updatedAt: time(sql`r.updated_at`),
});

export const GET_TOOL = one<ToolDto, { id: string }>(
  "tools.get",
  "restricted",
  ({ id }) => sql`select ${TOOL} from tool r where r.tenant_id = ${TENANT} and r.id = ${id} and ${inReach("r")}`,
);

/** By name. */
export const LIST_TOOLS = polled(
  page<ToolDto, { workspaceId: string }>("tools.list", "restricted", ({ workspaceId, limit, after0 }) => ({
    rows: sql`
      select r.* from tool r
      where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}
        and r.name > case when ${after0}::text is null then '' else ${after0}::text end
      order by r.name limit ${limit} + 1`,
    position: [sql`r.name`],
    item: TOOL,
    visible: sql`exists (select from workspace w where w.id = ${workspaceId} and ${REACHABLE})`,
  })),
);

export const COUNT_TOOLS = query<{ workspaceId: string }>()(
  "tools.count",
  "checked",
  ({ workspaceId }) => sql`
    select count(*)::int as count from tool r where r.tenant_id = ${TENANT} and r.workspace_id = ${workspaceId}`,
);
