import type { Pool, PoolClient } from "pg";
import type { AnswerRead, Reads } from "./read-engine/answer-read.js";
import type { Tracing } from "../tracing/tracing.js";

const SYSTEM = { "db.system.name": "postgresql" };

/** A step for each statement of the pool, named as the statement is. Its values are in none. */
export function traceStatements(pool: Pool, tracing: Tracing): void {
  if (!tracing.enabled) return;
  trace(pool, tracing);
  // Some were connected before.
  const known = new WeakSet<PoolClient>();
  pool.on("acquire", (client: PoolClient) => {
    if (known.has(client)) return;
    known.add(client);
    trace(client, tracing);
  });
}

/** With a callback, it returns nothing of use. */
type Query = (...args: unknown[]) => Promise<unknown>;
function trace(connection: { query: unknown }, tracing: Tracing): void {
  const query = (connection.query as Query).bind(connection);
  connection.query = (...args: unknown[]) => {
    const statement = args[0] as Statement;
    // The pool's own call, which is traced already, has a callback; the read engine's has a `submit`.
    const isPlain = typeof statement === "string" || !("submit" in statement);
    return isPlain && typeof args.at(-1) !== "function"
      ? tracing.step(nameOf(statement), SYSTEM, () => query(...args))
      : query(...args);
  };
}

type Statement = string | { name?: string; text?: string };
/** TypeORM's statements have no name: then what they begin with, such as `select`. */
const nameOf = (statement: Statement): string => {
  const { name, text = "" } = typeof statement === "string" ? { text: statement } : statement;
  return name ?? (/^\s*(\w+)/.exec(text)?.[1] ?? "statement").toLowerCase();
};

/** The same for single reads, which the read engine sends. */
export const traceReads = (reads: Reads, tracing: Tracing): Reads =>
  tracing.enabled
    ? {
        get waitingCount() {
          return reads.waitingCount;
        },
        run: <Answer>(read: AnswerRead<Answer>) => tracing.step(read.name, SYSTEM, () => reads.run(read)),
      }
    : reads;
