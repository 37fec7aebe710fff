import { type BeforeApplicationShutdown, Injectable, Logger } from "@nestjs/common";
import type { ClientBase, Pool, PoolClient } from "pg";
import type { QueryRunner } from "typeorm";
import type { Caller } from "../caller/caller.js";
import { authorship, type Question, requestOf } from "../caller/request-context.js";
import { Config } from "../config/config.js";
import { Cursors } from "../http/cursor.js";
import { causeOf, derivationFailed, lostRace, notFound } from "../http/errors.js";
import { names } from "../http/etag.js";
import { Json, type Page } from "../http/json.js";
import { Metrics } from "../metrics/metrics.js";
import type { AnswerRead } from "./read-engine/answer-read.js";
import { Tracing } from "../tracing/tracing.js";
import { APP_ROLE } from "./app-role.js";
import { Changes } from "./changes.js";
import {
  assertFirstClaim,
  claim,
  type Claim,
  claimOf,
  IN_FLIGHT_WAIT_MS,
  InFlight,
  replay,
  store,
} from "./idempotency.js";
import { type AnyRead, PolledAnswers } from "./polled-answers.js";
import { Everywhere } from "./everywhere.js";
import { Elsewhere, Homes } from "./homes.js";
import { Replica } from "./replica.js";
import { measureServers } from "./server-metrics.js";
import { type Server, Servers } from "./servers.js";
import { bind, literal, type Scope, scopeOf, sql } from "./sql.js";
import {
  type GlobalQuery,
  globalQuery,
  type PageArgs,
  type PageRead,
  type Read,
  type RecordsRead,
  type SingleStatementChange,
} from "./statements.js";
import { type AfterCommit, Tx } from "./transaction.js";

/** A request can meet others at a few unique keys, or cross them at locks, one after the other. */
const MAX_ATTEMPTS = 5;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const TRY_LOCK = globalQuery<{ lock: string }, { locked: boolean }>()(
  "database.tryLock",
  "control",
  ({ lock }) => sql`select pg_try_advisory_lock(hashtext(${lock})) as locked`,
);
const UNLOCK = globalQuery<{ lock: string }>()(
  "database.unlock",
  "control",
  ({ lock }) => sql`select pg_advisory_unlock(hashtext(${lock}))`,
);

interface Settings {
  tenantId: string;
  actor: string;
  action: string;
  /** Milliseconds, or null for the server's default. */
  lockTimeout: string | null;
}
/**
 * Outside of transactions a statement is planned once (see `options.ts`). Transactions also have statements with thousands
 * of ids in one array, which need a plan that knows how many.
 */
const PLAN_WITH_VALUES = sql`set_config('plan_cache_mode', 'auto', true)`;
/** Whatever a pooler made of the role, the transaction's statements are held to their tenant. */
const AS_APPLICATION = sql`set_config('role', ${literal(APP_ROLE)}, true)`;
/** Reads the tenant's own row, so that a router between us and several databases sees the tenant first. */
const BEGIN_AS_TENANT = globalQuery<Settings, { ready: boolean }>()(
  "database.beginAsTenant",
  "tenant",
  ({ tenantId, actor, action, lockTimeout }) => sql`
    select true as ready, set_config('app.tenant_id', t.id::text, true), set_config('app.actor', ${actor}, true),
      set_config('app.action', ${action}, true), ${AS_APPLICATION}, ${PLAN_WITH_VALUES},
      set_config('lock_timeout', coalesce(${lockTimeout}, current_setting('lock_timeout')), true)
    from tenant t where t.id = ${tenantId}`,
);
/** For a tenant that this transaction makes. */
const BEGIN_AS_NEW_TENANT = globalQuery<Settings, { ready: boolean }>()(
  "database.beginAsNewTenant",
  "tenant",
  ({ tenantId, actor, action, lockTimeout }) => sql`
    select true as ready, set_config('app.tenant_id', ${tenantId}::uuid::text, true),
      set_config('app.actor', ${actor}, true), set_config('app.action', ${action}, true), ${AS_APPLICATION},
      ${PLAN_WITH_VALUES},
      set_config('lock_timeout', coalesce(${lockTimeout}, current_setting('lock_timeout')), true)`,
);

/** The organisation cannot leave this server before the transaction ends. See `homes.sql`. */
const HOLD = globalQuery<{ tenantId: string; server: string }, { here: boolean }>()(
  "database.hold",
  "tenant",
  ({ tenantId, server }) => sql`select hold_home(${tenantId}, ${server}) as here`,
);

