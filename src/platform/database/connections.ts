import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg, { type ClientConfig } from "pg";
import { type Config, ConfigError } from "../config/config.js";
import { CONTROL } from "../config/values.js";
import { APP_ROLE } from "./app-role.js";

/** How long a command may take to give a password. */
const PASSWORD_MS = 10_000;

/**
 * What each connection of the server has. PostgreSQL plans a named statement once a connection. By itself it would plan many of ours
 * anew at each call, because a plan that knows the values looks cheaper to it. Planning the list of conversations takes longer than
 * running it.
 */
export const SESSION: Readonly<Record<string, string>> = {
  role: APP_ROLE,
  timezone: "UTC",
  plan_cache_mode: "force_generic_plan",
  statement_timeout: "15000",
  idle_in_transaction_session_timeout: "30000",
};

type Settings = Pick<
  Config,
  "DATABASE_URL" | "DATABASE_APP_URL" | "DATABASE_DIRECT_URL" | "DATABASE_REPLICA_URL" | "DATABASE_PASSWORD_COMMAND"
>;
type FurtherSettings = Settings & Pick<Config, "databaseServers" | "databasePoolers">;

/** How this process reaches a PostgreSQL server. */
export interface Connections {
  /** The server's name: `control`, or one of DATABASE_SERVERS. */
  name: string;
  /** The user that owns the schema, for migrations. Never through a pooler. */
  owner: ClientConfig;
  /** For the pool. */
  app: ClientConfig;
  /** The login of the pool, never through a pooler, and not as the application's role: for LISTEN and session locks. */
  direct: ClientConfig;
  /** A standby, for reads that may lag. */
  replica?: ClientConfig;
  /** Whether the pool goes through a pooler. Then what `SESSION` has comes from the login's defaults. */
  pooled: boolean;
  /** The setting that leads the owner to PostgreSQL, for messages. */
  ownerSetting: string;
  appSetting: string;
}

/** The way by which services get the connections. */
export const CONNECTIONS = Symbol("connections");
/** The same for those to the further servers. */
export const FURTHER_CONNECTIONS = Symbol("further connections");

/** @param databaseUrl of the external or the embedded database */
export function connectionsOf(settings: Settings, databaseUrl: string): Connections {
  const { DATABASE_APP_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URL } = settings;
  const parse = (name: string, url: string): ClientConfig => parsed(name, url, settings.DATABASE_PASSWORD_COMMAND);
  const database = parse("DATABASE_URL", databaseUrl);
  const app = DATABASE_APP_URL === undefined ? database : parse("DATABASE_APP_URL", DATABASE_APP_URL);
  const appSetting = DATABASE_APP_URL === undefined ? "DATABASE_URL" : "DATABASE_APP_URL";
  const inSession = { ...app, options: optionsOf(SESSION) };
  const asLogin = optionsOf({ role: "none" });
  const as = ({ user, password }: ClientConfig, address: ClientConfig): ClientConfig => ({
    ...address,
    user,
    password,
  });
  const standby = DATABASE_REPLICA_URL === undefined ? undefined : parse("DATABASE_REPLICA_URL", DATABASE_REPLICA_URL);
  const replica = standby && {
    ...(new URL(DATABASE_REPLICA_URL!).username ? standby : as(app, standby)),
    options: optionsOf(SESSION),
  };
  if (DATABASE_DIRECT_URL === undefined)
    return {
      name: CONTROL,
      replica,
      owner: database,
      app: inSession,
      direct: { ...app, options: asLogin },
      pooled: false,
      ownerSetting: "DATABASE_URL",
      appSetting,
    };
  const address = parse("DATABASE_DIRECT_URL", DATABASE_DIRECT_URL);
  return {
    name: CONTROL,
    replica,
    owner: new URL(DATABASE_DIRECT_URL).username ? address : as(database, address),
    app,
    direct: { ...as(app, address), options: asLogin },
    pooled: true,
    ownerSetting: "DATABASE_DIRECT_URL",
    appSetting,
  };
}

/** The connection string of the user that owns the schema, to PostgreSQL itself. */
export function ownerUrl({ DATABASE_DIRECT_URL }: Settings, databaseUrl: string): string {
  if (DATABASE_DIRECT_URL === undefined) return databaseUrl;
  const direct = new URL(DATABASE_DIRECT_URL);
  if (direct.username) return direct.href;
  const { username, password } = new URL(databaseUrl);
  return Object.assign(direct, { username, password }).href;
}

