import pg, { type ClientBase, type ClientConfig } from "pg";
import { APP_ROLE } from "./app-role.js";
import { type Connections, SESSION } from "./connections.js";

/** Has the code of PostgreSQL for a connection that was rejected, so it counts as unavailable. */
export class RefusedConnection extends Error {
  readonly code = "08004";
}

/**
 * Lets the process go on when this connection breaks while no query waits on it. Node ends a process for an error that nobody listens
 * to. The next query on the connection fails.
 */
export function allowToBreak(client: ClientBase): void {
  client.on("error", () => undefined);
}

interface Seen {
  role: string;
  login: string;
  database: string;
  pid: number;
  standby: boolean;
  /** Whether row-level security holds for nobody like the role, or the login. */
  roleIsAbove: boolean;
  loginIsAbove: boolean;
  /** A table whose policy does not hold for everybody. */
  open: string | null;
}
const isAbove = (user: string): string =>
  `(select r.rolsuper or r.rolbypassrls from pg_catalog.pg_roles r where r.rolname = ${user})`;
const LOOK = `select current_user::text as role, session_user::text as login, current_database()::text as database,
    pg_catalog.pg_backend_pid() as pid, pg_catalog.pg_is_in_recovery() as standby,
    ${isAbove("current_user")} as "roleIsAbove", ${isAbove("session_user")} as "loginIsAbove",
    (select c.relname::text from pg_catalog.pg_policy p join pg_catalog.pg_class c on c.oid = p.polrelid
      where not (c.relrowsecurity and c.relforcerowsecurity) limit 1) as open`;

async function look(client: ClientBase): Promise<Seen & { isPooled: boolean }> {
  const {
    rows: [seen],
  } = await client.query<Seen>(LOOK);
  // A pooler tells its own number, because the connection to PostgreSQL changes.
  return { ...seen!, isPooled: seen!.pid !== (client as unknown as { processID: number }).processID };
}

export const leadsToPooler = (setting: string): string =>
  `${setting} leads to a pooler, which does not pass on what the server sets for its connections: ` +
  (/ of DATABASE_/.test(setting)
    ? "name the pooler in DATABASE_POOLERS, PostgreSQL itself in DATABASE_SERVERS, and in DATABASE_APP_URL "
    : "set DATABASE_DIRECT_URL to the address of PostgreSQL itself, and DATABASE_APP_URL to ") +
  "a login of the server's own (docs/operations.md#behind-a-pooler)";

/** @throws RefusedConnection where migrations must not run */
export async function assertDirect(client: ClientBase, { ownerSetting }: Connections): Promise<void> {
  const { isPooled, standby } = await look(client);
  if (isPooled)
    throw new RefusedConnection(
      ownerSetting === "DATABASE_DIRECT_URL"
        ? "DATABASE_DIRECT_URL leads to a pooler: it must be the address of PostgreSQL itself"
        : leadsToPooler(ownerSetting),
    );
  if (standby) throw new RefusedConnection(`${ownerSetting} leads to a standby, which takes no changes`);
}

/**
 * Whether row-level security holds on a new connection of the pool, whatever a pooler made of it. On the others that a pooler lends
 * for single transactions, each statement that reads for a tenant, and the beginning of each transaction, see to it.
 * @throws RefusedConnection
 */
export async function assertIsolated(client: ClientBase, { pooled, appSetting }: Connections): Promise<void> {
  const seen = await look(client);
  const refuse = (why: string): never => {
    throw new RefusedConnection(why);
  };
  if (seen.isPooled && !pooled) refuse(leadsToPooler(appSetting));
  if (seen.isPooled && seen.loginIsAbove)
    refuse(
      `the login "${seen.login}" of ${appSetting} is a superuser or has BYPASSRLS: behind a pooler, where it may lose its role, row-level security would not hold. Set it to a login that is a member of ${APP_ROLE}, and nothing else`,
    );
  assertLimited(seen, appSetting);
  if (seen.standby) refuse(`${appSetting} leads to a standby, which takes no changes`);
}