/** Triggers note what they would derive, such as index entries, for `RepairJob`; see `derived.sql`. */
const DERIVE_LATER = globalQuery()(
  "database.deriveLater",
  "tenant",
  () => sql`select set_config('app.derived', 'later', true)`,
);

/** Where in a growing list to continue, and how far. */
export interface Paging {
  limit: number;
  cursor?: string;
}

/**
 * The only way to the data. Everything that passes carries the caller's tenant, which row-level security enforces, and
 * the caller's reach.
 */
@Injectable()
export class Database implements BeforeApplicationShutdown {
  private readonly log = new Logger("database");
  private readonly cursors: Cursors;
  private readonly inFlight = new InFlight();
  private readonly polled: PolledAnswers;
  /** Of control. */
  private readonly replica?: Replica;
  private readonly control: Server;
  private readonly everywhere: Everywhere;

  constructor(
    private readonly servers: Servers,
    private readonly homes: Homes,
    private readonly changes: Changes,
    config: Config,
    metrics: Metrics,
    private readonly tracing: Tracing,
  ) {
    this.cursors = new Cursors(config.secretKeys);
    this.polled = new PolledAnswers(changes);
    this.control = servers.control;
    this.everywhere = new Everywhere(servers, homes);
    measureServers(metrics, servers, homes);
    metrics.gauge(
      "parley_db_replica_lag_seconds",
      "How far the standby of DATABASE_REPLICA_URL is behind; missing while it is away",
      () => this.replica?.lagSeconds,
    );
    const { connections } = this.control;
    if (connections.replica) this.replica = new Replica(connections, connections.replica, changes, config);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.replica?.close();
  }

  /**
   * Runs one statement.
   * @throws NotFoundException, the same for what is absent, of another tenant and out of reach
   */
  async read<Args extends object, Result>(
    caller: Caller,
    statement: Read<Args, Result>,
    args: Args,
  ): Promise<Json<Result>> {
    if (statement.reach === "checked") throw new Error(`${statement.name} needs a transaction that checked the reach`);
    // Before the version, which is of this server.
    const home = this.homes.of(caller.tenantId);
    const server = home instanceof Promise ? await home : home;
    const question = this.polled.question(caller, statement, args);
    const etag = question && this.polled.etagOf(question);
    if (etag && hasAnswer(caller, question, etag)) return Json.unchanged(etag);
    return this.polled.share(etag, () =>
      this.ask(server, caller, statement, args, (value) => {
        const { records, field } = statement;
        if (records) return new Json<Result>(records.write(`{"${field}":`, value, "}")).tagged(etag);
        const answer = value.toString();
        return new Json<Result>(answer).tagged((statement.isFinal?.(answer) ?? true) ? etag : undefined);
      }),
    );
  }

  /** Runs a page statement. A cursor is bound to the list, the tenant and the `filters`. */
  async page<Args extends object, Item>(
    caller: Caller,
    statement: PageRead<Args, Item>,
    filters: Omit<Args, keyof PageArgs>,
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
    const args = { ...filters, ...positionArgs(position), limit: paging.limit };
    const home = this.homes.of(caller.tenantId);
    const server = home instanceof Promise ? await home : home;
    const question = this.polled.question(caller, statement, args);
    const etag = question && this.polled.etagOf(question);
    if (etag && hasAnswer(caller, question, etag)) return Json.unchanged(etag);
    return this.polled.share(etag, () =>
      this.ask(server, caller, statement, args, (value) => {
        const end = value.indexOf("\n");
        const next = end === 0 ? "" : `,"nextCursor":"${this.cursors.mint(query(), value.toString("utf8", 0, end))}"`;
        const rows = value.subarray(end + 1);
        const { records } = statement;
        const json = records
          ? records.write('{"data":', rows, `${next}}`, paging.limit)
          : `{"data":${rows.toString()}${next}}`;
        return new Json<Page<Item>>(json).tagged(etag);
      }),
    );
  }

  /**
   * Runs a statement whose rows `readRecords` reads.
   * @param read must not keep the bytes
   * @throws NotFoundException, as the other `read`
   */
  async records<Args extends object, Result>(
    caller: Caller,
    statement: RecordsRead<Args>,
    args: Args,
    read: (records: Buffer) => Result,
  ): Promise<Result> {
    return this.ask(await this.homes.of(caller.tenantId), caller, statement, args, read);
  }

