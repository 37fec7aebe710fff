import { sql, TENANT } from "../../platform/database/sql.js";
import { one, polled, REACHABLE } from "../../platform/database/statements.js";
import type { Thresholds } from "./decision.js";
import { THRESHOLDS } from "./thresholds.js";

export const GET_SETTINGS = polled(
  one<Thresholds, { workspaceId: string }>(
    "assistantSettings.get",
    "restricted",
    ({ workspaceId }) => sql`
      select ${THRESHOLDS} as thresholds
      from workspace w left join assistant_settings x on x.tenant_id = ${TENANT} and x.workspace_id = w.id
      where w.id = ${workspaceId} and ${REACHABLE}`,
    { json: sql`r.thresholds` },
  ),
);
