import { render, Sql, TENANT, Parameter } from "../../src/platform/database/sql.js";
import type { Query } from "../../src/platform/database/statements.js";
import type { Tx } from "../../src/platform/database/transaction.js";

let serial = 0;

/**
 * Runs a test's SQL inside a transaction, as the application's role. `:tenant` is the transaction's tenant; other names
 * come from `args`.
 */
export function run<Row = Record<string, unknown>>(tx: Tx, text: string, args: object = {}): Promise<Row[]> {
  const parameters = new Map<string, Parameter>([["tenant", TENANT]]);
  const strings: string[] = [];
  const values: Parameter[] = [];
  text.split(/(?<![:\w]):([a-zA-Z]\w*)/).forEach((part, index) => {
    if (index % 2 === 0) {
      strings.push(part);
      return;
    }
    if (!parameters.has(part)) parameters.set(part, new Parameter(part));
    values.push(parameters.get(part)!);
  });
  const statement: Query<object, Row> = {
    kind: "query",
    name: `test ${serial++}`,
    reach: { unrestricted: "it is a test" },
    ...render(new Sql(strings, values)),
  };
  return tx.query(statement, args);
}