  /** Whether organisations live on several servers. */
  get isSpread(): boolean {
    return this.homes.areSeveral;
  }

  /** The ETag that an answer to this question has now; undefined while no versions are known. */
  etagOf(question: Question): string | undefined {
    return this.polled.etagOf(question);
  }

  private async ask<Answer>(
    server: Server,
    caller: Caller,
    statement: AnyRead | RecordsRead<never>,
    args: object,
    read: (value: Buffer) => Answer,
  ): Promise<Answer> {
    const { name, text, slots, polled } = statement;
    // What callers poll comes through an index in a moment. The others may be searches.
    const values = bind(slots, scopeOf(caller), args);
    const answer = await this.carry(server, caller, statement, { name, text, values, read, isShort: polled });
    if (answer !== null && answer !== undefined) return answer;
    if (statement.kind === "page" && statement.otherwise)
      return this.ask(server, caller, statement.otherwise, args, read);
    throw notFound();
  }

  private async carry<Answer>(
    server: Server,
    { tenantId }: Caller,
    statement: AnyRead | RecordsRead<never>,
    read: AnswerRead<Answer>,
  ): Promise<Answer | null | undefined> {
    if (statement.mayLag && server === this.control && this.replica?.mayRead(tenantId)) {
      const answer = await this.replica.run(read);
      if (answer !== "elsewhere") return answer;
    }
    return server.answers.run(read);
  }

  /**
   * Does `work` whole or not at all. If the caller's request has an `Idempotency-Key`, its answer is stored with the
   * effect, and a repeat gets that answer instead of a second effect.
   * @param common the common case of the same work as one statement, tried first
   * @throws Replayed, ConflictException (the first attempt still runs after 10 s, or its answer was not kept),
   *   UnprocessableEntityException (the key was used with another body)
   */
  async transaction<T, Args extends object>(
    caller: Caller,
    work: (tx: Tx) => Promise<T>,
    common?: CommonCase<T, Args>,
  ): Promise<T> {
    const made = claimOf(caller);
    if (!made) return this.traced(caller, work, null, common);
    assertFirstClaim(caller);
    return this.inFlight.run(caller, made, () => this.traced(caller, work, made, common));
  }

