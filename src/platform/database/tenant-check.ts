import { GLOBAL_TABLES, ORGANISATION_TABLES } from "./isolation.js";

/**
 * Throws when a statement is made that names a table without the tenant's condition for it. Nearly all are made when their
 * file loads, so the process does not start; those of a `statementFamily` are made when they are first needed.
 * Row-level security holds the same wall in the database; this names the statement and the table before anything runs.
 *
 * The check reads the text and is coarse: it looks for a condition on each alias anywhere in the statement, not only in
 * the alias' own sub-select. Every name behind `from`, `join`, `update`, `into` or `using` is a table unless it is a common
 * table expression or a function. What the check does not understand it refuses.
 */
export function assertTenantConditions(name: string, text: string): void {
  const sql = text
    .replace(/--[^\n]*/g, " ")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, " ");
  const own = new Set(
    [...sql.matchAll(/\b([a-z_]\w*)(?: ?\([^()]*\))? as (?:not )?(?:materialized )?\(/gi)].map(([, cte]) => cte!),
  );
  for (const { table, alias, inserted } of tablesIn(sql)) {
    if (own.has(table) || table in GLOBAL_TABLES || table.startsWith("pg_")) continue;
    const column = table in ORGANISATION_TABLES ? "organisation_id" : "tenant_id";
    const held = inserted
      ? new RegExp(`into ${table}(?: as ${alias}| ${alias})? ?\\( ?${column} ?,`, "i").test(sql)
      : new RegExp(
          `(?<![\\w.])(?:${alias}\\.${column}|${alias === table ? `(?:${table}\\.)?${column}` : "(?!)"}) (?:=|in) `,
          "i",
        ).test(sql) || new RegExp(`= ${alias}\\.${column}(?!\\w)`, "i").test(sql);
    if (!held)
      throw new Error(`statement ${name} reads or writes ${table} (${alias}) without a condition on ${column}`);
  }
}

interface TableReference {
  table: string;
  alias: string;
  inserted: boolean;
}

/** `extract(x from y)`, `is distinct from`, `for update`, `do update set` and the like name no table. */
const NO_TABLE =
  /(?:extract ?\(\w+|trim ?\((?:both|leading|trailing)?[^()]*|distinct|for|key|do|substring ?\([^()]*|overlay ?\([^()]*) $/i;
const KEYWORDS =
  /^(?:select|where|on|set|join|left|right|inner|cross|full|natural|lateral|values|order|group|limit|for|returning|union|using|as|from|with|having|offset|window|except|intersect|tablesample|default|and|or|when|then|end|not|rows)$/i;

function* tablesIn(sql: string): Generator<TableReference> {
  const pattern = /\b(from|join|update|into|using) (?:only )?(?=[a-z_"])/gi;
  for (let match = pattern.exec(sql); match; match = pattern.exec(sql)) {
    const keyword = match[1]!.toLowerCase();
    if (NO_TABLE.test(sql.slice(0, match.index))) continue;
    let rest = sql.slice(match.index + match[0].length);
    for (;;) {
      const [all, table, afterwards] = /^([a-z_][\w.]*)( ?\()?/i.exec(rest) ?? [];
      if (all === undefined || table === undefined || KEYWORDS.test(table)) break;
      rest = rest.slice(all.length);
      // A function, or `using (column)`; but `insert into t (tenant_id, …)`.
      if (afterwards && keyword !== "into") break;
      const [said, given] = (afterwards ? null : /^ (?:as )?([a-z_]\w*)/i.exec(rest)) ?? [];
      const alias = given !== undefined && !KEYWORDS.test(given) ? given : table;
      yield { table: table.replace(/^public\./, ""), alias, inserted: keyword === "into" };
      if (said !== undefined && alias === given) rest = rest.slice(said.length);
      // `from a, b`
      const [comma] = keyword === "from" ? (/^ ?, ?(?=[a-z_])/i.exec(rest) ?? []) : [];
      if (comma === undefined) break;
      rest = rest.slice(comma.length);
    }
  }
}
