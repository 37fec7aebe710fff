import { BRAND, identifier, type Parameter, type Sql, sql, TENANT, WORKSPACES } from "../platform/database/sql.js";
import { REACHABLE } from "../platform/database/statements.js";

/** The key or member that calls. Null for the system. A restricted caller has access to what it created itself. */
export interface Self {
  self: string | null;
}

/** The caller reaches the whole tenant. */
export const IS_UNRESTRICTED = sql`(${BRAND}::uuid is null and ${WORKSPACES}::uuid[] is null)`;
const REACHED_WORKSPACES = sql`array(select w.id from workspace w where ${REACHABLE})`;
/** The workspaces that a search is restricted to: null for a caller that reaches the whole tenant. */
export const SEARCHED_WORKSPACES = sql`
  case when ${IS_UNRESTRICTED} then null else ${REACHED_WORKSPACES} end`;

/**
 * The contact of this alias, or the one that it was merged into. Not `coalesce`: PostgreSQL does not take it for leakproof, and
 * so under row-level security would ask no index for it.
 */
export function survivorOf(alias: string): Sql {
  const contact = identifier(alias);
  return sql`case when ${contact}.merged_into_id is null then ${contact}.id else ${contact}.merged_into_id end`;
}

/**
 * A restricted caller reaches a contact that appears in its workspaces, or that it made itself. The conversations of a
 * merged contact belong to the contact that survived. The workspaces are an array, which is made once and not for each contact.
 * `offset 0`: otherwise the planner may read all conversations of the workspaces first, to look one contact up among them.
 */
export function contactInReach(alias: string, self: Parameter): Sql {
  const contact = identifier(alias);
  return sql`(${IS_UNRESTRICTED} or ${contact}.created_by = ${self}::uuid or exists (
      select from conversation c
      where c.tenant_id = ${TENANT} and c.workspace_id = any (${REACHED_WORKSPACES})
        and c.contact_id = ${survivorOf(alias)}
      offset 0
    ))`;
}

/** The caller has access to the contact `r`, and it is neither erased nor deleted. */
export const isVisible = (self: Parameter): Sql =>
  sql`r.erased_at is null and r.deleted_at is null and ${contactInReach("r", self)}`;
/** Whether lists and searches show the contact. A merged contact can only be read by its id. */
export function isListed(alias: string): Sql {
  const contact = identifier(alias);
  return sql`${contact}.erased_at is null and ${contact}.deleted_at is null and ${contact}.merged_into_id is null`;
}

/**
 * A restricted caller reaches an account `r` if it reaches one of its contacts, or made the account itself. `offset 0` as in
 * `contactInReach`.
 */
export const accountInReach = (self: Parameter): Sql => sql`(
    ${IS_UNRESTRICTED} or r.created_by = ${self}::uuid or exists (
      select from contact k
      where k.tenant_id = ${TENANT} and k.account_id = r.id and ${isListed("k")} and ${contactInReach("k", self)}
      offset 0
    ))`;
