import type { ClientBase } from "pg";

/** What an administrator should know about a database. */
export interface Examined {
  version: string;
  isSupported: boolean;
  database: string;
  encoding: string;
  megabytes: number;
  /** How far the clock of PostgreSQL is ahead of this process's, in milliseconds, with the time that a question takes. */
  aheadMs: number;
  roundTripMs: number;
  connections: { most: number; used: number };
  /** Settings that lose or slow down data, as they are. */
  switchedOff: string[];
  /** The oldest transaction, in seconds, and whose it is. */
  oldest: { seconds: number; pid: number; login: string } | null;
  /** Transactions until PostgreSQL stops taking any. */
  transactionsLeft: number;
  /** Slots that nobody reads, which keep what was written. */
  forgottenSlots: string[];
}

const OLDEST_SERVER = 150_000;
const TRANSACTIONS = 2_100_000_000;

type Row = Pick<Examined, "version" | "database" | "encoding" | "megabytes" | "oldest" | "forgottenSlots"> & {
  number: number;
  most: number;
  used: number;
  off: string[];
  age: number;
};
const EXAMINE = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
    current_database()::text as database, current_setting('server_encoding') as encoding,
    (pg_database_size(current_database()) / 1048576)::int as megabytes,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
    array(select name::text from pg_settings
      where name in ('fsync', 'full_page_writes', 'autovacuum', 'track_counts') and setting = 'off' order by 1) as off,
    (select json_build_object('seconds', extract(epoch from now() - xact_start)::int, 'pid', pid, 'login', usename)
      from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      order by xact_start nulls last limit 1) as oldest,
    (select age(datfrozenxid)::int from pg_database where datname = current_database()) as age,
    array(select slot_name::text from pg_replication_slots where not active and restart_lsn is not null) as "forgottenSlots"`;

export async function examine(client: ClientBase): Promise<Examined> {
  const clock = await clockOf(client);
  const { rows } = await client.query<Row>(EXAMINE);
  const { number, most, used, off, age, oldest, ...rest } = rows[0]!;
  return {
    ...rest,
    ...clock,
    isSupported: number >= OLDEST_SERVER,
    connections: { most, used },
    switchedOff: off,
    oldest: oldest?.seconds == null ? null : oldest,
    transactionsLeft: TRANSACTIONS - age,
  };
}

/** Of several questions the fastest says it best. */
async function clockOf(client: ClientBase): Promise<Pick<Examined, "aheadMs" | "roundTripMs">> {
  let best = { aheadMs: 0, roundTripMs: Infinity };
  for (let n = 0; n < 5; n++) {
    const [began, at] = [Date.now(), performance.now()];
    const { rows } = await client.query<{ ms: number }>(
      "select extract(epoch from clock_timestamp())::float8 * 1000 as ms",
    );
    const roundTripMs = performance.now() - at;
    if (roundTripMs < best.roundTripMs) best = { aheadMs: rows[0]!.ms - (began + roundTripMs / 2), roundTripMs };
  }
  return best;
}
