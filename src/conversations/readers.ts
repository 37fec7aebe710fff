import { IS_ADMITTED } from "../auth/members/members.queries.js";
import { ADMINS, rolesFor } from "../platform/caller/scope.js";
import { joined, literal, type Sql, sql, TENANT } from "../platform/database/sql.js";
import { query } from "../platform/database/statements.js";

const roles = (names: readonly string[]): Sql => joined(names.map(literal), ", ");
/** The member `m` reaches the conversation `c` now. */
export const READS_CONVERSATION = sql`${IS_ADMITTED} and (
  m.role in (${roles(ADMINS)})
  or (m.role in (${roles(rolesFor("conversations:read"))}) and exists (
    select from member_workspace mw
    where mw.tenant_id = ${TENANT} and mw.member_id = m.id and mw.workspace_id = c.workspace_id
  ))
)`;

/** How many of these members can read the conversation. */
export const COUNT_READERS = query<{ conversationId: string; ids: readonly string[] }>()(
  "messages.countReaders",
  "checked",
  ({ conversationId, ids }) => sql`
    select count(*)::int as count
    from conversation c
      join tenant t on t.id = ${TENANT}
      join member m on m.organisation_id = t.organisation_id and m.id = any(${ids}::uuid[])
    where c.tenant_id = ${TENANT} and c.id = ${conversationId} and ${READS_CONVERSATION}`,
);
