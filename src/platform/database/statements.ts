import {
  binds,
  BRAND,
  identifier,
  joined,
  literal,
  Parameter,
  type Parameters,
  parameters,
  quoted,
  render,
  Sql,
  sql,
  STRANGERS,
  TENANT,
  WORKSPACES,
} from "./sql.js";
import { APP_ROLE } from "./app-role.js";
import { RecordWriter } from "./read-engine/record-json.js";
import type { Checked, RowOf } from "./row-types.js";
import { assertTenantConditions } from "./tenant-check.js";

/**
 * Statements have a name and one text, made when their file loads, so PostgreSQL prepares each once a connection. Every
 * value is a parameter that the compiler knows. A statement that forgets its tenant throws when it is made, and each says how it
 * keeps to the caller's reach.
 */

/**
 * How a statement keeps to the workspaces that its caller may see:
 * - `restricted`: its text restricts itself, with `inReach` or `REACHABLE`. A text that does not use the reach does not load.
 * - `checked`: it runs in a transaction that found something within the caller's reach before. Without that it throws.
 * - `unrestricted`: it needs neither, for the reason that is given.
 */
export type ReachRule = "restricted" | "checked" | { unrestricted: string };

interface Named {
  readonly name: string;
  readonly text: string;
  /** What to bind to `$1`, `$2`, …: parameters, and constants. */
  readonly slots: readonly unknown[];
  readonly reach: ReachRule;
}
/** A statement of a transaction, which gives rows. */
export interface Query<Args, Row> extends Named {
  readonly kind: "query";
  /** Not there at run time: carries the types. */
  readonly types?: (args: Args) => Row;
}
/** A statement whose answer is JSON text, ready to be sent, or rows that `records` writes as JSON. */
export interface Read<Args, Result> extends Named {
  readonly kind: "read";
  readonly records?: RecordWriter;
  /** The answer is an object, and the rows are this field of it. */
  readonly field?: string;
  /** Shows nothing but what changes through `Database.transaction`, so an unchanged version means an unchanged answer. */
  readonly polled?: true;
  /** Whether an answer stays true until the version changes. Without it every answer does. */
  readonly isFinal?: (answer: string) => boolean;
  /** May be some seconds old, so a standby may answer. */
  readonly mayLag?: true;
  readonly types?: (args: Args) => Result;
}
/** A list that can grow. Its answer is the position of the last row as JSON, a line break, and the rows. */
export interface PageRead<Args, Item> extends Omit<Read<Args, Item>, "kind" | "field"> {
  readonly kind: "page";
  /** The list that a cursor belongs to, whichever statement gives a page of it. */
  readonly list: string;
  /** Asked instead where this one's `visible` does not hold. */
  readonly otherwise?: PageRead<Args, Item>;
}
/** A statement whose rows are for the code, and too many for JSON: `readRecords` reads them. */
export interface RecordsRead<Args> extends Omit<Read<Args, never>, "kind" | "records" | "field"> {
  readonly kind: "records";
}
/**
 * Which servers a query without a caller's tenant is for:
 * - `control`: what the installation has once. `Database.global`
 * - `tenant`: that of one organisation. `Database.globalOf`
 * - `everywhere`: all of them, as each has its share. `Database.lookUp`, `Database.sweep`, `JobRunner.acrossTenants`
 */
export type Place = "control" | "tenant" | "everywhere";
/** A query on global tables, before or beyond any tenant. */
export interface GlobalQuery<Args, Row, Where extends Place = Place> extends Omit<Named, "reach"> {
  readonly kind: "global";
  readonly place: Where;
  readonly types?: (args: Args) => Row;
}
/** For statements without arguments. */
export type NoArgs = Record<never, never>;

interface Registered extends Omit<Named, "reach"> {
  /** It gives rows to the code, whose types `rows.d.ts` has. */
  readonly givesRows?: true;
  /** All others are for the server where the caller's organisation lives. */
  readonly place?: Place;
}
/** Every statement that has loaded, by its name. `npm run check` has PostgreSQL prepare and describe each of them. */
export const STATEMENTS = new Map<string, Registered>();

function named(name: string, body: Sql, givesRows?: true, place?: Place): Registered {
  const statement = { name, ...render(body), givesRows, place };
  // PostgreSQL tells prepared statements apart by 63 bytes.
  if (name.length > 63) throw new Error(`the name of statement ${name} is longer than 63 characters`);
  if (STATEMENTS.has(name)) throw new Error(`there are two statements with the name ${name}`);
  assertTenantConditions(name, statement.text);
  STATEMENTS.set(name, statement);
  return statement;
}

