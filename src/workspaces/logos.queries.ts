import { literal, sql, TENANT } from "../platform/database/sql.js";
import { one, query } from "../platform/database/statements.js";

/** How many logos of a workspace are kept. */
const KEPT = literal("10");

/** Once the row of the workspace is locked. */
export const DROP_OLD_LOGOS = query<{ workspaceId: string }>()(
  "workspaces.dropOldLogos",
  { unrestricted: "the workspace was found in reach, and is locked" },
  ({ workspaceId }) => sql`
    delete from workspace_logo l
    where l.tenant_id = ${TENANT} and l.id in (
      select o.id from workspace_logo o where o.tenant_id = ${TENANT} and o.workspace_id = ${workspaceId}
      order by o.created_at desc, o.id offset ${KEPT}
    )`,
);

/** Of a workspace that is still there. `bytes` is base64. */
export const GET_LOGO = one<{ contentType: string; bytes: string }, { id: string }>(
  "workspaces.getLogo",
  { unrestricted: "a logo is for everybody who knows its address" },
  ({ id }) => sql`
    select l.content_type as "contentType", encode(l.bytes, 'base64') as bytes
    from workspace_logo l join workspace w on w.tenant_id = ${TENANT} and w.id = l.workspace_id
    where l.tenant_id = ${TENANT} and l.id = ${id} and w.deleted_at is null`,
);
