import pg, { type Connection, type Pool, type Submittable } from "pg";

/** What `Connection` has beside its types. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** The prepared statements of this connection: their texts by their names. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: readonly unknown[] }): void;
  execute(): void;
  sync(): void;
}
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/**
 * A prepared statement that answers with one value. The query of `pg` lets PostgreSQL describe the result at each call and looks for
 * the parser of each column. Reads know theirs, so they spare both.
 *
 * The methods are those that `pg` calls when it sends a query and when messages arrive.
 */
export class AnswerQuery implements Submittable {
  /** Set by `pg`. */
  declare callback: (error: Error | null, answer?: string | null) => void;
  private readonly values: readonly unknown[];
  private answer: string | null | undefined;

  constructor(
    readonly name: string,
    readonly text: string,
    values: readonly unknown[],
  ) {
    this.values = values.map(prepareValue);
  }

  /** @returns undefined if there is no row */
  run(pool: Pool): Promise<string | null | undefined> {
    return pool.query(this) as unknown as Promise<string | null | undefined>;
  }

  submit(connection: Connection): void {
    const wire = connection as unknown as Wire;
    const { name, text, values } = this;
    wire.stream.cork();
    if (wire.parsedStatements[name] !== text) wire.parse({ name, text });
    wire.bind({ statement: name, values });
    wire.execute();
    wire.sync();
    wire.stream.uncork();
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.answer = fields[0];
  }

  handleCommandComplete(): void {
    // The answer is complete when the connection is ready again.
  }

  handleReadyForQuery(): void {
    this.callback(null, this.answer);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}
