import pg, { type ClientConfig } from "pg";
import { DataSource } from "typeorm";
import type { PostgresDataSourceOptions } from "typeorm/driver/postgres/PostgresDataSourceOptions.js";
import { clientConfig } from "./client-config.js";
import { applySqlFiles } from "./sql-files.js";

const OLDEST_SERVER = 150_000;

/**
 * Brings the schema up to date, as the user that owns it: first the migrations that have not run, then the `.sql` files
 * of functions and triggers that changed.
 * TypeORM takes no lock of its own: of several processes that start at once, one migrates and the others wait for it.
 * @param sqlFiles in the order in which they are applied
 */
export async function migrate(
  connection: ClientConfig | string,
  options: PostgresDataSourceOptions,
  sqlFiles: readonly URL[],
): Promise<void> {
  const guard = new pg.Client({ ...clientConfig(connection), connectionTimeoutMillis: 5_000 });
  guard.on("error", () => undefined); // it may break while the migrations run on another connection: the next query says so
  await guard.connect();
  try {
    const { rows } = await guard.query<{ version: number }>(
      `select current_setting('server_version_num')::int as version`,
    );
    if (rows[0]!.version < OLDEST_SERVER) throw new Error("PostgreSQL 15 or later is needed");
    await guard.query(`select pg_advisory_lock(hashtext('parley migrate'))`);
    const source = await new DataSource(options).initialize();
    try {
      await source.runMigrations({ transaction: "each" });
    } finally {
      await source.destroy();
    }
    await applySqlFiles(guard, sqlFiles);
  } finally {
    await guard.end();
  }
}
