import { hash } from "node:crypto";
import type { PoolClient } from "pg";
import type { EntityTarget, ObjectLiteral, QueryRunner } from "typeorm";
import type { QueryDeepPartialEntity } from "typeorm/query-builder/QueryPartialEntity.js";
import type { Caller, SystemCaller } from "../caller/caller.js";
import { notFound } from "../http/errors.js";
import { Json } from "../http/json.js";
import { bind, inReach, number, REACHABLE, scopeOf, type Statement } from "./statement.js";

const statements = new Map<string, Statement<never, unknown>>();

/** The SQL of the services is written once: PostgreSQL prepares it once a connection. */
function prepared(sql: string): Statement<never, unknown> {
  let statement = statements.get(sql);
  if (!statement)
    statements.set(sql, (statement = { name: `tx ${hash("sha256", sql, "base64url").slice(0, 20)}`, ...number(sql) }));
  return statement;
}

/** Work that follows a commit. */
export type AfterCommit = () => Promise<void> | void;

type Values<Entity> = Omit<QueryDeepPartialEntity<Entity>, "tenantId">;

/**
 * A transaction under way. Whatever goes through it stays within the caller's tenant, and what belongs to a workspace
 * within the caller's reach.
 */
export class Tx {
  /** Where its changes show: in one workspace, or, null, anywhere in the tenant; undefined: nowhere. */
  place: string | null | undefined = null;

  constructor(
    private readonly runner: QueryRunner,
    private readonly client: PoolClient,
    readonly caller: Caller,
    private readonly committed: AfterCommit[] = [],
  ) {}

  /**
   * Runs `work` once this transaction has committed and its connection is free again. It does not run if the transaction
   * is rolled back, and runs once if the transaction is attempted several times. If it fails, that is logged and nothing else.
   */
  afterCommit(work: AfterCommit): void {
    this.committed.push(work);
  }

  /** Does `work`. If it throws, its changes are undone and what was to follow the commit is forgotten; the transaction can go on. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    const { length } = this.committed;
    await this.client.query("savepoint nested");
    try {
      const result = await work();
      await this.client.query("release savepoint nested");
      return result;
    } catch (error) {
      await this.client.query("rollback to savepoint nested; release savepoint nested");
      this.committed.length = length;
      throw error;
    }
  }

  /** Does `work` and undoes it, with everything that was to follow the commit. @returns what `work` returned */
  async preview<T>(work: () => Promise<T>): Promise<T> {
    const { length } = this.committed;
    await this.client.query("savepoint preview");
    const result = await work();
    await this.client.query("rollback to savepoint preview");
    this.committed.length = length;
    return result;
  }

  /** Promises that nothing outside this workspace, and nothing about keys or members, shows what is changed here: the other workspaces' pollers are left in peace. */
  within(workspaceId: string): void {
    this.place = workspaceId;
  }

  /** Promises that nothing was changed that anybody reads: what pollers have stays good. */
  unseen(): void {
    this.place = undefined;
  }

  /** The same transaction on another tenant or side, for the system alone: provisioning makes both sides at once. */
  async actingFor(caller: SystemCaller): Promise<Tx> {
    if (this.caller.kind !== "system") throw new Error("only the system acts for another tenant");
    const tx = new Tx(this.runner, this.client, caller, this.committed);
    await tx.query(`select set_config('app.tenant_id', :tenant::uuid::text, true)`);
    return tx;
  }

  /** @throws NotFoundException where the statement answers with nothing */
  async read<Args, Result>(statement: Statement<Args, Result>, args: Args): Promise<Json<Result>> {
    const [row] = await this.rows<{ answer: string | null }>(statement, args as object);
    if (row?.answer == null) throw notFound();
    return new Json<Result>(row.answer);
  }

  /** Any SQL, with `:tenant`, `:brand`, `:workspaces` and arguments by name. Row-level security holds it to the tenant; the reach is its own care. */
  query<Row>(sql: string, args: object = {}): Promise<Row[]> {
    return this.rows<Row>(prepared(sql), args);
  }

  private async rows<Row>({ name, text, parameters }: Statement<never, unknown>, args: object): Promise<Row[]> {
    const { rows } = await this.client.query({ name, text, values: bind(this.caller, parameters, args) });
    return rows as Row[];
  }

  async insert<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>, values: Values<Entity>): Promise<void> {
    await this.runner.manager
      .createQueryBuilder()
      .insert()
      .into(entity)
      .values({ ...values, tenantId: this.caller.tenantId })
      .updateEntity(false)
      .execute();
  }

  /** @returns how many rows were changed: none where what `where` names is absent, of another tenant or out of reach */
  async update<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    where: Partial<Entity>,
    values: Values<Entity>,
  ): Promise<number> {
    const { table, condition } = this.restriction(entity);
    const { affected } = await this.runner.manager
      .createQueryBuilder()
      .update(table)
      .set(values)
      .where({ ...where, tenantId: this.caller.tenantId })
      .andWhere(condition, scopeOf(this.caller))
      .execute();
    return affected ?? 0;
  }

  /**
   * The one row that `where` names.
   * @throws NotFoundException: absent, of another tenant or out of reach, all the same
   */
  async findOrThrow<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    where: Partial<Entity>,
  ): Promise<Entity> {
    const { table, condition } = this.restriction(entity);
    const found = await this.runner.manager
      .createQueryBuilder(entity, table)
      .where({ ...where, tenantId: this.caller.tenantId })
      .andWhere(condition, scopeOf(this.caller))
      .getOne();
    if (!found) throw notFound();
    return found;
  }

  private restriction(entity: EntityTarget<ObjectLiteral>): { table: string; condition: string } {
    const { tableName: table, columns } = this.runner.connection.getMetadata(entity);
    if (table === "workspace")
      return { table, condition: `"workspace"."id" in (select w.id from workspace w where ${REACHABLE})` };
    // What may lack a workspace, as a key does, does not belong to one.
    const ofWorkspace = columns.some(({ propertyName, isNullable }) => propertyName === "workspaceId" && !isNullable);
    return { table, condition: ofWorkspace ? inReach(`"${table}"`) : "true" };
  }
}
