/**
 * Which columns of a statement can be null, from PostgreSQL's own parse tree (`debug_print_parse`). It knows which columns an outer
 * join makes null (`varnullingrels`), and follows a column through sub-selects and common table expressions to its table.
 */

/** A node of the tree: `{VAR :varno 1 …}`. */
interface Node {
  type: string;
  fields: Map<string, Item[]>;
}
type Item = Node | Item[] | string;

export function parseTree(text: string): Node {
  const tokens = text.matchAll(/[(){}]|(?:\\.|[^\s(){}\\])+/gs);
  const take = (): string => tokens.next().value?.[0] ?? "}";
  const item = (token: string): Item => (token === "{" ? node() : token === "(" ? list() : token);
  const list = (): Item[] => {
    const items: Item[] = [];
    for (let token = take(); token !== ")"; token = take()) items.push(item(token));
    return items;
  };
  const node = (): Node => {
    const made: Node = { type: take(), fields: new Map() };
    let field: Item[] = [];
    for (let token = take(); token !== "}"; token = take())
      if (token.startsWith(":") && token.length > 1) made.fields.set(token.slice(1), (field = []));
      else field.push(item(token));
    return made;
  };
  take();
  return node();
}

const one = (node: Node, field: string): Item | undefined => node.fields.get(field)?.[0];
const child = (node: Node, field: string): Node | undefined => {
  const found = one(node, field);
  return typeof found === "object" && !Array.isArray(found) ? found : undefined;
};
const children = (node: Node, field: string): Node[] => {
  const found = one(node, field);
  return Array.isArray(found) ? (found as Node[]) : [];
};
const number = (node: Node, field: string): number => Number(one(node, field));
/** A name, where PostgreSQL puts a backslash before what is special. */
export const textOf = (node: Node, field: string): string => (one(node, field) as string).replace(/\\(.)/g, "$1");
const isSet = (node: Node, field: string): boolean => one(node, field) === "true";

/** What the catalogue says. */
export interface Catalogue {
  /** `<table's oid> <column's number>` of each column with `attnotnull`. */
  notNull: ReadonlySet<string>;
  /** Functions that give null for null. */
  strict: ReadonlySet<number>;
}

/** Can it be null? Undefined: PostgreSQL does not say. */
type Nullable = boolean | undefined;

const COMMAND = { select: 1, update: 2, insert: 3, delete: 4 };
const RTE = { table: 0, query: 1, join: 2, cte: 6, group: 9 };
const COUNT = [2147, 2803];
const NEVER_NULL = ["NULLTEST", "BOOLEANTEST", "DISTINCTEXPR", "ARRAYEXPR", "ROWEXPR"];
const SUBLINK = { exists: 0, array: 6 };

export const columnsOf = (query: Node): Node[] =>
  children(query, number(query, "commandType") === COMMAND.select ? "targetList" : "returningList").filter(
    (column) => !isSet(column, "resjunk"),
  );

/** Whether the statement's column with this number can be null. */
export const nullable = (query: Node, column: number, catalogue: Catalogue): Nullable =>
  ofColumn(query, column, [], catalogue);

/** @param levels the query, and those around it */
function ofExpression(expression: Node, levels: readonly Node[], catalogue: Catalogue): Nullable {
  const of = (inner: Node | undefined): Nullable => inner && ofExpression(inner, levels, catalogue);
  const { type } = expression;
  if (NEVER_NULL.includes(type)) return false;
  switch (type) {
    case "VAR":
      return ofVariable(expression, levels, catalogue);
    case "CONST":
      return isSet(expression, "constisnull");
    case "RELABELTYPE":
    case "COERCEVIAIO":
    case "ARRAYCOERCEEXPR":
      return of(child(expression, "arg"));
    case "FUNCEXPR":
      // A cast that was written down: a strict one gives null for null alone.
      return one(expression, "funcformat") === "1" && catalogue.strict.has(number(expression, "funcid"))
        ? of(children(expression, "args")[0])
        : undefined;
    case "AGGREF":
      return COUNT.includes(number(expression, "aggfnoid")) ? false : undefined;
    case "WINDOWFUNC":
      return COUNT.includes(number(expression, "winfnoid")) ? false : undefined;
    case "COALESCEEXPR":
      return children(expression, "args").some((arg) => of(arg) === false) ? false : undefined;
    case "SUBLINK":
      return [SUBLINK.exists, SUBLINK.array].includes(number(expression, "subLinkType")) ? false : undefined;
    default:
      return undefined;
  }
}

