import type { Caller } from "../caller/caller.js";
import { BRAND, Parameter, Sql, TENANT, WORKSPACES } from "./sql.js";

/**
 * SQL as named statements: the text is made once, PostgreSQL prepares it once a connection, and the tenant and the
 * caller's reach are bound to every one of them. In the text stand `:tenant`, `:brand`, `:workspaces` (both null for a
 * caller of the whole tenant) and the statement's own arguments, all by name.
 */
export interface Statement<Args, Result> {
  readonly name: string;
  readonly text: string;
  /** The parameters' names, in the order of their numbers. */
  readonly parameters: readonly string[];
  /** Whether it shows nothing but what changes in transactions of the door: an unchanged version then means an unchanged answer. */
  readonly polled?: true;
  /** Not there at run time: carries the types. */
  readonly types?: (args: Args) => Result;
}
/** A list that can grow; its text gives the position of the last row, a line break, and the rows. */
export interface PageStatement<Args, Item> extends Statement<Args, Item> {
  /** The list that a cursor belongs to, whichever statement gives a page of it. */
  readonly list: string;
}

const PARAMETER = /(?<![:\w]):([a-zA-Z]\w*)/g;

/** Replaces each `:name` by the number of its parameter. */
export function number(sql: string): { text: string; parameters: string[] } {
  const parameters: string[] = [];
  const text = sql.replace(PARAMETER, (_, name: string) => {
    if (!parameters.includes(name)) parameters.push(name);
    return `$${parameters.indexOf(name) + 1}`;
  });
  return { text, parameters };
}

/** What the door binds by itself. */
export function scopeOf({ tenantId, reach }: Caller): {
  tenant: string;
  brand: string | null;
  workspaces: readonly string[] | null;
} {
  return {
    tenant: tenantId,
    brand: reach.level === "brand" ? reach.brandId : null,
    workspaces: reach.level === "workspaces" ? reach.workspaceIds : null,
  };
}

/** The values of a statement's parameters; an argument that is not given is null. */
export function bind(caller: Caller, parameters: readonly string[], args: object): unknown[] {
  const values: Record<string, unknown> = { ...args, ...scopeOf(caller) };
  return parameters.map((name) => values[name] ?? null);
}

/**
 * The tenant's setting is folded into the statement, so that row-level security costs no round trip. The answer stands in
 * a sub-select that runs only when the row of `ctx` is projected: the setting comes first, and without it there are no rows.
 */
function statement<Args, Result>(name: string, reach: ReachRule, answer: string): Statement<Args, Result> {
  checkReach(name, reach, answer);
  return {
    name,
    ...number(`with ctx as materialized (select set_config('app.tenant_id', :tenant::uuid::text, true) as tenant, :brand::uuid as brand, :workspaces::uuid[] as workspaces)
select (${answer}) as answer from ctx where tenant is not null`),
  };
}

/** `workspace`: the text must restrict itself to the caller's reach; otherwise a sentence saying why it need not. */
type ReachRule = "workspace" | { none: string };

function checkReach(name: string, reach: ReachRule, sql: string): void {
  if (!sql.includes(":tenant")) throw new Error(`statement ${name} does not name the tenant`);
  if (reach === "workspace" && !sql.includes(":workspaces"))
    throw new Error(`statement ${name} does not restrict itself to the caller's reach`);
}

/** How a row `r` becomes an item; another expression where a field is missing rather than null. */
const ITEM = "row_to_json(r)";

/** One row as a JSON object, null without one. */
export function one<Result, Args = Record<string, never>>(
  name: string,
  reach: ReachRule,
  rows: string,
  json = ITEM,
): Statement<Args, Result> {
  return statement(name, reach, `select (${json})::text from (${rows}) r`);
}

/** All rows as a JSON array: for lists that stay small. `visible` is a condition without which there is no list at all (404). */
export function list<Item, Args = Record<string, never>>(
  name: string,
  reach: ReachRule,
  rows: string,
  { visible = "true", json = ITEM }: { visible?: string; json?: string } = {},
): Statement<Args, Item[]> {
  return statement(
    name,
    reach,
    `select case when ${visible} then (select coalesce(json_agg(${json}), '[]')::text from (${rows}) r) end`,
  );
}

/** A piece of SQL from `sql.ts` inside a statement of this file. */
export const toNamed = ({ strings, values }: Sql): string =>
  strings.reduce((text, string, index) => {
    const value = values[index - 1];
    if (!(value instanceof Parameter)) throw new Error("only parameters have names");
    return `${text}:${value.name}${string}`;
  });

