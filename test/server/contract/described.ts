import fs from "node:fs";
import path from "node:path";
import type { Client } from "pg";
import { format } from "../../../scripts/format.mjs";
import { Parameter } from "../../../src/platform/database/sql.js";
import type { STATEMENTS } from "../../../src/platform/database/statements.js";
import { type Catalogue, columnsOf, nullable, parseTree, textOf } from "./nullability.js";

export const SRC = path.resolve(import.meta.dirname, "../../../src");
/** Where `Statements` is declared. */
const TYPES = "platform/database/row-types.js";

/**
 * How `pg` gives a value of each type, with its own parsers, and what it takes for one. It takes JSON as text: of an array it would
 * make one of PostgreSQL's.
 */
const TEXT = { gives: "string", takes: "string" };
const NUMBER = { gives: "number", takes: "number" };
const LONG = { gives: "string", takes: "number | string" };
const TIME = { gives: "Date", takes: "Date | string" };
const JSON_TEXT = { gives: "Json", takes: "string" };
const BASIC: Record<string, { gives: string; takes: string }> = {
  bool: { gives: "boolean", takes: "boolean" },
  bytea: { gives: "Buffer", takes: "Buffer" },
  int2: NUMBER,
  int4: NUMBER,
  float4: NUMBER,
  float8: NUMBER,
  int8: LONG,
  numeric: LONG,
  text: TEXT,
  uuid: TEXT,
  void: TEXT,
  name: TEXT,
  xid8: TEXT,
  // It gives an object of its own.
  interval: { gives: "never", takes: "string" },
  // It gives midnight where the server is: read it as text.
  date: { gives: "never", takes: "string" },
  timestamptz: TIME,
  json: JSON_TEXT,
  jsonb: JSON_TEXT,
};
function typeOf(name: string | undefined, way: "gives" | "takes"): string {
  if (name?.startsWith("_")) {
    const item = typeOf(name.slice(1), way);
    return way === "takes" ? `readonly (${item} | null)[]` : `${item}[]`;
  }
  const known = name && BASIC[name];
  if (!known) throw new Error(`${name} is missing in BASIC of described.ts`);
  return known[way];
}

interface Column {
  type: string;
  nullable: boolean | undefined;
}
interface Described {
  args: Map<string, string>;
  row: Map<string, Column>;
}
type Statement = typeof STATEMENTS extends Map<string, infer S> ? S : never;

/** The statements of a family differ by their number. To the code they are one. */
const familyOf = (name: string): string => name.replace(/ \d+$/, "");

/** Asks PostgreSQL, on a connection of its own, which parameters a statement has, and which columns it gives, without running it. */
export async function describer(client: Client): Promise<(statement: Statement) => Promise<Described>> {
  const all = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query(sql, values)).rows as Row[];
  const oids = await all<{ oid: number; name: string }>("select oid, typname as name from pg_type");
  const names = new Map(oids.map(({ oid, name }) => [oid, name]));
  const columns = await all<{ column: string }>(
    "select attrelid || ' ' || attnum as column from pg_attribute where attnotnull and attnum > 0",
  );
  // JSON's null becomes null: `jsonb` is no column that stays as it is.
  const functions = await all<{ oid: number }>(
    "select oid from pg_proc where proisstrict and not ('jsonb'::regtype = any(proargtypes))",
  );
  const catalogue: Catalogue = {
    notNull: new Set(columns.map(({ column }) => column)),
    strict: new Set(functions.map(({ oid }) => oid)),
  };
  let tree: string | undefined;
  client.on("notice", ({ message, detail }) => {
    if (message === "parse tree:") tree = detail;
  });
  await client.query("set debug_print_parse = on; set debug_pretty_print = off; set client_min_messages = log");
  return async ({ text, slots }) => {
    await client.query(`deallocate all; prepare described as ${text}`);
    // The first trees are of `deallocate` and `prepare` themselves, and the last of the statement.
    const query = parseTree(tree!);
    const [types] = await all<{ takes: number[]; gives: number[] | null }>(
      "select parameter_types::oid[]::int[] as takes, result_types::oid[]::int[] as gives from pg_prepared_statements where name = 'described'",
    );
    const args = slots.flatMap((slot, n) =>
      slot instanceof Parameter && slot.constructor === Parameter
        ? [[slot.name, typeOf(names.get(types!.takes[n]!), "takes")] as const]
        : [],
    );
    const row = columnsOf(query).map(
      (column, n) =>
        [
          textOf(column, "resname"),
          { type: typeOf(names.get(types!.gives![n]!), "gives"), nullable: nullable(query, n + 1, catalogue) },
        ] as const,
    );
    return { args: new Map(args), row: new Map(row) };
  };
}

