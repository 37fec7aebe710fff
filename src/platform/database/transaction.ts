import type { PoolClient } from "pg";
import { type EntityTarget, type FindOptionsWhere, type ObjectLiteral, type QueryRunner, Raw } from "typeorm";
import type { QueryDeepPartialEntity } from "typeorm/query-builder/QueryPartialEntity.js";
import type { Caller, SystemCaller } from "../caller/caller.js";
import { notFound } from "../http/errors.js";
import { Json } from "../http/json.js";
import { bind, Parameter, scopeOf, sql, type Sql } from "./sql.js";
import { inReach, type Query, REACHABLE, type Read, type ReachRule } from "./statements.js";

/** Work that follows a commit. */
export type AfterCommit = () => Promise<void> | void;

/** Which rows of an entity: equal values, or TypeORM's operators (`In`, `IsNull`, `LessThan` …). The tenant is added. */
type Where<Entity> = Omit<FindOptionsWhere<Entity>, "tenantId">;
type Values<Entity> = Omit<QueryDeepPartialEntity<Entity>, "tenantId">;
type Column<Entity> = keyof Entity & string;

/** Row locks by their names in SQL. The weaker ones, `no key update` and `key share`, let foreign keys point at the row. */
const LOCKS = {
  update: "pessimistic_write",
  "no key update": "for_no_key_update",
  share: "pessimistic_read",
  "key share": "for_key_share",
} as const;
interface FindOptions<Entity> {
  lock?: keyof typeof LOCKS;
  order?: Partial<Record<Column<Entity>, "ASC" | "DESC">>;
  limit?: number;
}

/** What `returning` returned. */
const rawOf = (result: { raw: unknown }): Record<string, unknown>[] => result.raw as Record<string, unknown>[];

/** A condition as TypeORM's query builder takes it, which binds parameters by their names. */
const forBuilder = ({ strings, values }: Sql): string =>
  strings.reduce((text, string, index) => {
    const value = values[index - 1];
    if (!(value instanceof Parameter)) throw new Error("only the tenant and the reach are bound here");
    return `${text}:${value.name}${string}`;
  });

/**
 * A transaction under way. Everything in it stays within the caller's tenant, and rows of a workspace stay within the
 * caller's reach.
 */
export class Tx {
  private readonly workspaces = new Set<string>();
  private visibility: "tenant" | "workspaces" | "none" | undefined;
  /** Whether something was found within the caller's reach. */
  private reachChecked = false;

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
      await this.client.query("rollback to savepoint nested");
      await this.client.query("release savepoint nested");
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

  /**
   * Records that this transaction changes something that is visible in this workspace only. Callers that poll other
   * workspaces keep their cached answers. Calls add up.
   */
  changesWorkspace(workspaceId: string): void {
    this.workspaces.add(workspaceId);
    if (this.visibility !== "tenant") this.visibility = "workspaces";
  }

  /** Records that this transaction changes something that is visible in the whole tenant, such as keys or members. */
  changesTenant(): void {
    this.visibility = "tenant";
  }

  /** Records that this transaction changes nothing that any read shows, unless it records a change as well. */
  changesNothingVisible(): void {
    this.visibility ??= "none";
  }

  /** Where its changes are visible: in these workspaces, in the whole tenant (null), or nowhere (empty). */
  get visibleIn(): readonly string[] | null {
    if (this.visibility === "none") return [];
    return this.visibility === "workspaces" ? [...this.workspaces] : null;
  }

  /** The same transaction on another tenant or side, for the system alone: provisioning makes both sides at once. */
  async actingFor(caller: SystemCaller): Promise<Tx> {
    if (this.caller.kind !== "system") throw new Error("only the system acts for another tenant");
    await this.client.query("select set_config('app.tenant_id', $1, true)", [caller.tenantId]);
    return new Tx(this.runner, this.client, caller, this.committed);
  }

  /** @throws NotFoundException where the statement answers with nothing */
  async read<Args extends object, Result>(statement: Read<Args, Result>, args: Args): Promise<Json<Result>> {
    this.assertReach(statement);
    const [row] = await this.rows<{ answer: string | null }>(statement, args);
    if (row?.answer == null) throw notFound();
    if (statement.reach === "restricted") this.reachChecked = true;
    return new Json<Result>(row.answer);
  }