  /**
   * A transaction beside the one that does the request's work, for a step that must be committed by itself, such as one
   * before a call to another server. It does not claim the request's Idempotency-Key, but it has no effect if the
   * request was carried out before.
   * @throws Replayed, ConflictException, UnprocessableEntityException: the request was carried out before
   */
  async separateTransaction<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    const made = claimOf(caller);
    return this.traced(
      caller,
      async (tx) => {
        if (made) await replay(tx, made);
        return work(tx);
      },
      null,
    );
  }

  private traced<T, Args extends object>(...given: Parameters<typeof this.run<T, Args>>): Promise<T> {
    return this.tracing.step("transaction", {}, () => this.run(...given));
  }

  private async run<T, Args extends object>(
    caller: Caller,
    work: (tx: Tx) => Promise<T>,
    made: Claim | null,
    common?: CommonCase<T, Args>,
  ): Promise<T> {
    if (!UUID.test(caller.tenantId)) throw new Error("a caller without a tenant");
    if (common && (await this.inOneStatement(caller, common, made))) return common.answer;
    let deriveLater = false;
    const since = performance.now();
    for (let attempt = 1; ; attempt++) {
      const home = this.homes.of(caller.tenantId);
      const server = home instanceof Promise ? await home : home;
      const runner = server.runner();
      // Each attempt has its own list: what an attempt that was undone wanted done is forgotten with it.
      const committed: AfterCommit[] = [];
      let result: T;
      try {
        result = await this.attempt({ server, runner, committed, deriveLater }, caller, work, made);
      } catch (error) {
        if (error instanceof Elsewhere && (await this.homes.wait(caller.tenantId, since))) {
          attempt--;
          continue;
        }
        if (attempt < MAX_ATTEMPTS && lostRace(error)) continue;
        if (!deriveLater && derivationFailed(error)) {
          this.log.error(`an index, a count or an audit entry failed and is made later: ${causeOf(error)}`);
          deriveLater = true;
          continue;
        }
        throw error;
      } finally {
        await runner.release();
      }
      if (committed.length) await this.follow(committed);
      return result;
    }
  }

  /** The change is already permanent, so an error here must not reach the caller. */
  private async follow(committed: readonly AfterCommit[]): Promise<void> {
    for (const work of committed) {
      try {
        await work();
      } catch (error) {
        this.log.error(`after a commit: ${error instanceof Error ? error.stack : String(error)}`);
      }
    }
  }

  /** @returns false if nothing was done: this is not the common case, or another request came first */
  private async inOneStatement<T, Args extends object>(
    caller: Caller,
    { statement, args, answer }: CommonCase<T, Args>,
    made: Claim | null,
  ): Promise<boolean> {
    // Only a transaction holds its organisation where it is.
    if (this.homes.areSeveral) return false;
    const { status, text: response } = answer;
    const all = {
      ...args,
      ...authorship(caller),
      ...(made && { fingerprint: made.fingerprint, bodyHash: made.bodyHash, status, response }),
    };
    const { name, text, slots } = statement;
    const values = bind(slots, scopeOf(caller), all);
    // Until its outcome is known, the change may be visible anywhere.
    let visibleIn: string | null = null;
    try {
      const { rows } = await this.control.pool.query<{ workspaceId: string }>({ name, text, values });
      if (!rows[0]) return false;
      visibleIn = rows[0].workspaceId;
    } catch (error) {
      if (lostRace(error) || derivationFailed(error)) return false;
      this.changes.committed(this.control.name, caller.tenantId, visibleIn);
      throw error;
    }
    this.changes.committed(this.control.name, caller.tenantId, visibleIn);
    return true;
  }

  private async attempt<T>(
    { server, runner, committed, deriveLater }: Attempt,
    caller: Caller,
    work: (tx: Tx) => Promise<T>,
    made: Claim | null,
  ): Promise<T> {
    const client = (await runner.connect()) as PoolClient;
    const tx = new Tx(runner, client, caller, committed);
    try {
      await runner.startTransaction();
      // TypeORM takes row locks only in a transaction that it knows of.
      Object.assign(runner, { isTransactionActive: true });
      await this.setTenant(client, caller, made ? IN_FLIGHT_WAIT_MS : null);
      if (this.homes.areSeveral) await this.hold(client, caller, server);
      if (deriveLater) await this.send(client, DERIVE_LATER, {});
      if (made) await claim(tx, made);
      const result = await work(tx);
      if (made) await store(tx, made, result);
      try {
        const { command } = await client.query("commit");
        // PostgreSQL answers so, without an error, where `work` went on after a statement that failed.
        if (command === "ROLLBACK") throw new Error("the transaction had failed and was rolled back");
      } finally {
        // Also where the answer to the commit was lost: the commit may have happened.
        this.note(server, caller, tx);
      }
      return result;
    } catch (error) {
      server.noteReadOnly(client, error);
      // On a broken connection the server has rolled back by itself.
      await client.query("rollback").catch(() => undefined);
      throw error;
    } finally {
      Object.assign(runner, { isTransactionActive: false });
    }
  }

  private async setTenant(client: PoolClient, caller: Caller, lockTimeoutMs: number | null): Promise<void> {
    const args = { tenantId: caller.tenantId, ...authorship(caller), lockTimeout: lockTimeoutMs?.toString() ?? null };
    const [set] = await this.send(client, BEGIN_AS_TENANT, args);
    if (!set) await this.send(client, BEGIN_AS_NEW_TENANT, args);
  }

  /** @throws Elsewhere: the organisation has left this server, or is about to */
  private async hold(client: PoolClient, { tenantId }: Caller, { name: server }: Server): Promise<void> {
    const [held] = await this.send(client, HOLD, { tenantId, server });
    if (!held?.here) throw new Elsewhere();
  }

  private note({ name }: Server, { tenantId }: Caller, { visibleIn }: Tx): void {
    for (const workspaceId of visibleIn ?? [null]) this.changes.committed(name, tenantId, workspaceId);
  }

  /**
   * A query on the global tables (see `isolation.ts`) of what the installation has once.
   * @throws Error if control is one of several servers, and does not answer
   */
  async global<Args extends object, Row>(
    statement: GlobalQuery<Args, Row, "control">,
    ...[args]: object extends Args ? [args?: Args] : [args: Args]
  ): Promise<Row[]> {
    this.control.assertUp();
    return this.send(this.control.pool, statement, args ?? {});
  }

  /** A query on the global tables where the tenant's organisation lives. */
  async globalOf<Args extends object, Row>(
    tenantId: string,
    statement: GlobalQuery<Args, Row, "tenant">,
    args: Args,
  ): Promise<Row[]> {
    const home = this.homes.of(tenantId);
    return this.send((home instanceof Promise ? await home : home).pool, statement, args);
  }

  /**
   * Looks for somebody of whom it is not known where they live: where the same was found before, or on all servers at once.
   * @param tenantOf what a server says of a tenant that does not live there is not believed
   * @param isEnough whether the rows are all that can matter, although a server did not answer
   * @throws the error of a server that did not answer: the row may be there
   */
  lookUp<Args extends object, Row>(
    statement: GlobalQuery<Args, Row, "everywhere">,
    args: Args,
    tenantOf: (row: Row) => string | undefined,
    isEnough: (rows: readonly Row[]) => boolean = (rows) => rows.length > 0,
  ): Promise<Row[]> {
    if (!this.homes.areSeveral) return this.send(this.control.pool, statement, args);
    const question = `${statement.name} ${JSON.stringify(args)}`;
    return this.everywhere.lookUp(question, (server) => this.send(server.pool, statement, args), tenantOf, isEnough);
  }

  /** Tenants of all servers, for commands, which leave out none. @throws the error of a server that did not answer */
  all<Args extends object, Row extends { id: string }>(
    statement: GlobalQuery<Args, Row, "everywhere">,
    ...[args]: object extends Args ? [args?: Args] : [args: Args]
  ): Promise<Row[]> {
    return this.lookUp(
      statement,
      args ?? ({} as Args),
      ({ id }) => id,
      () => false,
    );
  }

  /** Reads or claims rows of all tenants, on each server in turn. A server that does not answer is left out. */
  sweep<Args extends object, Row>(
    statement: GlobalQuery<Args, Row, "everywhere">,
    ...[args]: object extends Args ? [args?: Args] : [args: Args]
  ): Promise<Row[]> {
    if (!this.homes.areSeveral) return this.send(this.control.pool, statement, args ?? {});
    return this.everywhere.sweep(
      (server, room, strangers) => this.send(server.pool, statement, { ...args, ...room }, { ...NO_SCOPE, strangers }),
      args ?? {},
    );
  }

  private async send<Args extends object, Row>(
    connection: Pool | ClientBase,
    { name, text, slots }: GlobalQuery<Args, Row>,
    args: object,
    scope: Scope = NO_SCOPE,
  ): Promise<Row[]> {
    const { rows } = await connection.query({ name, text, values: bind(slots, scope, args) });
    return rows as Row[];
  }

  /**
   * Runs `work` unless this process or another one is running work of the same name.
   * @returns undefined where it did not run
   */
  async exclusively<T>(lock: string, work: () => Promise<T>): Promise<T | undefined> {
    const client = await this.servers.locks.connect();
    let unlocked = false;
    try {
      const [attempt] = await this.send(client, TRY_LOCK, { lock });
      unlocked = !attempt!.locked;
      if (unlocked) return undefined;
      try {
        return await work();
      } finally {
        unlocked = await this.send(client, UNLOCK, { lock }).then(
          () => true,
          () => false,
        );
      }
    } finally {
      // The end of a connection ends its locks.
      client.release(!unlocked);
    }
  }
}

/** Whether the caller's request names this ETag. */
function hasAnswer(caller: Caller, question: Question, etag: string): boolean {
  const request = requestOf(caller);
  if (!names(request?.ifNoneMatch, etag)) return false;
  request?.onUnchanged?.(question);
  return true;
}

/** One attempt at a transaction. */
interface Attempt {
  server: Server;
  runner: QueryRunner;
  committed: AfterCommit[];
  deriveLater: boolean;
}

/** The common case of a transaction, with its answer. */
interface CommonCase<T, Args> {
  statement: SingleStatementChange<Args>;
  args: Args;
  answer: T & Json;
}

/** Global queries bind no caller. */
const NO_SCOPE: Scope = { tenant: "", brand: null, workspaces: [], strangers: [] };

const positionArgs = (position: unknown[] | null): Partial<PageArgs> =>
  Object.fromEntries((position ?? []).map((value, index) => [`after${index}`, value]));
