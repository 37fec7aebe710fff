import { GLOBAL_TABLES, ORGANISATION_TABLES } from "../../../src/platform/database/isolation.js";

export type Query = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;

interface Table {
  name: string;
  kind: string;
  enabled: boolean;
  forced: boolean;
  definerView: boolean;
}
interface Key {
  table: string;
  name: string;
  columns: string[];
  primary: boolean;
}
interface Reference {
  table: string;
  name: string;
  columns: string[];
  target: string;
  targetColumns: string[];
}
interface Policy {
  table: string;
  name: string;
  command: string;
  rule: string | null;
  check: string | null;
}

const OURS = `n.nspname = 'public' and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`;
const columnNames = (relation: string, numbers: string): string =>
  `array(select a.attname::text from unnest(${numbers}) with ordinality as k (number, place) join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number order by k.place)`;

/** The column that separates the tenants' rows of a table. Global tables have none. */
export const columnOf = (table: string): "tenant_id" | "organisation_id" | undefined =>
  table in GLOBAL_TABLES ? undefined : table in ORGANISATION_TABLES ? "organisation_id" : "tenant_id";

export async function tablesOf(query: Query): Promise<Table[]> {
  return query<Table>(`select c.relname as name, c.relkind as kind, c.relrowsecurity as enabled, c.relforcerowsecurity as forced,
      c.relkind in ('v', 'm') and not coalesce(c.reloptions @> '{security_invoker=true}', false) as "definerView"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS} and c.relkind in ('r', 'p', 'v', 'm', 'f') order by c.relname`);
}

/**
 * The violations of tenant isolation, as messages. They come from the catalog alone, so the rules apply to a new table without
 * listing it anywhere.
 */
export async function faultsOf(query: Query): Promise<string[]> {
  const tables = await tablesOf(query);
  const names = new Set(tables.map(({ name }) => name));
  const walled = tables.filter(({ name }) => columnOf(name));
  const faults = [...Object.keys(GLOBAL_TABLES), ...Object.keys(ORGANISATION_TABLES)]
    .filter((name) => !names.has(name))
    .map((name) => `${name} is listed, but there is no such table`);
  for (const { name, kind, definerView } of tables)
    if (!["r", "p"].includes(kind))
      faults.push(`${name} is no table${definerView ? " and reads past row-level security" : ""}`);
  for (const { name, enabled, forced } of walled) {
    if (!enabled) faults.push(`${name} has no row-level security`);
    else if (!forced) faults.push(`${name} does not force row-level security upon its owner`);
  }
  return [
    ...faults,
    ...(await policyFaults(query, walled)),
    ...(await keyFaults(query, walled)),
    ...(await referenceFaults(query, walled)),
  ];
}

const CURRENT = `( SELECT (NULLIF(current_setting('app.tenant_id'::text, true), ''::text))::uuid AS "nullif")`;
/** The only conditions that a policy may have, as PostgreSQL prints them. */
const WALLS = {
  tenant_id: `(tenant_id = ${CURRENT})`,
  organisation_id: `(organisation_id = ( SELECT t.organisation_id FROM tenant t WHERE (t.id = ${CURRENT})))`,
};

/** Each permissive policy grants access on its own, so all of them must have the tenant condition, for reading and writing. */
async function policyFaults(query: Query, walled: Table[]): Promise<string[]> {
  const policies = await query<Policy>(`select c.relname as "table", p.polname as name, p.polcmd as command,
      pg_get_expr(p.polqual, p.polrelid) as rule, coalesce(pg_get_expr(p.polwithcheck, p.polrelid), pg_get_expr(p.polqual, p.polrelid)) as "check"
    from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS} and p.polpermissive`);
  return walled.flatMap(({ name }) => {
    const own = policies.filter(({ table }) => table === name);
    if (!own.length) return [`${name} has no policy`];
    const isWall = ({ command, rule, check }: Policy): boolean =>
      command === "*" && [rule, check].every((one) => one?.replace(/\s+/g, " ") === WALLS[columnOf(name)!]);
    return own
      .filter((policy) => !isWall(policy))
      .map((policy) => `${name}: the policy ${policy.name} is not the wall between tenants`);
  });
}

async function keyFaults(query: Query, walled: Table[]): Promise<string[]> {
  const keys =
    await query<Key>(`select c.relname as "table", i.relname as name, x.indisprimary as "primary", ${columnNames("c.oid", "x.indkey::int2[]")} as columns
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS} and (x.indisunique or x.indisexclusion)`);
  return walled.flatMap(({ name, kind }) => {
    const own = keys.filter(({ table }) => table === name);
    return [
      ...(own.some(({ primary }) => primary) || !["r", "p"].includes(kind) ? [] : [`${name} has no primary key`]),
      ...own
        .filter(({ columns }) => columns[0] !== columnOf(name))
        .map(
          (key) =>
            `${name}: the unique key ${key.name} (${key.columns.join(", ")}) does not begin with ${columnOf(name)}`,
        ),
    ];
  });
}

/** A row cannot reference another tenant's row: each foreign key includes the tenant column and references the same column. */
async function referenceFaults(query: Query, walled: Table[]): Promise<string[]> {
  const references = await query<Reference>(`select c.relname as "table", f.conname as name, r.relname as target,
      ${columnNames("f.conrelid", "f.conkey")} as columns, ${columnNames("f.confrelid", "f.confkey")} as "targetColumns"
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class r on r.oid = f.confrelid join pg_namespace n on n.oid = c.relnamespace where f.contype = 'f' and ${OURS}`);
  return references.flatMap(({ table, name, columns, target, targetColumns }) => {
    if (!walled.some((one) => one.name === table) && !walled.some((one) => one.name === target)) return [];
    // The table of tenants calls a side `id`. The id of the live side is the id of the organisation.
    const wanted = target === "tenant" ? [columnOf(table), "id"] : [columnOf(target), columnOf(target)];
    return columns[0] === wanted[0] && targetColumns[0] === wanted[1]
      ? []
      : [`${table}: the foreign key ${name} (${columns.join(", ")}) to ${target} does not begin with ${wanted[0]}`];
  });
}
