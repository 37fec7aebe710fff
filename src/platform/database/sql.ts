import { join, Sql } from "sql-template-tag";
import pg from "pg";
import type { Caller } from "../caller/caller.js";

/**
 * SQL as tagged templates: each `${…}` is a value that PostgreSQL gets apart from the text, or another piece of SQL.
 * Statements are written once, when their file loads, so their values are parameters: typed names whose values come
 * with each call.
 */
export { default as sql, Sql } from "sql-template-tag";

/** A value that comes with each call of a statement. */
export class Parameter {
  constructor(readonly name: string) {}
}

/** The parameters of a statement that is called with `Args`. A name that `Args` does not have does not compile. */
export type Parameters<Args> = { readonly [Name in keyof Args]-?: Parameter };

/** What the database binds by itself to every statement: the caller's tenant and reach. */
class ScopeParameter extends Parameter {}
export const TENANT: Parameter = new ScopeParameter("tenant");
/** Null unless the caller is restricted to one brand. */
export const BRAND: Parameter = new ScopeParameter("brand");
/** Null unless the caller is restricted to these workspaces. */
export const WORKSPACES: Parameter = new ScopeParameter("workspaces");

/** The tenants whose rows on this server a statement for all servers leaves alone: copies, and what is about to leave. */
export const STRANGERS: Parameter = new ScopeParameter("strangers");

/** The tenant and reach of a caller, as statements bind them. */
export interface Scope {
  tenant: string;
  brand: string | null;
  workspaces: readonly string[] | null;
  strangers?: readonly string[];
}

export const scopeOf = ({ tenantId, reach }: Caller): Scope => ({
  tenant: tenantId,
  brand: reach.level === "brand" ? reach.brandId : null,
  workspaces: reach.level === "workspaces" ? reach.workspaceIds : null,
});

/** Parameters by their names, each made once, so that a name that is used twice is one parameter of the statement. */
export function parameters<Args>(): Parameters<Args> {
  const made = new Map<string, Parameter>();
  return new Proxy({} as Parameters<Args>, {
    get(_, name) {
      const key = String(name);
      let parameter = made.get(key);
      if (!parameter) made.set(key, (parameter = new Parameter(key)));
      return parameter;
    },
    // The names come from the type alone, so `...rest` would silently be empty.
    ownKeys() {
      throw new Error("take each parameter by its name");
    },
  });
}

/** A statement's text with numbered parameters, and what to bind to them. */
export interface Rendered {
  text: string;
  slots: readonly unknown[];
}

export function render({ strings, values }: Sql): Rendered {
  const slots: unknown[] = [];
  let text = strings[0]!;
  values.forEach((value, index) => {
    if (value === undefined) throw new Error(`a value is undefined in: ${strings.join("…")}`);
    let at = value instanceof Parameter ? slots.indexOf(value) : -1;
    if (at < 0) at = slots.push(value) - 1;
    text += `$${at + 1}${strings[index + 1]!}`;
  });
  return { text, slots };
}

/** The values of one call, in the order of their numbers. An optional argument that is left out is null. */
export function bind(slots: readonly unknown[], scope: Scope, args: object): unknown[] {
  return slots.map((slot) => {
    if (slot instanceof ScopeParameter) return scope[slot.name as keyof Scope];
    if (slot instanceof Parameter) return (args as Record<string, unknown>)[slot.name] ?? null;
    return slot;
  });
}

/** Whether the SQL binds this parameter. */
export const binds = ({ values }: Sql, parameter: Parameter): boolean => values.includes(parameter);

const NAME = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/;

/** The name of a table, an alias or a column, as part of the text. Never for what a caller sent. */
export function identifier(name: string): Sql {
  if (!NAME.test(name)) throw new Error(`${name} is not a plain name`);
  return new Sql([name], []);
}

/** The column of a field: `validUntil` is in `valid_until`. */
export const columnOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A name between double quotes, for the fields of an answer (`"lastActivityAt"`). */
export function quoted(name: string): Sql {
  if (!/^\w+$/.test(name)) throw new Error(`${name} is not a plain name`);
  return new Sql([`"${name}"`], []);
}

/**
 * A constant of the code as part of the text, where the planner must know it, as for a partial index. Never for what a
 * caller sent.
 */
export const literal = (value: string): Sql => new Sql([pg.escapeLiteral(value)], []);

/** Pieces of SQL one after the other, `separator` between them. */
export const joined = (parts: readonly Sql[], separator: string): Sql =>
  parts.length ? join(parts, separator) : new Sql([""], []);
