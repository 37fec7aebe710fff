import type { ClientBase } from "pg";
import { comparedColumns, isCopied, type OrganisationTable } from "./organisation-tables.js";

/** How many rows a table has, and a sum over their contents in which the order of the rows does not matter. */
interface TableFingerprint {
  rows: number;
  hash: string;
}
export type Fingerprint = Readonly<Record<string, TableFingerprint>>;

/** What the text of a value depends on. */
const SAME_TEXT = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1;
  set bytea_output = 'hex'; set statement_timeout = 0`;

const half = (from: number): string =>
  `coalesce(sum(('x' || substr(r.hash, ${from}, 16))::bit(64)::bigint::numeric), 0)`;

/** Reads every copied table of an organisation whole, within the transaction that `client` has. */
export async function fingerprint(client: ClientBase, tables: readonly OrganisationTable[]): Promise<Fingerprint> {
  const found: Record<string, TableFingerprint> = {};
  await client.query(SAME_TEXT);
  for (const table of tables.filter(isCopied)) {
    const columns = comparedColumns(table).map((column) => `t.${column}`);
    const { rows } = await client.query<{ rows: string; hash: string }>(
      `select count(*)::text as rows, ${half(1)} || '.' || ${half(17)} as hash
      from (select md5(row(${columns.join(", ")})::text) as hash from ${table.name} t where ${table.filter}) r`,
    );
    found[table.name] = { rows: Number(rows[0]!.rows), hash: rows[0]!.hash };
  }
  return found;
}

/** The tables that are not the same, each with what it has here and there. */
export function differences(here: Fingerprint, there: Fingerprint): string[] {
  return [...new Set([...Object.keys(here), ...Object.keys(there)])].sort().flatMap((name) => {
    const [one, other] = [here[name], there[name]];
    if (one && other && one.rows === other.rows && one.hash === other.hash) return [];
    const rows = [one, other].map((table) => (table ? String(table.rows) : "no table"));
    return [`${name}: ${rows[0] === rows[1] ? `${rows[0]} rows, with other contents` : `${rows.join(" and ")} rows`}`];
  });
}

export const rowsOf = (whole: Fingerprint): number => Object.values(whole).reduce((sum, { rows }) => sum + rows, 0);

/** How many rows of an organisation a server has, in all tables, by table. Tables without any are left out. */
export async function countRows(
  client: ClientBase,
  tables: readonly OrganisationTable[],
): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const { name, filter } of tables) {
    const { rows } = await client.query<{ rows: string }>(`select count(*)::text as rows from ${name} where ${filter}`);
    if (rows[0]!.rows !== "0") counted[name] = Number(rows[0]!.rows);
  }
  return counted;
}
