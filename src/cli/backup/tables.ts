import pg, { type ClientBase } from "pg";

/** How many rows a table has, and a hash of them that does not depend on their order. */
export interface TablePrint {
  rows: number;
  hash: string;
}

/** Which tables a restoration changes itself: the record of runs, and the feed, which begins anew. */
const NOT_COMPARED = ["job_run", "resource_change", "resource_change_floor"];

/** Values are written the same way, whatever the server's settings are. */
const AS_EVERYWHERE =
  "set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'iso_8601'; " +
  "set local extra_float_digits = 1; set local bytea_output = 'hex'; set local statement_timeout = 0; " +
  "set local idle_in_transaction_session_timeout = 0; set local row_security = off";

/** Within a transaction, of which it changes the settings. Sixty bits of MD5 for each row, added up. */
export async function printTables(client: ClientBase): Promise<Record<string, TablePrint>> {
  await client.query(AS_EVERYWHERE);
  const prints: Record<string, TablePrint> = {};
  for (const name of await tablesOf(client)) {
    const { rows } = await client.query<{ rows: string; hash: string }>(
      `select count(*)::text as rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text as hash
      from only ${pg.escapeIdentifier(name)} t`,
    );
    prints[name] = { rows: Number(rows[0]!.rows), hash: rows[0]!.hash };
  }
  return prints;
}

/**
 * The same as the tables' owner, whom row-level security binds: lifted for a transaction that is undone. It locks the tables, so no server
 * may run.
 */
export async function printOwnTables(client: ClientBase): Promise<Record<string, TablePrint>> {
  await client.query("begin");
  try {
    for (const name of await tablesOf(client))
      await client.query(`alter table ${pg.escapeIdentifier(name)} no force row level security`);
    return await printTables(client);
  } finally {
    await client.query("rollback");
  }
}

async function tablesOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1",
  );
  return rows.map(({ name }) => name).filter((name) => !NOT_COMPARED.includes(name));
}

/** The names of the tables that are not the same. */
export const differing = (a: Record<string, TablePrint>, b: Record<string, TablePrint>): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (name) => a[name]?.rows !== b[name]?.rows || a[name]?.hash !== b[name]?.hash,
  );

export const rowsIn = (prints: Record<string, TablePrint>): number =>
  Object.values(prints).reduce((sum, { rows }) => sum + rows, 0);