  /** Runs one statement and gives its rows. */
  async query<Args extends object, Row>(
    statement: Query<Args, Row>,
    ...[args]: object extends Args ? [args?: Args] : [args: Args]
  ): Promise<Row[]> {
    this.assertReach(statement);
    const rows = await this.rows<Row>(statement, args ?? {});
    if (rows.length && statement.reach === "restricted") this.reachChecked = true;
    return rows;
  }

  private assertReach({ name, reach }: { name: string; reach: ReachRule }): void {
    if (reach !== "checked" || this.reachChecked || this.caller.reach.level === "tenant") return;
    throw new Error(`${name} ran before anything was found within the caller's reach`);
  }

  private async rows<Row>(
    { name, text, slots }: { name: string; text: string; slots: readonly unknown[] },
    args: object,
  ): Promise<Row[]> {
    const values = bind(slots, scopeOf(this.caller), args);
    const { rows } = await this.client.query({ name, text, values });
    return rows as Row[];
  }

  async insert<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    values: Values<Entity> | Values<Entity>[],
  ): Promise<void> {
    await this.insertion(entity, values).execute();
  }

  /**
   * Inserts unless a row with one of the same unique keys exists.
   * @returns how many rows were inserted
   */
  async insertOrIgnore<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    values: Values<Entity> | Values<Entity>[],
  ): Promise<number> {
    const key = this.runner.connection.getMetadata(entity).primaryColumns[0]!.databaseName;
    const result = await this.insertion(entity, values).orIgnore().returning(`"${key}"`).execute();
    return rawOf(result).length;
  }

  private insertion<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    values: Values<Entity> | Values<Entity>[],
  ) {
    const { tenantId } = this.caller;
    const rows: Values<Entity>[] = Array.isArray(values) ? values : [values];
    return this.runner.manager
      .createQueryBuilder()
      .insert()
      .into(entity)
      .values(rows.map((row) => ({ ...row, tenantId })))
      .updateEntity(false);
  }

  /** @returns how many rows were changed: none where `where` names what is absent, of another tenant or out of reach */
  async update<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    where: Where<Entity>,
    values: Values<Entity>,
  ): Promise<number> {
    const { affected } = await this.updating(entity, where, values).execute();
    if (affected) this.noteFound(entity);
    return affected ?? 0;
  }

  /** One conditional update. @returns these columns of the rows that were changed, as they are now */
  async updateReturning<Entity extends ObjectLiteral, Key extends Column<Entity>>(
    entity: EntityTarget<Entity>,
    where: Where<Entity>,
    values: Values<Entity>,
    columns: readonly Key[],
  ): Promise<Pick<Entity, Key>[]> {
    const result = await this.updating(entity, where, values).returning(this.columnList(entity, columns)).execute();
    return this.hydrated(entity, rawOf(result), columns);
  }

  private updating<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    where: Where<Entity>,
    values: Values<Entity>,
  ) {
    const { table, condition } = this.restriction(entity);
    return this.runner.manager
      .createQueryBuilder()
      .update(table)
      .set(values)
      .where({ ...where, ...this.ownership(entity) })
      .andWhere(condition, scopeOf(this.caller))
      .updateEntity(false);
  }

  /** @returns how many rows were deleted */
  async delete<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>, where: Where<Entity>): Promise<number> {
    const { affected } = await this.deletion(entity, where).execute();
    return affected ?? 0;
  }

  /** @returns these columns of the rows that were deleted */
  async deleteReturning<Entity extends ObjectLiteral, Key extends Column<Entity>>(
    entity: EntityTarget<Entity>,
    where: Where<Entity>,
    columns: readonly Key[],
  ): Promise<Pick<Entity, Key>[]> {
    const result = await this.deletion(entity, where).returning(this.columnList(entity, columns)).execute();
    return this.hydrated(entity, rawOf(result), columns);
  }

  private deletion<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>, where: Where<Entity>) {
    const { table, condition } = this.restriction(entity);
    return this.runner.manager
      .createQueryBuilder()
      .delete()
      .from(table)
      .where({ ...where, ...this.ownership(entity) })
      .andWhere(condition, scopeOf(this.caller));
  }

  /** The rows of an entity within the caller's tenant and reach. */
  async find<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    where: Where<Entity>,
    { lock, order = {}, limit }: FindOptions<Entity> = {},
  ): Promise<Entity[]> {
    const { table, condition } = this.restriction(entity);
    const builder = this.runner.manager
      .createQueryBuilder(entity, table)
      .where({ ...where, ...this.ownership(entity) })
      .andWhere(condition, scopeOf(this.caller));
    for (const [column, direction] of Object.entries<"ASC" | "DESC" | undefined>(order))
      builder.addOrderBy(`${table}.${column}`, direction);
    if (limit !== undefined) builder.limit(limit);
    if (lock) builder.setLock(LOCKS[lock], undefined, [table]);
    const found = await builder.getMany();
    if (found.length) this.noteFound(entity);
    return found;
  }

  /** The first row, or null. */
  async findOne<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    where: Where<Entity>,
    options: Omit<FindOptions<Entity>, "limit"> = {},
  ): Promise<Entity | null> {
    const [found] = await this.find(entity, where, { ...options, limit: 1 });
    return found ?? null;
  }

  /**
   * The one row that `where` names.
   * @throws NotFoundException, the same for what is absent, of another tenant and out of reach
   */
  async findOrThrow<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    where: Where<Entity>,
    { field, ...options }: Omit<FindOptions<Entity>, "limit"> & { field?: string } = {},
  ): Promise<Entity> {
    const found = await this.findOne(entity, where, options);
    if (!found) throw notFound(field);
    return found;
  }

  private noteFound(entity: EntityTarget<ObjectLiteral>): void {
    if (this.restriction(entity).restricted) this.reachChecked = true;
  }

  private columnList(entity: EntityTarget<ObjectLiteral>, columns: readonly string[]): string {
    const metadata = this.runner.connection.getMetadata(entity);
    return columns.map((name) => `"${metadata.findColumnWithPropertyName(name)!.databaseName}"`).join(", ");
  }

  /** TypeORM gives what `returning` returns as the driver does, by the columns' names in the database. */
  private hydrated<Entity extends ObjectLiteral, Key extends Column<Entity>>(
    entity: EntityTarget<Entity>,
    raw: readonly Record<string, unknown>[],
    columns: readonly Key[],
  ): Pick<Entity, Key>[] {
    const { driver } = this.runner.connection;
    const metadata = this.runner.connection.getMetadata(entity);
    const known = columns.map((name) => metadata.findColumnWithPropertyName(name)!);
    return raw.map(
      (row) =>
        Object.fromEntries(
          known.map((column) => [
            column.propertyName,
            driver.prepareHydratedValue(row[column.databaseName], column) as unknown,
          ]),
        ) as Pick<Entity, Key>,
    );
  }

  /** What keeps an entity's rows within the caller's tenant. Members and their sessions belong to both of its sides. */
  private ownership(entity: EntityTarget<ObjectLiteral>): ObjectLiteral {
    const { tenantId: tenant } = this.caller;
    if (this.runner.connection.getMetadata(entity).findColumnWithPropertyName("tenantId")) return { tenantId: tenant };
    const isOrganisation = (column: string): string =>
      `${column} = (select t.organisation_id from tenant t where t.id = :tenant)`;
    return { organisationId: Raw(isOrganisation, { tenant }) };
  }

  /** What keeps an entity's rows within the caller's reach. Rows that may lack a workspace, such as keys, belong to none. */
  private restriction(entity: EntityTarget<ObjectLiteral>): { table: string; condition: string; restricted: boolean } {
    const { tableName: table, columns } = this.runner.connection.getMetadata(entity);
    if (table === "workspace")
      return {
        table,
        condition: forBuilder(sql`workspace.id in (select w.id from workspace w where ${REACHABLE})`),
        restricted: true,
      };
    const ofWorkspace = columns.some(({ propertyName, isNullable }) => propertyName === "workspaceId" && !isNullable);
    return { table, condition: ofWorkspace ? forBuilder(inReach(table)) : "true", restricted: ofWorkspace };
  }
}
