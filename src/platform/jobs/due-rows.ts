import { type Parameters, type Sql, sql } from "../database/sql.js";
import { type GlobalQuery, globalQuery, type NoArgs } from "../database/statements.js";

/** How much a process may claim now, and what it has in progress. */
export interface Room {
  /** How many rows to claim. */
  limit: number;
  /** How many slots are free. At least `limit`. */
  free: number;
  /** The tenants that have rows in progress, and how many each has. */
  tenants: readonly string[];
  held: readonly number[];
}

/** So many of the oldest due rows are looked at first. Only if they are not enough are the tenants visited one by one. */
const OLDEST = 100;

interface Source {
  /** It has the index (tenant_id, due_at); with `receivers`, (tenant_id, receiver, due_at). */
  table: Sql;
  /** The column that makes up its key, with the tenant. */
  id: Sql;
  /** Whether a due row `q` may be claimed. */
  eligible?: Sql;
  /**
   * For a table with a column `receiver`, which makes rows independent of those of other receivers. `room` says how many more
   * rows the receiver of a row takes now, of all rows with its tenant and receiver.
   */
  receivers?: { room: (row: Sql) => Sql };
}

/**
 * Selects and locks the key (tenant, id) of the due rows to claim: first those of tenants that have least in progress, by
 * the rule of `FairShare`, and of each the oldest first.
 *
 * The oldest due rows alone would all belong to one tenant with a hundred thousand of them. If so, an index leads from
 * tenant to tenant (and from receiver to receiver), which takes the same time however many rows each has.
 */
export function dueInTurn({ table, id, eligible = sql`true`, receivers }: Source, room: Parameters<Room>): Sql {
  const open = (row: Sql): Sql => (receivers ? sql`${receivers.room(row)} > 0` : sql`true`);
  const group = (row: Sql): Sql =>
    receivers ? sql`${row}.tenant_id, ${row}.receiver, ${row}.kind, ${row}.channel_id` : sql`${row}.tenant_id`;
  const [q, w] = [sql`q`, sql`w`];
  const order = receivers ? sql`q.tenant_id, q.receiver` : sql`q.tenant_id`;
  const beyond = receivers
    ? sql`(q.tenant_id, q.receiver) > (w.tenant_id, w.receiver)`
    : sql`q.tenant_id > w.tenant_id`;
  const same = receivers ? sql`q.tenant_id = w.tenant_id and q.receiver = w.receiver` : sql`q.tenant_id = w.tenant_id`;
  const found = receivers
    ? sql`q.tenant_id, q.${id} as id, q.due_at, q.receiver, q.kind, q.channel_id`
    : sql`q.tenant_id, q.${id} as id, q.due_at`;
  const { limit, free, tenants, held } = room;
  /** As many rows of each receiver as it has room for, the oldest first. */
  const withRoom = (rows: Sql): Sql =>
    receivers
      ? sql`
    select l.tenant_id, l.id, l.due_at from (
      select p.*, row_number() over (partition by p.tenant_id, p.receiver order by p.due_at, p.id) as position
      from (${rows}) p
    ) l
    where l.position <= ${receivers.room(sql`l`)}`
      : rows;
  /** Rows that are within the share of their tenant, with their turn. */
  const inTurn = (rows: Sql): Sql => sql`
    select t.tenant_id, t.id, t.due_at, t.held + t.turn as turn from (
      select r.tenant_id, r.id, r.due_at, coalesce(h.held, 0) as held,
        row_number() over (partition by r.tenant_id order by r.due_at, r.id) as turn
      from (${withRoom(rows)}) r left join held h on h.tenant_id = r.tenant_id
    ) t
    where t.held + t.turn <= ${free}::int - t.turn + 1`;
  return sql`
    with recursive held as materialized (
      select h.tenant_id, h.held from unnest(${tenants}::uuid[], ${held}::int[]) as h (tenant_id, held)
    ), oldest as materialized (
      select q.* from ${table} q where q.due_at <= clock_timestamp() order by q.due_at limit ${OLDEST}
    ), first_turns as materialized (
      ${inTurn(sql`select ${found} from oldest q where ${open(q)} and ${eligible}`)}
    ), all_looked_at as materialized (
      select (select count(*) from oldest) < ${OLDEST} or (select count(*) from first_turns) >= ${limit}::int as enough
    ), visited as (
      (select ${group(q)} from ${table} q where not (select enough from all_looked_at) order by ${order} limit 1)
      union all
      select ${group(sql`n`)} from visited w cross join lateral (
        select ${group(q)} from ${table} q where ${beyond} order by ${order} limit 1
      ) n
    ), turns as (
      select f.* from first_turns f where (select enough from all_looked_at)
      union all
      (${inTurn(sql`
        select n.* from visited w cross join lateral (
          select ${found} from ${table} q
          where ${same} and q.due_at <= clock_timestamp() and ${eligible}
          order by q.due_at limit ${limit}::int
        ) n
        where ${open(w)}`)})
    )
    select q.tenant_id, q.${id}
    from (select t.* from turns t order by t.turn, t.due_at limit 4 * ${limit}::int) c
    join ${table} q on q.tenant_id = c.tenant_id and q.${id} = c.id
    where q.due_at <= clock_timestamp() and ${eligible}
    order by c.turn, c.due_at
    limit ${limit}::int
    for update of q skip locked`;
}

/** For how many seconds the oldest row has been due and nobody took it. No row: nothing is due. */
export type Lag = GlobalQuery<NoArgs, { seconds: number }, "everywhere">;

/**
 * How late a queue is, for `DueQueueOptions.lag`. It reads one row by the index on `due_at`.
 * @param free whether nobody is working on a row `q`, where its due time does not say that
 */
export const lagOf = (name: string, table: Sql, free: Sql = sql`true`): Lag =>
  globalQuery<NoArgs, { seconds: number }>()(
    `${name}.lag`,
    "everywhere",
    () => sql`
      select extract(epoch from clock_timestamp() - q.due_at)::float8 as seconds from ${table} q
      where q.due_at <= clock_timestamp() and ${free}
      order by q.due_at limit 1`,
  );