/** One connection string as `pg` takes it. @throws ConfigError */
export const connectionOf = (name: string, url: string, settings: Settings): ClientConfig =>
  parsed(name, url, settings.DATABASE_PASSWORD_COMMAND);

/** Those to the servers of DATABASE_SERVERS. One that DATABASE_POOLERS names is reached through its pooler. */
export function furtherConnectionsOf(settings: FurtherSettings): Connections[] {
  const { DATABASE_URL, DATABASE_APP_URL = DATABASE_URL, DATABASE_PASSWORD_COMMAND: command } = settings;
  return [...settings.databaseServers].map(([name, url]) => {
    const setting = `${name} of DATABASE_SERVERS`;
    const owner = parsed(setting, new URL(url).username ? url : withLoginOf(DATABASE_URL!, url), command);
    const app =
      DATABASE_APP_URL === DATABASE_URL ? owner : parsed(setting, withLoginOf(DATABASE_APP_URL!, url), command);
    const direct = { ...app, options: optionsOf({ role: "none" }) };
    const pooler = settings.databasePoolers.get(name);
    const own = { name, owner, direct, ownerSetting: setting };
    if (pooler === undefined)
      return { ...own, app: { ...app, options: optionsOf(SESSION) }, pooled: false, appSetting: setting };
    const appSetting = `${name} of DATABASE_POOLERS`;
    const way = new URL(pooler).username ? pooler : withLoginOf(DATABASE_APP_URL!, pooler);
    return { ...own, app: parsed(appSetting, way, command), pooled: true, appSetting };
  });
}

function withLoginOf(other: string, url: string): string {
  const [{ username, password }, result] = [new URL(other), new URL(url)];
  return Object.assign(result, { username, password }).href;
}

const optionsOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" ");

/**
 * The parts of a connection string, because `pg` prefers the string to everything that is given beside it: its empty password to
 * the function that gives one, and its `options` to ours.
 */
function parsed(name: string, connectionString: string, passwordCommand: string | undefined): ClientConfig {
  try {
    const client = new pg.Client({ connectionString });
    const { user, host, port, database } = client;
    const { ssl } = client as unknown as { ssl: ClientConfig["ssl"] };
    const address = { user, host, port, database, ssl };
    const password = client.password || undefined;
    if (password !== undefined || passwordCommand === undefined) return { ...address, password };
    return {
      ...address,
      async password(this: pg.Client) {
        try {
          return await passwordOf(passwordCommand, address);
        } catch (error) {
          // `pg` would leave the connection open. It takes a place at PostgreSQL for the minute that a login may last, and a
          // database that is dropped waits for it.
          this.connection.stream.destroy();
          throw error;
        }
      },
    };
  } catch (error) {
    // A connection string holds a password, so show the reason but not the string.
    throw new ConfigError(`${name} cannot be used: ${(error as Error).message}`);
  }
}

/** How a program of PostgreSQL reaches what this connection string names, as its environment: others see its arguments. */
export async function libpqEnvironment(url: string, passwordCommand: string | undefined): Promise<NodeJS.ProcessEnv> {
  const { user, host, port, database, password } = new pg.Client({ connectionString: url });
  const parameters = new URL(url).searchParams;
  const mode = parameters.get("sslmode");
  const secret =
    password || (passwordCommand && (await passwordOf(passwordCommand, { user, host, port, database }))) || undefined;
  return {
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGDATABASE: database,
    ...(secret && { PGPASSWORD: secret }),
    // A word of `pg` for what libpq calls `require`.
    ...(mode && { PGSSLMODE: mode === "no-verify" ? "require" : mode }),
    ...Object.fromEntries(
      ["sslrootcert", "sslcert", "sslkey"].flatMap((name) =>
        parameters.has(name) ? [[`PG${name.toUpperCase()}`, parameters.get(name)!]] : [],
      ),
    ),
  };
}

/** Asks at each new connection, so that a password may change, or be valid for minutes. */
async function passwordOf(command: string, { user, host, port, database }: ClientConfig): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", command], {
      timeout: PASSWORD_MS,
      env: { ...process.env, PGUSER: user, PGHOST: host, PGPORT: String(port), PGDATABASE: database },
    });
    return stdout.replace(/\r?\n$/, "");
  } catch (error) {
    // Not its message, which has all that the command printed.
    const { code, killed } = error as { code?: unknown; killed?: boolean };
    const reason = killed ? `took longer than ${PASSWORD_MS / 1_000} s` : `ended with ${String(code)}`;
    throw Object.assign(new Error(`DATABASE_PASSWORD_COMMAND ${reason}`), { code: "08001" });
  }
}
