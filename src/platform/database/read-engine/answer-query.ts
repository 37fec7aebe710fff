import pg, { type Connection, type Submittable } from "pg";
import { serialize } from "pg-protocol";
import type { Row } from "./answer-client.js";
import type { AnswerRead } from "./answer-read.js";

/** What `Connection` has beside its types. */
interface Wire {
  readonly stream: { write(bytes: Buffer): void };
  /** The prepared statements of this connection: their texts by their names. */
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
}
const EXECUTE_AND_SYNC = Buffer.concat([serialize.execute(), serialize.sync()]);
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/**
 * A prepared statement that answers with one value. The query of `pg` lets PostgreSQL describe the result at each call, looks for
 * the parser of each column, and makes a string of each value. Reads know what they get, so they spare all three.
 *
 * The methods are those that `pg` calls when it sends a query and when messages arrive. They need an `AnswerClient`.
 */
export class AnswerQuery<Answer> implements Submittable {
  /** Gets undefined if there is no row. */
  declare callback: (error: Error | null, answer?: Answer | null) => void;
  /** Made here, so that a value that cannot be bound is an error of the caller's. */
  private readonly bound: Buffer;
  private answer: Answer | null | undefined;
  private error: Error | undefined;
  /** Those that are sent with this one. */
  private others: readonly AnswerQuery<unknown>[] = [];
  private isSent = false;
  /** When it began to wait for a connection, on the clock of `performance.now()`. */
  since = 0;

  readonly name: string;
  readonly text: string;
  readonly isShort: boolean;
  private readonly read: (value: Buffer) => Answer;

  constructor({ name, text, values, read, isShort = false }: AnswerRead<Answer>) {
    this.name = name;
    this.text = text;
    this.read = read;
    this.isShort = isShort;
    this.bound = serialize.bind({ statement: name, values: values.map(prepareValue), binary: true });
  }

  /** Has the others sent with this one. The client must be given them one after the other, and no other query in between. */
  sendWith(others: readonly AnswerQuery<unknown>[]): void {
    this.others = others;
  }

  submit(connection: Connection): void {
    if (this.isSent) return;
    const wire = connection as unknown as Wire;
    const pieces: Buffer[] = [];
    /** The statements that this write prepares. */
    const parsed = new Set<string>();
    for (const query of [this, ...this.others]) {
      const { name, text, bound } = query;
      query.isSent = true;
      if (wire.parsedStatements[name] !== text && !parsed.has(name)) {
        parsed.add(name);
        pieces.push(serialize.parse({ name, text }));
      }
      pieces.push(bound, EXECUTE_AND_SYNC);
    }
    // In one piece, because each write costs more than the copy.
    wire.stream.write(Buffer.concat(pieces));
  }

  handleDataRow({ first }: Row): void {
    try {
      this.answer = first && this.read(first);
    } catch (error) {
      // The connection is fine, and says so soon.
      this.error = error as Error;
    }
  }

  handleCommandComplete(): void {
    // The answer is complete when the connection is ready again.
  }

  handleReadyForQuery(): void {
    if (this.error) this.callback(this.error);
    else this.callback(null, this.answer);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}
