import { setTimeout as sleep } from "node:timers/promises";
import pg, { type ClientBase, type ClientConfig } from "pg";
import { MovingRefused } from "./ends.js";
import { isCopied, type Organisation, type OrganisationTable } from "./organisation-tables.js";

/** Publication, slot and subscription of a move have one name. */
export const nameOf = ({ id }: Pick<Organisation, "id">): string => `parley_move_${id.replaceAll("-", "")}`;

/** An application's statement must not queue behind one that waits for a table. */
const LOCK_MS = 2_000;
const LOCK_ATTEMPTS = 30;
const POLL_MS = 20;
/**
 * PostgreSQL ends the copying at any error, even if a connection broke or no slot was free for a moment. It is begun again until there were
 * so many: a row that is in the way fails each time.
 */
const MAX_ERRORS = 12;
const BEGIN_AGAIN_MS = 250;

/** Publishes the rows of an organisation. What was published already stays. */
export async function publish(
  source: ClientBase,
  organisation: Organisation,
  tables: readonly OrganisationTable[],
): Promise<void> {
  const name = nameOf(organisation);
  const copied = tables.filter(isCopied);
  // A change of a row that is not known by the tenant's column would be refused while it is published.
  for (const { name: table } of copied.filter(({ identified }) => !identified))
    await withinLockTimeout(source, `alter table ${table} replica identity full`);
  if (!(await exists(source, "select from pg_publication where pubname = $1", name)))
    await source.query(
      `create publication ${name} for table ${copied.map((table) => `${table.name} where (${table.filter})`).join(", ")}
      with (publish = 'insert, update, delete')`,
    );
  // After the publication, which the first change of the slot has to find.
  if (!(await exists(source, "select from pg_replication_slots where slot_name = $1", name)))
    await source.query("select pg_create_logical_replication_slot($1, 'pgoutput')", [name]);
}

async function withinLockTimeout(client: ClientBase, statement: string): Promise<void> {
  await client.query(`set lock_timeout = ${LOCK_MS}`);
  for (let attempt = 1; ; attempt++)
    try {
      await client.query(statement);
      break;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== "55P03" || attempt === LOCK_ATTEMPTS) throw error;
    }
  await client.query("reset lock_timeout");
}

const exists = async (client: ClientBase, sql: string, name: string): Promise<boolean> =>
  !!(await client.query(sql, [name])).rowCount;

/** Whether the target copies already, as after a move that was killed. */
export const isSubscribed = (target: ClientBase, organisation: Organisation): Promise<boolean> =>
  exists(target, `select from pg_subscription where subname = $1 and ${IN_THIS_DATABASE}`, nameOf(organisation));

/** @param sourceAddress how the target reaches the source, in libpq's words */
export async function subscribe(target: ClientBase, organisation: Organisation, sourceAddress: string): Promise<void> {
  const name = nameOf(organisation);
  if (await isSubscribed(target, organisation)) return;
  const { rows } = await target.query<{ version: number; isSuperuser: boolean }>(
    `select current_setting('server_version_num')::int as version,
      (select r.rolsuper from pg_roles r where r.rolname = current_user) as "isSuperuser"`,
  );
  const { version, isSuperuser } = rows[0]!;
  const options = [
    ...["create_slot = false", `slot_name = '${name}'`, "disable_on_error = true"],
    // As the owner of the subscription, who bypasses row-level security; whoever owns a table may not.
    ...(version >= 160_000 ? ["run_as_owner = true"] : []),
    ...(version >= 160_000 && isSuperuser ? ["password_required = false"] : []),
  ];
  await target.query(
    `create subscription ${name} connection ${pg.escapeLiteral(sourceAddress)} publication ${name} with (${options.join(", ")})`,
  );
}

const IN_THIS_DATABASE = "subdbid = (select oid from pg_database where datname = current_database())";

/** What libpq needs to reach a server. */
export async function addressOf({ host, port, user, password, database, ssl }: ClientConfig): Promise<string> {
  const secret = typeof password === "function" ? await password.call(new pg.Client()) : password;
  const parts: Record<string, string | undefined> = {
    host,
    port: port === undefined ? undefined : String(port),
    user,
    password: secret || undefined,
    dbname: database,
    sslmode: ssl ? "require" : "prefer",
    application_name: "parley move",
    // Rather an error than rows that a policy hides.
    options: "-c row_security=off",
  };
  return Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}='${value!.replace(/[\\']/g, "\\$&")}'`)
    .join(" ");
}

export interface CopyProgress {
  tables: number;
  copied: number;
}

/**
 * Begins the copying again if an error ended it.
 * @throws MovingRefused if there were too many errors
 */
export async function progressOf(target: ClientBase, organisation: Organisation): Promise<CopyProgress> {
  const name = nameOf(organisation);
  const { rows } = await target.query<CopyProgress & { enabled: boolean; errors: number }>(
    `select s.subenabled as enabled, count(r.srrelid)::int as tables,
      count(r.srrelid) filter (where r.srsubstate = 'r')::int as copied,
      coalesce((select e.apply_error_count + e.sync_error_count from pg_stat_subscription_stats e where e.subid = s.oid), 0)::int as errors
    from pg_subscription s left join pg_subscription_rel r on r.srsubid = s.oid
    where s.subname = $1 and s.${IN_THIS_DATABASE} group by s.oid, s.subenabled`,
    [name],
  );
  const [progress] = rows;
  if (!progress || (!progress.enabled && progress.errors > MAX_ERRORS))
    throw new MovingRefused(
      "The target could not apply a change: its PostgreSQL log says which. Run the move with --abort, and begin again",
    );
  if (!progress.enabled) {
    await target.query(`alter subscription ${name} enable`);
    await sleep(BEGIN_AGAIN_MS);
  }
  return progress;
}

/**
 * Waits until the target has applied all that is committed on the source by now.
 * @returns false if it takes longer
 */
export async function drained(
  { source, target }: { source: ClientBase; target: ClientBase },
  organisation: Organisation,
  until: number,
): Promise<boolean> {
  // A commit of our own brings everything before it to the disk, from where it is sent.
  const { rows } = await source.query<{ lsn: string }>(
    `select pg_logical_emit_message(true, 'parley move', '')::text as lsn`,
  );
  do {
    const { rowCount } = await source.query(
      `select from pg_replication_slots where slot_name = $1 and confirmed_flush_lsn >= $2::pg_lsn
      union all
      select from pg_stat_replication r join pg_replication_slots s on s.active_pid = r.pid
      where s.slot_name = $1 and r.replay_lsn >= $2::pg_lsn`,
      [nameOf(organisation), rows[0]!.lsn],
    );
    if (rowCount) return true;
    await progressOf(target, organisation);
    await sleep(POLL_MS);
  } while (performance.now() < until);
  return false;
}

/** Ends the copying. Whatever is left of it from a move that was killed goes, too. */
export async function unsubscribe(target: ClientBase, organisation: Organisation): Promise<void> {
  const name = nameOf(organisation);
  if (!(await isSubscribed(target, organisation))) return;
  await target.query(`alter subscription ${name} disable`);
  await target.query(`drop subscription ${name}`);
}

/** Its slot holds back the source's log for as long as it exists. */
export async function unpublish(source: ClientBase, organisation: Organisation): Promise<void> {
  const name = nameOf(organisation);
  await source.query(
    "select pg_drop_replication_slot(s.slot_name) from pg_replication_slots s where s.slot_name = $1 and not s.active",
    [name],
  );
  await source.query(`drop publication if exists ${name}`);
}
