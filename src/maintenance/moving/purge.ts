import type { ClientBase } from "pg";
import type { OrganisationTable } from "./organisation-tables.js";

/** So many rows are deleted in one transaction: a long one would hold the change feed of the whole server back. */
const BATCH = 5_000;

/**
 * Deletes every row of an organisation that lives elsewhere. Nothing hears of it: no trigger runs, because the rows are not gone, but
 * in another place. @returns how many were deleted
 */
export async function purge(client: ClientBase, tables: readonly OrganisationTable[]): Promise<number> {
  let deleted = 0;
  await client.query("set session_replication_role = replica; set statement_timeout = 0");
  try {
    for (const { name, filter } of tables)
      for (let more = true; more;) {
        const { rowCount } = await client.query(
          `delete from ${name} where ctid = any (array(select t.ctid from ${name} t where ${filter} limit ${BATCH}))`,
        );
        deleted += rowCount ?? 0;
        more = rowCount === BATCH;
      }
  } finally {
    await client.query("reset session_replication_role; reset statement_timeout");
  }
  return deleted;
}