function assertScope(name: string, reach: ReachRule, body: Sql): void {
  if (!binds(body, TENANT)) throw new Error(`statement ${name} does not bind the tenant`);
  if (reach === "restricted" && !binds(body, WORKSPACES))
    throw new Error(`statement ${name} does not restrict itself to the caller's reach`);
}

/**
 * A statement of a transaction. What the code says of `Args` and `Row` does not compile where PostgreSQL says otherwise; without `Row`
 * the rows are as PostgreSQL describes them. `npm run rows` asks PostgreSQL. The first call takes the types, the second one the rest,
 * because the compiler infers either all types or none.
 * @typeParam NotNull columns that can be null in their table, and that the statement's conditions keep from being null
 */
export const query =
  <Args = NoArgs, Row = never, NotNull extends string = never>() =>
  <const Name extends string>(
    name: Name & Checked<Name, Args, Row, NotNull>,
    reach: ReachRule,
    build: (parameters: Parameters<Args>) => Sql,
  ): Query<Args, RowOf<Name, Row, NotNull>> => {
    const body = build(parameters<Args>());
    assertScope(name, reach, body);
    return { kind: "query", reach, ...named(name, body, true) };
  };

/** A query on the tables of `isolation.ts` that belong to no tenant, and where it runs. Its types are as those of `query`. */
export const globalQuery =
  <Args = NoArgs, Row = never, NotNull extends string = never>() =>
  <const Name extends string, Where extends Place>(
    name: Name & Checked<Name, Args, Row, NotNull>,
    place: Where,
    build: (parameters: Parameters<Args>) => Sql,
  ): GlobalQuery<Args, RowOf<Name, Row, NotNull>, Where> => {
    const body = build(parameters<Args>());
    if (place === "everywhere") assertLeavesStrangers(name, body);
    return { kind: "global", ...named(name, body, true, place), place };
  };

/** What would write to copies of rows, or to rows that are being copied, keeps to the `Room` of jobs or names `STRANGERS`. */
function assertLeavesStrangers(name: string, body: Sql): void {
  const writes = /(?<!\bfor )\bupdate\b|\bdelete from\b|\binsert into\b/.test(body.strings.join(" "));
  const hasRoom = body.values.some((value) => value instanceof Parameter && value.name === "held");
  if (writes && !hasRoom && !binds(body, STRANGERS))
    throw new Error(`statement ${name} writes on all servers and does not leave out STRANGERS`);
}

/**
 * The tenant, unless the connection acts as another role than the application's. Then row-level security might not hold, and the
 * statement fails: a pooler may lend a connection that nobody has checked.
 */
const TENANT_OF_APPLICATION = sql`case when current_user = ${literal(APP_ROLE)} then ${TENANT}::uuid else refuse_acting_role() end`;

/**
 * The tenant's setting is part of the statement, so that row-level security costs no round trip. The answer is a
 * sub-select that runs only when the row of `ctx` is projected: the setting comes first, and without it there are no rows.
 */
const scoped = (answer: Sql): Sql => sql`
  with ctx as materialized (
    select set_config('app.tenant_id', (${TENANT_OF_APPLICATION})::text, true) as tenant,
      ${BRAND}::uuid as brand, ${WORKSPACES}::uuid[] as workspaces
  )
  select (${answer}) as answer from ctx where tenant is not null`;

/** All rows of this alias as `RecordWriter` reads them. */
const records = (alias: string, filter = sql``): Sql =>
  sql`coalesce(string_agg(record_send(${identifier(alias)}), '')${filter}, '')`;

/** How a row `r` becomes JSON. */
const AS_JSON = sql`row_to_json(r)`;

interface ReadOptions {
  /** How a row `r` becomes JSON, where a field is missing rather than null. */
  json?: Sql;
}

/** One row as a JSON object. Without a row the answer is 404. */
export function one<Result, Args = NoArgs>(
  name: string,
  reach: ReachRule,
  rows: (parameters: Parameters<Args>) => Sql,
  { json = AS_JSON }: ReadOptions = {},
): Read<Args, Result> {
  const body = rows(parameters<Args>());
  assertScope(name, reach, body);
  return { kind: "read", reach, ...named(name, scoped(sql`select (${json})::text from (${body}) r`)) };
}