/** The other way round: an SQL text that names nothing but the tenant and the reach. */
export function fromNamed(text: string): Sql {
  const known: Record<string, Parameter> = { tenant: TENANT, brand: BRAND, workspaces: WORKSPACES };
  const [first, ...rest] = text.split(PARAMETER);
  const strings = [first!];
  const values: Parameter[] = [];
  rest.forEach((part, index) => {
    if (index % 2) strings.push(part);
    else values.push(known[part]!);
  });
  return new Sql(strings, values);
}

export interface PageParts {
  /** A query for the rows, in order, of at most `:limit + 1`, that continues behind the given position. */
  rows: string;
  /** Expressions over a row `r` that say where it stands in the order. */
  position: string[];
  /** The select list that makes an item of a row `r`. */
  item: string;
  /** A condition without which there is no list at all (404). */
  visible?: string;
  /** How the selected item, as a row `r`, becomes JSON. */
  json?: string;
  /** The list's name, where several statements give its pages. */
  list?: string;
}

export function page<Item, Args>(name: string, reach: ReachRule, parts: PageParts): PageStatement<Args, Item> {
  const text = `select case when count(*) > :limit then max(position) filter (where n = :limit) else '' end
    || E'\\n[' || coalesce(string_agg(item, ',' order by n) filter (where n <= :limit), '') || ']'
  from (select row_number() over () as n, json_build_array(${parts.position.join(", ")})::text as position,
      (select (${parts.json ?? ITEM})::text from (select ${parts.item}) r) as item
    from (${parts.rows}) r) rows`;
  const answer = parts.visible ? `select case when ${parts.visible} then (${text}) end` : text;
  return { ...statement<Args, Item>(name, reach, answer), list: parts.list ?? name };
}

/** Marks a read that pollers repeat, and whose answer depends on nothing but tables that are changed through the door. */
export const polled = <S extends Statement<never, unknown>>(statement: S): S => ({ ...statement, polled: true });

/** What the target of a change at once must ask first, so that nothing is looked at before the tenant is set. */
export const OPENED = "(select tenant from ctx) is not null";
/** What the effect of a change at once depends on: that this request is the first with its Idempotency-Key, or has none. */
export const CLAIMED = "(:fingerprint::bytea is null or exists (select from claim))";
/** The claim on the Idempotency-Key together with the answer to keep, where the CTE `plain` has a row. */
export const claimIf = (plain: string): string => `claim as (
    insert into idempotency_key (tenant_id, fingerprint, body_hash, status, response)
    select :tenant, :fingerprint, :bodyHash, :status, :response from ${plain} where :fingerprint::bytea is not null
    on conflict do nothing returning 1
  )`;

/** A change that is one message to the database, which commits it by itself. */
export interface AtOnce<Args> {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly string[];
  readonly types?: (args: Args) => void;
}

/**
 * The plain case of a change, whose answer is known beforehand, with everything that a transaction of the door does for
 * it: the settings (tenant, and whom the audit log names), the claim on the Idempotency-Key with the answer, and the effect. It has its whole effect and
 * gives one row, or it has none and gives no row; then the same is to be done in a transaction, which knows every case.
 * @param effect common table expressions that begin with OPENED and depend on CLAIMED
 * @param place a query for the workspace outside of which nothing shows the change
 */
export function atOnce<Args>(name: string, effect: string, place: string): AtOnce<Args> {
  for (const part of [OPENED, CLAIMED, "claim as ("])
    if (!effect.includes(part)) throw new Error(`statement ${name} leaves out ${part}`);
  checkReach(name, "workspace", effect);
  return {
    name,
    ...number(`with ctx as materialized (select set_config('app.tenant_id', :tenant::uuid::text, true) as tenant, set_config('app.actor', :actor, true) as actor, set_config('app.action', :action, true) as action),
  ${effect}
  ${place}`),
  };
}

/** A time as the API has it: ISO 8601, UTC, milliseconds. */
export const time = (expression: string): string =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24":"MI":"SS.MS"Z"')`;

/**
 * The one description of a resource: each field of its response and the SQL that makes it. The compiler wants every
 * field and admits no other.
 */
export function projection<Dto>(fields: Record<keyof Dto & string, string>): string {
  return Object.entries<string>(fields)
    .map(([name, sql]) => `${sql} as "${name}"`)
    .join(", ");
}

/** The workspace `w` is there and within the caller's reach. */
export const REACHABLE = `w.tenant_id = :tenant and w.deleted_at is null
  and (:brand::uuid is null or w.brand_id = :brand) and (:workspaces::uuid[] is null or w.id = any(:workspaces))`;

/** The row of `table` belongs to a workspace within the caller's reach. */
export const inReach = (table: string): string =>
  `exists (select from workspace w where w.id = ${table}.workspace_id and ${REACHABLE})`;
