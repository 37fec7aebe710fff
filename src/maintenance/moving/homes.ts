import type { ClientBase, DatabaseError } from "pg";
import type { HomeState } from "../../platform/database/home.entity.js";
import type { Organisation } from "./organisation-tables.js";

export interface WrittenHome {
  server: string;
  state: HomeState;
  other: string | null;
  /** Since when, and whether its rows where it lived before are kept until somebody says otherwise. */
  since: Date;
  isKept: boolean;
}

/** What a server's row says. On control it is where the organisation lives; elsewhere it is the server's door. */
export async function readHome(client: ClientBase, { id }: Organisation): Promise<WrittenHome | undefined> {
  const { rows } = await client.query<WrittenHome>(
    `select h.server, h.state, h.other, h.since, h.since = 'infinity' as "isKept" from home h where h.organisation_id = $1`,
    [id],
  );
  return rows[0];
}

type NewHome = Pick<WrittenHome, "server" | "state" | "other">;

export async function writeHome(
  client: ClientBase,
  { id, sides }: Organisation,
  { server, state, other }: NewHome,
): Promise<void> {
  const test = sides.find((side) => side !== id);
  await client.query(
    `insert into home (organisation_id, test_id, server, state, other) values ($1, $2, $3, $4, $5)
    on conflict (organisation_id) do update set
      server = excluded.server, state = excluded.state, other = excluded.other, since = now()`,
    [id, test, server, state, other],
  );
}

/**
 * Closes the door of the server on which the organisation lives, once no transaction of it is running there. None begins meanwhile.
 * @returns false if that takes longer than `patienceMs`: then nothing has changed
 */
export async function closeDoor(
  client: ClientBase,
  { id, sides }: Organisation,
  { server, other }: Omit<NewHome, "state">,
  patienceMs: number,
): Promise<boolean> {
  const test = sides.find((side) => side !== id);
  await client.query(`set lock_timeout = ${patienceMs}`);
  try {
    await client.query("select set_home($1, $2, $3, 'moving', $4)", [id, test, server, other]);
    return true;
  } catch (error) {
    if ((error as DatabaseError).code === "55P03") return false;
    throw error;
  } finally {
    await client.query("reset lock_timeout");
  }
}

/** The purge waits for a day that begins now, or for good if the copies were not found to be the same. */
export async function keepOldRows(client: ClientBase, { id }: Organisation, forGood: boolean): Promise<void> {
  await client.query("update home set since = case when $2 then 'infinity' else now() end where organisation_id = $1", [
    id,
    forGood,
  ]);
}

/** What a process takes that moves an organisation: `moves.job.ts` sees by it whether one is at it. */
export const moveLockKey = (organisation: string): string => `hashtextextended('parley move ' || ${organisation}, 0)`;

/**
 * One process at a time moves an organisation. It takes a lock on each server that it writes to, because a statement of a process that was
 * killed may still be running there. PostgreSQL ends that, and gives the lock back, also if the machine of the process dies.
 * @param clients that of control first
 */
export async function lockMove(clients: Iterable<ClientBase>, { id }: Pick<Organisation, "id">): Promise<boolean> {
  for (const client of new Set(clients)) {
    await client.query(
      `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3;
      set client_connection_check_interval = 250`,
    );
    const { rows } = await client.query<{ mine: boolean }>(
      `select pg_try_advisory_lock(${moveLockKey("$1::text")}) as mine`,
      [id],
    );
    if (!rows[0]!.mine) return false;
  }
  return true;
}