/** All rows as bytes. Where `visible` does not hold there are none: 404. */
export function recordsRead<Args>(
  name: string,
  reach: ReachRule,
  build: (parameters: Parameters<Args>) => { rows: Sql; visible: Sql },
): RecordsRead<Args> {
  const { rows, visible } = build(parameters<Args>());
  const answer = sql`
    select case when ${visible} then (select ${records("r")} from (${rows}) r) end`;
  assertScope(name, reach, answer);
  return { kind: "records", reach, ...named(name, scoped(answer)) };
}

/** All rows as a JSON array, for lists that stay small. Where `visible` does not hold there is no list: 404. */
export function list<Item, Args = NoArgs>(
  name: string,
  reach: ReachRule,
  rows: (parameters: Parameters<Args>) => Sql | { rows: Sql; visible: Sql },
  { json = AS_JSON }: ReadOptions = {},
): Read<Args, Item[]> {
  const built = rows(parameters<Args>());
  const parts = "rows" in built ? built : { rows: built, visible: sql`true` };
  const answer = sql`
    select case when ${parts.visible}
      then (select coalesce(json_agg(${json}), '[]')::text from (${parts.rows}) r) end`;
  assertScope(name, reach, answer);
  return { kind: "read", reach, ...named(name, scoped(answer)) };
}

/**
 * All items of one thing that has few of them, as one field of an object. Without the thing there is no list: 404.
 * @param build `of`: what stands behind `from` and gives the thing as one row, which `rows` may refer to; `rows` gets the
 *   select list that makes an item
 */
export function itemsIn<Result, Args = NoArgs>(
  field: keyof Result & string,
  name: string,
  reach: ReachRule,
  item: Projection,
  build: (parameters: Parameters<Args>, item: Sql) => { of: Sql; rows: Sql },
): Read<Args, Result> {
  const { of, rows } = build(parameters<Args>(), item.plain);
  const answer = sql`select (select ${records("r")} from (${rows}) r) from ${of}`;
  assertScope(name, reach, answer);
  return { kind: "read", reach, ...named(name, scoped(answer)), records: item.writer, field };
}

/** The arguments that the database layer adds to a page statement. */
export interface PageArgs {
  /** Rows of the page; the statement asks for one more. */
  limit: number;
  /** The position that the cursor continues behind: null on the first page. */
  after0?: unknown;
  after1?: unknown;
  after2?: unknown;
  after3?: unknown;
}
export interface PageParts {
  /** A query for at most `limit + 1` rows, in order, that continues behind the given position. */
  rows: Sql;
  /** Expressions over a row `r` that give its position in the order, in types that JSON has, or that PostgreSQL reads back from it. */
  position: readonly Sql[];
  /** What makes an item of a row `r`. */
  item: Projection;
  /** Where this does not hold there is no list: 404. */
  visible?: Sql;
  /** How the selected item, as a row `r`, becomes JSON. */
  json?: Sql;
  /** The list's name, where several statements give its pages. */
  list?: string;
  /**
   * The rows may end before the list does, so that no page reads without end. A row `r` has `matches`, whether it is an item,
   * and `stop`, which the last row has if the list goes on behind it.
   */
  bounded?: boolean;
}

export function page<Item, Args = NoArgs>(
  name: string,
  reach: ReachRule,
  build: (parameters: Parameters<Args & PageArgs>) => PageParts,
): PageRead<Args, Item> {
  const p = parameters<Args & PageArgs>();
  const { rows, position, item, visible, json, list: listName = name, bounded } = build(p);
  const { limit } = p as Parameters<PageArgs>;
  const positionOf = (row: Parameter | Sql): Sql => {
    const values = position.map((expression) => sql`(array_agg(${expression}))[${row}]`);
    return sql`json_build_array(${joined(values, ", ")})::text`;
  };
  const stopped = bounded ? sql` when bool_or(r.stop) then ${positionOf(sql`count(*)::int`)}` : sql``;
  const next = sql`case when count(*) > ${limit} then ${positionOf(limit)}${stopped} else '' end`;
  const items = records("item", bounded ? sql` filter (where r.matches)` : sql``);
  const text = json
    ? sql`
    select ${next} || E'\\n[' || coalesce(array_to_string((array_agg(item.json))[:${limit}], ','), '') || ']'
    from (${rows}) r cross join lateral (select (${json})::text as json from (select ${item}) r) item`
    : sql`
    select convert_to(${next} || E'\\n', 'UTF8') || ${items}
    from (${rows}) r cross join lateral (select ${item.plain}) item`;
  const answer = visible ? sql`select case when ${visible} then (${text}) end` : text;
  assertScope(name, reach, answer);
  return {
    kind: "page",
    reach,
    ...named(name, scoped(answer)),
    list: listName,
    ...(!json && { records: item.writer }),
  };
}

