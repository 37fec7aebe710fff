// What decorators need, before the first class that has some.
import "reflect-metadata";
import type { ClientBase, ClientConfig } from "pg";
import { type Config, ConfigError } from "./platform/config/config.js";
import { loadConfig } from "./platform/config/load-config.js";
import { DataDirInUseError, startEmbeddedPostgres } from "./platform/database/embedded/embedded.js";
import { migrate } from "./platform/database/migrations/migrate.js";
import { APP_ROLE } from "./platform/database/app-role.js";
import {
  assertDirect,
  assertIsolated,
  leadsToPooler,
  type PoolMode,
  poolModeOf,
  setLoginDefaults,
  withClient,
} from "./platform/database/checked-connection.js";
import { type Connections, connectionsOf, furtherConnectionsOf } from "./platform/database/connections.js";
import { ownerOptions } from "./platform/database/options.js";
import { describeError, driverError } from "./platform/http/errors.js";
import { ENTITIES } from "./entities.js";
import { SQL_FILES } from "./sql-files.js";
import { StartupError } from "./startup-error.js";

export interface OpenDatabase {
  url: string;
  embedded: boolean;
  /** How the pooler lends its connections, if there is one. */
  poolMode?: PoolMode;
  stop(): Promise<void>;
}

/** Reads the settings, and `.env` if there is one. */
export function readConfig(): Config {
  readEnvFile();
  return loadConfig();
}

/** Puts what `.env` has into the environment, if there is one and the environment does not have it already. */
export function readEnvFile(): void {
  try {
    process.loadEnvFile(".env");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/**
 * Opens the external database of `DATABASE_URL`, or else the embedded one. The schema is brought up to date.
 * @param mode `own` for the server; `adopt` for the command line, which uses the database of a running server
 */
export async function openDatabase(config: Config, mode: "own" | "adopt"): Promise<OpenDatabase> {
  if (config.DATABASE_URL) {
    // Control comes last: a process of the new version serves no further server before it can serve control.
    const further = furtherConnectionsOf(config);
    for (const one of further) await openFurther(one);
    const control = connectionsOf(config, config.DATABASE_URL);
    const poolMode = await openExternal(control);
    if (further.length) await withClient(control.owner, (client) => client.query("select reserve_known()"));
    return { url: config.DATABASE_URL, embedded: false, poolMode, stop: () => Promise.resolve() };
  }
  const server = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, mode, log: (line) => console.error(line) });
  try {
    await migrate(server.url(), ownerOptions(server.url(), ENTITIES), SQL_FILES);
    return { url: await server.loginUrl(APP_ROLE), embedded: true, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** One that is down keeps nobody from starting. What is on it is answered 503 until it is back and has this schema. */
async function openFurther(connections: Connections): Promise<void> {
  try {
    await openExternal(connections);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    console.error(`${(error as Error).message}. What lives there has to wait`);
  }
}

async function openExternal(connections: Connections): Promise<PoolMode | undefined> {
  const { owner, app, direct, pooled, ownerSetting, appSetting } = connections;
  await connectable(owner, ownerSetting, (client) => assertDirect(client, connections));
  await migrate(owner, ownerOptions(owner, ENTITIES), SQL_FILES);
  if (pooled)
    await connectable(direct, `${ownerSetting}, with the user of DATABASE_APP_URL,`, async (client) => {
      await assertDirect(client, connections);
      await setLoginDefaults(client);
    });
  await connectable(app, appSetting, (client) => assertIsolated(client, connections));
  return pooled ? poolModeOf(app, appSetting) : undefined;
}

async function connectable(
  connection: ClientConfig,
  name: string,
  check: (client: ClientBase) => Promise<void>,
): Promise<void> {
  let connected = false;
  try {
    await withClient(connection, (client) => {
      connected = true;
      return check(client);
    });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (connected) throw error;
    // PgBouncer's answer to what it neither passes on nor ignores.
    if (/unsupported startup parameter/.test(message)) throw new StartupError(leadsToPooler(name));
    // A connection string holds a password, so show the reason but not the string.
    throw Object.assign(new StartupError(`${name} cannot be used: ${message || code}`), { cause: error });
  }
}

/** It is down, and may come back. A password or a name that is wrong does not mend itself. */
function isUnavailable(error: unknown): boolean {
  const { cause = error } = error as { cause?: unknown };
  return describeError(cause).status === 503 && !/^(28|3D)/.test(driverError(cause)?.code ?? "");
}

/** The one-line message for an operator. */
export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataDirInUseError || error instanceof StartupError)
    return error.message;
  const { code, message } = driverError(error) ?? { message: String(error) };
  if (code === "EADDRINUSE")
    return `The port is taken: ${/address already in use (\S+)/.exec(message)?.[1] ?? message}. Set PORT to another one`;
  if (code === "ENOTFOUND" || code === "EADDRNOTAVAIL")
    return `HOST must be a name or an address of this machine: ${message}`;
  if (code === "EACCES") return `Not permitted: ${message}`;
  return message.split("\n", 1)[0]!;
}
