import { DatabaseError, type Pool, type PoolClient } from "pg";
import { AnswerQuery } from "./answer-query.js";
import type { AnswerRead, Reads } from "./answer-read.js";

/** How many reads a connection gets at once, at most. */
const MAX_TOGETHER = 4;

/**
 * Reads that wait for a connection. While all connections are busy, several reads go to the next free one in a single write, so
 * that neither this process nor PostgreSQL waits for the other between them. Each remains a statement and a transaction of its own.
 */
export class AnswerQueue implements Reads {
  private readonly waiting: AnswerQuery<unknown>[] = [];
  /** Connections that have reads, or are asked for. */
  private taken = 0;
  /** Those that are asked for. */
  private asked = 0;

  constructor(private readonly pool: Pool) {}

  /** The pool itself counts the connections that are asked for. */
  get waitingCount(): number {
    return this.pool.waitingCount - this.asked + this.waiting.length;
  }

  run<Answer>(read: AnswerRead<Answer>): Promise<Answer | null | undefined> {
    return new Promise((resolve, reject) => {
      const query = new AnswerQuery(read);
      query.callback = (error, answer) => {
        if (error) reject(error);
        else resolve(answer);
      };
      this.dropLate();
      query.since = performance.now();
      this.waiting.push(query as AnswerQuery<unknown>);
      if (this.taken < this.pool.options.max) this.connect();
    });
  }

  /** Under more load than there are connections, a read is refused rather than kept waiting: as the pool does with others. */
  private dropLate(): void {
    const { connectionTimeoutMillis: longest } = this.pool.options;
    if (!longest) return;
    const due = performance.now() - longest;
    while (this.waiting.length && this.waiting[0]!.since < due)
      this.waiting.shift()!.callback(new Error("timeout exceeded when trying to connect"));
  }

  private connect(): void {
    this.taken++;
    this.asked++;
    this.pool.connect((error, client, release) => {
      this.asked--;
      const queries = this.next();
      if (error) for (const query of queries) query.callback(error);
      if (error || !client || !queries.length) this.end(release);
      else
        ask(client, queries, (failed) => {
          this.end(release, failed);
        });
    });
  }

  /**
   * Twice a connection's share of those that wait: others come until the next connection is free. One that may take long goes
   * alone, so that no other waits behind it.
   */
  private next(): AnswerQuery<unknown>[] {
    this.dropLate();
    const { waiting } = this;
    const share = Math.min(MAX_TOGETHER, Math.ceil((2 * waiting.length) / this.pool.options.max));
    let count = Math.min(1, waiting.length);
    if (waiting[0]?.isShort) while (count < share && waiting[count]?.isShort) count++;
    return waiting.splice(0, count);
  }

  /** @param release undefined, unlike the pool's types say, if the pool gave no connection in time */
  private end(release: ((failed?: Error) => void) | undefined, failed?: Error): void {
    this.taken--;
    release?.(failed);
    if (this.waiting.length) this.connect();
  }
}

/**
 * Has all queries sent at once, and gives each to the client when its answers are due.
 * @param end gets the first error, after which the connection is not used again
 */
function ask(client: PoolClient, queries: readonly AnswerQuery<unknown>[], end: (failed?: Error) => void): void {
  const [first, ...others] = queries;
  first!.sendWith(others);
  let failed: Error | undefined;
  const run = (n: number): void => {
    const query = queries[n];
    if (!query) {
      end(failed);
      return;
    }
    const { callback } = query;
    query.callback = (error, answer) => {
      failed ??= error ?? undefined;
      callback(error, answer);
      // After an error of a statement the others have their answers all the same, but not on a broken connection.
      if (!error || error instanceof DatabaseError) run(n + 1);
      else {
        for (const other of queries.slice(n + 1)) other.callback(error);
        run(queries.length);
      }
    };
    client.query(query);
  };
  run(0);
}