/**
 * Where a page begins: behind the cursor's position, or at the list's `end` on the first page. With `is null or` or
 * `coalesce`, the only plan of the statement could not look the position up in an index, and deep pages would be slow.
 */
export const positionOr = (position: Parameter, end: "infinity" | "-infinity"): Sql =>
  sql`case when ${position}::timestamptz is null then ${literal(end)}::timestamptz else ${position}::timestamptz end`;

/** The version that a page, newest first, continues behind. */
export const versionOrEnd = (version: Parameter): Sql =>
  sql`case when ${version}::int is null then 2147483647 else ${version}::int end`;

/** Marks a read that callers poll, and whose answer depends only on tables that change through `Database.transaction`. */
export const polled = <S extends Pick<Read<never, unknown>, "polled" | "isFinal">>(
  statement: S,
  isFinal?: (answer: string) => boolean,
): S => ({ ...statement, polled: true, isFinal });

/** Marks a read that may be some seconds old: a report, an export, a search. Never one whose answer callers compare by its ETag. */
export function mayLag<S extends Pick<Read<never, unknown>, "name" | "polled" | "mayLag">>(statement: S): S {
  if (statement.polled) throw new Error(`statement ${statement.name} is polled, so it may not lag`);
  return { ...statement, mayLag: true };
}

/**
 * A statement for each combination of parts, such as the filters in use. Each has its own SQL text, so PostgreSQL plans
 * each by itself. A statement is made when it is first needed, and kept.
 * @param make gets the statement's name: `name` and a number. To the compiler it is the family's, whose types all of them have.
 */
export function statementFamily<const Name extends string, Parts extends readonly unknown[], Statement>(
  name: Name,
  make: (name: Name, ...parts: Parts) => Statement,
): (...parts: Parts) => Statement {
  const made = new Map<string, Statement>();
  return (...parts) => {
    const key = JSON.stringify(parts);
    let statement = made.get(key);
    if (!statement) made.set(key, (statement = make(`${name} ${made.size}` as Name, ...parts)));
    return statement;
  };
}

/** The names of `table` that have a value in `values`, in the order of the table. */
export const namesUsed = <Name extends string>(
  table: Record<Name, unknown>,
  values: { readonly [name in Name]?: unknown },
): Name[] => (Object.keys(table) as Name[]).filter((name) => values[name] !== undefined);

/** What `Database.transaction` binds to a single-statement change beside its arguments. */
const ACTOR = new Parameter("actor");
const ACTION = new Parameter("action");
const FINGERPRINT = new Parameter("fingerprint");
const BODY_HASH = new Parameter("bodyHash");
const STATUS = new Parameter("status");
const RESPONSE = new Parameter("response");

const TENANT_SET = "(select tenant from ctx) is not null";
const CLAIM_MADE = "exists (select from claim)";
const CLAIMED = sql`(${FINGERPRINT}::bytea is null or ${sql([CLAIM_MADE])})`;

/** The parts of a single-statement change that its text must use. */
export interface ChangeParts {
  /** A condition of the first table that is read: makes sure that the tenant is set before anything is looked at. */
  tenantSet: Sql;
  /** The claim on the Idempotency-Key with the answer to keep, made where the common table expression has a row. */
  claimIf: (cte: Sql) => Sql;
  /** A condition of the effect: this request is the first with its Idempotency-Key, or has none. */
  claimed: Sql;
}

/** A change that is one message to the database, which commits it by itself. */
export interface SingleStatementChange<Args> extends Named {
  readonly types?: (args: Args) => void;
}

/**
 * The common case of a change, whose answer is known beforehand, with all that a transaction does for it: the settings
 * (the tenant, and the actor and action for the audit log), the claim on the Idempotency-Key with the answer, and the
 * effect. It either has its whole effect and gives one row, or has none and gives no row. In the second case the caller
 * does the work in a transaction, which knows every case.
 * @param build `effect`: common table expressions; `visibleIn`: a query for the workspace that shows the change, as `workspaceId`
 */