/** The types of a folder's statements. */
async function rowsOf(folder: string, statements: ReadonlyMap<string, Described>): Promise<string> {
  const entries = [...statements].map(([name, { args, row }]) => {
    const takes = [...args].sort().map(([arg, type]) => `${JSON.stringify(arg)}: ${type}`);
    const gives = [...row].map(
      ([column, { type, nullable }]) =>
        `${JSON.stringify(column)}${nullable === undefined ? "?" : ""}: ${type}${nullable ? " | null" : ""}`,
    );
    return `${JSON.stringify(name)}: { args: { ${takes.join("; ")} }; row: { ${gives.join("; ")} } };`;
  });
  const body = entries.join("\n");
  const types = path.posix.relative(folder, TYPES);
  const module = types.startsWith(".") ? types : `./${types}`;
  return format(
    "rows.d.ts",
    `// Written by \`npm run rows\`: what PostgreSQL says of this folder's statements.
    ${body.includes("Json") ? `import type { Json } from "${module}";` : "export {};"}

    declare module "${module}" { interface Statements { ${body} } }`,
  );
}

/** The folders of `src`, each with the texts of its statements' files. */
const sources = (): [string, string][] =>
  fs
    .readdirSync(SRC, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [
      name,
      fs
        .readdirSync(path.join(SRC, name), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
        .map((file) => fs.readFileSync(path.join(SRC, name, file), "utf8"))
        .filter((code) => code.includes("sql`"))
        .join("\n"),
    ]);

/** The columns of both, in a family. Of a column that only one gives it is not said whether it is null. */
const either = (one: Described["row"], other: Described["row"]): Described["row"] =>
  new Map(
    [...one, ...other].map(([name, { type }]) => {
      const both = [one.get(name), other.get(name)];
      if (both.some((column) => column && column.type !== type)) throw new Error(`${name} is of two types in a family`);
      const said = both.map((column) => column?.nullable);
      return [name, { type, nullable: said.includes(true) ? true : said.includes(undefined) ? undefined : false }];
    }),
  );

/** Describes all statements that give rows. @returns the text of each folder's `rows.d.ts` */
export async function describeAll(client: Client, statements: Iterable<Statement>): Promise<Map<string, string>> {
  const describe = await describer(client);
  const texts = sources();
  /** The folder whose code has this name as a string, or the beginning of it. */
  const folderOf = (name: string): string => {
    const [first] = name.split(".");
    for (const start of [
      `"${name}"`,
      `\`${name.replace(/ [^ ]*$/, " ")}`,
      `lagOf("${first}"`,
      `("${first}"`,
      `"${first}.`,
    ]) {
      const found = texts.filter(([, code]) => code.includes(start));
      if (found.length === 1) return found[0]![0];
    }
    throw new Error(`no folder, or several, have the statement ${name}`);
  };
  const folders = new Map<string, Map<string, Described>>();
  for (const statement of statements) {
    const { args, row } = await describe(statement);
    const name = familyOf(statement.name);
    const folder = [...folders].find(([, names]) => names.has(name))?.[0] ?? folderOf(name);
    const known = folders.get(folder) ?? new Map<string, Described>();
    folders.set(folder, known);
    const before = known.get(name);
    known.set(name, { args: new Map([...(before?.args ?? []), ...args]), row: before ? either(before.row, row) : row });
  }
  const written = new Map<string, string>();
  for (const [folder, known] of [...folders].sort())
    written.set(folder, await rowsOf(folder, new Map([...known].sort(([a], [b]) => (a < b ? -1 : 1)))));
  return written;
}
