import { hash } from "node:crypto";
import { ConflictException, Injectable, Logger, UnprocessableEntityException } from "@nestjs/common";
import { InjectDataSource } from "@nestjs/typeorm";
import pg, { type Pool, type PoolClient, type QueryResult } from "pg";
import { DataSource, type QueryRunner } from "typeorm";
import { authorship, type Caller, callerId, type Retry } from "../caller/caller.js";
import { Cursors } from "../http/cursor.js";
import { cameSecond, driverError, notFound, notRepeatable, Replayed } from "../http/errors.js";
import { names } from "../http/etag.js";
import { Json, type Page } from "../http/json.js";
import { Config } from "../config/config.js";
import { Changes } from "./changes.js";
import { type AtOnce, bind, type PageStatement, type Statement } from "./statement.js";
import { type AfterCommit, Tx } from "./transaction.js";

const { escapeLiteral } = pg;
const IN_FLIGHT_WAIT_MS = 10_000;
/** A request can meet others at a few unique keys, or cross them at locks, one after the other. */
const MOST_ATTEMPTS = 5;
/** How long an answer is shared after it came, while nothing changes. */
const SHARED_MS = 200;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Where in a growing list to continue, and how far. */
export interface Paging {
  limit: number;
  cursor?: string;
}

/**
 * The one door to the data. Everything that passes carries the caller's tenant, which row-level security holds it to,
 * and the caller's reach.
 */
@Injectable()
export class Database {
  private readonly log = new Logger("database");
  private readonly cursors: Cursors;
  /** Retried POSTs that this process is working on: their repeats wait here rather than each on a connection. */
  private readonly inFlight = new Map<string, Promise<unknown>>();