export function singleStatementChange<Args>(
  name: string,
  build: (parameters: Parameters<Args>, parts: ChangeParts) => { effect: Sql; visibleIn: Sql },
): SingleStatementChange<Args> {
  const claimIf = (cte: Sql): Sql =>
    sql`claim as (
      insert into idempotency_key (tenant_id, fingerprint, body_hash, status, response)
      select ${TENANT}, ${FINGERPRINT}, ${BODY_HASH}, ${STATUS}, ${RESPONSE}
      from ${cte} where ${FINGERPRINT}::bytea is not null
      on conflict do nothing returning 1
    )`;
  const { effect, visibleIn } = build(parameters<Args>(), { tenantSet: sql([TENANT_SET]), claimIf, claimed: CLAIMED });
  const { text } = render(effect);
  for (const part of [TENANT_SET, CLAIM_MADE, "claim as ("])
    if (!text.includes(part)) throw new Error(`statement ${name} leaves out ${part}`);
  assertScope(name, "restricted", effect);
  return {
    reach: "restricted",
    ...named(
      name,
      sql`
      with ctx as materialized (
        select set_config('app.tenant_id', (${TENANT_OF_APPLICATION})::text, true) as tenant,
          set_config('app.actor', ${ACTOR}, true) as actor, set_config('app.action', ${ACTION}, true) as action
      ),
      ${effect}
      ${visibleIn}`,
    ),
  };
}

class Time extends Sql {
  constructor(readonly expression: Sql) {
    super(["to_char(", ` at time zone 'UTC', 'YYYY-MM-DD"T"HH24":"MI":"SS.MS"Z"')`], [expression]);
  }
}

/** A time as the API shows it: ISO 8601, UTC, milliseconds. */
export const time = (expression: Sql): Sql => new Time(expression);

/** The select list of a resource. */
export class Projection extends Sql {
  /** The same for `records`, which come with times as PostgreSQL has them. */
  readonly plain: Sql;
  readonly writer: RecordWriter;

  /** @param omitted fields that `writer` leaves out where they are null; not the first one */
  constructor(fields: Record<string, Sql>, omitted?: readonly string[]) {
    const columns = Object.entries(fields).map(([name, expression]) => sql`${expression} as ${quoted(name)}`);
    super(["", ...columns.slice(1).map(() => ", "), ""], columns);
    this.plain = joined(
      Object.entries(fields).map(
        ([name, value]) => sql`${value instanceof Time ? value.expression : value} as ${quoted(name)}`,
      ),
      ", ",
    );
    this.writer = new RecordWriter(Object.keys(fields), omitted);
  }
}

/** The one description of a resource: each field of its response and the SQL that makes it. A missing or unknown field does not compile. */
export const projection = <Dto>(
  fields: Record<keyof Dto & string, Sql>,
  omitted?: readonly (keyof Dto & string)[],
): Projection => new Projection(fields, omitted);

/** The workspace `w` exists and is within the caller's reach. */
export const REACHABLE = sql`w.tenant_id = ${TENANT} and w.deleted_at is null
  and (${BRAND}::uuid is null or w.brand_id = ${BRAND}) and (${WORKSPACES}::uuid[] is null or w.id = any(${WORKSPACES}))`;

/** The row of this alias belongs to a workspace within the caller's reach. */
export const inReach = (alias: string): Sql =>
  sql`exists (select from workspace w where w.id = ${identifier(alias)}.workspace_id and ${REACHABLE})`;

/**
 * What stands behind `from` and gives the conversation with this id, as a row `c` with `columns`, if it belongs to a workspace
 * within the caller's reach. `offset 0`: the planner would look for it among the conversations of each workspace, instead of by its key.
 */
export const conversationInReach = (id: Sql | Parameter, columns: Sql): Sql => sql`(
      select ${columns} from conversation c where c.tenant_id = ${TENANT} and c.id = ${id} offset 0
    ) c
    where ${inReach("c")}`;

/** The conversation with this id belongs to a workspace within the caller's reach. */
export const isConversationInReach = (id: Sql | Parameter): Sql => sql`exists (
    select from ${conversationInReach(id, sql`c.workspace_id`)}
  )`;