/**
 * The same on a connection that only reads: it may lead to a standby, and not to a pooler.
 * @throws RefusedConnection
 */
export async function assertReader(client: ClientBase, setting: string): Promise<void> {
  const seen = await look(client);
  if (seen.isPooled)
    throw new RefusedConnection(`${setting} leads to a pooler: it must be the address of the standby itself`);
  assertLimited(seen, setting);
}

function assertLimited(seen: Seen, setting: string): void {
  const refuse = (why: string): never => {
    throw new RefusedConnection(why);
  };
  if (seen.role !== APP_ROLE)
    refuse(
      `a connection of ${setting} acts as "${seen.role}" instead of ${APP_ROLE}: a pooler or a proxy has dropped the role. ` +
        `Run alter role "${seen.login}" in database "${seen.database}" set role = '${APP_ROLE}', then RECONNECT in the pooler`,
    );
  if (seen.roleIsAbove) refuse(`${APP_ROLE} is a superuser or has BYPASSRLS: row-level security would not hold`);
  if (seen.open !== null)
    refuse(`row-level security of the table "${seen.open}" is not enabled and forced: run the migrations as its owner`);
}

/**
 * Makes what the server needs of its connections the defaults of its login, because no pooler passes it on. A login may change its own
 * defaults. Several processes may start at once, so the connection, which ends soon, takes a lock.
 */
export async function setLoginDefaults(direct: ClientBase): Promise<void> {
  const { login, database } = await look(direct);
  await direct.query(`select pg_advisory_lock(hashtext('parley login'))`);
  const { rows } = await direct.query<{ setting: string }>(
    `select unnest(s.setconfig) as setting from pg_db_role_setting s
    join pg_roles r on r.oid = s.setrole and r.rolname = $1 join pg_database d on d.oid = s.setdatabase and d.datname = $2`,
    [login, database],
  );
  const known = new Set(rows.map(({ setting }) => setting.toLowerCase()));
  const [user, where] = [pg.escapeIdentifier(login), pg.escapeIdentifier(database)];
  for (const [name, value] of Object.entries(SESSION))
    if (!known.has(`${name}=${value}`.toLowerCase()))
      await direct.query(`alter role ${user} in database ${where} set ${name} = ${pg.escapeLiteral(value)}`);
}

/** How a pooler lends its connections. */
export type PoolMode = "session" | "transaction";

/**
 * Two clients that are connected at the same time have one connection to PostgreSQL only where it is lent for single transactions.
 * @throws RefusedConnection if prepared statements do not work there
 */
export function poolModeOf(app: ClientConfig, appSetting: string): Promise<PoolMode> {
  const probe = { name: "parley probe", text: "select pg_backend_pid() as pid" };
  const pidOf = async (client: ClientBase): Promise<number> =>
    (await client.query<{ pid: number }>(probe.text)).rows[0]!.pid;
  return withClient(app, (one) =>
    withClient(app, async (other) => {
      // Somebody else's transaction may have taken it in between.
      for (let attempt = 1; (await pidOf(one)) !== (await pidOf(other)); attempt++) if (attempt === 3) return "session";
      try {
        await one.query(probe);
        await other.query(probe);
      } catch (error) {
        // Prepared by another client already, or on another connection.
        if (!["42P05", "26000"].includes((error as { code?: string }).code ?? "")) throw error;
        throw new RefusedConnection(
          `the pooler of ${appSetting} lends connections for single transactions, and prepared statements do not work there: ` +
            "set pool_mode = session, or use PgBouncer 1.21 or later with max_prepared_statements",
        );
      }
      return "transaction";
    }),
  );
}

/** Does `work` on a connection of its own. */
export async function withClient<T>(config: ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...config });
  allowToBreak(client);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
