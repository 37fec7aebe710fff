import pg from "pg";
import { type Config, ConfigError } from "./platform/config/config.js";
import { loadConfig } from "./platform/config/load-config.js";
import { DataDirInUseError, startEmbeddedPostgres } from "./platform/database/embedded/embedded.js";
import { migrate } from "./platform/database/migrations/migrate.js";
import { APP_ROLE, ownerOptions } from "./platform/database/options.js";
import { driverError } from "./platform/http/errors.js";
import { ENTITIES } from "./entities.js";
import { SQL_FILES } from "./sql-files.js";
import { StartupError } from "./startup-error.js";

export interface OpenDatabase {
  url: string;
  embedded: boolean;
  stop(): Promise<void>;
}

/** Reads the settings, and `.env` if there is one. */
export function readConfig(): Config {
  try {
    process.loadEnvFile(".env");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  return loadConfig();
}

/**
 * Opens the external database of `DATABASE_URL`, or else the embedded one. The schema is brought up to date.
 * @param mode `own` for the server; `adopt` for the command line, which uses the database of a running server
 */
export async function openDatabase(config: Config, mode: "own" | "adopt"): Promise<OpenDatabase> {
  if (config.DATABASE_URL) {
    await connectable(config.DATABASE_URL, "DATABASE_URL");
    await migrate(config.DATABASE_URL, ownerOptions(config.DATABASE_URL, ENTITIES), SQL_FILES);
    if (config.DATABASE_APP_URL) await connectable(config.DATABASE_APP_URL, "DATABASE_APP_URL", APP_ROLE);
    return { url: config.DATABASE_URL, embedded: false, stop: () => Promise.resolve() };
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

async function connectable(url: string, name: string, role?: string): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 5_000,
      ...(role ? { options: `-c role=${role}` } : {}),
    });
    client.on("error", () => undefined);
    await client.connect();
  } catch (error) {
    // A connection string holds a password, so show the reason but not the string.
    throw new StartupError(
      `${name} cannot be used: ${(error as Error).message || (error as NodeJS.ErrnoException).code}`,
    );
  } finally {
    await client?.end().catch(() => undefined);
  }
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