function ofVariable(variable: Node, around: readonly Node[], catalogue: Catalogue): Nullable {
  const levels = around.slice(number(variable, "varlevelsup"));
  const [query] = levels;
  if (!query) return undefined;
  const [varno, column] = [number(variable, "varno"), number(variable, "varattno")];
  if (conditionsKeep(variable, query, catalogue)) return false;
  if ((one(variable, "varnullingrels") as Item[]).length > 1) return true;
  // `old` of a row that is new.
  if (one(variable, "varreturningtype") === "1" && number(query, "commandType") === COMMAND.insert) return true;
  // The row as a whole, and what PostgreSQL keeps of each row.
  if (column <= 0) return false;
  const source = children(query, "rtable")[varno - 1]!;
  switch (number(source, "rtekind")) {
    case RTE.table:
      return !catalogue.notNull.has(`${textOf(source, "relid")} ${column}`);
    case RTE.query:
      return ofColumn(child(source, "subquery")!, column, levels, catalogue);
    case RTE.join:
      return ofExpression(children(source, "joinaliasvars")[column - 1]!, levels, catalogue);
    case RTE.group:
      return ofExpression(children(source, "groupexprs")[column - 1]!, levels, catalogue);
    case RTE.cte: {
      if (isSet(source, "self_reference")) return undefined;
      const outer = levels.slice(number(source, "ctelevelsup"));
      const cte = children(outer[0]!, "cteList").find((one) => textOf(one, "ctename") === textOf(source, "ctename"))!;
      return ofColumn(child(cte, "ctequery")!, column, outer, catalogue);
    }
    default:
      return undefined;
  }
}

/** @param around the queries around `query` */
function ofColumn(query: Node, column: number, around: readonly Node[], catalogue: Catalogue): Nullable {
  if (!child(query, "setOperations"))
    return ofExpression(child(columnsOf(query)[column - 1]!, "expr")!, [query, ...around], catalogue);
  const parts = children(query, "rtable")
    .flatMap((source) => child(source, "subquery") ?? [])
    .map((part) => ofColumn(part, column, [query, ...around], catalogue));
  return parts.includes(true) ? true : parts.includes(undefined) ? undefined : false;
}

/** Whether there are only rows where the variable is not null: `where x is not null`, or `where x = …`. */
function conditionsKeep(variable: Node, query: Node, { strict }: Catalogue): boolean {
  const varno = number(variable, "varno");
  // What an update gives is what it has set.
  if (varno === number(query, "resultRelation")) {
    const isDelete = number(query, "commandType") === COMMAND.delete;
    const sets = children(query, "targetList").some((set) => one(set, "resno") === one(variable, "varattno"));
    if (!isDelete && (sets || number(query, "commandType") !== COMMAND.update)) return false;
  }
  const isIt = (node: Node): boolean =>
    node.type === "RELABELTYPE"
      ? isIt(child(node, "arg")!)
      : node.type === "VAR" &&
        one(node, "varlevelsup") === "0" &&
        one(node, "varno") === one(variable, "varno") &&
        one(node, "varattno") === one(variable, "varattno");
  const keeps = (condition: Node): boolean => {
    if (condition.type === "BOOLEXPR")
      return one(condition, "boolop") === "and" && children(condition, "args").some(keeps);
    if (condition.type === "NULLTEST") return one(condition, "nulltesttype") === "1" && isIt(child(condition, "arg")!);
    if (condition.type === "OPEXPR")
      return strict.has(number(condition, "opfuncid")) && children(condition, "args").some(isIt);
    if (condition.type === "SCALARARRAYOPEXPR")
      return (
        isSet(condition, "useOr") && strict.has(number(condition, "opfuncid")) && isIt(children(condition, "args")[0]!)
      );
    return false;
  };
  const holds = (from: Node): boolean => {
    const quals = child(from, "quals");
    if (from.type === "FROMEXPR") return (quals && keeps(quals)) || children(from, "fromlist").some(holds);
    if (from.type !== "JOINEXPR" || one(from, "jointype") !== "0") return false;
    return (quals && keeps(quals)) || holds(child(from, "larg")!) || holds(child(from, "rarg")!);
  };
  const tree = child(query, "jointree");
  return tree !== undefined && holds(tree);
}