  /** Reads under way or just done, by what they read at which version: many pollers share one. */
  private readonly shared = new Map<string, Promise<string>>();

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly changes: Changes,
    config: Config,
  ) {
    this.cursors = new Cursors(config.secretKeys);
    // A broken idle connection is replaced on the next use; unheard, its error would end the process.
    // While the pool ends they are let go before they are closed, and what they meet then is nobody's concern.
    const { pool } = this;
    pool.on("error", (error) => {
      if (!pool.ending) this.log.warn(`an idle connection broke: ${error.message}`);
    });
  }

  private get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  /**
   * Runs one named statement.
   * @throws NotFoundException where it answers with nothing: absent, of another tenant or out of reach, all the same
   */
  async read<Args, Result>(caller: Caller, statement: Statement<Args, Result>, args: Args): Promise<Json<Result>> {
    const etag = this.etag(caller, statement, args as object);
    if (etag && names(caller.ifNoneMatch, etag)) return Json.unchanged(etag);
    return new Json<Result>(await this.answer(caller, statement, args, etag)).tagged(etag);
  }

  /** Runs a page statement; a cursor is bound to the list, the tenant and the `filters`. */
  async page<Args extends object, Item>(
    caller: Caller,
    statement: PageStatement<Args, Item>,
    filters: Omit<Args, "limit" | "position">,
    paging: Paging,
  ): Promise<Json<Page<Item>>> {
    const query = (): string =>
      JSON.stringify([
        statement.list,
        caller.tenantId,
        Object.entries(filters)
          .filter(([, value]) => value !== undefined)
          .sort(),
      ]);
    const position = paging.cursor === undefined ? null : this.cursors.open(query(), paging.cursor);
    const args = { ...filters, ...positionArgs(position), limit: paging.limit } as unknown as Args;
    const etag = this.etag(caller, statement, args);
    if (etag && names(caller.ifNoneMatch, etag)) return Json.unchanged(etag);
    const text = await this.answer(caller, statement, args, etag);
    const end = text.indexOf("\n");
    const next = end === 0 ? "" : `,"nextCursor":"${this.cursors.mint(query(), text.slice(0, end))}"`;
    return new Json<Page<Item>>(`{"data":${text.slice(end + 1)}${next}}`).tagged(etag);
  }

  /**
   * Names an answer without looking at it: the version of what it can show, before the query, and who asks for what.
   * @returns undefined for statements that show more than changes go with, and while no versions are known
   */
  private etag(caller: Caller, statement: Statement<never, unknown>, args: object): string | undefined {
    if (!statement.polled) return undefined;
    const { reach } = caller;
    const version = this.changes.version(
      caller.tenantId,
      reach.level === "workspaces" && reach.workspaceIds.length === 1
        ? reach.workspaceIds[0]!
        : ((args as { workspaceId?: string }).workspaceId ?? null),
    );
    if (version === null) return undefined;
    const question = hash("sha256", JSON.stringify([statement.name, caller.tenantId, reach, args]), "base64url").slice(
      0,
      22,
    );
    return `"${version}.${question}"`;
  }

  private answer<Args>(
    caller: Caller,
    statement: Statement<Args, unknown>,
    args: Args,
    etag: string | undefined,
  ): Promise<string> {
    if (!etag) return this.ask(caller, statement, args);
    let answer = this.shared.get(etag);
    if (!answer) {
      this.shared.set(etag, (answer = this.ask(caller, statement, args)));
      // A crowd that polls at once takes a moment to arrive. The version is part of the name: after any change nobody comes here.
      const done = (): void => {
        setTimeout(() => this.shared.delete(etag), SHARED_MS).unref();
      };
      answer.then(done, () => this.shared.delete(etag));
    }
    return answer;
  }

  private async ask<Args>(caller: Caller, statement: Statement<Args, unknown>, args: Args): Promise<string> {
    const { rows } = await this.pool.query<{ answer: string | null }>({
      name: statement.name,
      text: statement.text,
      values: bind(caller, statement.parameters, args as object),
    });
    const text = rows[0]?.answer;
    if (text === null || text === undefined) throw notFound();
    return text;
  }

  /**
   * Does `work` whole or not at all. Where the caller's request may be retried (`Idempotency-Key`), its answer is stored
   * with the effect, and a repeat gets that answer instead of a second effect.
   * @throws Replayed, ConflictException (a first attempt still runs after 10 s; its answer was not kept),
   *   UnprocessableEntityException (the key stands for another body)
   * @param plain the plain case of the same work as one statement, tried first
   */
  async transaction<T, Args extends object>(
    caller: Caller,
    work: (tx: Tx) => Promise<T>,
    plain?: Plain<T, Args>,
  ): Promise<T> {
    const { retry } = caller;
    if (!retry) return this.run(caller, work, null, plain);
    retry.used = true;
    const fingerprint = fingerprintOf(caller, retry);
    const place = caller.tenantId + fingerprint.toString("base64");
    const deadline = Date.now() + IN_FLIGHT_WAIT_MS;
    for (let ahead = this.inFlight.get(place); ahead; ahead = this.inFlight.get(place))
      await within(ahead, deadline - Date.now());
    const attempt = this.run(caller, work, { ...retry, fingerprint }, plain);
    const settled = attempt.then(
      () => undefined,
      () => undefined,
    );
    this.inFlight.set(place, settled);
    try {
      return await attempt;
    } finally {
      this.inFlight.delete(place);
    }
  }

  private async run<T, Args extends object>(
    caller: Caller,
    work: (tx: Tx) => Promise<T>,
    retry: Claim | null,
    plain?: Plain<T, Args>,
  ): Promise<T> {
    if (!UUID.test(caller.tenantId)) throw new Error("a caller without a tenant");
    if (plain && (await this.doneAtOnce(caller, plain, retry))) return plain.answer;
    for (let attempt = 1; ; attempt++) {
      const runner = this.source.createQueryRunner();
      // Each attempt has its own list: what an attempt that was undone wanted done is forgotten with it.
      const committed: AfterCommit[] = [];
      let result: T;
      try {
        result = await this.attempt(runner, caller, work, retry, committed);
      } catch (error) {
        if (attempt < MOST_ATTEMPTS && cameSecond(error)) continue;
        throw error;
      } finally {
        await runner.release();
      }
      if (committed.length) await this.follow(committed);
      return result;
    }
  }

  /** The change is permanent by now, so an error here must not reach the caller. */
  private async follow(committed: readonly AfterCommit[]): Promise<void> {
    for (const work of committed) {
      try {
        await work();
      } catch (error) {
        this.log.error(`after a commit: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  }

  /** @returns false where nothing was done: it is not the plain case, or somebody else came first */
  private async doneAtOnce<T, Args extends object>(
    caller: Caller,
    { statement: { name, text, parameters }, args, answer }: Plain<T, Args>,
    retry: Claim | null,
  ): Promise<boolean> {
    const { status, text: response } = answer;
    const values = bind(caller, parameters, {
      ...args,
      ...authorship(caller),
      ...(retry && { fingerprint: retry.fingerprint, bodyHash: retry.bodyHash, status, response }),
    });
    // Until it is known what became of it, it may show anywhere.
    let place: string | null = null;
    try {
      const { rows } = await this.pool.query<{ place: string }>({ name, text, values });
      if (!rows[0]) return false;
      ({ place } = rows[0]);
    } catch (error) {
      if (cameSecond(error)) return false;
      this.changes.committed(caller.tenantId, place);
      throw error;
    }
    this.changes.committed(caller.tenantId, place);
    return true;
  }

  /** Three messages to the database, whatever the request's retries need: open and claim, work, store and commit. */
  private async attempt<T>(
    runner: QueryRunner,
    caller: Caller,
    work: (tx: Tx) => Promise<T>,
    retry: Claim | null,
    committed: AfterCommit[],
  ): Promise<T> {
    const client = (await runner.connect()) as PoolClient;
    // A connection that breaks between two queries says so more than once, and TypeORM listens for the first time alone: unheard, an error ends the process.
    if (!client.listeners("error").includes(unheard)) client.on("error", unheard);
    const tx = new Tx(runner, client, caller, committed);
    try {
      // Without parameters PostgreSQL takes several statements in one message; a UUID is safe to quote.
      const { actor, action } = authorship(caller);
      const opened = await client
        .query(
          `begin; select set_config('app.tenant_id', '${caller.tenantId}', true), set_config('app.actor', ${escapeLiteral(actor)}, true), set_config('app.action', ${escapeLiteral(action)}, true)${retry ? claim(caller, retry) : ""}`,
        )
        .catch((error: unknown) => {
          throw retry && driverError(error)?.code === "55P03" ? stillRunning() : (error as Error);
        });
      if (retry && !lastOf(opened).rowCount) {
        await this.replay(tx, retry);
        throw stillRunning();
      }
      const result = await work(tx);
      const closing = retry ? store(caller, retry, result) : "";
      try {
        const ended = await client.query(`${closing}commit`);
        // PostgreSQL answers so, without an error, where `work` went on after a statement that failed.
        if (lastOf(ended).command === "ROLLBACK") throw new Error("the transaction had failed and was rolled back");
      } finally {
        // Also where the answer to the commit was lost: it may have happened.
        if (tx.place !== undefined) this.changes.committed(caller.tenantId, tx.place);
      }
      return result;
    } catch (error) {
      // On a broken connection the server has rolled back by itself.
      await client.query("rollback").catch(() => undefined);
      throw error;
    }
  }

  /**
   * For work with a step outside the database, which a repeat must not take again before its transaction finds the answer.
   * @throws Replayed, UnprocessableEntityException: the caller's request was carried out before
   */
  async assertNew(tx: Tx, caller: Caller): Promise<void> {
    if (caller.retry) await this.replay(tx, { ...caller.retry, fingerprint: fingerprintOf(caller, caller.retry) });
  }

  /** Returns only where the request was not carried out before; it may be at this moment. */
  private async replay(tx: Tx, { fingerprint, bodyHash }: Claim): Promise<void> {
    const [first] = await tx.query<{ body_hash: Buffer; status: number; response: string | null }>(
      "select body_hash, status, response from idempotency_key where tenant_id = :tenant and fingerprint = :fingerprint",
      { fingerprint },
    );
    if (!first) return;
    if (!first.body_hash.equals(bodyHash))
      throw new UnprocessableEntityException("This Idempotency-Key was used before with another body");
    if (first.response === null) throw notRepeatable();
    throw new Replayed(new Json(first.response, first.status));
  }

  /** A query on the few global tables (see `isolation.ts`), before or beyond any tenant. */
  async global<Row>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query(sql, values);
    return rows as Row[];
  }

  /**
   * Runs `work` unless another process, or this one, is at it.
   * @returns undefined where it was not this process's turn
   */
  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T | undefined> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    const note = (error: Error) => {
      broken = error;
    };
    client.on("error", note);
    try {
      const { rows } = await client.query<{ got: boolean }>("select pg_try_advisory_lock(hashtext($1)) as got", [name]);
      if (!rows[0]?.got) return undefined;
      try {
        return await work();
      } finally {
        await client.query("select pg_advisory_unlock(hashtext($1))", [name]).catch(note);
      }
    } finally {
      client.off("error", note);
      client.release(broken);
    }
  }
}

type Claim = Retry & { fingerprint: Buffer };
const fingerprintOf = (caller: Caller, { method, path, key }: Retry): Buffer =>
  hash("sha256", JSON.stringify([callerId(caller), method, path, key]), "buffer");
/** The plain case of a transaction, with its answer. */
interface Plain<T, Args> {
  statement: AtOnce<Args>;
  args: Args;
  answer: T & Json;
}

const unheard = (): void => undefined;
const bytes = (value: Buffer): string => `'\\x${value.toString("hex")}'::bytea`;
const lastOf = (results: QueryResult | QueryResult[]): QueryResult => [results].flat().at(-1)!;

/** Makes this request the one that counts; another one with the same key waits here for the end of its transaction. */
const claim = (
  { tenantId }: Caller,
  { fingerprint, bodyHash }: Claim,
): string => `; set local lock_timeout = ${IN_FLIGHT_WAIT_MS};
  insert into idempotency_key (tenant_id, fingerprint, body_hash) values ('${tenantId}', ${bytes(fingerprint)}, ${bytes(bodyHash)}) on conflict do nothing returning 1`;

function store({ tenantId }: Caller, { fingerprint, method, path }: Claim, result: unknown): string {
  if (!(result instanceof Json)) throw new Error(`${method} ${path} gives its transaction no answer to store`);
  return `update idempotency_key set status = ${result.status}, response = ${result.secret ? "null" : escapeLiteral(result.text)}
    where tenant_id = '${tenantId}' and fingerprint = ${bytes(fingerprint)}; `;
}

const positionArgs = (position: unknown[] | null): Record<string, unknown> =>
  Object.fromEntries((position ?? []).map((value, index) => [`after${index}`, value]));

const stillRunning = () =>
  new ConflictException("The first request with this Idempotency-Key is still running; try again");

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await Promise.race([
      work,
      new Promise((_, reject) => {
        timer = setTimeout(() => reject(stillRunning()), Math.max(ms, 0));
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
